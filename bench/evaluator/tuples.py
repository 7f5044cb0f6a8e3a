"""A set comprehension over n * n tuples, all different, and one with few different results."""
import sys


def run(n):
    numbers = range(1, n + 1)
    return len({(x, y, (x * y) % 97) for x in numbers for y in numbers}) + len(
        {(x + y) % 50 for x in numbers for y in numbers if x < y}
    )


print(run(int(sys.argv[1])))
