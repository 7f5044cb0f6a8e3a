"""Quick sort by comprehensions and merge sort, on the same pseudo-random numbers."""
import sys


def random(n, x):
    result = []
    for _ in range(n):
        result.append(x)
        x = (x * 75 + 74) % 65537
    return result


def quick(s):
    if not s:
        return []
    p, xs = s[0], s[1:]
    return quick([x for x in xs if x < p]) + [p] + quick([x for x in xs if x >= p])


def merge(xs, ys):
    result = []
    i = j = 0
    while i < len(xs) and j < len(ys):
        if xs[i] <= ys[j]:
            result.append(xs[i])
            i += 1
        else:
            result.append(ys[j])
            j += 1
    result.extend(xs[i:])
    result.extend(ys[j:])
    return result


def pairs(runs):
    return [merge(runs[i], runs[i + 1]) if i + 1 < len(runs) else runs[i] for i in range(0, len(runs), 2)]


def mergesort(s):
    runs = [[x] for x in s]
    while len(runs) > 1:
        runs = pairs(runs)
    return runs[0] if runs else []


def checksum(s):
    total = 0
    for x in s:
        total = (total * 31 + x) % 1000003
    return total


def run(n):
    s = random(n, 12345)
    return checksum(quick(s)) + checksum(mergesort(s))


print(run(int(sys.argv[1])))
