// SPDX-License-Identifier: MIT
// Analytic colliders as triangles: positions, normals, indices.

// A profile (radius, height, and the normal's two parts) turned round the y axis.
function turned(profile, n = 48) {
    const x = [], normals = [], indices = [];
    for (const [r, y, nr, ny] of profile)
        for (let i = 0; i <= n; i++) {
            const a = (2 * Math.PI * i) / n;
            x.push(r * Math.sin(a), y, r * Math.cos(a));
            normals.push(nr * Math.sin(a), ny, nr * Math.cos(a));
        }
    for (let j = 0; j + 1 < profile.length; j++)
        for (let i = 0; i < n; i++) {
            const a = j * (n + 1) + i, b = a + n + 1;
            indices.push(a, a + 1, b, a + 1, b + 1, b);
        }
    return { x, normals, indices };
}

function capsuleProfile(radius, half) {
    const out = [];
    for (let i = 0; i <= 32; i++) {
        const a = (-0.5 + i / 32) * Math.PI;
        if (i === 16) out.push([radius, -half, 1, 0]);
        out.push([radius * Math.cos(a), radius * Math.sin(a) + (i < 16 ? -half : half), Math.cos(a), Math.sin(a)]);
    }
    return out;
}

function box(size) {
    const x = [], normals = [], indices = [], h = size.map((s) => s / 2);
    for (let axis = 0; axis < 3; axis++)
        for (const sign of [-1, 1]) {
            const first = x.length / 3, u = (axis + 1) % 3, v = (axis + 2) % 3;
            for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
                const p = [0, 0, 0], n = [0, 0, 0];
                p[axis] = sign * h[axis];
                p[u] = a * sign * h[u];
                p[v] = b * h[v];
                n[axis] = sign;
                x.push(...p);
                normals.push(...n);
            }
            indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
        }
    return { x, normals, indices };
}

// null: nothing to draw (a plane is the ground).
export function shapeOf(solid) {
    const { kind, radius: r, height } = solid, h = height / 2;
    if (kind === "sphere") return turned(capsuleProfile(r, 0));
    if (kind === "capsule") return turned(capsuleProfile(r, h));
    if (kind === "box") return box(solid.size);
    if (kind === "cylinder")
        return turned([[0, -h, 0, -1], [r, -h, 0, -1], [r, -h, 1, 0], [r, h, 1, 0], [r, h, 0, 1], [0, h, 0, 1]]);
    return null;
}
