//! Shapes: which operators are there at the moment, above which machines.
//!
//! A shape is a term whose started operands are shapes again, down to the machines. Shapes are stored once, so a mode
//! is known by its shape. A [`Plan`] says what a shape becomes in terms of what it has: parts that are kept with the
//! states of their machines, and terms that start afresh. Machines for these are chosen when the whole plan is known,
//! because they must not be those of the kept parts; the first free one is taken, so that the same situation finds the
//! same ones.

use super::leaf::Leaf;
use super::{CompileError, Compiler};
use crate::{CallId, Term, TermId};
use hashbrown::{HashMap, HashSet};
use limits::effort::machines::{MAX_MACHINES, MAX_OPEN_CALLS, MAX_TASKS, MAX_TASKS_PER_RULE};
use limits::intervals::polling::SHAPE_TASKS_PER_POLL;
use model::network::MachineId;
use std::rc::Rc;
use std::sync::Arc;

/// Networks whose states are wider than this are not compiled: a search has [`explore::MAX_WORDS`] words for a state, and
/// simplifications before a search make states only a little narrower.
const MAX_BITS: u32 = 4 * 64 * explore::MAX_WORDS as u32;

/// The operators around a part of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Depth {
    /// How many parallel operators.
    pub(super) n_parallel: u32,
    /// Whether there is a priority.
    pub(super) is_prioritized: bool,
}

impl Depth {
    /// Of the operands of an operator.
    fn below(self, operator: &Term) -> Depth {
        Depth {
            n_parallel: self.n_parallel + u32::from(operator.is_parallel()),
            is_prioritized: self.is_prioritized || operator.is_priority(),
        }
    }
}

/// Number of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ShapeId(u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shape {
    /// A machine.
    Leaf(MachineId, Depth),
    /// Terminated, and not as a machine.
    Over,
    /// The operator of a term, on the shapes of its started operands.
    Operator(TermId, Depth, Arc<[ShapeId]>),
}

/// The successor of a shape.
#[derive(Debug)]
pub(super) enum Plan {
    Keep(ShapeId),
    Fresh(TermId),
    Over,
    Operator(TermId, Vec<Rc<Plan>>),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    numbers: HashMap<Shape, ShapeId>,
}

impl Shapes {
    pub(super) fn get(&self, shape: ShapeId) -> &Shape {
        &self.shapes[shape.0 as usize]
    }

    fn intern(&mut self, shape: Shape) -> ShapeId {
        let Shapes { shapes, numbers } = self;
        *numbers.entry(shape).or_insert_with_key(|shape| {
            shapes.push(shape.clone());
            ShapeId(shapes.len() as u32 - 1)
        })
    }

    /// The machines of a shape.
    pub(super) fn machines(&self, shape: ShapeId) -> Vec<MachineId> {
        let mut machines = Vec::new();
        self.add_machines(shape, &mut machines);
        machines
    }

    fn add_machines(&self, shape: ShapeId, machines: &mut Vec<MachineId>) {
        let mut open = vec![shape];
        while let Some(shape) = open.pop() {
            match self.get(shape) {
                Shape::Leaf(machine, _) => machines.push(*machine),
                Shape::Over => {}
                Shape::Operator(.., operands) => open.extend(operands.iter()),
            }
        }
    }

    /// The operators of all shapes.
    pub(super) fn operators(&self) -> impl Iterator<Item = TermId> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Operator(term, ..) => Some(*term),
            Shape::Leaf(..) | Shape::Over => None,
        })
    }

    /// Adds the machines whose states a plan keeps.
    pub(super) fn kept_machines(&self, plan: &Plan, machines: &mut Vec<MachineId>) {
        let mut open = vec![plan];
        while let Some(plan) = open.pop() {
            match plan {
                Plan::Keep(shape) => self.add_machines(*shape, machines),
                Plan::Fresh(_) | Plan::Over => {}
                Plan::Operator(_, operands) => open.extend(operands.iter().map(|plan| &**plan)),
            }
        }
    }
}

/// The machines that have their place in a shape in the making.
#[derive(Debug, Default)]
pub(super) struct Used {
    pub(super) machines: HashSet<MachineId>,
    /// The number of machines of a leaf that were visited: used ones stay used.
    n_seen: HashMap<(TermId, Depth), usize>,
}

impl Used {
    /// The first machine of a leaf that is not used.
    fn first_free(&mut self, leaf: (TermId, Depth), known: &[MachineId]) -> Option<MachineId> {
        let n_seen = self.n_seen.entry(leaf).or_insert(0);
        let skipped = known[*n_seen..].iter().take_while(|&machine| self.machines.contains(machine)).count();
        *n_seen += skipped;
        known.get(*n_seen).copied()
    }
}

/// Remaining tasks, last first: plans and terms to visit, and operators that wait for their operands.
enum Task<'p> {
    Plan(&'p Plan, Depth),
    Term(TermId, Depth),
    Leave(CallId),
    Apply(TermId, Depth, usize),
}

impl Compiler<'_, '_> {
    /// The shape of a plan for the whole. `used` are the machines that are taken already.
    pub(super) fn resolve(&mut self, plan: &Plan, used: &mut Used) -> Result<ShapeId, CompileError> {
        let mut tasks = vec![Task::Plan(plan, Depth::default())];
        let mut finished: Vec<ShapeId> = Vec::new();
        let mut open_calls: HashSet<CallId> = HashSet::new();
        for n_tasks in 1.. {
            let Some(task) = tasks.pop() else { break };
            if n_tasks % SHAPE_TASKS_PER_POLL == 0 {
                self.ask()?;
            }
            if n_tasks > MAX_TASKS {
                return Err(CompileError::TooWide(self.root));
            }
            self.n_tasks += 1;
            if self.n_tasks > self.context.limits.max_rules.saturating_mul(MAX_TASKS_PER_RULE) {
                return Err(CompileError::TooManyModes);
            }
            match task {
                Task::Plan(Plan::Keep(shape), _) => finished.push(*shape),
                Task::Plan(Plan::Fresh(term), depth) => tasks.push(Task::Term(*term, depth)),
                Task::Plan(Plan::Over, _) => finished.push(self.shapes.intern(Shape::Over)),
                Task::Plan(Plan::Operator(term, operands), depth) => {
                    tasks.push(Task::Apply(*term, depth, operands.len()));
                    let inner = depth.below(self.context.terms.get(*term));
                    tasks.extend(operands.iter().rev().map(|plan| Task::Plan(plan, inner)));
                }
                Task::Term(term, depth) => {
                    let (tasks, finished, open_calls) = (&mut tasks, &mut finished, &mut open_calls);
                    self.within(depth, |compiler| compiler.visit(term, depth, tasks, finished, open_calls, used))?;
                }
                Task::Leave(call) => {
                    open_calls.remove(&call);
                }
                Task::Apply(term, depth, n) => {
                    let operands = finished.split_off(finished.len() - n);
                    finished.push(self.shapes.intern(Shape::Operator(term, depth, operands.into())));
                }
            }
        }
        Ok(finished.pop().expect("the whole is finished last"))
    }

    fn visit<'p>(
        &mut self,
        term: TermId,
        depth: Depth,
        tasks: &mut Vec<Task<'p>>,
        finished: &mut Vec<ShapeId>,
        open_calls: &mut HashSet<CallId>,
        used: &mut Used,
    ) -> Result<(), CompileError> {
        if let &Term::Call(call) = self.context.terms.get(term) {
            let body = self.context.body(term, call)?;
            let is_compressed = self.context.terms.get(body).is_made_explicit();
            if is_compressed || self.may_be_structure(body) && !self.is_leaf(term)? {
                // Only operands that are on are opened, so a call inside itself is one that waits for its own steps.
                if !open_calls.insert(call) || open_calls.len() > MAX_OPEN_CALLS {
                    return Err(CompileError::Endless(term));
                }
                tasks.push(Task::Leave(call));
                tasks.push(Task::Term(body, depth));
                return Ok(());
            }
        } else if self.is_structure(term)? {
            let mut operands = Vec::new();
            let operator = self.context.terms.get(term);
            operator.push_started(&mut operands);
            let inner = depth.below(operator);
            tasks.push(Task::Apply(term, depth, operands.len()));
            tasks.extend(operands.into_iter().rev().map(|operand| Task::Term(operand, inner)));
            return Ok(());
        }
        let machine = self.free_machine(term, depth, used)?;
        finished.push(self.shapes.intern(Shape::Leaf(machine, depth)));
        Ok(())
    }

    /// Works on a part of a shape. Below a priority other things have to be preserved.
    pub(super) fn within<T>(&mut self, depth: Depth, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.context.preserved;
        if depth.is_prioritized {
            self.context.preserved = before.below_priority();
        }
        let result = work(self);
        self.context.preserved = before;
        result
    }

    /// Whether a term is decomposed.
    fn is_structure(&mut self, term: TermId) -> Result<bool, CompileError> {
        if self.context.terms.get(term).is_made_explicit() && !self.context.is_transparent(term) {
            // That tells whether it is worth it.
            self.context.compressed(term)?;
        }
        Ok(self.may_be_structure(term) && !self.is_leaf(term)?)
    }

    /// A machine for a leaf that is not used yet.
    fn free_machine(&mut self, term: TermId, depth: Depth, used: &mut Used) -> Result<MachineId, CompileError> {
        let known = self.slots.get(&(term, depth)).map_or(&[][..], Vec::as_slice);
        let machine = match used.first_free((term, depth), known) {
            Some(machine) => machine,
            None => {
                let leaf = self.leaf(term, depth)?;
                self.count_machine(&leaf)?;
                let machine = MachineId(self.leaves.len() as u32);
                self.leaves.push(Some(leaf));
                self.slots.entry((term, depth)).or_default().push(machine);
                machine
            }
        };
        used.machines.insert(machine);
        Ok(machine)
    }

    /// Gives up when there are more machines than any search could hold a state of.
    pub(super) fn count_machine(&mut self, leaf: &Leaf) -> Result<(), CompileError> {
        self.n_bits += leaf.machine.n_states().next_power_of_two().trailing_zeros();
        let is_too_wide = self.n_bits > MAX_BITS || self.leaves.len() >= MAX_MACHINES;
        if is_too_wide { Err(CompileError::TooWide(leaf.term)) } else { Ok(()) }
    }
}
