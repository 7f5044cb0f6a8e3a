//! Networks with fewer and smaller machines that mean the same.
//!
//! Machines that have much to do with each other are put together two by two, and what the rest of the network cannot
//! tell apart in the result is merged, before it meets further machines. A step in which nobody else takes part and
//! that the claim does not look at is silent then, and silent steps are what merging feeds on. Where the machines form
//! a line, a ring or a tree, as they often do, the pieces stay small while the number of states of the whole grows
//! exponentially.
//!
//! All models are congruences for networks: rules only ask what machines can do, never what they cannot, and a machine
//! is always free to move silently. Priorities ask what machines cannot do, and termination is an event with a meaning
//! of its own in failures, so networks with either are left alone; so are those with several modes or with variables,
//! which everybody shares.

mod engine;
mod lift;
mod order;

pub use engine::CompositionalMinimisation;
pub(crate) use engine::{MAX_STRATEGIES, by_composition};
use limits::effort::composition::{
    MAX_BONDS, MAX_FUTILE_PAIRS, MAX_GROWN, MAX_MACHINES, MAX_PIECE, MAX_RULES, MAX_TOO_LARGE, MIN_GAIN,
    MIN_GAIN_ALONE, WORK_PER_PIECE,
};
pub use order::Strategy;

use explore::{Limits, NotExplicit};
use hashbrown::{HashMap, HashSet};
use lift::{End, Joint, Move, Moves};
use lts::{Counterexample, Fault, Label, Lts, Model, Watch, compress};
use model::network::{
    Action, Configuration, FailedStep, LocalState, Machine, MachineId, Mode, ModeId, Network, NetworkStep, Rule,
};
use order::{Shape, n_bonds, promising};
use progress::{Progress, Statistics, Stop};
use std::sync::Arc;

/// The distinctions between labels that matter to a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// Which event it is.
    Events,
    /// That something is seen.
    Visibility,
    /// Nothing: every step may as well be silent.
    Nothing,
}

/// A network with fewer machines, and how it came about.
#[derive(Debug)]
pub struct Composition {
    /// The network.
    pub network: Network,
    sight: Sight,
    /// The compositions, in order.
    joints: Vec<Joint>,
    /// Where the machines that are left have been.
    places: Vec<usize>,
    n_places: usize,
    /// Where two became one, in order: in how many combinations they could be, and how many states are left.
    pub sizes: Vec<(u64, u64)>,
}

/// In which orders the machines of a network may be put together, those first that promise the smallest pieces. None if
/// they cannot be.
pub fn strategies(network: &Network) -> Vec<Strategy> {
    if !can_compose(network, false) {
        return Vec::new();
    }
    let sizes = network.machines.iter().map(|machine| Some(machine.n_states()));
    promising(&Shape::of(sizes, &network.modes[0].rules, None), MAX_PIECE as f64)
}

/// Whether machines can be put together, and are not too many. Termination is in the way, unless it will be hidden.
pub(crate) fn can_compose(network: &Network, hides_termination: bool) -> bool {
    let [mode] = &network.modes[..] else { return false };
    let is_plain = |rule: &Rule| {
        let is_silent = |&(_, action): &(MachineId, Action)| action == SILENT;
        let stays_silent = rule.parts.len() == 1 && rule.shows == Label::TAU;
        rule.jump.is_none()
            && rule.command.is_none()
            && (hides_termination || rule.shows != Label::TICK)
            && (stays_silent || !rule.parts.iter().any(is_silent))
    };
    let fits = mode.rules.len() <= MAX_RULES
        && (2..=MAX_MACHINES).contains(&network.machines.len())
        && n_bonds(mode.rules.iter().map(|rule| rule.parts.len())) <= MAX_BONDS;
    fits && !network.has_priorities() && network.data.is_empty() && mode.rules.iter().all(is_plain)
}

/// A network with fewer machines that is equivalent in a model, as far as labels are distinguished. None if it cannot
/// be composed.
pub fn compose(
    network: &Network,
    sight: Sight,
    model: Model,
    strategy: Strategy,
    progress: &dyn Progress,
) -> Option<Composition> {
    if !can_compose(network, false) {
        return None;
    }
    let mode = &network.modes[0];
    let rule = |rule: &Rule| Rule { shows: seen_by(sight, rule.shows), ..rule.clone() };
    let piece = |(machine, &initial): (&Arc<Machine>, &LocalState)| Some(Piece { machine: machine.clone(), initial });
    let mut composer = Composer {
        pieces: network.machines.iter().zip(&network.initial.locals).map(piece).collect(),
        rules: mode.rules.iter().map(rule).collect(),
        joints: Vec::new(),
        sizes: Vec::new(),
        strategy,
        grown: strategy.first(network.machines.len()),
        model,
        progress,
    };
    let n_bits = composer.n_bits();
    if !composer.run() {
        return None;
    }
    let min_gain = if composer.sizes.is_empty() { MIN_GAIN_ALONE } else { MIN_GAIN };
    (composer.n_bits() + min_gain < n_bits).then(|| composer.finish(sight))
}

impl Composition {
    /// The run of the network that was composed behind a run of this one, if it is found.
    pub fn lift(
        &self,
        original: &Network,
        found: &Counterexample<NetworkStep, FailedStep>,
        progress: &dyn Progress,
    ) -> Option<Counterexample<NetworkStep, FailedStep>> {
        let mut run =
            Moves { moves: found.steps.iter().map(|step| self.step_as_move(step)).collect(), end: self.end(found) };
        for joint in self.joints.iter().rev() {
            run = run.taken_apart(joint, progress)?;
        }
        let steps = run.steps(original, self.sight)?;
        let last = steps.last().map_or(&original.initial, |step| &step.target);
        let mut offered: Vec<Label> = original.steps(last).iter().map(|step| step.label).collect();
        offered.sort_unstable();
        offered.dedup();
        let fault = match (&found.fault, run.end) {
            (Fault::Divergence(_), End::Loop(start)) => Fault::Divergence(start),
            (Fault::Nondeterminism(event, _), _) => Fault::Nondeterminism(*event, offered),
            (Fault::Refusal { demanded, .. }, _) => Fault::Refusal { accepted: offered, demanded: demanded.clone() },
            (fault, _) => fault.clone(),
        };
        Some(Counterexample { steps, fault })
    }

    fn step_as_move(&self, step: &NetworkStep) -> Move {
        let rule = &self.network.modes[0].rules[step.rule.index()];
        let part = |&(machine, action): &(MachineId, Action)| {
            (self.places[machine.index()], action, step.target.locals[machine.index()])
        };
        Move { parts: rule.parts.iter().map(part).collect(), shows: rule.shows }
    }

    fn end(&self, found: &Counterexample<NetworkStep, FailedStep>) -> End {
        match found.fault {
            Fault::Divergence(start) => End::Loop(start),
            Fault::Refusal { .. } | Fault::Deadlock | Fault::Nondeterminism(..) => {
                let last = found.steps.last().map_or(&self.network.initial, |step| &step.target);
                let mut offers = vec![Vec::new(); self.n_places];
                for (&place, (machine, &local)) in
                    self.places.iter().zip(self.network.machines.iter().zip(&last.locals))
                {
                    offers[place] = machine.edges(local).iter().map(|edge| edge.action).collect();
                }
                End::Refusal(offers)
            }
            _ => End::Trace,
        }
    }
}

/// The action that a piece takes alone and that nobody sees. Machines of processes keep to this as well.
const SILENT: Action = Action(Label::TAU.0);
/// The smallest number that has no meaning of its own as a label.
const FIRST_ACTION: u32 = Label::TICK.0 + 1;

fn seen_by(sight: Sight, label: Label) -> Label {
    match sight {
        _ if label == Label::TAU => Label::TAU,
        Sight::Events => label,
        Sight::Visibility => Label(FIRST_ACTION),
        Sight::Nothing => Label::TAU,
    }
}

/// Machines put together.
struct Piece {
    machine: Arc<Machine>,
    initial: LocalState,
}

struct Composer<'a> {
    /// Nothing where a machine was that is a part of another now.
    pieces: Vec<Option<Piece>>,
    rules: Vec<Rule>,
    joints: Vec<Joint>,
    sizes: Vec<(u64, u64)>,
    strategy: Strategy,
    /// The piece that grows.
    grown: Option<usize>,
    model: Model,
    progress: &'a dyn Progress,
}

/// Why two pieces remain two.
enum Apart {
    TooLarge,
    /// Together they have as many states as both have in all combinations.
    InVain,
    Stopped,
}

impl Composer<'_> {
    /// Puts together what can be; whether it came to an end.
    fn run(&mut self) -> bool {
        for place in 0..self.pieces.len() {
            if let Err(Apart::Stopped) = self.put_together(&[place]) {
                return false;
            }
        }
        let mut apart = HashSet::new();
        let mut n_too_large = 0;
        while let Some(pair) = self.shape().next_pair(self.strategy, &apart) {
            match self.put_together(&pair) {
                // What was in vain before may pay now: one of the pieces is another.
                Ok(()) => apart.retain(|other: &[usize; 2]| !other.contains(&pair[0])),
                Err(Apart::Stopped) => return false,
                Err(reason) => {
                    apart.insert(pair);
                    n_too_large += usize::from(matches!(reason, Apart::TooLarge));
                    if apart.len() > MAX_FUTILE_PAIRS || n_too_large > MAX_TOO_LARGE {
                        return true;
                    }
                }
            }
        }
        true
    }

    fn shape(&self) -> Shape {
        let sizes = self.pieces.iter().map(|piece| piece.as_ref().map(|piece| piece.machine.n_states()));
        Shape::of(sizes, &self.rules, self.grown)
    }

    /// Makes one piece of a few, which takes the place of the first.
    fn put_together(&mut self, places: &[usize]) -> Result<(), Apart> {
        let (inner, rules) = self.divide(places);
        let part = self.part(places, inner);
        let small = self.small(&part)?;
        // Small pieces are built without a report, and dividing rules goes through all of them.
        let work = Statistics::of_work((self.rules.len() + WORK_PER_PIECE) as u64);
        if self.progress.tick(&work).is_break() {
            return Err(Apart::Stopped);
        }
        let n_combinations = part.machines.iter().fold(1usize, |n, machine| n.saturating_mul(machine.n_states()));
        if places.len() > 1 {
            let is_patient = self.strategy.grows() && small.machine.n_states() <= MAX_GROWN;
            if small.machine.n_states() >= n_combinations && !is_patient {
                return Err(Apart::InVain);
            }
            self.sizes.push((n_combinations as u64, small.machine.n_states() as u64));
            self.grown = Some(places[0]);
        }
        places.iter().for_each(|&place| self.pieces[place] = None);
        self.pieces[places[0]] = Some(small);
        self.rules = rules;
        self.joints.push(Joint { places: places.to_vec(), part });
        Ok(())
    }

    /// The rules inside a few pieces, which show the actions of the piece they will be, and the rules after that.
    fn divide(&self, places: &[usize]) -> (Vec<Rule>, Vec<Rule>) {
        // What others do at the same time, and what is seen of it, is all there is to know of an action.
        type Context = (Box<[(MachineId, Action)]>, Label);
        let mut actions: HashMap<Context, Action> = HashMap::new();
        let (mut inner, mut outer) = (Vec::new(), Vec::new());
        let whole = MachineId(places[0] as u32);
        for rule in &self.rules {
            let is_inside = |part: &&(MachineId, Action)| places.contains(&part.0.index());
            let inside: Vec<_> =
                rule.parts.iter().filter(is_inside).map(|&(id, action)| local(places, id, action)).collect();
            if inside.is_empty() {
                outer.push(rule.clone());
                continue;
            }
            let others: Box<[_]> = rule.parts.iter().filter(|part| !is_inside(part)).copied().collect();
            let n_actions = actions.len() as u32;
            let action = *actions.entry((others, rule.shows)).or_insert_with_key(|(others, shows)| {
                let is_silent = others.is_empty() && *shows == Label::TAU;
                let action = if is_silent { SILENT } else { Action(FIRST_ACTION + n_actions) };
                let parts: Vec<_> = [(whole, action)].into_iter().chain(others.iter().copied()).collect();
                outer.push(Rule::new(parts, *shows));
                action
            });
            inner.push(Rule::new(inside, Label(action.0)));
        }
        (inner, outer)
    }

    /// A few pieces as a network of their own.
    fn part(&self, places: &[usize], rules: Vec<Rule>) -> Network {
        let pieces: Vec<&Piece> = places.iter().filter_map(|&place| self.pieces[place].as_ref()).collect();
        let locals = pieces.iter().map(|piece| piece.initial).collect();
        Network {
            machines: pieces.iter().map(|piece| piece.machine.clone()).collect(),
            modes: vec![Mode { rules }],
            initial: Configuration { mode: ModeId(0), locals, ..Configuration::default() },
            priority: None,
            ..Network::default()
        }
    }

    /// A network as one piece, with states merged that mean the same.
    fn small(&self, part: &Network) -> Result<Piece, Apart> {
        let limits = Limits::of_workers(1).with_budget(MAX_PIECE);
        let explicit = explore::to_lts(part, &limits, self.progress).map_err(|reason| match reason {
            NotExplicit::Stopped(Stop::Interrupted(_)) => Apart::Stopped,
            NotExplicit::Stopped(_) | NotExplicit::TooWide(_) => Apart::TooLarge,
            NotExplicit::Failed(_) => unreachable!("networks with variables are left alone"),
        })?;
        let small = compress::model_compress(&explicit.lts, self.model, &mut Watch::new(self.progress));
        small.map(|small| Piece::of(&small)).map_err(|_| Apart::Stopped)
    }

    /// About how many bits it takes to tell the states of all pieces.
    fn n_bits(&self) -> f64 {
        self.pieces.iter().flatten().map(|piece| (piece.machine.n_states() as f64).log2()).sum()
    }

    fn finish(self, sight: Sight) -> Composition {
        let n_places = self.pieces.len();
        let mut numbers = vec![MachineId(0); self.pieces.len()];
        let left: Vec<(usize, Piece)> =
            self.pieces.into_iter().enumerate().filter_map(|(place, piece)| Some((place, piece?))).collect();
        for (number, (place, _)) in (0..).zip(&left) {
            numbers[*place] = MachineId(number);
        }
        let renumbered = |rule: &Rule| {
            let parts = rule.parts.iter().map(|&(machine, action)| (numbers[machine.index()], action)).collect();
            Rule { parts, ..rule.clone() }
        };
        let network = Network {
            modes: vec![Mode { rules: self.rules.iter().map(renumbered).collect() }],
            initial: Configuration {
                mode: ModeId(0),
                locals: left.iter().map(|(_, piece)| piece.initial).collect(),
                ..Configuration::default()
            },
            machines: left.iter().map(|(_, piece)| piece.machine.clone()).collect(),
            priority: None,
            ..Network::default()
        };
        let places = left.iter().map(|&(place, _)| place).collect();
        Composition { network, sight, joints: self.joints, places, n_places, sizes: self.sizes }
    }
}

/// A part of a rule by the place of its machine among a few.
fn local(places: &[usize], machine: MachineId, action: Action) -> (MachineId, Action) {
    let place = places.iter().position(|&place| place == machine.index()).expect("the machine is one of them");
    (MachineId(place as u32), action)
}

impl Piece {
    fn of(lts: &Lts) -> Piece {
        Piece { machine: Machine::from(lts).into(), initial: LocalState(lts.initial().0) }
    }
}
