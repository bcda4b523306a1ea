# SPDX-License-Identifier: MIT
"""A data set of drapes: one seed a sample, in a pool of processes; then batches of it, shuffled, for training.

usage: dataset.py [N_SAMPLES] [FOLDER]"""
import multiprocessing
import pathlib
import random
import sys
from typing import Any, Iterator, Tuple

import numpy as np
import weft


def sample(task: Tuple[int, str]) -> str:
    """Of a seed, always the same to the last bit: stiffness and height at random, the drape as it comes to rest."""
    seed, folder = task
    dice = random.Random(seed)
    fabric = weft.Fabric("cotton", bending_warp=10 ** dice.uniform(-6, -4), bending_weft=10 ** dice.uniform(-6, -4))
    with weft.Sim() as sim:
        sim.add_collider("sphere", radius=0.2)
        cloth = sim.add_grid(21, 21, 0.72, 0.72, corner=(-0.36, dice.uniform(0.21, 0.3), 0.36), fabric=fabric)
        for _ in range(30):
            sim.step(1 / 60)
        path = f"{folder}/{seed:06d}.npz"
        bending = [fabric.bending_warp, fabric.bending_weft]
        np.savez(path, positions=cloth.positions(), triangles=cloth.triangles(), bending=bending, hash=sim.hash)
    return path


def batches(folder: str, size: int, seed: int) -> Iterator[Tuple[Any, Any]]:
    """Positions and bending of `size` samples at a time."""
    files = sorted(pathlib.Path(folder).glob("*.npz"))
    random.Random(seed).shuffle(files)
    for start in range(0, len(files), size):
        loaded = [np.load(f) for f in files[start:start + size]]
        yield np.stack([d["positions"] for d in loaded]), np.stack([d["bending"] for d in loaded])


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    folder = sys.argv[2] if len(sys.argv) > 2 else "drapes"
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool() as pool:
        for path in pool.imap_unordered(sample, [(seed, folder) for seed in range(n)]):
            print(path)
    for x, bending in batches(folder, 4, seed=1):
        print(f"batch {x.shape}, bending {bending.min():.1e} to {bending.max():.1e} N·m")


if __name__ == "__main__":
    main()
