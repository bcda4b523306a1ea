// SPDX-License-Identifier: MIT
// `weft view`: the page it serves, in Chromium, and what it says to those who should not be served.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url)), weft = path.join(root, "build/weft");
const folder = mkdtempSync(path.join(tmpdir(), "weft-view-")), drape = path.join(folder, "drape");
const tangle = path.join(folder, "tangle.obj"), errors = [], started = [];
const small = ["--set", "cloths.sheet.grid.nodes=[24, 24]", "--set", "output.frames=30"];
let browser, view;

const run = (...words) => execFileSync(weft, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] }).toString();

// The command on its way: its address and how it ends.
async function serve(...words) {
    const child = spawn(weft, ["view", ...words, "--no-open"], { cwd: root });
    const it = { child, text: "", wrong: "" };
    started.push(child);
    it.end = new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
    child.stderr.on("data", (b) => (it.wrong += b));
    await new Promise((resolve) => {
        child.stdout.on("data", (b) => (it.text += b).includes("http://") && resolve());
        child.on("exit", resolve);
    });
    it.url = (it.text.match(/http:\S+/) || [""])[0];
    it.port = it.url ? +new URL(it.url).port : 0;
    it.token = it.url.split("/")[3];
    return it;
}

async function open(url, options = {}) {
    const p = await browser.newPage({ viewport: { width: 1280, height: 900 }, bypassCSP: true, ...options });
    p.on("console", (m) => m.type() === "error" && errors.push(m.text()));
    p.on("pageerror", (e) => errors.push(String(e)));
    await p.goto(url);
    return p;
}

const loaded = (p) => p.waitForFunction(() => globalThis.weftPlayers[0].loaded, null, { timeout: 60000 });

// What the server says to these bytes; "" if it closes without a word.
function say(port, bytes, { end = false } = {}) {
    return new Promise((resolve) => {
        let got = "";
        const s = net.connect(port, "127.0.0.1", () => (end ? s.end(bytes) : s.write(bytes)));
        s.on("data", (b) => (got += b.toString("latin1")));
        s.on("close", () => resolve(got));
        s.on("error", () => resolve(got));
    });
}
const ask = (target, host, more = "", method = "GET") =>
    say(view.port, `${method} ${target} HTTP/1.1\r\nHost: ${host ?? `127.0.0.1:${view.port}`}\r\n${more}\r\n`);
const status = (answer) => +answer.split(" ")[1];

// Two crossing sheets of 2 × 2 squares.
function writeTangle() {
    const lines = [];
    for (const tilt of [0, 1])
        for (let i = 0; i < 9; i++) {
            const u = (i % 3) - 1, v = Math.floor(i / 3) - 1;
            lines.push(tilt ? `v ${0.9 * u} ${v} ${0.1 + 0.2 * v}` : `v ${u} 0.05 ${v}`);
        }
    for (const first of [1, 10])
        for (const k of [0, 1, 3, 4]) lines.push(`f ${[0, 1, 4, 3].map((d) => first + k + d).join(" ")}`);
    writeFileSync(tangle, lines.join("\n") + "\n");
}

before(async () => {
    run("run", "scenes/ball.yaml", "-o", drape, "-q", ...small);
    writeTangle();
    const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    browser = await chromium.launch({ executablePath: process.env.WEFT_CHROMIUM || "/usr/bin/chromium", args });
    view = await serve(drape);
});

after(async () => {
    await browser?.close();
    for (const child of started) if (child.exitCode === null) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
});

test("a run is shown in full precision", async () => {
    const p = await open(view.url);
    await loaded(p);
    assert.equal(await p.evaluate(() => weftPlayers[0].clip.ready), 31);
    run("export", drape, "--out", path.join(folder, "f.npz"), "-q");
    const got = await p.evaluate(() => Array.from(weftPlayers[0].clip.frames[30].points[0]));
    const want = lastPositions(path.join(folder, "f.npz"), got.length);
    assert.deepEqual(got, want); // bit for bit
    const ids = await p.$$eval("[data-do=color] option", (o) => o.map((x) => x.value));
    for (const id of ["stretch", "warp", "weft", "shear", "speed", "distance", "pressure"]) assert.ok(ids.includes(id), id);
    // Those of the report are rounded: to 7 %, and nothing below 0.05 Pa.
    const exact = await p.evaluate(() => weftPlayers[0].clip.frames.map((f) => Array.from(f.pressed[0])));
    const q = await open("file://" + path.join(drape, "report.html"));
    await loaded(q);
    const rounded = await q.evaluate(() => {
        const { fields, clip } = weftPlayers[0], field = fields.find((f) => f.id === "pressure");
        return clip.frames.map((_, i) => Array.from(field.values(clip, i, 0)));
    });
    await q.close();
    assert.ok(exact.flat().some((v) => v > 1));
    exact.forEach((list, i) => list.forEach((v, k) =>
        assert.ok(Math.abs(rounded[i][k] - v) <= 0.0725 * v + (v < 0.05 ? 0.05 : 0), `${v} is ${rounded[i][k]}`)));
    assert.match(await p.textContent(".weft-say"), /full precision/);
    await p.click("[data-do=play]");
    await p.waitForFunction(() => weftPlayers[0].frame > 3);
    await p.close();
});

// The last n numbers of an NPZ's positions, which are stored as doubles, undeflated or not.
function lastPositions(file, n) {
    const text = execFileSync("python3", ["-c", `
import json, struct, sys, zipfile
b = zipfile.ZipFile(sys.argv[1]).read("vertices_seq.npy"); n = int(sys.argv[2])
assert b"<f8" in b[:128]
print(json.dumps(struct.unpack("<%dd" % n, b[-8 * n:])))`, file, String(n)], { maxBuffer: 1 << 28 });
    return JSON.parse(text);
}

test("a mesh is shown with what is found, contours to step through", async () => {
    const it = await serve(tangle), p = await open(it.url);
    assert.match(it.text, /pairs intersect, in 1 contour/);
    await loaded(p);
    assert.equal(await p.evaluate(() => weftPlayers[0].field.id), "faults");
    assert.ok(await p.isHidden("[data-do=play]"));
    await p.click("[data-do=contour]");
    assert.match(await p.textContent("[data-do=contour]"), /contour 1 of 1/);
    await p.close();
    it.child.kill("SIGINT");
    assert.deepEqual(await it.end, { code: 0, signal: null });
});

test("reports of checks and repairs have a player: contours, before and after", async () => {
    const found = path.join(folder, "found.html"), repaired = path.join(folder, "repaired.html");
    assert.throws(() => run("check", tangle, "--report", found), (e) => e.status === 1);
    const p = await open("file://" + found);
    await loaded(p);
    await p.click("[data-do=contour]");
    assert.match(await p.textContent("[data-do=contour]"), /contour 1 of 1/);
    await p.close();
    run("untangle", tangle, "-o", path.join(folder, "clean.obj"), "--report", repaired, "--method", "contours");
    const q = await open("file://" + repaired, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    await loaded(q);
    assert.equal(await q.textContent("[data-do=clock]"), "before");
    assert.ok(await q.isVisible("[data-do=contour]"));
    await q.click("[data-do=step]");
    assert.equal(await q.textContent("[data-do=clock]"), "after");
    assert.ok(await q.isHidden("[data-do=contour]"));
    const ids = await q.$$eval("[data-do=color] option", (o) => o.map((x) => x.value));
    assert.deepEqual(ids, ["sides", "stretch", "moved", "faults"]);
    await q.selectOption("[data-do=color]", "moved");
    await q.evaluate(() => weftPlayers[0].draw()); // the next frame would do it, some time
    assert.match(await q.textContent(".weft-legend b"), /moved, mm/);
    assert.ok((await q.evaluate(() => weftPlayers[0].fields.find((f) => f.id === "moved").high)) > 1);
    await q.close();
});

test("a run that goes on is shown as it does", async () => {
    const out = path.join(folder, "live");
    const child = spawn(weft, ["run", "scenes/ball.yaml", "-o", out, "-q", ...small, "--set", "output.frames=20000",
                               "--no-pictures"], { cwd: root });
    started.push(child);
    const ended = new Promise((resolve) => child.on("exit", resolve));
    let it = { url: "" };
    for (let i = 0; i < 100 && !it.url; i++) {
        it = await serve(out);
        if (!it.url) await new Promise((r) => setTimeout(r, 100));
    }
    const p = await open(it.url);
    await p.waitForFunction(() => globalThis.weftPlayers[0].clip?.expected === 20001, null, { timeout: 60000 });
    const early = await p.evaluate(() => weftPlayers[0].clip.ready);
    assert.ok(early < 20001);
    const later = (n) => weftPlayers[0].clip.ready > n && weftPlayers[0].frame > n;
    await p.waitForFunction(later, early, { timeout: 60000 });
    assert.ok(await p.isVisible("[data-do=live]"));
    assert.match(await p.textContent(".weft-say"), /the run goes on: \d+ of 20001 frames/);
    child.kill("SIGINT"); // the run ends early: the page has what there is
    await ended;
    await loaded(p);
    assert.ok(await p.isHidden("[data-do=live]"));
    const n = await p.evaluate(() => [weftPlayers[0].clip.ready, weftPlayers[0].head.given]);
    assert.equal(n[0], n[1]);
    await p.close();
});

test("damaged frames are left out, and that is told", async () => {
    const broken = path.join(folder, "torn"), cache = path.join(broken, "cache.weft");
    cpSync(drape, broken, { recursive: true });
    const bytes = readFileSync(cache);
    let at = 0;
    for (let i = 0; i < 12; i++) at = bytes.indexOf("FRAM", at + 1);
    bytes[at + 200] ^= 1; // behind the frame's head
    writeFileSync(cache, bytes);
    const it = await serve(broken), p = await open(it.url);
    await loaded(p);
    const n = await p.evaluate(() => weftPlayers[0].clip.ready);
    assert.ok(n > 0 && n < 31, String(n));
    assert.match(await p.textContent(".weft-say"), /of 31 frames are damaged and left out/);
    await p.close();
    it.child.kill("SIGINT");
});

test("who does not know the token, or comes by another name, is refused", async () => {
    const t = view.token;
    assert.match(t, /^[0-9a-f]{32}$/);
    assert.equal(status(await ask(`/${t}/`)), 200);
    assert.equal(status(await ask(`/${t}/`, "localhost:9")), 200); // ssh -L
    for (const target of ["/", "/favicon.ico", `/${t.slice(1)}0/`, `/${t}`, `/${t.toUpperCase()}x/`, `//${t}/`])
        assert.equal(status(await ask(target)), 403, target);
    for (const host of ["example.com", `127.0.0.1.example.com:${view.port}`, "", "[::1", "127.0.0.1:123456"])
        assert.equal(status(await ask(`/${t}/`, host)), 403, host);
    assert.equal(status(await ask(`/${t}/frames`, undefined, "Sec-Fetch-Site: cross-site\r\n")), 403);
});

test("paths lead nowhere else", async () => {
    const t = view.token;
    const others = ["../", "..%2f..%2fetc/passwd", "frames/../../etc/passwd", "cache.weft", "frames/", "?x", "\\..\\"];
    for (const rest of others)
        assert.equal(status(await ask(`/${t}/${rest}`)), 404, rest);
    assert.equal(status(await ask(`/${t}/`, undefined, "", "POST")), 405);
    assert.equal(status(await ask(`/${t}/`, undefined, "Content-Length: 5\r\n")), 400);
    assert.equal(status(await ask(`/${t}/`, undefined, "Host: 127.0.0.1\r\n")), 400);
    for (const bytes of ["\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\0\0\0\n",
                         `GET /${t}/ HTTP/1.1\nHost: 127.0.0.1\n\n`, "x".repeat(20000)])
        assert.equal(status(await say(view.port, bytes)), 400, JSON.stringify(bytes.slice(0, 40)));
    assert.equal(await say(view.port, `GET /${t}/ HT`, { end: true }), ""); // half a request
});

test("1000 connections that ask nothing, and readers that do not read, keep nobody out", async () => {
    const idle = [], t = view.token;
    const connect = (bytes) => new Promise((resolve) => {
        const s = net.connect(view.port, "127.0.0.1", () => (s.write(bytes), resolve(s)));
        s.on("error", () => resolve(s));
        idle.push(s);
    });
    for (let i = 0; i < 8; i++) (await connect(`GET /${t}/frames HTTP/1.1\r\nHost: localhost\r\n\r\n`)).pause();
    for (let i = 0; i < 1000; i += 50) await Promise.all(Array.from({ length: 50 }, () => connect("GET /")));
    assert.equal(status(await ask(`/${t}/`)), 200);
    const memory = +readFileSync(`/proc/${view.child.pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1];
    const files = execFileSync("ls", [`/proc/${view.child.pid}/fd`]).toString().trim().split("\n").length;
    console.log(`with 1008 connections: ${files} open files, ${(memory / 1024).toFixed(0)} MB`);
    assert.ok(files < 100 && memory < 300 * 1024);
    for (const s of idle) s.destroy();
    const p = await open(view.url);
    await loaded(p);
    await p.close();
});

test("Ctrl-C ends it, and a port in use is told", async () => {
    const busy = net.createServer().listen(0, "127.0.0.1");
    await new Promise((r) => busy.on("listening", r));
    const second = await serve(drape, "--port", String(busy.address().port));
    assert.equal((await second.end).code, 2);
    assert.match(second.wrong, /port \d+ is in use: give another with --port/);
    busy.close();
    view.child.kill("SIGINT");
    assert.deepEqual(await view.end, { code: 0, signal: null });
    assert.equal(view.wrong, "");
});

test("what is not there, or damaged, is told before anyone looks", async () => {
    const broken = path.join(folder, "broken.obj");
    writeFileSync(broken, "v 0 0 0\nf 1 2 3\n");
    const none = path.join(folder, "none");
    for (const [file, text] of [[broken, /broken.obj:2: /], [none, /no such file/], [folder, /no run is there/]]) {
        const it = await serve(file);
        assert.equal((await it.end).code, 2);
        assert.match(it.wrong, text);
    }
});

test("no error was told on the console", () => assert.deepEqual(errors, []));
