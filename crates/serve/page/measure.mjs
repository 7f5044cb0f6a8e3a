// How soon a person sees what was asked for. Prints one JSON object a line: what, how large, seconds, and bytes where they were looked at.
// `cargo xtask bench workbench` runs this and keeps the figures.
import fs from "node:fs";
import { Bench, children } from "./test/bench.mjs";
import * as scripts from "./test/scripts.mjs";

const repeat = Number(process.env.REPEAT ?? 5);
const median = (figures) => [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)];
const tell = (workload, size, milliseconds, bytes = 0) => console.log(JSON.stringify({ workload, size, seconds: milliseconds / 1000, bytes }));

// Verdicts are kept for a file: each round has its own.
const rounds = Array.from({ length: repeat }, (_, round) => round);
const bench = await Bench.open({
  ...Object.fromEntries(rounds.flatMap((round) => [[`spoons${round}.csp`, scripts.spoons], [`large${round}.csp`, scripts.large]])),
  "lib/spoon.csp": scripts.spoon, "hundred.csp": scripts.hundred,
  "long.csp": scripts.long(10_000), "many.csp": scripts.many(1890),
});
const panel = (page) => page.locator('[data-zone="panel"]');

try {
  const [paints, editors, verdicts, cancels, refusals, peaks] = [[], [], [], [], [], []];
  for (const round of rounds) {
    const page = await bench.tabAt(`#/f/spoons${round}.csp`);
    await page.locator(".cm-content").waitFor();
    editors.push(await page.evaluate(() => performance.now()));
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN));
    await page.locator('[data-index="1"]').waitFor();
    verdicts.push(await shown(page, () => document.querySelector('[aria-label="check assertion 1"]').click(), '[data-index="1"]', "fails after 6 steps"));
    await page.context().close();

    const long = await bench.tabAt(`#/f/large${round}.csp/a/1`);
    await long.waitForFunction(() => /\d.* states/.test(document.querySelector('[data-index="1"]')?.textContent ?? ""), undefined, { timeout: 60_000 });
    cancels.push(await shown(long, () => [...document.querySelectorAll("button")].find((one) => one.textContent.startsWith("Cancel")).click(), '[data-index="1"]', "interrupted"));
    await long.context().close();

    const before = new Set(children(bench.server.pid));
    const graph = await bench.tabAt("#/f/hundred.csp");
    await graph.locator(".cm-content").waitFor();
    const watched = watchMemory(before);
    refusals.push(await shown(graph, () => { location.hash = "#/f/hundred.csp/graph?process=BIG"; }, '[data-zone="panel"]', "more than can be read|INCOMPLETE"));
    peaks.push(watched.stop());
    await graph.context().close();
  }
  tell("first paint", 1, median(paints));
  tell("editor usable", 1, median(editors));
  tell("click to verdict", 1, median(verdicts));
  tell("cancel to shown", 1, median(cancels));
  tell("graph refused", 100_000, median(refusals), median(peaks));

  const page = await bench.tabAt("#/f/many.csp");
  await page.locator('[data-index="1"]').waitFor();
  tell("frame in assertions", 1890, await frames(page, ".assertions .list", 1600));
  await page.goto(bench.link("#/f/long.csp/a/1"));
  await page.waitForFunction(() => document.querySelector('[data-index="1"]')?.textContent?.includes("fails after"), undefined, { timeout: 400_000 });
  await panel(page).getByRole("table").waitFor();
  await page.keyboard.press("Alt+W");
  tell("table of steps", 10_000, await shown(page, () => document.querySelector('[data-index="1"]').click(), '[data-zone="panel"] table', "tick"));
  tell("frame in steps", 10_000, await frames(page, ".box", 4000));
} finally { await bench.close(); }

/** Milliseconds from doing something in the page until the frame in which an element says some words. */
function shown(page, act, selector, words) {
  // One expression, because the policy of the page lets nothing be evaluated inside of it.
  return page.evaluate(`(async () => {
    const wanted = new RegExp(${JSON.stringify(words)});
    const start = performance.now();
    (${act})();
    for (;;) {
      await new Promise(requestAnimationFrame);
      if (wanted.test(document.querySelector(${JSON.stringify(selector)})?.textContent ?? "")) return performance.now() - start;
      if (performance.now() - start > 60_000) throw new Error(${JSON.stringify(`${words} is not shown`)});
    }
  })()`);
}

/** Milliseconds between frames while something is scrolled, of 60. */
function frames(page, selector, by) {
  return page.evaluate(async ([selector, by]) => {
    const box = document.querySelector(selector);
    const start = performance.now();
    for (let at = 1; at <= 60; at++) { box.scrollTop = at * by; await new Promise(requestAnimationFrame); }
    return (performance.now() - start) / 60;
  }, [selector, by]);
}

/** The most memory that a child of the server holds that was not there before, in bytes. */
function watchMemory(before) {
  let most = 0;
  const look = () => {
    for (const child of children(bench.server.pid).filter((one) => !before.has(one))) {
      try { most = Math.max(most, 1024 * Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child}/status`, "utf8"))?.[1] ?? 0)); } catch { /* It has ended. */ }
    }
  };
  const timer = setInterval(look, 5);
  return { stop() { clearInterval(timer); look(); return most; } };
}
