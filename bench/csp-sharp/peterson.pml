/* Peterson's algorithm for N processes, step by step as in peterson.csp. */
#ifndef N
#define N 4
#endif
#if N == 4
#define BELOW ((_pid == 0 || height[0] < f) && (_pid == 1 || height[1] < f) && (_pid == 2 || height[2] < f) && (_pid == 3 || height[3] < f))
#else
#define BELOW ((_pid == 0 || height[0] < f) && (_pid == 1 || height[1] < f) && (_pid == 2 || height[2] < f) && (_pid == 3 || height[3] < f) && (_pid == 4 || height[4] < f))
#endif
byte height[N];
byte last[N];
byte inside;

active [N] proctype Climber() {
	byte f = 1;
rise:	height[_pid] = f;
	last[f] = _pid;
	atomic {
		(last[f] != _pid || BELOW) -> f++;
		if
		:: f < N -> goto rise
		:: else -> f = 0
		fi
	}
	inside++;
	atomic { assert(inside == 1); inside--; height[_pid] = 0; f = 1 }
	goto rise
}
