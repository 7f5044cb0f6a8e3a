// Pictures and reports: the page exports what the command line draws, and a report needs no scripts.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { barriers, Bench, picture, program } from "./bench.mjs";
import { finish, openFile, panel, row, verdict } from "./person.mjs";
import * as scripts from "./scripts.mjs";

let bench;

before(async () => { bench = await Bench.open({ "spoons.csp": scripts.spoons, "lib/spoon.csp": scripts.spoon, "kinds.csp": scripts.kinds }); });

after(async () => { await bench?.close(); });

async function exported(page) {
  const [file] = await Promise.all([page.waitForEvent("download"), panel(page).getByRole("button", { name: "SVG" }).click()]);
  return fs.readFileSync(await file.path(), "utf8");
}

const drawn = (...more) => execFileSync(program, ["draw", "spoons.csp", ...more], { cwd: bench.folder, encoding: "utf8" });

test("the page exports the bytes that `tracehound draw` writes: plain, collapsed, and with a run", async () => {
  const page = await bench.tabAt("#/f/spoons.csp");
  await row(page, 1).waitFor();
  await page.keyboard.press("Shift+F5");
  await verdict(page, 4, "holds");
  await page.goto(bench.link("#/f/spoons.csp/graph?process=TABLE"));
  const svg = panel(page).getByRole("img", { name: /states in layers/ });
  await svg.waitFor();
  assert.equal(await exported(page), drawn("TABLE"));
  await panel(page).getByLabel("collapse").selectOption("wbisim");
  await panel(page).getByText(/\(of \d+ states/).waitFor();
  assert.equal(await exported(page), drawn("TABLE", "--compress", "wbisim"));
  await panel(page).getByLabel("collapse").selectOption("none");
  await panel(page).getByLabel(/^run/).selectOption("1");
  await panel(page).locator("g.edge.way").first().waitFor();
  assert.equal(await exported(page), drawn("TABLE", "--highlight", "1"));
  for (const [kind, beginning] of [["PNG", "\x89PNG"], ["DOT", "digraph"], ["AUT", "des ("]]) {
    const [file] = await Promise.all([page.waitForEvent("download"), panel(page).getByRole("button", { name: kind }).click()]);
    assert.ok(fs.readFileSync(await file.path(), "latin1").startsWith(beginning), kind);
  }
  await finish(page);
});

test("a report is read from the disk with scripts disabled, every link in it works, and it asks nobody for anything", async () => {
  const { status } = spawnSync(program, ["check", "spoons.csp", "kinds.csp", "--report", "report.html", "--steps", "list"], { cwd: bench.folder });
  assert.equal(status, 1);
  for (const dark of [false, true]) {
    const context = await bench.browser.newContext({ javaScriptEnabled: false, colorScheme: dark ? "dark" : "light", viewport: { width: 1200, height: 900 } });
    const page = await context.newPage();
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`file://${path.join(bench.folder, "report.html")}`);
    await page.getByText("TABLE :[deadlock free [F]]").first().waitFor();
    assert.equal(requests.length, 1, String(requests));
    await picture(page, `report-${dark ? "dark" : "light"}`);
    const anchors = await page.locator("a[href]").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    assert.ok(anchors.length > 10);
    const ids = new Set(await page.locator("[id]").evaluateAll((all) => all.map((one) => one.id)));
    for (const anchor of anchors) assert.ok(anchor.startsWith("#") && ids.has(decodeURIComponent(anchor.slice(1))), anchor);
    await context.close();
  }
  // A second look with scripts, for axe only: the page itself has none.
  const context = await bench.browser.newContext();
  const page = await context.newPage();
  await page.goto(`file://${path.join(bench.folder, "report.html")}`);
  assert.equal(await page.locator("script:not([type='application/json'])").count(), 0);
  assert.deepEqual(await barriers(page), []);
  await context.close();
});
