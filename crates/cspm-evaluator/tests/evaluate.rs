//! What expressions evaluate to: in `evaluate/` every `print` must come out as `true`; and random expressions over
//! numbers, sets and sequences must have the values that a simple twin computes beside them. Processes are compared
//! with the terms in `terms/` and with the steps in `steps/`.

use crate::common;

use ::progress::NoProgress;
use common::{Analyzed, analyze, tests_folder};
use cspm::syntax::{Decl, ExprId};
use cspm_evaluator::{Evaluator, Interrupt, Limits};
use model::EventId;
use process::{Label, StepTable, StopReason, Terms};
use source::{Severity, render};
use std::collections::BTreeSet;
use test_support::files::{FolderFiles, MemoryFiles, files_below};
use test_support::golden;
use test_support::mutate::{Random, seed};

/// The text of every print with its value, or with the error it ends in.
fn prints(analyzed: &Analyzed) -> Vec<(String, String)> {
    let errors = analyzed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let complaints: String = errors.map(|diagnostic| render::plain(&analyzed.map, diagnostic)).collect();
    assert!(complaints.is_empty(), "{complaints}");
    let mut evaluator = Evaluator::new(&analyzed.resolved, &analyzed.types, Limits::generous());
    let mut terms = Terms::default();
    let mut found = Vec::new();
    for decl in analyzed.declarations() {
        if let Decl::Print(expr, text) = decl {
            let value = evaluator.value(&mut terms, *expr).and_then(|value| evaluator.show(&mut terms, &value));
            found.push((text.to_string(), value.unwrap_or_else(|error| render::plain(&analyzed.map, &error))));
        }
    }
    found
}

#[test]
fn what_scripts_claim_is_true() {
    let scripts = files_below(&tests_folder().join("evaluate"), "csp");
    assert!(scripts.len() >= 6, "the scripts are not where they used to be");
    let mut false_claims = String::new();
    for script in scripts {
        let name = script.file_name().expect("a script has a name").to_string_lossy();
        let analyzed = analyze(&FolderFiles::new(script.parent().expect("it lies in a folder")), &name);
        let claims = prints(&analyzed);
        assert!(claims.len() >= 5, "{name} claims next to nothing");
        for (text, value) in claims.iter().filter(|(_, value)| value != "true") {
            false_claims.push_str(&format!("{name}: {text}\n  is {value}\n"));
        }
    }
    assert!(false_claims.is_empty(), "\n{false_claims}");
}

/// Rounds of loops that end in an error, in functions that would come to a number if numbers went round, or if nothing
/// were 0.
const WRONG_ROUNDS: &[&str] = &[
    "f(0, x) = x\nf(n, x) = f(n - 1, x + x)\nprint f(70, 1)\n",
    "f(0, x) = x\nf(n, x) = f(n - 1, x * 10)\nprint f(30, 7)\n",
    "f(0, x) = x\nf(n, x) = f(n - 1, x - 4611686018427387904)\nprint f(5, 0)\n",
    "take(0, _) = <>\ntake(n, <x>^xs) = <x> ^ take(n - 1, xs)\nw(i) = show(i) ^ show(6 / (i - 2))\nf(i, t) = if i == 0 then t else f(i - 1, t ^ w(i))\nprint #take(4, f(3, \"\"))\n",
    "f(0, m, x) = x\nf(n, m, x) = f(n - 1, m, mapLookup(m, n) + x)\nprint f(3, mapFromList(<(1, 5), (3, 6)>), 0)\n",
];

#[test]
fn rounds_that_go_wrong_have_no_value() {
    for script in WRONG_ROUNDS {
        let analyzed = analyze(&MemoryFiles::of("wrong.csp", (*script).to_owned()), "wrong.csp");
        let found = prints(&analyzed);
        assert!(found.len() == 1 && found[0].1.parse::<i64>().is_err(), "{script}: {found:?}");
    }
}

/// Loops without end, of all kinds of rounds.
const ENDLESS: &[&str] = &[
    "f(n) = if n < 0 then n else f((n + 1) % 10)\nprint f(0)\n",
    "f(n, m) = if n < 0 then n else f((n + 1) % 10, mapUpdate(m, n, n))\nprint f(0, emptyMap)\n",
    "g(m, n) = mapUpdate(m, n, n)\nf(n, m) = let k = g(m, n) within if n < 0 then n else f(mapLookup(k, n), k)\nprint f(0, emptyMap)\n",
    "f(n) = if n < 0 then <> else if n < 5 then f(n + 1) else f(0)\nprint f(0)\n",
];

#[test]
fn rounds_without_end_can_be_interrupted() {
    for script in ENDLESS {
        let analyzed = analyze(&MemoryFiles::of("endless.csp", (*script).to_owned()), "endless.csp");
        let mut n_asked = 0;
        let interrupt = move || {
            n_asked += 1;
            (n_asked > 3).then_some(Interrupt::Time)
        };
        let found = analyzed.evaluate_all_within(Limits { interrupt: Box::new(interrupt), ..Limits::generous() });
        assert!(found.len() == 1, "{script}: {found:?}");
    }
}

/// Makes expressions together with their values.
struct Twin<'r> {
    random: &'r mut Random,
}

impl Twin<'_> {
    fn number(&mut self, depth: usize) -> (String, i64) {
        match if depth == 0 { 0 } else { self.random.below(9) } {
            0 | 1 => {
                let value = self.random.below(12) as i64;
                (value.to_string(), value)
            }
            2 => self.arithmetic("+", depth, |a, b| a + b),
            3 => self.arithmetic("-", depth, |a, b| a - b),
            4 => {
                // The remainder keeps numbers small.
                let ((a, x), (b, y)) = (self.number(depth - 1), self.number(depth - 1));
                (format!("(({a}) * ({b}) % 1000)"), (x * y).rem_euclid(1000))
            }
            5 => {
                let ((a, x), divisor) = (self.number(depth - 1), 1 + self.random.below(5) as i64);
                (format!("(({a}) / {divisor} + ({a}) % {divisor})"), x.div_euclid(divisor) + x.rem_euclid(divisor))
            }
            6 => {
                let (text, set) = self.set(depth - 1);
                (format!("card({text})"), set.len() as i64)
            }
            7 => {
                let (text, seq) = self.sequence(depth - 1);
                (format!("#({text})"), seq.len() as i64)
            }
            _ => {
                let ((c, condition), (a, x), (b, y)) =
                    (self.truth(depth - 1), self.number(depth - 1), self.number(depth - 1));
                (format!("(if {c} then {a} else {b})"), if condition { x } else { y })
            }
        }
    }

    fn arithmetic(&mut self, op: &str, depth: usize, apply: impl Fn(i64, i64) -> i64) -> (String, i64) {
        let ((a, x), (b, y)) = (self.number(depth - 1), self.number(depth - 1));
        (format!("(({a}) {op} ({b}))"), apply(x, y))
    }

    fn truth(&mut self, depth: usize) -> (String, bool) {
        match if depth == 0 { 0 } else { self.random.below(6) } {
            0 => {
                let value = self.random.below(2) == 0;
                (value.to_string(), value)
            }
            1 => {
                let ((a, x), (b, y)) = (self.number(depth - 1), self.number(depth - 1));
                (format!("(({a}) <= ({b}))"), x <= y)
            }
            2 => {
                let ((a, x), (s, set)) = (self.number(depth - 1), self.set(depth - 1));
                (format!("member({a}, {s})"), set.contains(&x))
            }
            3 => {
                let ((s, first), (t, second)) = (self.set(depth - 1), self.set(depth - 1));
                (format!("(({s}) <= ({t}))"), first.is_subset(&second))
            }
            4 => {
                let ((s, first), (t, second)) = (self.sequence(depth - 1), self.sequence(depth - 1));
                (format!("(({s}) <= ({t}))"), second.starts_with(&first))
            }
            _ => {
                let ((a, x), (b, y)) = (self.truth(depth - 1), self.truth(depth - 1));
                (format!("({a} and not {b} or {b} and not {a})"), x != y)
            }
        }
    }

    fn set(&mut self, depth: usize) -> (String, BTreeSet<i64>) {
        match if depth == 0 { self.random.below(2) } else { self.random.below(7) } {
            0 => {
                let items: Vec<i64> = (0..self.random.below(4)).map(|_| self.random.below(9) as i64).collect();
                (format!("{{{}}}", listed(&items)), items.into_iter().collect())
            }
            1 => {
                let (low, high) = (self.random.below(6) as i64, self.random.below(12) as i64);
                (format!("{{{low}..{high}}}"), (low..=high).collect())
            }
            2 => self.two_sets("union", depth, |a, b| a | b),
            3 => self.two_sets("inter", depth, |a, b| a & b),
            4 => self.two_sets("diff", depth, |a, b| a - b),
            5 => {
                let (text, seq) = self.sequence(depth - 1);
                (format!("set({text})"), seq.into_iter().collect())
            }
            _ => {
                let (text, set) = self.set(depth - 1);
                let value = set.iter().filter(|&&x| x % 2 == 0).map(|x| x + 1).collect();
                (format!("{{x + 1 | x <- {text}, x % 2 == 0}}"), value)
            }
        }
    }

    fn two_sets(
        &mut self,
        name: &str,
        depth: usize,
        apply: impl Fn(&BTreeSet<i64>, &BTreeSet<i64>) -> BTreeSet<i64>,
    ) -> (String, BTreeSet<i64>) {
        let ((s, first), (t, second)) = (self.set(depth - 1), self.set(depth - 1));
        (format!("{name}({s}, {t})"), apply(&first, &second))
    }

    fn sequence(&mut self, depth: usize) -> (String, Vec<i64>) {
        match if depth == 0 { self.random.below(2) } else { self.random.below(6) } {
            0 => {
                let items: Vec<i64> = (0..self.random.below(4)).map(|_| self.random.below(9) as i64).collect();
                (format!("<{}>", listed(&items)), items)
            }
            1 => {
                let (low, high) = (self.random.below(6) as i64, self.random.below(9) as i64);
                (format!("<{low}..{high}>"), (low..=high).collect())
            }
            2 => {
                let ((s, first), (t, second)) = (self.sequence(depth - 1), self.sequence(depth - 1));
                (format!("(({s}) ^ ({t}))"), [first, second].concat())
            }
            3 => {
                let (text, seq) = self.sequence(depth - 1);
                (format!("reverse({text})"), seq.into_iter().rev().collect())
            }
            4 => {
                let (text, set) = self.set(depth - 1);
                (format!("sorted({text})"), set.into_iter().collect())
            }
            _ => {
                let ((s, first), (t, second)) = (self.sequence(depth - 1), self.sequence(depth - 1));
                let pairs = first.iter().flat_map(|x| second.iter().filter(move |y| x < y).map(move |y| x * 10 + y));
                (format!("<x * 10 + y | x <- {s}, y <- {t}, x < y>"), pairs.collect())
            }
        }
    }
}

fn listed(items: &[i64]) -> String {
    items.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

#[test]
fn random_expressions_have_the_values_of_the_twin() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut script = String::from(
        "reverse(<>) = <>\nreverse(<x>^xs) = reverse(xs)^<x>\n\
         sorted(s) = insertAll(seq(s), <>)\n\
         insertAll(<>, done) = done\ninsertAll(<x>^xs, done) = insertAll(xs, insert(x, done))\n\
         insert(x, <>) = <x>\ninsert(x, <y>^ys) = if x <= y then <x, y>^ys else <y>^insert(x, ys)\n",
    );
    let mut expected = Vec::new();
    for round in 0..1500 {
        let mut twin = Twin { random: &mut random };
        let (text, value) = match round % 4 {
            0 => {
                let (text, value) = twin.number(4);
                (text, value.to_string())
            }
            1 => {
                let (text, value) = twin.truth(4);
                (text, value.to_string())
            }
            2 => {
                let (text, value) = twin.set(4);
                (format!("sorted({text})"), format!("<{}>", listed(&value.into_iter().collect::<Vec<_>>())))
            }
            _ => {
                let (text, value) = twin.sequence(4);
                (text, format!("<{}>", listed(&value)))
            }
        };
        script.push_str(&format!("print {text}\n"));
        expected.push(value.replace(' ', ""));
    }
    let analyzed = analyze(&MemoryFiles::of("random.csp", script), "random.csp");
    let found = prints(&analyzed);
    assert_eq!(found.len(), expected.len());
    for ((text, value), expected) in found.iter().zip(&expected) {
        assert_eq!(&value.replace(' ', ""), expected, "seed {seed}: {text}");
    }
}

/// Process expressions as the terms they stand for, calls opened once.
#[test]
fn processes_become_the_expected_terms() {
    let scripts = files_below(&tests_folder().join("terms"), "csp");
    golden::check_all(&scripts, "txt", |script| {
        let name = script.file_name().expect("a script has a name").to_string_lossy();
        let analyzed = analyze(&FolderFiles::new(script.parent().expect("it lies in a folder")), &name);
        prints(&analyzed).iter().map(|(text, value)| format!("{text}\n    = {}\n", value.trim_end())).collect()
    });
}

/// All steps of a process, from state 0 on.
fn steps(analyzed: &Analyzed, expr: ExprId) -> String {
    let mut evaluator = Evaluator::new(&analyzed.resolved, &analyzed.types, Limits::generous());
    let (mut table, mut terms) = (StepTable::new(), Terms::default());
    let term = match evaluator.process(&mut terms, expr) {
        Ok(term) => term,
        Err(error) => return render::plain(&analyzed.map, &error),
    };
    let lts = match process::explore(&mut table, &mut terms, &mut evaluator, term, 100, &NoProgress) {
        Ok(lts) => lts,
        Err(unfinished) => match unfinished.reason {
            StopReason::Error(_, error) => {
                return render::plain(&analyzed.map, &error.diagnose(&mut evaluator, source::Span::default()));
            }
            reason => panic!("these scripts are small: {reason:?}"),
        },
    };
    let label = |label: Label| match label {
        Label::TAU => "tau",
        Label::TICK => "tick",
        event => evaluator.events().text(EventId::of(event).expect("an event")),
    };
    let edges = (0..lts.n_states()).flat_map(|state| lts.edges(state).iter().map(move |edge| (state, edge)));
    edges.map(|(state, edge)| format!("    {state} -{}-> {}\n", label(edge.label), edge.target)).collect()
}

/// The processes of assertions with everything they can do, calls opened wherever that leads.
#[test]
fn processes_take_the_expected_steps() {
    let scripts = files_below(&tests_folder().join("steps"), "csp");
    golden::check_all(&scripts, "txt", |script| {
        let name = script.file_name().expect("a script has a name").to_string_lossy();
        let analyzed = analyze(&FolderFiles::new(script.parent().expect("it lies in a folder")), &name);
        assert!(!analyzed.has_errors(), "{name} cannot be evaluated");
        let asserted = analyzed.declarations().into_iter().flat_map(|decl| match decl {
            Decl::Assert(assertion) => assertion.expressions(),
            _ => Vec::new(),
        });
        let text = |expr| analyzed.map.text(analyzed.resolved.ast.expr_span(expr));
        asserted.map(|expr| format!("{}\n{}", text(expr), steps(&analyzed, expr))).collect()
    });
}
