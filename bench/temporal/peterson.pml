/* The lock of peterson.csp. */
#ifndef N
#define N 4
#endif
byte height[N];
byte last[N];
bool wants, is_in;

#if N == 4
#define LOWER(i, l) ((i == 0 || height[0] < l) && (i == 1 || height[1] < l) && (i == 2 || height[2] < l) && (i == 3 || height[3] < l))
#else
#define LOWER(i, l) ((i == 0 || height[0] < l) && (i == 1 || height[1] < l) && (i == 2 || height[2] < l) && (i == 3 || height[3] < l) && (i == 4 || height[4] < l))
#endif

proctype process(byte me) {
  byte level;
  do
  :: atomic { wants = wants || me == 0; level = 1 };
     do
     :: atomic { level < N -> height[me] = level };
        last[level] = me;
        atomic { last[level] != me || LOWER(me, level) -> level++ }
     :: atomic { level == N -> is_in = is_in || me == 0; break }
     od;
     atomic { if :: me == 0 -> is_in = false; wants = false :: else fi };
     atomic { height[me] = 0; level = 0 }
  od
}

init {
  byte i;
  atomic { do :: i < N -> run process(i); i++ :: else -> break od }
}

ltl served { [] (wants -> <> is_in) }
