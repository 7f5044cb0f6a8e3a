//! Formulas from files, in the syntax of `spin -f`.

use ltl::logic::{Atom, Formula, Store};
use ltl::syntax::{Binary, Dialect, Form, Unary, parse_ltl};

/// The lines of a file that are formulas.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

/// A formula in the core logic; names are atoms, in the order of their first use.
pub fn read(store: &mut Store, line: &str) -> Formula {
    let parsed = parse_ltl(line, 0, Dialect::SpinCommand);
    let tree = parsed.formula.unwrap_or_else(|| panic!("`{line}` is no formula: {:?}", parsed.diagnostics));
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
