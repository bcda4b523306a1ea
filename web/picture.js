// SPDX-License-Identifier: MIT
// A picture of the player in a report: node picture.js REPORT FRAME COLOUR PNG
import path from "node:path";
import { chromium } from "playwright-core";

const [report, frame, color, out] = process.argv.slice(2);
const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath: process.env.WEFT_CHROMIUM || "/usr/bin/chromium", args });
const page = await browser.newPage({ viewport: { width: 900, height: 700 }, bypassCSP: true });
await page.goto("file://" + path.resolve(report));
await page.waitForFunction(() => globalThis.weftPlayers[0].loaded);
await page.evaluate(([f, c]) => {
    const player = weftPlayers[0];
    player.goStill(f);
    player.q("color").selectedIndex = player.fields.findIndex((field) => field.id === c);
    player.changeField();
    player.orbit(40, -14);
    player.zoom(0.72);
    player.draw();
}, [+frame, color]);
await page.locator(".weft-player").screenshot({ path: out });
await browser.close();
