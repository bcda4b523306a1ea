# SPDX-License-Identifier: MIT
"""A cotton cloth falls on a ball."""
import weft

sim = weft.Sim()
ball = sim.add_collider("sphere", radius=0.2)
cloth = sim.add_grid(41, 41, 0.72, 0.72, corner=(-0.36, 0.25, 0.36), fabric="cotton")
for frame in range(60):
    sim.step(1 / 60)
x = cloth.positions()  # an array of numpy's, metres; without numpy a memoryview
lowest = min(y for _, y, _ in x.tolist())
print(f"{len(x)} nodes, the lowest at {lowest:.3f} m, {ball.clearance(cloth):.4f} m clear of the ball")
weft.write_mesh("drape.obj", x, cloth.triangles())
