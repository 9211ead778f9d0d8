// A report's pages as readers see them, in a browser. BELLMARK_PAGES names the pages, one a line, and
// BELLMARK_BROWSER the browser.

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

async function open(path, { width = 1280, scheme = "light", script = true } = {}) {
  const page = await browser.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) page.faults.push(`asked for ${request.url()}`);
  });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setJavaScriptEnabled(script);
  await page.goto(pathToFileURL(path).href);
  assert.deepEqual(page.faults, [`asked for ${pathToFileURL(path).href}`]);
  page.faults = [];
  return page;
}

// The figures, each drawn as it is when a reader has come to it.
async function figuresOf(page) {
  // What is folded away is never seen, and never drawn.
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
  const name = path.split("/").at(-2);

  test(`${name}: every figure is drawn, and nothing is wider than the page`, async () => {
    const page = await open(path, { width: WIDTHS[0] });
    const figures = await figuresOf(page);
    assert.ok(figures.length > 0, "a page of figures");
    for (const width of WIDTHS) {
      await page.setViewport({ width, height: 900 });
      await page.evaluate(() => new Promise(requestAnimationFrame));
      for (const figure of figures) {
        const [plot, chart] = await figure.$eval(".chart-plot", (own) => (
          [own.clientWidth, own.querySelector("svg").clientWidth]));
        assert.equal(chart, plot, "charts are as wide as there is room");
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide at ${width}`);
    }
    assert.deepEqual(page.faults, []);
    await page.close();
  });

  test(`${name}: a point says its value and interval, and leads to its samples`, async () => {
    const page = await open(path);
    for (const figure of await figuresOf(page)) {
      await drawn(figure);
      const values = await valuesOf(figure);
      const said = await hovered(page, figure);
      assert.ok(values.includes(said), `${said} is one of ${values.slice(0, 9)}`);
      const button = await figure.$(".chart-table button");
      if (!button) continue;
      await button.focus();
      await page.keyboard.press("Enter");
      await figure.waitForSelector(".chart-samples-plot svg path");
      assert.match(await figure.$eval(".chart-samples", (box) => box.textContent), /median .* blocks/);
      await page.keyboard.press("Enter"); // the focus is on `Close`
      assert.ok(await figure.$eval(".chart-samples", (box) => box.hidden));
    }
    assert.deepEqual(page.faults, []);
    await page.close();
  });

  test(`${name}: names in the legend toggle their series, and a button the scale`, async () => {
    const page = await open(path);
    for (const figure of await figuresOf(page)) {
      const entry = await figure.$(".chart-legend button");
      if (entry) {
        const before = await shapesOf(figure);
        await entry.focus();
        await page.keyboard.press("Space");
        assert.equal(await entry.evaluate((own) => own.getAttribute("aria-pressed")), "false");
        assert.notEqual(await shapesOf(figure), before);
        await page.keyboard.press("Space");
        assert.equal(await entry.evaluate((own) => own.getAttribute("aria-pressed")), "true");
      }
      const scale = await figure.$(".chart-buttons button");
      if (!scale) continue;
      const before = [await shapesOf(figure), await scale.evaluate((own) => own.textContent)];
      await scale.evaluate((own) => own.click());
      assert.notEqual(await scale.evaluate((own) => own.textContent), before[1]);
      // Equal values have one colour on either scale.
      const scene = await sceneOf(figure);
      const values = new Set(scene.series.flatMap(({ points }) => points.map(({ y }) => y)));
      if (values.size > 2) assert.notEqual(await shapesOf(figure), before[0]);
    }
    await page.close();
  });

  test(`${name}: charts follow the dark mode while the page is open`, async () => {
    const page = await open(path);
    const [figure] = await figuresOf(page);
    const light = await shapesOf(figure);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    await page.waitForFunction((own, before) => own.querySelector(".chart-plot svg").innerHTML !== before,
      {}, figure, light);
    assert.match(await shapesOf(figure), /#e6e9ed/, "dark pages' ink");
    await page.close();
  });

  test(`${name}: without a script there are pictures with texts`, async () => {
    const page = await open(path, { script: false });
    for (const picture of await page.$$("figure.chart > img")) {
      const { alt, width, shown } = await picture.evaluate((img) => (
        { alt: img.alt, width: img.naturalWidth, shown: img.getClientRects().length || img.closest("details") }));
      assert.ok(alt.length > 20 && width > 100 && shown);
    }
    await page.close();
  });

  test(`${name}: no fault of accessibility in light and dark`, async () => {
    for (const scheme of ["light", "dark"]) {
      const page = await open(path, { scheme });
      await figuresOf(page);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => axe.run("figure.chart"));
      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]), []);
      await page.close();
    }
  });
}

async function valuesOf(figure) {
  await figure.$eval(".chart-table summary", (own) => own.click());
  await figure.waitForSelector(".chart-table tbody tr");
  return figure.$$eval(".chart-table tbody tr", (rows) => rows.map((row) => row.children[2].textContent));
}

// What the tip says first of the first point that the pointer meets.
async function hovered(page, figure) {
  const box = await (await figure.$(".chart-plot")).boundingBox();
  const marks = await figure.$$eval(".chart-plot svg path", (paths) => paths
    .filter((path) => !["none", "transparent", null].includes(path.getAttribute("fill")))
    .map((path) => path.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x + width / 2, y + height / 2]));
  const { x, y } = await figure.evaluate(() => ({ x: scrollX, y: scrollY }));
  marks.push([box.x - x + box.width / 2, box.y - y + box.height / 2]);
  for (const [left, top] of marks) {
    if (left < box.x - x || top < box.y - y) continue;
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
