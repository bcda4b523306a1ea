// SPDX-License-Identifier: MIT
// The player: camera, controls, what is drawn in a frame, picking. One for each element .weft-player in a page.

import { Clip } from "./clip.js";
import { fieldsOf, nearestPoint, normalsOf, scaleField } from "./fields.js";
import { add, cross, dot, length, poseMatrix, scale, sub, unit } from "./math.js";
import { cssAt } from "./palette.js";
import { drawPlot } from "./plot.js";
import { Renderer } from "./renderer.js";
import { shapeOf } from "./shapes.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

export class Player {
    constructor(root) {
        this.root = root;
        this.q = (name) => root.querySelector(`[data-do="${name}"]`);
        this.frame = 0;
        this.time = 0;
        this.playing = false;
        this.picked = null;
        this.contour = -1;
    }

    async start() {
        this.canvas = this.root.querySelector("canvas");
        try {
            this.renderer = new Renderer(this.canvas);
        } catch (e) {
            this.root.classList.add("off");
            this.say("This browser has no WebGL2, so there is no 3D player here; the still pictures show the result.");
            return;
        }
        this.root.classList.add("on");
        const { stream, head } = this.root.dataset;
        try {
            this.setClip(stream ? await Clip.open(stream) : new Clip(JSON.parse(head)));
            if (stream) await this.readStream();
            else await this.readChunks();
        } catch (e) {
            this.say(`The frames could not be read to their end: ${e.message}`);
            throw e;
        }
        if (!this.touched && this.clip.ready) this.frameAll(); // now that all frames are known
        this.makeFields();
        this.showNotes();
        this.needsDraw = true;
        this.loaded = true;
        this.root.dispatchEvent(new CustomEvent("weft-ready"));
    }

    setClip(clip) {
        this.clip = clip;
        this.head = clip.head;
        this.cloths = this.head.parts.map((p, i) => (p.collider ? -1 : i)).filter((i) => i >= 0);
        this.makeParts();
        this.makeControls();
    }

    readChunks() {
        const chunks = [...this.root.querySelectorAll("script[type='text/plain']")].map((s) => s.textContent);
        return this.clip.load(chunks, () => this.hasMore());
    }

    async readStream() {
        try {
            await this.clip.listen(() => this.hasMore());
        } catch (e) {
            if (!this.clip.ready) throw e;
        }
        this.q("live").hidden = true;
        if (!this.clip.ended)
            this.head.notes.push("the connection was lost: these are the frames that had come; load it again for more");
    }

    // Frames have come.
    hasMore() {
        const n = this.clip.ready;
        if (!n) return;
        if (!this.begun) this.begin(), (this.begun = true);
        this.q("scrub").max = Math.max(0, n - 1);
        if (this.root.dataset.stream) this.showArrival(n);
    }

    // Of a stream: what has come so far, and the newest frame if it is wanted.
    showArrival(n) {
        const { expected, ended } = this.clip;
        this.showControls();
        if (expected && this.newest === undefined) this.setNewest(!this.touched);
        this.q("live").hidden = !expected || !!ended;
        if (expected) this.say(`the run goes on: ${n} of ${expected} frames so far`);
        if (this.newest) this.go(n - 1);
        if (n < 2 || (n & (n - 1)) === 0) { // now and then: what can be shown may have become more
            this.makeFields();
            if (!this.touched) this.frameAll();
        }
    }

    setNewest(on) {
        this.newest = on;
        this.q("live").setAttribute("aria-pressed", String(on));
        if (on) this.play(false), this.go(this.clip.ready - 1);
    }

    say(text) {
        this.root.querySelector(".weft-say").textContent = text;
    }

    showNotes() {
        const { head, clip } = this, n = clip.frames.length, notes = [...head.notes];
        if (n < head.given) notes.unshift(`${n} of ${head.given} frames, to keep this page small (--player-mb)`);
        notes.push(head.error ? `positions to ${(1e3 * head.error).toFixed(3)} mm` : "positions in full precision");
        this.say(notes.join(" · "));
    }

    begin() {
        this.frameAll();
        this.show(0);
        this.draw();
        this.renderer.gl.finish();
        this.firstDrawn = performance.now(); // since the page was asked for
        const tick = (now) => {
            this.tick(now);
            requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }

    // ---- what is drawn ------------------------------------------------------------------------------------------

    makeParts() {
        const r = this.renderer;
        this.meshes = this.head.parts.map(() => r.emptyMesh());
        this.solids = this.head.solids.map((s) => ({ solid: s, shape: shapeOf(s) })).filter((s) => s.shape);
        for (const s of this.solids) s.mesh = r.makeMesh(s.shape);
        this.lineMesh = r.emptyMesh();
        this.pickMesh = r.emptyMesh();
    }

    lineIndices(form) {
        if (!form.lines) {
            const out = [], t = form.triangles;
            for (let i = 0; i < t.length; i++) {
                const a = t[i], b = t[i % 3 === 2 ? i - 2 : i + 1];
                // Inner sides are in two triangles: drawn from the one that has them upwards, or the only one.
                if ((form.marks[(i / 3) | 0] >> i % 3) & 1) out.push(a, b);
            }
            form.lines = new Uint32Array(out);
        }
        return form.lines;
    }

    fillPart(part, field) {
        const f = this.clip.frames[this.frame], form = f.forms[part];
        if (!form) return;
        const x = this.clip.metres(this.frame, part), normals = normalsOf(x, form), wire = this.wire;
        const values = field && field.values ? field.values(this.clip, this.frame, part) : null;
        const lines = wire ? { indices: this.lineIndices(form) } : null;
        let points = f.points[part];
        if (points instanceof Float64Array) points = Float32Array.from(points);
        if (values && field.perTriangle) return this.fillApart(part, form, points, normals, values, lines);
        this.renderer.fill(this.meshes[part], { points, normals, values, indices: form.triangles, lines });
    }

    // Each triangle with corners of its own, for colours of triangles.
    fillApart(part, form, points, normals, values, lines) {
        const t = form.triangles, n = t.length, p = new points.constructor(3 * n), m = new Float32Array(3 * n);
        const v = new Float32Array(n);
        for (let i = 0; i < n; i++) {
            for (let k = 0; k < 3; k++) p[3 * i + k] = points[3 * t[i] + k], m[3 * i + k] = normals[3 * t[i] + k];
            v[i] = values[(i / 3) | 0];
        }
        if (lines) lines.points = points;
        this.renderer.fill(this.meshes[part], { points: p, normals: m, values: v, lines });
    }

    show(frame) {
        this.frame = Math.max(0, Math.min(frame, this.clip.ready - 1));
        const field = this.fields ? this.fields[this.q("color").selectedIndex] : null;
        this.field = field && field.values ? field : null;
        this.head.parts.forEach((p, i) => this.fillPart(i, p.collider ? null : this.field));
        this.fillFaults();
        const [number, time] = this.head.frames[this.frame];
        this.q("scrub").value = this.frame;
        const state = this.head.states && this.head.states[number];
        this.q("scrub").setAttribute("aria-valuetext", state || `frame ${number}, ${time.toFixed(2)} seconds`);
        this.q("clock").textContent = state || `${number}  ${time.toFixed(2)} s`;
        if (this.picked) this.tellPicked();
        this.needsDraw = true;
    }

    fillFaults() {
        const l = this.clip.frames[this.frame].lines, indices = [];
        this.nContours = l ? Math.max(-1, ...l.contours) + 1 : 0;
        this.q("contour").hidden = this.nContours === 0;
        if (!l) return (this.lineMesh.nLines = 0);
        let begin = 0;
        l.ends.forEach((end, i) => {
            const stop = Math.abs(end);
            if (this.contour < 0 || l.contours[i] === this.contour) {
                for (let k = begin; k + 1 < stop; k++) indices.push(k, k + 1);
                if (end < 0 && stop - begin > 2) indices.push(stop - 1, begin);
            }
            begin = stop;
        });
        this.renderer.fill(this.lineMesh, { points: l.points, lines: { indices: new Uint32Array(indices) } });
    }

    items() {
        const dark = isDark(), wire = this.wire ? [dark ? 0.05 : 0, 0, 0, 0.38] : null, out = [];
        this.head.parts.forEach((p, i) => {
            if (!this.clip.frames[this.frame].forms[i] || (p.collider && this.bodyHidden)) return;
            out.push({ mesh: this.meshes[i], front: p.front, back: p.back, isSolid: p.collider,
                       field: p.collider ? null : this.field, wire: p.collider ? null : wire, nearer: 2e-4 });
        });
        for (const s of this.bodyHidden ? [] : this.solids) {
            const pose = s.solid.poses[Math.min(this.frame, s.solid.poses.length - 1)];
            out.push({ mesh: s.mesh, matrix: poseMatrix(pose), front: s.solid.front, isSolid: true });
        }
        if (this.lineMesh.nLines) {
            this.lineMesh.n = 0;
            out.push({ mesh: this.lineMesh, front: [0, 0, 0], wire: [0.95, 0, 0.55, 1], onTop: true });
        }
        if (this.picked) {
            this.pickMesh.n = 0;
            out.push({ mesh: this.pickMesh, front: [0, 0, 0], wire: [1, 0.85, 0, 1], onTop: true, points: true });
        }
        return out;
    }

    draw() {
        const { canvas } = this, ratio = window.devicePixelRatio || 1;
        const w = Math.max(1, Math.round(canvas.clientWidth * ratio)), h = Math.max(1, Math.round(canvas.clientHeight * ratio));
        if (canvas.width !== w || canvas.height !== h) canvas.width = w, canvas.height = h;
        const dark = isDark(), ground = this.head.ground;
        this.renderer.draw({ eye: this.eye(), target: this.target, angle: this.angle, head: this.head,
                             paper: dark ? [0.085, 0.09, 0.095] : [0.955, 0.955, 0.945],
                             floor: dark ? [0.15, 0.157, 0.165] : [0.88, 0.885, 0.88],
                             ground, extent: 2.2 * this.radius, centre: this.middle }, this.items());
        this.drawLegend();
    }

    drawLegend() {
        const box = this.root.querySelector(".weft-legend"), f = this.field;
        box.hidden = !f;
        const key = f && f.id + f.low + f.high;
        if (!f || box.dataset.key === key) return;
        box.dataset.key = key;
        const stops = [];
        if (f.scale === "faults")
            for (let i = 0; i < 4; i++) stops.push(`${cssAt(f.scale, i / 3)} ${25 * i}% ${25 * (i + 1)}%`);
        else for (let i = 0; i <= 10; i++) stops.push(cssAt(f.scale, i / 10) + ` ${10 * i}%`);
        const mid = (f.low + f.high) / 2, text = (v) => (Math.abs(v) < 1e-9 ? "0" : String(+v.toPrecision(3)));
        box.querySelector("b").textContent = f.name + (f.unit ? `, ${f.unit}` : "");
        box.querySelector("i").style.background = `linear-gradient(90deg, ${stops.join(",")})`;
        const ends = f.scale === "faults" ? ["none", "intersects", "too near", "no room"] : [f.low, mid, f.high].map(text);
        box.querySelector("div").replaceChildren(...ends.map((end) => {
            const span = document.createElement("span");
            span.textContent = end;
            return span;
        }));
    }

    // ---- camera -------------------------------------------------------------------------------------------------

    // All cloth of the frames that are there; of cloth that goes far, the frame's own.
    frameAll() {
        let low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        const parts = this.cloths.length ? this.cloths : this.head.parts.map((_, i) => i);
        const n = this.clip.frames.length, every = Math.max(1, Math.floor(n / 20));
        let first = null, way = 0, size = 0; // of the cloth's middle; of the largest frame
        for (let i = 0; i < n; i += every) {
            const b = this.clip.box(i, parts), mid = b.low.map((v, k) => (v + b.high[k]) / 2);
            first = first || mid;
            way = Math.max(way, length(sub(mid, first)));
            size = Math.max(size, length(sub(b.high, b.low)));
            low = low.map((v, k) => Math.min(v, b.low[k]));
            high = high.map((v, k) => Math.max(v, b.high[k]));
        }
        if (way > size) { // it goes away: seen as large as it is, and followed
            ({ low, high } = this.clip.box(this.frame, parts));
            this.setFollow(true);
        }
        const body = this.clip.box(this.frame, this.head.parts.map((p, i) => (p.collider ? i : -1)).filter((i) => i >= 0));
        if (body.low[1] < low[1] && body.high[1] - body.low[1] < 4 * (high[1] - low[1])) low[1] = body.low[1];
        if (body.high[1] > high[1] && body.high[1] - body.low[1] < 4 * (high[1] - low[1])) high[1] = body.high[1];
        this.middle = low.map((v, k) => (v + high[k]) / 2);
        this.radius = Math.max(1e-3, length(sub(high, low)) / 2);
        this.target = [...this.middle];
        this.angle = (32 * Math.PI) / 180;
        this.yaw = 0.46;
        this.pitch = 0.38;
        const aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
        this.far = this.farFor(low, high, aspect);
        this.needsDraw = true;
    }

    // The distance from which all corners of a box round the target are seen.
    farFor(low, high, aspect) {
        const z = this.direction(), x = unit(cross([0, 1, 0], z)), y = cross(z, x), tan = Math.tan(this.angle / 2);
        let far = 0.1 * this.radius;
        for (let i = 0; i < 8; i++) {
            const d = sub([0, 1, 2].map((k) => (((i >> k) & 1) ? high : low)[k]), this.target);
            far = Math.max(far, dot(d, z) + Math.max(Math.abs(dot(d, x)) / (tan * aspect), Math.abs(dot(d, y)) / tan));
        }
        return 1.06 * far;
    }

    direction() {
        const c = Math.cos(this.pitch);
        return [Math.sin(this.yaw) * c, Math.sin(this.pitch), Math.cos(this.yaw) * c];
    }

    eye() {
        return add(this.target, scale(this.direction(), this.far));
    }

    orbit(dx, dy) {
        this.yaw -= dx * 0.008;
        this.pitch = Math.max(-1.55, Math.min(1.55, this.pitch + dy * 0.008));
        this.needsDraw = true;
    }

    pan(dx, dy) {
        const z = this.direction(), x = unit(cross([0, 1, 0], z)), y = cross(z, x);
        const s = (2 * this.far * Math.tan(this.angle / 2)) / this.canvas.clientHeight;
        this.target = add(this.target, add(scale(x, -dx * s), scale(y, dy * s)));
        this.needsDraw = true;
    }

    zoom(factor) {
        this.far = Math.max(0.02 * this.radius, Math.min(40 * this.radius, this.far * factor));
        this.needsDraw = true;
    }

    setFollow(on) {
        this.q("follow").checked = this.following = on;
        this.followed = null;
        this.follow();
    }

    follow() {
        const b = this.clip.box(this.frame, this.cloths), mid = b.low.map((v, k) => (v + b.high[k]) / 2);
        if (this.followed) this.target = add(this.target, sub(mid, this.followed));
        this.followed = mid;
    }

    // ---- time ---------------------------------------------------------------------------------------------------

    tick(now) {
        const dt = Math.min(0.1, (now - (this.last || now)) / 1e3);
        this.last = now;
        if (this.playing) this.advance(dt);
        if (this.turning) this.yaw += dt * 0.6, (this.needsDraw = true);
        const ratio = window.devicePixelRatio || 1;
        if (Math.round(this.canvas.clientWidth * ratio) !== this.canvas.width) this.needsDraw = true;
        if (this.needsDraw) this.needsDraw = false, this.draw();
    }

    advance(dt) {
        const t = this.head.frames, last = this.clip.ready - 1;
        this.time += dt * this.speed;
        if (this.time > t[last][1]) {
            if (this.clip.expected && !this.clip.ended) return (this.time = t[last][1]), this.go(last, true);
            if (!this.q("loop").checked && last === t.length - 1) this.play(false), (this.time = t[last][1]);
            else this.time = t[0][1];
        }
        let i = this.frame;
        if (t[i][1] > this.time) i = 0;
        while (i < last && t[i + 1][1] <= this.time + 1e-9) i++;
        if (i !== this.frame) this.go(i, true);
    }

    go(frame, keepTime) {
        this.show(frame);
        if (!keepTime) this.time = this.head.frames[this.frame][1];
        if (this.following) this.follow();
    }

    goStill(frame) {
        if (this.newest) this.setNewest(false);
        this.play(false);
        this.go(frame);
    }

    play(on) {
        if (on && this.newest) this.setNewest(false);
        if (on && this.frame === this.clip.ready - 1) this.go(0);
        this.playing = on;
        this.q("play").textContent = on ? "❚❚" : "▶";
        this.q("play").setAttribute("aria-label", on ? "Pause" : "Play");
    }

    // ---- controls -----------------------------------------------------------------------------------------------

    makeControls() {
        const on = (name, event, act) => this.q(name).addEventListener(event, act);
        this.speed = 1;
        this.q("speed").append(...SPEEDS.map((s) => new Option(`${s} ×`, s, s === 1, s === 1)));
        on("play", "click", () => this.play(!this.playing));
        on("back", "click", () => this.goStill(this.frame - 1));
        on("step", "click", () => this.goStill(this.frame + 1));
        on("scrub", "input", (e) => this.goStill(+e.target.value));
        on("live", "click", () => this.setNewest(!this.newest));
        on("speed", "change", (e) => (this.speed = +e.target.value));
        on("color", "change", () => this.changeField());
        on("wire", "change", (e) => ((this.wire = e.target.checked), this.show(this.frame)));
        on("body", "change", (e) => ((this.bodyHidden = !e.target.checked), (this.needsDraw = true)));
        on("turn", "change", (e) => (this.turning = e.target.checked));
        on("follow", "change", (e) => this.setFollow(e.target.checked));
        on("reset", "click", () => this.frameAll());
        on("png", "click", () => this.savePng());
        on("contour", "click", () => this.nextContour());
        on("unpick", "click", () => this.unpick());
        this.listen();
        this.showControls();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (this.needsDraw = true));
    }

    showControls() {
        const still = this.head.frames.length < 2;
        for (const name of ["play", "back", "step", "scrub", "speed", "follow", "loop", "clock"])
            (this.q(name).closest("label") || this.q(name)).hidden = still;
        this.q("body").closest("label").hidden = !this.head.solids.length && !this.head.parts.some((p) => p.collider);
    }

    makeFields() {
        const chosen = this.field && this.field.id;
        this.fields = fieldsOf(this.clip);
        this.q("color").replaceChildren(...this.fields.map((f) => new Option(f.name, f.id)));
        const find = (id) => this.fields.findIndex((f) => f.id === id), still = this.head.frames.length === 1;
        const wanted = Math.max(find(chosen), still && !chosen ? find("faults") : -1);
        if (wanted >= 0) this.q("color").selectedIndex = wanted, this.changeField();
    }

    changeField() {
        const f = this.fields[this.q("color").selectedIndex];
        if (f.part && !f.high) scaleField(f, this.clip, this.cloths);
        this.show(this.frame);
        if (this.picked) this.plotPicked();
    }

    listen() {
        const c = this.canvas, fingers = new Map();
        let moved = 0, spread = 0;
        c.addEventListener("pointerdown", (e) => {
            this.touched = true;
            c.setPointerCapture(e.pointerId);
            fingers.set(e.pointerId, [e.clientX, e.clientY]);
            moved = spread = 0;
        });
        c.addEventListener("pointermove", (e) => {
            const old = fingers.get(e.pointerId);
            if (!old) return;
            const dx = e.clientX - old[0], dy = e.clientY - old[1];
            moved += Math.abs(dx) + Math.abs(dy);
            fingers.set(e.pointerId, [e.clientX, e.clientY]);
            if (fingers.size === 2) {
                const [a, b] = [...fingers.values()], d = Math.hypot(a[0] - b[0], a[1] - b[1]);
                if (spread) this.zoom(spread / d);
                spread = d;
                this.pan(dx / 2, dy / 2);
            } else if (e.buttons & 2 || e.shiftKey) this.pan(dx, dy);
            else this.orbit(dx, dy);
        });
        const up = (e) => {
            if (fingers.size === 1 && moved < 5 && e.type === "pointerup") this.pick(e);
            fingers.delete(e.pointerId);
            spread = 0;
        };
        c.addEventListener("pointerup", up);
        c.addEventListener("pointercancel", up);
        c.addEventListener("contextmenu", (e) => e.preventDefault());
        c.addEventListener("wheel", (e) => (e.preventDefault(), this.zoom(Math.exp(e.deltaY * 0.0012))), { passive: false });
        c.addEventListener("dblclick", () => this.frameAll());
        c.addEventListener("keydown", (e) => this.key(e));
    }

    key(e) {
        const acts = { " ": () => this.play(!this.playing), ",": () => this.goStill(this.frame - 1),
                       ".": () => this.goStill(this.frame + 1), Home: () => this.goStill(0),
                       End: () => this.goStill(this.clip.ready - 1),
                       ArrowLeft: () => this.orbit(-12, 0), ArrowRight: () => this.orbit(12, 0),
                       ArrowUp: () => this.orbit(0, 12), ArrowDown: () => this.orbit(0, -12),
                       "+": () => this.zoom(0.9), "-": () => this.zoom(1.1), r: () => this.frameAll(),
                       w: () => this.q("wire").click(), t: () => this.q("turn").click(), f: () => this.q("follow").click(),
                       s: () => this.savePng(), n: () => this.nextContour(), Escape: () => this.unpick(),
                       c: () => this.nextColor() };
        if (!acts[e.key] || e.ctrlKey || e.altKey || e.metaKey) return;
        e.preventDefault();
        acts[e.key]();
    }

    nextColor() {
        const c = this.q("color");
        c.selectedIndex = (c.selectedIndex + 1) % c.options.length;
        this.changeField();
    }

    nextContour() {
        if (!this.nContours) return;
        this.contour = this.contour + 1 < this.nContours ? this.contour + 1 : -1;
        this.fillFaults();
        const l = this.clip.frames[this.frame].lines, mine = [];
        let begin = 0;
        l.ends.forEach((end, i) => {
            if (l.contours[i] === this.contour) for (let k = begin; k < Math.abs(end); k++) mine.push(k);
            begin = Math.abs(end);
        });
        if (mine.length) {
            this.target = [0, 1, 2].map((k) => mine.reduce((s, i) => s + l.points[3 * i + k], 0) / mine.length);
            const size = Math.max(...mine.map((i) => length(sub([...l.points.subarray(3 * i, 3 * i + 3)], this.target))));
            this.far = Math.min(Math.max(6 * size, 0.15 * this.radius), 4 * this.radius);
        } else this.frameAll();
        this.q("contour").textContent = this.contour < 0 ? `${this.nContours} contours` : `contour ${this.contour + 1} of ${this.nContours}`;
        this.needsDraw = true;
    }

    savePng() {
        this.draw();
        const link = document.createElement("a");
        link.download = `${this.head.title || "weft"}_${String(this.head.frames[this.frame][0]).padStart(4, "0")}.png`;
        link.href = this.canvas.toDataURL("image/png");
        link.click();
    }

    // ---- picking ------------------------------------------------------------------------------------------------

    pick(e) {
        const box = this.canvas.getBoundingClientRect(), tan = Math.tan(this.angle / 2), aspect = box.width / box.height;
        const sx = (2 * (e.clientX - box.left)) / box.width - 1, sy = 1 - (2 * (e.clientY - box.top)) / box.height;
        const z = this.direction(), x = unit(cross([0, 1, 0], z)), y = cross(z, x), from = this.eye();
        const ray = unit(add(scale(z, -1), add(scale(x, sx * tan * aspect), scale(y, sy * tan))));
        let best = null;
        for (const part of this.cloths) best = this.hit(part, from, ray, best);
        if (!best) return this.unpick();
        this.picked = best;
        this.tellPicked();
        this.plotPicked();
        this.needsDraw = true;
    }

    // The nearest corner of the first triangle that a ray meets.
    hit(part, from, ray, best) {
        const form = this.clip.frames[this.frame].forms[part];
        if (!form) return best;
        const x = this.clip.metres(this.frame, part), t = form.triangles, at = (i) => [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
        for (let i = 0; i < t.length; i += 3) {
            const a = at(t[i]), e1 = sub(at(t[i + 1]), a), e2 = sub(at(t[i + 2]), a), p = cross(ray, e2), det = dot(e1, p);
            if (Math.abs(det) < 1e-14) continue;
            const s = sub(from, a), u = dot(s, p) / det, q = cross(s, e1), v = dot(ray, q) / det, far = dot(e2, q) / det;
            if (u < 0 || v < 0 || u + v > 1 || far <= 0 || (best && far >= best.far)) continue;
            const corner = u > 1 - u - v && u > v ? 1 : v > 1 - u - v ? 2 : 0;
            best = { part, node: t[i + corner], triangle: i / 3, form, far };
        }
        return best;
    }

    unpick() {
        this.picked = null;
        this.root.querySelector(".weft-picked").hidden = true;
        this.needsDraw = true;
    }

    // Where a picked point is in a frame whose mesh may be another: the node nearest to it in warp and weft, in what it
    // calls its triangle; -1: nobody knows.
    nodeIn(form, p) {
        if (!form) return -1;
        if (form === p.form) return p.node;
        if (!form.uv || !p.form.uv) return -1;
        p.nodes = p.nodes || new Map();
        if (!p.nodes.has(form)) p.nodes.set(form, nearestPoint(form.uv, p.form.uv[2 * p.node], p.form.uv[2 * p.node + 1]));
        return p.nodes.get(form);
    }

    valueAt(field, frame, p) {
        const form = this.clip.frames[frame].forms[p.part], node = this.nodeIn(form, p);
        if (node < 0) return NaN;
        if (field.one) return field.values(this.clip, frame, p.part, node)[0];
        const v = field.values(this.clip, frame, p.part);
        if (!v) return NaN;
        return v[!field.perTriangle ? node : form === p.form ? p.triangle : Math.floor(form.triangles.indexOf(node) / 3)];
    }

    tellPicked() {
        const p = this.picked, node = this.nodeIn(this.clip.frames[this.frame].forms[p.part], p);
        const panel = this.root.querySelector(".weft-picked");
        panel.hidden = false;
        panel.setAttribute("aria-live", this.playing ? "off" : "polite");
        if (node < 0) {
            this.pickMesh.nLines = 0;
            panel.querySelector("dl").textContent = "The mesh has changed in this frame.";
            return;
        }
        const x = this.clip.metres(this.frame, p.part), at = [...x.subarray(3 * node, 3 * node + 3)];
        this.renderer.fill(this.pickMesh, { points: new Float32Array(at), lines: { indices: new Uint32Array([0]) } });
        const rows = [[`${this.head.parts[p.part].name}, node`, node], ["position", at.map((v) => v.toFixed(4)).join(", ") + " m"]];
        for (const f of this.fields || [])
            if (f.values && f.id !== "faults") {
                const v = this.valueAt(f, this.frame, p);
                if (Number.isFinite(v)) rows.push([f.name, `${+v.toPrecision(4)} ${f.unit}`]);
            }
        panel.querySelector("dl").replaceChildren(...rows.flatMap(([k, v]) => {
            const dt = document.createElement("dt"), dd = document.createElement("dd");
            dt.textContent = k;
            dd.textContent = v;
            return [dt, dd];
        }));
        this.drawPickedPlot();
    }

    heightAt(frame, p) {
        const { forms, points } = this.clip.frames[frame], node = this.nodeIn(forms[p.part], p);
        if (node < 0) return NaN;
        const q = points[p.part][3 * node + 1];
        return points[p.part] instanceof Uint16Array ? this.head.origin[1] + this.head.step * q : q;
    }

    // The field's value, or the height, at the node in all frames; a few frames at a time.
    async plotPicked() {
        const p = this.picked, field = this.field, values = new Array(this.clip.ready).fill(NaN);
        const plotted = { name: field ? field.name + (field.unit && `, ${field.unit}`) : "height, m", values };
        this.plotted = plotted;
        let start = performance.now();
        for (let i = 0; i < values.length && this.plotted === plotted; i++) {
            values[i] = field ? this.valueAt(field, i, p) : this.heightAt(i, p);
            if (performance.now() - start > 6) {
                await new Promise((r) => setTimeout(r, 0));
                start = performance.now();
            }
        }
        if (this.picked === p && this.plotted === plotted) this.drawPickedPlot();
    }

    drawPickedPlot() {
        if (!this.plotted || this.head.frames.length < 2) return;
        const panel = this.root.querySelector(".weft-picked");
        const known = this.plotted.values.filter(Number.isFinite), ends = [Math.min(...known), Math.max(...known)];
        panel.querySelector("p").textContent = this.plotted.name;
        panel.querySelector("canvas").setAttribute("aria-label", known.length === 0 ? "Its value over time is not known"
            : `${this.plotted.name}, over time: from ${ends.map((v) => v.toPrecision(3)).join(" to ")}`);
        drawPlot(panel.querySelector("canvas"), this.head.frames.map((f) => f[1]).slice(0, this.plotted.values.length),
                 this.plotted.values, this.head.frames[this.frame][1], { soft: css("--soft"), accent: css("--accent") });
    }
}

const players = [...document.querySelectorAll(".weft-player")].map((root) => new Player(root));
globalThis.weftPlayers = players;
for (const player of players) player.start();
