"""Shortest paths by relaxation until nothing changes, with a map from places to distances."""
import sys


def edges(n, i):
    return [((i * 7 + 1) % n, 3 + i % 5), ((i * 3 + 2) % n, 1 + i % 7), ((i + 1) % n, 9)]


def fixpoint(n, dist, frontier):
    while frontier:
        changed = {}
        for i in frontier:
            d = dist[i]
            for j, w in edges(n, i):
                if j not in dist or dist[j] > d + w:
                    dist[j] = d + w
                    changed[j] = True
        frontier = sorted(changed)
    return dist


print(sum(fixpoint(int(sys.argv[1]), {0: 0}, [0]).values()))
