//! Texts of the diagnostics about timed scripts.

use source::{Diagnostic, Phase, Span};

fn parse(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Parse, code, span, title)
}

fn types(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Types, code, span, title)
}

pub(crate) fn suffix_order(word: &str, span: Span, process: Span) -> Diagnostic {
    parse("csp-sharp::bound-order", span, format!("`{word}` cannot follow here"))
        .label("bounds on one process stand in the order `waituntil`, `deadline`, `within`")
        .also(process, "the process so far")
        .help(format!("put brackets around it: `(P within[2]) {word}[3]`"))
}

pub(crate) fn one_time(span: Span) -> Diagnostic {
    parse("csp-sharp::one-time", span, "there is only one time here")
        .label("a second time")
        .help("only `Wait[a,b]` and `within[a,b]` have two")
}

pub(crate) fn wait_arrow(span: Span) -> Diagnostic {
    parse("csp-sharp::wait-arrow", span, "`Wait` is a process and no event")
        .label("an arrow follows it")
        .help("write `;` behind it: `Wait[5]; P()`")
}

pub(crate) fn suffix_reach(word: &str, span: Span, whole: Span, inner: Span) -> Diagnostic {
    let title = format!("`{word}` bounds the whole chain of events, not what is in brackets before it");
    Diagnostic::warning(Phase::Parse, "csp-sharp::bound-reach", span, title)
        .label("binds looser than `->`")
        .also(whole, "this is its operand")
        .also(inner, "this is perhaps meant")
        .help(format!("write `a -> ((P) {word}[..])` for that, or `(a -> P) {word}[..]` for what it is now"))
}

pub(crate) fn variable_time(span: Span) -> Diagnostic {
    types("csp-sharp::variable-time", span, "a time cannot depend on variables")
        .label("not known before the model runs")
        .help("use constants, parameters and received values: `P(t) = Wait[t]; Q()`, and `P(x)` where it is called")
}

pub(crate) fn negative_time(value: i32, span: Span) -> Diagnostic {
    types("csp-sharp::negative-time", span, format!("a time cannot be negative, and this is {value}"))
        .label("less than 0")
        .help("times are whole numbers from 0 on")
}

pub(crate) fn empty_interval(low: i32, high: i32, span: Span) -> Diagnostic {
    types("csp-sharp::empty-interval", span, format!("there is no time from {low} to {high}"))
        .label("the first is the larger")
        .help(format!("write the earliest time first: `[{high},{low}]`"))
}

pub(crate) fn huge_time(value: i32, span: Span) -> Diagnostic {
    types("csp-sharp::huge-time", span, format!("{value} time units are more than can be told apart"))
        .label(format!("at most {} are allowed", csp_sharp_runtime::code::Timer::MAX))
        .help("choose a larger unit of time")
}

pub(crate) fn timed_guard(span: Span, timed: Span) -> Diagnostic {
    types("csp-sharp::timed-guard", span, "a guard cannot stand before something whose time would begin at once")
        .label("the condition is part of the first step")
        .also(timed, "the time of this would begin before it")
        .help("wait for the condition first: `ifb (b) { P() }`")
}

pub(crate) fn any_number_timed(span: Span) -> Diagnostic {
    types("csp-sharp::timed-copies", span, "there is no `|||{..}` in models with time")
        .label("any number of copies")
        .help("write a number, or an index: `||| i:{0..2}@P(i)`")
}

pub(crate) fn timed_atomic(span: Span, timed: Span) -> Diagnostic {
    types("csp-sharp::timed-atomic", span, "no time can pass inside of `atomic`")
        .label("its steps come before all others")
        .also(timed, "they would have to wait for this")
        .help("put what takes time before or behind it: `Wait[2]; atomic { a -> b -> Skip }`")
}

pub(crate) fn atomic_bound(word: &str, span: Span, atomic: Span) -> Diagnostic {
    let title = format!("a script with `atomic` cannot have `{word}` with an earliest time");
    types("csp-sharp::atomic-bound", span, title)
        .label("by this, time alone could make a step possible that comes before all others")
        .also(atomic, "`atomic` is used here")
        .help("wait first: `Wait[2]; (P() within[1])` instead of `P() within[2,3]`")
}

pub(crate) fn macro_event(name: &str, span: Span, declared: Span) -> Diagnostic {
    types("csp-sharp::macro-event", span, format!("`{name}` is an event and a macro"))
        .label("used as an event")
        .also(declared, "declared as a macro here")
        .help("give one of them another name")
}

pub(crate) fn growing(name: &str, what: &str, span: Span) -> Diagnostic {
    let title = format!("`{name}` calls itself below `{what}`, which stays: it keeps starting clocks");
    Diagnostic::warning(Phase::Names, "csp-sharp::growing-clocks", span, title)
        .label("each round adds another one")
        .help("there may be no end to its states; call it where the operator is gone, for example behind `;`")
}

pub(crate) fn urgent_shared(name: &str, span: Span) -> Diagnostic {
    let title = format!("time stops at the urgent `{name}` until all take part in it");
    Diagnostic::warning(Phase::Names, "csp-sharp::urgent-shared", span, title)
        .label("others may have to wait for this")
        .help("write `->` if a partner may be late; nothing can happen any more if one never comes")
}
