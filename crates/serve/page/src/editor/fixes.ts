// What a message proposes, as changes of texts.
import type { Diagnostic, Edit, Fix } from "../lib/documents";

/** The changes that a message has of its own, or what its words say where it is plain what to type. */
export function fixesOf(problem: Diagnostic): Fix[] { return problem.fixes ?? fixesInWords(problem); }

/** "did you mean `take`?" replaces what is marked; "declare `channel tock`" and the like put a line at the top. */
function fixesInWords(problem: Diagnostic): Fix[] {
  const { file, line, column, end_line, end_column } = problem;
  const fixes: Fix[] = [];
  const add = (title: string, edit: Edit) => fixes.push({ title, edits: [edit] });
  for (const help of problem.help ?? []) {
    const meant = /did you mean (.+?)\?/.exec(help);
    for (const [, name] of meant ? meant[1].matchAll(/`([^`]+)`/g) : []) add(`replace by ${name}`, { file, line, column, end_line, end_column, text: name });
    const first = /`((?:transparent|external|channel) [^`]+)`/.exec(help);
    if (first) add(`add ${first[1]}`, { file, line: 1, column: 1, end_line: 1, end_column: 1, text: `${first[1]}\n` });
  }
  return fixes;
}
