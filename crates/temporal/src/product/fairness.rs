//! Fairness, as a judgment on components.
//!
//! Whatever a condition speaks of, a label, a set of them, a machine, is an *item*. A run that goes round in a component takes
//! all its moves again and again, so the component tells which items are taken, and where they are possible. If a strong
//! condition is not met, no fair run can stay where its item is possible; those nodes are taken out, and what is left falls
//! into smaller components, which are judged in turn. Each time at least one node is lost, so this ends.

use super::component::Component;
use super::{Cursor, Product};
use crate::system::System;
use crate::{Action, Condition, Fairness, Rules, Strength, View};
use hashbrown::{HashMap, HashSet};
use lts::{Label, StateId};

/// Conditions, made ready.
pub(super) struct Judge {
    /// Runs that meet one of these are fair.
    alternatives: Vec<Demands>,
}

/// Conditions that are to be met together.
struct Demands {
    items: Vec<Strength>,
    n_words: usize,
    /// For each action, the items that are taken with it.
    taken: Vec<u64>,
    /// For each action, the items that are possible where it is possible after silent steps.
    possible_later: Vec<u64>,
    is_silent: Vec<bool>,
    /// Actions that are steps of the system.
    is_step: Vec<bool>,
    each_step: bool,
}

/// Asked to stop.
pub(super) struct Stopped;

/// Items, a bit for each.
type Items = Vec<u64>;

impl Judge {
    pub(super) fn new(fairness: &Fairness, actions: &[Action], rules: &Rules) -> Judge {
        let alternatives = if fairness.is_none() { &[][..] } else { &fairness.alternatives };
        Judge { alternatives: alternatives.iter().map(|conditions| Demands::new(conditions, actions, rules)).collect() }
    }

    /// Whether every run is fair.
    pub(super) fn is_lenient(&self) -> bool {
        self.alternatives.is_empty()
    }
}

/// What an item is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Condition(usize),
    Label(Label),
    Process(u32),
}

impl Demands {
    fn new(conditions: &[Condition], actions: &[Action], rules: &Rules) -> Demands {
        let mut items: Vec<Strength> = Vec::new();
        let mut numbers: HashMap<(Subject, Strength), usize> = HashMap::new();
        let mut served: Vec<Vec<(usize, bool)>> = vec![Vec::new(); actions.len()];
        for (place, condition) in conditions.iter().enumerate() {
            let strength = match condition {
                Condition::Labels(strength, _) | Condition::EachLabel(strength) | Condition::EachProcess(strength) => {
                    *strength
                }
                Condition::EachStep => continue,
            };
            let mut item = |subject| {
                *numbers.entry((subject, strength)).or_insert_with(|| {
                    items.push(strength);
                    items.len() - 1
                })
            };
            if matches!(condition, Condition::Labels(..)) {
                // Even if no step has such a label: it may be demanded unconditionally.
                item(Subject::Condition(place));
            }
            for (action, served) in actions.iter().zip(&mut served) {
                match condition {
                    Condition::Labels(_, labels) if labels.contains(action.label) => {
                        served.push((item(Subject::Condition(place)), true));
                    }
                    Condition::EachLabel(_) if !rules.is_silent(action) => {
                        served.push((item(Subject::Label(action.label)), true));
                    }
                    Condition::EachProcess(_) => {
                        served.extend(action.parts.iter().map(|part| (item(Subject::Process(part.0)), false)));
                    }
                    _ => {}
                }
            }
        }
        let n_words = items.len().div_ceil(64);
        let sees_through = rules.view == View::Trace;
        let (mut taken, mut possible_later) = (vec![0; n_words * actions.len()], vec![0; n_words * actions.len()]);
        for (action, served) in served.iter().enumerate() {
            for &(item, is_label) in served {
                taken[action * n_words + item / 64] |= 1 << (item % 64);
                if is_label && sees_through {
                    possible_later[action * n_words + item / 64] |= 1 << (item % 64);
                }
            }
        }
        let is_silent = actions.iter().map(|action| rules.is_silent(action)).collect();
        let is_step = actions.iter().map(|action| !action.is_end()).collect();
        let each_step = conditions.contains(&Condition::EachStep);
        Demands { items, n_words, taken, possible_later, is_silent, is_step, each_step }
    }

    fn of(&self, table: &[u64], action: Label) -> impl Iterator<Item = u64> {
        table[action.index() * self.n_words..][..self.n_words].iter().copied()
    }

    /// The items that are possible in a state. Labels are possible also after silent steps, in the trace view. Where these lead to
    /// something unknown, everything may be possible, and `is_guess` says so.
    fn possible(&self, system: &mut impl System, state: StateId, is_guess: &mut bool) -> Items {
        let mut possible = vec![0; self.n_words];
        let mut is_silent = false;
        for step in system.steps(state).unwrap_or_default() {
            add(&mut possible, self.of(&self.taken, step.label));
            is_silent |= self.is_silent[step.label.index()];
        }
        if is_silent {
            *is_guess |= !self.look_beyond_silence(system, state, &mut possible);
        }
        possible
    }

    /// Adds what is possible after silent steps; false if that is not known.
    fn look_beyond_silence(&self, system: &mut impl System, state: StateId, possible: &mut Items) -> bool {
        let mut reached = vec![state];
        let mut met: HashSet<StateId> = HashSet::from([state]);
        while let Some(state) = reached.pop() {
            let Some(steps) = system.steps(state) else {
                possible.fill(u64::MAX);
                return false;
            };
            for step in steps {
                add(possible, self.of(&self.possible_later, step.label));
                if self.is_silent[step.label.index()] && met.insert(step.target) {
                    reached.push(step.target);
                }
            }
        }
        true
    }

    fn with_strength(&self, strength: Strength) -> Items {
        let mut items = vec![0; self.n_words];
        for (number, _) in self.items.iter().enumerate().filter(|(_, of)| **of == strength) {
            items[number / 64] |= 1 << (number % 64);
        }
        items
    }
}

fn add(items: &mut Items, more: impl Iterator<Item = u64>) {
    items.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

/// What a component does and could do.
struct Conduct {
    marks: u64,
    taken: Items,
    always_possible: Items,
    sometimes_possible: Items,
    /// Whether every step of the states is taken.
    takes_all: bool,
}

impl<S: System> Product<'_, S> {
    /// A part of a component in which fair runs go round that break the property.
    pub(super) fn fair_part(
        &mut self,
        component: Component,
        judge: &Judge,
        keep_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<Component>, Stopped> {
        let state = self.nodes.get(component.nodes()[0]).state;
        if judge.is_lenient() || self.is_stuck(state) {
            return Ok(Some(component));
        }
        for demands in &judge.alternatives {
            let mut parts = vec![component.clone()];
            while let Some(part) = parts.pop() {
                if !keep_on(self.nodes.n_met()) {
                    return Err(Stopped);
                }
                let conduct = self.conduct(&part, demands);
                if conduct.marks != self.all_marks() || !demands.allows_weakly(&conduct) {
                    continue;
                }
                let starved = demands.starved(&conduct);
                if starved.iter().all(|&word| word == 0) {
                    return Ok(Some(part));
                }
                let left = self.without(&part, demands, &starved);
                parts.extend(self.split(&left));
            }
        }
        Ok(None)
    }

    fn conduct(&mut self, part: &Component, demands: &Demands) -> Conduct {
        let n_words = demands.n_words;
        let mut conduct = Conduct {
            marks: 0,
            taken: vec![0; n_words],
            always_possible: vec![u64::MAX; n_words],
            sometimes_possible: vec![0; n_words],
            takes_all: true,
        };
        let mut steps_taken: HashSet<(StateId, Label, StateId)> = HashSet::new();
        let color = self.paint(part);
        for &node in part.nodes() {
            let from = self.nodes.get(node);
            self.for_moves_within(color, node, |next, _| {
                conduct.marks |= next.marks;
                let Some(action) = next.action else { return };
                add(&mut conduct.taken, demands.of(&demands.taken, action));
                if demands.each_step {
                    steps_taken.insert((from.state, action, next.target.state));
                }
            });
            let possible = demands.possible(self.system, from.state, &mut self.has_met_open);
            add(&mut conduct.sometimes_possible, possible.iter().copied());
            conduct.always_possible.iter_mut().zip(&possible).for_each(|(word, now)| *word &= now);
        }
        if demands.each_step {
            conduct.takes_all = part.nodes().iter().all(|&node| {
                let state = self.nodes.get(node).state;
                let steps = self.system.steps(state).unwrap_or_default();
                let mut steps = steps.iter().filter(|step| demands.is_step[step.label.index()]);
                steps.all(|step| steps_taken.contains(&(state, step.label, step.target)))
            });
        }
        conduct
    }

    /// What is left of a part where some items are possible nowhere.
    fn without(&mut self, part: &Component, demands: &Demands, items: &Items) -> Component {
        let mut left = Vec::new();
        for &node in part.nodes() {
            let possible = demands.possible(self.system, self.nodes.get(node).state, &mut self.has_met_open);
            if possible.iter().zip(items).all(|(possible, item)| possible & item == 0) {
                left.push(node);
            }
        }
        Component::new(left)
    }
}

impl Demands {
    /// Whether all conditions are met that cannot be met by a part alone if they are not by the whole.
    fn allows_weakly(&self, conduct: &Conduct) -> bool {
        let taken = |must: &Items| must.iter().zip(&conduct.taken).all(|(must, taken)| must & !taken == 0);
        let mut weak = self.with_strength(Strength::Weak);
        weak.iter_mut().zip(&conduct.always_possible).for_each(|(word, possible)| *word &= possible);
        taken(&self.with_strength(Strength::Unconditional)) && taken(&weak) && conduct.takes_all
    }

    /// Strong items that are possible and not taken.
    fn starved(&self, conduct: &Conduct) -> Items {
        let strong = self.with_strength(Strength::Strong);
        let words = strong.iter().zip(&conduct.sometimes_possible).zip(&conduct.taken);
        words.map(|((strong, possible), taken)| strong & possible & !taken).collect()
    }

    /// What a loop has to do to be fair, apart from what the automaton asks.
    pub(super) fn n_items(&self) -> usize {
        self.items.len()
    }
}

/// Something a loop must do once in each round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Duty {
    /// Make a move with this mark.
    Mark(u64),
    /// Take one of these actions.
    Take(Vec<Label>),
    /// Pass through one of these states.
    Pass(HashSet<StateId>),
}

/// All that a loop must do.
#[derive(Clone, Debug, Default)]
pub(super) struct Duties {
    /// These very steps.
    pub(super) steps: HashSet<(StateId, Label, StateId)>,
    pub(super) others: Vec<Duty>,
}

impl<S: System> Product<'_, S> {
    /// What a loop through a fair component has to do.
    pub(super) fn duties(&mut self, component: &Component, judge: &Judge) -> Duties {
        let marks = (0..64).map(|bit| 1u64 << bit).filter(|mark| self.all_marks() & mark != 0);
        let mut duties = Duties { others: marks.map(Duty::Mark).collect(), ..Duties::default() };
        let state = self.nodes.get(component.nodes()[0]).state;
        if judge.is_lenient() || self.is_stuck(state) {
            return duties;
        }
        let served = judge.alternatives.iter().find_map(|demands| {
            let conduct = self.conduct(component, demands);
            let is_fair = demands.allows_weakly(&conduct) && demands.starved(&conduct).iter().all(|&word| word == 0);
            is_fair.then_some((demands, conduct))
        });
        let Some((demands, conduct)) = served else { return duties };
        for item in 0..demands.n_items() {
            let has = |items: &Items| items[item / 64] >> (item % 64) & 1 == 1;
            let needed = match demands.items[item] {
                Strength::Unconditional => true,
                Strength::Weak => has(&conduct.always_possible),
                Strength::Strong => has(&conduct.sometimes_possible),
            };
            let takes =
                |action: &Label| demands.taken[action.index() * demands.n_words + item / 64] >> (item % 64) & 1 == 1;
            if needed {
                let n_actions = self.system.actions().len() as u32;
                duties.others.push(Duty::Take((0..n_actions).map(Label).filter(takes).collect()));
            } else if demands.items[item] == Strength::Weak {
                duties.others.push(Duty::Pass(self.states_without(component, demands, item)));
            }
        }
        if demands.each_step {
            duties.steps = self.all_steps(component, demands);
        }
        duties
    }

    fn states_without(&mut self, component: &Component, demands: &Demands, item: usize) -> HashSet<StateId> {
        let mut states = HashSet::new();
        for &node in component.nodes() {
            let state = self.nodes.get(node).state;
            if demands.possible(self.system, state, &mut self.has_met_open)[item / 64] >> (item % 64) & 1 == 0 {
                states.insert(state);
            }
        }
        states
    }

    fn all_steps(&mut self, component: &Component, demands: &Demands) -> HashSet<(StateId, Label, StateId)> {
        let mut steps = HashSet::new();
        for &node in component.nodes() {
            let from = self.nodes.get(node);
            let mut cursor = Cursor::default();
            while let Some(next) = self.next(from, &mut cursor) {
                let action = next.action.filter(|action| demands.is_step[action.index()]);
                steps.extend(action.map(|action| (from.state, action, next.target.state)));
            }
        }
        steps
    }
}
