/* Lamport's bakery, step by step as in bakery.csp. */
#define N 3
#define MAX 5
byte choosing[N];
byte number[N];
byte inside;
#define FREE (number[0] < MAX && number[1] < MAX && number[2] < MAX)

active [N] proctype Baker() {
	byte j, most;
come:	atomic { FREE -> choosing[_pid] = 1; j = 0; most = 0 }
draw:	atomic {
		if
		:: j == N -> most < MAX -> number[_pid] = most + 1; choosing[_pid] = 0; j = 0; most = 0; goto look
		:: j < N -> if :: number[j] > most -> most = number[j] :: else fi; j++; goto draw
		fi
	}
look:	atomic {
		if
		:: j == N -> inside++; j = 0; goto leave
		:: j < N -> choosing[j] == 0
		fi
	}
	atomic { (number[j] == 0 || number[j] > number[_pid] || (number[j] == number[_pid] && j >= _pid)) -> j++; goto look }
leave:	atomic { inside--; number[_pid] = 0; goto come }
}
