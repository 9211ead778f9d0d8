// A report's pages in a browser, as readers see them. BELLMARK_PAGES names the pages, one a line, and BELLMARK_BROWSER
// the browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(`${process.cwd()}/`)); // packages lie there, not beside us
const puppeteer = require("puppeteer-core");
const axe = require("axe-core").source;

const pages = process.env.BELLMARK_PAGES.split("\n");
const WIDTHS = [390, 768, 1280, 1920];
let browser;

before(async () => {
  browser = await puppeteer.launch({ executablePath: process.env.BELLMARK_BROWSER,
    args: ["--no-sandbox"] });
});
after(() => browser.close());

async function open(path, { script = true } = {}) {
  const page = await browser.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) page.faults.push(`asked for ${request.url()}`);
  });
  await page.setViewport({ width: 1280, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  await page.setJavaScriptEnabled(script);
  await page.goto(pathToFileURL(path).href);
  assert.deepEqual(page.faults, [`asked for ${pathToFileURL(path).href}`]);
  page.faults = [];
  return page;
}

// The figures, each drawn as when a reader reaches it.
async function figuresOf(page) {
  // Folded figures are never seen, and never drawn.
  await page.evaluate(() => document.querySelectorAll("details:has(figure)").forEach((d) => { d.open = true; }));
  const figures = await page.$$("figure.chart:has(> script)");
  for (const figure of figures) await drawn(figure);
  return figures;
}

async function drawn(figure) {
  await figure.evaluate((own) => own.scrollIntoView({ block: "center" }));
  await figure.waitForSelector(".chart-plot svg path");
}

const sceneOf = (figure) => figure.$eval(":scope > script", (script) => JSON.parse(script.textContent));
const shapesOf = (figure) => figure.$eval(".chart-plot svg", (svg) => svg.innerHTML);

for (const path of pages) {
  test(path.split("/").at(-2), async (own) => {
    const page = await open(path);
    const figures = await figuresOf(page);
    assert.ok(figures.length > 0, "a page of figures");
    await own.test("nothing is wider than the page", () => isNarrow(page, figures));
    await own.test("points say their values", () => sayValues(page, figures));
    await own.test("points lead to samples by the keyboard", () => leadToSamples(page, figures));
    await own.test("the legend toggles series", () => toggleSeries(page, figures));
    await own.test("a button changes the scale", () => changeScale(figures));
    await own.test("accessibility", () => isAccessible(page));
    await own.test("dark mode while the page is open", () => becomesDark(page, figures));
    await own.test("accessibility of dark pages", () => isAccessible(page));
    assert.deepEqual(page.faults, []);
    await page.close();
    await own.test("pictures without a script", () => hasPictures(path));
  });
}

async function isNarrow(page, figures) {
  for (const width of WIDTHS) {
    await page.setViewport({ width, height: 900 });
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); }));
    for (const figure of figures) {
      const [plot, chart] = await figure.$eval(".chart-plot", (box) => (
        [box.clientWidth, box.querySelector("svg").clientWidth]));
      assert.equal(chart, plot, "charts are as wide as there is room");
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide at ${width}`);
  }
  await page.setViewport({ width: 1280, height: 900 });
}

async function sayValues(page, figures) {
  for (const figure of figures) {
    await drawn(figure);
    const { kind, title } = await sceneOf(figure);
    const values = await valuesOf(figure);
    const said = await hovered(page, figure);
    assert.ok(values.includes(said), `${kind} ${title}: ${said} is one of ${values.slice(0, 9)}`);
  }
}

async function leadToSamples(page, figures) {
  for (const figure of figures) {
    const button = await figure.$(".chart-table button");
    if (!button) continue;
    await button.focus();
    await page.keyboard.press("Enter");
    await figure.waitForSelector(".chart-samples-plot svg path");
    assert.match(await figure.$eval(".chart-samples", (box) => box.textContent), /median .* blocks/);
    await page.keyboard.press("Enter"); // the focus is on `Close`
    assert.ok(await figure.$eval(".chart-samples", (box) => box.hidden));
  }
}

async function toggleSeries(page, figures) {
  for (const figure of figures) {
    const entry = await figure.$(".chart-legend button");
    if (!entry) continue;
    const pressed = () => entry.evaluate((own) => own.getAttribute("aria-pressed"));
    const before = await shapesOf(figure);
    await entry.focus();
    await page.keyboard.press("Space");
    assert.equal(await pressed(), "false");
    assert.notEqual(await shapesOf(figure), before);
    await page.keyboard.press("Space");
    assert.equal(await pressed(), "true");
  }
}

async function changeScale(figures) {
  for (const figure of figures) {
    const button = await figure.$(".chart-buttons button");
    if (!button) continue;
    const said = () => button.evaluate((own) => own.textContent);
    const before = [await shapesOf(figure), await said()];
    await button.evaluate((own) => own.click());
    assert.notEqual(await said(), before[1]);
    // Equal values have one colour on either scale.
    const scene = await sceneOf(figure);
    const values = new Set(scene.series.flatMap(({ points }) => points.map(({ y }) => y)));
    if (values.size > 2) assert.notEqual(await shapesOf(figure), before[0]);
  }
}

async function becomesDark(page, figures) {
  const light = await shapesOf(figures[0]);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.waitForFunction((own, before) => own.querySelector(".chart-plot svg").innerHTML !== before,
    {}, figures[0], light);
  assert.match(await shapesOf(figures[0]), /#e6e9ed/, "dark pages' ink");
}

async function isAccessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run("figure.chart", { resultTypes: ["violations"] }));
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]), []);
}

async function hasPictures(path) {
  const page = await open(path, { script: false });
  for (const picture of await page.$$("figure.chart > img")) {
    const { alt, width, shown } = await picture.evaluate((img) => (
      { alt: img.alt, width: img.naturalWidth, shown: img.getClientRects().length || img.closest("details") }));
    assert.ok(alt.length > 20 && width > 100 && shown);
  }
  await page.close();
}

async function valuesOf(figure) {
  await figure.$eval(".chart-table summary", (own) => own.click());
  await figure.waitForSelector(".chart-table tbody tr");
  return figure.$$eval(".chart-table tbody tr", (rows) => rows.map((row) => row.children[2].textContent));
}

// The tip's first line for the first point that the pointer meets.
async function hovered(page, figure) {
  const box = await (await figure.$(".chart-plot")).boundingBox();
  const marks = await figure.$$eval(".chart-plot svg path", (paths) => paths
    .filter((path) => !["none", "transparent", null].includes(path.getAttribute("fill")))
    .map((path) => path.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x + width / 2, y + height / 2]));
  marks.push([box.x + box.width / 2, box.y + box.height / 2]); // lines are met from anywhere
  for (const [left, top] of marks) {
    await page.mouse.move(left, top);
    await new Promise((done) => setTimeout(done, 30));
    const said = await figure.evaluate((own) => {
      const tip = own.querySelector(".chart-tip");
      return tip && getComputedStyle(tip.parentElement).visibility !== "hidden"
        ? tip.querySelector("strong")?.textContent : null;
    });
    if (said) return said;
  }
  return null;
}
