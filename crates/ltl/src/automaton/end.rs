//! Finite runs as infinite words.

use crate::logic::{Atom, Formula, Node, Store};
use hashbrown::HashMap;

/// A formula about finite and infinite runs as one about infinite words: a finite run repeats its last letter, and
/// `end` is true exactly there. Then `X f` is false and `Xw f` is true at the end; until and release need no change, as
/// their values are constant there (De Giacomo and Vardi, 2013, "Linear temporal logic and linear dynamic logic on
/// finite traces").
pub fn with_end(store: &mut Store, formula: Formula, end: Atom) -> Formula {
    let end = store.atom(end);
    let not_end = store.not(end);
    let mut parts = store.below(formula);
    // Operands have smaller numbers.
    parts.sort_unstable();
    let mut known: HashMap<Formula, Formula> = HashMap::with_capacity(parts.len());
    for part in parts {
        let new = match store.get(part).clone() {
            Node::And(operands) => store.and(operands.iter().map(|operand| known[operand])),
            Node::Or(operands) => store.or(operands.iter().map(|operand| known[operand])),
            Node::Next(operand) => {
                let next = store.next(known[&operand]);
                store.and([not_end, next])
            }
            Node::WeakNext(operand) => {
                let next = store.weak_next(known[&operand]);
                store.or([end, next])
            }
            Node::Until(left, right) => store.until(known[&left], known[&right]),
            Node::Release(left, right) => store.release(known[&left], known[&right]),
            Node::Yesterday(operand) => store.yesterday(known[&operand]),
            Node::WeakYesterday(operand) => store.weak_yesterday(known[&operand]),
            Node::Since(left, right) => store.since(known[&left], known[&right]),
            Node::Trigger(left, right) => store.trigger(known[&left], known[&right]),
            Node::True | Node::False | Node::Literal(..) => part,
        };
        known.insert(part, new);
    }
    known[&formula]
}
