// Measures the time of a frame during panning: node frames.mjs SERVER MAP [SECONDS]
//
// The browser has no GPU and no WebGL, like a machine without a graphics card. At each zoom the pointer drags the map
// round a square of 600 points, so that new tiles come all the time. The time of a frame is the time between two frames
// that the browser drew (DrawAndSwap in its own trace). A dot that moves with every frame keeps it drawing. Run this in
// a folder with puppeteer-core, such as build/routes-page-tests. BELLMARK_BROWSER names another browser than chromium.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(`${process.cwd()}/`));
const puppeteer = require("puppeteer-core");

const [server, map, seconds = "5"] = process.argv.slice(2);
if (!map) {
  console.error("usage: node frames.mjs SERVER MAP [SECONDS]");
  process.exit(2);
}
const browser = await puppeteer.launch({ args: ["--no-sandbox", "--disable-gpu", "--disable-3d-apis"],
  executablePath: process.env.BELLMARK_BROWSER || "/usr/bin/chromium" });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  const { maps } = await (await fetch(`${server}/api/maps`)).json();
  const { bounds: [west, south, east, north] } = maps.find(({ name }) => name === map);
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  console.log(await browser.version());
  console.log("| zoom | frames | median | 99 % | longest | over 33.4 ms |\n| ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const zoom of [9, 10, 11, 12, 13, 14, 16]) {
    await page.goto("about:blank");
    await page.goto(`${server}/#map=${map}&view=${x},${y},${zoom}`);
    await page.waitForNetworkIdle();
    const times = await panned(page, Number(seconds));
    const at = (part) => `${times[Math.floor((times.length - 1) * part)].toFixed(1)} ms`;
    const long = times.filter((time) => time > 33.4).length;
    console.log(`| ${zoom} | ${times.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | ${long} |`);
  }
} finally {
  await browser.close();
}

async function panned(page, duration) {
  await page.evaluate(() => {
    const dot = document.body.appendChild(document.createElement("div"));
    dot.style = "position: fixed; width: 2px; height: 2px; background: red; will-change: transform";
    const frame = (now) => {
      dot.style.transform = `translateX(${now % 100}px)`;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await page.tracing.start({ categories: ["-*", "viz"] });
  const end = Date.now() + duration * 1000;
  for (let stroke = 0; Date.now() < end; stroke += 1) {
    const [across, down] = [[-1, 0], [0, -1], [1, 0], [0, 1]][stroke % 4];
    await page.mouse.move(830 - 300 * across, 400 - 300 * down);
    await page.mouse.down();
    await page.mouse.move(830 + 300 * across, 400 + 300 * down, { steps: 40 });
    await page.mouse.up();
  }
  const { traceEvents } = JSON.parse(Buffer.from(await page.tracing.stop()).toString());
  const drawn = traceEvents.filter(({ name, ph }) => name === "Display::DrawAndSwap" && ph === "X")
    .map(({ ts }) => ts / 1000).sort((a, b) => a - b);
  return drawn.slice(1).map((time, at) => time - drawn[at]).sort((a, b) => a - b);
}
