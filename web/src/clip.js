// SPDX-License-Identifier: MIT
// A clip: its head, and frames as they get unpacked.

import { Decoder, Slices, bytesOfBase64, inflate } from "./codec.js";
import { metres } from "./fields.js";

export class Clip {
    constructor(head) {
        this.head = head;
        this.decoder = new Decoder(head.parts.length);
        this.frames = this.decoder.frames;
        this.slices = new Slices();
        this.ready = 0; // frames that can be shown
        this.cache = new Map();
    }

    // Chunks are texts in base64. Calls progress() after each.
    async load(chunks, progress) {
        const begin = performance.now();
        for (const chunk of chunks) {
            this.slices.start = performance.now();
            const packed = bytesOfBase64(chunk);
            this.slices.note();
            const bytes = await inflate(packed);
            this.slices.start = performance.now();
            await this.decoder.read(bytes, this.slices);
            this.slices.note();
            this.ready = this.frames.length;
            progress();
        }
        this.seconds = (performance.now() - begin) / 1e3;
    }

    // Positions in metres; those of few frames are kept.
    metres(frame, part) {
        const key = frame + ":" + part;
        if (!this.cache.has(key)) {
            if (this.cache.size > 16) this.cache.delete(this.cache.keys().next().value);
            this.cache.set(key, metres(this.frames[frame].points[part], this.head));
        }
        return this.cache.get(key);
    }

    // Box of what is seen in a frame, cloth first: {low, high}.
    box(frame, parts) {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        for (const part of parts) {
            if (!this.frames[frame].points[part]) continue;
            const x = this.metres(frame, part);
            for (let i = 0; i < x.length; i++) {
                const k = i % 3;
                if (x[i] < low[k]) low[k] = x[i];
                if (x[i] > high[k]) high[k] = x[i];
            }
        }
        return { low, high };
    }
}
