"""Text built from pieces, in two ways: all pieces joined at once, and one after the other."""
import sys


def line(i):
    if i % 15 == 0:
        return "fizzbuzz\n"
    if i % 3 == 0:
        return "fizz\n"
    if i % 5 == 0:
        return "buzz\n"
    return str(i) + "\n"


def together(n):
    return "".join([line(i) for i in range(1, n + 1)])


def onebyone(n):
    text = ""
    for i in range(1, n + 1):
        text += line(i)
    return text


def run(n):
    a = together(n)
    b = onebyone(n)
    if a != b:
        raise ValueError("the two texts differ")
    return len(a)


print(run(int(sys.argv[1])))
