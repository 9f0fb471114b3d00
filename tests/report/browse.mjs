// Opens a report in Chromium as a reader would: from disk, on a desk and on a phone, in light and in dark.
//
//   node browse.mjs CHROMIUM REPORT.html FOLDER-FOR-SCREENSHOTS
//
// Prints `ok` and what it saw, or fails with what is wrong.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import path from "node:path";
import puppeteer from "puppeteer-core";

const [chromium, report, shots] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: chromium,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
});
try {
  const page = await browser.newPage();
  const complaints = [];
  const requests = [];
  page.on("console", (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error}`));
  page.on("request", (request) => requests.push(request.url()));
  page.on("dialog", (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  const address = pathToFileURL(report).href;
  await page.setViewport({ width: 1280, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  await page.goto(address, { waitUntil: "load" });

  // What it says.
  const relations = await page.$$eval("#relations-table tbody tr", (rows) => rows.length);
  assert.ok(relations > 0, "there are relations");
  assert.equal(await page.$$eval("article.card:not(.refuted)", (cards) => cards.length), relations);
  for (const id of ["relations", "matrix", "survivors", "mutants", "convergence", "coverage", "refuted", "run"]) {
    assert.ok(await page.$(`section#${id} h2`), `a section ${id}`);
  }
  assert.ok(await page.$$eval("#convergence svg polyline, #convergence svg circle", (lines) => lines.length > 0), "plots");
  const ids = await page.$$eval("[id]", (all) => all.map((element) => element.id));
  assert.equal(new Set(ids).size, ids.length, "ids are unique");
  const dead = await page.$$eval("a[href^='#']", (links) =>
    links.map((link) => decodeURIComponent(link.hash.slice(1))).filter((id) => !document.getElementById(id)));
  assert.deepEqual(dead, [], "every link leads somewhere");
  assert.deepEqual(await page.$$eval("a[href]", (links) => links.filter((a) => !a.getAttribute("href").startsWith("#")).length), 0);
  await page.screenshot({ path: path.join(shots, "light.png") });

  // Sorting by size: down, up, and back.
  const column = async (at) => page.$$eval("#relations-table tbody tr", (rows, at) => rows.map((row) => Number(row.cells[at].textContent)), at);
  const heading = async (title) => {
    for (const button of await page.$$("#relations-table thead button")) {
      if ((await button.evaluate((b) => b.textContent)) === title) return button;
    }
    throw new Error(`no column ${title}`);
  };
  const size = await heading("Size");
  const before = await column(7);
  const sortState = () => size.evaluate((button) => button.parentElement.getAttribute("aria-sort"));
  await size.click();
  assert.equal(await sortState(), "descending");
  assert.deepEqual(await column(7), before.slice().sort((a, b) => b - a));
  await size.click();
  assert.equal(await sortState(), "ascending");
  assert.deepEqual(await column(7), before.slice().sort((a, b) => a - b));
  await size.click();
  assert.equal(await sortState(), "none");
  assert.deepEqual(await column(7), before);

  // Filtering relations hides rows and cards, and says how many are left.
  const formula = await page.$eval("#relations-table tbody tr:last-child code", (code) => code.textContent);
  const field = await page.$("input[data-filter=relations-table]");
  await field.type(formula);
  const shown = await page.$$eval("#relations-table tbody tr", (rows) => rows.filter((row) => !row.hidden).length);
  const cards = await page.$$eval("#cards article", (all) => all.filter((card) => !card.hidden).length);
  assert.ok(shown >= 1 && shown <= relations, `${shown} of ${relations}`);
  assert.equal(cards, shown);
  if (relations > 1) {
    await field.type(" nothing-has-this");
    assert.equal(await page.$$eval("#relations-table tbody tr", (rows) => rows.filter((row) => !row.hidden).length), 0);
    assert.equal(await page.$eval("#relations-table-count", (output) => output.textContent), `0 of ${relations}`);
  }

  // A link of the matrix to a relation that the filter hides takes the filter away, and goes there.
  const last = await page.$eval("#matrix-table tbody tr:last-child th a", (link) => link.getAttribute("href").slice(1));
  await page.$eval("#matrix-table tbody tr:last-child th a", (link) => link.click());
  await page.waitForFunction((id) => location.hash === `#${id}` && !document.getElementById(id).hidden, {}, last);
  await page.waitForFunction((id) => {
    const box = document.getElementById(id).getBoundingClientRect();
    return box.top >= 0 && box.top < innerHeight;
  }, {}, last);
  if (relations > 1) assert.equal(await page.$eval("input[data-filter=relations-table]", (input) => input.value), "");
  await page.screenshot({ path: path.join(shots, "relation.png") });

  // The matrix: columns by words, and by what nothing kills.
  const columns = () => page.$$eval("#matrix-table thead th", (cells) => cells.slice(1).filter((cell) => !cell.hidden).length);
  const mutants = await columns();
  const first = await page.$eval("#matrix-table thead th:nth-child(2) a", (link) => link.textContent);
  await page.type("input[data-columns=matrix-table]", first);
  const fewer = await columns();
  assert.ok(fewer >= 1 && (mutants === 1 || fewer < mutants), `${fewer} of ${mutants} columns`);
  await page.$eval("input[data-columns=matrix-table]", (input) => { input.value = ""; input.dispatchEvent(new Event("input")); });
  await page.click("input[data-unkilled=matrix-table]");
  const unkilled = await columns();
  assert.equal(unkilled, await page.$$eval("#matrix-table thead th.u", (cells) => cells.length));
  await page.click("input[data-unkilled=matrix-table]");
  assert.equal(await columns(), mutants);
  const cell = await page.$("#matrix-table tbody td");
  await cell.hover();
  assert.match(await cell.evaluate((cell) => cell.title), /kill/);
  await page.$eval("#matrix", (section) => section.scrollIntoView());
  await page.screenshot({ path: path.join(shots, "matrix.png") });
  await page.$eval("#mutants", (section) => section.scrollIntoView());
  await page.screenshot({ path: path.join(shots, "mutants.png") });
  await page.$eval("#convergence", (section) => section.scrollIntoView());
  await page.screenshot({ path: path.join(shots, "convergence.png") });
  await page.$eval("#coverage", (section) => section.scrollIntoView());
  await page.screenshot({ path: path.join(shots, "rest.png") });

  // Dark: another ground, and text that stands out from it in both.
  const contrast = () => page.evaluate(() => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = getComputedStyle(document.body).backgroundColor;
    const ratios = ["body", ".note", "a[href='#matrix']", "h1"].map((selector) => {
      const [a, b] = [getComputedStyle(document.querySelector(selector)).color, ground].map(light);
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
    return { ground, least: Math.min(...ratios) };
  });
  const lightLook = await contrast();
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  const darkLook = await contrast();
  assert.notEqual(lightLook.ground, darkLook.ground);
  assert.ok(lightLook.least >= 4.5 && darkLook.least >= 4.5, JSON.stringify([lightLook, darkLook]));
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: path.join(shots, "dark.png") });

  // On a phone nothing is wider than the screen.
  await page.setViewport({ width: 375, height: 740, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
  await page.goto(address, { waitUntil: "load" });
  const wide = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const over = (element) => {
      if (element.closest(".scroll, nav, .skip")) return false;
      return element.getBoundingClientRect().right > width + 1;
    };
    return { page: document.documentElement.scrollWidth - width, width, over: Array.from(document.body.querySelectorAll("*")).filter(over).map((e) => e.outerHTML.slice(0, 120)).slice(0, 5) };
  });
  assert.deepEqual(wide, { page: 0, width: 375, over: [] });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: path.join(shots, "phone.png") });
  await page.$eval("#cards", (cards) => cards.scrollIntoView());
  await page.screenshot({ path: path.join(shots, "phone-card.png") });

  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.filter((url) => url.split("#")[0] !== address && url !== "data:,"), [], "no requests");
  console.log(`ok ${relations} relations, ${mutants} mutants in the matrix`);
} finally {
  await browser.close();
}
