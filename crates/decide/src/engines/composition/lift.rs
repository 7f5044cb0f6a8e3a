//! Runs of composed machines, taken apart again.
//!
//! A run of a composed network is a run of pieces. What the last piece that was put together did is a word of its
//! actions. Merging keeps traces, refusals and divergences, as far as the model sees them, so the machines it was made
//! of have a run with the same word that ends as badly: it is looked for among them alone, which is a small system. The
//! run of the pieces becomes one with these machines instead: actions happen where they did, and silent steps of a
//! machine come just before its next action, which nobody notices because rules only ask what machines can do. So it
//! goes on, piece by piece, until all machines are those of the network.
//!
//! A divergence is a loop of moves. A piece that takes part may need several rounds until it is back where it was, or
//! diverges by itself on the way; then that is the divergence. Nothing of this needs to be believed: the run is
//! repeated on the network before it is told.

use super::{SILENT, Sight, seen_by};
use explore::{Goal, RunEnd, find_run};
use hashbrown::HashMap;
use limits::effort::composition::{MAX_LIFTED, MAX_UNROLLED};
use lts::Label;
use model::network::{Action, Configuration, LocalState, MachineId, Network, NetworkStep, RuleId};
use progress::Progress;

/// Machines that became one piece.
#[derive(Debug)]
pub(super) struct Joint {
    /// Their places; the piece has the first.
    pub(super) places: Vec<usize>,
    /// The machines, with rules that show what the piece does.
    pub(super) part: Network,
}

/// How a run of pieces ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Only what happens matters.
    Trace,
    /// Each piece is stable and offers these actions, by place.
    Refusal(Vec<Vec<Action>>),
    /// The moves from this place on can be repeated for ever.
    Loop(usize),
}

/// A joint step of pieces.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// The actions of the pieces, by index, and their targets.
    pub(super) parts: Vec<(usize, Action, LocalState)>,
    pub(super) shows: Label,
}

impl Move {
    fn action_of(&self, place: usize) -> Option<Action> {
        self.parts.iter().find(|part| part.0 == place).map(|part| part.1)
    }

    /// Whether one piece moves on its own, unseen.
    fn is_inner(&self) -> bool {
        self.parts.len() == 1 && self.parts[0].1 == SILENT
    }
}

/// A run of pieces.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub(super) moves: Vec<Move>,
    pub(super) end: End,
}

impl Moves {
    /// The same run with the machines of a piece instead of it; nothing if there is none, or it was not found.
    pub(super) fn taken_apart(self, joint: &Joint, progress: &dyn Progress) -> Option<Moves> {
        match self.end {
            End::Loop(start) => self.loop_apart(start, joint, progress),
            End::Trace | End::Refusal(_) => {
                let word = self.word(joint.places[0], 0..self.moves.len());
                let goal = match &self.end {
                    End::Refusal(offers) => Goal::Refusal(labels(&offers[joint.places[0]])),
                    _ => Goal::Trace,
                };
                let inner = Inner::find(joint, &word, &goal, progress)?;
                let mut weaver = Weaver::new(joint, &inner);
                self.moves.iter().try_for_each(|step| weaver.step(step))?;
                let mut end = self.end;
                if let End::Refusal(offers) = &mut end {
                    weaver.be_silent();
                    for (&place, (machine, &local)) in
                        joint.places.iter().zip(joint.part.machines.iter().zip(&inner.last(joint).locals))
                    {
                        offers[place] = machine.edges(local).iter().map(|edge| edge.action).collect();
                    }
                }
                Some(Moves { moves: weaver.moves, end })
            }
        }
    }

    /// The actions of a piece that are not its own affair.
    fn word(&self, place: usize, range: std::ops::Range<usize>) -> Vec<Label> {
        let actions = self.moves[range].iter().filter_map(|step| step.action_of(place));
        actions.filter(|&action| action != SILENT).map(|action| Label(action.0)).collect()
    }

    fn loop_apart(self, start: usize, joint: &Joint, progress: &dyn Progress) -> Option<Moves> {
        let piece = joint.places[0];
        let (stem, round) = self.moves.split_at(start);
        let before = self.word(piece, 0..start);
        if round.iter().all(|step| step.action_of(piece).is_none()) {
            let inner = Inner::find(joint, &before, &Goal::Trace, progress)?;
            let mut weaver = Weaver::new(joint, &inner);
            stem.iter().try_for_each(|step| weaver.step(step))?;
            let start = weaver.moves.len();
            return Some(Moves { moves: [weaver.moves, round.to_vec()].concat(), end: End::Loop(start) });
        }
        let again = self.word(piece, start..self.moves.len());
        let word = [&before[..], &again].concat();
        let inner = Inner::find(joint, &word, &Goal::Forever(before.len()), progress)?;
        let (n_first, n_looped) = inner.n_events();
        let mut weaver = Weaver::new(joint, &inner);
        if n_looped == 0 {
            // It diverges after so many of its actions, whatever others would have done then.
            let takes_part = |step: &Move| step.action_of(piece).is_some_and(|action| action != SILENT);
            let n_rounds = n_first.saturating_sub(before.len()).div_ceil(again.len().max(1));
            let mut n_left = n_first;
            for step in stem.iter().chain(round.iter().cycle().take(n_rounds * round.len())) {
                if n_left == 0 {
                    break;
                }
                n_left -= usize::from(takes_part(step));
                weaver.step(step)?;
            }
            let start = weaver.diverge()?;
            return Some(Moves { moves: weaver.moves, end: End::Loop(start) });
        }
        // At the start of a round the machines stand right behind an action, which must be in their loop.
        let n_before = (n_first + 1).saturating_sub(before.len()).div_ceil(again.len());
        let n_again = n_looped / again.len();
        if (n_before + n_again).checked_mul(round.len())? > MAX_UNROLLED {
            return None;
        }
        stem.iter().try_for_each(|step| weaver.step(step))?;
        (0..n_before).try_for_each(|_| round.iter().try_for_each(|step| weaver.step(step)))?;
        let start = weaver.moves.len();
        (0..n_again).try_for_each(|_| round.iter().try_for_each(|step| weaver.step(step)))?;
        Some(Moves { moves: weaver.moves, end: End::Loop(start) })
    }

    /// The run as steps of the network that was composed; nothing if these are none of it.
    pub(super) fn steps(&self, network: &Network, sight: Sight) -> Option<Vec<NetworkStep>> {
        let rules = &network.modes[0].rules;
        let mut by_parts: HashMap<(Vec<(MachineId, Action)>, Label), usize> = HashMap::new();
        for (number, rule) in rules.iter().enumerate() {
            by_parts.entry((sorted(rule.parts.iter().copied()), seen_by(sight, rule.shows))).or_insert(number);
        }
        let mut at = network.initial.clone();
        let mut steps: Vec<NetworkStep> = Vec::with_capacity(self.moves.len());
        for step in &self.moves {
            let parts = sorted(step.parts.iter().map(|&(place, action, _)| (MachineId(place as u32), action)));
            let &number = by_parts.get(&(parts, step.shows))?;
            let before = at.clone();
            for &(place, _, local) in &step.parts {
                at.locals[place] = local;
            }
            let taken = NetworkStep { rule: RuleId(number as u32), label: rules[number].shows, target: at.clone() };
            if !network.steps_with(&before, taken.label).contains(&taken) {
                return None;
            }
            steps.push(taken);
        }
        Some(steps)
    }
}

fn sorted(parts: impl Iterator<Item = (MachineId, Action)>) -> Vec<(MachineId, Action)> {
    let mut parts: Vec<_> = parts.collect();
    parts.sort_unstable();
    parts
}

fn labels(actions: &[Action]) -> Vec<Label> {
    actions.iter().map(|action| Label(action.0)).collect()
}

/// A run of the machines of a piece.
struct Inner {
    steps: Vec<NetworkStep>,
    /// Where it can be repeated from.
    again: Option<usize>,
}

impl Inner {
    fn find(joint: &Joint, word: &[Label], goal: &Goal, progress: &dyn Progress) -> Option<Inner> {
        let found = find_run(&joint.part, word, goal, MAX_LIFTED, progress).ok()?;
        let again = match found.end {
            RunEnd::Loop(start) => Some(start),
            // Pieces do not terminate.
            RunEnd::Any | RunEnd::Stable | RunEnd::Terminating => None,
        };
        Some(Inner { steps: found.steps, again })
    }

    fn last<'a>(&'a self, joint: &'a Joint) -> &'a Configuration {
        self.steps.last().map_or(&joint.part.initial, |step| &step.target)
    }

    /// How many actions come before the loop, and how many are in it.
    fn n_events(&self) -> (usize, usize) {
        let n_events = |steps: &[NetworkStep]| steps.iter().filter(|step| step.label != Label::TAU).count();
        let again = self.again.unwrap_or(self.steps.len());
        (n_events(&self.steps[..again]), n_events(&self.steps[again..]))
    }
}

/// Puts the machines of a piece in its place.
struct Weaver<'a> {
    joint: &'a Joint,
    inner: &'a Inner,
    /// How far the run of the machines is.
    next: usize,
    moves: Vec<Move>,
}

impl<'a> Weaver<'a> {
    fn new(joint: &'a Joint, inner: &'a Inner) -> Weaver<'a> {
        Weaver { joint, inner, next: 0, moves: Vec::new() }
    }

    /// Takes a move of the pieces; nothing if the machines do not do their part.
    fn step(&mut self, step: &Move) -> Option<()> {
        let piece = self.joint.places[0];
        match step.action_of(piece) {
            None => self.moves.push(step.clone()),
            Some(SILENT) if step.is_inner() => {}
            Some(action) => {
                self.be_silent();
                let taken = self.inner.steps.get(self.next).filter(|taken| taken.label == Label(action.0))?;
                let mut parts: Vec<_> = step.parts.iter().copied().filter(|part| part.0 != piece).collect();
                parts.extend(self.parts(taken));
                self.advance();
                self.moves.push(Move { parts, shows: step.shows });
            }
        }
        Some(())
    }

    /// Takes silent steps of the machines up to their next action.
    fn be_silent(&mut self) {
        while let Some(step) = self.inner.steps.get(self.next).filter(|step| step.label == Label::TAU) {
            self.moves.push(Move { parts: self.parts(step), shows: Label::TAU });
            self.advance();
        }
    }

    /// Goes once round the loop of the machines, in which there are no actions; returns where it begins.
    fn diverge(&mut self) -> Option<usize> {
        let again = self.inner.again?;
        while self.next < again {
            let step = self.inner.steps.get(self.next).filter(|step| step.label == Label::TAU)?;
            self.moves.push(Move { parts: self.parts(step), shows: Label::TAU });
            self.next += 1;
        }
        let start = self.moves.len();
        for step in &self.inner.steps[again..] {
            self.moves.push(Move { parts: self.parts(step), shows: Label::TAU });
        }
        Some(start)
    }

    fn advance(&mut self) {
        self.next += 1;
        if let (true, Some(again)) = (self.next == self.inner.steps.len(), self.inner.again) {
            self.next = again;
        }
    }

    /// The actions of machines in a step, by their indices in the network.
    fn parts(&self, step: &NetworkStep) -> Vec<(usize, Action, LocalState)> {
        let rule = &self.joint.part.modes[0].rules[step.rule.index()];
        let part = |&(machine, action): &(MachineId, Action)| {
            (self.joint.places[machine.index()], action, step.target.locals[machine.index()])
        };
        rule.parts.iter().map(part).collect()
    }
}
