// What a message proposes, made into an edit where it is plain what to type.
import type { Diagnostic } from "../lib/documents";

export interface Fix { title: string; from: { line: number; column: number }; to: { line: number; column: number }; text: string }

/** "did you mean `take`?" replaces what is marked; "declare `channel tock`" and the like put a line at the top. */
export function fixesOf(problem: Diagnostic): Fix[] {
  const fixes: Fix[] = [];
  const here = { from: { line: problem.line, column: problem.column }, to: { line: problem.end_line, column: problem.end_column } };
  for (const help of problem.help ?? []) {
    const meant = /did you mean (.+?)\?/.exec(help);
    for (const [, name] of meant ? meant[1].matchAll(/`([^`]+)`/g) : []) fixes.push({ title: `replace by ${name}`, ...here, text: name });
    const line = /`((?:transparent|external|channel) [^`]+)`/.exec(help);
    if (line) fixes.push({ title: `add ${line[1]}`, from: { line: 1, column: 1 }, to: { line: 1, column: 1 }, text: `${line[1]}\n` });
  }
  return fixes;
}
