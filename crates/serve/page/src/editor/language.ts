// Colors for words. What they mean is the server's to say: this knows no grammar, and serves all languages alike.
import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const CSPM = "let within if then else and or not true false channel datatype nametype subtype assert include print module endmodule exports instance transparent external Timed deadlock divergence free deterministic has trace tail union inter diff member card head length STOP SKIP CHAOS Int Bool Char Proc Events Set Seq Map lambda";
const CSP_SHARP = "var define enum hvar import reaches deadlockfree divergencefree nonterminating deterministic refines while atomic case default ifa ifb Skip Stop int bool interrupt wf sf wl sl new true false channel process assert if else or with min max";
const NETWORK = "tracehound network machine state initial rule sync hide event variable when do mode modes tau tick";
const KEYWORDS = new Set(`${CSPM} ${CSP_SHARP} ${NETWORK}`.split(" "));

interface State { depth: number; isBraces: boolean }

function token(stream: StringStream, state: State): string | null {
  if (state.depth > 0) {
    while (!stream.eol()) {
      if (stream.match(state.isBraces ? "-}" : "*/")) { state.depth--; if (state.depth === 0) break; }
      else if (state.isBraces && stream.match("{-")) state.depth++;
      else stream.next();
    }
    return "comment";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("{-") || stream.match("/*")) { state.depth = 1; state.isBraces = stream.current() === "{-"; return "comment"; }
  if (stream.match("--") || stream.match("//")) { stream.skipToEnd(); return "comment"; }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
  if (stream.match(/^\d+/)) return "number";
  if (stream.match(/^#[a-z]+/)) return "keyword";
  const word = stream.match(/^[A-Za-z_][\w']*/) as RegExpMatchArray | null;
  if (word) {
    if (KEYWORDS.has(word[0])) return "keyword";
    return /^[A-Z][A-Z0-9_']*$/.test(word[0]) ? "typeName" : null;
  }
  if (stream.match(/^(?:\[T=|\[F=|\[FD=|\[R=|\[V=|->|\[\]|\|~\||\|\|\||\[\||\|\]|\|\||\/\\|\[>|\\|:\[|\]=?|\?|!)/)) return "operator";
  stream.next();
  return null;
}

const language = StreamLanguage.define<State>({
  name: "process algebra",
  startState: () => ({ depth: 0, isBraces: true }),
  token,
  languageData: { commentTokens: { line: "--", block: { open: "{-", close: "-}" } }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
});

const style = HighlightStyle.define([
  { tag: tags.keyword, class: "t-keyword" },
  { tag: tags.comment, class: "t-comment" },
  { tag: tags.string, class: "t-string" },
  { tag: tags.number, class: "t-number" },
  { tag: tags.operator, class: "t-operator" },
  { tag: tags.typeName, class: "t-process" },
]);

export const colors = [language, syntaxHighlighting(style)];
