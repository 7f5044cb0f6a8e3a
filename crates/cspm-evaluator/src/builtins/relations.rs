//! Functions on relations, that is, on sets of pairs.

use super::super::Evaluator;
use super::super::map::Map;
use super::super::runtime_error::Eval;
use super::super::set::Set;
use super::super::value::{Callee, Closure, Value};
use cspm::builtins::Builtin;
use cspm::syntax::ExprId;
use std::collections::BTreeMap;
use std::rc::Rc;

impl Evaluator<'_> {
    fn pairs_of(&mut self, relation: Value, site: ExprId) -> Eval<Vec<(Value, Value)>> {
        let relation = self.expect_set(relation)?;
        let elements = self.listed(&relation, site)?;
        elements
            .into_iter()
            .map(|element| match element {
                Value::Tuple(node) if node.items.len() == 2 => Ok((node.items[0].clone(), node.items[1].clone())),
                other => Err(self.confused("a pair", &other)),
            })
            .collect()
    }

    pub(super) fn transpose(&mut self, relation: Value, site: ExprId) -> Eval {
        let pairs = self.pairs_of(relation, site)?;
        self.set_of(pairs.into_iter().map(|(a, b)| Value::pair(b, a)).collect(), site)
    }

    /// A function that looks up what a value is related to. The relation is sorted by values once.
    pub(super) fn index_relation(&mut self, builtin: Builtin, relation: Value, site: ExprId) -> Eval {
        let turn = |(a, b)| if builtin == Builtin::RelationalImage { (a, b) } else { (b, a) };
        let mut pairs: Vec<(Value, Value)> = self.pairs_of(relation, site)?.into_iter().map(turn).collect();
        pairs.sort_unstable();
        let image = |related: &[(Value, Value)]| {
            let to = related.iter().map(|(_, to)| to.clone()).collect();
            (related[0].0.clone(), Value::set(Set::from_elements(to)))
        };
        let entries: Vec<(Value, Value)> = pairs.chunk_by(|a, b| a.0 == b.0).map(image).collect();
        let index = Value::Map(Rc::new(Map::from_sorted(entries)));
        let applied = Box::new([index]);
        Ok(Value::Function(Rc::new(Closure {
            callee: Callee::Builtin(builtin),
            applied,
            n_groups: 1,
            captured: Box::default(),
        })))
    }

    pub(super) fn image(&mut self, index: &Value, value: Value, site: ExprId) -> Eval {
        let value = self.deep(value, site)?;
        match index {
            Value::Map(images) => Ok(images.get(&value).cloned().unwrap_or_else(|| Value::set(Set::empty()))),
            other => Err(self.confused("a relation", other)),
        }
    }

    /// `mtransclose`: for each class of the equivalence that the relation generates, the pairs of a representative
    /// with the other members, all within `set`.
    pub(super) fn transitive_closure(&mut self, relation: Value, set: Value, site: ExprId) -> Eval {
        let set = self.expect_set(set)?;
        self.prepare(&set)?;
        let pairs = self.pairs_of(relation, site)?;
        let mut members: Vec<Value> = pairs.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
        members.sort_unstable();
        members.dedup();
        let index = |value: &Value| members.binary_search(value).unwrap_or(0);
        let mut parent: Vec<usize> = (0..members.len()).collect();
        for (a, b) in &pairs {
            let (a, b) = (find(&mut parent, index(a)), find(&mut parent, index(b)));
            parent[a.max(b)] = a.min(b);
        }
        let mut representative: BTreeMap<usize, usize> = BTreeMap::new();
        let mut result = Vec::new();
        for (number, member) in members.iter().enumerate().filter(|(_, member)| set.contains(member)) {
            let chosen = *representative.entry(find(&mut parent, number)).or_insert(number);
            if chosen != number {
                result.push(Value::pair(members[chosen].clone(), member.clone()));
            }
        }
        self.set_of(result, site)
    }
}

/// The root of a class, with the path to it shortened.
fn find(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}
