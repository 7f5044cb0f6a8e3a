// What a person does and sees in a tab.
import assert from "node:assert/strict";
import { picture } from "./bench.mjs";

export const row = (page, index) => page.locator(`[data-index="${index}"]`);
export const panel = (page) => page.locator('[data-zone="panel"]');

export async function openFile(page, name) {
  await page.getByRole("region", { name: "files" }).getByRole("button", { name, exact: true }).click();
  await page.locator(".cm-content").waitFor();
}

export async function verdict(page, index, words, timeout = 60_000) {
  await page.waitForFunction(([index, words]) => document.querySelector(`[data-index="${index}"]`)?.textContent?.includes(words), [index, words], { timeout });
}

/** The lines of the editor that are marked. */
export const marked = (page) => page.locator(".cm-line.mark").allTextContents();
export const prefixes = (page) => page.locator(".prefix").allTextContents();

export async function finish(page, name) {
  if (name) await picture(page, name);
  assert.deepEqual(page.faults, []);
  await page.context().close();
}
