// A counterexample as rows and columns, the same for the table, the chart and the text.
import type { Component, Counterexample, Part, Place, Step } from "./documents";

export interface Row {
  /** Steps are numbered from 1 everywhere. */
  number: number;
  step: Step;
  isVisible: boolean;
  /** Where it stands in the loop: nowhere, or at its beginning, middle or end; or it is the first step of the second round. */
  loop: "" | "first" | "middle" | "last" | "only" | "again";
}

export interface Column { component: number; name: string; place?: Place; color: number }

/** All steps, with those of the loop, and the first one of the next round. */
export function rowsOf(run: Counterexample): Row[] {
  const isVisible = (step: Step) => step.event !== "tau";
  const rows: Row[] = run.steps.map((step, place) => ({ number: place + 1, step, isVisible: isVisible(step), loop: "" }));
  const loop = run.loop ?? [];
  loop.forEach((step, place) => {
    const where = loop.length === 1 ? "only" : place === 0 ? "first" : place === loop.length - 1 ? "last" : "middle";
    rows.push({ number: run.steps.length + place + 1, step, isVisible: isVisible(step), loop: where });
  });
  if (loop.length > 0) rows.push({ number: run.steps.length + loop.length + 1, step: loop[0], isVisible: isVisible(loop[0]), loop: "again" });
  return rows;
}

/** Where a component stands before it has moved, or at all. */
export function placeOf(part: Partial<Place> | undefined): Place | undefined {
  return part?.file !== undefined && part.line !== undefined ? (part as Place) : undefined;
}

export function columnsOf(run: Counterexample): Column[] {
  return run.components.map((component: Component, index) => ({ component: index, name: component.name, place: placeOf(component), color: index % 8 }));
}

/** The components that take part in some step. */
export function moving(run: Counterexample): Set<number> {
  const found = new Set<number>();
  for (const step of [...run.steps, ...(run.loop ?? [])]) for (const part of step.parts) found.add(part.component);
  return found;
}

/** The event as it is shown: what is hidden stands in brackets. */
export function eventText(step: Step): string {
  if (step.event !== "tau") return step.event === "tick" ? "✓" : step.event;
  return step.hidden ? `τ (${step.hidden})` : "τ";
}

export function partText(part: Part): string { return part.event === "tau" ? "τ" : part.event === "tick" ? "✓" : part.event; }

/** What is wrong at the end, and when, in words. */
export function endWords(run: Counterexample, process: string, specification: string | undefined): string[] {
  const time = run.time_stops !== undefined ? [`Time cannot pass beyond ${run.time_stops}.`] : run.loop_takes !== undefined ? [`Each round takes ${run.loop_takes}.`] : [];
  return [...faultWords(run, process, specification), ...time];
}

function faultWords(run: Counterexample, process: string, specification: string | undefined): string[] {
  const list = (events: string[] | undefined) => (events && events.length > 0 ? events.join(", ") : "nothing");
  const allowed = run.allowed ?? [];
  const sets = (allowed as (string | string[])[]).map((one) => (Array.isArray(one) ? `{${one.join(", ")}}` : one));
  switch (run.kind) {
    case "trace": return run.event !== undefined ? [`Then ${process} does ${run.event}.`, specification !== undefined ? `${specification} allows ${list(sets)}.` : `Allowed: ${list(sets)}.`] : [];
    case "refusal": return [`Here ${process} offers ${list(run.accepts)}.`, sets.length > 0 ? `${specification ?? "The specification"} must offer all of ${sets.join(" or ")}.` : `${specification ?? "The specification"} cannot be there.`];
    case "deadlock": return [`Nothing can happen any more.`];
    case "divergence": return [`Silent steps go on for ever.`];
    case "nondeterminism": return [`After this trace ${run.event ?? "an event"} can happen, and can be refused: what is offered then is ${list(run.accepts)}.`];
    case "missing": return [`${run.event ?? "An event"} is not possible here; possible: ${list(run.accepts)}.`];
    case "lasso": return [run.fair && run.fair.length > 0 ? `The loop is fair: ${run.fair.join("; ")}.` : "The loop is repeated for ever."];
    case "state": return [`This state was looked for.${run.optimum !== undefined ? ` The value is ${run.optimum}.` : ""}`];
    case "revival": return [`Here ${run.event ?? "an event"} is possible while only ${list(run.accepts)} is offered.`];
    default: return [];
  }
}

/** The circle of waiting, in words. */
export function circleWords(run: Counterexample): string | null {
  const circle = run.circle;
  if (!circle || circle.length === 0) return null;
  const names = [...circle, circle[0]].map((index) => run.components[index].name);
  return `${names[0]} waits for ${names.slice(1).join(", which waits for ")}: a circle of ${circle.length}`;
}

/** The run as text, to be copied. */
export function asText(run: Counterexample): string {
  const width = String(run.steps.length + (run.loop?.length ?? 0)).length;
  const lines = rowsOf(run).map((row) => {
    const mark = row.loop === "first" || row.loop === "only" ? "┌" : row.loop === "last" ? "└" : row.loop === "middle" ? "│" : row.loop === "again" ? "↻" : " ";
    return `${String(row.number).padStart(width)} ${mark} ${eventText(row.step)}${row.step.by.length > 0 ? `    ${row.step.by.join(", ")}` : ""}`;
  });
  return lines.join("\n");
}
