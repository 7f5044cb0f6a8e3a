/* Milner's scheduler: a ring of cells that start their tasks in turn, each again when its last task has ended. */

#define N 14

chan pass[N] = [0] of { bit };

#define next ((_pid + 1) % N)

inline turn()
{
	skip; /* start */
	if
	:: skip /* end */ -> pass[next]!0
	:: pass[next]!0 -> skip /* end */
	fi
}

active proctype First()
{
	do
	:: turn(); pass[_pid]?0
	od
}

active [N - 1] proctype Other()
{
	do
	:: pass[_pid]?0; turn()
	od
}
