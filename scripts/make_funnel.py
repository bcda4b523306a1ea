#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a funnel as OBJ: a tube of radius 0.06 m from y = -0.2 to 0, above it a cone to radius 0.36 m at y = 0.2. Open
at both ends; its faces are seen from outside.

usage: make_funnel.py > scenes/torture/funnel.obj"""
import math

ROUND = 48
rings = [(0.06, -0.2 + 0.05 * k) for k in range(5)] + [(0.06 + 0.03 * k, 0.02 * k) for k in range(1, 11)]
print("# a funnel of 48 x 14 quads, in metres")
for radius, y in rings:
    for k in range(ROUND):
        angle = 2 * math.pi * k / ROUND
        print("v %.9f %.9f %.9f" % (radius * math.cos(angle), y, radius * math.sin(angle)))
for i in range(len(rings) - 1):
    for k in range(ROUND):
        a, b = 1 + ROUND * i + k, 1 + ROUND * i + (k + 1) % ROUND
        print("f", a, a + ROUND, b + ROUND, b)
