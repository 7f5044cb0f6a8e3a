// The editor: CodeMirror with our marks, problems and lenses.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldKeymap } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Lint } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import type { Diagnostic, Fix, Outline, Symbol } from "../lib/documents";
import { fixesOf } from "./fixes";
import { colors } from "./language";

export interface LensLine { line: number; index: number; sign: string; words: string; kind: string }

export interface PlacedMark { line: number; column?: number; endLine?: number; endColumn?: number; color: number; isEnd: boolean }

export const setMarks = StateEffect.define<PlacedMark[]>();
export const setLenses = StateEffect.define<LensLine[]>();

/** The offset of a place that counts lines and characters from 1; columns count code points, offsets do not. */
export function offsetOf(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
  let offset = 0;
  for (const char of at.text) { if (--column < 1) break; offset += char.length; }
  return at.from + Math.min(offset, at.length);
}

function markField(): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marks, transaction) {
      marks = marks.map(transaction.changes);
      for (const effect of transaction.effects) {
        if (!effect.is(setMarks)) continue;
        const doc = transaction.state.doc;
        const ranges = effect.value.filter((mark) => mark.line <= doc.lines).flatMap((mark) => {
          const line = doc.line(mark.line);
          const lineMark = Decoration.line({ class: `mark mark-${mark.color % 8}${mark.isEnd ? " mark-end" : ""}` }).range(line.from);
          if (!mark.column) return [lineMark];
          const from = offsetOf(doc, mark.line, mark.column);
          const to = offsetOf(doc, mark.endLine ?? mark.line, mark.endColumn ?? mark.column);
          return to > from ? [lineMark, Decoration.mark({ class: `prefix prefix-${mark.color % 8}` }).range(from, to)] : [lineMark];
        });
        marks = Decoration.set(ranges, true);
      }
      return marks;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

class Lens extends WidgetType {
  constructor(private lens: LensLine, private onCheck: (index: number) => void, private onShow: (index: number) => void) { super(); }
  eq(other: Lens) { return other.lens.words === this.lens.words && other.lens.index === this.lens.index && other.lens.kind === this.lens.kind; }
  toDOM() {
    const box = document.createElement("div");
    box.className = "lens";
    const button = (text: string, label: string, run: () => void, kind = "") => {
      const element = document.createElement("button");
      element.textContent = text;
      element.className = `lens-button ${kind}`;
      element.setAttribute("aria-label", label);
      // The list of assertions offers the same: Tab need not stop here.
      element.tabIndex = -1;
      element.onclick = run;
      box.append(element);
    };
    button("▷ check", `▷ check, assertion ${this.lens.index}`, () => this.onCheck(this.lens.index));
    if (this.lens.words) button(`${this.lens.sign} ${this.lens.words}`, `${this.lens.sign} ${this.lens.words}, assertion ${this.lens.index}`, () => this.onShow(this.lens.index), `sign-${this.lens.kind}`);
    return box;
  }
  ignoreEvent() { return true; }
}

function lensField(onCheck: (index: number) => void, onShow: (index: number) => void): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(lenses, transaction) {
      lenses = lenses.map(transaction.changes);
      for (const effect of transaction.effects) {
        if (!effect.is(setLenses)) continue;
        const doc = transaction.state.doc;
        lenses = Decoration.set(effect.value.filter((lens) => lens.line <= doc.lines).map((lens) =>
          Decoration.widget({ widget: new Lens(lens, onCheck, onShow), block: true, side: -1 }).range(doc.line(lens.line).from)), true);
      }
      return lenses;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** The problems of a file, for the editor. */
export function lintsOf(doc: Text, problems: Diagnostic[]): Lint[] {
  return problems.map((problem) => {
    const from = offsetOf(doc, problem.line, problem.column);
    const to = Math.max(offsetOf(doc, problem.end_line, problem.end_column), Math.min(from + 1, doc.length));
    return {
      from, to, severity: problem.severity === "note" ? "info" : problem.severity,
      message: [problem.message, problem.label, ...(problem.notes ?? []), ...(problem.help ?? [])].filter(Boolean).join("\n"),
      source: problem.code,
      actions: fixesOf(problem).filter((fix) => isOneFile(problem, fix)).map((fix) => ({ name: fix.title, apply: (view: EditorView) => applyFix(view, fix) })),
    };
  });
}

/** What changes other files as well is not typed in this one. */
function isOneFile(problem: Diagnostic, fix: Fix): boolean { return fix.edits.every((edit) => edit.file === problem.file); }

export function applyFix(view: EditorView, fix: Fix) {
  const doc = view.state.doc;
  const changes = fix.edits.map((edit) => ({ from: offsetOf(doc, edit.line, edit.column), to: offsetOf(doc, edit.end_line, edit.end_column), insert: edit.text }));
  view.dispatch({ changes, userEvent: "input.fix" });
  view.focus();
}

/** The first fix for a problem at the cursor or in its line. */
function mendHere(problems: () => Diagnostic[]) {
  return (view: EditorView) => {
    const line = view.state.doc.lineAt(view.state.selection.main.head).number;
    const fix = problems().filter((problem) => problem.line === line).flatMap((problem) => fixesOf(problem).filter((one) => isOneFile(problem, one)))[0];
    if (fix) applyFix(view, fix);
    return fix !== undefined;
  };
}

function completions(outline: () => Outline | null) {
  return (context: CompletionContext) => {
    const word = context.matchBefore(/[\w']+/);
    if (!word && !context.explicit) return null;
    const symbols: Symbol[] = outline()?.symbols ?? [];
    return { from: word?.from ?? context.pos, options: symbols.map(({ name, kind }) => ({ label: name, detail: kind })), validFor: /^[\w']*$/ };
  };
}

export interface Callbacks {
  onEdit: (text: string) => void;
  onCursor: (line: number, column: number) => void;
  onCheck: (index: number) => void;
  onShow: (index: number) => void;
  onDefinition: (line: number, column: number) => void;
  problems: () => Diagnostic[];
  outline: () => Outline | null;
  isReadOnly: boolean;
  nonce: string;
}

/** The line and the column, in characters from 1, of an offset. */
export function placeOf(doc: Text, offset: number): [number, number] {
  const line = doc.lineAt(offset);
  return [line.number, [...line.text.slice(0, offset - line.from)].length + 1];
}

export function extensions(callbacks: Callbacks): Extension[] {
  return [
    EditorView.cspNonce.of(callbacks.nonce),
    lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
    autocompletion({ override: [completions(callbacks.outline)] }),
    keymap.of([
      { key: "Alt-Enter", run: mendHere(callbacks.problems) },
      { key: "F12", run: (view) => { callbacks.onDefinition(...placeOf(view.state.doc, view.state.selection.main.head)); return true; } },
      ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap.filter(({ key }) => key !== "F8"), ...searchKeymap, ...historyKeymap, ...foldKeymap, indentWithTab, ...defaultKeymap,
    ]),
    colors, markField(), lensField(callbacks.onCheck, callbacks.onShow),
    EditorState.readOnly.of(callbacks.isReadOnly),
    EditorView.contentAttributes.of({ "aria-label": "script", spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && update.transactions.some((one) => one.isUserEvent("input") || one.isUserEvent("delete") || one.isUserEvent("move") || one.isUserEvent("undo") || one.isUserEvent("redo"))) {
        callbacks.onEdit(update.state.doc.toString());
      }
      if (update.selectionSet || update.docChanged) callbacks.onCursor(...placeOf(update.state.doc, update.state.selection.main.head));
    }),
    EditorView.domEventHandlers({
      click(event, view) {
        if (!event.ctrlKey && !event.metaKey) return false;
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (offset !== null) callbacks.onDefinition(...placeOf(view.state.doc, offset));
        return true;
      },
    }),
  ];
}

export { EditorState, EditorView, setDiagnostics };
