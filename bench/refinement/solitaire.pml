/* Peg solitaire on a square board, the hole in the center free. A peg jumps over another one, which is taken away, into a
   free hole. */

#define N 5

bool peg[N * N] = {
	true, true, true, true, true,
	true, true, true, true, true,
	true, true, false, true, true,
	true, true, true, true, true,
	true, true, true, true, true
};

#define jump(a, b, c) d_step { peg[a] && peg[b] && !peg[c] -> peg[a] = false; peg[b] = false; peg[c] = true }

/* All jumps of three holes in a row, both ways. */
#define both(a, b, c) jump(a, b, c) :: jump(c, b, a)
#define row(y) both(N * y, N * y + 1, N * y + 2) :: both(N * y + 1, N * y + 2, N * y + 3) :: both(N * y + 2, N * y + 3, N * y + 4)
#define column(x) both(x, x + N, x + 2 * N) :: both(x + N, x + 2 * N, x + 3 * N) :: both(x + 2 * N, x + 3 * N, x + 4 * N)

active proctype Board()
{
	do
	:: row(0) :: row(1) :: row(2) :: row(3) :: row(4)
	:: column(0) :: column(1) :: column(2) :: column(3) :: column(4)
	od
}
