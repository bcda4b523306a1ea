// SPDX-License-Identifier: MIT
// gltf.mjs NPM TRUTH FILE: Khronos' glTF validator finds no error and no warning in an exported GLB, and the positions
// that a viewer computes from it are those of the run. NPM is a folder with node_modules/gltf-validator. It may remark
// that no texture uses the uv: those who load the file bring the texture.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [npm, truthPath, file] = process.argv.slice(2);
const validator = createRequire(path.resolve(npm, 'x.js'))('gltf-validator');
const bytes = fs.readFileSync(file);

const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 100 });
const remarks = report.issues.messages.filter(m => m.code !== 'UNUSED_OBJECT' || !m.pointer.endsWith('/TEXCOORD_0'));
if (remarks.length > 0) {
    console.log(JSON.stringify(remarks, null, 1));
    process.exit(1);
}

function check(condition, text) {
    if (!condition) {
        console.log('wrong: ' + text);
        process.exit(1);
    }
}

const jsonLength = bytes.readUInt32LE(12);
const gltf = JSON.parse(bytes.toString('utf8', 20, 20 + jsonLength));
const binary = 20 + jsonLength + 8;
check(bytes.readUInt32LE(8) === bytes.length, 'length of the file');

function read(index) {
    const a = gltf.accessors[index], view = gltf.bufferViews[a.bufferView];
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3 }[a.type];
    const out = [];
    for (let k = 0; k < a.count * width; k++) {
        const at = binary + view.byteOffset + a.byteOffset + 4 * k;
        out.push(a.componentType === 5126 ? bytes.readFloatLE(at) : bytes.readUInt32LE(at));
    }
    return out;
}

const truth = JSON.parse(fs.readFileSync(truthPath, 'utf8'));
const first = truth.frames[0], n = truth.frames.length;
check(gltf.meshes.length === first.length, 'a mesh a cloth');
const times = read(gltf.animations[0].samplers[0].input);
const weights = read(gltf.animations[0].samplers[0].output);
check(times.length === n && weights.length === n * (n - 1), 'keys of the animation');
times.forEach((t, i) => check(t === Math.fround(i / truth.fps), 'time of key ' + i));

// Each of base, difference and their sum is rounded to a float once.
const close = (found, expected) => Math.abs(found - expected) <= 3 * 2 ** -24 * Math.max(1, Math.abs(expected));
gltf.meshes.forEach((mesh, part) => {
    const primitive = mesh.primitives[0], base = read(primitive.attributes.POSITION);
    const targets = primitive.targets.map(t => read(t.POSITION));
    truth.frames.forEach((frame, i) => frame[part].points.flat().forEach((x, k) => {
        const row = weights.slice(i * (n - 1), (i + 1) * (n - 1));
        const found = row.reduce((sum, w, target) => sum + w * targets[target][k], base[k]);
        check(close(found, x), `mesh ${part}, frame ${i}, number ${k}: ${found}, expected ${x}`);
    }));
    const normal = read(primitive.attributes.NORMAL);
    primitive.targets.map(t => read(t.NORMAL)).concat([normal.map(() => 0)]).forEach(target => {
        for (let k = 0; k < normal.length; k += 3) {
            const length = Math.hypot(...[0, 1, 2].map(c => normal[k + c] + target[k + c]));
            check(Math.abs(length - 1) < 1e-6, `mesh ${part}: a normal of length ${length}`);
        }
    });
    const triangles = first[part].triangles.flat(), indices = read(primitive.indices);
    check(JSON.stringify(indices) === JSON.stringify(triangles), `mesh ${part}: triangles`);
});
const uv = read(gltf.meshes[0].primitives[0].attributes.TEXCOORD_0);
first[0].uv.forEach(([u, v], k) => check(uv[2 * k] === Math.fround(u) && uv[2 * k + 1] === Math.fround(1 - v), 'uv'));
check(!('TEXCOORD_0' in gltf.meshes[1].primitives[0].attributes), 'the patch has several uv a node');
console.log('ok: gltf-validator ' + validator.version() + ': no errors, no warnings');
