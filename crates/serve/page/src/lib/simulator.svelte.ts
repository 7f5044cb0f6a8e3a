// A walk through a process. The server is asked for the state after some moves; what was tried is a tree that is kept here.
import { app } from "./app.svelte";
import type { Choice, Counterexample, Move, SimulatorState } from "./documents";

export interface Tried { move: Choice; event: string; parent: Tried | null; children: Tried[] }

/** Moves in a link count from 1; a time to wait for stands as it is. */
export function readMoves(text: string | undefined): Choice[] {
  return (text ?? "").split(".").filter(Boolean).map((one) => (one.startsWith("w") ? one : Number(one) - 1));
}

function writeMoves(moves: Choice[]): string { return moves.map((move) => (typeof move === "number" ? move + 1 : move)).join("."); }

export class Simulation {
  state = $state.raw<SimulatorState | null>(null);
  error = $state<string | null>(null);
  isBusy = $state(false);
  root: Tried = { move: -1, event: "", parent: null, children: [] };
  here = $state.raw<Tried>(this.root);
  /** The moves that repeat a counterexample. */
  ahead = $state.raw<Choice[]>([]);
  private seed: number;

  constructor(readonly file: string, readonly process: string, readonly assertion: number, seed: number) { this.seed = seed; }

  get folds(): boolean { return app.link.options.folds === "1"; }

  /** The moves from the start to a place of the tree. */
  static path(place: Tried): Choice[] {
    const moves: Choice[] = [];
    for (let at = place; at.parent; at = at.parent) moves.unshift(at.move);
    return moves;
  }

  get moves(): Choice[] { return Simulation.path(this.here); }

  /** How many moves of the counterexample were made, if no other was. */
  get done(): number {
    const moves = this.moves;
    return moves.length <= this.ahead.length && moves.every((move, place) => move === this.ahead[place]) ? moves.length : -1;
  }

  private async ask(moves: Choice[], more: object = {}): Promise<SimulatorState | null> {
    this.isBusy = true;
    try {
      const about = this.assertion > 0 ? { assertion: this.assertion } : { process: this.process };
      const state = await app.socket!.ask("query", { file: this.file, ask: "simulate", ...about, moves, folds: this.folds, ...more });
      this.error = null;
      return state;
    } catch (error) {
      this.error = (error as Error).message;
      return null;
    } finally { this.isBusy = false; }
  }

  /** Begins, perhaps after moves of a link, perhaps with a run to repeat. */
  async start(moves: Choice[], run: Counterexample | undefined, trace: string[] = []) {
    const steps = run ? [...run.steps, ...(run.loop ?? [])].map((step) => [step.event, step.event !== "tau"]) : [];
    if (run?.kind === "trace" && run.event !== undefined) steps.push([run.event, true]);
    for (const event of trace) steps.push([event, event !== "tau"]);
    const more = trace.length > 0 ? { run: steps } : run ? { run: steps, offers: run.kind === "deadlock" || run.kind === "refusal" ? run.accepts ?? [] : null } : {};
    const state = await this.ask(moves, more);
    if (!state) return;
    this.ahead = state.ahead;
    let at = this.root;
    state.history.forEach((step, place) => { at = this.child(at, moves[place], step); });
    this.here = at;
    this.state = state;
    // A trace leads to a state that somebody wants to see.
    if (trace.length > 0 && moves.length === 0) for (const _ of this.ahead) await this.next();
  }

  private child(at: Tried, move: Choice, step: Move): Tried {
    const known = at.children.find((one) => one.move === move);
    if (known) return known;
    const made: Tried = { move, event: step.event === "tau" ? (step.hidden ? `τ (${step.hidden})` : "τ") : step.event, parent: at, children: [] };
    at.children.push(made);
    return made;
  }

  async jump(place: Tried) {
    const state = await this.ask(Simulation.path(place));
    if (!state) return;
    this.here = place;
    this.state = state;
    app.setOptions({ moves: writeMoves(this.moves) });
  }

  async take(number: number) {
    const move = this.state?.moves[number];
    if (move && !this.isBusy) await this.jump(this.child(this.here, number, move));
  }

  /** Lets time pass. */
  async wait(time: string) {
    if (!this.isBusy) await this.jump(this.child(this.here, `w${time}`, { event: `wait ${time}`, visible: false, silent: 0, by: [] }));
  }

  async undo() { if (this.here.parent && !this.isBusy) await this.jump(this.here.parent); }

  async next() {
    if (this.done < 0 || this.done >= this.ahead.length) return;
    const choice = this.ahead[this.done];
    await (typeof choice === "number" ? this.take(choice) : this.wait(choice.slice(1)));
  }

  /** A move by chance; the same seed gives the same walk. */
  async random() {
    const n = this.state?.moves.length ?? 0;
    if (n === 0) return;
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    await this.take(Math.floor((this.seed / 2 ** 32) * n));
  }

  async fold() {
    app.setOptions({ folds: this.folds ? "" : "1", moves: "" });
    this.root = { move: -1, event: "", parent: null, children: [] };
    this.here = this.root;
    this.ahead = [];
    const state = await this.ask([]);
    if (state) this.state = state;
  }
}
