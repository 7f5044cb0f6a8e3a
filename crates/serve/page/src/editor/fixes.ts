// What a message proposes, as changes of texts.
import type { Diagnostic, Fix } from "../lib/documents";

/** The changes that a message has of its own. */
export function fixesOf(problem: Diagnostic): Fix[] { return problem.fixes ?? []; }
