// SPDX-License-Identifier: MIT
// What can be shown on cloth as colours: numbers per node or per triangle, with unit, range and a scale.

import { PASCALS } from "./codec.js";

// Positions in metres of a part in a frame.
export function metres(points, head) {
    if (!(points instanceof Uint16Array)) return points;
    const out = new Float32Array(points.length), { origin, step } = head;
    for (let i = 0; i < out.length; i += 3) {
        out[i] = origin[0] + step * points[i];
        out[i + 1] = origin[1] + step * points[i + 1];
        out[i + 2] = origin[2] + step * points[i + 2];
    }
    return out;
}

export function normalsOf(x, form, out = new Float32Array(x.length)) {
    const t = form.triangles;
    out.fill(0);
    for (let i = 0; i < t.length; i += 3) {
        const a = 3 * t[i], b = 3 * t[i + 1], c = 3 * t[i + 2];
        const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
        const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        out[a] += nx, out[a + 1] += ny, out[a + 2] += nz;
        out[b] += nx, out[b + 1] += ny, out[b + 2] += nz;
        out[c] += nx, out[c + 1] += ny, out[c + 2] += nz;
    }
    return out;
}

function sideStretch(x, form) {
    const out = new Float32Array(form.nNodes).fill(NaN), { triangles: t, rest } = form;
    for (let i = 0; i < t.length; i++) {
        if (!(rest[i] > 0)) continue;
        const a = t[i], b = t[i % 3 === 2 ? i - 2 : i + 1];
        const l = Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]);
        const s = 100 * (l / rest[i] - 1);
        if (!(out[a] >= s)) out[a] = s;
        if (!(out[b] >= s)) out[b] = s;
    }
    return out;
}

// which: 0 stretch along warp, 1 along weft (%), 2 shear (degrees). By triangles, weighed by their area.
function strain(x, form, which) {
    const sum = new Float32Array(form.nNodes), weight = new Float32Array(form.nNodes), { triangles: t, uv } = form;
    for (let i = 0; i < t.length; i += 3) {
        const [a, b, c] = [t[i], t[i + 1], t[i + 2]];
        const u1 = uv[2 * b] - uv[2 * a], v1 = uv[2 * b + 1] - uv[2 * a + 1];
        const u2 = uv[2 * c] - uv[2 * a], v2 = uv[2 * c + 1] - uv[2 * a + 1];
        const det = u1 * v2 - u2 * v1;
        if (Math.abs(det) < 1e-12) continue;
        let uu = 0, vv = 0, uw = 0;
        for (let k = 0; k < 3; k++) {
            const p = x[3 * b + k] - x[3 * a + k], q = x[3 * c + k] - x[3 * a + k];
            const du = (p * v2 - q * v1) / det, dv = (q * u1 - p * u2) / det;
            uu += du * du, vv += dv * dv, uw += du * dv;
        }
        const lu = Math.sqrt(uu), lv = Math.sqrt(vv), w = Math.abs(det);
        const value = which === 0 ? 100 * (lu - 1) : which === 1 ? 100 * (lv - 1)
            : (180 / Math.PI) * Math.asin(Math.max(-1, Math.min(1, uw / (lu * lv || 1))));
        for (const n of [a, b, c]) sum[n] += w * value, weight[n] += w;
    }
    return sum.map((s, i) => s / weight[i]);
}

function speed(clip, frame, part) {
    const now = clip.frames[frame], i = frame > 0 ? frame - 1 : frame + 1, other = clip.frames[i];
    const n = now.forms[part].nNodes, out = new Float32Array(n).fill(NaN);
    if (!other || other.forms[part] !== now.forms[part]) return out;
    const a = clip.metres(frame, part), b = clip.metres(i, part);
    const dt = Math.abs(clip.head.frames[frame][1] - clip.head.frames[i][1]) || 1 / clip.head.fps;
    for (let k = 0; k < n; k++)
        out[k] = Math.hypot(a[3 * k] - b[3 * k], a[3 * k + 1] - b[3 * k + 1], a[3 * k + 2] - b[3 * k + 2]) / dt;
    return out;
}

// From where it is in the first frame, mm.
function moved(clip, frame, part) {
    const a = clip.metres(frame, part), b = clip.metres(0, part), out = new Float32Array(a.length / 3).fill(NaN);
    if (clip.frames[0].forms[part] === clip.frames[frame].forms[part])
        for (let i = 0; i < out.length; i++)
            out[i] = 1e3 * Math.hypot(a[3 * i] - b[3 * i], a[3 * i + 1] - b[3 * i + 1], a[3 * i + 2] - b[3 * i + 2]);
    return out;
}

// What contacts press on nodes, or on one of them, Pa.
function pressure(clip, frame, part, only = -1) {
    const all = clip.frames[frame].pressed[part], n = clip.frames[frame].forms[part].nNodes;
    if (!all) return new Float32Array(only < 0 ? n : 1).fill(NaN);
    const some = only < 0 ? all : all.subarray(only, only + 1);
    return some instanceof Uint8Array ? Float32Array.from(some, (k) => PASCALS[k]) : some;
}

// Distance of a point from an analytic collider with this pose, m.
function solidDistance(solid, pose, p) {
    const d = [p[0] - pose[0], p[1] - pose[1], p[2] - pose[2]];
    const q = [0, 1, 2].map((k) => pose[3 + k] * d[0] + pose[6 + k] * d[1] + pose[9 + k] * d[2]);
    const h = solid.height / 2, r = solid.radius;
    if (solid.kind === "plane") return q[1];
    if (solid.kind === "sphere") return Math.hypot(...q) - r;
    if (solid.kind === "capsule") return Math.hypot(q[0], q[1] - Math.max(-h, Math.min(h, q[1])), q[2]) - r;
    const e = solid.kind === "box" ? q.map((v, k) => Math.abs(v) - solid.size[k] / 2)
        : [Math.hypot(q[0], q[2]) - r, Math.abs(q[1]) - h, -Infinity];
    const outside = Math.hypot(...e.map((v) => Math.max(v, 0)));
    return outside > 0 ? outside : Math.max(...e);
}

// Squared distance of p from a triangle (Ericson, Real-Time Collision Detection, 5.1.5).
function triangleDistance(p, x, a, b, c) {
    const v = (i, j) => [x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]];
    const dt = (s, t) => s[0] * t[0] + s[1] * t[1] + s[2] * t[2];
    const ab = v(a, b), ac = v(a, c), ap = [p[0] - x[3 * a], p[1] - x[3 * a + 1], p[2] - x[3 * a + 2]];
    const d1 = dt(ab, ap), d2 = dt(ac, ap), bb = dt(ab, ab), bc = dt(ab, ac), cc = dt(ac, ac), pp = dt(ap, ap);
    const det = bb * cc - bc * bc;
    const s = (cc * d1 - bc * d2) / det, t = (bb * d2 - bc * d1) / det;
    const far = (u, w) => pp + u * u * bb + w * w * cc + 2 * u * w * bc - 2 * u * d1 - 2 * w * d2;
    if (s >= 0 && t >= 0 && s + t <= 1) return Math.max(0, far(s, t));
    const clamp = (u) => Math.max(0, Math.min(1, u || 0));
    const m = clamp((cc - bc - d2 + d1) / (bb - 2 * bc + cc));
    return Math.max(0, Math.min(far(clamp(d1 / bb), 0), far(0, clamp(d2 / cc)), far(m, 1 - m)));
}

const REACH = 0.05; // m: farther away is all the same

// Cells of a grid with the triangles of a mesh that are within reach of them.
function triangleGrid(x, t) {
    const cells = new Map();
    for (let i = 0; i < t.length; i += 3) {
        const lo = [0, 0, 0], hi = [0, 0, 0];
        for (let k = 0; k < 3; k++) {
            const p = x[3 * t[i] + k], q = x[3 * t[i + 1] + k], r = x[3 * t[i + 2] + k];
            lo[k] = Math.floor((Math.min(p, q, r) - REACH) / REACH);
            hi[k] = Math.floor((Math.max(p, q, r) + REACH) / REACH);
        }
        for (let a = lo[0]; a <= hi[0]; a++)
            for (let b = lo[1]; b <= hi[1]; b++)
                for (let c = lo[2]; c <= hi[2]; c++) {
                    const key = (a * 4099 + b) * 4099 + c;
                    if (cells.has(key)) cells.get(key).push(i);
                    else cells.set(key, [i]);
                }
    }
    return cells;
}

// Of one point, without a grid: whether a triangle's box is near enough is quickly seen.
function meshDistance(p, x, t, far) {
    let least = far * far, reach = far;
    for (let i = 0; i < t.length; i += 3) {
        let near = true;
        for (let k = 0; near && k < 3; k++) {
            const a = x[3 * t[i] + k] - p[k], b = x[3 * t[i + 1] + k] - p[k], c = x[3 * t[i + 2] + k] - p[k];
            near = !((a > reach && b > reach && c > reach) || (a < -reach && b < -reach && c < -reach));
        }
        if (!near) continue;
        least = Math.min(least, triangleDistance(p, x, t[i], t[i + 1], t[i + 2]));
        reach = Math.sqrt(least);
    }
    return reach;
}

function meshDistances(x, bx, bt, out) {
    if (out.length === 1) return void (out[0] = 1e3 * meshDistance(x, bx, bt, out[0] / 1e3));
    const cells = triangleGrid(bx, bt), cell = (v) => Math.floor(v / REACH);
    for (let i = 0; i < out.length; i++) {
        const p = [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
        let least = (out[i] / 1e3) ** 2;
        for (const j of cells.get((cell(p[0]) * 4099 + cell(p[1])) * 4099 + cell(p[2])) || [])
            least = Math.min(least, triangleDistance(p, bx, bt[j], bt[j + 1], bt[j + 2]));
        out[i] = 1e3 * Math.sqrt(least);
    }
}

// From the nearest collider, mm; nodes of one part, or one node of it.
function distance(clip, frame, part, only = -1) {
    const all = clip.metres(frame, part), x = only < 0 ? all : all.subarray(3 * only, 3 * only + 3);
    const out = new Float32Array(x.length / 3).fill(1e3 * REACH), { solids, parts } = clip.head;
    parts.forEach((p, k) => {
        if (p.collider && clip.frames[frame].forms[k])
            meshDistances(x, clip.metres(frame, k), clip.frames[frame].forms[k].triangles, out);
    });
    for (const s of solids) {
        const pose = s.poses[Math.min(frame, s.poses.length - 1)];
        for (let i = 0; i < out.length; i++)
            out[i] = Math.min(out[i], 1e3 * solidDistance(s, pose, [x[3 * i], x[3 * i + 1], x[3 * i + 2]]));
    }
    return out;
}

// Frames share forms: each is looked at once.
const hasPart = (clip, test) => {
    const forms = new Set(clip.frames.flatMap((f) => f.forms.filter((_, p) => !clip.head.parts[p].collider)));
    return [...forms].some((form) => form && test(form));
};

// Each: id, name, unit, scale ("diverging" or "sequential"), range, where it makes sense, values(clip, frame, part),
// perTriangle. part: its scale goes up to the number that so large a part of those above 0 does not exceed, in a few
// frames; contacts have spikes.
export function fieldsOf(clip) {
    const { head } = clip, s = 100 * head.stretch, hasStates = head.states && head.states.length > 0;
    const hasUv = (c) => hasPart(c, (f) => f.uv);
    const strainField = (id, name, which, unit, most) => ({
        id, name, unit, scale: "diverging", low: -most, high: most, there: hasUv,
        values: (c, f, p) => c.frames[f].forms[p].uv && strain(c.metres(f, p), c.frames[f].forms[p], which) });
    const list = [
        { id: "sides", name: "two sides", there: () => true },
        { id: "stretch", name: "stretch, most of any side", unit: "%", scale: "diverging", low: -s, high: s,
          there: (c) => hasPart(c, (f) => f.rest),
          values: (c, f, p) => c.frames[f].forms[p].rest && sideStretch(c.metres(f, p), c.frames[f].forms[p]) },
        strainField("warp", "stretch along warp", 0, "%", s),
        strainField("weft", "stretch along weft", 1, "%", s),
        strainField("shear", "shear", 2, "°", 20),
        { id: "speed", name: "speed", unit: "m/s", scale: "sequential", low: 0, high: 0, part: 1,
          there: (c) => c.head.frames.length > 1 && !hasStates, values: speed },
        { id: "moved", name: "moved", unit: "mm", scale: "sequential", low: 0, high: 0, part: 1,
          there: (c) => c.head.frames.length > 1 && hasStates, values: (c, f, p) => moved(c, f, p) },
        { id: "distance", name: "distance to colliders", unit: "mm", scale: "sequential", low: 0, high: 1e3 * REACH,
          there: (c) => c.head.solids.length > 0 || c.head.parts.some((p) => p.collider), values: distance, one: true },
        { id: "pressure", name: "contact pressure", unit: "Pa", scale: "sequential", low: 0, high: 0, part: 0.98,
          there: (c) => c.frames.some((f) => f.pressed.some((p) => p)), values: pressure, one: true },
        { id: "level", name: "levels of the mesh", unit: "", scale: "sequential", low: 0, high: head.levels,
          there: (c) => hasPart(c, (f) => f.marks.some((m) => m >> 3)), perTriangle: true,
          values: (c, f, p) => Float32Array.from(c.frames[f].forms[p].marks, (m) => m >> 3) },
        { id: "faults", name: "intersections", unit: "", scale: "faults", low: 0, high: 3, perTriangle: true,
          there: (c) => c.frames.some((f) => f.lines || f.blame.some((b) => b)),
          values: (c, f, p) => Float32Array.from(c.frames[f].blame[p] || new Uint8Array(c.frames[f].forms[p].nTriangles)) },
    ];
    return list.filter((field) => field.there(clip));
}

// Finds the upper end of its scale.
export function scaleField(field, clip, cloths) {
    const some = [], last = clip.ready - 1, n = Math.min(12, last);
    for (let i = n ? 1 : 0; i <= n; i++)
        for (const p of cloths) {
            const at = n ? Math.floor((i * last) / n) : 0;
            if (clip.frames[at].forms[p]) for (const v of field.values(clip, at, p)) if (v > 0) some.push(v);
        }
    const sorted = Float32Array.from(some).sort();
    field.high = sorted[Math.floor(field.part * (sorted.length - 1))] || 1;
}

// The number of the pair (u, v) in a list of these that is nearest to one.
export function nearestPoint(uv, u, v) {
    let best = -1, least = Infinity;
    for (let i = 0; 2 * i < uv.length; i++) {
        const d = (uv[2 * i] - u) ** 2 + (uv[2 * i + 1] - v) ** 2;
        if (d < least) (least = d), (best = i);
    }
    return best;
}
