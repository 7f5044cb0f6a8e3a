//! The meaning of names without brackets.

use super::dialect::BareName;
use super::event::EventPattern;
use super::tree::{Atom, Builder, Form, Formula, NodeId, Text, Unary};

impl Formula {
    /// Replaces every name without brackets by what it means: `[a]` for the next step, `Y [a]` for the last one, `{a}`
    /// for a property of the state. `meaning` may ask the model; [`Dialect::bare_name`](super::Dialect::bare_name) is
    /// the rule.
    pub fn resolve_names(&self, meaning: impl Fn(&EventPattern) -> BareName) -> Formula {
        let mut tree = Builder::default();
        let mut copies: Vec<NodeId> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let copy = match &node.form {
                Form::Atom(Atom::Bare(pattern)) => {
                    let meaning = meaning(pattern);
                    let atom = match meaning {
                        BareName::State => Atom::Predicate(Text { text: pattern.to_string(), span: node.span }),
                        BareName::NextStep | BareName::LastStep => Atom::Step(pattern.clone()),
                    };
                    let atom = tree.add(Form::Atom(atom), node.span);
                    match meaning {
                        BareName::LastStep => tree.add(Form::Unary(Unary::Yesterday, atom), node.span),
                        _ => atom,
                    }
                }
                form => tree.add(form.map(|operand| copies[operand.index()]), node.span),
            };
            copies.push(copy);
        }
        let copy = |id: NodeId| copies[id.index()];
        Formula { dialect: self.dialect, nodes: tree.nodes, premise: self.premise.map(copy), body: copy(self.body) }
    }
}
