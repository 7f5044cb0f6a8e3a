//! Diagnostics of the parser.

use crate::lex::TokenKind;
use source::{Diagnostic, Phase, Span};

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Parse, code, span, title)
}

pub fn unexpected(found: &str, expected: &str, span: Span) -> Diagnostic {
    let diagnostic =
        error("cspm::unexpected-token", span, format!("expected {expected}, found {found}")).label("not expected here");
    match (expected, found) {
        ("an expression", "`<-`") => {
            diagnostic.help("a sequence that begins with a negative number has a blank: `< -1>`")
        }
        _ => diagnostic,
    }
}

pub fn unexpected_close(found: &str, expected: &str, span: Span) -> Diagnostic {
    error("cspm::unexpected-close", span, format!("expected {expected}, found `{found}`"))
        .label("not expected here")
        .help(format!("remove this `{found}`, or complete what stands before it"))
}

pub fn stray(kind: TokenKind, text: &str, span: Span) -> Diagnostic {
    let diagnostic = error("cspm::stray-token", span, format!("a declaration cannot begin with `{text}`"));
    match kind {
        TokenKind::Within => diagnostic.label("no `let` is open here").help("open the declarations with `let`"),
        TokenKind::Exports | TokenKind::EndModule => {
            diagnostic.label("no module is open here").help("open it with `module NAME`")
        }
        TokenKind::ParenClose | TokenKind::BraceClose | TokenKind::BracketClose => {
            diagnostic.label("this closes nothing").help(format!("remove this `{text}`"))
        }
        _ => diagnostic.label("expected a name, or a keyword such as `channel` or `assert`"),
    }
}

pub fn unclosed(open: &str, close: &str, open_span: Span, found: &str, span: Span) -> Diagnostic {
    error("cspm::unclosed-bracket", open_span, format!("this `{open}` is never closed"))
        .label(format!("`{open}` opened here"))
        .also(span, format!("expected `{close}`, found {found}"))
        .help(format!("add `{close}`"))
}

pub fn greater_in_sequence(close: Span, found: &str, span: Span) -> Diagnostic {
    error("cspm::greater-in-sequence", close, "this `>` closes the sequence")
        .label("inside `<...>`, the first `>` is its end")
        .also(span, format!("so {found} comes as a surprise"))
        .help("put the comparison in parentheses, `(x > y)`, or turn it around, `y < x`")
}

pub fn single_equals(span: Span) -> Diagnostic {
    error("cspm::single-equals", span, "unexpected `=`")
        .label("`=` defines a name; it does not compare")
        .help("write `==` to compare two values")
}

pub fn unfinished_line(last: &str, span: Span) -> Diagnostic {
    error("cspm::unfinished-line", span, format!("nothing follows this `{last}`"))
        .label("the next line begins a new definition")
        .help(format!("complete the line, or remove the `{last}`"))
}

pub fn not_a_declaration(left: Span, found: &str, span: Span) -> Diagnostic {
    error("cspm::not-a-declaration", span, format!("expected `=`, found {found}"))
        .label("`=` and a value should follow")
        .also(left, "this begins a definition")
        .help("write `NAME = ...`; to evaluate an expression, write `print ...`")
}

pub fn missing_within(span: Span) -> Diagnostic {
    error("cspm::missing-within", span, "expected `within` before this expression")
        .label("this is not a definition, so the `let` should have ended")
        .help("write `let ... within EXPRESSION`")
}

pub fn let_without_within(start: Span, found: &str, span: Span) -> Diagnostic {
    error("cspm::missing-within", start, "this `let` has no `within`")
        .label("its definitions begin here")
        .also(span, format!("expected `within`, found {found}"))
        .help("end the definitions with `within EXPRESSION`")
}

pub fn incomplete_if(word: &str, start: Span, found: &str, span: Span) -> Diagnostic {
    error("cspm::incomplete-if", span, format!("expected `{word}`, found {found}"))
        .label(format!("`{word}` should follow"))
        .also(start, "for this `if`")
        .help("write `if CONDITION then A else B`; the `else` is never optional")
}

pub fn chained_operators(operator: &str, span: Span, first: Span) -> Diagnostic {
    error("cspm::chained-operators", span, format!("`{operator}` needs parentheses here"))
        .label("does not say which of the two comes first")
        .also(first, "after this one")
        .help("put the first two operands in parentheses")
}

pub fn prefix_without_arrow(fields: Span, found: &str, span: Span) -> Diagnostic {
    error("cspm::prefix-without-arrow", span, format!("expected `->` and a process, found {found}"))
        .label("`->` should follow")
        .also(fields, "this is an event")
        .help("write `EVENT -> PROCESS`, such as `c?x -> STOP`")
}

pub fn replicated_without_at(operator: &str, start: Span, found: &str, span: Span) -> Diagnostic {
    error("cspm::replicated-without-at", span, format!("expected `@` and a process, found {found}"))
        .label("`@` should follow")
        .also(start, format!("for this replicated `{operator}`"))
        .help(format!("write `{operator} x:SET @ PROCESS`"))
}

pub fn too_deep(span: Span) -> Diagnostic {
    error("cspm::nested-too-deeply", span, "this expression is nested too deeply")
        .label(format!("more than {} levels", super::MAX_NESTING))
        .help("name parts of it by definitions of their own")
}

pub fn integer_too_large(span: Span) -> Diagnostic {
    error("cspm::integer-too-large", span, "this number is too large").label(format!(
        "integers reach from {} to {}",
        i64::MIN,
        i64::MAX
    ))
}

pub fn invalid_pattern(is_call: bool, span: Span) -> Diagnostic {
    let diagnostic = error("cspm::invalid-pattern", span, "this is not a pattern")
        .label("patterns are names, `_`, literals, tuples, `<...>`, `{x}`, dots, `^` and `@@` of these");
    if is_call {
        diagnostic.help("a pattern cannot call a function; constructors take their fields by dots: `C.x.y`")
    } else {
        diagnostic.help("bind a name here and test it on the right side")
    }
}

pub fn two_flexible_parts(second: Span, first: Span) -> Diagnostic {
    error("cspm::two-flexible-parts", second, "this pattern splits a sequence in several ways")
        .label("this part can have any length")
        .also(first, "and so can this one")
        .help("leave one part open and give the others a length, such as `<x>^xs`, `xs^<x>` or `<x>^xs^<y>`")
}

pub fn large_set_pattern(span: Span) -> Diagnostic {
    error("cspm::large-set-pattern", span, "a set pattern has at most one element")
        .label("sets have no order, so which element is which?")
        .help("match `{}` or `{x}`, or bind the whole set and look into it on the right side")
}

pub fn both_in_field(span: Span) -> Diagnostic {
    error("cspm::both-in-field", span, "`@@` cannot stand in a field of a prefix")
        .label("a field takes one pattern")
        .help("bind a name, and take it apart behind the `->`")
}

pub fn not_in_timed(what: &str, span: Span) -> Diagnostic {
    error("cspm::not-in-timed", span, format!("{what} has no timed meaning"))
        .label("inside a `Timed` section")
        .help("move the definition out of the section, or use another operator")
}

pub fn wildcard_as_value(span: Span) -> Diagnostic {
    error("cspm::wildcard-as-value", span, "`_` is not a value")
        .label("`_` stands for any value in a pattern; here a value is needed")
}

pub fn both_as_value(span: Span) -> Diagnostic {
    error("cspm::both-as-value", span, "`@@` is not an operator on values")
        .label("`p @@ q` matches two patterns at once; here a value is needed")
}

pub fn misplaced_declaration(keyword: &str, place: &str, span: Span) -> Diagnostic {
    error("cspm::misplaced-declaration", span, format!("`{keyword}` cannot stand inside {place}"))
        .label("only allowed outside")
        .help("move it to the top of the script")
}

pub fn module_without(word: &str, module: Span, span: Span) -> Diagnostic {
    error("cspm::incomplete-module", module, format!("this module has no `{word}`"))
        .label("the module begins here")
        .also(span, format!("expected `{word}`"))
        .help("write `module NAME`, private definitions, `exports`, public ones, `endmodule`, each on its own line")
}

pub fn empty_module_arguments(what: &str, name: &str, span: Span) -> Diagnostic {
    error("cspm::empty-module-arguments", span, format!("`{name}()` has an empty argument list"))
        .label(format!("the parentheses of {} need at least one argument", article(what)))
        .help(format!("leave the parentheses out: `{name}`"))
}

fn article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

pub fn unknown_constraint(found: &str, known: &[&str], span: Span) -> Diagnostic {
    error("cspm::unknown-constraint", span, format!("`{found}` is not a constraint"))
        .label("expected a constraint on a type variable")
        .help(format!("the constraints are {}", known.join(", ")))
}

pub fn bare_function_argument(argument: &str, span: Span) -> Diagnostic {
    error("cspm::bare-function-argument", span, "the arguments of a function type need parentheses")
        .label("`->` should come after `)`")
        .help(format!("write `({argument}) -> ...`"))
}

pub fn second_annotation(name: &str, span: Span, first: Span) -> Diagnostic {
    error("cspm::second-annotation", span, format!("`{name}` has two type annotations"))
        .label("annotated again")
        .also(first, "first annotation")
        .help("remove one of them")
}

pub fn unused_annotation(name: &str, span: Span) -> Diagnostic {
    error("cspm::unused-annotation", span, format!("`{name}` is annotated but not defined"))
        .label("no definition of this name in the same block")
        .help(format!("define `{name}` beside its annotation, or remove the annotation"))
}

pub fn channels_annotated_apart(span: Span, first: Span) -> Diagnostic {
    error("cspm::channels-annotated-apart", span, "channels declared together need one annotation")
        .label("annotated apart")
        .also(first, "from this one")
        .help("write `a, b :: TYPE`, or declare the channels on lines of their own")
}

pub fn assertion_without_property(found: &str, span: Span) -> Diagnostic {
    error("cspm::incomplete-assertion", span, format!("expected what to assert, found {found}"))
        .label("a refinement or a property should follow")
        .help("write `assert P [T= Q`, or `assert P :[deadlock free]`")
}

pub fn unknown_property(found: &str, span: Span) -> Diagnostic {
    error("cspm::unknown-property", span, format!("`{found}` is not a property"))
        .label("unknown property")
        .help("the properties are `deadlock free`, `divergence free`, `deterministic`, `has trace`, `ltl` and `ctl`")
}

pub fn unknown_option(found: &str, span: Span) -> Diagnostic {
    error("cspm::unknown-option", span, format!("`{found}` is not an option of an assertion"))
        .label("unknown option")
        .help("the options are `:[tau priority over]: EVENTS` and `:[partial order reduce [fast|precise|hybrid]]`")
}

pub fn repeated_option(found: &str, span: Span) -> Diagnostic {
    error("cspm::repeated-option", span, format!("`{found}` is given twice")).label("given before").help("remove one")
}

pub fn unknown_model(found: &str, span: Span) -> Diagnostic {
    error("cspm::unknown-model", span, format!("`{found}` is not a semantic model"))
        .label("expected a model")
        .help("write `[T]` for traces, `[F]` for failures, `[V]` for revivals, `[R]` for refusal testing, or the last three with divergences: `[FD]`, `[VD]`, `[RD]`")
}

pub fn unknown_logic(found: &str, span: Span) -> Diagnostic {
    error("cspm::unknown-logic", span, format!("`{found}` is not a temporal logic"))
        .label("expected a logic")
        .help("write `|= LTL: \"...\"` or `|= CTL: \"...\"`")
}

pub fn malformed_pragma(span: Span) -> Diagnostic {
    let title = "this is read as a comment";
    Diagnostic::warning(Phase::Parse, "cspm::malformed-pragma", span, title)
        .label("not written as a claim")
        .help("write `{-# assert_ltl \"formula\" \"comment\" #-}`; the comment may be missing")
}

pub fn empty_trace(span: Span) -> Diagnostic {
    error("cspm::empty-trace", span, "the trace is empty")
        .label("every process has the empty trace")
        .help("list at least one event, such as `<a, b>`")
}

pub fn trace_not_listed(span: Span) -> Diagnostic {
    error("cspm::trace-not-listed", span, "the trace must be listed event by event").label("expected `<a, b, ...>`")
}
