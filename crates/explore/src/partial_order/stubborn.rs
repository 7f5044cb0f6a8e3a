//! Closure algorithm for stubborn sets of rules: Valmari (1991), *Stubborn sets for reduced state space generation*.
//!
//! A set is closed if
//! - for each of its enabled rules, it contains all rules by which a machine may take an action that does not commute,
//!   and all rules whose commands are dependent on its own;
//! - for each of its disabled rules, some participant is not ready, and it contains all rules that may move that
//!   participant; or all participants are ready, the guard is false, and it contains all rules that write a variable of
//!   the guard;
//! - it contains the rules that change the mode.
//!
//! Then no rule outside enables or disables a rule of the set, or changes its target.

use super::Proviso;
use super::offers::{Direction, Offer, Offers};
use crate::data::program::Effect;
use lts::Label;
use model::data::{Access, Command, Data, Lifetime};
use model::network::{Mode, Network};
use std::cell::RefCell;
use std::sync::Arc;

/// The dependencies of the rules of one mode.
#[derive(Debug)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    /// The participants of rules: machines, with the numbers of their actions.
    parts: Vec<(u32, u32)>,
    /// The first list of each machine, which has one for each of its actions; none for machines without rules.
    firsts: Vec<u32>,
    /// The start of each list in `touching`.
    lists: Vec<u32>,
    /// The rules of each action of a machine.
    touching: Vec<u32>,
    /// The rules that change the mode.
    jumping: Vec<u32>,
    /// The rules without participants.
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
    /// The variables of its command, if it has one.
    command: Option<Box<Touched>>,
    /// Whether a stubborn set may consist of it alone: it is invisible and cannot fail.
    may_be_alone: bool,
}

/// The variables that a command reads and writes.
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
            // Temporary variables of a step cause no dependency.
            variables.retain(|&variable| data.variable(variable).lifetime == Lifetime::Run);
        }
        touched
    }
}

impl Rules {
    /// The rules of a mode; `machines` are given in the order in which ranks are compared.
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
            // A rule is never enabled if some participant lacks the action.
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

    /// Records the variables of the next rule.
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

    /// The rules of an action of a machine.
    #[inline]
    fn touching(&self, machine: u32, action: u32) -> &[u32] {
        let list = (self.firsts[machine as usize] + action) as usize;
        &self.touching[self.lists[list] as usize..self.lists[list + 1] as usize]
    }

    /// Searches for a closed set with few enabled rules that may all be taken alone; false if none is smaller than the
    /// set of all enabled rules.
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
            // A closed set with this rule contains the closure of the rule, so it is no smaller.
            state.scratch.exclude(rule);
        }
        let Scratch { chosen, .. } = scratch;
        chosen.iter_mut().for_each(|rule| *rule = self.rules[*rule as usize].number);
        !chosen.is_empty()
    }
}

/// Reusable buffers of a thread.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The round in which each rule was last added to the set.
    rounds: Vec<u32>,
    round: u32,
    /// Marks rules that no smaller set contains: they or their dependencies may not be taken alone, or their closure is
    /// too large.
    excluded: Vec<u32>,
    /// Marks rules whose participants are ready, but whose guards are false.
    refused: Vec<u32>,
    epoch: u32,
    /// The worklist: rules of the set that are not closed under yet.
    open: Vec<u32>,
    /// Whether the set contains an excluded rule, which ends its closure early.
    is_blocked: bool,
    /// The enabled rules.
    possible: Vec<u32>,
    /// The enabled rules of the set.
    alone: Vec<u32>,
    chosen: Vec<u32>,
}

impl Scratch {
    /// The chosen rules, by their numbers in the mode.
    pub(super) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    /// Prepares the buffers for a state.
    fn begin_state(&mut self, n_rules: usize) {
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

    /// Starts an empty set.
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

/// A state under reduction.
struct State<'a> {
    rules: &'a Rules,
    machines: &'a [Arc<Offers>],
    locals: &'a [u32],
    scratch: &'a mut Scratch,
}

impl State<'_> {
    /// The offer of an action by a machine.
    #[inline]
    fn offer(&self, (machine, action): (u32, u32)) -> Option<&Offer> {
        self.machines[machine as usize].find(self.locals[machine as usize], action)
    }

    /// Finds all enabled rules.
    fn find_possible(&mut self, judge: &mut dyn FnMut(u32) -> Effect) {
        self.scratch.begin_state(self.rules.rules.len());
        for &rule in &self.rules.alone {
            self.classify_ready(rule, judge);
        }
        for machine in 0..self.machines.len() {
            for offer in self.machines[machine].at(self.locals[machine]) {
                for &rule in self.rules.touching(machine as u32, offer.action) {
                    let parts = self.rules.parts(rule);
                    // Only the first participant adds the rule, so it is found once.
                    if parts[0].0 as usize == machine && parts[1..].iter().all(|&part| self.offer(part).is_some()) {
                        self.classify_ready(rule, judge);
                    }
                }
            }
        }
    }

    /// Classifies a rule whose participants are ready.
    fn classify_ready(&mut self, rule: u32, judge: &mut dyn FnMut(u32) -> Effect) {
        let Rule { number, command, may_be_alone, .. } = &self.rules.rules[rule as usize];
        if command.is_some() && judge(*number) == Effect::Refused {
            self.scratch.refused[rule as usize] = self.scratch.epoch;
            return;
        }
        self.scratch.possible.push(rule);
        if !may_be_alone || self.rules.proviso == Proviso::Ranks && !self.decreases_rank(rule) {
            self.scratch.exclude(rule);
        }
    }

    /// Closes the set of one rule; false if it requires an excluded rule, or contains at least `least` enabled rules.
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

    /// Whether an enabled rule decreases the rank of the first machine that it moves.
    fn decreases_rank(&self, rule: u32) -> bool {
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

    /// Adds all rules whose commands are dependent on that of a rule.
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
