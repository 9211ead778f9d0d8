// The page of `bellmark serve` in a browser, as people use it. BELLMARK_SERVER is the server's address. BELLMARK_ROADS
// is JSON: the map's name, its three files and a view of it with roads everywhere. BELLMARK_BROWSER is the browser.
// With BELLMARK_FULL set, longer tests run too.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { distancesFrom, readRoads } from "./oracle.mjs";

const require = createRequire(pathToFileURL(`${process.cwd()}/`)); // packages lie there, not beside us
const puppeteer = require("puppeteer-core");
const axe = require("axe-core").source;

const server = process.env.BELLMARK_SERVER;
const { name, view, ...files } = JSON.parse(process.env.BELLMARK_ROADS);
const full = { skip: process.env.BELLMARK_FULL ? false : "in ./check --full" };
const roads = readRoads(files);
let browser;

before(async () => {
  browser = await puppeteer.launch({ executablePath: process.env.BELLMARK_BROWSER, args: ["--no-sandbox"] });
});
after(() => browser.close());

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

async function open({ hash = "", viewport = DESK, scheme = "light", motion = "no-preference" } = {}) {
  const page = await browser.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${server}/`) && !request.url().startsWith("data:")) {
      page.faults.push(`asked for ${request.url()}`);
    }
  });
  page.answers = { route: [], reach: [], search: [] };
  page.on("response", async (response) => {
    const asked = new URL(response.url()).pathname.match(/^\/api\/(route|reach|search)$/);
    if (!asked || !response.ok()) return;
    const answer = await response.json().catch(() => null); // the page may be closed by then
    if (answer) page.answers[asked[1]].push(answer);
  });
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme },
    { name: "prefers-reduced-motion", value: motion }]);
  await page.goto(`${server}/#map=${name}${view && !/view=|points=/.test(hash) ? `&view=${view}` : ""}${hash}`);
  await page.waitForSelector("#map-left .leaflet-tile-loaded");
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.close();
}

// Points at parts of the map's width and height, on the screen.
async function at(page, across, down, id = "map-left") {
  const box = await (await page.$(`#${id}`)).boundingBox();
  return [box.x + box.width * across, box.y + box.height * down];
}
const click = async (page, across, down) => page.mouse.click(...await at(page, across, down));

async function middleOf(page, selector) {
  const box = await (await page.waitForSelector(selector)).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function drag(page, from, ...through) {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (const place of through) await page.mouse.move(...place, { steps: 5 });
  await page.mouse.up();
}

// The lengths that the page shows, by metric, after the last answer with `count` points.
async function lengths(page, count) {
  const show = () => page.$$eval("#routes th[data-metric]", (heads) => heads.filter((head) => head.checkVisibility())
    .map(({ dataset }) => [dataset.metric, Number(dataset.length)]));
  for (let tries = 0; tries < 200; tries += 1) {
    const last = page.answers.route.at(-1);
    const shown = await show();
    const told = last?.routes.map((route) => [route.metric, route[route.metric]]);
    const points = await page.$$eval("#points li", (rows) => rows.length);
    if (last?.points.length === count && points === count && JSON.stringify(told) === JSON.stringify(shown)) {
      await quiet(page);
      if (last === page.answers.route.at(-1)) return Object.fromEntries(shown);
    }
    await new Promise((done) => { setTimeout(done, 25); });
  }
  const alert = await page.$eval("#alert", (own) => own.textContent);
  throw new Error(`no route through ${count} points: ${alert} ${JSON.stringify(await show())}`);
}

const quiet = (page) => page.waitForNetworkIdle({ idleTime: 60, timeout: 10000 });

// The expected lengths, by the files of the roads.
function expected(page, metric, closed = []) {
  const vertices = page.answers.route.at(-1).points.map(({ vertex }) => vertex);
  return vertices.slice(1).reduce((sum, vertex, leg) => (
    sum + distancesFrom(roads, vertices[leg], metric, closed)[vertex]), 0);
}

const closedOn = (page) => page.evaluate(() => (
  (new URLSearchParams(location.hash.slice(1)).get("closed") ?? "").split("|").filter(Boolean)
    .map((ring) => ring.split(";").map((corner) => corner.split(",").map(Number)))));

// Half-way along the route, on the screen.
const onRoute = (page) => page.$eval("path.route", (path) => {
  const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
  const on = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
  return [on.x, on.y];
});

async function twoClicks(page) {
  await click(page, 0.3, 0.7);
  await click(page, 0.7, 0.3);
  return lengths(page, 2);
}

test("two clicks draw the shortest route; dragging the goal changes it; undo takes it back", async () => {
  const page = await open();
  const first = await twoClicks(page);
  assert.equal(first.distance, expected(page, "distance"));
  assert.ok(await page.$("path.route.is-distance"));
  await drag(page, await middleOf(page, ".point.is-goal"), await at(page, 0.7, 0.7));
  const second = await lengths(page, 2);
  assert.equal(second.distance, expected(page, "distance"));
  assert.notEqual(second.distance, first.distance);
  await page.click("#undo");
  assert.deepEqual(await lengths(page, 2), first);
  await page.click("#redo");
  assert.deepEqual(await lengths(page, 2), second);
  await close(page);
});

test("the route is dragged over a via point, which is moved and removed", async () => {
  const page = await open();
  const direct = await twoClicks(page);
  const [x, y] = await onRoute(page);
  await page.mouse.move(x + 2, y, { steps: 3 });
  await drag(page, await middleOf(page, ".handle"), await at(page, 0.75, 0.75));
  const around = await lengths(page, 3);
  assert.equal(around.distance, expected(page, "distance"));
  assert.ok(around.distance > direct.distance);
  assert.equal(await page.$eval(".point.is-via", (own) => own.textContent), "1");
  await page.click("#remove-1");
  assert.deepEqual(await lengths(page, 2), direct);
  await close(page);
});

test("a third click asks for its meaning", full, async () => {
  const page = await open();
  await twoClicks(page);
  await click(page, 0.5, 0.8);
  const words = await page.$$eval(".ask button", (buttons) => buttons.map(({ textContent }) => textContent));
  assert.deepEqual(words, ["Start here", "Via here", "Goal here"]);
  await page.evaluate(() => [...document.querySelectorAll(".ask button")][1].click());
  const { distance } = await lengths(page, 3);
  assert.equal(distance, expected(page, "distance"));
  await close(page);
});

test("distance and time, both at once, differ where they should", async () => {
  const page = await open();
  await twoClicks(page);
  await page.click("input[value=both]");
  for (let tries = 0; tries < 200 && (await page.$$("#routes th[data-metric]")).length < 2; tries += 1) await quiet(page);
  const both = await lengths(page, 2);
  assert.deepEqual(both, { distance: expected(page, "distance"), time: expected(page, "time") });
  const [shortest, fastest] = page.answers.route.at(-1).routes;
  assert.ok(shortest.distance < fastest.distance && fastest.time < shortest.time, "the map has two best ways");
  assert.equal((await page.$$("path.route.is-distance, path.route.is-time")).length, 2);
  await close(page);
});

test("roads closed by hand move the route, and opened ones let it back", async () => {
  const page = await open();
  const before = await twoClicks(page);
  await page.click("#draw");
  const [x, y] = await onRoute(page);
  await drag(page, [x - 25, y - 25], [x + 25, y - 25], [x + 25, y + 25], [x - 25, y + 25], [x - 25, y - 20]);
  const closed = await lengths(page, 2);
  const rings = await closedOn(page);
  assert.equal(rings.length, 1);
  assert.equal(closed.distance, expected(page, "distance", rings));
  assert.ok(closed.distance > before.distance);
  await page.click("#closed button");
  assert.deepEqual(await lengths(page, 2), before);
  await close(page);
});

test("contours hold the reached vertices", async () => {
  const page = await open();
  await click(page, 0.5, 0.5);
  await page.click("#tab-reach");
  await page.waitForSelector("path.contour");
  await quiet(page);
  const answer = page.answers.reach.at(-1);
  const from = distancesFrom(roads, answer.properties.start.vertex, "distance");
  const within = answer.features.map(({ properties: { limit } }) => from.filter((own) => own <= limit).length);
  assert.deepEqual(answer.features.map(({ properties }) => properties.vertex_count), within);
  const shown = await page.$$eval("#contours td", (cells) => cells.map(({ textContent }) => Number(textContent.replaceAll(",", ""))));
  assert.deepEqual(shown, within.toReversed());
  assert.ok(shown[0] > 1 && shown[0] < shown[2]);
  await close(page);
});

async function watched(page, left, right) {
  await page.select("#left", left);
  await page.select("#right", right);
  await page.select("#speed", "4");
  const before = page.answers.search.length;
  await page.click("#watch");
  await page.waitForFunction(() => document.getElementById("progress").value === "1000", { timeout: 60000 });
  await quiet(page);
  assert.equal(page.answers.search.length, before + 2);
  const answers = page.answers.search.slice(-2);
  const counts = await page.$$eval(".count", (lines) => lines.map(({ dataset, textContent }) => (
    { shown: Number(dataset.shown), text: textContent })));
  counts.forEach(({ shown, text }, side) => {
    const answer = answers[side];
    assert.equal(shown, answer.vertices.length);
    if (!answer.is_cut) assert.equal(shown, answer.settled_count);
    assert.ok(text.includes(`of ${answer.settled_count.toLocaleString("en-US")} settled`), text);
    const { [answer.goal.vertex]: best } = distancesFrom(roads, answer.start.vertex, answer.metric);
    assert.equal(answer.length, best, answer.variant);
  });
  return answers;
}

const variantsOf = (page) => page.$$eval("#left option", (options) => options.map(({ value }) => value));

test("two searches are watched, and all that they settle is drawn", async () => {
  const page = await open();
  await twoClicks(page);
  await page.click("#tab-search");
  const variants = await variantsOf(page);
  const [one, other] = [variants.find((own) => own.startsWith("p2p/dijkstra")),
    variants.find((own) => own.startsWith("p2p/bidirectional"))];
  await watched(page, one, other);
  const painted = await page.$$eval("canvas.search", (all) => all.map((canvas) => canvas.getContext("2d")
    .getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0)));
  assert.deepEqual(painted, [true, true]);
  const half = await page.$eval("#progress", (own) => {
    own.value = "500";
    own.dispatchEvent(new Event("input"));
    return [...document.querySelectorAll(".count")].map(({ dataset }) => Number(dataset.shown));
  });
  const most = Math.max(...page.answers.search.map(({ vertices }) => vertices.length));
  assert.deepEqual(half, page.answers.search.map(({ vertices }) => Math.min(Math.round(most / 2), vertices.length)));
  await close(page);
});

test("a link has the plan and the view", async () => {
  const page = await open();
  await twoClicks(page);
  await page.click("#close-middle");
  await page.click("input[value=time]");
  await lengths(page, 2);
  const hash = await page.evaluate(() => location.hash);
  const other = await open({ hash: `&${hash.slice(1)}` });
  assert.deepEqual(await lengths(other, 2), await lengths(page, 2));
  assert.equal(await other.evaluate(() => location.hash), hash);
  await close(page);
  await close(other);
});

test("a link with nonsense opens the map", full, async () => {
  for (const hash of ["&points=1,2,3;x&closed=0,0;1|%zz&limit=-3&view=a,1,2&tab=none&metric=none&left=none",
    `&points=${Array(40).fill("1,1").join(";")}&tab=search`, "&map=<img src=x onerror=\"document.title='run'\">"]) {
    const page = await open({ hash });
    assert.equal(await page.$eval("#maps", (own) => own.value), name);
    assert.notEqual(await page.title(), "run");
    assert.ok((await page.$$("#points li")).length <= 27);
    await close(page);
  }
});

test("all of a route by the keyboard", async () => {
  const page = await open();
  await page.focus("#map-left");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await page.evaluate(() => new Promise((done) => { setTimeout(done, 400); })); // the map has moved
  await page.keyboard.press("Enter");
  const first = await lengths(page, 2);
  assert.equal(first.distance, expected(page, "distance"));
  await page.focus(".point.is-goal");
  for (let step = 0; step < 10; step += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.down("Shift");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.up("Shift");
  const second = await lengths(page, 2);
  assert.equal(second.distance, expected(page, "distance"));
  assert.notEqual(second.distance, first.distance);
  await page.keyboard.press("Delete");
  assert.equal(await page.$$eval("#points li", (rows) => rows.length), 1);
  await page.keyboard.down("Control");
  await page.keyboard.press("z");
  await page.keyboard.up("Control");
  assert.deepEqual(await lengths(page, 2), second);
  await close(page);
});

test("on a phone, by touch", async () => {
  const page = await open({ viewport: PHONE });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.touchscreen.tap(...await at(page, 0.35, 0.7));
  await page.touchscreen.tap(...await at(page, 0.65, 0.3));
  const { distance } = await lengths(page, 2);
  assert.equal(distance, expected(page, "distance"));
  for (const tab of ["reach", "search", "route"]) {
    await page.$eval(`#tab-${tab}`, (own) => own.click());
    assert.ok(await wide() <= 0, `${await wide()} pixels too wide: ${tab}`);
  }
  const small = await page.$$eval("button, select, .point", (all) => all.filter((own) => own.checkVisibility())
    .filter((own) => own.getBoundingClientRect().height < 24).map((own) => own.outerHTML));
  assert.deepEqual(small, []);
  await close(page);
});

test("refusals of the server are shown in sentences", async () => {
  const page = await open();
  await twoClicks(page);
  await page.$eval("#place-1", (own) => { own.value = "0, 0"; own.dispatchEvent(new Event("change")); });
  const told = () => page.$eval("#alert", (own) => own.textContent);
  await page.waitForFunction(() => document.getElementById("alert").textContent !== "");
  assert.match(await told(), /^[A-Z].*\d.*\.$/);
  await page.$eval("#place-1", (own) => { own.value = "north"; own.dispatchEvent(new Event("change")); });
  assert.match(await told(), /“north” is no place/);
  await page.click("#undo");
  await lengths(page, 2);
  assert.equal(await told(), "");
  await close(page);
});

for (const [scheme, when] of [["light", {}], ["dark", full]]) {
  test(`accessibility, ${scheme}`, when, async () => {
    const page = await open({ scheme, motion: "reduce" });
    await twoClicks(page);
    await page.click("#close-middle");
    await page.evaluate(axe);
    for (const tab of ["route", "reach", "search"]) {
      await page.click(`#tab-${tab}`);
      await quiet(page);
      const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => [tab, id, nodes[0].html, nodes[0].failureSummary]), []);
    }
    await close(page);
  });
}

test("every variant can be watched", full, async () => {
  const page = await open();
  await twoClicks(page);
  await page.click("#tab-search");
  const variants = await variantsOf(page);
  assert.ok(variants.length > 4);
  for (const variant of variants) await watched(page, variants[0], variant);
  await close(page);
});

test("nothing is wider than the page", full, async () => {
  const page = await open();
  await twoClicks(page);
  await page.click("input[value=both]");
  for (const tab of ["route", "reach", "search"]) {
    await page.click(`#tab-${tab}`);
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewport({ width, height: 900 });
      await quiet(page);
      const [own, panel] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth,
        document.getElementById("panel").scrollWidth - document.getElementById("panel").clientWidth]);
      assert.ok(own <= 0 && panel <= 0, `${own} and ${panel} pixels too wide at ${width}: ${tab}`);
    }
  }
  await close(page);
});

test("twenty-five via points and no more", full, async () => {
  const first = await open();
  await twoClicks(first);
  const [from, to] = await first.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("points").split(";")
    .map((point) => point.split(",").map(Number)));
  await close(first);
  const places = [...Array(27).keys()].map((step) => (
    from.map((value, axis) => (value + (to[axis] - value) * step / 26).toFixed(5)).join(",")));
  const page = await open({ hash: `&points=${places.join(";")}` });
  const { distance } = await lengths(page, 27);
  assert.equal(distance, expected(page, "distance"));
  await click(page, 0.5, 0.9);
  const words = await page.$$eval(".ask button", (buttons) => buttons.map(({ textContent }) => textContent));
  assert.deepEqual(words, ["Start here", "Goal here"]);
  await close(page);
});
