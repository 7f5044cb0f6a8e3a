// Builds the page into the folder that is given, or into ../assets. The same sources give the same bytes everywhere.
import { build, transform } from "esbuild";
import { compile, compileModule } from "svelte/compiler";
import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, "../assets"));
const styles = new Map();

/** Components and modules with runes, compiled by Svelte; their style sheets are collected, because the page allows none in line. */
const svelte = {
  name: "svelte",
  setup(builder) {
    builder.onLoad({ filter: /\.svelte$/ }, async ({ path: file }) => {
      const name = path.relative(here, file).replaceAll("\\", "/");
      const result = compile(await fs.readFile(file, "utf8"), {
        filename: name, generate: "client", css: "external", dev: false, runes: true,
        // By name, not by place, so that the bytes do not depend on the machine.
        cssHash: ({ hash, filename }) => `s-${hash(filename)}`,
      });
      for (const warning of result.warnings) console.warn(`${name}: ${warning.message}`);
      if (result.css) styles.set(name, result.css.code);
      return { contents: result.js.code, loader: "js" };
    });
    builder.onLoad({ filter: /\.svelte\.ts$/ }, async ({ path: file }) => {
      const { code } = await transform(await fs.readFile(file, "utf8"), { loader: "ts", target: "es2022" });
      const name = path.relative(here, file).replaceAll("\\", "/");
      return { contents: compileModule(code, { filename: name, generate: "client" }).js.code, loader: "js" };
    });
  },
};

await fs.mkdir(out, { recursive: true });
const { metafile } = await build({
  metafile: true,
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts", vendor: "src/vendor.ts" },
  outdir: out, bundle: true, minify: true, splitting: true, format: "esm", target: "es2022",
  chunkNames: "chunk", charset: "utf8", legalComments: "none", plugins: [svelte], conditions: ["svelte", "browser"],
  define: { "process.env.NODE_ENV": '"production"' },
});
const sheets = [...styles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, code]) => code);
const base = await fs.readFile(path.join(here, "src/style.css"), "utf8");
const { code: css } = await transform([base, ...sheets].join("\n"), { loader: "css", minify: true });
await fs.writeFile(path.join(out, "style.css"), css);
await fs.rm(path.join(out, "vendor.js"));
await fs.copyFile(path.join(here, "src/index.html"), path.join(out, "index.html"));
await fs.copyFile(path.join(here, "src/icon.svg"), path.join(out, "icon.svg"));
await fs.writeFile(path.join(out, "licenses.txt"), await licenses());
await fs.writeFile(path.join(out, "SOURCES"), `${await fingerprint()}\n`);

/** What the page is built of; a test compares it without Node. FNV-1a over names and contents, in the order of the names. */
async function fingerprint() {
  const names = ["build.mjs", "package-lock.json"];
  for (const entry of await fs.readdir(path.join(here, "src"), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) names.push(path.relative(here, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  }
  let hash = 0xcbf29ce484222325n;
  for (const name of names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    for (const bytes of [Buffer.from(name), await fs.readFile(path.join(here, name))]) {
      for (const byte of [...bytes, 0]) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    }
  }
  return hash.toString(16).padStart(16, "0");
}

/** The licenses of the packages that are in the page, as they want to be shipped. */
async function licenses() {
  const packages = new Set();
  for (const file of Object.keys(metafile.inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (found) packages.add(found[1]);
  }
  let text = "The page contains these packages.\n";
  for (const name of [...packages].sort()) {
    const folder = path.join(here, "node_modules", name);
    const { version, license } = JSON.parse(await fs.readFile(path.join(folder, "package.json"), "utf8"));
    const file = (await fs.readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const words = file ? await fs.readFile(path.join(folder, file), "utf8") : `License: ${license}\n`;
    text += `\n==== ${name} ${version}\n\n${words.trim()}\n`;
  }
  return text;
}
