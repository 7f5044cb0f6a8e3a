//! Unification (J. A. Robinson, "A Machine-Oriented Logic Based on the Resolution Principle", 1965), extended by dots.
//!
//! `c.x` is an event when `c` is a channel and `x` its field, and a pair otherwise, and which of the two may be
//! determined later; so a dotted type is kept unevaluated and compared by the rules in [`super::dots`]. Two
//! consequences: [`Solver::unify`] is not symmetric (a pattern may decompose a value only where
//! [`Solver::match_pattern`] is not in force), and it returns the more informative of the two types.

use super::constraint::{Constraint, Constraints};
use super::store::{List, Node, Store, Ty};
use crate::resolve::NameId;
use hashbrown::{HashMap, HashSet};
use limits::effort::cspm_checks::{MAX_TYPE_STEPS, MAX_UNIFICATION_STEPS, STEPS_BEFORE_MEMO};

/// The cause of a failed unification: the innermost types that disagree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Clash {
    /// Different types.
    Types { expected: Ty, actual: Ty },
    /// A type that violates a constraint.
    Constraint { constraint: Constraint, t: Ty },
    /// An infinite type: a variable that occurs in its solution.
    Infinite { variable: Ty, t: Ty },
    /// The step limit is exceeded.
    TooLarge,
}

/// Memoised results of one step. A type with shared parts may be exponentially larger as a tree than as a graph, so a
/// step that takes long visits each part once.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The fuel at the start of the step.
    fuel: u32,
    /// Unified pairs, with the more informative type.
    unified: HashMap<(Ty, Ty), Ty>,
    /// Types with variables that the current occurs check has visited.
    scanned: HashSet<Ty>,
    /// Types with evaluated dots, by the number of solved variables at that time.
    pub evaluated: HashMap<(Ty, usize), Ty>,
}

impl Shared {
    fn start(&mut self, fuel: u32) {
        self.fuel = fuel;
        self.unified.clear();
        self.evaluated.clear();
    }
}

/// The types of a script, and the state of unification.
#[derive(Debug)]
pub(super) struct Solver {
    pub store: Store,
    /// The nesting depth of the current declaration, which is the level of fresh variables.
    pub level: u32,
    incomparable: HashSet<NameId>,
    fuel: u32,
    /// The remaining steps of the script.
    reserve: u64,
    /// The greatest number of nodes.
    max_nodes: usize,
    /// The last type whose dots were evaluated, and the number of solved variables at that time.
    last_settled: (Ty, usize),
    splits_values: bool,
    /// Memoised results of the current step.
    pub shared: Shared,
    /// Table of the current instantiation, kept for its memory.
    pub copies: HashMap<Ty, Ty>,
}

impl Solver {
    /// A solver with a limit of nodes.
    pub fn new(max_nodes: usize) -> Solver {
        Solver {
            store: Store::new(),
            level: 0,
            incomparable: HashSet::new(),
            fuel: 0,
            reserve: MAX_TYPE_STEPS,
            max_nodes,
            last_settled: (Ty::NONE, 0),
            splits_values: true,
            shared: Shared::default(),
            copies: HashMap::new(),
        }
    }

    /// A fresh variable.
    pub fn fresh(&mut self, constraints: impl Into<Constraints>) -> Ty {
        self.store.add(Node::Var { level: self.level, constraints: constraints.into() })
    }

    /// A fresh variable without constraints.
    pub fn any(&mut self) -> Ty {
        self.fresh(Constraints::NONE)
    }

    /// A type that dotted with further fields, or none, is a `result`.
    pub fn extendable(&mut self, result: Ty) -> Ty {
        let fields = self.any();
        self.store.add(Node::Extendable(fields, result))
    }

    /// Whether values of a datatype can be compared; this is assumed until [`Solver::set_incomparable`].
    pub fn is_comparable(&self, datatype: NameId) -> bool {
        !self.incomparable.contains(&datatype)
    }

    pub fn set_incomparable(&mut self, datatype: NameId) {
        self.incomparable.insert(datatype);
    }

    /// Counts a step of the current unification.
    pub fn spend(&mut self) -> Result<(), Clash> {
        match self.fuel.checked_sub(1) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(Clash::TooLarge),
        }
    }

    /// Whether the script has exceeded its step limit.
    pub fn is_exhausted(&self) -> bool {
        self.reserve == 0
    }

    /// Allots a unification its share of the remaining steps.
    pub fn refuel(&mut self) {
        let unused = std::mem::take(&mut self.fuel);
        self.reserve += u64::from(unused);
        if self.n_nodes() > self.max_nodes {
            self.reserve = 0;
        }
        self.fuel = self.reserve.min(u64::from(MAX_UNIFICATION_STEPS)) as u32;
        self.reserve -= u64::from(self.fuel);
        self.shared.start(self.fuel);
    }

    /// Whether the current step takes long enough for memoisation.
    pub fn takes_long(&self) -> bool {
        self.shared.fuel.saturating_sub(self.fuel) > STEPS_BEFORE_MEMO
    }

    /// Aborts the current step.
    pub fn exhaust(&mut self) {
        self.fuel = 0;
    }

    /// Aborts the rest of the script, for want of memory.
    pub fn exhaust_all(&mut self) {
        self.fuel = 0;
        self.reserve = 0;
    }

    /// The number of nodes of all types.
    pub fn n_nodes(&self) -> usize {
        self.store.n_nodes()
    }

    /// Unifies `actual` with `expected`.
    pub fn equate(&mut self, expected: Ty, actual: Ty) -> Result<Ty, Clash> {
        self.refuel();
        self.unify(expected, actual)
    }

    /// Unifies `actual` with `expected`, the type of a pattern: the pattern `x.y` does not match a value of a datatype
    /// or an event, because its constructor is not determined.
    pub fn match_pattern(&mut self, expected: Ty, actual: Ty) -> Result<Ty, Clash> {
        self.refuel();
        self.splits_values = false;
        let result = self.unify(expected, actual);
        self.splits_values = true;
        result
    }

    /// Requires that a type satisfies a constraint.
    pub fn require(&mut self, constraint: Constraint, t: Ty) -> Result<(), Clash> {
        self.refuel();
        self.constrain(constraint, t)
    }

    /// Evaluates the dots in a type as far as they are determined; superfluous arguments belong to the last field.
    pub fn settle(&mut self, t: Ty) -> Result<Ty, Clash> {
        self.refuel();
        let found = self.store.find(t);
        if self.last_settled == (found, self.store.n_solved()) {
            return Ok(found);
        }
        let settled = self.evaluate_dots(found)?;
        self.note_settled(settled);
        Ok(settled)
    }

    /// Records a type without dots to be evaluated, until a further variable is solved.
    pub fn note_settled(&mut self, t: Ty) {
        self.last_settled = (t, self.store.n_solved());
    }

    pub(super) fn unify(&mut self, expected: Ty, actual: Ty) -> Result<Ty, Clash> {
        let (e, a) = (self.store.find(expected), self.store.find(actual));
        if e == a {
            return Ok(e);
        }
        self.spend()?;
        match (self.store.node_at(e), self.store.node_at(a)) {
            (Node::Var { .. }, _) => self.unify_variable(e, a),
            (_, Node::Var { .. }) => self.unify_variable(a, e),
            (Node::Error, _) => {
                self.forget_variables(a)?;
                Ok(a)
            }
            (_, Node::Error) => {
                self.forget_variables(e)?;
                Ok(e)
            }
            (x, y) if x == y && self.store.is_plain(e) && self.store.is_plain(a) => Ok(e),
            (x, y) => self.unify_once((e, x), (a, y)),
        }
    }

    /// Unifies two nodes, unless that is memoised.
    fn unify_once(&mut self, (e, x): (Ty, Node), (a, y): (Ty, Node)) -> Result<Ty, Clash> {
        if let Some(&known) = self.shared.unified.get(&(e, a)) {
            return Ok(known);
        }
        let t = crate::stack::grow(|| self.unify_nodes((e, x), (a, y)))?;
        if self.takes_long() {
            self.shared.unified.insert((e, a), t);
        }
        Ok(t)
    }

    fn unify_nodes(&mut self, (e, x): (Ty, Node), (a, y): (Ty, Node)) -> Result<Ty, Clash> {
        let clash = Err(Clash::Types { expected: e, actual: a });
        match (x, y) {
            (Node::Rigid { level, .. }, _) => {
                if self.evaluates_to(e, level, a)? {
                    Ok(e)
                } else {
                    clash
                }
            }
            (_, Node::Rigid { level, .. }) => {
                if self.evaluates_to(a, level, e)? {
                    Ok(a)
                } else {
                    clash
                }
            }
            (Node::Set(x), Node::Set(y)) => {
                let item = self.unify(x, y)?;
                Ok(self.rebuilt(e, x, item, Node::Set(item)))
            }
            (Node::Seq(x), Node::Seq(y)) => {
                let item = self.unify(x, y)?;
                Ok(self.rebuilt(e, x, item, Node::Seq(item)))
            }
            (Node::Map(key_e, value_e), Node::Map(key_a, value_a)) => {
                let key = self.unify(key_e, key_a)?;
                let value = self.unify(value_e, value_a)?;
                Ok(self.store.add(Node::Map(key, value)))
            }
            (Node::Tuple(x), Node::Tuple(y)) if x.len() == y.len() => {
                let items = self.unify_lists(x, y)?;
                Ok(self.store.tuple(&items))
            }
            (Node::Function(x, result_e), Node::Function(y, result_a)) if x.len() == y.len() => {
                let arguments = self.unify_lists(x, y)?;
                let result = self.unify(result_e, result_a)?;
                Ok(self.store.function(&arguments, result))
            }
            (Node::Dot(..), Node::Dot(..)) => self.unify_dots(e, a),
            (Node::Dotable(..), Node::Dotable(..)) => self.unify_dotables(e, a),
            (Node::Dot(..), Node::Event | Node::Datatype(_) | Node::Dotable(..) | Node::Extendable(..))
                if !self.splits_values =>
            {
                clash
            }
            (Node::Dot(head, rest), Node::Event | Node::Datatype(_)) => {
                let needed = self.store.add(Node::Dotable(rest, a));
                self.unify(needed, head)?;
                Ok(a)
            }
            (Node::Event | Node::Datatype(_), Node::Dot(head, rest)) => {
                let needed = self.store.add(Node::Dotable(rest, e));
                self.unify(needed, head)?;
                Ok(e)
            }
            (Node::Dot(head, rest), Node::Dotable(..)) => {
                let needed = self.store.add(Node::Dotable(rest, a));
                self.unify(head, needed)?;
                Ok(a)
            }
            (Node::Dotable(..), Node::Dot(head, rest)) => {
                let needed = self.store.add(Node::Dotable(rest, e));
                self.unify(needed, head)?;
                Ok(e)
            }
            (Node::Dot(head, rest), Node::Extendable(..)) => {
                let needed = self.store.add(Node::Dotable(rest, a));
                let head = self.unify(needed, head)?;
                Ok(self.store.add(Node::Dot(head, rest)))
            }
            (Node::Extendable(..), Node::Dot(..)) => self.unify_extendable_dot(e, a),
            (Node::Extendable(fields, result), Node::Dotable(field, rest))
            | (Node::Dotable(field, rest), Node::Extendable(fields, result)) => {
                let more = self.any();
                let open = self.store.add(Node::Extendable(more, result));
                self.unify(open, rest)?;
                let solution = self.store.add(Node::Dotable(field, more));
                self.solve_fields(fields, solution, e)?;
                Ok(self.store.add(Node::Dotable(field, open)))
            }
            (Node::Extendable(fields_e, result_e), Node::Extendable(fields_a, result_a)) => {
                self.unify(result_e, result_a)?;
                self.unify(fields_e, fields_a)?;
                Ok(e)
            }
            (Node::Extendable(fields, result), _) => {
                let t = self.unify(result, a)?;
                self.solve_fields(fields, Ty::NO_FIELDS, e)?;
                Ok(t)
            }
            (_, Node::Extendable(fields, result)) => {
                let t = self.unify(e, result)?;
                self.solve_fields(fields, Ty::NO_FIELDS, a)?;
                Ok(t)
            }
            (Node::Datatype(x), Node::Datatype(y)) if x == y => Ok(e),
            _ => clash,
        }
    }

    /// Solves the variables in `t` by the error type, because they were unified with an unknown type.
    fn forget_variables(&mut self, t: Ty) -> Result<(), Clash> {
        let mut seen = HashSet::new();
        let mut pending = vec![t];
        while let Some(t) = pending.pop() {
            let t = self.store.find(t);
            if self.store.is_ground(t) || !seen.insert(t) {
                continue;
            }
            self.spend()?;
            match self.store.node_at(t) {
                Node::Var { .. } => self.store.link(t, Ty::ERROR),
                node => self.store.for_children(node, |child| pending.push(child)),
            }
        }
        Ok(())
    }

    /// Whether evaluating the dots of `t` yields the rigid variable.
    fn evaluates_to(&mut self, rigid: Ty, level: u32, t: Ty) -> Result<bool, Clash> {
        if !self.occurs(rigid, level, t)? {
            return Ok(false);
        }
        let evaluated = self.evaluate_dots(t)?;
        Ok(self.store.find(evaluated) == rigid)
    }

    /// A container whose item became `item`, which reuses the node when nothing changed.
    fn rebuilt(&mut self, whole: Ty, before: Ty, item: Ty, node: Node) -> Ty {
        if self.store.find(before) == item { whole } else { self.store.add(node) }
    }

    fn unify_lists(&mut self, expected: List, actual: List) -> Result<Vec<Ty>, Clash> {
        (0..expected.len()).map(|i| self.unify(self.store.list(expected)[i], self.store.list(actual)[i])).collect()
    }

    fn unify_variable(&mut self, variable: Ty, t: Ty) -> Result<Ty, Clash> {
        let Node::Var { level, constraints } = self.store.node_at(variable) else { return Ok(t) };
        match self.store.node_at(t) {
            Node::Var { level: other_level, constraints: other_constraints } => {
                let level = level.min(other_level);
                self.store.update(t, Node::Var { level, constraints: constraints.union(other_constraints) });
                self.store.link(variable, t);
                Ok(t)
            }
            _ => {
                constraints.iter().try_for_each(|constraint| self.constrain(constraint, t))?;
                self.bind(variable, level, t)
            }
        }
    }

    /// Solves `variable` by `t`, after the occurs check with dots evaluated.
    fn bind(&mut self, variable: Ty, level: u32, t: Ty) -> Result<Ty, Clash> {
        // Satisfying the constraints may have solved the variable.
        if self.store.find(variable) != variable {
            return self.unify(variable, t);
        }
        let mut t = t;
        if self.occurs(variable, level, t)? {
            t = self.evaluate_dots(t)?;
            if self.store.find(t) == self.store.find(variable) {
                return Ok(t);
            }
            if self.store.find(variable) != variable || self.occurs(variable, level, t)? {
                return Err(Clash::Infinite { variable, t });
            }
        }
        self.store.link(variable, t);
        Ok(t)
    }

    /// Solves the open fields of the extendable type `whole`.
    pub fn solve_fields(&mut self, fields: Ty, solution: Ty, whole: Ty) -> Result<(), Clash> {
        let fields = self.store.find(fields);
        match self.store.node_at(fields) {
            Node::Var { level, .. } => {
                if self.occurs(fields, level, solution)? {
                    return Err(Clash::Infinite { variable: fields, t: solution });
                }
                self.store.link(fields, solution);
                Ok(())
            }
            Node::Rigid { .. } => Err(Clash::Types { expected: whole, actual: solution }),
            _ => self.unify(fields, solution).map(drop),
        }
    }

    /// Occurs check; lowers the level of the variables in `t` to that of `variable`.
    pub fn occurs(&mut self, variable: Ty, level: u32, t: Ty) -> Result<bool, Clash> {
        let mut found = false;
        self.shared.scanned.clear();
        self.scan(variable, level, t, &mut found)?;
        Ok(found)
    }

    /// The traversal of [`Solver::occurs`]. Returns whether `t` is ground, and records that at each node: ground parts
    /// are not visited again.
    fn scan(&mut self, variable: Ty, level: u32, t: Ty, found: &mut bool) -> Result<bool, Clash> {
        let t = self.store.find(t);
        if self.store.is_ground(t) {
            return Ok(true);
        }
        self.spend()?;
        *found |= t == variable;
        match self.store.node_at(t) {
            Node::Var { level: inner, constraints } => {
                self.store.update(t, Node::Var { level: inner.min(level), constraints });
                Ok(false)
            }
            Node::Rigid { level: inner, constraints, name } => {
                self.store.update(t, Node::Rigid { level: inner.min(level), constraints, name });
                Ok(false)
            }
            node => {
                // Visited before in this traversal, and not ground.
                if self.shared.scanned.contains(&t) {
                    return Ok(false);
                }
                let is_ground = crate::stack::grow(|| self.scan_inside(variable, level, node, found))?;
                if is_ground {
                    self.store.set_ground(t);
                } else if self.takes_long() {
                    self.shared.scanned.insert(t);
                }
                Ok(is_ground)
            }
        }
    }

    fn scan_inside(&mut self, variable: Ty, level: u32, node: Node, found: &mut bool) -> Result<bool, Clash> {
        match node {
            Node::Set(item) | Node::Seq(item) => self.scan(variable, level, item, found),
            Node::Map(a, b) | Node::Dot(a, b) | Node::Dotable(a, b) | Node::Extendable(a, b) => {
                Ok(self.scan(variable, level, a, found)? & self.scan(variable, level, b, found)?)
            }
            Node::Tuple(items) => self.scan_list(variable, level, items, found),
            Node::Function(arguments, result) => {
                let are_ground = self.scan_list(variable, level, arguments, found)?;
                Ok(are_ground & self.scan(variable, level, result, found)?)
            }
            _ => Ok(true),
        }
    }

    fn scan_list(&mut self, variable: Ty, level: u32, list: List, found: &mut bool) -> Result<bool, Clash> {
        let mut are_ground = true;
        for i in 0..list.len() {
            are_ground &= self.scan(variable, level, self.store.list(list)[i], found)?;
        }
        Ok(are_ground)
    }
}
