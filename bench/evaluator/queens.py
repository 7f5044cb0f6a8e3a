"""All ways to put n queens on a board, by a comprehension over partial solutions."""
import sys


def safe(q, qs):
    for d, p in enumerate(qs, 1):
        if q == p or q == p + d or q == p - d:
            return False
    return True


def place(k, n):
    if k == 0:
        return [[]]
    return [[q] + qs for qs in place(k - 1, n) for q in range(1, n + 1) if safe(q, qs)]


n = int(sys.argv[1])
print(len(place(n, n)))
