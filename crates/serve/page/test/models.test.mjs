// What a process is and does, for every language: places of steps, time, monitors, operators, comparison, runs alone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { barriers, Bench, picture } from "./bench.mjs";
import { finish, marked, openFile, panel, prefixes, row, verdict } from "./person.mjs";
import * as scripts from "./scripts.mjs";

let bench;

before(async () => {
  bench = await Bench.open({
    "spoons.csp": scripts.spoons, "lib/spoon.csp": scripts.spoon, "kinds.csp": scripts.kinds, "large.csp": scripts.large, "hundred.csp": scripts.hundred,
    "post.csp": scripts.post, "timed.csp": scripts.timed, "games.csp": scripts.games, "door.network": scripts.door, "squeezed.csp": scripts.squeezed,
  });
});

after(async () => { await bench?.close(); });

test("steps of CSP# are marked where they are written: events, messages, and what is handed over", async () => {
  const page = await bench.tab();
  await openFile(page, "post.csp");
  await row(page, 1).waitFor();
  await page.keyboard.press("Shift+F5");
  await verdict(page, 1, "fails");
  await row(page, 1).click();
  const table = panel(page).getByRole("table");
  const step = async (event, expected) => {
    await table.getByRole("rowheader", { name: event, exact: true }).first().click();
    await page.waitForFunction((expected) => [...document.querySelectorAll(".prefix")].some((one) => one.textContent === expected[0]), expected);
    assert.deepEqual((await prefixes(page)).sort(), [...expected].sort(), event);
  };
  await step("put", ["put"]);
  await step("box!1", ["box!1"]);
  await step("box?1", ["box?x"]);
  await step("hand.1", ["hand!x", "hand?x"]);
  await finish(page, "csp-sharp-places");
});

test("time: moves of this moment, waiting, clocks, and a timed counterexample walked to its end", async () => {
  const page = await bench.tabAt("#/f/timed.csp/sim?process=Press()");
  await panel(page).getByText("0 has passed").waitFor();
  await page.keyboard.press("1");
  await page.locator(".prefix", { hasText: /^press$/ }).waitFor();
  await panel(page).getByRole("button", { name: /^Wait 2/ }).click();
  await panel(page).getByText("2 has passed").waitFor();
  await picture(page, "timed-simulator");
  await page.reload();
  await panel(page).getByText("2 has passed").waitFor();
  await openFile(page, "timed.csp");
  await row(page, 1).waitFor();
  await page.keyboard.press("Shift+F5");
  await verdict(page, 1, "fails");
  await verdict(page, 2, "holds");
  await row(page, 1).click();
  await panel(page).getByText("Nothing can happen any more").waitFor();
  await picture(page, "timed-table");
  await panel(page).getByRole("button", { name: "Open in simulator" }).click();
  const next = panel(page).getByRole("button", { name: /Next of run/ });
  await next.waitFor();
  for (let step = 0; step < 20 && (await next.isEnabled()); step++) { await next.click(); await page.waitForTimeout(150); }
  await panel(page).getByText("nothing: it is stuck").waitFor();
  await finish(page, "timed-stuck");
});

test("assertions beside the run: not broken, then broken at the step that breaks them", async () => {
  const page = await bench.tabAt("#/f/spoons.csp/sim?process=QUIET");
  const monitors = panel(page).locator(".monitors");
  await monitors.getByText("not broken so far").waitFor();
  await panel(page).getByRole("button", { name: "Fold τ" }).click();
  await panel(page).getByRole("button", { name: /sit\.0/ }).first().click();
  await monitors.getByText("not broken so far").waitFor();
  await panel(page).getByRole("button", { name: /sit\.1/ }).first().click();
  await monitors.getByText("broken at step 2").waitFor();
  await picture(page, "monitors");
  await page.keyboard.press("u");
  await monitors.getByText("not broken so far").waitFor();
  await finish(page);
});

test("the operators of a process as a tree, with the sizes of its machines; parts are opened", async () => {
  const page = await bench.tabAt("#/f/spoons.csp/structure?process=QUIET");
  const tree = panel(page).locator("table.operators");
  await tree.getByText("[|…|]").waitFor();
  assert.equal(await tree.getByText(/^DINER\(\d\)$/).count(), 3);
  assert.equal(await tree.getByText(/^SPOON\(\d\)$/).count(), 3);
  const diner = tree.getByRole("row").filter({ hasText: "DINER(0)" });
  assert.match(await diner.textContent(), /DINER\(0\).*7/);
  await picture(page, "operators");
  await tree.getByRole("button", { name: "fold |||" }).first().click();
  assert.equal(await tree.getByText(/^DINER\(\d\)$/).count(), 0);
  await tree.getByRole("button", { name: "unfold |||" }).first().click();
  await diner.getByRole("button", { name: "Graph" }).click();
  await panel(page).getByText("7 states").waitFor();
  await page.goto("about:blank");
  await page.goto(bench.link("#/f/squeezed.csp/structure?process=SYSTEM"));
  await panel(page).locator("table.operators").getByRole("row", { name: /sbisim\(CELL\(0\)\).*4 → 2/ }).waitFor();
  await panel(page).getByRole("heading", { name: "Compressions" }).waitFor();
  await picture(page, "compressions");
  await page.goto("about:blank");
  await page.goto(bench.link("#/f/post.csp/structure?process=Post()"));
  await panel(page).locator("table.operators").getByText("Carrier()").waitFor();
  await finish(page, "operators-csp-sharp");
});

test("two processes compared step by step: a game tells them apart, or none does", async () => {
  const page = await bench.tabAt("#/f/games.csp/compare?left=LATE&right=EARLY&model=strong");
  await panel(page).getByText("told apart in 2 rounds").waitFor();
  await panel(page).getByText("cannot").waitFor();
  await panel(page).getByRole("button", { name: "in T", exact: true }).click();
  await panel(page).getByRole("row", { name: /^T equal/ }).waitFor();
  await panel(page).getByRole("button", { name: "strong" }).click();
  await picture(page, "game");
  await page.goto("about:blank");
  await page.goto(bench.link("#/f/games.csp/compare?left=LATE&right=SILENT&model=weak"));
  await panel(page).getByRole("row", { name: /^weak equal/ }).waitFor();
  await panel(page).getByRole("button", { name: "strong" }).click();
  await panel(page).getByRole("row", { name: /^strong different/ }).waitFor();
  await finish(page);
});

test("the counterexample only, of a process that is too large to be drawn", async () => {
  const page = await bench.tab();
  await openFile(page, "hundred.csp");
  await row(page, 2).waitFor();
  await page.keyboard.press("Shift+F5");
  await verdict(page, 2, "fails");
  await page.goto(bench.link("#/f/hundred.csp/graph?process=BIG"));
  const start = Date.now();
  await panel(page).getByText("more than 5000 states, which").waitFor();
  const took = Date.now() - start;
  console.log(`# a graph of 100,000 states refused in ${took} ms`);
  await picture(page, "graph-refused");
  await panel(page).getByRole("button", { name: "The counterexample only" }).click();
  await panel(page).getByText("ONLY THE RUN").waitFor();
  assert.equal(await panel(page).locator("g.state").count(), 4);
  assert.equal(await panel(page).locator("g.edge.way").count(), 3);
  await finish(page, "graph-run");
});

test("networks as text are shown like all others", async () => {
  const page = await bench.tab();
  await openFile(page, "door.network");
  await row(page, 1).waitFor();
  await page.keyboard.press("Shift+F5");
  await verdict(page, 1, "holds");
  await page.keyboard.press("F8");
  await panel(page).getByRole("region", { name: "possible" }).getByRole("button").first().waitFor();
  await page.keyboard.press("1");
  await panel(page).getByText("1 move").waitFor();
  await page.keyboard.press("F9");
  await panel(page).getByRole("img", { name: /states in layers/ }).waitFor();
  await finish(page, "network");
});

test("nothing serious stands in anybody's way in these views, in both looks", async () => {
  for (const dark of [false, true]) {
    const page = await bench.tabAt("#/f/spoons.csp/structure?process=QUIET", { dark });
    const look = async (hash, words, name) => {
      await page.goto("about:blank");
      await page.goto(bench.link(hash));
      await panel(page).getByText(words).first().waitFor();
      assert.deepEqual(await barriers(page), [], name);
      await picture(page, `axe-${name}-${dark ? "dark" : "light"}`);
    };
    await look("#/f/spoons.csp/structure?process=QUIET", "[|…|]", "operators");
    await look("#/f/timed.csp/sim?process=Press()&moves=1.w2", "2 has passed", "timed");
    await look("#/f/spoons.csp/sim?process=TABLE", "not broken so far", "monitors");
    await look("#/f/games.csp/compare?left=LATE&right=EARLY&model=strong", "told apart", "game");
    await look("#/f/hundred.csp/graph?process=BIG", "INCOMPLETE", "refused");
    await finish(page);
  }
});
