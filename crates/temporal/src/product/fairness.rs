//! Fairness of strongly connected components: Lichtenstein and Pnueli (1985), *Checking that finite state concurrent
//! programs satisfy their linear specification*.
//!
//! The *item* of a condition is a label, a set of labels or a process. A run that repeats all moves of a component
//! takes and enables exactly the items of the component. If a strong condition is violated, fair runs avoid the nodes
//! where its item is enabled; these are removed, and the remaining components are judged recursively. Each step removes
//! at least one node, so this terminates.

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

/// Compiled fairness conditions.
pub(super) struct Judge {
    /// The alternatives; a run that satisfies one of them is fair.
    alternatives: Vec<Demands>,
    is_lenient: bool,
}

/// The conditions of an alternative.
pub(super) struct Demands {
    pub(super) items: Vec<Strength>,
    pub(super) n_words: usize,
    /// For each action, the items that it takes.
    pub(super) taken: Vec<u64>,
    /// For each action, the items that it enables.
    possible: Vec<u64>,
    /// For each action, the items that it enables before silent steps that lead to it.
    possible_later: Vec<u64>,
    is_silent: Vec<bool>,
    /// Whether an action is a step of the system.
    pub(super) is_step: Vec<bool>,
    pub(super) each_step: bool,
}

/// A set of items, as a bit set.
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

    /// The alternatives; a run that satisfies one of them is fair.
    pub(super) fn alternatives(&self) -> &[Demands] {
        &self.alternatives
    }
}

/// The kind of an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Condition(usize),
    Label(Label),
    Process(u32),
    Marked(Label),
    Time,
}

/// The relation of an action to an item.
#[derive(Clone, Copy)]
struct Serves {
    item: usize,
    /// Whether the enabled action enables the item: an unmarked step satisfies the demand of a mark, but does not
    /// activate it.
    activates: bool,
    /// Whether it does so after silent steps, too.
    activates_later: bool,
}

/// The labels with marks, with their strengths.
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
            // An item exists even if no step is of its kind: it may be demanded unconditionally.
            match condition {
                Condition::Labels(strength, _) => _ = item(Subject::Condition(place), *strength),
                Condition::TimePasses => _ = item(Subject::Time, Strength::Unconditional),
                _ => {}
            }
            for (action, served) in actions.iter().zip(&mut served) {
                let always = |item| Serves { item, activates: true, activates_later: sees_through };
                match condition {
                    Condition::Labels(strength, labels) if labels.contains(action.label) => {
                        served.push(always(item(Subject::Condition(place), *strength)));
                    }
                    Condition::EachLabel(strength) if !rules.is_silent(action) => {
                        served.push(always(item(Subject::Label(action.label), *strength)));
                    }
                    Condition::EachProcess(strength) => served.extend(action.parts.iter().map(|part| {
                        let item = item(Subject::Process(part.0), *strength);
                        Serves { item, activates: true, activates_later: false }
                    })),
                    Condition::TimePasses if action.takes_time => {
                        let item = item(Subject::Time, Strength::Unconditional);
                        served.push(Serves { item, activates: true, activates_later: false });
                    }
                    Condition::EachMark => {
                        let wanted = Strength::OF_MARKS.into_iter().filter(|&of| marked.contains(&(action.label, of)));
                        served.extend(wanted.map(|strength| {
                            let activates = action.is_marked(strength);
                            let item = item(Subject::Marked(action.label), strength);
                            Serves { item, activates, activates_later: activates && sees_through }
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
        let (taken, possible) = (tabled(&|_| true), tabled(&|serves| serves.activates));
        let possible_later = tabled(&|serves| serves.activates_later);
        let is_silent = actions.iter().map(|action| rules.is_silent(action)).collect();
        let is_step = actions.iter().map(|action| !action.is_end()).collect();
        let each_step = conditions.contains(&Condition::EachStep);
        Demands { items, n_words, taken, possible, possible_later, is_silent, is_step, each_step }
    }

    fn of(&self, table: &[u64], action: ActionNumber) -> impl Iterator<Item = u64> {
        table[action.index() * self.n_words..][..self.n_words].iter().copied()
    }

    /// Computes the items that are enabled in a state; in the trace view, labels also after silent steps. If these lead
    /// to an open state, every item may be enabled, and the result is true.
    pub(super) fn find_possible(&self, system: &mut impl ActionSystem, state: StateId, possible: &mut Items) -> bool {
        possible.clear();
        possible.resize(self.n_words, 0);
        let mut is_silent = false;
        for step in system.steps(&state).unwrap_or_default() {
            add(possible, self.of(&self.possible, step.label));
            is_silent |= self.is_silent[step.label.index()];
        }
        is_silent && !self.look_after_silent_steps(system, state, possible)
    }

    /// Adds the items that are enabled after silent steps; false if these are unknown.
    fn look_after_silent_steps(&self, system: &mut impl ActionSystem, state: StateId, possible: &mut Items) -> bool {
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

/// The items that some nodes or a path take and enable.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Conduct {
    pub(super) marks: u64,
    taken: Items,
    pub(super) always_possible: Items,
    pub(super) sometimes_possible: Items,
    /// Whether all steps of the states are taken.
    takes_all: bool,
}

impl Conduct {
    pub(super) fn nothing_taken(n_words: usize) -> Conduct {
        Conduct {
            marks: 0,
            taken: vec![0; n_words],
            always_possible: vec![u64::MAX; n_words],
            sometimes_possible: vec![0; n_words],
            takes_all: true,
        }
    }

    /// The union of two sets of nodes.
    pub(super) fn and(mut self, other: &Conduct) -> Conduct {
        self.marks |= other.marks;
        add(&mut self.taken, other.taken.iter().copied());
        self.add_state(&other.sometimes_possible, &other.always_possible);
        self.takes_all &= other.takes_all;
        self
    }

    /// Adds a taken action.
    pub(super) fn take(&mut self, demands: &Demands, action: ActionNumber) {
        add(&mut self.taken, demands.of(&demands.taken, action));
    }

    pub(super) fn add_state(&mut self, sometimes: &Items, always: &Items) {
        add(&mut self.sometimes_possible, sometimes.iter().copied());
        self.always_possible.iter_mut().zip(always).for_each(|(word, now)| *word &= now);
    }
}

/// The judgment on a component.
pub(super) enum Judgment {
    /// No run in it is fair and violates the property.
    Out,
    /// Runs that repeat all its moves are fair and violate the property.
    Fair,
    /// Only runs where none of these items is enabled may be.
    Without(Items),
}

impl<S: ActionSystem> Product<'_, S> {
    /// A part of a component with all marks and fair cycles.
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

    /// A part whose cycles satisfy given conditions.
    pub(super) fn part_with(
        &mut self,
        component: Component,
        demands: &Demands,
        progress: &dyn Progress,
    ) -> Result<Option<Component>, Interrupt> {
        let mut parts = vec![component];
        while let Some(part) = parts.pop() {
            if let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(self.nodes.n_visited())) {
                return Err(why);
            }
            let conduct = self.conduct(&part, demands, progress)?;
            match self.judge(part.nodes()[0], &conduct, demands) {
                Judgment::Out => {}
                Judgment::Fair => return Ok(Some(part)),
                Judgment::Without(items) => {
                    let left = match self.without_in_parallel(part.nodes(), demands, &items, progress) {
                        Some(left) => left?,
                        None => self.nodes_without(part.nodes(), demands, &items, progress)?,
                    };
                    parts.extend(self.split(&Component::new(left), progress)?);
                }
            }
        }
        Ok(None)
    }

    /// Judges a component by its conduct and one of its nodes: finite runs are fair.
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
        let starved_items = demands.starved_items(conduct);
        if starved_items.iter().all(|&word| word == 0) { Judgment::Fair } else { Judgment::Without(starved_items) }
    }

    pub(super) fn conduct(
        &mut self,
        part: &Component,
        demands: &Demands,
        progress: &dyn Progress,
    ) -> Result<Conduct, Interrupt> {
        let color = self.paint(part);
        if let Some(conduct) = self.conduct_in_parallel(part.nodes(), demands, color, progress) {
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

    /// The conduct of some nodes of a component. If all steps are demanded, nodes of one state are consecutive.
    pub(super) fn conduct_of(
        &mut self,
        nodes: &[u32],
        demands: &Demands,
        is_inside: impl Fn(u32) -> bool,
        progress: &dyn Progress,
    ) -> Result<Conduct, Interrupt> {
        let mut pace = Pace::default();
        let mut conduct = Conduct::nothing_taken(demands.n_words);
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
            self.has_reached_open |= demands.find_possible(&mut self.system, state, &mut possible);
            conduct.add_state(&possible, &possible);
            if demands.each_step {
                let steps = self.system.steps(&state).unwrap_or_default();
                let mut steps = steps.iter().filter(|step| demands.is_step[step.label.index()]);
                conduct.takes_all &= steps.all(|step| steps_taken.contains(&(step.label, step.target)));
            }
        }
        Ok(conduct)
    }

    /// The nodes where none of these items is enabled.
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
            self.has_reached_open |= demands.find_possible(&mut self.system, state, &mut possible);
            if possible.iter().zip(items).all(|(possible, item)| possible & item == 0) {
                left.push(node);
            }
        }
        Ok(left)
    }
}

impl Demands {
    /// Whether all conditions hold that no part satisfies if the whole does not.
    pub(super) fn allows_weakly(&self, conduct: &Conduct) -> bool {
        let taken = |must: &Items| must.iter().zip(&conduct.taken).all(|(must, taken)| must & !taken == 0);
        let mut weak = self.with_strength(Strength::Weak);
        weak.iter_mut().zip(&conduct.always_possible).for_each(|(word, possible)| *word &= possible);
        taken(&self.with_strength(Strength::Unconditional)) && taken(&weak) && conduct.takes_all
    }

    /// Whether all conditions hold.
    pub(super) fn are_satisfied_by(&self, conduct: &Conduct) -> bool {
        self.allows_weakly(conduct) && self.starved_items(conduct).iter().all(|&word| word == 0)
    }

    /// Strong items that are enabled and not taken.
    pub(super) fn starved_items(&self, conduct: &Conduct) -> Items {
        let strong = self.with_strength(Strength::Strong);
        let words = strong.iter().zip(&conduct.sometimes_possible).zip(&conduct.taken);
        words.map(|((strong, possible), taken)| strong & possible & !taken).collect()
    }
}
