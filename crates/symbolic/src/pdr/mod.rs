//! Property directed reachability (Bradley, 2011, "SAT-based model checking without unrolling"; Eén, Mishchenko and
//! Brayton, 2011, "Efficient implementation of property directed reachability").
//!
//! For each `k` there is a frame: clauses that hold in all states that are reachable in at most `k` steps; each frame
//! implies the next one. A violating state that frame `k` does not exclude is followed backward: either it is
//! reachable, or a predecessor is excluded by a clause that is generalized as far as possible. When two frames are
//! equal, they are an inductive invariant. It is validated by another solver (`certificate.rs`), and counterexamples by
//! the interpreter. `docs/semantics/pdr.md` has the proofs.

mod bad;
mod certificate;
mod state;

use crate::bounded::Found;
use crate::judge::{follow, judge};
use crate::stopping::unless_stopped;
use crate::{Answer, Batsat, Encoding, Lit, Property, Settings, Solver};
use lts::{Label, Reason, Verdict};
use model::network::Network;
use progress::{Interrupt, Progress, Statistics};
use state::{Cube, Literal, Taken, Transition};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Proves a property by PDR, or finds a counterexample, with frames up to the depth of the settings.
pub fn prove_by_pdr(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    progress: &dyn Progress,
) -> Answer {
    let mut solver = Batsat::new(progress);
    let mut frames = match Frames::new(network, property, settings.encoding, &mut solver, progress) {
        Ok(frames) => frames,
        Err(why) => return Answer::new(Verdict::Unknown(why.into()), 0),
    };
    let ended = unless_stopped(|| frames.run(settings.depth));
    let depth = frames.levels.len().saturating_sub(2) as u64;
    let verdict = match ended {
        Ok(End::Invariant(cubes)) => {
            let proof = certificate::prove_invariant(network, property, &cubes, settings.encoding, progress);
            let answer = Answer::new(Verdict::Holds, depth).proved(proof);
            return if settings.with_proof { answer } else { Answer::new(answer.verdict, depth) };
        }
        Ok(End::Run(Some(found))) => Verdict::Fails(found),
        // A loop of a command was unrolled too little.
        Ok(End::Run(None)) => Verdict::Unknown(Reason::TooLarge),
        Ok(End::Depth) => Verdict::Unknown(Reason::Depth),
        Err(why) => Verdict::Unknown(why.into()),
    };
    Answer::new(verdict, depth)
}

/// The outcome of the search.
enum End {
    /// The complement of these cubes is an inductive invariant without violations.
    Invariant(Vec<Cube>),
    /// A counterexample; None if the interpreter refutes it.
    Run(Option<Found>),
    Depth,
}

/// A frame.
struct Level {
    /// The activation literal of its clauses.
    active: Lit,
    /// Cubes that are blocked in this frame, and not known to be blocked in the next one.
    cubes: Vec<Cube>,
}

/// A proof obligation: states that lead to a violation.
struct Obligation {
    cube: Cube,
    /// The obligation that they lead to, if they are no violation themselves.
    next: Option<usize>,
}

struct Frames<'s> {
    transition: Transition<'s>,
    levels: Vec<Level>,
    bad: Lit,
    progress: &'s dyn Progress,
}

/// The outcome of a reachability query: a cube is blocked, by some of its literals; or it has a predecessor.
enum Reached {
    No(Cube),
    From(Cube),
}

impl<'s> Frames<'s> {
    fn new(
        network: &'s Network,
        property: &'s Property<'s>,
        encoding: Encoding,
        solver: &'s mut dyn Solver,
        progress: &'s dyn Progress,
    ) -> Result<Frames<'s>, Interrupt> {
        unless_stopped(move || {
            let mut transition = Transition::new(network, property, encoding, solver, progress);
            let bad = transition.bad();
            let mut frames = Frames { transition, levels: Vec::new(), bad, progress };
            frames.add_level();
            for literal in frames.transition.start() {
                let fact = frames.transition.before(literal);
                frames.transition.clauses.add(&[!frames.levels[0].active, fact]);
            }
            Ok(frames)
        })
    }

    fn add_level(&mut self) {
        let active = self.transition.clauses.solver.variable();
        self.levels.push(Level { active, cubes: Vec::new() });
    }

    fn run(&mut self, max_depth: u64) -> Result<End, Interrupt> {
        while self.levels.len() as u64 <= max_depth.saturating_add(1) {
            let level = self.levels.len() - 1;
            while let Some(cube) = self.find_bad(level)? {
                if let Some(chain) = self.exclude(cube, level)? {
                    return Ok(End::Run(self.concrete(&chain)));
                }
            }
            self.add_level();
            if let Some(invariant) = self.propagate()? {
                return Ok(End::Invariant(invariant));
            }
        }
        Ok(End::Depth)
    }

    /// The activation literals of all clauses of a frame.
    fn known_at(&self, level: usize) -> Vec<Lit> {
        match level {
            0 => vec![self.levels[0].active],
            _ => self.levels[level..].iter().map(|level| level.active).collect(),
        }
    }

    fn solve(&mut self, assumed: &[Lit]) -> Result<bool, Interrupt> {
        let statistics = Statistics { depth: self.levels.len() as u64 - 1, ..Statistics::default() };
        if let ControlFlow::Break(why) = self.progress.tick(&statistics) {
            return Err(why);
        }
        self.transition.clauses.solver.solve(assumed)
    }

    /// Violating states that a frame does not block.
    fn find_bad(&mut self, level: usize) -> Result<Option<Cube>, Interrupt> {
        let mut assumed = self.known_at(level);
        assumed.push(self.bad);
        if !self.solve(&assumed)? {
            return Ok(None);
        }
        let state = self.transition.solution();
        self.lift(state, &[!self.bad]).map(Some)
    }

    /// A small subset of the literals of a state that excludes the other assumptions (ternary lifting by unsatisfiable
    /// cores).
    fn lift(&mut self, state: Cube, besides: &[Lit]) -> Result<Cube, Interrupt> {
        let facts = state.iter().map(|&literal| self.transition.before(literal));
        let assumed: Vec<Lit> = besides.iter().copied().chain(facts).collect();
        if self.solve(&assumed)? {
            return Ok(state);
        }
        let solver = &*self.transition.clauses.solver;
        Ok(state.into_iter().filter(|&literal| solver.is_reason(self.transition.before(literal))).collect())
    }

    /// Blocks a cube in a frame, or finds cubes that lead from the initial state to it.
    fn exclude(&mut self, cube: Cube, level: usize) -> Result<Option<Vec<Cube>>, Interrupt> {
        let mut obligations = vec![Obligation { cube, next: None }];
        let mut open = BinaryHeap::from([Reverse((level, 0))]);
        while let Some(Reverse((at, number))) = open.pop() {
            let cube = obligations[number].cube.clone();
            if at == 0 || self.contains_start(&cube) {
                return Ok(Some(chain(&obligations, number)));
            }
            if self.is_excluded(&cube, at) {
                continue;
            }
            match self.reach(&cube, at)? {
                Reached::No(core) => {
                    let core = self.generalize(core, at)?;
                    let reached = self.push(core, at)?;
                    if reached < self.levels.len() {
                        open.push(Reverse((reached, number)));
                    }
                }
                Reached::From(predecessor) => {
                    open.push(Reverse((at, number)));
                    obligations.push(Obligation { cube: predecessor, next: Some(number) });
                    open.push(Reverse((at - 1, obligations.len() - 1)));
                }
            }
        }
        Ok(None)
    }

    fn contains_start(&self, cube: &[Literal]) -> bool {
        cube.iter().all(|&literal| self.transition.is_true_at_start(literal))
    }

    /// Whether a clause blocks a cube in a frame already.
    fn is_excluded(&self, cube: &[Literal], level: usize) -> bool {
        self.levels[level..].iter().any(|level| level.cubes.iter().any(|known| includes(cube, known)))
    }

    /// Whether states of the previous frame outside of a cube have a step into it.
    fn reach(&mut self, cube: &[Literal], level: usize) -> Result<Reached, Interrupt> {
        let outside = self.transition.clauses.solver.variable();
        let clause: Vec<Lit> = cube.iter().map(|&literal| !self.transition.before(literal)).chain([!outside]).collect();
        self.transition.clauses.add(&clause);
        let mut assumed = self.known_at(level - 1);
        assumed.extend([outside, self.transition.moves]);
        assumed.extend(cube.iter().map(|&literal| self.transition.after(literal)));
        let is_reached = self.solve(&assumed)?;
        let result = if is_reached {
            Reached::From(self.predecessor(cube)?)
        } else {
            let solver = &*self.transition.clauses.solver;
            let is_needed = |literal: &Literal| solver.is_reason(self.transition.after(*literal));
            let core: Cube = cube.iter().copied().filter(is_needed).collect();
            Reached::No(self.without_start(core, cube))
        };
        self.transition.clauses.add(&[!outside]);
        Ok(result)
    }

    /// The core of a cube, with one more literal if it would contain the initial state, which the cube does not.
    fn without_start(&self, mut core: Cube, cube: &[Literal]) -> Cube {
        if self.contains_start(&core)
            && let Some(&literal) = cube.iter().find(|&&literal| !self.transition.is_true_at_start(literal))
        {
            core.push(literal);
            core.sort_unstable();
        }
        core
    }

    /// Predecessors of a cube around those of an assignment: the rule is enabled in all of them, and leads there. Where
    /// it may lead elsewhere, they have the same choice.
    fn predecessor(&mut self, cube: &[Literal]) -> Result<Cube, Interrupt> {
        let state = self.transition.solution();
        let Taken { is_possible, happens, sources } = self.transition.solution_step();
        let transition = &mut self.transition;
        let misses = transition.clauses.solver.variable();
        for lit in happens {
            transition.clauses.add(&[!misses, !is_possible, lit]);
        }
        let outside = cube.iter().map(|&literal| !transition.after(literal));
        let clause: Vec<Lit> = outside.chain([!misses, !is_possible]).collect();
        transition.clauses.add(&clause);
        let mut lifted = self.lift(state, &[misses])?;
        self.transition.clauses.add(&[!misses]);
        lifted.extend(sources.into_iter().map(|fact| (fact as Literal) << 1));
        lifted.sort_unstable();
        lifted.dedup();
        Ok(lifted)
    }

    /// Drops literals while the cube stays blocked.
    fn generalize(&mut self, mut cube: Cube, level: usize) -> Result<Cube, Interrupt> {
        let mut place = 0;
        while place < cube.len() && cube.len() > 1 {
            let mut fewer = cube.clone();
            fewer.remove(place);
            if self.contains_start(&fewer) {
                place += 1;
                continue;
            }
            match self.reach(&fewer, level)? {
                // Literals before the index are necessary, and stay unless the core does not need them.
                Reached::No(core) => {
                    place = core.iter().filter(|literal| cube[..place].contains(literal)).count();
                    cube = core;
                }
                Reached::From(_) => place += 1,
            }
        }
        Ok(cube)
    }

    /// Adds the clause that blocks a cube to the highest frame where it holds; the first frame in which it is not known
    /// to hold.
    fn push(&mut self, cube: Cube, mut level: usize) -> Result<usize, Interrupt> {
        while level + 1 < self.levels.len() && matches!(self.reach(&cube, level + 1)?, Reached::No(_)) {
            level += 1;
        }
        self.keep(cube, level);
        Ok(level + 1)
    }

    /// Adds the clause that blocks a cube up to a frame.
    fn keep(&mut self, cube: Cube, level: usize) {
        let outside = cube.iter().map(|&literal| !self.transition.before(literal));
        let clause: Vec<Lit> = outside.chain([!self.levels[level].active]).collect();
        self.transition.clauses.add(&clause);
        for lower in &mut self.levels[..=level] {
            lower.cubes.retain(|known| !includes(known, &cube));
        }
        self.levels[level].cubes.push(cube);
    }

    /// Pushes clauses to later frames as far as they hold. If all of a frame can be pushed, they are an inductive
    /// invariant.
    fn propagate(&mut self) -> Result<Option<Vec<Cube>>, Interrupt> {
        for level in 1..self.levels.len() - 1 {
            for cube in self.levels[level].cubes.clone() {
                if let Reached::No(_) = self.reach(&cube, level + 1)? {
                    self.keep(cube, level + 1);
                }
            }
            if self.levels[level].cubes.is_empty() {
                return Ok(Some(self.levels[level..].iter().flat_map(|level| level.cubes.clone()).collect()));
            }
        }
        Ok(None)
    }

    /// A run along cubes, the first of which contains the initial state.
    fn concrete(&self, chain: &[Cube]) -> Option<Found> {
        let transition = &self.transition;
        let (network, property) = (transition.network, transition.property);
        let (mut at, mut node) = (network.initial.clone(), transition.first_node());
        let mut steps = Vec::new();
        for cube in chain.iter().skip(1) {
            if let Some(found) = judge(network, property, steps.clone()) {
                return Some(found);
            }
            let after = |label| property.specification().map_or(node, |spec| follow(spec, node, label));
            let leads = |step: &model::network::NetworkStep| {
                step.label != Label::TICK && transition.contains(cube, &step.target, after(step.label))
            };
            let step = network.steps(&at).into_iter().find(leads)?;
            (at, node) = (step.target.clone(), after(step.label));
            steps.push(step);
        }
        judge(network, property, steps)
    }
}

/// Whether a sorted cube has all literals of another one, so that it is a subset as a set of states.
fn includes(cube: &[Literal], other: &[Literal]) -> bool {
    other.iter().all(|literal| cube.binary_search(literal).is_ok())
}

/// The cubes from an obligation to a violation.
fn chain(obligations: &[Obligation], first: usize) -> Vec<Cube> {
    std::iter::successors(Some(first), |&number| obligations[number].next)
        .map(|number| obligations[number].cube.clone())
        .collect()
}
