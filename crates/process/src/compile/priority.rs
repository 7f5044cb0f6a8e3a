//! Priorities below other operators.
//!
//! A priority withdraws steps of its operand where the operand can do something more important. What that is does not
//! depend on what becomes of it further up: an event that is hidden there, or that a partner refuses, is in the way all
//! the same. So the rules of the operand, as they are at the priority, become [obstacles](Inhibitor) of those of its
//! rules that yield to them, and rules keep their obstacles whatever operators above make of them. Rules of the operand
//! that yielded to others inside of it did so before: they are ways with obstacles of their own.

use super::part::{Applied, End, Part, PartRule};
use super::{CompileError, Compiler};
use crate::Term;
use crate::operators::Priority;
use hashbrown::HashMap;
use model::network::{Inhibitor, InhibitorId, Way};

/// The obstacles of a network, each once.
#[derive(Debug, Default)]
pub(super) struct Obstacles {
    numbers: HashMap<Inhibitor, InhibitorId>,
    all: Vec<Inhibitor>,
}

impl Obstacles {
    fn number(&mut self, mut ways: Vec<Way>) -> InhibitorId {
        ways.sort_unstable();
        ways.dedup();
        let Obstacles { numbers, all } = self;
        *numbers.entry(Inhibitor { ways }).or_insert_with_key(|obstacle| {
            all.push(obstacle.clone());
            InhibitorId(all.len() as u32 - 1)
        })
    }

    pub(super) fn into_all(self) -> Vec<Inhibitor> {
        self.all
    }
}

impl Compiler<'_, '_> {
    /// The rules of an operand that give way to others of them.
    pub(super) fn prioritize(&mut self, applied: &Applied<'_>, operator: &Term) -> Result<Part, CompileError> {
        let operand = &applied.parts[0];
        let classes = Priority::of(operator).expect("the operator is a priority").on_labels();
        let class_of = |rule: &PartRule| classes.class_of(rule.shows);
        let mut of_class: HashMap<u32, Vec<&PartRule>> = HashMap::new();
        for rule in &operand.rules {
            class_of(rule).into_iter().for_each(|class| of_class.entry(class).or_default().push(rule));
        }
        let mut stronger: HashMap<u32, Vec<InhibitorId>> = HashMap::new();
        let mut known: HashMap<u32, InhibitorId> = HashMap::new();
        for (class, other) in classes.yields().filter(|(class, _)| of_class.contains_key(class)) {
            let Some(rules) = of_class.get(&other) else { continue };
            let obstacle = match known.get(&other) {
                Some(&obstacle) => obstacle,
                None => {
                    self.count_rules(rules.len())?;
                    let way = |rule: &&PartRule| Way {
                        parts: rule.parts.as_slice().into(),
                        condition: None,
                        unless: rule.unless.as_slice().into(),
                    };
                    *known.entry(other).or_insert(self.obstacles.number(rules.iter().map(way).collect()))
                }
            };
            stronger.entry(class).or_default().push(obstacle);
        }
        let rule = |rule: &PartRule| {
            let mut passed = applied.pass(0, rule);
            passed.unless.extend(class_of(rule).and_then(|class| stronger.get(&class)).into_iter().flatten());
            passed.unless.sort_unstable();
            passed.unless.dedup();
            passed
        };
        let end = match &operand.end {
            End::Done(done) => End::Done(done.clone()),
            End::Later | End::Over => End::Later,
        };
        Ok(Part { rules: operand.rules.iter().map(rule).collect(), end })
    }
}
