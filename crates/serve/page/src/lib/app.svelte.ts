// What the page knows, and what can be done with it. The views only show it.
import type { Answer, AssertionHead, Folder, OpenFile, Outline, Place, Progress } from "./documents";
import { readLink, textHash, writeLink, type Link, type View } from "./link";
import { Questions } from "./questions";
import { Refused, Socket, takeToken, TOKEN } from "./socket";

export type Sign = "holds" | "fails" | "unknown" | "error" | "running" | "waiting" | "none";

/** Signs, words and colors always come together. */
export const SIGNS: Record<Sign, string> = { holds: "✓", fails: "✗", unknown: "?", error: "!", running: "◐", waiting: "◔", none: "○" };

/** A check of an assertion that is under way. */
export interface Running { run: number; progress: Progress | null; isStarted: boolean }

/** A check that came to no answer because its process died. */
export interface Dead { message: string; version: number }

export interface Known { answer: Answer; version: number }

export interface Mark { place: Place; kind: "step" | "end"; color: number }

/** Edits are sent after this long without another one. */
const PAUSE = 120;

class App {
  connection = $state<"connecting" | "connected" | "gone" | "unauthorized" | "crowded">("connecting");
  folder = $state.raw<Folder | null>(null);
  /** The script that is checked, and the file in the editor, which may be one that it includes. */
  file = $state<string | null>(null);
  shown = $state<string | null>(null);
  texts = $state.raw<Record<string, OpenFile>>({});
  outline = $state.raw<Outline | null>(null);
  answers = $state.raw<Record<number, Known>>({});
  running = $state.raw<Record<number, Running>>({});
  dead = $state.raw<Record<number, Dead>>({});
  link = $state.raw<Link>({ file: null, view: "home", options: {} });
  /** What is marked in the editor, and where it should look. */
  marks = $state.raw<Mark[]>([]);
  target = $state.raw<{ file: string; line: number; column: number; focus: boolean; count: number } | null>(null);
  cursorLine = $state(1);
  cursorColumn = $state(1);
  notice = $state.raw<{ text: string; kind: "info" | "error"; action?: { name: string; run: () => void } } | null>(null);
  /** Said to those who do not see the page. */
  spoken = $state("");
  overlay = $state<"palette" | "keys" | "about" | null>(null);
  isPanelBelow = $state(localStorage.getItem("panel") === "below");
  theme = $state<"auto" | "light" | "dark">((localStorage.getItem("theme") as "light" | "dark" | null) ?? "auto");
  limits = $state({ time: 0, memory: "", engine: "auto" });
  socket: Socket | null = null;
  /** Questions that take long, of the views of this tab. */
  questions = new Questions((method, params) => this.socket!.ask(method, params));
  private timer = 0;
  private isEdited = false;
  private isAsking = false;
  private isOutdated = false;
  /** Files whose lines end as on Windows; in the page they end as everywhere else. */
  private windows = new Set<string>();
  private pendingCheck: number | null = null;
  /** Told when the text in the editor is replaced from elsewhere. */
  onText: (text: string) => void = () => {};

  start() {
    this.applyTheme();
    const token = takeToken();
    addEventListener("hashchange", () => this.follow(readLink(location.hash)));
    addEventListener("focus", () => void this.lookAgain());
    addEventListener("beforeunload", (event) => { if (this.isEdited) { this.flush(); event.preventDefault(); } });
    // Another tab may have been opened with a new token.
    addEventListener("storage", (event) => { if (event.key === TOKEN && event.newValue && this.connection === "unauthorized") this.connect(event.newValue); });
    if (token) this.connect(token); else this.connection = "unauthorized";
  }

  private connect(token: string) {
    this.connection = "connecting";
    this.socket = new Socket(token, (event, data) => this.receive(event, data));
  }

  // ---- the server speaks

  private async receive(event: string, data: any) {
    switch (event) {
      case "connected": return this.connected();
      case "disconnected": this.connection = "gone"; this.running = {}; return;
      case "unauthorized": case "crowded": this.connection = event; return;
      case "text": return this.textElsewhere(data);
      case "saved": return this.setText(data.file, { saved: true });
      case "behind": if (this.file !== null) await this.openFile(this.file, true); return;
      case "run": if (data.file === this.file) this.runEvent(data); return;
    }
  }

  private async connected() {
    const isFirst = this.folder === null;
    this.connection = "connected";
    this.folder = await this.ask("folder");
    if (isFirst) {
      const link = readLink(location.hash);
      if (link.file === null && this.folder?.start) link.file = this.folder.start;
      await this.follow(link);
    } else if (this.file !== null) {
      // The server is another one, perhaps: what is in the editor stays, and is sent again.
      const mine = this.shown !== null ? this.texts[this.shown]?.text : undefined;
      const [file, shown] = [this.file, this.shown];
      await this.openFile(file, true);
      if (shown !== null && shown !== file) await this.show(shown);
      if (mine !== undefined && shown !== null && this.texts[shown]?.text !== mine) { this.onText(mine); this.edit(mine, true); }
    }
  }

  async ask(method: string, params: object = {}): Promise<any> {
    try {
      return await this.socket!.ask(method, params);
    } catch (error) {
      if (this.connection === "connected" && !(error instanceof Refused && error.details.conflict)) this.say((error as Error).message, "error");
      throw error;
    }
  }

  private textElsewhere(data: OpenFile) {
    if (!this.texts[data.file]) return;
    const text = data.text.replaceAll("\r\n", "\n");
    this.setText(data.file, { text, version: data.version, saved: data.saved });
    if (data.file === this.shown) this.onText(text);
    this.say(`${data.file} was changed in another tab`, "info");
    void this.refreshOutline();
  }

  private runEvent(data: any) {
    const index: number = data.index;
    switch (data.state) {
      case "queued": {
        const running = { ...this.running }, dead = { ...this.dead };
        for (const one of data.indices as number[]) { running[one] = { run: data.run, progress: null, isStarted: false }; delete dead[one]; }
        this.running = running; this.dead = dead;
        return;
      }
      case "started": case "progress":
        this.running = { ...this.running, [index]: { run: data.run, progress: data.progress ?? null, isStarted: true } };
        return;
      case "verdict": {
        const running = { ...this.running }; delete running[index]; this.running = running;
        this.answers = { ...this.answers, [index]: { answer: data.answer, version: data.version } };
        this.spoken = `Assertion ${index} ${verdictWords(data.answer)}`;
        return;
      }
      case "done": {
        const running: Record<number, Running> = {}, dead = { ...this.dead };
        for (const [key, value] of Object.entries(this.running)) {
          if (value.run !== data.run) running[Number(key)] = value;
          else if (data.cancelled) { if (value.isStarted) this.keepCancelled(Number(key), value.progress, data.version); }
          else if (data.message) dead[Number(key)] = { message: data.message, version: data.version };
        }
        this.running = running; this.dead = dead;
        if (data.message) this.spoken = data.message;
      }
    }
  }

  /** A check that somebody ended has no verdict, but it was as far as this. */
  private keepCancelled(index: number, progress: Progress | null, version: number) {
    const head = this.assertions[index - 1];
    if (!head) return;
    const stats = { states: progress?.states, transitions: progress?.transitions, depth: progress?.depth, seconds: progress?.seconds ?? 0, peak_memory_bytes: progress?.memory_bytes ?? 0 };
    const answer: Answer = { ...head, verdict: "unknown", reason: "interrupted", detail: "You cancelled it.", stats };
    this.answers = { ...this.answers, [index]: { answer, version } };
    this.spoken = `Assertion ${index} is cancelled`;
  }

  // ---- files and texts

  private setText(file: string, change: Partial<OpenFile>) {
    this.texts = { ...this.texts, [file]: { ...this.texts[file], ...change } };
  }

  async openFile(file: string, again = false) {
    if (this.file === file && !again) return this.show(file);
    const opened = await this.ask("open", { file });
    this.file = opened.file;
    this.answers = {}; this.running = {}; this.dead = {}; this.marks = []; this.outline = null;
    for (const known of opened.answers ?? []) this.answers = { ...this.answers, [known.answer.index]: known };
    for (const event of opened.running ?? []) this.runEvent(event);
    this.putIntoEditor(opened);
    document.title = `${opened.file} · Tracehound`;
    await this.refreshOutline();
  }

  /** Opens a file that somebody chose; why that cannot be done was said already. */
  async choose(file: string) {
    try { await this.openFile(file); } catch { return; }
    this.go("home");
  }

  private putIntoEditor(opened: OpenFile) {
    const { file, version, saved } = opened;
    if (opened.text.includes("\r\n")) this.windows.add(file);
    const text = opened.text.replaceAll("\r\n", "\n");
    this.texts = { ...this.texts, [file]: { file, text, version, saved } };
    this.shown = file;
    this.onText(text);
  }

  /** Somebody comes back: the file may have been changed by another program meanwhile. */
  private async lookAgain() {
    const file = this.shown;
    if (file === null || this.connection !== "connected" || !this.texts[file]?.saved) return;
    const opened: OpenFile = await this.ask("open", { file });
    if (this.shown !== file || !this.texts[file].saved || opened.version === this.texts[file].version) return;
    this.putIntoEditor(opened);
    this.say(`${file} was changed by another program`, "info");
    await this.refreshOutline();
  }

  /** Shows a file without checking another script. */
  async show(file: string) {
    if (file === this.shown) return;
    this.flush();
    const known = this.texts[file];
    if (known) { this.shown = file; this.onText(known.text); }
    else this.putIntoEditor(await this.ask("open", { file }));
  }

  async goTo(place: Place, focus = true) {
    await this.show(place.file);
    this.target = { file: place.file, line: place.line, column: place.column ?? 1, focus, count: (this.target?.count ?? 0) + 1 };
  }

  /** The text in the editor has changed. */
  edit(text: string, now = false) {
    if (this.shown === null) return;
    this.setText(this.shown, { text, saved: false });
    this.isEdited = true;
    clearTimeout(this.timer);
    if (now) void this.flush(); else this.timer = window.setTimeout(() => this.flush(), PAUSE);
  }

  private async flush() {
    if (!this.isEdited || this.shown === null) return;
    clearTimeout(this.timer);
    this.isEdited = false;
    const { file, text, version } = this.texts[this.shown];
    try {
      const sent = this.windows.has(file) ? text.replaceAll("\n", "\r\n") : text;
      const { version: next } = await this.ask("edit", { file, text: sent, base: version });
      this.setText(file, { version: next });
      await this.refreshOutline();
    } catch (error) {
      const details = error instanceof Refused ? error.details : {};
      if (!details.conflict) return;
      const theirs = details.text.replaceAll("\r\n", "\n");
      this.setText(file, { text: theirs, version: details.version, saved: false });
      if (file === this.shown) this.onText(theirs);
      this.notice = {
        text: `Another tab changed ${file} at the same time. You see its text now.`, kind: "error",
        action: { name: "Take mine instead", run: () => { this.onText(text); this.edit(text, true); this.notice = null; } },
      };
    }
  }

  /** Reads the script again; while one answer is awaited, the next question waits for it. */
  private async refreshOutline(): Promise<void> {
    if (this.file === null) return;
    if (this.isAsking) { this.isOutdated = true; return; }
    this.isAsking = true;
    const file = this.file;
    let outline: Outline | null = null;
    try { outline = await this.ask("query", { file, ask: "outline" }); } catch { /* It was said. */ }
    this.isAsking = false;
    if (this.isOutdated || this.file !== file) { this.isOutdated = false; return this.refreshOutline(); }
    if (outline === null) return;
    this.outline = outline;
    if (this.pendingCheck !== null && outline.assertions.some((one) => one.index === this.pendingCheck)) {
      const index = this.pendingCheck;
      this.pendingCheck = null;
      if (!this.answers[index]) void this.check([index]);
    }
  }

  async save(force = false) {
    if (this.shown === null) return;
    await this.flush();
    const file = this.shown;
    try {
      await this.ask("save", { file, force });
      this.setText(file, { saved: true });
      this.say(`${file} is saved`, "info");
    } catch (error) {
      if (!(error instanceof Refused && error.details.conflict)) return;
      this.notice = { text: error.message, kind: "error", action: { name: "Overwrite it", run: () => { this.notice = null; void this.save(true); } } };
    }
  }

  // ---- checks

  async check(indices: number[]) {
    if (this.file === null || indices.length === 0) return;
    await this.flush();
    if (this.outline?.has_errors) { this.say("The script has errors: nothing can be decided before they are mended.", "error"); return; }
    const options: Record<string, string> = {};
    if (this.limits.time > 0) options.time_limit = String(this.limits.time);
    if (this.limits.memory) options.memory_limit = this.limits.memory;
    if (this.limits.engine !== "auto") options.engine = this.limits.engine;
    await this.ask("check", { file: this.file, indices, options });
  }

  checkAll() { return this.check(this.assertions.map((one) => one.index)); }

  checkFailing() { return this.check(this.assertions.filter((one) => this.signOf(one.index) !== "holds" || this.isStale(one.index)).map((one) => one.index)); }

  /** The assertion that the cursor stands in or behind, else the first one. */
  checkHere() {
    const here = this.assertions.filter((one) => one.file === this.shown && one.line <= this.cursorLine).at(-1) ?? this.assertions[0];
    if (here) { this.openAssertion(here.index); void this.check([here.index]); }
  }

  cancel(index: number) { const run = this.running[index]; if (run) void this.ask("cancel", { run: run.run }); }

  cancelAll() {
    for (const run of new Set(Object.values(this.running).map((one) => one.run))) void this.ask("cancel", { run });
    this.questions.stop();
  }

  get assertions(): AssertionHead[] { return this.outline?.assertions ?? []; }

  /** The newest version of a text that the script consists of. */
  get version(): number {
    const files = this.outline?.files ?? [];
    return Math.max(0, ...files.map((file) => this.texts[file]?.version ?? 0));
  }

  signOf(index: number): Sign {
    const running = this.running[index];
    if (running) return running.isStarted ? "running" : "waiting";
    if (this.dead[index]) return "error";
    return this.answers[index]?.answer.verdict ?? "none";
  }

  isStale(index: number): boolean {
    const known = this.answers[index];
    return known !== undefined && (known.version < this.version || known.answer.text !== this.assertions[index - 1]?.text);
  }

  // ---- links

  go(view: View, change: Partial<Link> = {}) {
    if (this.file === null) return;
    const link: Link = { file: this.file, view, options: {}, ...change };
    // What is marked belongs to the view that is left.
    if (view !== this.link.view) this.marks = [];
    link.options = { ...link.options, text: textHash(this.texts[this.file]?.text ?? "") };
    this.link = link;
    const hash = writeLink(link);
    if (hash !== location.hash) history.pushState(null, "", hash);
  }

  /** Changes options of the view that is shown, without a new entry in the history. */
  setOptions(options: Record<string, string>, step?: number) {
    this.link = { ...this.link, step: step ?? this.link.step, options: { ...this.link.options, ...options } };
    history.replaceState(null, "", writeLink(this.link));
  }

  /** Looks at the process that is in sight in another way: that of the assertion, or the one that was named. */
  look(view: "sim" | "graph" | "structure") {
    const { process, assertion } = this.link.options;
    const index = this.link.view === "assertion" ? this.link.assertion ?? 0 : Number(assertion ?? 0);
    const head = this.assertions[index - 1];
    const options: Record<string, string> = {};
    const hasRun = this.answers[index]?.answer.counterexample !== undefined;
    if (head && view !== "graph") {
      options.assertion = String(index);
      if (hasRun && view === "sim") options.replay = "1";
    } else if (head) {
      options.process = head.process;
      if (hasRun) options.assertion = String(index);
    } else if (process) options.process = process;
    this.go(view, { options });
  }

  openAssertion(index: number) { this.go("assertion", { assertion: index, step: 0 }); }

  close() { this.marks = []; this.go("home"); }

  private async follow(link: Link) {
    if (link.file === null) { this.link = link; return; }
    try { if (link.file !== this.file) await this.openFile(link.file); } catch { this.link = { file: null, view: "home", options: {} }; return; }
    this.link = link;
    const hash = link.options.text;
    if (hash && hash !== textHash(this.texts[link.file]?.text ?? "")) this.say("This link was made for another version of the text: what you see may differ.", "info");
    if (link.view === "assertion" && link.assertion && !this.answers[link.assertion]) {
      this.pendingCheck = link.assertion;
      if (this.outline?.assertions.some((one) => one.index === link.assertion)) { this.pendingCheck = null; void this.check([link.assertion]); }
    }
  }

  // ---- the page

  say(text: string, kind: "info" | "error") { this.notice = { text, kind }; }

  setTheme(theme: "auto" | "light" | "dark") {
    this.theme = theme;
    localStorage.setItem("theme", theme);
    this.applyTheme();
  }

  private applyTheme() { document.documentElement.dataset.theme = this.theme; }

  movePanel() {
    this.isPanelBelow = !this.isPanelBelow;
    localStorage.setItem("panel", this.isPanelBelow ? "below" : "right");
  }
}

export const app = new App();

/** A verdict as a person says it. */
export function verdictWords(answer: Answer): string {
  const run = answer.counterexample;
  const length = run ? run.steps.length + (run.loop?.length ?? 0) : 0;
  switch (answer.verdict) {
    case "holds": return "holds";
    case "fails": return run && length === 0 ? "fails at the start" : run ? `fails after ${length} ${length === 1 ? "step" : "steps"}` : "fails";
    case "unknown": return `unknown: ${answer.reason ?? ""}`;
    default: return "error";
  }
}

export function count(n: number): string {
  if (n >= 1e9) return `${(n / 1e9).toFixed(2)}G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(2)}M`;
  if (n >= 1e4) return `${(n / 1e3).toFixed(0)}k`;
  return String(Math.round(n));
}

export function bytes(n: number): string {
  return n >= 1 << 30 ? `${(n / (1 << 30)).toFixed(1)} GiB` : `${Math.round(n / (1 << 20))} MiB`;
}

export function seconds(s: number): string { return s < 10 ? `${s.toFixed(3)} s` : `${s.toFixed(1)} s`; }
