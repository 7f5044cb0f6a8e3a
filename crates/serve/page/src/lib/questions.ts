// Questions whose answers take long, at most one of each kind. One that is replaced or cancelled is stopped on the server, whose child would
// go on working for no reader.

export type Send = (method: string, params: object) => Promise<any>;

export class Questions {
  private running = new Map<string, symbol>();
  private stopping = new Map<string, Promise<unknown>>();

  constructor(private send: Send) {}

  get isBusy(): boolean { return this.running.size > 0; }

  /** The answer; null if another question of the same kind has replaced this one. A question that is cancelled is rejected. */
  async ask(params: { ask: string; [name: string]: unknown }): Promise<any> {
    const kind = params.ask;
    const me = Symbol(kind);
    if (this.running.has(kind)) this.sendStop(kind);
    this.running.set(kind, me);
    const isReplaced = () => this.running.has(kind) && this.running.get(kind) !== me;
    const cancelled = () => new Error("cancelled");
    // The server answers messages side by side: a question that overtakes the stop before it would be stopped.
    await this.stopping.get(kind);
    if (isReplaced()) return null;
    if (!this.running.has(kind)) throw cancelled();
    try {
      const answer = await this.send("query", params);
      if (isReplaced()) return null;
      if (!this.running.has(kind)) throw cancelled();
      return answer;
    } catch (why) {
      if (isReplaced()) return null;
      throw this.running.has(kind) ? why : cancelled();
    } finally {
      if (this.running.get(kind) === me) this.running.delete(kind);
    }
  }

  /** Cancels the question of a kind, or all of them. */
  stop(kind?: string) {
    for (const one of kind === undefined ? [...this.running.keys()] : [kind]) if (this.running.delete(one)) this.sendStop(one);
  }

  private sendStop(kind: string) {
    // Without a server there is nothing to stop.
    const stopped = this.send("stop", { ask: kind }).catch(() => {}).then(() => { if (this.stopping.get(kind) === stopped) this.stopping.delete(kind); });
    this.stopping.set(kind, stopped);
  }
}
