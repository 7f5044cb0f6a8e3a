//! The transition relation between two frames, and sets of states as cubes.

use crate::clauses::Clauses;
use crate::decode::true_in;
use crate::frame::Frame;
use crate::invariants::pair_invariants;
use crate::parallel_steps::StepSemantics;
use crate::rules::RuleLits;
use crate::unrolling::Step;
use crate::{Encoding, Lit, Property, Solver};
use lts::{Label, StateId};
use model::network::{Configuration, LocalState, ModeId, Network, RuleId};
use progress::Progress;

/// A fact about a state.
#[derive(Clone, Copy)]
enum Fact {
    /// The local state of a machine.
    Local(usize, u32),
    Mode(u32),
    Node(u32),
    /// A bit of a cell.
    Bit(usize, usize),
}

/// A fact before and after the step.
struct Latch {
    before: Lit,
    after: Lit,
    fact: Fact,
}

/// The number of a fact, doubled; odd if it is negated.
pub(super) type Literal = u32;

/// A conjunction of literals, sorted: a set of states.
pub(super) type Cube = Vec<Literal>;

/// A step between two arbitrary states.
pub(super) struct Transition<'s> {
    pub(super) network: &'s Network,
    pub(super) property: &'s Property<'s>,
    pub(super) clauses: Clauses<'s>,
    pub(super) before: Frame,
    pub(super) after: Frame,
    /// The assumption that there is a step.
    pub(super) moves: Lit,
    /// Whether each rule of each mode is enabled.
    pub(super) possible: Vec<Vec<Lit>>,
    latches: Vec<Latch>,
    /// The mutually exclusive facts of each machine, of modes and of nodes; and the fact of each bit.
    groups: Vec<Vec<u32>>,
    bits: Vec<u32>,
}

impl<'s> Transition<'s> {
    pub(super) fn new(
        network: &'s Network,
        property: &'s Property<'s>,
        encoding: Encoding,
        solver: &'s mut dyn Solver,
        progress: &dyn Progress,
    ) -> Transition<'s> {
        let mut clauses = Clauses::new(solver, encoding);
        let after = Frame::any_state(network, property, &mut clauses);
        let before = Frame::any(network, property, StepSemantics::Single, &mut clauses);
        let moves = clauses.solver.variable();
        Step { network, clauses: &mut clauses, before: &before, after: &after, end: Some(Label::TICK) }
            .add(property, moves);
        for pair_invariants in pair_invariants(network, property, progress) {
            for frame in [&before, &after] {
                clauses.add(&pair_invariants.clause(frame));
            }
        }
        let no = clauses.no();
        let mut is_possible = |rule: &RuleLits| rule.asks.as_ref().map_or(no, |asks| clauses.all(asks));
        let possible = before.rules.iter().map(|rules| rules.iter().map(&mut is_possible).collect()).collect();
        let (latches, groups, bits) = latches(&before, &after);
        Transition { network, property, clauses, before, after, moves, possible, latches, groups, bits }
    }

    /// A literal before the step.
    pub(super) fn before(&self, literal: Literal) -> Lit {
        signed(self.latches[(literal >> 1) as usize].before, literal)
    }

    /// A literal after the step.
    pub(super) fn after(&self, literal: Literal) -> Lit {
        signed(self.latches[(literal >> 1) as usize].after, literal)
    }

    /// The state before the step in an assignment, as a cube. Of a machine, only the positive fact is listed.
    pub(super) fn solution(&self) -> Cube {
        let solver = &*self.clauses.solver;
        let is_true = |fact: u32| solver.is_true(self.latches[fact as usize].before);
        let chosen = self.groups.iter().filter_map(|group| group.iter().copied().find(|&fact| is_true(fact)));
        let mut cube: Cube = chosen.map(|fact| fact << 1).collect();
        cube.extend(self.bits.iter().map(|&fact| fact << 1 | u32::from(!is_true(fact))));
        cube.sort_unstable();
        cube
    }

    /// The rule that is taken in an assignment.
    pub(super) fn solution_step(&self) -> Taken {
        let solver = &*self.clauses.solver;
        let mode = true_in(solver, &self.before.modes);
        let place = self.before.taken(solver, ModeId(mode)).next().map_or(0, RuleId::index);
        let mode = mode as usize;
        let (rule, lits) = (&self.network.modes[mode].rules[place], &self.before.rules[mode][place]);
        let mut taken =
            Taken { is_possible: self.possible[mode][place], happens: vec![lits.taken], sources: Vec::new() };
        for &(machine, action) in &rule.parts {
            let place = machine.index();
            let source = LocalState(true_in(solver, &self.before.locals[place]));
            if self.network.machines[place].edges_by(source, action).len() > 1 {
                let locals = &self.after.locals[place];
                taken.happens.push(locals[true_in(solver, locals) as usize]);
                taken.sources.extend(self.latches.iter().position(
                    |latch| matches!(latch.fact, Fact::Local(other, local) if other == place && local == source.0),
                ));
            }
        }
        taken
    }

    /// Whether a literal holds in a configuration with a node of the specification.
    pub(super) fn is_true_of(&self, literal: Literal, state: &Configuration, node: StateId) -> bool {
        let is_fact = match self.latches[(literal >> 1) as usize].fact {
            Fact::Local(machine, local) => state.locals[machine].0 == local,
            Fact::Mode(mode) => state.mode.0 == mode,
            Fact::Node(number) => node.0 == number,
            Fact::Bit(cell, place) => state.data[cell] >> place.min(63) & 1 == 1,
        };
        is_fact != (literal & 1 == 1)
    }

    /// Whether a state is in a cube.
    pub(super) fn contains(&self, cube: &[Literal], state: &Configuration, node: StateId) -> bool {
        cube.iter().all(|&literal| self.is_true_of(literal, state, node))
    }

    /// The initial node of a specification.
    pub(super) fn first_node(&self) -> StateId {
        self.property.specification().map_or(StateId(0), lts::Lts::initial)
    }

    /// Whether a literal holds initially.
    pub(super) fn is_true_at_start(&self, literal: Literal) -> bool {
        self.is_true_of(literal, &self.network.initial, self.first_node())
    }

    /// All facts that hold initially, and the negations of all others.
    pub(super) fn start(&self) -> Cube {
        let all = (0..self.latches.len() as u32).map(|fact| fact << 1);
        all.map(|literal| if self.is_true_at_start(literal) { literal } else { literal | 1 }).collect()
    }
}

/// A rule that is taken, and the targets of machines that have a choice.
pub(super) struct Taken {
    /// Whether it is enabled.
    pub(super) is_possible: Lit,
    /// Whether it is taken, and these machines move to these targets.
    pub(super) happens: Vec<Lit>,
    /// The facts about these machines before the step.
    pub(super) sources: Vec<usize>,
}

fn signed(lit: Lit, literal: Literal) -> Lit {
    if literal & 1 == 1 { !lit } else { lit }
}

/// All facts that can change, the mutually exclusive ones, and bits.
fn latches(before: &Frame, after: &Frame) -> (Vec<Latch>, Vec<Vec<u32>>, Vec<u32>) {
    let (mut latches, mut groups, mut bits) = (Vec::new(), Vec::new(), Vec::new());
    let n_machines = before.locals.len();
    for (place, (one, other)) in before.choices().zip(after.choices()).enumerate() {
        if one.len() < 2 {
            continue;
        }
        let first = latches.len() as u32;
        for (number, (&before, &after)) in (0..).zip(one.iter().zip(other)) {
            let fact = match place {
                place if place < n_machines => Fact::Local(place, number),
                place if place == n_machines => Fact::Mode(number),
                _ => Fact::Node(number),
            };
            latches.push(Latch { before, after, fact });
        }
        groups.push((first..latches.len() as u32).collect());
    }
    for (cell, (one, other)) in before.cells.iter().zip(&after.cells).enumerate() {
        for (place, (&before, &after)) in one.bits.iter().zip(&other.bits).enumerate() {
            // A known value is the same literal in all frames.
            if before != after {
                bits.push(latches.len() as u32);
                latches.push(Latch { before, after, fact: Fact::Bit(cell, place) });
            }
        }
    }
    (latches, groups, bits)
}
