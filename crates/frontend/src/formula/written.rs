//! Which parts of what is decided stand in the formula as it was written.
//!
//! On its way to an engine a formula loses its looks: named patterns are replaced, variables get values, negations move
//! inwards. A part that means what some node of the formula means, or the opposite, can be shown by the text of that
//! node.

use hashbrown::{HashMap, HashSet};
use ltl::logic;
use ltl::syntax::{Form, Formula, NodeId};
use source::Span;

/// Where a part was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The text.
    pub span: Span,
    /// Whether the part says the opposite.
    pub is_negated: bool,
}

/// The parts of a property that were written, by where.
pub type Written = HashMap<logic::Formula, Place>;

/// The nodes of a settled formula that mean what stands at their place. Named patterns give their place to all that
/// they stand for, and a name of PAT gives its place to the event and to that it was the last one; so the place of one
/// inside another does not count.
pub(super) fn nodes(original: &Formula, settled: &Formula) -> HashSet<NodeId> {
    let is_pattern = |form: &Form| matches!(form, Form::Named(..) | Form::Chain { .. });
    let plain = original.nodes.iter().filter(|node| !is_pattern(&node.form)).map(|node| node.span);
    let patterns = original.nodes.iter().filter(|node| is_pattern(&node.form)).map(|node| node.span);
    let mut spans: HashSet<Span> = plain.collect();
    patterns.for_each(|span| _ = spans.remove(&span));
    let mut written: HashSet<NodeId> = settled.ids().filter(|&id| spans.contains(&settled.node(id).span)).collect();
    for id in settled.ids() {
        for operand in settled.form(id).operands() {
            if settled.node(operand).span == settled.node(id).span {
                written.remove(&operand);
            }
        }
    }
    written
}
