#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a disc of radius 1 in the plane y = 0, facing up, as OBJ: quads of side 1/N along x (warp) and -z (weft)
inside, triangles between them and the rim. uv are the coordinates themselves.

usage: make_round.py N > scenes/round.obj"""
import math
import sys

n = int(sys.argv[1])
h = 1 / n
nodes, index = [], {}


def node(u, v):
    key = (round(u, 9), round(v, 9))
    if key not in index:
        index[key] = len(nodes)
        nodes.append(key)
    return index[key]


# Cells that leave room for the rim's triangles.
limit = 1 - 0.45 * h
cells = {(i, j) for i in range(-n, n) for j in range(-n, n)
         if all(math.hypot((i + a) * h, (j + b) * h) <= limit for a in (0, 1) for b in (0, 1))}
faces, sides = [], {}
for i, j in sorted(cells, key=lambda c: (c[1], c[0])):
    ring = [node((i + a) * h, (j + b) * h) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
    faces.append(ring)
    for k in range(4):
        sides[ring[k], ring[(k + 1) % 4]] = True
# The staircase round the quads, counter-clockwise; its angle only grows.
following = {a: b for a, b in sides if (b, a) not in sides}
stairs = [max(following, key=lambda k: (nodes[k][0], -abs(nodes[k][1])))]
while following[stairs[-1]] != stairs[0]:
    stairs.append(following[stairs[-1]])


def angle(k):
    return math.atan2(nodes[k][1], nodes[k][0]) % (2 * math.pi)


start = min(range(len(stairs)), key=lambda i: angle(stairs[i]))
stairs = stairs[start:] + stairs[:start]
n_rim = round(2 * math.pi * n)
rim = [node(math.cos(2 * math.pi * k / n_rim), math.sin(2 * math.pi * k / n_rim)) for k in range(n_rim)]
# Zips the two rings: the shorter of the two diagonals each time.
i = k = 0
while i < len(stairs) or k < n_rim:
    a, b = stairs[i % len(stairs)], rim[k % n_rim]
    a1, b1 = stairs[(i + 1) % len(stairs)], rim[(k + 1) % n_rim]
    if k == n_rim or (i < len(stairs) and math.dist(nodes[a1], nodes[b]) <= math.dist(nodes[a], nodes[b1])):
        faces.append([a, b, a1])
        i += 1
    else:
        faces.append([a, b, b1])
        k += 1

print("# A disc of radius 1: warp along x, weft along -z. Made by scripts/make_round.py", n)
for u, v in nodes:
    print(f"v {u:.6g} 0 {-v:.6g}")
for u, v in nodes:
    print(f"vt {u:.6g} {v:.6g}")
for face in faces:
    print("f", " ".join(f"{k + 1}/{k + 1}" for k in face))
