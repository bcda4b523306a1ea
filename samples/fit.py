# SPDX-License-Identifier: MIT
"""Which fabric droops like this? Finds the bending stiffness whose strip, held at one end, has the outline of a target.

A golden-section search of the logarithm; the target is made with a stiffness that the search is not told."""
from typing import Any

import numpy as np
import weft

N_LONG, N_WIDE = 31, 3


def outline(bending: float) -> Any:
    """Of the strip at rest, seen from its side."""
    with weft.Sim(air_viscosity=2.0) as sim:
        strip = sim.add_grid(N_LONG, N_WIDE, 0.3, 0.02,
                             fabric=weft.Fabric("cotton", bending_warp=bending, bending_weft=bending))
        uv = strip.uv()
        strip.pin(np.flatnonzero(uv[:, 0] < 0.015))
        for _ in range(90):
            sim.step(1 / 60)
        middle = np.flatnonzero(abs(uv[:, 1] - uv[:, 1].mean()) < 1e-6)
        return strip.positions()[middle, :2]


def fit(target: Any, low: float = -5.0, high: float = -2.0, rounds: int = 10) -> float:
    """The logarithm of the stiffness, N·m, between low and high."""
    share = (5 ** 0.5 - 1) / 2

    def miss(log: float) -> float:
        return float(np.sqrt(np.mean((outline(10 ** log) - target) ** 2)))

    a, b = high - share * (high - low), low + share * (high - low)
    at_a, at_b = miss(a), miss(b)
    for _ in range(rounds):
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - share * (high - low)
            at_a = miss(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + share * (high - low)
            at_b = miss(b)
    return (low + high) / 2


def main() -> None:
    wanted = 3e-4
    found = 10 ** fit(outline(wanted))
    print(f"target {wanted:.2e} N·m, found {found:.2e} N·m")


if __name__ == "__main__":
    main()
