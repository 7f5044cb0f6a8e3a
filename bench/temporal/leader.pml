/* The ring of leader.csp. */
#ifndef N
#define N 8
#endif
chan link[N] = [N] of { byte };
byte n_leaders;

proctype node(byte me; byte number) {
  byte heard, next;
  atomic { next = (me + 1) % N; link[next]!number };
  do
  :: atomic { heard == 0 && nempty(link[me]) ->
       link[me]?heard;
       if
       :: heard < number -> heard = 0
       :: else -> skip
       fi }
  :: atomic { heard > number && nfull(link[next]) -> link[next]!heard; heard = 0 }
  :: atomic { heard == number && heard > 0 -> n_leaders++; heard = 0 }
  od
}

init {
  byte i;
  atomic { do :: i < N -> run node(i, N - i); i++ :: else -> break od }
}

ltl elected { <> (n_leaders == 1) }
