//! Shapes: which operators are there at the moment, above which machines.
//!
//! A shape is a term whose started operands are shapes again, down to the machines. Shapes are stored once, so a mode is
//! known by its shape. A [`Plan`] says what a shape becomes in terms of what it has: parts that are kept with the states
//! of their machines, and terms that start afresh. Machines for these are chosen when the whole plan is known, because
//! they must not be those of the kept parts; the first free one is taken, so that the same situation finds the same ones.

use super::{CompileError, Compiler};
use crate::{CallId, Term, TermId};
use hashbrown::HashMap;
use model::network::MachineId;
use std::rc::Rc;
use std::sync::Arc;

/// Number of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ShapeId(u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shape {
    /// A machine, and how many parallel operators are around it.
    Leaf(MachineId, u32),
    /// Terminated, and not as a machine.
    Over,
    /// The operator of a term, on the shapes of its started operands, with so many parallel operators around it.
    Operator(TermId, u32, Arc<[ShapeId]>),
}

/// What becomes of a shape.
#[derive(Debug)]
pub(super) enum Plan {
    Keep(ShapeId),
    Fresh(TermId),
    Over,
    Operator(TermId, Vec<Rc<Plan>>),
}

#[derive(Debug, Default)]
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

/// What is left to do, last first: plans and terms to look at, and operators that wait for their operands.
enum Task<'p> {
    Plan(&'p Plan, u32),
    Term(TermId, u32),
    Leave(CallId),
    Apply(TermId, u32, usize),
}

impl Compiler<'_, '_> {
    /// The shape of a plan for the whole. `used` are the machines that are taken already.
    pub(super) fn resolve(&mut self, plan: &Plan, used: &mut Vec<MachineId>) -> Result<ShapeId, CompileError> {
        let mut tasks = vec![Task::Plan(plan, 0)];
        let mut finished: Vec<ShapeId> = Vec::new();
        let mut open_calls: Vec<CallId> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Plan(Plan::Keep(shape), _) => finished.push(*shape),
                Task::Plan(Plan::Fresh(term), depth) => tasks.push(Task::Term(*term, depth)),
                Task::Plan(Plan::Over, _) => finished.push(self.shapes.intern(Shape::Over)),
                Task::Plan(Plan::Operator(term, operands), depth) => {
                    tasks.push(Task::Apply(*term, depth, operands.len()));
                    let inner = depth + u32::from(self.workshop.terms.get(*term).is_parallel());
                    tasks.extend(operands.iter().rev().map(|plan| Task::Plan(plan, inner)));
                }
                Task::Term(term, depth) => {
                    self.visit(term, depth, &mut tasks, &mut finished, &mut open_calls, used)?;
                }
                Task::Leave(call) => open_calls.retain(|&open| open != call),
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
        depth: u32,
        tasks: &mut Vec<Task<'p>>,
        finished: &mut Vec<ShapeId>,
        open_calls: &mut Vec<CallId>,
        used: &mut Vec<MachineId>,
    ) -> Result<(), CompileError> {
        if let &Term::Call(call) = self.workshop.terms.get(term)
            // A call that opens itself is no structure; as a machine it is explored, or found unguarded.
            && !open_calls.contains(&call)
        {
            let body = self.workshop.body(term, call)?;
            let is_compressed = self.workshop.terms.get(body).is_made_explicit();
            if is_compressed || self.may_be_structure(body) && !self.is_leaf(term)? {
                open_calls.push(call);
                tasks.push(Task::Leave(call));
                tasks.push(Task::Term(body, depth));
                return Ok(());
            }
        } else if self.is_structure(term)? {
            let mut operands = Vec::new();
            let operator = self.workshop.terms.get(term);
            operator.push_started(&mut operands);
            let inner = depth + u32::from(operator.is_parallel());
            tasks.push(Task::Apply(term, depth, operands.len()));
            tasks.extend(operands.into_iter().rev().map(|operand| Task::Term(operand, inner)));
            return Ok(());
        }
        let machine = self.free_machine(term, depth, used)?;
        finished.push(self.shapes.intern(Shape::Leaf(machine, depth)));
        Ok(())
    }

    /// Whether a term is decomposed.
    fn is_structure(&mut self, term: TermId) -> Result<bool, CompileError> {
        if self.workshop.terms.get(term).is_made_explicit() && !self.workshop.is_transparent(term) {
            // That tells whether it is worth it.
            self.workshop.compressed(term)?;
        }
        Ok(self.may_be_structure(term) && !self.is_leaf(term)?)
    }

    /// A machine for a leaf that is not used yet.
    fn free_machine(&mut self, term: TermId, depth: u32, used: &mut Vec<MachineId>) -> Result<MachineId, CompileError> {
        let known = self.slots.get(&(term, depth)).into_iter().flatten();
        let free = known.copied().find(|machine| used.binary_search(machine).is_err());
        let machine = match free {
            Some(machine) => machine,
            None => {
                let leaf = self.leaf(term, depth)?;
                let machine = MachineId(self.leaves.len() as u32);
                self.leaves.push(Some(leaf));
                self.slots.entry((term, depth)).or_default().push(machine);
                machine
            }
        };
        let place = used.partition_point(|&other| other < machine);
        used.insert(place, machine);
        Ok(machine)
    }
}

impl Term {
    /// Whether its machine is made from the whole of its operand.
    pub(crate) fn is_made_explicit(&self) -> bool {
        match self {
            Term::Compressed(compression, _) => !compression.selects(),
            Term::Prioritise(..) | Term::PrioritiseBy(..) => true,
            Term::TraceWatchdog(..) | Term::FailureWatchdog(..) => true,
            _ => false,
        }
    }

    /// Whether operands run side by side.
    pub(crate) fn is_parallel(&self) -> bool {
        matches!(self, Term::Interleave(_) | Term::Parallel(..) | Term::AlphaParallel(_) | Term::Link(..))
    }
}
