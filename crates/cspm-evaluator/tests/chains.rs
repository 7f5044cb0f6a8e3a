//! Long processes: what is stored of a chain, and so what is hashed and compared, grows with its length and not faster.
//!
//! Counted, not timed: the terms of a whole exploration with all operands in them.

use crate::common;

use ::progress::NoProgress;
use common::analyze;
use cspm::syntax::Decl;
use cspm_evaluator::{Evaluator, Limits};
use process::{StepTable, Term, TermId, Terms};
use test_support::files::MemoryFiles;

const LENGTH: usize = 50_000;
/// As much as the tool has: deep scripts need it when they are given back.
const STACK_BYTES: usize = 256 << 20;

/// A script that asserts something about a process of some length.
type Form = fn(usize) -> String;

/// Terms and operands that a process of this form needs, explored to its end; and its states.
fn counts(form: Form, length: usize) -> (usize, usize) {
    let script = format!("channel a, b\nchannel c : {{0..{length}}}\n{}\n", form(length));
    let analyzed = analyze(&MemoryFiles::of("chain.csp", script), "chain.csp");
    assert!(!analyzed.has_errors(), "{:?}", analyzed.diagnostics.first());
    let asserted = analyzed.declarations().into_iter().find_map(|decl| match decl {
        Decl::Assert(assertion) => assertion.expressions().first().copied(),
        _ => None,
    });
    let expr = asserted.expect("each script asserts something");
    let mut evaluator = Evaluator::new(&analyzed.resolved, &analyzed.types, Limits::generous());
    let (mut table, mut terms) = (StepTable::new(), Terms::default());
    let term = evaluator.process(&mut terms, expr).expect("it is a process");
    let max_states = 10 * length;
    let lts = process::explore(&mut table, &mut terms, &mut evaluator, term, max_states, &NoProgress);
    let n_states = lts.unwrap_or_else(|unfinished| panic!("{:?}", unfinished.reason)).n_states();
    let sizes = (0..terms.len()).map(|number| 1 + n_operands(terms.get(TermId(number as u32))));
    (sizes.sum(), n_states as usize)
}

fn n_operands(term: &Term) -> usize {
    match term {
        Term::ExternalChoice(operands) | Term::InternalChoice(operands) | Term::Interleave(operands) => operands.len(),
        Term::Parallel(operands, events) | Term::SyncChoice(operands, events) => operands.len() + events.len(),
        Term::AlphaParallel(operands) => operands.iter().map(|(_, events)| 1 + events.len()).sum(),
        Term::PrefixAny(events, _) | Term::Hide(_, events) | Term::Chaos(events) | Term::Run(events) => events.len(),
        Term::Rename(_, relation) => relation.len(),
        _ => 2,
    }
}

fn asserted(process: &str) -> String {
    format!("assert {process} :[deadlock free [F]]")
}

fn repeated(first: &str, operator: &str, length: usize) -> String {
    asserted(&vec![first; length].join(operator))
}

#[test]
fn chains_take_room_by_their_length() {
    let forms: [(&str, Form); 10] = [
        ("prefixes", |n| asserted(&format!("{}STOP", "a -> ".repeat(n)))),
        ("different prefixes", |n| format!("P(0) = STOP\nP(k) = c.k -> P(k - 1)\n{}", asserted(&format!("P({n})")))),
        ("sequences", |n| repeated("(a -> SKIP)", " ; ", n)),
        ("replicated sequences", |n| asserted(&format!("(; k:<1..{n}> @ c.k -> SKIP)"))),
        ("nothing in sequence", |n| repeated("SKIP", " ; ", n)),
        ("choices", |n| asserted(&format!("([] k:{{1..{n}}} @ c.k -> STOP)"))),
        ("choices of alike", |n| repeated("a -> STOP", " [] ", n)),
        ("internal choices", |n| asserted(&format!("(|~| k:{{1..{n}}} @ c.k -> STOP)"))),
        ("hidden", |n| asserted(&format!("{}a -> STOP{}", "(".repeat(n), ") \\ {b}".repeat(n)))),
        ("renamed", |n| asserted(&format!("{}a -> STOP{}", "(".repeat(n), ")[[a <- b, b <- a]]".repeat(n)))),
    ];
    let counted = move |form, length| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || counts(form, length));
        thread.expect("there is room for a thread").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    };
    for (name, form) in forms {
        let ((size, n_states), (twice, twice_states)) = (counted(form, LENGTH), counted(form, 2 * LENGTH));
        assert!(twice_states <= 2 * n_states + 2, "{name}: {n_states} states, then {twice_states}");
        assert!(size <= 40 * LENGTH, "{name}: {size} for {LENGTH}");
        // A twentieth more is for what does not depend on the length.
        assert!(20 * twice <= 42 * size, "{name}: {size}, with twice the length {twice}");
    }
}
