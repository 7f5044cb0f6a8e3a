//! Text of formulas.

use super::{Atom, Formula, Node, Store};

/// The text of a formula, with names for its atoms.
pub fn text(store: &Store, formula: Formula, name: &dyn Fn(Atom) -> String) -> String {
    let mut known: Vec<(Formula, String)> = Vec::new();
    let mut parts = store.below(formula);
    // Operands have smaller numbers.
    parts.sort_unstable();
    for part in parts {
        let of = |operand: &Formula| {
            let place = known.binary_search_by_key(operand, |(formula, _)| *formula);
            known[place.expect("operands come first")].1.clone()
        };
        let told = match store.get(part) {
            Node::True => "true".to_owned(),
            Node::False => "false".to_owned(),
            Node::Literal(atom, true) => name(*atom),
            Node::Literal(atom, false) => format!("not {}", name(*atom)),
            Node::And(operands) => joined(operands, " & ", of),
            Node::Or(operands) => joined(operands, " or ", of),
            Node::Next(operand) => format!("X {}", of(operand)),
            Node::WeakNext(operand) => format!("Xw {}", of(operand)),
            Node::Until(Formula::TRUE, operand) => format!("F {}", of(operand)),
            Node::Until(left, right) => format!("({} U {})", of(left), of(right)),
            Node::Release(Formula::FALSE, operand) => format!("G {}", of(operand)),
            Node::Release(left, right) => format!("({} R {})", of(left), of(right)),
            Node::Yesterday(operand) => format!("Y {}", of(operand)),
            Node::WeakYesterday(operand) => format!("Yw {}", of(operand)),
            Node::Since(Formula::TRUE, operand) => format!("O {}", of(operand)),
            Node::Since(left, right) => format!("({} S {})", of(left), of(right)),
            Node::Trigger(Formula::FALSE, operand) => format!("H {}", of(operand)),
            Node::Trigger(left, right) => format!("({} T {})", of(left), of(right)),
        };
        known.push((part, told));
    }
    known.pop().map_or_else(String::new, |(_, told)| told)
}

fn joined(operands: &[Formula], sign: &str, of: impl Fn(&Formula) -> String) -> String {
    let told: Vec<String> = operands.iter().map(of).collect();
    format!("({})", told.join(sign))
}
