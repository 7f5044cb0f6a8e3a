//! From runs of compressed machines to runs of what was compressed.
//!
//! The steps of a compressed machine are a path of its small system. Compressions keep traces, refusals and
//! divergences, so the operand, compiled to a network of its own, has a run with the same events that ends as badly: it
//! is looked for there, and lifted in the same way, because the operand may have compressed machines itself. The runs
//! of all operands are put together to a run of the whole: events happen where they did, and the silent steps of an
//! operand come before its next event, where the whole is not affected. At the end each operand offers no more than its
//! machine, and so does the whole.
//!
//! A divergence is a loop. Each operand that takes part in it can go on for ever with the same events, and comes back
//! to a state it was in after some rounds; the whole does after the least common multiple of these. Or an operand
//! diverges by itself, and that is a divergence of the whole.
//!
//! Below a priority the states of an operand have to be followed one by one ([`super::exact`]). Operands that are not
//! below one do not affect its choices, so both kinds coexist.

use super::LiftedRun;
use super::route::{Leg, Part, lives, pairs, word};
use super::weave::{Lives, Manner, Weaver};
use crate::compile::Compiled;
use crate::compile::compress::CompressedOperand;
use explore::{Goal, RunEnd, find_run};
use hashbrown::{HashMap, HashSet};
pub(super) use limits::effort::composition::MAX_UNROLLED;
use lts::{Label, NoRun, Observation};
use model::network::{Configuration, MachineId};
use progress::{Progress, Stop};
use std::rc::Rc;
use std::sync::Arc;

pub(super) struct Lifter<'a> {
    pub(super) max_nodes: u64,
    pub(super) progress: &'a dyn Progress,
    /// Runs found, by operand, trace and goal.
    pub(super) known: HashMap<(*const CompressedOperand, Vec<Label>, Goal), Rc<LiftedRun>>,
    /// Runs known to exist.
    pub(super) confirmed: HashSet<(*const CompressedOperand, Vec<Label>, Goal)>,
}

impl Compiled {
    /// How the last life of a machine ends if the whole refuses something.
    pub(super) fn last_goal(&self, machine: MachineId, legs: &[Leg]) -> Goal {
        let end = legs.last().map_or(&self.network.initial, |leg| &leg.target);
        let present = self.shapes.machines(self.modes[end.mode.index()]);
        match self.offers(machine, end) {
            Some(offers) if present.contains(&machine) => Goal::Refusal(offers),
            _ => Goal::Trace,
        }
    }
}

impl Compiled {
    /// How the operand of a machine is followed, if the whole is followed like this.
    pub(super) fn manner_of(&self, machine: MachineId, manner: Manner) -> Manner {
        let is_prioritized = self.network.priority.is_some() || self.leaf(machine).is_prioritized;
        if is_prioritized { Manner::Exact } else { manner }
    }
}

impl Lifter<'_> {
    /// Lifts a run of a network.
    pub(super) fn lift(
        &mut self,
        compiled: &Compiled,
        steps: &[(Label, Configuration)],
        ending: Observation,
        manner: Manner,
    ) -> Result<LiftedRun, NoRun> {
        let legs = compiled.route(steps, self.progress)?;
        match ending {
            Observation::Trace => {
                let all = self.all_lives(compiled, &legs, manner, |_| Goal::Trace)?;
                Ok(woven(compiled, all, &legs)?.finish(None))
            }
            Observation::Refusal => self.lift_refusal(compiled, &legs, manner),
            Observation::Divergence(start) => self.lift_loop(compiled, &legs, start, manner),
        }
    }

    fn lift_refusal(&mut self, compiled: &Compiled, legs: &[Leg], manner: Manner) -> Result<LiftedRun, NoRun> {
        let end = legs.last().map_or(&compiled.network.initial, |leg| &leg.target);
        let present = compiled.shapes.machines(compiled.modes[end.mode.index()]);
        let all = self.all_lives(compiled, legs, manner, |machine| compiled.last_goal(machine, legs))?;
        let mut weaver = woven(compiled, all, legs)?;
        weaver.settle(&present);
        Ok(weaver.finish(None))
    }

    /// Runs for what all machines do, the last of which end as the goals say.
    fn all_lives(
        &mut self,
        compiled: &Compiled,
        legs: &[Leg],
        manner: Manner,
        last: impl Fn(MachineId) -> Goal,
    ) -> Result<Vec<Lives>, NoRun> {
        let mut all = Vec::new();
        for machine in compiled.opened_machines() {
            let compressed = compiled.opened_machine(machine).expect("it is opened").clone();
            let manner = compiled.manner_of(machine, manner);
            let lives = lives(legs, machine);
            let mut runs = Vec::new();
            for (number, parts) in lives.iter().enumerate() {
                let goal = if number + 1 == lives.len() { last(machine) } else { Goal::Trace };
                runs.push(self.life(&compressed, parts, manner, goal)?);
            }
            all.push(Lives { machine, compressed, manner, runs });
        }
        Ok(all)
    }

    /// The run of an operand while its machine takes these parts. A bisimilar state ends as the machine does in any
    /// case.
    fn life(
        &mut self,
        compressed: &Arc<CompressedOperand>,
        parts: &[Part],
        manner: Manner,
        goal: Goal,
    ) -> Result<Rc<LiftedRun>, NoRun> {
        match manner {
            Manner::Loose => self.operand_run(compressed, word(parts), goal),
            Manner::Exact => self.bisimilar_run(compressed, parts),
        }
    }

    /// A run of an operand.
    fn operand_run(
        &mut self,
        compressed: &Arc<CompressedOperand>,
        word: Vec<Label>,
        goal: Goal,
    ) -> Result<Rc<LiftedRun>, NoRun> {
        let key = (Arc::as_ptr(compressed), word, goal);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let operand = &compressed.operand;
        let found = find_run(&operand.network, &key.1, &key.2, self.max_nodes, self.progress)?;
        let ending = match found.end {
            RunEnd::Any | RunEnd::Terminating => Observation::Trace,
            RunEnd::Stable => Observation::Refusal,
            RunEnd::Loop(start) => Observation::Divergence(start),
        };
        let lifted = self.lift(operand, &pairs(found.steps), ending, Manner::Loose)?;
        let lifted = Rc::new(if found.end == RunEnd::Terminating { lifted.without_last() } else { lifted });
        self.known.insert(key, lifted.clone());
        Ok(lifted)
    }

    fn lift_loop(
        &mut self,
        compiled: &Compiled,
        legs: &[Leg],
        start: usize,
        manner: Manner,
    ) -> Result<LiftedRun, NoRun> {
        let (stem, round) = legs.split_at(start);
        let mut rounds = Rounds { n_before: 0, n_again: 1 };
        let mut endless = HashMap::new();
        for machine in compiled.opened_machines() {
            if round.iter().any(|leg| leg.resets.contains(&machine)) {
                // From the second round on its lives are the same in each.
                rounds.n_before = rounds.n_before.max(1);
                continue;
            }
            if !round.iter().any(|leg| leg.parts.iter().any(|part| part.machine == machine)) {
                continue;
            }
            let compressed = compiled.opened_machine(machine).expect("it is opened").clone();
            let (before, again) = (lives(stem, machine).pop().unwrap_or_default(), &lives(round, machine)[0]);
            if compiled.manner_of(machine, manner) == Manner::Exact {
                let (run, needed) = self.bisimilar_loop(&compressed, &before, again)?;
                rounds = rounds.and(needed, round.len())?;
                endless.insert(machine, run);
                continue;
            }
            let (before, again) = (word(&before), word(again));
            let goal = Goal::Forever(before.len());
            let run = self.operand_run(&compressed, [&before[..], &again].concat(), goal)?;
            match rounds_of(&run, before.len(), again.len()) {
                Some(needed) => rounds = rounds.and(needed, round.len())?,
                None => return self.lift_divergence(compiled, (stem, round), manner, machine, run),
            }
            endless.insert(machine, run);
        }
        self.unroll(compiled, (stem, round), manner, rounds, &endless)
    }

    /// Goes round until everything is as it was before.
    fn unroll(
        &mut self,
        compiled: &Compiled,
        (stem, round): (&[Leg], &[Leg]),
        manner: Manner,
        rounds: Rounds,
        endless: &HashMap<MachineId, Rc<LiftedRun>>,
    ) -> Result<LiftedRun, NoRun> {
        let n_rounds = rounds.n_before + rounds.n_again;
        // What a machine does at the end of a round depends on what it does in the next, as long as it lives.
        let legs: Vec<Leg> =
            stem.iter().chain(round.iter().cycle().take((n_rounds + 1) * round.len())).cloned().collect();
        let mut all = Vec::new();
        for machine in compiled.opened_machines() {
            let compressed = compiled.opened_machine(machine).expect("it is opened").clone();
            let manner = compiled.manner_of(machine, manner);
            let lives = lives(&legs, machine);
            let mut runs = Vec::new();
            for (number, parts) in lives.iter().enumerate() {
                runs.push(match endless.get(&machine) {
                    Some(run) if number + 1 == lives.len() => run.clone(),
                    _ => self.life(&compressed, parts, manner, Goal::Trace)?,
                });
            }
            all.push(Lives { machine, compressed, manner, runs });
        }
        let n_before = stem.len() + rounds.n_before * round.len();
        let mut weaver = woven(compiled, all, &legs[..n_before])?;
        let again = weaver.n_steps();
        for leg in &legs[n_before..stem.len() + n_rounds * round.len()] {
            weaver.step(leg).ok_or(NoRun::Absent)?;
        }
        Ok(weaver.finish(Some(again)))
    }

    /// A divergence of one operand, after so many of its events.
    fn lift_divergence(
        &mut self,
        compiled: &Compiled,
        (stem, round): (&[Leg], &[Leg]),
        manner: Manner,
        machine: MachineId,
        run: Rc<LiftedRun>,
    ) -> Result<LiftedRun, NoRun> {
        let n_events = run.labels.iter().filter(|&&label| label != Label::TAU).count();
        let born = stem.iter().rposition(|leg| leg.resets.contains(&machine)).map_or(0, |place| place + 1);
        let takes_part = |leg: &Leg| leg.parts.iter().any(|part| part.machine == machine && part.label != Label::TAU);
        let is_silent = !round.iter().any(takes_part);
        let n_rounds = if is_silent { 0 } else { n_events + 1 };
        let mut legs: Vec<Leg> =
            stem.iter().chain(round.iter().cycle().take(n_rounds * round.len())).cloned().collect();
        // The event that it never gets to.
        let next = (born..legs.len()).filter(|&place| takes_part(&legs[place])).nth(n_events);
        legs.truncate(next.unwrap_or(legs.len()));
        let mut all = self.all_lives(compiled, &legs, manner, |_| Goal::Trace)?;
        let lives = all.iter_mut().find(|lives| lives.machine == machine).expect("it is opened");
        *lives.runs.last_mut().expect("it lives") = run;
        let mut weaver = woven(compiled, all, &legs)?;
        weaver.diverge(machine).ok_or(NoRun::Absent)?;
        Ok(weaver.finish(None))
    }
}

/// All steps, with the runs of the operands in their places.
pub(super) fn woven(compiled: &Compiled, all: Vec<Lives>, legs: &[Leg]) -> Result<Weaver, NoRun> {
    let mut weaver = Weaver::new(&compiled.network.initial, all);
    legs.iter().try_for_each(|leg| weaver.step(leg)).ok_or(NoRun::Absent)?;
    Ok(weaver)
}

/// How often a loop is gone round before it repeats, and until it does.
#[derive(Clone, Copy)]
pub(super) struct Rounds {
    pub(super) n_before: usize,
    pub(super) n_again: usize,
}

impl Rounds {
    fn and(self, other: Rounds, length: usize) -> Result<Rounds, NoRun> {
        let (mut a, mut b) = (self.n_again, other.n_again);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let n_again = (self.n_again / a).saturating_mul(other.n_again);
        let n_before = self.n_before.max(other.n_before);
        match n_again.saturating_add(n_before).saturating_mul(length) {
            n_steps if n_steps > MAX_UNROLLED => Err(NoRun::Stopped(Stop::Capacity)),
            _ => Ok(Rounds { n_before, n_again }),
        }
    }
}

/// The rounds that a run needs that goes on for ever with `n_again` events in each, after `n_before` events; nothing if
/// it diverges.
fn rounds_of(run: &LiftedRun, n_before: usize, n_again: usize) -> Option<Rounds> {
    let n_events = |labels: &[Label]| labels.iter().filter(|&&label| label != Label::TAU).count();
    let again = run.loop_start.unwrap_or(run.labels.len());
    let (n_first, n_looped) = (n_events(&run.labels[..again]), n_events(&run.labels[again..]));
    if n_looped == 0 || n_again == 0 {
        return None;
    }
    // At the start of a round an operand stands right behind an event, which must be in its loop.
    let n_before = (n_first + 1).saturating_sub(n_before).div_ceil(n_again);
    Some(Rounds { n_before, n_again: n_looped / n_again })
}
