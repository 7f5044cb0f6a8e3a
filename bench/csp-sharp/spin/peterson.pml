/* Peterson's algorithm for N processes, step by step as in peterson.csp. */
#ifndef N
#define N 4
#endif
/* Whether process j is not as high as this one. */
#define UNDER(j) (_pid == j || height[j] < f)
#if N == 4
#define BELOW (UNDER(0) && UNDER(1) && UNDER(2) && UNDER(3))
#elif N == 5
#define BELOW (UNDER(0) && UNDER(1) && UNDER(2) && UNDER(3) && UNDER(4))
#else
#define BELOW (UNDER(0) && UNDER(1) && UNDER(2) && UNDER(3) && UNDER(4) && UNDER(5))
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
