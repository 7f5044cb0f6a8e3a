//! Reads formulas in the syntax of `spin -f`, one on each line, and prints for each what its automaton is like: states, states
//! when acceptance is one set of states, edges, acceptance sets, class, microseconds. Lines that begin with `#` are
//! skipped. With the argument `show`, automata are written down as well.

#![allow(clippy::print_stdout)]

use ltl::automaton::{Limits, translate};
use ltl::logic::{Atom, Formula, Store};
use ltl::syntax::{self, Binary, Dialect, Form, Unary, parse_ltl};
use std::time::Instant;

fn main() {
    let is_shown = std::env::args().nth(1).as_deref() == Some("show");
    for line in std::io::stdin().lines() {
        let line = line.expect("the input is text");
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let mut store = Store::default();
        let parsed = parse_ltl(&line, 0, Dialect::SpinCommand);
        let tree = parsed.formula.unwrap_or_else(|| panic!("`{line}` is no formula: {:?}", parsed.diagnostics));
        let formula = lower(&mut store, &tree);
        let start = Instant::now();
        let automaton = translate(&mut store, formula, Limits::default());
        let time = start.elapsed().as_micros();
        match automaton {
            Ok(automaton) => {
                let (states, plain, edges) = (automaton.n_states(), automaton.n_plain_states(), automaton.n_edges());
                println!("{states}\t{plain}\t{edges}\t{}\t{:?}\t{time}", automaton.n_sets(), automaton.class());
                if is_shown {
                    println!("{line}\n{automaton}");
                }
            }
            Err(_) => println!("-\t-\t-\t-\t-\t{time}"),
        }
    }
}

/// The formula in the core logic; each name is an atom.
fn lower(store: &mut Store, tree: &syntax::Formula) -> Formula {
    let mut names: Vec<String> = Vec::new();
    let mut known: Vec<Formula> = Vec::new();
    for node in &tree.nodes {
        let new = match &node.form {
            Form::Constant(true) => Formula::TRUE,
            Form::Constant(false) => Formula::FALSE,
            Form::Atom(atom) => {
                let name = atom.to_string();
                let number = names.iter().position(|other| *other == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                });
                store.atom(Atom(number as u32))
            }
            Form::Unary(operator, operand) => unary(store, *operator, known[operand.index()]),
            Form::Binary(operator, left, right) => binary(store, *operator, known[left.index()], known[right.index()]),
            other => panic!("{other:?} is not for Spin"),
        };
        known.push(new);
    }
    known[tree.body.index()]
}

fn unary(store: &mut Store, operator: Unary, operand: Formula) -> Formula {
    match operator {
        Unary::Not => store.not(operand),
        Unary::Next => store.next(operand),
        Unary::Finally => store.finally(operand),
        Unary::Globally => store.globally(operand),
        other => panic!("{other:?} is not for Spin"),
    }
}

fn binary(store: &mut Store, operator: Binary, left: Formula, right: Formula) -> Formula {
    match operator {
        Binary::And => store.and([left, right]),
        Binary::Or => store.or([left, right]),
        Binary::Implies => store.implies(left, right),
        Binary::Equivalent => store.equivalent(left, right),
        Binary::Until => store.until(left, right),
        Binary::Release => store.release(left, right),
        other => panic!("{other:?} is not for Spin"),
    }
}
