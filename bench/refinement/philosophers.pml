/* Dining philosophers who all take the fork on their left first. */

#define N 12

bool taken[N];

#define left _pid
#define right ((_pid + 1) % N)

active [N] proctype Philosopher()
{
	do
	:: d_step { !taken[left] -> taken[left] = true };
	   d_step { !taken[right] -> taken[right] = true };
	   taken[left] = false;
	   taken[right] = false
	od
}
