// SPDX-License-Identifier: MIT
// Unpacks the frames of a clip; tool/player/clip_pack.c describes the bytes. Work is cut into slices of a few
// milliseconds, so that the page stays alive.

const SLICE_MS = 2;
const LARGE = 4000; // nodes of a part that is read in several slices

// A task of its own, without the 4 ms that browsers make repeated timers wait.
function nextTask() {
    return new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (port1.close(), resolve());
        port2.postMessage(0);
    });
}

// Says when it is time to let the page breathe; await its pause() then.
export class Slices {
    constructor() {
        this.start = performance.now();
        this.longest = 0;
    }
    due() {
        return performance.now() - this.start > SLICE_MS;
    }
    note() {
        this.longest = Math.max(this.longest, performance.now() - this.start);
    }
    async pause() {
        this.note();
        await nextTask();
        this.start = performance.now();
    }
}

export function bytesOfBase64(text) {
    const raw = atob(text), out = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
    return out;
}

export async function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

const unfold = (v) => (v >>> 1) ^ -(v & 1);

// Of pressures as a byte (tool/player/params.h).
export const PASCALS = Float32Array.from({ length: 256 }, (_, k) => (k ? 0.05 * 1.15 ** (k - 1) : 0));

// Packets of a stream (tool/player/clip_stream.c), each whole, as they come.
export async function* packetsOf(reader) {
    let have = new Uint8Array(0);
    for (;;) {
        const n = have.length >= 4 ? 4 + new DataView(have.buffer, have.byteOffset, 4).getUint32(0, true) : Infinity;
        if (have.length >= n) {
            yield have.subarray(4, n);
            have = have.subarray(n);
            continue;
        }
        // Pieces are put together once, not again and again.
        const pieces = [have], wanted = Number.isFinite(n) ? n : 4;
        let got = have.length;
        while (got < wanted) {
            const { done, value } = await reader.read();
            if (done) return;
            pieces.push(value);
            got += value.length;
        }
        have = new Uint8Array(got);
        let at = 0;
        for (const piece of pieces) have.set(piece, at), (at += piece.length);
    }
}

// Reads records one after the other into frames: [{points: [per part], lines, blame: [per part], forms: [per part],
// pressed: [per part]}]. Pressures are Float32Array, or Uint8Array of numbers that PASCALS knows.
export class Decoder {
    constructor(nParts) {
        this.past = Array.from({ length: nParts }, () => ({ form: null, x1: null, x2: null, pressed: null }));
        this.frames = [];
        this.nParts = nParts;
        this.scratch = new Uint32Array(1 << 16);
        this.told = () => {}; // what a stream says beside points
    }

    // A copy of the next n bytes.
    take(n) {
        const out = this.bytes.slice(this.at, this.at + n);
        this.at += n;
        return out;
    }

    frame(i) {
        while (this.frames.length <= i)
            this.frames.push({ points: new Array(this.nParts).fill(null), forms: new Array(this.nParts).fill(null),
                               lines: null, blame: new Array(this.nParts).fill(null),
                               pressed: new Array(this.nParts).fill(null) });
        return this.frames[i];
    }

    // Good until the next call: new arrays would have the collector of garbage hold up the page.
    column(n) {
        if (this.scratch.length < n) this.scratch = new Uint32Array(2 * n);
        const planes = this.bytes[this.at++], out = this.scratch.subarray(0, n).fill(0), b = this.bytes;
        for (let k = 0; k < planes; k++) {
            const at = this.at, shift = 8 * k;
            for (let i = 0; i < n; i++) out[i] |= b[at + i] << shift;
            this.at += n;
        }
        return out;
    }

    u32() {
        const v = this.view.getUint32(this.at, true);
        this.at += 4;
        return v;
    }

    f32() {
        const v = this.view.getFloat32(this.at, true);
        this.at += 4;
        return v;
    }

    // A chunk, unpacked. Calls ready(frame) for each frame that has got its points.
    async read(bytes, slices) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.at = 0;
        while (this.at < bytes.length) {
            const kind = bytes[this.at], flags = bytes[this.at + 2];
            const part = bytes[this.at + 1] | (bytes[this.at + 3] << 8);
            this.at += 4;
            if (kind === 1) await this.readMesh(part, flags, slices);
            else if (kind === 2) await this.readPoints(part, flags, slices);
            else if (kind === 3) this.readLines();
            else if (kind === 4) this.readBlame(part);
            else if (kind === 5) this.readExact(part);
            else if (kind === 6) this.readWholeMesh(part, flags);
            else if (kind === 8) this.readPressures(part);
            else if (kind === 9) this.readExactPressures(part);
            else if (kind === 7) this.told(JSON.parse(new TextDecoder().decode(this.take(this.u32()))));
            else throw new Error("the frames are damaged");
            if (slices.due()) await slices.pause();
        }
    }

    async readMesh(part, flags, slices) {
        const nNodes = this.u32(), n = this.u32(), restStep = this.f32(), uvStep = this.f32(), past = this.past[part];
        const form = { nNodes, nTriangles: n, triangles: new Uint32Array(3 * n), marks: null, rest: null, uv: null };
        const c = this.column(3 * n), t = form.triangles;
        if (slices.due()) await slices.pause();
        for (let i = 0, a = 0; i < n; i++) {
            a += unfold(c[i]);
            t[3 * i] = a;
            t[3 * i + 1] = a + unfold(c[n + i]);
            t[3 * i + 2] = a + unfold(c[2 * n + i]);
        }
        if (slices.due()) await slices.pause();
        form.marks = new Uint8Array(this.column(n));
        if (slices.due()) await slices.pause();
        if (flags & 1) form.rest = this.readRest(3 * n, restStep);
        if (slices.due()) await slices.pause();
        if (flags & 2) form.uv = this.readUv(nNodes, uvStep);
        if (slices.due()) await slices.pause();
        if (flags & 4) this.carryOver(past, nNodes);
        else past.x1 = past.x2 = past.pressed = null;
        past.form = form;
    }

    readRest(n, step) {
        const c = this.column(n), out = new Float32Array(n);
        for (let i = 0; i < n; i++) out[i] = c[i] * step;
        return out;
    }

    readUv(n, step) {
        const uv = new Float32Array(2 * n);
        for (let k = 0; k < 2; k++) {
            const c = this.column(n);
            for (let i = 0, v = 0; i < n; i++) uv[2 * i + k] = (v += unfold(c[i])) * step;
        }
        return uv;
    }

    // The past of a part, on its new mesh.
    carryOver(past, n) {
        const c = this.column(n), x1 = new Uint16Array(3 * n), x2 = past.x2 ? new Uint16Array(3 * n) : null;
        const pressed = past.pressed ? new Uint8Array(n) : null;
        for (let i = 0, m = -1; i < n; i++) {
            m += unfold(c[i]) + 1;
            for (let k = 0; k < 3; k++) {
                x1[3 * i + k] = past.x1[3 * m + k];
                if (x2) x2[3 * i + k] = past.x2[3 * m + k];
            }
            if (pressed) pressed[i] = past.pressed[m];
        }
        past.pressed = pressed;
        past.x1 = x1;
        past.x2 = x2;
    }

    async readPoints(part, mode, slices) {
        const past = this.past[part], n = past.form.nNodes, frame = this.frame(this.u32());
        let x = past.x1;
        if (mode !== 4) {
            x = new Uint16Array(3 * n);
            for (let k = 0; k < 3; k++) {
                const c = this.column(n);
                if (n > LARGE && slices.due()) await slices.pause();
                this.addUp(x, c, k, mode, past);
                if (n > LARGE && slices.due()) await slices.pause();
            }
        }
        frame.points[part] = x;
        frame.forms[part] = past.form;
        past.x2 = past.x1;
        past.x1 = x;
    }

    addUp(x, c, k, mode, past) {
        const n = c.length, order = mode & 3, chained = mode & 8 ? 1 : 0, { x1, x2 } = past;
        let v = 0;
        for (let i = 0, at = k; i < n; i++, at += 3) {
            v = unfold(c[i]) + (chained ? v : 0);
            const guess = order === 0 ? 0 : order === 1 ? x1[at] : 2 * x1[at] - x2[at];
            x[at] = guess + v;
        }
    }

    readLines() {
        const frame = this.frame(this.u32()), nLines = this.u32(), nPoints = this.u32();
        const ends = [], contours = [], points = new Float32Array(3 * nPoints);
        for (let i = 0; i < nLines; i++) ends.push(this.u32() | 0);
        for (let i = 0; i < nLines; i++) contours.push(this.u32() | 0);
        for (let i = 0; i < 3 * nPoints; i++) points[i] = this.f32();
        frame.lines = { ends, contours, points };
    }

    readBlame(part) {
        const frame = this.frame(this.u32()), n = this.u32();
        frame.blame[part] = this.take(n);
    }

    readPressures(part) {
        const past = this.past[part], frame = this.frame(this.u32()), n = past.form.nNodes, c = this.column(n);
        const out = past.pressed ? past.pressed.slice() : new Uint8Array(n);
        for (let i = 0; i < n; i++) out[i] += unfold(c[i]);
        frame.pressed[part] = past.pressed = out;
    }

    readExactPressures(part) {
        const frame = this.frame(this.u32()), n = this.u32();
        frame.pressed[part] = new Float32Array(this.take(4 * n).buffer);
    }

    readExact(part) {
        const frame = this.frame(this.u32()), n = this.u32();
        frame.points[part] = new Float64Array(this.take(24 * n).buffer);
        frame.forms[part] = this.past[part].form;
    }

    readWholeMesh(part, flags) {
        const nNodes = this.u32(), n = this.u32();
        this.past[part].form = {
            nNodes, nTriangles: n, triangles: new Uint32Array(this.take(12 * n).buffer), marks: this.take(n),
            rest: flags & 1 ? new Float32Array(this.take(12 * n).buffer) : null,
            uv: flags & 2 ? new Float32Array(this.take(8 * nNodes).buffer) : null };
    }
}
