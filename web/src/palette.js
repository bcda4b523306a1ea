// SPDX-License-Identifier: MIT
// Scales of colours: the same curves in OKLab as in pictures (tool/render/color.c).

const channel = (v) => {
    const x = Math.min(Math.max(v, 0), 1);
    return x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
};

function fromOklch(lightness, strength, hue) {
    const a = strength * Math.cos((hue * Math.PI) / 180), b = strength * Math.sin((hue * Math.PI) / 180);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)];
}

// t from 0 to 1 over the whole scale.
export function colorAt(scale, t) {
    if (Number.isNaN(t)) return [0.5, 0.5, 0.5];
    if (scale === "faults") return [[0.82, 0.82, 0.8], [0.84, 0.1, 0.1], [0.93, 0.55, 0.1], [0.55, 0.25, 0.75]][Math.min(3, Math.round(3 * t))];
    if (scale === "diverging") {
        const d = 2 * t - 1, away = Math.min(Math.abs(d), 1);
        return fromOklch(0.965 - 0.465 * away, 0.005 + 0.165 * away, d < 0 ? 258 : 28);
    }
    const u = Math.min(Math.max(t, 0), 1);
    return fromOklch(0.965 - 0.645 * u, 0.05 + 0.05 * u + 0.4 * u * (1 - u), 100 - 140 * u);
}

export function cssAt(scale, t) {
    return "rgb(" + colorAt(scale, t).map((c) => Math.round(255 * c)).join(",") + ")";
}

// 256 colours for a texture.
export function paletteBytes(scale) {
    const out = new Uint8Array(1024);
    for (let i = 0; i < 256; i++) {
        const c = colorAt(scale, i / 255);
        out.set([255 * c[0], 255 * c[1], 255 * c[2], 255], 4 * i);
    }
    return out;
}
