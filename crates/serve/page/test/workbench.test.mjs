// A person's way through the workbench, in a real browser.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { barriers, Bench, children, picture } from "./bench.mjs";
import { finish, marked, openFile, panel, prefixes, row, verdict } from "./person.mjs";
import * as scripts from "./scripts.mjs";

let bench;

before(async () => {
  bench = await Bench.open({
    "spoons.csp": scripts.spoons, "lib/spoon.csp": scripts.spoon, "kinds.csp": scripts.kinds, "large.csp": scripts.large,
    "long.csp": scripts.long(10_000), "many.csp": scripts.many(1890), "counter.csp": scripts.counter, "binary.csp": Buffer.from([0x7f, 0x45, 0, 0xff]),
  });
});

after(async () => { await bench?.close(); });

test("the token opens the page, leaves the address, and is remembered; without it a plain page says what to do", async () => {
  const page = await bench.tab();
  await page.getByRole("heading", { name: "Open a script" }).waitFor();
  assert.ok(!page.url().includes("token"), page.url());
  await page.reload();
  await page.getByRole("heading", { name: "Open a script" }).waitFor();
  await picture(page, "home");
  const stranger = await bench.tab({ address: bench.link("") });
  await stranger.getByText("needs the address that").waitFor();
  await finish(stranger, "no-token");
  await finish(page);
});

test("a misspelled name is underlined and listed while typing, and mended by a key", async () => {
  const page = await bench.tab();
  await openFile(page, "spoons.csp");
  await page.getByText("no problems").waitFor();
  await page.locator(".cm-line", { hasText: "QUIET = TABLE" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("\nassert TABEL :[deadlock free]");
  const problems = page.locator('[data-zone="problems"]');
  await problems.getByText("TABEL").first().waitFor();
  await page.locator(".cm-lintRange-error").first().waitFor();
  await picture(page, "problem");
  await page.keyboard.press("Alt+Enter");
  await page.getByText("no problems").waitFor();
  assert.ok((await page.locator(".cm-content").textContent()).includes("assert TABLE :[deadlock free]"));
  await page.getByText("● unsaved").waitFor();
  await page.keyboard.press("Control+S");
  await page.getByText("spoons.csp is saved").waitFor();
  assert.ok(fs.readFileSync(path.join(bench.folder, "spoons.csp"), "utf8").includes("assert TABLE :[deadlock free]\n\nONCE"));
  fs.writeFileSync(path.join(bench.folder, "spoons.csp"), scripts.spoons);
  await finish(page);
});

test("from a script to a counterexample to the simulator, by mouse; prefixes are marked, also in an included file", async () => {
  const page = await bench.tab();
  await openFile(page, "spoons.csp");
  await page.getByRole("button", { name: "Check all" }).click();
  await verdict(page, 1, "fails after 6 steps");
  await verdict(page, 2, "holds");
  await verdict(page, 3, "fails");
  await verdict(page, 4, "holds");
  await row(page, 1).click();
  const table = panel(page).getByRole("table");
  assert.equal(await table.getByRole("columnheader").count(), 2 + 6);
  await panel(page).getByText("waits for", { exact: true }).waitFor();
  await panel(page).getByText("a circle of").waitFor();
  await picture(page, "deadlock");
  await table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "take.0.0" }) }).getByText("take.0.0").nth(1).click();
  await page.locator(".mark").first().waitFor();
  assert.ok((await prefixes(page)).some((text) => text.includes("take")), String(await prefixes(page)));
  await picture(page, "workbench");
  // The spoon's part of the same step is written in the other file.
  await table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "take.0.0" }) }).getByText("take.0.0").last().click();
  await page.locator(".included").waitFor();
  assert.ok((await marked(page)).some((line) => line.includes("SPOON(i) = take")), String(await marked(page)));
  await picture(page, "included");
  await panel(page).getByRole("tab", { name: "Chart" }).click();
  await panel(page).getByRole("img", { name: /chart of the run/ }).waitFor();
  await picture(page, "chart");
  await panel(page).getByRole("button", { name: "Open in simulator" }).click();
  await panel(page).getByRole("button", { name: /Next of run/ }).waitFor();
  for (let step = 0; step < 6; step++) {
    await panel(page).getByRole("button", { name: /Next of run/ }).click();
    await panel(page).getByText(new RegExp(`${step + 1}/6`)).waitFor();
  }
  await panel(page).getByText("nothing: it is stuck").waitFor();
  await panel(page).getByText("Not possible now").waitFor();
  await finish(page, "simulator");
});

test("the same by keyboard alone", async () => {
  const page = await bench.tab();
  await page.getByRole("heading", { name: "Open a script" }).waitFor();
  await page.keyboard.press("Alt+1");
  for (let tries = 0; tries < 20 && (await page.evaluate(() => document.activeElement?.textContent?.trim())) !== "spoons.csp"; tries++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await row(page, 1).waitFor();
  await page.keyboard.press("Shift+F5");
  await verdict(page, 1, "fails after 6 steps");
  await page.keyboard.press("Alt+2");
  for (let tries = 0; tries < 20 && (await page.evaluate(() => document.activeElement?.getAttribute("data-index"))) !== "1"; tries++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await panel(page).getByRole("table").waitFor();
  await page.keyboard.press("Alt+5");
  const box = panel(page).getByRole("group", { name: /steps of the run/ });
  for (let tries = 0; tries < 30 && !(await box.evaluate((element) => element === document.activeElement)); tries++) await page.keyboard.press("Tab");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  assert.match(page.url(), /\/a\/1\/step\/2\?.*cmp=DINER/);
  await page.keyboard.press("F8");
  await panel(page).getByRole("heading", { name: /^Possible/ }).waitFor();
  // It is the process of the assertion, with its counterexample ahead.
  await panel(page).getByRole("button", { name: /Next of run/ }).waitFor();
  await panel(page).getByRole("button", { name: "0 start" }).waitFor();
  await page.keyboard.press("1");
  await panel(page).getByText("1 move, ").waitFor();
  await page.keyboard.press("u");
  await panel(page).getByText("0 moves, ").waitFor();
  await panel(page).getByText("└ tried:").waitFor();
  await page.keyboard.press("Control+K");
  await page.keyboard.type("structure");
  await page.keyboard.press("Enter");
  await panel(page).getByRole("heading", { name: /Structure/ }).waitFor();
  await finish(page);
});

test("every kind of failure is shown for what it is", async () => {
  const page = await bench.tab();
  await openFile(page, "kinds.csp");
  await row(page, 1).waitFor();
  await page.keyboard.press("Shift+F5");
  for (let index = 1; index <= 8; index++) await verdict(page, index, "fails ");
  const shown = async (index, words) => {
    await row(page, index).click();
    await panel(page).locator(".end").getByText(words).first().waitFor();
    await panel(page).getByRole("button", { name: "Show in editor" }).waitFor();
  };
  await shown(1, "Then P does b");
  await panel(page).getByText("not allowed").first().waitFor();
  await picture(page, "traces");
  await shown(2, "must offer all of");
  await picture(page, "failures");
  await shown(3, "");
  await picture(page, "divergence-refinement");
  await shown(4, "Silent steps go on for ever");
  await panel(page).locator("tr[class*=loop-]").first().waitFor();
  await picture(page, "divergence");
  await shown(5, "can happen, and can be refused");
  await picture(page, "nondeterminism");
  await shown(6, "");
  await panel(page).getByRole("columnheader", { name: "position" }).waitFor();
  await panel(page).getByText("reading:").waitFor();
  await picture(page, "lasso");
  await shown(7, "Nothing can happen any more");
  await shown(8, "is not possible here");
  await finish(page);
});

test("a long check tells how far it is, and is cancelled at once; the next one runs", async () => {
  const page = await bench.tab();
  await openFile(page, "large.csp");
  await row(page, 1).waitFor();
  await page.getByRole("button", { name: "check assertion 1", exact: true }).click();
  await page.waitForFunction(() => /\d.* states, /.test(document.querySelector('[data-index="1"]')?.textContent ?? ""), undefined, { timeout: 60_000 });
  await row(page, 1).click();
  await panel(page).getByRole("status").getByText("searching").waitFor();
  await picture(page, "running");
  const start = Date.now();
  await panel(page).getByRole("button", { name: /Cancel/ }).click();
  await verdict(page, 1, "unknown: interrupted");
  const took = Date.now() - start;
  console.log(`# cancelled in ${took} ms`);
  assert.ok(took < 3000, `${took} ms`);
  await page.getByRole("button", { name: "check assertion 2", exact: true }).click();
  await verdict(page, 2, "holds");
  await finish(page, "cancelled");
});

test("a killed child leaves a red row and a living server", async () => {
  const page = await bench.tab();
  await openFile(page, "large.csp");
  await row(page, 1).waitFor();
  await page.getByRole("button", { name: "check assertion 1", exact: true }).click();
  await page.waitForFunction(() => /\d.* states, /.test(document.querySelector('[data-index="1"]')?.textContent ?? ""), undefined, { timeout: 60_000 });
  const checks = children(bench.server.pid).filter((child) => fs.readFileSync(`/proc/${child}/cmdline`, "utf8").includes("\0check\0"));
  assert.equal(checks.length, 1);
  process.kill(Number(checks[0]), "SIGKILL");
  await verdict(page, 1, "ended before its time");
  await row(page, 1).click();
  await panel(page).getByText("signal: 9").waitFor();
  await picture(page, "killed");
  await page.getByRole("button", { name: "check assertion 2", exact: true }).click();
  await verdict(page, 2, "holds");
  await finish(page);
});

test("10,000 steps and 1,890 assertions scroll", async () => {
  const page = await bench.tab();
  await openFile(page, "many.csp");
  await row(page, 1).waitFor();
  const rendered = await page.locator("[data-index]").count();
  assert.ok(rendered < 60, `${rendered} rows are made`);
  const smooth = await page.evaluate(async () => {
    const list = document.querySelector(".assertions .list");
    const start = performance.now();
    for (let at = 0; at < 60; at++) { list.scrollTop = at * 1600; await new Promise(requestAnimationFrame); }
    list.scrollTop = list.scrollHeight;
    return (performance.now() - start) / 60;
  });
  console.log(`# ${smooth.toFixed(1)} ms a frame in 1,890 assertions`);
  await row(page, 1885).waitFor();
  await openFile(page, "long.csp");
  await row(page, 1).waitFor();
  await page.keyboard.press("Shift+F5");
  await verdict(page, 1, "fails after", 400_000);
  const start = Date.now();
  await row(page, 1).click();
  await panel(page).getByRole("table").waitFor();
  console.log(`# a table of 10,000 steps in ${Date.now() - start} ms`);
  await panel(page).getByRole("button", { name: "last" }).click();
  await panel(page).getByText("tick.9999").first().waitFor();
  const frame = await page.evaluate(async () => {
    const box = document.querySelector(".box");
    const start = performance.now();
    for (let at = 0; at < 60; at++) { box.scrollTop = at * 4000; await new Promise(requestAnimationFrame); }
    return (performance.now() - start) / 60;
  });
  console.log(`# ${frame.toFixed(1)} ms a frame in 10,000 steps`);
  await finish(page, "long");
});

test("the graph: layers, a state, collapse, the way of a run; too large is said with remedies", async () => {
  const page = await bench.tabAt("#/f/spoons.csp/graph?process=ONCE");
  const svg = panel(page).getByRole("img", { name: /states in layers/ });
  await svg.waitFor();
  const box = panel(page).getByRole("group", { name: /state graph/ });
  await box.focus();
  await page.keyboard.press("ArrowDown");
  await panel(page).getByText("reached by ⟨sit").waitFor();
  await picture(page, "graph-small");
  await page.goto("about:blank");
  await page.goto(bench.link("#/f/spoons.csp/graph?process=TABLE"));
  await svg.waitFor();
  await panel(page).getByRole("button", { name: "fit" }).click();
  await picture(page, "graph");
  await panel(page).getByLabel("collapse").selectOption("wbisim");
  await panel(page).getByText(/\(of \d+ states/).waitFor();
  await picture(page, "graph-collapsed");
  const [file] = await Promise.all([page.waitForEvent("download"), panel(page).getByRole("button", { name: "SVG" }).click()]);
  assert.match(fs.readFileSync(await file.path(), "utf8"), /^<svg|^<\?xml/);
  await page.goto("about:blank");
  await page.goto(bench.link("#/f/large.csp/graph?process=SMALL"));
  await panel(page).getByText("are more than can be read").waitFor();
  await picture(page, "graph-too-large");
  await panel(page).getByRole("button", { name: "Near the start" }).click();
  await panel(page).getByText("INCOMPLETE").waitFor();
  await picture(page, "graph-incomplete");
  const start = Date.now();
  await page.goto("about:blank");
  await page.goto(bench.link("#/f/large.csp/graph?process=BIG"));
  await panel(page).getByText("INCOMPLETE").waitFor({ timeout: 60_000 });
  console.log(`# a graph without end refused in ${Date.now() - start} ms`);
  await finish(page, "graph-endless");
});

test("structure, comparison, and variables of CSP#", async () => {
  const page = await bench.tabAt("#/f/spoons.csp/structure?process=TABLE");
  await panel(page).getByText(/machines side by side/).waitFor();
  await picture(page, "structure");
  await page.goto("about:blank");
  await page.goto(bench.link("#/f/kinds.csp/compare?left=LOOP&right=P&model=T"));
  await panel(page).getByText("LOOP does less").waitFor();
  await picture(page, "compare");
  await page.goto("about:blank");
  await page.goto(bench.link("#/f/counter.csp/sim?process=Both()"));
  await panel(page).getByText("Variables").waitFor();
  await page.keyboard.press("1");
  await panel(page).locator("tr.changed", { hasText: "turn" }).waitFor();
  await finish(page, "variables");
});

test("a link restores the view, and says when the text is another one", async () => {
  const page = await bench.tabAt("#/f/spoons.csp/a/1/step/4?view=table&cmp=DINER(1)&text=00000000");
  await panel(page).locator("tr.chosen").filter({ hasText: "take.1.1" }).waitFor({ timeout: 60_000 });
  await page.getByText("another version of the text").waitFor();
  await finish(page);
});

test("two tabs edit one file", async () => {
  const one = await bench.tab(), other = await bench.tab();
  await openFile(one, "kinds.csp");
  await openFile(other, "kinds.csp");
  await one.locator(".cm-content").click();
  await one.keyboard.press("Control+Home");
  await one.keyboard.type("-- from one tab\n");
  await other.getByText("was changed in another tab").waitFor();
  // Whoever types slowly is followed piece by piece.
  await other.locator(".cm-content", { hasText: "-- from one tab" }).waitFor();
  await one.keyboard.press("Control+Z");
  await finish(one);
  await finish(other, "two-tabs");
});

test("what cannot be opened is said so, and the page goes on", async () => {
  const page = await bench.tab();
  await page.getByRole("region", { name: "files" }).getByRole("button", { name: "binary.csp" }).click();
  await page.getByText("is not a text").waitFor();
  await openFile(page, "kinds.csp");
  await finish(page, "binary");
});

test("nothing serious stands in anybody's way, in both looks, and 1024 by 700 is enough", async () => {
  for (const dark of [false, true]) {
    const page = await bench.tab({ dark, width: 1024, height: 700 });
    await page.getByRole("heading", { name: "Open a script" }).waitFor();
    const look = async (name) => {
      assert.deepEqual(await barriers(page), [], name);
      await picture(page, `axe-${name}-${dark ? "dark" : "light"}`);
    };
    await look("home");
    await openFile(page, "spoons.csp");
    await row(page, 1).waitFor();
    await page.keyboard.press("Shift+F5");
    await verdict(page, 4, "holds");
    await row(page, 1).click();
    await panel(page).getByRole("table").waitFor();
    await panel(page).getByRole("group", { name: /steps of the run/ }).press("ArrowDown");
    await look("table");
    await panel(page).getByRole("tab", { name: "Chart" }).click();
    await look("chart");
    for (const [key, heading] of [["F8", "Simulate"], ["F9", "Graph"], ["Alt+F9", "Structure"], ["Alt+F8", "Compare"]]) {
      await page.keyboard.press(key);
      await panel(page).getByRole("heading", { name: heading }).first().waitFor();
      await page.waitForTimeout(400);
      await look(heading.toLowerCase());
    }
    await openFile(page, "kinds.csp");
    await row(page, 6).waitFor();
    await row(page, 6).click();
    await panel(page).getByRole("button", { name: /^Check/ }).click();
    await panel(page).getByText("reading:").waitFor({ timeout: 60_000 });
    await look("lasso");
    await page.keyboard.press("Control+K");
    await look("palette");
    await page.keyboard.press("Escape");
    await finish(page);
  }
});

test("when the server is gone the text stays, and is sent again", async () => {
  const page = await bench.tab();
  await openFile(page, "kinds.csp");
  await page.getByText("cspm", { exact: true }).waitFor();
  bench.server.kill("SIGKILL");
  await page.getByText("The server is gone").waitFor();
  await picture(page, "gone");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("-- kept\n");
  assert.ok((await page.locator(".cm-content").textContent()).includes("-- kept"));
  // Another server has another token: a second tab of the same browser brings it.
  await bench.startServer(bench.port);
  await page.getByText("This is another server now").waitFor({ timeout: 20_000 });
  const second = await page.context().newPage();
  await second.goto(bench.address);
  await page.getByText("This is another server now").waitFor({ state: "detached", timeout: 20_000 });
  await page.getByText("cspm", { exact: true }).waitFor();
  assert.ok((await page.locator(".cm-content").textContent()).includes("-- kept"));
  await page.getByText("● unsaved").waitFor();
  await picture(page, "back");
  await page.context().close();
});
