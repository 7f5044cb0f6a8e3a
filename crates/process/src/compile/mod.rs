//! Terms to networks: the structure of a process as rules and modes, what lies below it as machines.
//!
//! Parallel operators, hiding and renaming at the top of a term keep their place whatever its operands do, so they are
//! compiled away: each operand below them becomes an explicit machine ([`leaf`]), and the operators become rules that
//! say which actions of which machines happen together and what is seen of them ([`part`]). Rules are built bottom up.
//! A machine alone has a rule for each of its labels; hiding and renaming change what rules show; a parallel operator
//! joins the rules of its operands on shared events and keeps the others.
//!
//! Other operators stand above parallel ones only for a while: a choice until it is made, `P ; Q` until `P` has
//! terminated. A mode is such a *shape* of the process ([`shape`]), and a rule that changes the shape changes the mode:
//! it drops machines, which go back to where they rest, and starts others ([`control`]). Modes are made as rules lead
//! to them.
//!
//! Termination is distributed: the `✓` of an operand of a parallel operator is a `τ` of the whole that leaves the
//! operand terminated, and when all operands are, the whole does `✓`. A terminated machine therefore has one more
//! action, *done*, for each parallel operator around it, from the innermost outwards, and the `✓` of the operator is
//! the done of all machines below it. An operand that is not one machine, or parallel ones throughout, ends by a change
//! of shape instead. Below a priority, the `✓` of a parallel operator is simply that of all its operands.
//!
//! A priority around everything is one of the network. Any other makes its operand's rules give way to others of them,
//! by obstacles ([`priority`]).
//!
//! An operand that is not decomposed ends up inside a machine, which is always right and sometimes large. A recursion
//! that makes ever new shapes has no network; its terms have to be walked one by one.

mod compress;
mod control;
mod layout;
mod leaf;
mod lift;
mod open;
mod part;
mod priority;
mod shape;
mod team_actions;

use crate::operators::Priority;
use crate::{ProcessTable, StepError, StepTable, Takers, TermId, Termination, Terms, Unfold};
pub use compress::{CompressedOperand, Library, Preserved};
use hashbrown::HashMap;
use leaf::Leaf;
pub use lift::LiftedRun;
use limits::input::processes::MAX_NESTED_MACHINES;
use limits::input::stack::{COMPILER_SEGMENT, RED_ZONE};
use model::network::{Configuration, Jump, LocalState, MachineId, Mode, ModeId, Network, ProcessId, Rule};
use model::participants::Participants;
pub use open::{OpenLeaves, grow};
use part::Part;
use priority::Obstacles;
use progress::{Interrupt, Progress, Statistics};
use shape::{Depth, Plan, Shape, ShapeId, Shapes, Used};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use team_actions::TeamActions;

/// A network with what its numbers stand for.
#[derive(Debug)]
pub struct Compiled {
    /// The network.
    pub network: Arc<Network>,
    /// The shape of each mode.
    modes: Vec<ShapeId>,
    shapes: Shapes,
    /// The leaf of each machine; none for the one that is always ready.
    leaves: Vec<Option<Leaf>>,
    team_actions: TeamActions,
    /// Which processes take part in the rules of the network, if that was to be preserved.
    pub participants: Option<Participants>,
    /// The paths of these processes.
    pub process_table: ProcessTable,
    /// The priority around everything.
    around: Option<TermId>,
    /// Whether compressions were given up for it, so that it is larger than the script wants.
    pub has_given_up: bool,
}

/// Context of a compilation.
pub struct CompileContext<'a> {
    /// The steps of terms.
    pub table: &'a mut StepTable,
    /// The terms.
    pub terms: &'a mut Terms,
    /// Opens calls.
    pub unfold: &'a mut dyn Unfold,
    /// Compressions done before.
    pub library: &'a mut Library,
    /// Limits on the result.
    pub limits: CompileLimits,
    /// The behavior that must be preserved.
    pub preserved: Preserved,
    /// Asked from time to time whether to go on.
    pub progress: &'a dyn Progress,
}

/// Limits on the result of a compilation.
#[derive(Clone, Copy, Debug)]
pub struct CompileLimits {
    /// States of a machine that could be decomposed further; with more than these it is, if it has parallel parts.
    pub max_small_states: usize,
    /// States of any machine.
    pub max_machine_states: usize,
    /// Edges of any machine.
    pub max_machine_edges: usize,
    /// States of a machine that selects among the behaviors of its operand, most of which is never needed.
    pub max_selected_states: usize,
    /// States of an operand that is to be compressed; with more than these it takes part as it is.
    pub max_compressed_states: u64,
    /// Rules of the network.
    pub max_rules: usize,
    /// Modes of the network.
    pub max_modes: usize,
    /// States of a machine that are expanded in advance, if the others may stay open.
    pub n_first_states: Option<usize>,
    /// Limits of searches that make an operand explicit.
    pub search: explore::Limits,
}

/// Why a term has no network.
#[derive(Debug)]
pub enum CompileError {
    /// This operand has more states than one machine may have.
    MachineTooLarge(TermId),
    /// There are more rules than allowed.
    TooManyRules,
    /// There are more modes than allowed.
    TooManyModes,
    /// More components take part in a step than can be distinguished.
    TooManyComponents,
    /// The states of this operand, or of what it is a part of, need too many bits.
    TooWide(TermId),
    /// Opening this term leads to itself, or to ever new terms, before there is a step.
    Endless(TermId),
    /// A search of this operand ended early.
    Stopped(TermId, progress::Stop),
    /// It was cancelled.
    Canceled(Interrupt),
    /// This term has no steps to tell.
    Step(TermId, StepError),
}

/// Compiles a term.
///
/// An operand that is to be made explicit is compiled while that of which it is a part is.
pub fn compile(context: &mut CompileContext<'_>, root: TermId) -> Result<Compiled, CompileError> {
    let open = &mut context.library.open;
    if open.contains(&root) || open.len() >= MAX_NESTED_MACHINES {
        return Err(CompileError::Endless(root));
    }
    let is_nested = !open.is_empty();
    open.push(root);
    let n_first_states = context.limits.n_first_states;
    // What is written down has to be known to the end.
    context.limits.n_first_states = n_first_states.filter(|_| !is_nested);
    let compiled = stacker::maybe_grow(RED_ZONE, COMPILER_SEGMENT, || compile_prioritized(context, root));
    context.limits.n_first_states = n_first_states;
    context.library.open.pop();
    compiled
}

/// Compiles a term with the priority around it, if there is one.
fn compile_prioritized(context: &mut CompileContext<'_>, root: TermId) -> Result<Compiled, CompileError> {
    let opened = context.opened(root)?;
    let operator = context.terms.get(opened).clone();
    let Some(priority) = Priority::of(&operator) else { return compile_structure(context, root) };
    // A priority around everything needs no machine: the search looks at what a state offers anyway.
    let preserved = context.preserved;
    context.preserved = preserved.below_priority();
    let compiled = compile_structure(context, operator.operands()[0]);
    context.preserved = preserved;
    let mut compiled = compiled?;
    Arc::make_mut(&mut compiled.network).priority = Some(priority.on_labels());
    compiled.around = Some(opened);
    Ok(compiled)
}

fn compile_structure(context: &mut CompileContext<'_>, root: TermId) -> Result<Compiled, CompileError> {
    let mut compiler = Compiler {
        context,
        root,
        shapes: Shapes::default(),
        parts: HashMap::new(),
        known_leaves: HashMap::new(),
        is_leaf: HashMap::new(),
        leaves: Vec::new(),
        slots: HashMap::new(),
        control: None,
        obstacles: Obstacles::default(),
        team_actions: TeamActions::default(),
        process_table: ProcessTable::default(),
        n_rules: 0,
        n_bits: 0,
        n_tasks: 0,
    };
    let layout = compiler.open_layout(root);
    let known = layout.map_or(Ok(Vec::new()), |layout| compiler.lay_out_as(layout))?;
    let Modes { mut modes, shapes, participants } = compiler.compile_modes(root, known)?;
    compiler.keep_layout(root, &shapes);
    let data = open::let_open_states_fail(&mut modes);
    let always_ready = leaf::always_ready();
    let machine = |leaf: &Option<Leaf>| leaf.as_ref().map_or(&always_ready, |leaf| &leaf.machine).clone();
    let network = Network {
        machines: compiler.leaves.iter().map(machine).collect(),
        modes,
        initial: Configuration { locals: vec![LocalState(0); compiler.leaves.len()], ..Configuration::default() },
        priority: None,
        obstacles: compiler.obstacles.into_all(),
        data,
    }
    .into();
    let Compiler { context, shapes: all, leaves, team_actions, process_table, .. } = compiler;
    let has_given_up = all.operators().any(|term| context.is_given_up(term));
    let participants = (context.preserved.takers() == Takers::Distinguished).then(|| Participants::new(participants));
    Ok(Compiled {
        network,
        modes: shapes,
        shapes: all,
        leaves,
        team_actions,
        participants,
        process_table,
        around: None,
        has_given_up,
    })
}

/// The modes of a network, with what is known of each.
struct Modes {
    modes: Vec<Mode>,
    shapes: Vec<ShapeId>,
    /// For each rule the processes that take part, if that is to be known.
    participants: Vec<Vec<Arc<[ProcessId]>>>,
}

/// Machines and the states they are put into.
type Resets = Box<[(MachineId, LocalState)]>;

struct Compiler<'c, 'w> {
    context: &'c mut CompileContext<'w>,
    /// The term to compile.
    root: TermId,
    shapes: Shapes,
    /// The rules of shapes.
    parts: HashMap<ShapeId, Rc<Part>>,
    /// Leaves by their term and what is around them.
    known_leaves: HashMap<(TermId, Depth), Leaf>,
    /// Whether a term becomes a machine as a whole, which depends on how it terminates.
    is_leaf: HashMap<(TermId, Termination), bool>,
    /// By machine.
    leaves: Vec<Option<Leaf>>,
    /// The machines made for a leaf: as many as it occurs in parallel.
    slots: HashMap<(TermId, Depth), Vec<MachineId>>,
    /// The machine that takes the steps in which no leaf takes part.
    control: Option<MachineId>,
    obstacles: Obstacles,
    team_actions: TeamActions,
    process_table: ProcessTable,
    n_rules: usize,
    /// The bits of a state.
    n_bits: u32,
    /// How much was done to find the shapes of modes.
    n_tasks: usize,
}

impl Compiler<'_, '_> {
    /// All modes that can be reached; some may be known to be.
    fn compile_modes(&mut self, root: TermId, known: Vec<ShapeId>) -> Result<Modes, CompileError> {
        let mut shapes = known;
        if shapes.is_empty() {
            shapes.push(self.resolve(&Plan::Fresh(root), &mut Used::default())?);
        }
        let (mut modes, mut participants) = (Vec::new(), Vec::new());
        let mut numbers: HashMap<ShapeId, ModeId> = shapes.iter().copied().zip((0..).map(ModeId)).collect();
        while let Some(&shape) = shapes.get(modes.len()) {
            self.ask()?;
            let part = self.part(shape)?;
            let mut rules = Vec::with_capacity(part.rules.len());
            for rule in &part.rules {
                let jump = match &rule.then {
                    None => None,
                    Some(plan) => {
                        let (target, resets) = self.change(shape, plan)?;
                        let mode = *numbers.entry(target).or_insert_with(|| {
                            shapes.push(target);
                            ModeId(shapes.len() as u32 - 1)
                        });
                        Some(Jump { mode, resets })
                    }
                };
                let unless = rule.unless.as_slice().into();
                rules.push(Rule { jump, unless, ..Rule::new(rule.parts.as_slice(), rule.shows) });
            }
            if shapes.len() > self.context.limits.max_modes {
                return Err(CompileError::TooManyModes);
            }
            modes.push(Mode { rules });
            if self.context.preserved.takers() == Takers::Distinguished {
                let Compiler { context, process_table, .. } = self;
                let teams = part.rules.iter().map(|rule| rule.team);
                let processes = teams.map(|team| process_table.processes(context.table.teams(), team));
                participants.push(processes.collect::<Option<_>>().ok_or(CompileError::TooManyComponents)?);
            }
        }
        Ok(Modes { modes, shapes, participants })
    }

    /// The shape that a plan makes of a shape, and which machines it sends to rest.
    fn change(&mut self, from: ShapeId, plan: &Plan) -> Result<(ShapeId, Resets), CompileError> {
        let mut kept = Vec::new();
        self.shapes.kept_machines(plan, &mut kept);
        let mut used = Used::default();
        used.machines.extend(kept);
        let mut dropped = self.shapes.machines(from);
        dropped.retain(|machine| !used.machines.contains(machine));
        let target = self.resolve(plan, &mut used)?;
        Ok((target, dropped.into_iter().map(|machine| (machine, LocalState(0))).collect()))
    }

    fn ask(&mut self) -> Result<(), CompileError> {
        match self.context.progress.tick(&Statistics::default()) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(why) => Err(CompileError::Canceled(why)),
        }
    }

    fn count_rules(&mut self, n: usize) -> Result<(), CompileError> {
        self.n_rules += n;
        if self.n_rules > self.context.limits.max_rules { Err(CompileError::TooManyRules) } else { Ok(()) }
    }

    fn shape(&self, shape: ShapeId) -> Shape {
        self.shapes.get(shape).clone()
    }
}
