//! Fairness, as a judgment on components.
//!
//! Whatever a condition speaks of, a label, a set of them, a process, is an *item*. A run that goes round in a
//! component takes all its moves again and again, so the component tells which items are taken, and where they are
//! possible. If a strong condition is not met, no fair run can stay where its item is possible; those nodes are taken
//! out, and what is left falls into smaller components, which are judged in turn. Each time at least one node is lost,
//! so this ends.

use super::Product;
use super::component::Component;
use super::pace::Pace;
use crate::system::ActionSystem;
use crate::{Action, ActionNumber, Condition, Fairness, Rules, Strength, View};
use hashbrown::{HashMap, HashSet};
use lts::walk::for_each_step;
use lts::{Label, StateId, Transition, Watch};
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;

/// Conditions, made ready.
pub(super) struct Judge {
    /// Runs that meet one of these are fair.
    alternatives: Vec<Demands>,
    is_lenient: bool,
}

/// Conditions that are to be met together.
pub(super) struct Demands {
    pub(super) items: Vec<Strength>,
    pub(super) n_words: usize,
    /// For each action, the items that are taken with it.
    pub(super) taken: Vec<u64>,
    /// For each action, the items that are possible where it is.
    possible: Vec<u64>,
    /// For each action, the items that are possible where it is possible after silent steps.
    possible_later: Vec<u64>,
    is_silent: Vec<bool>,
    /// Actions that are steps of the system.
    pub(super) is_step: Vec<bool>,
    pub(super) each_step: bool,
}

/// Items, a bit for each.
pub(super) type Items = Vec<u64>;

impl Judge {
    pub(super) fn new(fairness: &Fairness, actions: &[Action], rules: &Rules) -> Judge {
        let is_lenient = fairness.is_none();
        let nothing = [Vec::new()];
        let alternatives = if is_lenient { &nothing[..] } else { &fairness.alternatives };
        let alternatives = alternatives.iter().map(|conditions| Demands::new(conditions, actions, rules)).collect();
        Judge { alternatives, is_lenient }
    }

    /// Whether every run is fair.
    pub(super) fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    /// Conditions, of which runs meet those of one to be fair.
    pub(super) fn alternatives(&self) -> &[Demands] {
        &self.alternatives
    }
}

/// What an item is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Condition(usize),
    Label(Label),
    Process(u32),
    Marked(Label),
    Time,
}

/// What an action is to an item.
#[derive(Clone, Copy)]
struct Serves {
    item: usize,
    /// Whether the item is possible where the action is: a step without a mark is what a mark asks for, and does not
    /// ask for it.
    asks: bool,
    /// Whether that is so after silent steps, too.
    asks_later: bool,
}

/// The labels that marks ask for, each with how strongly they do.
fn marked(actions: &[Action], rules: &Rules) -> HashSet<(Label, Strength)> {
    let actions = actions.iter().filter(|action| !rules.is_silent(action));
    let items = actions.flat_map(|action| Strength::OF_MARKS.map(|strength| (action, strength)));
    items.filter(|(action, of)| action.is_marked(*of)).map(|(action, of)| (action.label, of)).collect()
}

impl Demands {
    fn new(conditions: &[Condition], actions: &[Action], rules: &Rules) -> Demands {
        let mut items: Vec<Strength> = Vec::new();
        let mut numbers: HashMap<(Subject, Strength), usize> = HashMap::new();
        let mut served: Vec<Vec<Serves>> = vec![Vec::new(); actions.len()];
        let sees_through = rules.view == View::Trace;
        let marked = marked(actions, rules);
        for (place, condition) in conditions.iter().enumerate() {
            let mut item = |subject, strength| {
                *numbers.entry((subject, strength)).or_insert_with(|| {
                    items.push(strength);
                    items.len() - 1
                })
            };
            // Even if no step is of the kind: it may be demanded unconditionally.
            match condition {
                Condition::Labels(strength, _) => _ = item(Subject::Condition(place), *strength),
                Condition::TimePasses => _ = item(Subject::Time, Strength::Unconditional),
                _ => {}
            }
            for (action, served) in actions.iter().zip(&mut served) {
                let always = |item| Serves { item, asks: true, asks_later: sees_through };
                match condition {
                    Condition::Labels(strength, labels) if labels.contains(action.label) => {
                        served.push(always(item(Subject::Condition(place), *strength)));
                    }
                    Condition::EachLabel(strength) if !rules.is_silent(action) => {
                        served.push(always(item(Subject::Label(action.label), *strength)));
                    }
                    Condition::EachProcess(strength) => served.extend(action.parts.iter().map(|part| {
                        let item = item(Subject::Process(part.0), *strength);
                        Serves { item, asks: true, asks_later: false }
                    })),
                    Condition::TimePasses if action.takes_time => {
                        let item = item(Subject::Time, Strength::Unconditional);
                        served.push(Serves { item, asks: true, asks_later: false });
                    }
                    Condition::EachMark => {
                        let wanted = Strength::OF_MARKS.into_iter().filter(|&of| marked.contains(&(action.label, of)));
                        served.extend(wanted.map(|strength| {
                            let asks = action.is_marked(strength);
                            let item = item(Subject::Marked(action.label), strength);
                            Serves { item, asks, asks_later: asks && sees_through }
                        }));
                    }
                    _ => {}
                }
            }
        }
        let n_words = items.len().div_ceil(64);
        let tabled = |is_meant: &dyn Fn(&Serves) -> bool| {
            let mut table = vec![0; n_words * actions.len()];
            for (action, served) in served.iter().enumerate() {
                for Serves { item, .. } in served.iter().filter(|serves| is_meant(serves)) {
                    table[action * n_words + item / 64] |= 1 << (item % 64);
                }
            }
            table
        };
        let (taken, possible) = (tabled(&|_| true), tabled(&|serves| serves.asks));
        let possible_later = tabled(&|serves| serves.asks_later);
        let is_silent = actions.iter().map(|action| rules.is_silent(action)).collect();
        let is_step = actions.iter().map(|action| !action.is_end()).collect();
        let each_step = conditions.contains(&Condition::EachStep);
        Demands { items, n_words, taken, possible, possible_later, is_silent, is_step, each_step }
    }

    fn of(&self, table: &[u64], action: ActionNumber) -> impl Iterator<Item = u64> {
        table[action.index() * self.n_words..][..self.n_words].iter().copied()
    }

    /// Finds the items that are possible in a state. Labels are possible also after silent steps, in the trace view.
    /// Where these lead to something unknown, everything may be possible; true if so.
    pub(super) fn find_possible(&self, system: &mut impl ActionSystem, state: StateId, possible: &mut Items) -> bool {
        possible.clear();
        possible.resize(self.n_words, 0);
        let mut is_silent = false;
        for step in system.steps(&state).unwrap_or_default() {
            add(possible, self.of(&self.possible, step.label));
            is_silent |= self.is_silent[step.label.index()];
        }
        is_silent && !self.look_beyond_silence(system, state, possible)
    }

    /// Adds what is possible after silent steps; false if that is not known.
    fn look_beyond_silence(&self, system: &mut impl ActionSystem, state: StateId, possible: &mut Items) -> bool {
        let follows = |step: &Transition| {
            add(possible, self.of(&self.possible_later, step.label));
            self.is_silent[step.label.index()]
        };
        let is_known = for_each_step(system, state, follows, &mut Watch::none()).is_ok();
        if !is_known {
            possible.fill(u64::MAX);
        }
        is_known
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

/// What a component, some of its nodes, or a way does and could do.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Conduct {
    pub(super) marks: u64,
    taken: Items,
    pub(super) always_possible: Items,
    pub(super) sometimes_possible: Items,
    /// Whether every step of the states is taken.
    takes_all: bool,
}

impl Conduct {
    pub(super) fn of_nobody(n_words: usize) -> Conduct {
        Conduct {
            marks: 0,
            taken: vec![0; n_words],
            always_possible: vec![u64::MAX; n_words],
            sometimes_possible: vec![0; n_words],
            takes_all: true,
        }
    }

    /// Of all nodes together.
    pub(super) fn and(mut self, other: &Conduct) -> Conduct {
        self.marks |= other.marks;
        add(&mut self.taken, other.taken.iter().copied());
        self.add_state(&other.sometimes_possible, &other.always_possible);
        self.takes_all &= other.takes_all;
        self
    }

    /// Adds an action that is taken.
    pub(super) fn take(&mut self, demands: &Demands, action: ActionNumber) {
        add(&mut self.taken, demands.of(&demands.taken, action));
    }

    pub(super) fn add_state(&mut self, sometimes: &Items, always: &Items) {
        add(&mut self.sometimes_possible, sometimes.iter().copied());
        self.always_possible.iter_mut().zip(always).for_each(|(word, now)| *word &= now);
    }
}

/// What is to be done about a component.
pub(super) enum Judgment {
    /// Nothing: no run in it is fair and breaks the property.
    Out,
    /// Runs that take all its moves again and again are fair and break it.
    Fair,
    /// Such runs can only be where none of these items is possible.
    Without(Items),
}

impl<S: ActionSystem> Product<'_, S> {
    /// A part of a component with all marks in which fair runs go round.
    pub(super) fn fair_part(
        &mut self,
        component: Component,
        judge: &Judge,
        progress: &dyn Progress,
    ) -> Result<Option<Component>, Interrupt> {
        if self.is_stuck(self.nodes.get(component.nodes()[0]).state) {
            return Ok(Some(component));
        }
        for demands in &judge.alternatives {
            if let Some(part) = self.part_with(component.clone(), demands, progress)? {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    /// The same for runs that meet some conditions.
    pub(super) fn part_with(
        &mut self,
        component: Component,
        demands: &Demands,
        progress: &dyn Progress,
    ) -> Result<Option<Component>, Interrupt> {
        let mut parts = vec![component];
        while let Some(part) = parts.pop() {
            if let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(self.nodes.n_met())) {
                return Err(why);
            }
            let conduct = self.conduct(&part, demands, progress)?;
            match self.judge(part.nodes()[0], &conduct, demands) {
                Judgment::Out => {}
                Judgment::Fair => return Ok(Some(part)),
                Judgment::Without(items) => {
                    let left = match self.without_by_many(part.nodes(), demands, &items, progress) {
                        Some(left) => left?,
                        None => self.nodes_without(part.nodes(), demands, &items, progress)?,
                    };
                    parts.extend(self.split(&Component::new(left), progress)?);
                }
            }
        }
        Ok(None)
    }

    /// Judges a component by what it does, and by one of its nodes: runs that have ended are fair.
    pub(super) fn judge(&mut self, node: u32, conduct: &Conduct, demands: &Demands) -> Judgment {
        if conduct.marks != self.all_marks() {
            return Judgment::Out;
        }
        if self.is_stuck(self.nodes.get(node).state) {
            return Judgment::Fair;
        }
        if !demands.allows_weakly(conduct) {
            return Judgment::Out;
        }
        let starved = demands.starved(conduct);
        if starved.iter().all(|&word| word == 0) { Judgment::Fair } else { Judgment::Without(starved) }
    }

    pub(super) fn conduct(
        &mut self,
        part: &Component,
        demands: &Demands,
        progress: &dyn Progress,
    ) -> Result<Conduct, Interrupt> {
        let color = self.paint(part);
        if let Some(conduct) = self.conduct_by_many(part.nodes(), demands, color, progress) {
            return conduct;
        }
        let colors = std::mem::take(&mut self.colors);
        let conduct = if demands.each_step {
            let mut nodes = part.nodes().to_vec();
            nodes.sort_unstable_by_key(|&node| self.nodes.get(node).state);
            self.conduct_of(&nodes, demands, |node| colors.has(node, color), progress)
        } else {
            self.conduct_of(part.nodes(), demands, |node| colors.has(node, color), progress)
        };
        self.colors = colors;
        conduct
    }

    /// What some nodes of a component do and could do. Where all steps are demanded, nodes of one state come together.
    pub(super) fn conduct_of(
        &mut self,
        nodes: &[u32],
        demands: &Demands,
        is_inside: impl Fn(u32) -> bool,
        progress: &dyn Progress,
    ) -> Result<Conduct, Interrupt> {
        let mut pace = Pace::default();
        let mut conduct = Conduct::of_nobody(demands.n_words);
        let (mut arrows, mut possible, mut steps_taken) = (Vec::new(), Items::new(), Vec::new());
        let mut nodes = nodes;
        while let Some(&first) = nodes.first() {
            let state = self.nodes.get(first).state;
            let n_here = nodes.iter().take_while(|&&node| self.nodes.get(node).state == state).count();
            let (here, others) = nodes.split_at(n_here);
            nodes = others;
            pace.keep_on(n_here, progress)?;
            steps_taken.clear();
            for &node in here {
                self.find_arrows(node, &mut arrows);
                for arrow in arrows.iter().filter(|arrow| is_inside(arrow.target)) {
                    conduct.marks |= arrow.marks;
                    let Some(action) = arrow.action else { continue };
                    add(&mut conduct.taken, demands.of(&demands.taken, action));
                    if demands.each_step {
                        steps_taken.push((action, self.nodes.get(arrow.target).state));
                    }
                }
            }
            self.has_met_open |= demands.find_possible(&mut self.system, state, &mut possible);
            conduct.add_state(&possible, &possible);
            if demands.each_step {
                let steps = self.system.steps(&state).unwrap_or_default();
                let mut steps = steps.iter().filter(|step| demands.is_step[step.label.index()]);
                conduct.takes_all &= steps.all(|step| steps_taken.contains(&(step.label, step.target)));
            }
        }
        Ok(conduct)
    }

    /// Those of some nodes where none of these items is possible.
    pub(super) fn nodes_without(
        &mut self,
        nodes: &[u32],
        demands: &Demands,
        items: &Items,
        progress: &dyn Progress,
    ) -> Result<Vec<u32>, Interrupt> {
        let (mut left, mut pace) = (Vec::new(), Pace::default());
        let mut possible = Items::new();
        for &node in nodes {
            pace.keep_on(1, progress)?;
            let state = self.nodes.get(node).state;
            self.has_met_open |= demands.find_possible(&mut self.system, state, &mut possible);
            if possible.iter().zip(items).all(|(possible, item)| possible & item == 0) {
                left.push(node);
            }
        }
        Ok(left)
    }
}

impl Demands {
    /// Whether all conditions are met that cannot be met by a part alone if they are not by the whole.
    pub(super) fn allows_weakly(&self, conduct: &Conduct) -> bool {
        let taken = |must: &Items| must.iter().zip(&conduct.taken).all(|(must, taken)| must & !taken == 0);
        let mut weak = self.with_strength(Strength::Weak);
        weak.iter_mut().zip(&conduct.always_possible).for_each(|(word, possible)| *word &= possible);
        taken(&self.with_strength(Strength::Unconditional)) && taken(&weak) && conduct.takes_all
    }

    /// Whether all conditions are met.
    pub(super) fn are_met_by(&self, conduct: &Conduct) -> bool {
        self.allows_weakly(conduct) && self.starved(conduct).iter().all(|&word| word == 0)
    }

    /// Strong items that are possible and not taken.
    pub(super) fn starved(&self, conduct: &Conduct) -> Items {
        let strong = self.with_strength(Strength::Strong);
        let words = strong.iter().zip(&conduct.sometimes_possible).zip(&conduct.taken);
        words.map(|((strong, possible), taken)| strong & possible & !taken).collect()
    }
}
