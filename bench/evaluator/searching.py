"""Linear search by a loop and by `in`, and binary search in a list."""
import sys


def values(n):
    return [(x * 3) % (3 * n) for x in range(n)]


def position(x, s):
    for i, y in enumerate(s):
        if x == y:
            return i
    return -1


def table(n):
    return [3 * x for x in range(n)]


def binary(m, x):
    low, high = 0, len(m) - 1
    while low <= high:
        middle = (low + high) // 2
        y = m[middle]
        if x == y:
            return middle
        if x < y:
            high = middle - 1
        else:
            low = middle + 1
    return -1


def linear(n):
    s = values(1000)
    tries = range(1, n // 1000 + 1)
    return sum(position((7 * i) % 3000, s) for i in tries) + len([i for i in tries if (11 * i) % 3000 in s])


def logarithmic(n):
    m = table(n)
    return sum(binary(m, (7 * i) % (3 * n)) for i in range(1, n + 1))


def run(n):
    return linear(50 * n) + logarithmic(n)


print(run(int(sys.argv[1])))
