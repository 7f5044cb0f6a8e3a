// A server on a folder of its own, and a browser in front of it.
import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../../../..");
export const program = process.env.TRACEHOUND ?? path.join(root, "target/debug/tracehound");
export const screens = process.env.TRACEHOUND_SCREENS ?? path.join(here, "../screens");

/** The browser: a variable, or one of Debian's. */
export function browserPath() {
  const places = [process.env.TRACEHOUND_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-headless-shell"];
  const found = places.find((place) => place && fs.existsSync(place));
  if (!found) throw new Error("there is no Chromium: install the package chromium or chromium-headless-shell, or set TRACEHOUND_CHROMIUM");
  return found;
}

const FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A folder with these files, served. */
export class Bench {
  static async open(files, more = []) {
    const bench = new Bench();
    bench.folder = fs.mkdtempSync(path.join(os.tmpdir(), "workbench-"));
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(bench.folder, name)), { recursive: true });
      fs.writeFileSync(path.join(bench.folder, name), text);
    }
    bench.more = more;
    await bench.startServer();
    bench.browser = await chromium.launch({ executablePath: browserPath(), chromiumSandbox: false, args: FLAGS });
    return bench;
  }

  async startServer(port = "0") {
    this.server = spawn(program, ["serve", this.folder, "--no-open", "--port", port, ...this.more], { stdio: ["ignore", "pipe", "inherit"] });
    this.address = await new Promise((resolve, reject) => {
      this.server.stdout.once("data", (text) => resolve(String(text).trim()));
      this.server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    this.port = /:(\d+)\//.exec(this.address)[1];
  }

  /** A tab. Requests to anywhere else fail the test, and so does an error of the page. */
  async tab({ dark = false, width = 1400, height = 860, address = this.address } = {}) {
    const context = await this.browser.newContext({ colorScheme: dark ? "dark" : "light", viewport: { width, height }, reducedMotion: "reduce" });
    const page = await context.newPage();
    page.faults = [];
    page.on("pageerror", (error) => page.faults.push(String(error)));
    page.on("console", (message) => { if (message.type() === "error" && !/Failed to load resource|WebSocket/.test(message.text())) page.faults.push(message.text()); });
    await page.route("**/*", (route) => {
      if (new URL(route.request().url()).host !== `127.0.0.1:${this.port}`) { page.faults.push(`a request to ${route.request().url()}`); return route.abort(); }
      return route.continue();
    });
    await page.goto(address);
    return page;
  }

  link(hash) { return `http://127.0.0.1:${this.port}/${hash}`; }

  /** A tab of a browser that has been here before, at a link. */
  async tabAt(hash, options = {}) {
    const page = await this.tab(options);
    await page.getByRole("heading", { name: "Files" }).waitFor();
    await page.goto("about:blank");
    await page.goto(this.link(hash));
    return page;
  }

  async close() {
    await this.browser?.close();
    this.server?.kill("SIGKILL");
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The processes that a process has started. */
export function children(pid) {
  const found = fs.readdirSync(`/proc/${pid}/task`).flatMap((task) => fs.readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" "));
  return [...new Set(found)].filter(Boolean);
}

export async function picture(page, name) {
  fs.mkdirSync(screens, { recursive: true });
  await page.screenshot({ path: path.join(screens, `${name}.png`) });
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds that is serious. */
export async function barriers(page) {
  await page.evaluate(fs.readFileSync(axe, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter((one) => ["serious", "critical"].includes(one.impact));
  return serious.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`).join(" | ")}`);
}
