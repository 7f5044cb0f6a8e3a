// What goes wrong: too many files, too large ones, two who edit, browsers that go away. Nothing is lost, nothing is left running.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Bench, children, picture } from "./bench.mjs";
import { finish, openFile, panel, row } from "./person.mjs";
import * as scripts from "./scripts.mjs";

let bench;

before(async () => {
  bench = await Bench.open({ "kinds.csp": scripts.kinds, "large.csp": scripts.large });
  const crowd = path.join(bench.folder, "crowd");
  fs.mkdirSync(crowd);
  for (let number = 0; number < 10_000; number++) fs.writeFileSync(path.join(crowd, `f${String(number).padStart(5, "0")}.csp`), "P = STOP\n");
  fs.writeFileSync(path.join(bench.folder, "huge.csp"), Buffer.alloc(100 << 20, "-- as large as that\n"));
});

after(async () => { await bench?.close(); });

test("a folder with ten thousand files is listed as far as anybody reads, and says that there are more", async () => {
  const page = await bench.tab();
  const start = Date.now();
  await page.getByRole("region", { name: "files" }).getByRole("button", { name: "kinds.csp" }).waitFor();
  console.log(`# ten thousand files listed in ${Date.now() - start} ms`);
  await page.getByRole("region", { name: "files" }).getByText(/more files than are listed/).first().waitFor();
  await openFile(page, "kinds.csp");
  await finish(page, "crowd");
});

test("a script of 100 MB is refused with what to do instead", async () => {
  const page = await bench.tab();
  await page.getByRole("region", { name: "files" }).getByRole("button", { name: "huge.csp" }).click();
  await page.getByText("the workbench shows at most 3").waitFor();
  await openFile(page, "kinds.csp");
  await finish(page, "huge");
});

test("two tabs edit one file at the same moment: one is told, and can take its own text back", async () => {
  const one = await bench.tab(), other = await bench.tab();
  for (const page of [one, other]) { await openFile(page, "kinds.csp"); await page.getByText("cspm", { exact: true }).waitFor(); await page.locator(".cm-content").click(); await page.keyboard.press("Control+Home"); }
  await Promise.all([one.keyboard.type("-- one\n"), other.keyboard.type("-- other\n")]);
  await one.waitForTimeout(1500);
  const texts = await Promise.all([one, other].map((page) => page.locator(".cm-content").textContent()));
  assert.equal(texts[0], texts[1], "both show one text");
  const loser = (await one.getByRole("button", { name: "Take mine instead" }).count()) > 0 ? one : other;
  if (await loser.getByRole("button", { name: "Take mine instead" }).count()) await picture(loser, "conflict");
  await one.context().close();
  await other.context().close();
});

test("when the last browser is gone in mid-run, the check ends soon and nothing is left", async () => {
  const page = await bench.tab();
  await openFile(page, "large.csp");
  await row(page, 1).waitFor();
  await page.getByRole("button", { name: "check assertion 1", exact: true }).click();
  await page.waitForFunction(() => /\d.* states, /.test(document.querySelector('[data-index="1"]')?.textContent ?? ""), undefined, { timeout: 60_000 });
  assert.ok(children(bench.server.pid).length > 0);
  await page.context().close();
  const start = Date.now();
  while (children(bench.server.pid).length > 0 && Date.now() - start < 30_000) await new Promise((done) => setTimeout(done, 200));
  assert.deepEqual(children(bench.server.pid), []);
  console.log(`# all children ended ${Date.now() - start} ms after the tab`);
  const again = await bench.tab();
  await openFile(again, "large.csp");
  await row(again, 1).waitFor();
  await finish(again);
});

test("a file that another program changes is not overwritten unasked", async () => {
  const page = await bench.tab();
  await openFile(page, "kinds.csp");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("-- mine\n");
  await page.getByText("● unsaved").waitFor();
  fs.writeFileSync(path.join(bench.folder, "kinds.csp"), `-- theirs\n${scripts.kinds}`);
  await page.keyboard.press("Control+S");
  await page.getByText("was changed by somebody else").waitFor();
  assert.ok(fs.readFileSync(path.join(bench.folder, "kinds.csp"), "utf8").startsWith("-- theirs"));
  await page.getByRole("button", { name: "Overwrite it" }).click();
  await page.getByText("is saved").waitFor();
  assert.match(fs.readFileSync(path.join(bench.folder, "kinds.csp"), "utf8"), /-- mine/);
  await finish(page);
});
