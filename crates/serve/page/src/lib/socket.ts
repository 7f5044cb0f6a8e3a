// One socket to the server: questions with answers, and events. It connects again when the server comes back.

export type Listener = (event: string, data: any) => void;

export const TOKEN = "tracehound-token";

/** The token of the printed address, kept for reloads and other tabs, and taken out of the address bar. */
export function takeToken(): string | null {
  const found = /^#token=([0-9a-f]{32})(.*)$/.exec(location.hash);
  if (found) {
    localStorage.setItem(TOKEN, found[1]);
    history.replaceState(null, "", location.pathname + (found[2] ? `#${found[2]}` : ""));
  }
  return localStorage.getItem(TOKEN);
}

export class Refused extends Error {
  constructor(message: string, readonly details: any) { super(message); }
}

export class Socket {
  private socket: WebSocket | null = null;
  private waiting = new Map<number, { resolve: (value: any) => void; reject: (error: Error) => void }>();
  private next = 1;
  private delay = 200;

  constructor(private token: string, private listener: Listener) { this.connect(); }

  private connect() {
    const socket = new WebSocket(`ws://${location.host}/socket`, ["tracehound", `token.${this.token}`]);
    this.socket = socket;
    let wasOpen = false;
    socket.onopen = () => { wasOpen = true; this.delay = 200; this.listener("connected", {}); };
    socket.onmessage = (message) => this.receive(JSON.parse(message.data));
    socket.onclose = async () => {
      for (const { reject } of this.waiting.values()) reject(new Refused("the server is not there", {}));
      this.waiting.clear();
      const why = await this.whyClosed();
      this.listener(why, { wasOpen });
      if (why === "unauthorized") return;
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(this.delay * 2, 3000);
    };
  }

  /** A socket that was refused does not say why; a plain request does. */
  private async whyClosed(): Promise<string> {
    try {
      const answer = await fetch("/api/alive", { headers: { authorization: `Bearer ${this.token}` } });
      if (answer.status === 401) return "unauthorized";
      return answer.status === 503 ? "crowded" : "disconnected";
    } catch { return "disconnected"; }
  }

  private receive(message: any) {
    if (message.id === undefined) return this.listener(message.event, message);
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) waiting?.reject(new Refused(message.error.message, message.error));
    else waiting?.resolve(message.result);
  }

  ask(method: string, params: object = {}): Promise<any> {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Refused("the server is not there", {}));
    const id = this.next++;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
}
