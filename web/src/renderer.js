// SPDX-License-Identifier: MIT
// Draws with WebGL2: meshes with two-coloured sides or a field's colours, lines, solids, a ground with a soft shadow.

import { identity, multiply, perspective, lookAt } from "./math.js";
import { paletteBytes } from "./palette.js";

const MESH_VS = `#version 300 es
layout(location=0) in vec3 position; layout(location=1) in vec3 normal; layout(location=2) in float value;
uniform mat4 camera, model; uniform vec3 origin; uniform float step_;
centroid out vec3 n, place; centroid out float v;
void main() {
    vec4 p = model * vec4(origin + step_ * position, 1.0);
    place = p.xyz; n = mat3(model) * normal; v = value;
    gl_Position = camera * p;
}`;
const MESH_FS = `#version 300 es
precision highp float;
centroid in vec3 n, place; centroid in float v;
uniform vec3 front, back, eye; uniform bool byField, isSolid; uniform float low, high; uniform sampler2D palette;
out vec4 color;
void main() {
    vec3 m = normalize(n), look = normalize(eye - place);
    bool isBack = !isSolid && !gl_FrontFacing;
    if (isBack) m = -m;
    // Smooth normals lean away where faces do not, at folds' rims: as far as to the rim, not into the dark behind it.
    if (dot(m, look) < 0.0) m = isSolid ? -m : normalize(m - dot(m, look) * look);
    vec3 base = isBack ? back : front;
    if (byField) base = (v == v && abs(v) < 1e30)
        ? texture(palette, vec2(clamp((v - low) / (high - low), 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb
        : vec3(0.5);
    base = pow(base, vec3(2.2));
    vec3 key = normalize(vec3(0.45, 0.8, 0.5));
    float d = max(dot(m, key), 0.0), rim = max(dot(m, normalize(vec3(-0.6, 0.1, -0.5))), 0.0);
    vec3 light = mix(vec3(0.20, 0.19, 0.18), vec3(0.42, 0.45, 0.50), 0.5 + 0.5 * m.y) + vec3(0.72, 0.69, 0.64) * d + 0.12 * rim;
    float shine = pow(max(dot(m, normalize(key + look)), 0.0), 28.0) * (byField ? 0.0 : 0.06);
    color = vec4(pow(base * light + shine, vec3(1.0 / 2.2)), 1.0);
}`;
const LINE_VS = `#version 300 es
layout(location=0) in vec3 position;
uniform mat4 camera; uniform vec3 origin; uniform float step_, nearer, size;
void main() { gl_Position = camera * vec4(origin + step_ * position, 1.0); gl_Position.z -= nearer * gl_Position.w; gl_PointSize = size; }`;
const LINE_FS = `#version 300 es
precision highp float; uniform vec4 paint; out vec4 color; void main() { color = paint; }`;
const SHADOW_FS = `#version 300 es
precision highp float; centroid in vec3 n, place; centroid in float v; uniform float ground, reach; out vec4 color;
void main() { float h = clamp((place.y - ground) / reach, 0.0, 1.0); color = vec4(1.0 - 0.75 * h, 0, 0, 1); }`;
const GROUND_FS = `#version 300 es
precision highp float; centroid in vec3 n, place; centroid in float v;
uniform sampler2D shadow; uniform vec3 centre, paper; uniform float extent, strength; out vec4 color;
void main() {
    vec2 uv = (place.xz - centre.xz) / (2.0 * extent) + 0.5; float s = 0.0, w = 0.0;
    for (int i = -4; i <= 4; i++) for (int j = -4; j <= 4; j++) {
        float k = exp(-float(i * i + j * j) / 10.0);
        s += k * texture(shadow, uv + vec2(i, j) * 0.006).r; w += k;
    }
    float r = length(place.xz - centre.xz) / extent;
    color = vec4(mix(paper, paper * 0.25, strength * s / w), 1.0 - smoothstep(0.55, 1.0, r));
}`;

function program(gl, vs, fs) {
    const p = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vs], [gl.FRAGMENT_SHADER, fs]]) {
        const s = gl.createShader(kind);
        gl.shaderSource(s, text);
        gl.compileShader(s);
        gl.attachShader(p, s);
    }
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error("shader: " + gl.getProgramInfoLog(p));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS); i++) {
        const { name } = gl.getActiveUniform(p, i);
        at[name] = gl.getUniformLocation(p, name);
    }
    return { p, at };
}

export class Renderer {
    // Throws where there is no WebGL2.
    constructor(canvas) {
        const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
        if (!gl) throw new Error("no WebGL2");
        this.gl = gl;
        this.canvas = canvas;
        this.mesh = program(gl, MESH_VS, MESH_FS);
        this.line = program(gl, LINE_VS, LINE_FS);
        this.shade = program(gl, MESH_VS, SHADOW_FS);
        this.floor = program(gl, MESH_VS, GROUND_FS);
        this.palettes = new Map();
        this.shadow = this.makeShadow();
        this.ground = this.makeMesh({ x: [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1], indices: [0, 2, 1, 0, 3, 2] });
    }

    makeShadow() {
        const gl = this.gl, texture = gl.createTexture(), frame = gl.createFramebuffer();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 256, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
        gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        return { texture, frame };
    }

    palette(scale) {
        if (!this.palettes.has(scale)) {
            const gl = this.gl, texture = gl.createTexture();
            gl.bindTexture(gl.TEXTURE_2D, texture);
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, paletteBytes(scale));
            gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
            gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
            this.palettes.set(scale, texture);
        }
        return this.palettes.get(scale);
    }

    // {x, normals?, indices?}: plain arrays; a mesh that stays.
    makeMesh({ x, normals, indices }) {
        const m = this.emptyMesh();
        this.fill(m, { points: new Float32Array(x), normals: normals && new Float32Array(normals),
                       indices: new Uint32Array(indices) });
        return m;
    }

    emptyMesh() {
        const gl = this.gl;
        return { vao: gl.createVertexArray(), lineVao: gl.createVertexArray(), buffers: {}, n: 0, nLines: 0,
                 indexed: false };
    }

    upload(m, name, data, kind) {
        const gl = this.gl;
        if (!m.buffers[name]) m.buffers[name] = gl.createBuffer();
        gl.bindBuffer(kind, m.buffers[name]);
        gl.bufferData(kind, data, gl.DYNAMIC_DRAW);
    }

    attribute(at, m, name, size, type) {
        const gl = this.gl;
        gl.bindBuffer(gl.ARRAY_BUFFER, m.buffers[name]);
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, size, type, false, 0, 0);
    }

    // points: Uint16Array (times the clip's step) or Float32Array; values: per point, or null.
    fill(m, { points, normals, values, indices, lines }) {
        const gl = this.gl, type = points instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.FLOAT;
        gl.bindVertexArray(m.vao);
        this.upload(m, "points", points, gl.ARRAY_BUFFER);
        this.attribute(0, m, "points", 3, type);
        if (normals) {
            this.upload(m, "normals", normals, gl.ARRAY_BUFFER);
            this.attribute(1, m, "normals", 3, gl.FLOAT);
        }
        if (values) {
            this.upload(m, "values", values, gl.ARRAY_BUFFER);
            this.attribute(2, m, "values", 1, gl.FLOAT);
        } else gl.disableVertexAttribArray(2);
        m.indexed = !!indices;
        m.n = indices ? indices.length : points.length / 3;
        if (indices) this.upload(m, "indices", indices, gl.ELEMENT_ARRAY_BUFFER);
        gl.bindVertexArray(null);
        m.nLines = 0;
        if (lines) this.fillLines(m, points, type, lines);
        m.quantised = points instanceof Uint16Array;
    }

    // Lines have points of their own where triangles are taken apart.
    fillLines(m, points, type, { indices, points: own }) {
        const gl = this.gl;
        gl.bindVertexArray(m.lineVao);
        if (own) this.upload(m, "linePoints", own, gl.ARRAY_BUFFER);
        this.attribute(0, m, own ? "linePoints" : "points", 3, type);
        this.upload(m, "lineIndices", indices, gl.ELEMENT_ARRAY_BUFFER);
        gl.bindVertexArray(null);
        m.nLines = indices.length;
    }

    // look: {eye, target, angle, paper, ground, extent, centre, head}; items: [{mesh, matrix, front, back, field, …}].
    draw(look, items) {
        const gl = this.gl, { canvas } = this;
        const far = 20 * look.extent + 2 * Math.hypot(...look.eye.map((v, k) => v - look.target[k]));
        this.camera = multiply(perspective(look.angle, canvas.width / canvas.height, far / 5000, far),
                               lookAt(look.eye, look.target, [0, 1, 0]));
        if (look.ground !== null) this.drawShadow(look, items);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, canvas.width, canvas.height);
        gl.clearColor(...look.paper, 1);
        gl.enable(gl.DEPTH_TEST);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(1, 1);
        for (const item of items) this.drawItem(this.mesh, item, look, this.camera);
        if (look.ground !== null) this.drawGround(look);
        for (const item of items) if (item.wire) this.drawLines(item, look);
    }

    drawItem(prog, item, look, camera) {
        const gl = this.gl, { at } = prog, m = item.mesh;
        gl.useProgram(prog.p);
        gl.uniformMatrix4fv(at.camera, false, camera);
        gl.uniformMatrix4fv(at.model, false, item.matrix || identity);
        gl.uniform3fv(at.origin, m.quantised ? look.head.origin : [0, 0, 0]);
        gl.uniform1f(at.step_, m.quantised ? look.head.step : 1);
        if (at.front) {
            gl.uniform3fv(at.front, item.front);
            gl.uniform3fv(at.back, item.back || item.front);
            gl.uniform3fv(at.eye, look.eye);
            gl.uniform1i(at.isSolid, item.isSolid ? 1 : 0);
            gl.uniform1i(at.byField, item.field ? 1 : 0);
            if (item.field) {
                gl.uniform1f(at.low, item.field.low);
                gl.uniform1f(at.high, item.field.high);
                gl.activeTexture(gl.TEXTURE0);
                gl.bindTexture(gl.TEXTURE_2D, this.palette(item.field.scale));
                gl.uniform1i(at.palette, 0);
            }
        }
        gl.bindVertexArray(m.vao);
        if (m.indexed) {
            gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, m.buffers.indices);
            gl.drawElements(gl.TRIANGLES, m.n, gl.UNSIGNED_INT, 0);
        } else gl.drawArrays(gl.TRIANGLES, 0, m.n);
        gl.bindVertexArray(null);
    }

    drawShadow(look, items) {
        const gl = this.gl, e = look.extent, c = look.centre, reach = 2 * e;
        // Straight down: x and z are the picture, y the depth.
        const down = [1 / e, 0, 0, 0, 0, 0, -1 / (2 * reach), 0, 0, 1 / e, 0, 0, -c[0] / e, -c[2] / e, look.ground / (2 * reach), 1];
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.frame);
        gl.viewport(0, 0, 256, 256);
        gl.clearColor(0, 0, 0, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.disable(gl.DEPTH_TEST);
        gl.enable(gl.BLEND);
        gl.blendEquation(gl.MAX);
        gl.useProgram(this.shade.p);
        gl.uniform1f(this.shade.at.ground, look.ground);
        gl.uniform1f(this.shade.at.reach, 0.6 * e);
        for (const item of items) this.drawItem(this.shade, item, look, down);
        gl.blendEquation(gl.FUNC_ADD);
        gl.disable(gl.BLEND);
    }

    drawGround(look) {
        const gl = this.gl, e = look.extent, c = look.centre, { at } = this.floor;
        gl.useProgram(this.floor.p);
        gl.enable(gl.BLEND);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, this.shadow.texture);
        gl.uniform1i(at.shadow, 0);
        gl.uniform3fv(at.centre, c);
        gl.uniform3fv(at.paper, look.floor);
        gl.uniform1f(at.extent, e);
        gl.uniform1f(at.strength, 0.75);
        const matrix = [e, 0, 0, 0, 0, 1, 0, 0, 0, 0, e, 0, c[0], look.ground, c[2], 1];
        this.drawItem(this.floor, { mesh: this.ground, matrix }, look, this.camera);
        gl.disable(gl.BLEND);
    }

    drawLines(item, look) {
        const gl = this.gl, { at } = this.line, m = item.mesh;
        if (!m.nLines) return;
        gl.useProgram(this.line.p);
        gl.uniformMatrix4fv(at.camera, false, this.camera);
        gl.uniform3fv(at.origin, m.quantised ? look.head.origin : [0, 0, 0]);
        gl.uniform1f(at.step_, m.quantised ? look.head.step : 1);
        gl.uniform1f(at.nearer, item.nearer || 0);
        gl.uniform1f(at.size, 9);
        gl.uniform4fv(at.paint, item.wire);
        gl.enable(gl.BLEND);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
        if (item.onTop) gl.disable(gl.DEPTH_TEST);
        gl.bindVertexArray(m.lineVao);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, m.buffers.lineIndices);
        gl.drawElements(item.points ? gl.POINTS : gl.LINES, m.nLines, gl.UNSIGNED_INT, 0);
        gl.bindVertexArray(null);
        gl.enable(gl.DEPTH_TEST);
        gl.disable(gl.BLEND);
    }
}
