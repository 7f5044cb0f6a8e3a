//! The tree of a formula as it was written.
//!
//! Nodes lie in one vector, operands before what uses them. So every walk over a formula is a loop: forwards to compute
//! from the operands, backwards to hand something down. No walk recurses, and a formula may be nested as deeply as
//! somebody likes.
//!
//! Two trees are equal when they say the same; where it was said does not count.

use super::dialect::Dialect;
use super::event::EventPattern;
use source::Span;

/// A piece of the text, at its place.
#[derive(Clone, Debug, Eq)]
pub struct Text {
    /// The piece, without blanks around it.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.text == other.text
    }
}

/// The number of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The place of the node in [`Formula::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn new(index: usize) -> NodeId {
        NodeId(u32::try_from(index).expect("a text has fewer bytes than numbers, and a node has bytes"))
    }
}

/// A node at its place.
#[derive(Clone, Debug, Eq)]
pub struct Node {
    /// Its operator.
    pub form: Form,
    /// Where it stands.
    pub span: Span,
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.form == other.form
    }
}

/// The operators of formulas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// `true` or `false`.
    Constant(bool),
    /// Something about one position of a run.
    Atom(Atom),
    /// A fairness condition; occurs in premises only.
    Fair(Strength, Fair),
    /// An operator before its operand.
    Unary(Unary, NodeId),
    /// An operator between its operands.
    Binary(Binary, NodeId, NodeId),
    /// `#x.({p} & f)`, `!x.({p} => f)`, `exists x:T @ f`, `forall x:T @ f`.
    Quantified {
        /// For some or for all values.
        quantifier: Quantifier,
        /// The variables; exactly one when a type is given.
        variables: Vec<Text>,
        /// Their values.
        domain: Domain,
        /// The operand.
        body: NodeId,
    },
    /// A named pattern such as `response(s, p)`; [`Formula::expand`] tells what it stands for.
    Named(Named, Vec<NodeId>),
    /// `(a, b without c)`: one after the other; an argument of named patterns only.
    Chain {
        /// The events, in order.
        parts: Vec<NodeId>,
        /// Events that must not occur between them.
        without: Option<NodeId>,
    },
    /// A number; an argument of named patterns only.
    Number(u32),
    /// `EX f`, `AG f`, `EX[op] f`; in branching time only.
    PathUnary {
        /// On some or on all paths.
        paths: Quantifier,
        /// Next, finally or globally.
        operator: Unary,
        /// The step that a next must take.
        step: Option<EventPattern>,
        /// The operand at that position.
        operand: NodeId,
    },
    /// `E f U g`, `A f R g`; in branching time only.
    PathBinary {
        /// On some or on all paths.
        paths: Quantifier,
        /// Until or release.
        operator: Binary,
        /// Its left operand.
        left: NodeId,
        /// Its right operand.
        right: NodeId,
    },
}

/// Statements about one position of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// `[t]`: the step taken here matches.
    Step(EventPattern),
    /// A name without brackets. What it means depends on the dialect and on what the model knows by that name, see
    /// [`Formula::resolve_names`].
    Bare(EventPattern),
    /// `e(t)`: a matching step is possible.
    Enabled(EventPattern),
    /// `e*(t)`: a matching step is possible after internal ones.
    WeaklyEnabled(EventPattern),
    /// `Av(t)`: the model could offer a matching step.
    Available(EventPattern),
    /// `deadlock(t, ..)`: no matching step is possible.
    DeadlockOf(Vec<EventPattern>),
    /// `deterministic(t, ..)`: at most one of these is possible.
    Deterministic(Vec<EventPattern>),
    /// `controller(t, ..)`: exactly one of these is possible.
    Controller(Vec<EventPattern>),
    /// A word for a property of states.
    State(StateWord),
    /// `{p}`: a predicate of the model's language.
    Predicate(Text),
    /// `BA({p})`, `changed({x})` and the like: a step, compared before and after.
    Change(Change, Text),
}

/// Properties of states that have a word of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateWord {
    /// No step is possible.
    Deadlock,
    /// No step leads to another state.
    Sink,
    /// The goal of the model is reached.
    Goal,
    /// Looking at the state raised an error.
    Error,
    /// An operation has an output that is not determined.
    DetOutput,
    /// Several steps are possible.
    NonDet,
    /// The state that is shown.
    Current,
    /// The process has terminated.
    Terminated,
}

/// Comparisons of the states before and after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A predicate over both states.
    BeforeAfter,
    /// The expression keeps its value.
    Unchanged,
    /// The expression changes its value.
    Changed,
    /// The expression grows.
    Increasing,
    /// The expression shrinks.
    Decreasing,
}

/// How much is asked of an event before it must occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// Possible for ever.
    Weak,
    /// Possible again and again.
    Strong,
    /// Nothing: it must occur whatever is possible.
    Unconditional,
}

/// Of which events a fairness condition speaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fair {
    /// Of every single event.
    Every,
    /// Of those that match, taken together.
    Matching(EventPattern),
}

/// Operators before their operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Unary {
    Not,
    /// There is a next position, and there it holds.
    Next,
    /// If there is a next position, it holds there.
    WeakNext,
    Finally,
    Globally,
    /// There is a position before, and there it holds.
    Yesterday,
    /// If there is a position before, it holds there.
    WeakYesterday,
    Once,
    Historically,
}

/// Operators between their operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    And,
    Or,
    Implies,
    Equivalent,
    /// One of both, and not the other.
    Xor,
    Until,
    WeakUntil,
    Release,
    StrongRelease,
    Since,
    WeakSince,
    Trigger,
    /// `f ~> g` is `G(f => F g)`.
    LeadsTo,
}

/// For some or for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Quantifier {
    Exists,
    ForAll,
}

/// Where the values of quantified variables come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// The values that satisfy a predicate.
    Predicate(Text),
    /// The values of a type.
    Type(Text),
}

/// Patterns with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Named {
    Absence,
    Universality,
    Existence,
    Response,
    Precedence,
    Before,
    After,
    Between,
    AfterUntil,
    /// A chain, begun here.
    Seq,
}

/// A formula with its premise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// Whose rules it was read by.
    pub dialect: Dialect,
    /// All nodes, operands before what uses them.
    pub nodes: Vec<Node>,
    /// Fairness conditions, joined by `&` and `or`, under which the body is claimed.
    pub premise: Option<NodeId>,
    /// The claim.
    pub body: NodeId,
}

impl Formula {
    /// The node with this number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The operator of a node.
    pub fn form(&self, id: NodeId) -> &Form {
        &self.node(id).form
    }

    /// The numbers of all nodes, operands first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }
}

impl Form {
    /// The operands, in the order they are written.
    pub fn operands(&self) -> Vec<NodeId> {
        match self {
            Form::Constant(_) | Form::Atom(_) | Form::Fair(..) | Form::Number(_) => Vec::new(),
            Form::Unary(_, operand) | Form::PathUnary { operand, .. } => vec![*operand],
            Form::Quantified { body, .. } => vec![*body],
            Form::Binary(_, left, right) | Form::PathBinary { left, right, .. } => vec![*left, *right],
            Form::Named(_, arguments) => arguments.clone(),
            Form::Chain { parts, without } => parts.iter().chain(without).copied().collect(),
        }
    }

    /// A copy with each operand replaced.
    pub(crate) fn map(&self, mut f: impl FnMut(NodeId) -> NodeId) -> Form {
        let mut form = self.clone();
        match &mut form {
            Form::Constant(_) | Form::Atom(_) | Form::Fair(..) | Form::Number(_) => {}
            Form::Unary(_, operand) | Form::PathUnary { operand, .. } => *operand = f(*operand),
            Form::Quantified { body, .. } => *body = f(*body),
            Form::Binary(_, left, right) | Form::PathBinary { left, right, .. } => {
                *left = f(*left);
                *right = f(*right);
            }
            Form::Named(_, arguments) => arguments.iter_mut().for_each(|argument| *argument = f(*argument)),
            Form::Chain { parts, without } => {
                parts.iter_mut().chain(without.as_mut()).for_each(|part| *part = f(*part));
            }
        }
        form
    }

    /// The event patterns of an atom or a fairness condition.
    pub fn patterns(&self) -> &[EventPattern] {
        use std::slice::from_ref;
        match self {
            Form::Atom(atom) => match atom {
                Atom::Step(one) | Atom::Bare(one) => from_ref(one),
                Atom::Enabled(one) | Atom::WeaklyEnabled(one) | Atom::Available(one) => from_ref(one),
                Atom::DeadlockOf(all) | Atom::Deterministic(all) | Atom::Controller(all) => all,
                Atom::State(_) | Atom::Predicate(_) | Atom::Change(..) => &[],
            },
            Form::Fair(_, Fair::Matching(one)) | Form::PathUnary { step: Some(one), .. } => from_ref(one),
            _ => &[],
        }
    }
}

/// Nodes under construction.
#[derive(Default, Debug)]
pub(crate) struct Builder {
    pub nodes: Vec<Node>,
}

impl Builder {
    pub fn add(&mut self, form: Form, span: Span) -> NodeId {
        self.nodes.push(Node { form, span });
        NodeId::new(self.nodes.len() - 1)
    }

    /// Copies what lies below `root` of another tree, unchanged.
    pub fn copy(&mut self, nodes: &[Node], root: NodeId) -> NodeId {
        let mut copies = vec![None; root.index() + 1];
        let mut is_needed = vec![false; root.index() + 1];
        is_needed[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if is_needed[index] {
                nodes[index].form.operands().iter().for_each(|operand| is_needed[operand.index()] = true);
            }
        }
        for index in (0..=root.index()).filter(|&index| is_needed[index]) {
            let Node { form, span } = &nodes[index];
            let form = form.map(|operand| copies[operand.index()].expect("operands come first"));
            copies[index] = Some(self.add(form, *span));
        }
        copies[root.index()].expect("the root is needed")
    }
}
