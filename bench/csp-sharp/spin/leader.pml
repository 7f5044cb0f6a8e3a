/* Election of a leader in a ring, step by step as in leader.csp. */
#ifndef N
#define N 6
#endif
chan link[N] = [2] of { byte };
byte leaders;
bool led[N];

active [N] proctype Node() {
	byte m;
	link[(_pid + 1) % N]!_pid;
end:	atomic {
		link[_pid]?m ->
		if
		:: m == _pid -> goto lead
		:: m > _pid -> goto pass
		:: else -> goto drop
		fi
	}
drop:	atomic { m = 0; goto end }
pass:	atomic { link[(_pid + 1) % N]!m; m = 0; goto end }
lead:	atomic { leaders++; led[_pid] = 1; m = 0; assert(leaders == 1) }
	/* Who leads stays: a process that ends would take another step. */
end_led: false
}
