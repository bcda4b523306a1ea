// SPDX-License-Identifier: MIT
// A clip: its head, and frames as they get unpacked.

import { Decoder, Slices, bytesOfBase64, inflate, packetsOf } from "./codec.js";
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

    // The clip that a server streams: its head is there when this returns.
    static async open(url) {
        const response = await fetch(url);
        if (!response.ok) throw new Error(`the server says ${response.status} ${response.statusText}`);
        const packets = packetsOf(response.body.getReader()), reader = new Decoder(0);
        let head = null;
        reader.told = (said) => (head = said.head);
        await reader.read((await packets.next()).value, new Slices());
        head.frames = [];
        head.notes = [];
        head.solids.forEach((s) => (s.poses = []));
        const clip = new Clip(head);
        clip.packets = packets;
        clip.decoder.told = (said) => clip.hear(said);
        return clip;
    }

    hear(said) {
        if (said.frame) this.head.frames.push(said.frame);
        if (said.poses) said.poses.forEach((p, i) => this.head.solids[i].poses.push(p));
        if (said.ground !== undefined) this.head.ground = said.ground;
        if (said.notes) this.head.notes = said.notes;
        if (said.live) this.expected = said.live;
        if (said.end) this.ended = true, (this.head.given = said.given);
    }

    // Reads on to the end, of frames that may be computed just now. Calls progress() after each.
    async listen(progress) {
        const begin = performance.now();
        for await (const packet of this.packets) {
            this.slices.start = performance.now();
            await this.decoder.read(packet, this.slices);
            this.slices.note();
            this.ready = this.head.frames.length;
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
