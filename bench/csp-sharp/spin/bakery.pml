/* Lamport's bakery for N customers, step by step as in bakery.csp. */
#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 6
#endif
bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype Customer() {
	byte j, m;
begin:	choosing[_pid] = 1;
look:	atomic {
		if
		:: ticket[j] > m -> m = ticket[j]
		:: else
		fi;
		j++;
		if
		:: j < N -> goto look
		:: else -> j = 0
		fi;
		if
		:: m == MAX -> goto again
		:: else -> goto draw
		fi
	}
again:	atomic { choosing[_pid] = 0; m = 0; goto begin }
draw:	atomic { ticket[_pid] = m + 1; m = 0 }
	choosing[_pid] = 0;
wait:	choosing[j] == 0;
	atomic {
		(ticket[j] == 0 || ticket[_pid] < ticket[j] || (ticket[_pid] == ticket[j] && _pid <= j)) -> j++;
		if
		:: j < N -> goto wait
		:: else -> j = 0
		fi
	}
	inside++;
	atomic { assert(inside == 1); inside--; ticket[_pid] = 0; goto begin }
}
