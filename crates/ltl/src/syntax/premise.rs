//! The fairness conditions before the arrow, taken out of the formula.
//!
//! Fairness never becomes part of an automaton, so it must be found at the top: `fair => claim`. Conditions are read as
//! operands like any other and separated here. A premise that mixes both, `SF(a) & F {p} => f`, is read as
//! `SF(a) => (F {p} => f)`.

use super::cursor::Read;
use super::dialect::Dialect;
use super::errors;
use super::tree::{Binary, Builder, Form, Formula, Node, NodeId};
use source::Diagnostic;

/// Makes a formula of its nodes; notes what was moved.
pub(crate) fn split(dialect: Dialect, nodes: Vec<Node>, root: NodeId) -> Read<(Formula, Vec<Diagnostic>)> {
    let kinds = classify(&nodes);
    let (mut fair, mut plain) = (Vec::new(), Vec::new());
    let mut body = root;
    while let Form::Binary(Binary::Implies, left, right) = nodes[body.index()].form {
        if kinds[left.index()] == Kind::Plain || !plain.is_empty() {
            break;
        }
        for conjunct in conjuncts(&nodes, &kinds, left) {
            if kinds[conjunct.index()] == Kind::Plain { plain.push(conjunct) } else { fair.push(conjunct) }
        }
        body = right;
    }
    let misplaced = fair.iter().find(|id| kinds[id.index()] == Kind::Mixed);
    if let Some(&part) = misplaced.or(Some(&body).filter(|id| kinds[id.index()] != Kind::Plain)) {
        return Err(errors::misplaced_fairness(first_condition(&nodes, part)).into());
    }
    if fair.is_empty() {
        return Ok((Formula { dialect, nodes, premise: None, body: root }, Vec::new()));
    }
    Ok(rebuild(dialect, &nodes, &fair, &plain, body))
}

/// The operator of a subformula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// No fairness condition.
    Plain,
    /// Fairness conditions, joined by `&` and `or`.
    Fair,
    /// Both, or conditions below other operators.
    Mixed,
}

fn classify(nodes: &[Node]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let operands = node.form.operands();
        let all_are = |kind| operands.iter().all(|operand| kinds[operand.index()] == kind);
        kinds.push(match node.form {
            Form::Fair(..) => Kind::Fair,
            _ if all_are(Kind::Plain) => Kind::Plain,
            Form::Binary(Binary::And | Binary::Or, ..) if all_are(Kind::Fair) => Kind::Fair,
            _ => Kind::Mixed,
        });
    }
    kinds
}

/// The parts of a mixed conjunction; anything else is a part itself.
fn conjuncts(nodes: &[Node], kinds: &[Kind], root: NodeId) -> Vec<NodeId> {
    let (mut parts, mut open) = (Vec::new(), vec![root]);
    while let Some(id) = open.pop() {
        match nodes[id.index()].form {
            Form::Binary(Binary::And, left, right) if kinds[id.index()] == Kind::Mixed => open.extend([right, left]),
            _ => parts.push(id),
        }
    }
    parts
}

/// Where the first fairness condition below a node stands.
fn first_condition(nodes: &[Node], root: NodeId) -> source::Span {
    let whole = nodes[root.index()].span;
    let is_inside = |node: &&Node| whole.start <= node.span.start && node.span.end <= whole.end;
    let mut conditions = nodes.iter().filter(|node| matches!(node.form, Form::Fair(..))).filter(is_inside);
    conditions.next().map_or(whole, |node| node.span)
}

fn rebuild(
    dialect: Dialect,
    nodes: &[Node],
    fair: &[NodeId],
    plain: &[NodeId],
    body: NodeId,
) -> (Formula, Vec<Diagnostic>) {
    let mut tree = Builder::default();
    let premise = join(&mut tree, nodes, fair);
    let mut notes = Vec::new();
    let condition = join(&mut tree, nodes, plain);
    let mut claim = tree.copy(nodes, body);
    if let Some(condition) = condition {
        let span = tree.nodes[condition.index()].span;
        notes.push(errors::mixed_premise(span));
        let whole = span.to(tree.nodes[claim.index()].span);
        claim = tree.add(Form::Binary(Binary::Implies, condition, claim), whole);
    }
    (Formula { dialect, nodes: tree.nodes, premise, body: claim }, notes)
}

/// The conjunction of copies of all parts.
fn join(tree: &mut Builder, nodes: &[Node], parts: &[NodeId]) -> Option<NodeId> {
    let mut all = None;
    for &part in parts {
        let copy = tree.copy(nodes, part);
        all = Some(match all {
            None => copy,
            Some(before) => {
                let before: NodeId = before;
                let span = tree.nodes[before.index()].span.to(tree.nodes[copy.index()].span);
                tree.add(Form::Binary(Binary::And, before, copy), span)
            }
        });
    }
    all
}
