//! Stubborn sets of rules.
//!
//! A set is closed if
//! - for each of its rules that is possible, all rules are in it by which a machine may do something first that does
//!   not commute, and all whose commands have to do with its own;
//! - for each that is not possible, some participant is not ready for it, and all rules are in it that may move that
//!   participant; or all are ready, its guard is false, and all rules are in it that write what the guard reads;
//! - the rules are in it that change the mode.
//!
//! Then nothing outside makes a rule of the set possible or impossible, or changes where it leads.

use super::Proviso;
use super::offers::{Direction, Offer, Offers};
use crate::data::program::Effect;
use lts::Label;
use model::data::{Access, Command, Data, Lifetime};
use model::network::{Mode, Network};
use std::cell::RefCell;
use std::sync::Arc;

/// The rules of one mode.
#[derive(Debug)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    /// Machines and numbers of their actions.
    parts: Vec<(u32, u32)>,
    /// Where the lists of each machine begin, one for each of its actions; none for machines that take no part.
    firsts: Vec<u32>,
    /// Where each list begins in `touching`.
    lists: Vec<u32>,
    /// The rules in which an action of a machine takes part.
    touching: Vec<u32>,
    /// The rules that change the mode.
    jumping: Vec<u32>,
    /// The rules in which nobody takes part.
    alone: Vec<u32>,
    /// For each variable the rules that read it, and those that write it.
    readers: Vec<Vec<u32>>,
    writers: Vec<Vec<u32>>,
    proviso: Proviso,
}

#[derive(Debug)]
struct Rule {
    /// Its number in the mode.
    number: u32,
    parts: (u32, u32),
    /// What its command touches, if it has one.
    command: Option<Box<Touched>>,
    /// Whether it may be taken without others that are possible.
    may_be_alone: bool,
}

/// What a command touches.
#[derive(Debug)]
struct Touched {
    all: Access,
    guard: Access,
}

impl Touched {
    fn by(data: &Data, command: &Command) -> Touched {
        let guard = command.guard.map(|guard| Access::of_expression(data, guard)).unwrap_or_default();
        let mut touched = Touched { all: Access::of(data, command), guard };
        for variables in [&mut touched.all.reads, &mut touched.all.writes, &mut touched.guard.reads] {
            // What lasts for one step only is nobody else's.
            variables.retain(|&variable| data.variable(variable).lifetime == Lifetime::Run);
        }
        touched
    }
}

impl Rules {
    /// The rules of a mode; ranks count in the order that is given for machines.
    pub(super) fn new(
        network: &Network,
        mode: &Mode,
        (machines, order): (&[Arc<Offers>], &[u32]),
        is_unseen: &dyn Fn(Label) -> bool,
        proviso: Proviso,
    ) -> Rules {
        let mut place_of = vec![0; machines.len()];
        (0..).zip(order).for_each(|(place, &machine)| place_of[machine as usize] = place);
        let mut rules = Rules {
            rules: Vec::new(),
            parts: Vec::new(),
            firsts: Vec::new(),
            lists: Vec::new(),
            touching: Vec::new(),
            jumping: Vec::new(),
            alone: Vec::new(),
            readers: vec![Vec::new(); network.data.n_variables()],
            writers: vec![Vec::new(); network.data.n_variables()],
            proviso,
        };
        for (number, rule) in (0..).zip(&mode.rules) {
            let part = |&(machine, action): &(model::network::MachineId, model::network::Action)| {
                Some((machine.0, machines[machine.index()].number(action)?))
            };
            // Without the action in some participant the rule is never possible.
            let Some(mut parts) = rule.parts.iter().map(part).collect::<Option<Vec<_>>>() else { continue };
            parts.sort_unstable_by_key(|&(machine, _)| place_of[machine as usize]);
            if rule.jump.is_some() {
                rules.jumping.push(rules.rules.len() as u32);
            }
            let start = rules.parts.len() as u32;
            rules.parts.append(&mut parts);
            let command = rule.command.as_deref();
            let may_fail = command.is_some_and(|command| network.data.may_fail(command));
            let may_be_alone = rule.jump.is_none() && is_unseen(rule.shows) && !may_fail;
            let command = command.map(|command| Box::new(Touched::by(&network.data, command)));
            rules.note(command.as_deref(), rule.parts.is_empty());
            rules.rules.push(Rule { number, parts: (start, rules.parts.len() as u32), command, may_be_alone });
        }
        rules.list(machines);
        rules
    }

    /// Notes what the next rule touches.
    fn note(&mut self, command: Option<&Touched>, is_alone: bool) {
        let number = self.rules.len() as u32;
        self.alone.extend(is_alone.then_some(number));
        let Some(Touched { all, .. }) = command else { return };
        all.reads.iter().for_each(|variable| self.readers[variable.index()].push(number));
        all.writes.iter().for_each(|variable| self.writers[variable.index()].push(number));
    }

    /// Lists the rules of each action of each machine.
    fn list(&mut self, machines: &[Arc<Offers>]) {
        let mut n_lists = 0;
        for offers in machines {
            self.firsts.push(n_lists);
            n_lists += offers.n_actions() as u32;
        }
        let mut entries: Vec<(u32, u32)> = Vec::with_capacity(self.parts.len());
        for (rule, Rule { parts, .. }) in (0..).zip(&self.rules) {
            let parts = &self.parts[parts.0 as usize..parts.1 as usize];
            entries.extend(parts.iter().map(|&(machine, action)| (self.firsts[machine as usize] + action, rule)));
        }
        entries.sort_unstable();
        self.lists = vec![0; n_lists as usize + 1];
        entries.iter().for_each(|&(list, _)| self.lists[list as usize + 1] += 1);
        (0..n_lists as usize).for_each(|list| self.lists[list + 1] += self.lists[list]);
        self.touching = entries.into_iter().map(|(_, rule)| rule).collect();
    }

    #[inline]
    fn parts(&self, rule: u32) -> &[(u32, u32)] {
        let (start, end) = self.rules[rule as usize].parts;
        &self.parts[start as usize..end as usize]
    }

    /// The rules in which an action of a machine takes part.
    #[inline]
    fn touching(&self, machine: u32, action: u32) -> &[u32] {
        let list = (self.firsts[machine as usize] + action) as usize;
        &self.touching[self.lists[list] as usize..self.lists[list + 1] as usize]
    }

    /// Looks for a closed set with few steps that may all be taken alone; false if there is none with fewer than all.
    pub(super) fn choose(
        &self,
        machines: &[Arc<Offers>],
        locals: &[u32],
        judge: &mut dyn FnMut(u32) -> Effect,
        scratch: &mut Scratch,
    ) -> bool {
        let mut state = State { rules: self, machines, locals, scratch };
        state.find_possible(judge);
        let mut n_least = state.scratch.possible.len();
        for place in 0..state.scratch.possible.len() {
            if n_least <= 1 {
                break;
            }
            let rule = state.scratch.possible[place];
            if state.close(rule, n_least) {
                let Scratch { chosen, alone, .. } = &mut *state.scratch;
                n_least = alone.len();
                std::mem::swap(chosen, alone);
            }
            // A set with this rule has all that was in its own set, so it is no smaller.
            state.scratch.exclude(rule);
        }
        let Scratch { chosen, .. } = scratch;
        chosen.iter_mut().for_each(|rule| *rule = self.rules[*rule as usize].number);
        !chosen.is_empty()
    }
}

/// Buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The round in which a rule was last put into the set.
    rounds: Vec<u32>,
    round: u32,
    /// Marks rules that are in no set that is looked for, because they or what they need may not be taken alone, or
    /// because it would be no smaller than one that was found.
    excluded: Vec<u32>,
    /// Marks rules whose participants are ready, but whose guards are false.
    refused: Vec<u32>,
    epoch: u32,
    /// Rules of the set that were not looked at.
    open: Vec<u32>,
    /// Whether an excluded rule is in the set. That is noted at once: what else belongs to the set need not be found
    /// out then.
    is_blocked: bool,
    /// Rules that are possible.
    possible: Vec<u32>,
    /// Those of the set that are.
    alone: Vec<u32>,
    chosen: Vec<u32>,
}

impl Scratch {
    /// The rules that were chosen, by their numbers in the mode.
    pub(super) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    /// Begins with a state.
    fn meet(&mut self, n_rules: usize) {
        self.possible.clear();
        self.chosen.clear();
        if self.round >= u32::MAX - n_rules as u32 || self.rounds.len() < n_rules {
            (self.round, self.epoch) = (0, 0);
            for marks in [&mut self.rounds, &mut self.excluded, &mut self.refused] {
                marks.clear();
                marks.resize(n_rules, 0);
            }
        }
        self.epoch += 1;
    }

    /// Begins with a set.
    fn begin(&mut self) {
        self.open.clear();
        self.alone.clear();
        self.is_blocked = false;
        self.round += 1;
    }

    #[inline]
    fn add(&mut self, rule: u32) {
        let round = &mut self.rounds[rule as usize];
        if *round != self.round {
            *round = self.round;
            self.open.push(rule);
            self.is_blocked |= self.excluded[rule as usize] == self.epoch;
        }
    }

    fn exclude(&mut self, rule: u32) {
        self.excluded[rule as usize] = self.epoch;
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Lends the buffers of this thread.
pub(super) fn with_scratch<T>(act: impl FnOnce(&mut Scratch) -> T) -> T {
    SCRATCH.with_borrow_mut(act)
}

/// A state, and what is tried in it.
struct State<'a> {
    rules: &'a Rules,
    machines: &'a [Arc<Offers>],
    locals: &'a [u32],
    scratch: &'a mut Scratch,
}

impl State<'_> {
    /// What a machine offers of an action.
    #[inline]
    fn offer(&self, (machine, action): (u32, u32)) -> Option<&Offer> {
        self.machines[machine as usize].find(self.locals[machine as usize], action)
    }

    /// Finds all rules that are possible.
    fn find_possible(&mut self, judge: &mut dyn FnMut(u32) -> Effect) {
        self.scratch.meet(self.rules.rules.len());
        for &rule in &self.rules.alone {
            self.meet_ready(rule, judge);
        }
        for machine in 0..self.machines.len() {
            for offer in self.machines[machine].at(self.locals[machine]) {
                for &rule in self.rules.touching(machine as u32, offer.action) {
                    let parts = self.rules.parts(rule);
                    // By its first participant, so that it is found once.
                    if parts[0].0 as usize == machine && parts[1..].iter().all(|&part| self.offer(part).is_some()) {
                        self.meet_ready(rule, judge);
                    }
                }
            }
        }
    }

    /// Notes what becomes of a rule for which all participants are ready.
    fn meet_ready(&mut self, rule: u32, judge: &mut dyn FnMut(u32) -> Effect) {
        let Rule { number, command, may_be_alone, .. } = &self.rules.rules[rule as usize];
        if command.is_some() && judge(*number) == Effect::Refused {
            self.scratch.refused[rule as usize] = self.scratch.epoch;
            return;
        }
        self.scratch.possible.push(rule);
        if !may_be_alone || self.rules.proviso == Proviso::Ranks && !self.goes_down(rule) {
            self.scratch.exclude(rule);
        }
    }

    /// Closes the set of one rule; false if it needs a rule that is excluded, or has as many rules that are possible as
    /// `least`.
    fn close(&mut self, rule: u32, least: usize) -> bool {
        self.scratch.begin();
        self.scratch.add(rule);
        self.rules.jumping.iter().for_each(|&rule| self.scratch.add(rule));
        while let Some(rule) = self.scratch.open.pop() {
            if self.scratch.is_blocked {
                return false;
            }
            let parts = self.rules.parts(rule);
            let unready = parts.iter().find(|&&part| self.offer(part).is_none());
            if let Some(&(machine, _)) = unready {
                self.add_moves(machine);
                continue;
            }
            if self.scratch.refused[rule as usize] == self.scratch.epoch {
                self.add_enablers(rule);
                continue;
            }
            self.scratch.alone.push(rule);
            if self.scratch.alone.len() >= least {
                return false;
            }
            parts.iter().for_each(|&part| self.add_rivals(part));
            self.add_dependents(rule);
        }
        true
    }

    /// Whether a rule that is possible goes down in the first machine that it moves.
    fn goes_down(&self, rule: u32) -> bool {
        let mut offers = self.rules.parts(rule).iter().filter_map(|&part| self.offer(part));
        let first = offers.find(|offer| offer.direction != Direction::Stays);
        first.is_some_and(|offer| offer.direction == Direction::Down)
    }

    /// Adds all rules that may make the guard of a rule true.
    fn add_enablers(&mut self, rule: u32) {
        let Some(touched) = &self.rules.rules[rule as usize].command else { return };
        for variable in &touched.guard.reads {
            self.rules.writers[variable.index()].iter().for_each(|&rule| self.scratch.add(rule));
        }
    }

    /// Adds all rules whose commands have to do with that of a rule.
    fn add_dependents(&mut self, rule: u32) {
        let Some(touched) = &self.rules.rules[rule as usize].command else { return };
        let Rules { readers, writers, .. } = self.rules;
        for variable in &touched.all.reads {
            writers[variable.index()].iter().for_each(|&rule| self.scratch.add(rule));
        }
        for variable in &touched.all.writes {
            readers[variable.index()].iter().for_each(|&rule| self.scratch.add(rule));
            writers[variable.index()].iter().for_each(|&rule| self.scratch.add(rule));
        }
    }

    /// Adds all rules that may move a machine.
    fn add_moves(&mut self, machine: u32) {
        let offers = &self.machines[machine as usize];
        for offer in offers.at(self.locals[machine as usize]).iter().filter(|offer| offer.moves) {
            self.rules.touching(machine, offer.action).iter().for_each(|&rule| self.scratch.add(rule));
        }
    }

    /// Adds all rules by which a machine may interfere with an action that it offers.
    fn add_rivals(&mut self, (machine, action): (u32, u32)) {
        let offers = &self.machines[machine as usize];
        let local = self.locals[machine as usize];
        let Some(offer) = offers.find(local, action) else { return };
        offers.for_each_rival(local, offer, |rival| {
            self.rules.touching(machine, rival).iter().for_each(|&rule| self.scratch.add(rule));
        });
    }
}
