//! The wording of every message about formulas.

use super::dialect::Dialect;
use super::token::binary_word;
use super::tree::{Named, Quantifier, Text};
use source::{Diagnostic, Phase, Severity, Span};

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Parse, code, span, title)
}

fn note(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::note(Phase::Parse, code, span, title)
}

pub fn as_note(diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic { severity: Severity::Note, ..diagnostic }
}

pub fn too_long(limit: usize, span: Span) -> Diagnostic {
    error("ltl::too-large", span, format!("a formula has at most {} MB", limit >> 20))
}

pub fn too_large(limit: usize, span: Span) -> Diagnostic {
    error("ltl::too-large", span, format!("the named patterns stand for more than {limit} operators"))
        .help("nest fewer scopes in each other")
}

pub fn too_deep(limit: u32, span: Span) -> Diagnostic {
    error("ltl::too-deep", span, format!("operators are nested more than {limit} deep"))
        .help("split the formula into several")
}

pub fn unknown_character(word: &str, span: Span) -> Diagnostic {
    let title = match word.chars().next() {
        Some(c) if !c.is_control() => format!("unexpected character `{c}`"),
        Some(c) => format!("unexpected character U+{:04X}", c as u32),
        None => "unexpected character".to_owned(),
    };
    let diagnostic = error("ltl::unknown-character", span, title).label("no part of a formula begins like this");
    match word {
        "]" | "}" => diagnostic.help("remove it, or write the bracket it closes"),
        ";" => diagnostic.help("a formula ends without a sign"),
        "?" => diagnostic.help("write the channel directly before `?`, as in `c?x`"),
        "\"" => diagnostic.help("write strings inside a predicate: `{x = \"text\"}`"),
        _ => diagnostic,
    }
}

pub fn unclosed(open: &str, span: Span) -> Diagnostic {
    let close = match open {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        other => other,
    };
    error("ltl::unclosed", span, format!("this `{open}` is never closed"))
        .label("opened here")
        .help(format!("write `{close}` where it ends; brackets inside must match too"))
}

pub fn unclosed_formula(open: Span, span: Span) -> Diagnostic {
    error("ltl::unclosed", span, "expected `)`").label("missing here").also(open, "opened here")
}

pub fn nothing_to_close(word: &str, span: Span) -> Diagnostic {
    error("ltl::unexpected", span, format!("unexpected `{word}`"))
        .label("no bracket is open here")
        .help(format!("remove `{word}`, or open a bracket before it"))
}

pub fn missing_operand(found: &str, word: Option<&str>, operator: Option<Span>, span: Span) -> Diagnostic {
    let title = format!("expected a formula, found {found}");
    let mut diagnostic = error("ltl::missing-operand", span, title).label("a formula must stand here");
    if let Some(operator) = operator {
        diagnostic = diagnostic.also(operator, "needs an operand");
    }
    match word.filter(|word| binary_word(word).is_some()) {
        Some(word) => diagnostic.help(format!("`{word}` is an operator; write `[{word}]` for an event of that name")),
        None => diagnostic.help("write `true`, an event `[a]`, a predicate `{p}` or a formula in brackets"),
    }
}

pub fn no_formula(span: Span) -> Diagnostic {
    error("ltl::missing-operand", span, "there is no formula")
        .label("a formula must stand here")
        .help("write what should be true of all runs, such as `G [a]` (only a happens) or `G ([a] => F [b])` (after each a there is a b)")
}

pub fn missing_operator(word: &str, before: Span, span: Span) -> Diagnostic {
    error("ltl::missing-operator", span, format!("expected an operator or the end, found `{}`", shortened(word)))
        .label("not expected here")
        .also(before, "this formula is complete")
        .help("join formulas with `&`, `or`, `=>`, `U`, `W` or `R`")
}

pub fn definition(span: Span) -> Diagnostic {
    error("ltl::definition", span, "definitions inside of formulas are not supported")
        .label("in ProB this begins one")
        .help("write what it stands for in its place; chains are written `seq(p, q without r)`")
}

fn shortened(word: &str) -> String {
    let short: String = word.chars().take(30).collect();
    if short.len() < word.len() { format!("{short}…") } else { short }
}

pub fn chained(word: &str, span: Span) -> Diagnostic {
    error("ltl::chained", span, format!("`{word}` cannot be chained"))
        .label("which of the two comes first?")
        .help(format!("write `(a {word} b) {word} c` or `a {word} (b {word} c)`"))
}

pub fn loose_condition(dialect: Dialect, is_prefixed: bool, whole: Span, span: Span) -> Diagnostic {
    let tool = dialect.table().tool;
    let diagnostic = error("ltl::condition", span, "this comparison needs brackets");
    match (is_prefixed, matches!(dialect, Dialect::ProB | Dialect::Csp)) {
        (_, true) => diagnostic
            .label(format!("in the {tool} dialect, predicates stand in braces"))
            .help("write `{x = 1}`, in the language of the model"),
        (true, _) => diagnostic
            .label("the operator before it binds tighter than the comparison")
            .also(whole, format!("{tool} applies the operator to the first name only"))
            .help("write `[](x == 1)`"),
        _ => diagnostic.label("not part of the formula before it").help("write `(x + 1 == y)`, or `{x + 1 == y}`"),
    }
}

pub fn not_a_condition(text: &Text) -> Diagnostic {
    error("ltl::condition", text.span, format!("`{}` is neither true nor false", shortened(&text.text)))
        .label("expected a comparison")
        .help("compare it: `x == 1`")
}

pub fn missing_event(span: Span) -> Diagnostic {
    error("ltl::event", span, "expected an event")
        .label("a name must stand here")
        .help("write `[a]`, `[op(1,_)]` or `[c.1._]`")
}

pub fn not_an_event(span: Span) -> Diagnostic {
    error("ltl::event", span, "an event begins with a name")
        .label("expected a name")
        .help("write `a`, `op(1,_)`, `c.1._` or `{|c, d|}`")
}

pub fn behind_event(span: Span) -> Diagnostic {
    error("ltl::event", span, "the event ends before this")
        .label("expected `.`, `?`, `!`, `(` or the closing bracket")
        .help("write fields as `c.1?x!y` and arguments as `op(1,_)`")
}

pub fn not_in_set(span: Span) -> Diagnostic {
    error("ltl::event", span, "a set of events holds events only")
        .label("not an event of the model")
        .help("write `[tau] or [{|c, d|}]`")
}

pub fn missing_field(span: Span) -> Diagnostic {
    error("ltl::field", span, "expected a value")
        .label("a field must stand here")
        .help("write `_` for any value, `(v+1)` for an expression")
}

pub fn input_of_value(value: &Text) -> Diagnostic {
    error("ltl::field", value.span, format!("`?{}` names no variable", value.text))
        .label("`?` binds a variable")
        .help(format!("write `!{0}` or `.{0}` for this value", value.text))
}

pub fn empty_list(span: Span) -> Diagnostic {
    error("ltl::empty-list", span, "the brackets are empty")
        .label("expected at least one entry")
        .help("name events as in `deadlock(a,b)`; `deadlock` without brackets means that nothing is possible")
}

pub fn braces_needed(word: &str, inside: &Text) -> Diagnostic {
    error("ltl::braces", inside.span, format!("`{word}` takes an expression in braces"))
        .label("expected `{`")
        .help(format!("write `{word}({{{}}})`", shortened(&inside.text)))
}

pub fn missing_variable(span: Span) -> Diagnostic {
    error("ltl::quantifier", span, "expected a variable").label("a name must stand here")
}

pub fn quantifier_shape(quantifier: Quantifier, span: Span) -> Diagnostic {
    match quantifier {
        Quantifier::Exists => error("ltl::quantifier", span, "`#` is written `#x.({p} & f)`")
            .label("not expected here")
            .help("give the values in braces, then `&`: `#x.({x:S} & F [op(x)])`"),
        Quantifier::ForAll => error("ltl::quantifier", span, "`!` is written `!x.({p} => f)`")
            .label("not expected here")
            .help("give the values in braces, then `=>`: `!x.({x:S} => G [op(x)])`"),
    }
}

pub fn typed_shape(quantifier: Quantifier, span: Span) -> Diagnostic {
    let word = if quantifier == Quantifier::Exists { "exists" } else { "forall" };
    error("ltl::quantifier", span, format!("`{word}` is written `{word} x:T @ f`"))
        .label("not expected here")
        .help(format!("write `{word} x:T, y:S @ f`"))
}

pub fn arguments(named: Named, span: Span) -> Diagnostic {
    let shape = match named {
        Named::Absence => "absence(p)",
        Named::Universality => "universality(p)",
        Named::Existence => "existence(p)` or `existence(p, 3)",
        Named::Response => "response(s, p)` or `response((s1, s2), p)",
        Named::Precedence => "precedence(s, p)` or `precedence(s, (p1, p2))",
        Named::Before => "before(r, f)",
        Named::After => "after(q, f)",
        Named::Between => "between(q, r, f)",
        Named::AfterUntil => "after_until(q, r, f)",
        Named::Seq => "seq(a, b)` or `seq(a, b without c)",
    };
    error("ltl::arguments", span, format!("`{}` does not take these arguments", named.word()))
        .label("too many, too few, or not formulas")
        .help(format!("write `{shape}`"))
}

pub fn chain_alone(span: Span) -> Diagnostic {
    error("ltl::arguments", span, "a chain is no formula")
        .label("several formulas in brackets")
        .help("write `seq(a, b)`, or use the chain as an argument: `response((a, b), p)`")
}

pub fn number_alone(span: Span) -> Diagnostic {
    error("ltl::arguments", span, "a number is no formula").label("only `existence(p, 3)` takes a number")
}

pub fn past_in_scope(body: Span, scope: Span) -> Diagnostic {
    error("ltl::past-in-scope", body, "a scope that ends cannot hold operators that look back")
        .label("looks back")
        .also(scope, "this scope ends")
        .help("write the scope with operators: `G(q & not r => f W r)`")
}

pub fn misplaced_fairness(span: Span) -> Diagnostic {
    error("ltl::fairness", span, "fairness can only be a premise of the whole formula")
        .label("not before the first `=>`, or below other operators than `&` and `or`")
        .help("write `SF(a) & WF(b) => f`")
        .help("as a formula, `WF(a)` is `(F G e(a) => G F [a])` and `SF(a)` is `(G F e(a) => G F [a])`")
}

pub fn mixed_premise(span: Span) -> Diagnostic {
    note("ltl::mixed-premise", span, "this condition is not part of the fairness premise")
        .label("read as a condition of the claim")
        .with_note("`SF(a) & p => f` is read as `SF(a) => (p => f)`")
}

pub fn not_branching(word: &str, span: Span) -> Diagnostic {
    error("ltl::branching", span, format!("`{word}` needs a path quantifier in CTL"))
        .label("on which paths?")
        .help("write `EF f`, `AG f`, `EX[op] f`, `E f U g` or `A f U g`")
}

pub fn not_linear(word: &str, span: Span) -> Diagnostic {
    let quantifier = if word.starts_with('A') { "all" } else { "some" };
    let diagnostic =
        error("ltl::linear", span, format!("`{word}` is an operator of CTL, and this is a formula of LTL"))
            .label(format!("speaks of {quantifier} paths"))
            .help("to read it as CTL, write `assert P |= CTL: \"...\"`, or give `--ctl` on the command line");
    match word.strip_prefix('A').filter(|rest| !rest.is_empty()) {
        Some(rest) => diagnostic.help(format!("in LTL every formula speaks of all paths: write `{rest}`")),
        None => diagnostic,
    }
}

pub fn long_arrow(long: &str, short: &str, span: Span) -> Diagnostic {
    let meaning = if short == "=>" { "implies" } else { "if and only if" };
    error("ltl::long-arrow", span, format!("`{long}` is not an operator"))
        .label("not part of a formula")
        .help(format!("write `{short}` for \"{meaning}\""))
}

pub fn path_needs_until(quantifier: Span, span: Span) -> Diagnostic {
    error("ltl::branching", span, "expected `U` or `R`")
        .label("missing here")
        .also(quantifier, "speaks of paths")
        .help("write `E f U g`, with brackets around larger operands")
}

pub fn unbound(name: &str, span: Span, binder: Span) -> Diagnostic {
    error("ltl::unbound", span, format!("`{name}` has no value here"))
        .label("used outside the scope of its binder")
        .also(binder, "bound here")
        .with_note(
            "the right operand of the nearest `=>` or `&` sees it, if the event stands on its left, below `&` only",
        )
        .help(format!(
            "write `forall {name}:T @ f` or `exists {name}:T @ f` around the formula, and `.{name}` in both events"
        ))
}

pub fn bound_again(name: &str, span: Span, outer: Span) -> Diagnostic {
    Diagnostic::warning(Phase::Parse, "ltl::bound-again", span, format!("`?{name}` binds a new `{name}`"))
        .label("matches any value")
        .also(outer, "not this one")
        .help(format!("write `!{name}` for the same value, `?_` for any"))
}

pub fn bound_twice(name: &str, span: Span) -> Diagnostic {
    error("ltl::bound-twice", span, format!("`{name}` is bound twice in one event"))
        .label("again here")
        .help(format!("write `!{name}` for the same value"))
}

pub fn precedence(tool: &str, here: &str, others: &str, there: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(Phase::Parse, "ltl::precedence", span, "other tools group this formula differently")
        .label(format!("read as `{here}`"))
        .with_note(format!("{tool} reads `{here}`; {others}: `{there}`"))
        .help("write the brackets")
}

pub fn det_output(span: Span) -> Diagnostic {
    note("ltl::det-output", span, "`det_output` means that an output is not determined")
        .label("true where an operation has several outputs")
        .help("write `not det_output` where all outputs are determined")
}

pub fn never_ends(whole: &str, better: &str, span: Span) -> Diagnostic {
    note("ltl::finite-run", span, format!("`{}` is false on every run that ends", shortened(whole)))
        .label("at the end of a run there is no step")
        .help(if better.len() <= 80 {
            format!("write `{better}` if runs may end")
        } else {
            "add `or deadlock`".to_owned()
        })
}

pub fn next_at_end(condition: &str, span: Span) -> Diagnostic {
    let title = format!("a run that ends where `{}` holds violates this", shortened(condition));
    note("ltl::finite-run", span, title)
        .label("`X` asks for a next position")
        .help("write `Xw` if the run may end there")
}
