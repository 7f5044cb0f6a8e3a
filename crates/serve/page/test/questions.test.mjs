// Questions that are replaced or cancelled, without a browser.
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { test } from "node:test";
import { transform } from "esbuild";

const source = await fs.readFile(new URL("../src/lib/questions.ts", import.meta.url), "utf8");
const { code } = await transform(source, { loader: "ts", target: "es2022" });
const { Questions } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

/** A server that notes what it is sent, and answers when it is told to. */
function server() {
  const sent = [];
  const send = (method, params) => new Promise((resolve, reject) => sent.push({ method, params, resolve, reject }));
  return { sent, questions: new Questions(send), methods: () => sent.map(({ method, params }) => `${method} ${params.process ?? params.ask}`) };
}

/** Lets all that is settled go on. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test("a question that is replaced is stopped before the next one is asked", async () => {
  const { sent, questions, methods } = server();
  const first = questions.ask({ ask: "graph", process: "P" });
  await settle();
  const second = questions.ask({ ask: "graph", process: "Q" });
  await settle();
  assert.deepEqual(methods(), ["query P", "stop graph"]);
  sent[0].reject(new Error("stopped"));
  sent[1].resolve({});
  assert.equal(await first, null);
  await settle();
  assert.deepEqual(methods(), ["query P", "stop graph", "query Q"]);
  sent[2].resolve({ states: 1 });
  assert.deepEqual(await second, { states: 1 });
  assert.ok(!questions.isBusy);
});

test("of many questions in a row only the last one is asked", async () => {
  const { sent, questions, methods } = server();
  const first = questions.ask({ ask: "graph", process: "P" });
  await settle();
  const second = questions.ask({ ask: "graph", process: "Q" });
  const third = questions.ask({ ask: "graph", process: "R" });
  for (const { method, resolve, reject } of sent) { if (method === "stop") resolve({}); else reject(new Error("stopped")); }
  await settle();
  assert.deepEqual([await first, await second], [null, null]);
  assert.deepEqual(methods(), ["query P", "stop graph", "stop graph", "query R"]);
  sent.at(-1).resolve({});
  assert.deepEqual(await third, {});
});

test("a question that is cancelled is stopped, and says so", async () => {
  const { sent, questions, methods } = server();
  const asked = questions.ask({ ask: "compare", process: "P" });
  await settle();
  assert.ok(questions.isBusy);
  questions.stop();
  sent[0].reject(new Error("stopped"));
  await assert.rejects(asked, /cancelled/);
  assert.deepEqual(methods(), ["query P", "stop compare"]);
});

test("questions of other kinds go on, and one that is answered is not stopped", async () => {
  const { sent, questions, methods } = server();
  const graph = questions.ask({ ask: "graph", process: "P" });
  const structure = questions.ask({ ask: "structure", process: "P" });
  await settle();
  sent[0].resolve(1);
  sent[1].resolve(2);
  assert.deepEqual([await graph, await structure], [1, 2]);
  questions.stop("graph");
  await settle();
  assert.deepEqual(methods(), ["query P", "query P"]);
});

test("what goes wrong with a question is told", async () => {
  const { sent, questions } = server();
  const asked = questions.ask({ ask: "graph", process: "P" });
  await settle();
  sent[0].reject(new Error("no answer within 60 seconds"));
  await assert.rejects(asked, /no answer within 60 seconds/);
  assert.ok(!questions.isBusy);
});
