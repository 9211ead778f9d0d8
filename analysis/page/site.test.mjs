// A site in a browser, as readers use it. BELLMARK_SITE is its folder, BELLMARK_SITE_PAGES names pages of it, one a
// line, and BELLMARK_BROWSER is the browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(`${process.cwd()}/`)); // packages lie there, not beside us
const puppeteer = require("puppeteer-core");
const axe = require("axe-core").source;

const PAGES = process.env.BELLMARK_SITE_PAGES.split("\n");
let browser;

before(async () => {
  browser = await puppeteer.launch({ executablePath: process.env.BELLMARK_BROWSER,
    args: ["--no-sandbox"] });
});
after(() => browser.close());

async function open(file, scheme = "light") {
  const page = await browser.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("console", (said) => { if (said.type() === "error") page.faults.push(said.text()); });
  page.on("request", (request) => {
    if (!/^(data|file):/.test(request.url())) page.faults.push(`asked for ${request.url()}`);
  });
  await page.setViewport({ width: 1280, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(pathToFileURL(join(process.env.BELLMARK_SITE, file)).href);
  return page;
}

const shown = (page) => page.$$eval("table tbody tr", (rows) => rows.filter((row) => row.checkVisibility()).map((row) => row.innerText));

for (const file of PAGES) {
  test(`${file}: nothing is wider than the page`, async () => {
    const page = await open(file);
    for (const width of [390, 768, 1280, 1920]) {
      await page.setViewport({ width, height: 900 });
      // Figures follow a new width a few frames later.
      await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, { timeout: 5000 })
        .catch(async () => assert.fail(`${await page.evaluate(() => document.documentElement.scrollWidth)} of ${width}`));
    }
    assert.deepEqual(page.faults, []);
    await page.close();
  });

  for (const scheme of ["light", "dark"]) {
    test(`${file}: accessibility, ${scheme}`, async () => {
      const page = await open(file, scheme);
      await page.evaluate(axe);
      const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(found.violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
      await page.close();
    });
  }
}

test("rows are filtered by words and choices, with the keyboard", async () => {
  const page = await open("index.html");
  const all = await shown(page);
  assert.ok(all.length > 5);
  await page.focus(".filters input");
  await page.keyboard.type("suzuki");
  const own = await shown(page);
  assert.ok(own.length > 0 && own.length < all.length);
  assert.ok(own.every((row) => row.includes("suzuki")));
  assert.match(await page.$eval(".filters span", (count) => count.textContent),
    new RegExp(`^${own.length} of ${all.length} rows$`));
  await page.$eval(".filters input", (input) => { input.value = ""; input.dispatchEvent(new Event("input")); });
  assert.equal((await shown(page)).length, all.length);
  await page.select('select[aria-label="Verdict"]', "reproduced");
  const badges = await page.$$eval("tbody tr", (rows) => rows.filter((row) => row.checkVisibility())
    .map((row) => row.querySelector(".badge").innerText));
  assert.ok(badges.length > 0 && badges.every((badge) => badge === "reproduced"), `${badges}`);
  await page.close();
});

test("rows are sorted by their numbers, with the keyboard", async () => {
  const page = await open("experiments.html");
  const column = await page.$$eval("thead th", (heads) => heads.findIndex((head) => head.innerText === "Results"));
  const numbers = () => page.$$eval("tbody tr", (rows, at) => rows.map((row) => Number(row.cells[at].innerText)), column);
  const up = (await numbers()).sort((one, other) => one - other);
  const button = (await page.$$("thead th button"))[column];
  await button.focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await numbers(), up);
  assert.equal(await page.$eval("th[aria-sort]", (head) => head.getAttribute("aria-sort")), "ascending");
  await page.keyboard.press("Enter");
  assert.deepEqual(await numbers(), up.reverse());
  await page.close();
});

test("a claim leads to its card, its experiment and its result", async () => {
  const page = await open("index.html");
  await Promise.all([page.waitForNavigation(), page.click(".board tbody a")]);
  assert.match(page.url(), /claim-[^#]*\.html#claim-/);
  assert.ok(await page.$eval(":target", (card) => card.className === "claim"));
  assert.ok(await page.$('.claim a[href^="experiment-"]'));
  assert.ok(await page.$('.claim a[href^="results/"]'));
  await page.close();
});
