// SPDX-License-Identifier: MIT
// A value over time, drawn on a canvas.

export function drawPlot(canvas, times, values, now, style) {
    const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    canvas.width = w * ratio;
    canvas.height = h * ratio;
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    g.clearRect(0, 0, w, h);
    const known = values.filter((v) => Number.isFinite(v));
    if (known.length === 0) return;
    let low = Math.min(...known), high = Math.max(...known);
    if (high - low < 1e-9) low -= 0.5, high += 0.5;
    const t0 = times[0], t1 = Math.max(times[times.length - 1], t0 + 1e-9);
    const x = (t) => 44 + ((w - 52) * (t - t0)) / (t1 - t0), y = (v) => h - 18 - ((h - 28) * (v - low)) / (high - low);
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = style.soft;
    g.textAlign = "right";
    for (const v of [low, (low + high) / 2, high]) g.fillText(v.toPrecision(3), 40, y(v) + 4);
    g.textAlign = "left";
    g.fillText(t0.toFixed(2), 44, h - 4);
    g.textAlign = "right";
    g.fillText(t1.toFixed(2) + " s", w - 4, h - 4);
    g.strokeStyle = style.accent;
    g.lineWidth = 1.6;
    g.beginPath();
    let pen = false;
    values.forEach((v, i) => {
        if (!Number.isFinite(v)) return (pen = false);
        pen ? g.lineTo(x(times[i]), y(v)) : g.moveTo(x(times[i]), y(v));
        pen = true;
    });
    g.stroke();
    g.strokeStyle = style.soft;
    g.beginPath();
    g.moveTo(x(now), 8);
    g.lineTo(x(now), h - 18);
    g.stroke();
}
