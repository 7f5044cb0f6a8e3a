//! Premises of fairness.

use super::errors;
use super::vocabulary::{Answer, Environment, Vocabulary};
use limits::input::formulas::MAX_ALTERNATIVES;
use ltl::syntax::{self, Binary, Form, Formula};
use property::{Condition, Fairness, Strength};

/// Which runs are fair by the premise of a formula, and by other conditions besides.
pub(super) fn fairness(
    formula: &Formula,
    chosen: Vec<Condition>,
    vocabulary: &mut impl Vocabulary,
) -> Answer<Fairness> {
    let mut alternatives = vec![Vec::new()];
    if let Some(premise) = formula.premise {
        // The nodes of the premise come first, so this is a loop from operands to what uses them.
        let mut done: Vec<Vec<Vec<Condition>>> = Vec::with_capacity(premise.index() + 1);
        for id in formula.ids().take(premise.index() + 1) {
            let here = match formula.form(id) {
                Form::Fair(strength, fair) => {
                    let strength = match strength {
                        syntax::Strength::Weak => Strength::Weak,
                        syntax::Strength::Strong => Strength::Strong,
                        syntax::Strength::Unconditional => Strength::Unconditional,
                    };
                    let condition = match fair {
                        syntax::Fair::Every => Condition::EachLabel(strength),
                        syntax::Fair::Matching(pattern) => {
                            let labels = vocabulary.labels(pattern, &[], &Environment::default())?;
                            Condition::Labels(strength, labels)
                        }
                    };
                    vec![vec![condition]]
                }
                Form::Binary(Binary::Or, left, right) => [&done[left.index()][..], &done[right.index()][..]].concat(),
                Form::Binary(_, left, right) => both(&done[left.index()], &done[right.index()]),
                _ => unreachable!("premises are made of conditions, `&` and `or`"),
            };
            if here.len() > MAX_ALTERNATIVES {
                return Err(errors::too_many_alternatives(MAX_ALTERNATIVES, formula.node(id).span).into());
            }
            done.push(here);
        }
        alternatives = done.pop().expect("the premise comes last");
    }
    for alternative in &mut alternatives {
        alternative.extend(chosen.iter().cloned());
    }
    Ok(Fairness { alternatives })
}

fn both(left: &[Vec<Condition>], right: &[Vec<Condition>]) -> Vec<Vec<Condition>> {
    left.iter().flat_map(|first| right.iter().map(move |second| [&first[..], &second[..]].concat())).collect()
}
