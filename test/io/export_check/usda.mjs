// SPDX-License-Identifier: MIT
// usda.mjs NPM FILE: a USD library (tinyusdz, compiled to WebAssembly) parses an exported USDA file and makes meshes of
// it. NPM is a folder with node_modules/tinyusdz.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [npm, file] = process.argv.slice(2);
const folder = path.resolve(npm, 'node_modules/tinyusdz');

// The package is built for browsers: let it take this for a worker, and give it its code.
process.type = 'renderer';
globalThis.WorkerGlobalScope = class {};
const { default: start } = await import(pathToFileURL(path.join(folder, 'tinyusdz.js')));
const code = fs.readFileSync(path.join(folder, 'tinyusdz.wasm'));
const usd = await start({
    instantiateWasm(imports, done) {
        WebAssembly.instantiate(code, imports).then(({ instance, module }) => done(instance, module));
        return {};
    },
});

const bytes = fs.readFileSync(file);
const layer = new usd.TinyUSDZLoaderNative(), scene = new usd.TinyUSDZLoaderNative();
if (!layer.loadAsLayerFromBinary(bytes, file) || !scene.loadFromBinary(bytes, file)) {
    console.log(layer.error() + scene.error());
    process.exit(1);
}
const n = scene.numMeshes();
if (n === 0) {
    console.log('no meshes');
    process.exit(1);
}
console.log(`ok: tinyusdz finds ${n} meshes`);
