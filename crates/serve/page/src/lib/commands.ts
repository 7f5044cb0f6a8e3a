// Everything that can be done, by name and key; the palette and the list of keys are made of this.
import { app } from "./app.svelte";

export interface Command { name: string; key?: string; run: () => void; isPossible?: () => boolean }

const hasFile = () => app.file !== null;

export const commands: Command[] = [
  { name: "Check the assertion at the cursor", key: "F5", run: () => app.checkHere(), isPossible: hasFile },
  { name: "Check all assertions", key: "Shift+F5", run: () => void app.checkAll(), isPossible: hasFile },
  { name: "Check again what does not hold or is stale", key: "Alt+F5", run: () => void app.checkFailing(), isPossible: hasFile },
  { name: "Cancel what is running", key: "Escape", run: () => app.cancelAll(), isPossible: () => Object.keys(app.running).length > 0 || app.questions.isBusy },
  { name: "Simulate", key: "F8", run: () => app.look("sim"), isPossible: hasFile },
  { name: "State graph", key: "F9", run: () => app.look("graph"), isPossible: hasFile },
  { name: "Machine structure", key: "Alt+F9", run: () => app.look("structure"), isPossible: hasFile },
  { name: "Compare two processes", key: "Alt+F8", run: () => app.go("compare"), isPossible: hasFile },
  { name: "Save", key: "Ctrl+S", run: () => void app.save(), isPossible: hasFile },
  { name: "Go to the files", key: "Alt+1", run: () => focusOn("files") },
  { name: "Go to the assertions", key: "Alt+2", run: () => focusOn("assertions") },
  { name: "Go to the editor", key: "Alt+3", run: () => focusOn("editor") },
  { name: "Go to the problems", key: "Alt+4", run: () => focusOn("problems") },
  { name: "Go to the result", key: "Alt+5", run: () => focusOn("panel") },
  { name: "Close the result", key: "Alt+W", run: () => app.close(), isPossible: () => app.link.view !== "home" },
  { name: "Move the result below or to the right", key: "Alt+M", run: () => app.movePanel() },
  { name: "Light, dark, or as the system wants", key: "Alt+L", run: () => app.setTheme(app.theme === "auto" ? "dark" : app.theme === "dark" ? "light" : "auto") },
  { name: "All commands", key: "Ctrl+K", run: () => { app.overlay = app.overlay === "palette" ? null : "palette"; } },
  { name: "Keys", key: "?", run: () => { app.overlay = app.overlay === "keys" ? null : "keys"; } },
  { name: "About, with the licenses of what is in this page", run: () => { app.overlay = "about"; } },
];

function focusOn(zone: string) {
  const place = document.querySelector(`[data-zone="${zone}"]`);
  const inside = zone === "editor" ? place?.querySelector(".cm-content")
    : place?.querySelector("[tabindex='0'], button:not([disabled]), a[href], input, select");
  ((inside ?? place) as HTMLElement | null)?.focus();
}

/** The key of an event, as commands write it. */
export function keyOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 && event.key !== "?" ? event.key.toUpperCase() : event.key;
  // On some keyboards Alt makes another letter of a key.
  const plain = event.altKey && /^(Digit|Key)./.test(event.code) ? event.code.slice(-1) : key;
  return [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", event.shiftKey && key !== "?" ? "Shift" : "", plain].filter(Boolean).join("+");
}

/** Whether somebody is writing, so that keys without Ctrl or Alt are letters. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
}

export function obey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented) return false;
  const key = keyOf(event);
  const isLetter = key.length === 1 || key === "Escape";
  if (isLetter && isWriting(event.target)) return false;
  if (key === "Escape" && app.overlay) { app.overlay = null; return true; }
  if (key === "/" ) { document.querySelector<HTMLInputElement>("[data-filter]")?.focus(); return true; }
  const command = commands.find((one) => one.key === key && (one.isPossible?.() ?? true));
  command?.run();
  return command !== undefined;
}
