//! A state of an unrolling, as literals.

use crate::clauses::Clauses;
use crate::execute::lasting_cells;
use crate::parallel_steps::StepSemantics;
use crate::rules::RuleLits;
use crate::word::Word;
use crate::{Lit, Property};
use lts::Label;
use model::data::{Kind, Lifetime};
use model::network::{Action, Configuration, MachineId, Network};
use std::collections::BTreeMap;

/// A state and the step that leaves it. If no rule is selected, no step leaves it.
pub(crate) struct Frame {
    /// The local state of each machine.
    pub(crate) locals: Vec<Vec<Lit>>,
    /// The mode.
    pub(crate) modes: Vec<Lit>,
    /// The node of the specification, if there is one.
    pub(crate) nodes: Vec<Lit>,
    /// The values of the variables.
    pub(crate) cells: Vec<Word>,
    /// The rules of each mode.
    pub(crate) rules: Vec<Vec<RuleLits>>,
    /// Whether the step has a label.
    pub(crate) shows: BTreeMap<Label, Lit>,
    /// Whether a machine takes an action; the literal also says that it ends in the target of that action.
    pub(crate) acts: BTreeMap<(MachineId, Action), Lit>,
}

impl Frame {
    /// An arbitrary state with an arbitrary step.
    pub(crate) fn any(
        network: &Network,
        property: &Property<'_>,
        step_semantics: StepSemantics,
        clauses: &mut Clauses<'_>,
    ) -> Frame {
        let mut frame = Frame::any_state(network, property, clauses);
        // Gates of other frames do not recur.
        clauses.gates.clear();
        frame.add_rules(network, clauses);
        frame.exclude_dependent(network, property, step_semantics, clauses);
        frame
    }

    /// An arbitrary state without steps.
    pub(crate) fn any_state(network: &Network, property: &Property<'_>, clauses: &mut Clauses<'_>) -> Frame {
        let locals: Vec<Vec<Lit>> = network.machines.iter().map(|machine| clauses.one_of(machine.n_states())).collect();
        let modes = clauses.one_of(network.modes.len());
        let n_nodes = property.specification().map_or(1, lts::Lts::n_states);
        Frame {
            locals,
            modes,
            nodes: clauses.one_of(n_nodes),
            cells: any_cells(network, clauses),
            rules: Vec::new(),
            shows: BTreeMap::new(),
            acts: BTreeMap::new(),
        }
    }

    /// The groups of literals that distinguish states besides values: exactly one of each group is true.
    pub(crate) fn choices(&self) -> impl Iterator<Item = &Vec<Lit>> {
        self.locals.iter().chain([&self.modes, &self.nodes])
    }

    /// Literals all of which are true exactly in a configuration, with a node of the specification.
    pub(crate) fn facts(&self, state: &Configuration, node: usize) -> Vec<Lit> {
        let locals = self.locals.iter().zip(&state.locals).map(|(locals, local)| locals[local.index()]);
        let mut facts: Vec<Lit> = locals.chain([self.modes[state.mode.index()], self.nodes[node]]).collect();
        for (cell, &value) in self.cells.iter().zip(state.data.iter()) {
            let bits = (0..).zip(&cell.bits);
            facts.extend(bits.map(|(place, &bit)| if value >> place & 1 == 1 { bit } else { !bit }));
        }
        facts
    }

    /// Under a condition, this state equals another one.
    pub(crate) fn equals(&self, condition: Lit, other: &Frame, clauses: &mut Clauses<'_>) {
        for (one, other) in self.choices().zip(other.choices()) {
            for (&here, &there) in one.iter().zip(other).filter(|(here, there)| here != there) {
                clauses.add(&[!condition, !here, there]);
            }
        }
        let cells = self.cells.iter().zip(&other.cells).flat_map(|(one, other)| one.bits.iter().zip(&other.bits));
        for (&here, &there) in cells.filter(|(here, there)| here != there) {
            clauses.add(&[!condition, !here, there]);
            clauses.add(&[!condition, here, !there]);
        }
    }

    /// This state differs from another one.
    pub(crate) fn keep_apart(&self, other: &Frame, clauses: &mut Clauses<'_>) {
        let mut differ = Vec::new();
        for (here, there) in self.choices().zip(other.choices()) {
            if here.len() > 1 {
                let differs = clauses.solver.variable();
                here.iter().zip(there).for_each(|(&one, &other)| clauses.exclude(&[differs, one, other]));
                differ.push(differs);
            }
        }
        for (here, there) in self.cells.iter().zip(&other.cells) {
            for (&one, &other) in here.bits.iter().zip(&there.bits).filter(|(one, other)| one != other) {
                let differs = clauses.solver.variable();
                clauses.add(&[!differs, one, other]);
                clauses.add(&[!differs, !one, !other]);
                differ.push(differs);
            }
        }
        clauses.add(&differ);
    }

    /// The guards of the rules with a label.
    pub(crate) fn asks_of<'a>(
        &'a self,
        network: &'a Network,
        wanted: impl Fn(Label) -> bool + 'a,
    ) -> impl Iterator<Item = &'a [Lit]> {
        let rules = network.modes.iter().flat_map(|mode| &mode.rules);
        let lits = self.rules.iter().flatten();
        rules.zip(lits).filter(move |(rule, _)| wanted(rule.shows)).filter_map(|(_, lits)| lits.asks.as_deref())
    }

    /// For each label the guards of its rules, in their order.
    pub(crate) fn asks_by_label<'a>(&'a self, network: &'a Network) -> BTreeMap<Label, Vec<&'a [Lit]>> {
        let rules = network.modes.iter().flat_map(|mode| &mode.rules).zip(self.rules.iter().flatten());
        let mut by_label: BTreeMap<Label, Vec<&[Lit]>> = BTreeMap::new();
        for (rule, lits) in rules {
            by_label.entry(rule.shows).or_default().extend(lits.asks.as_deref());
        }
        by_label
    }

    /// Whether a machine takes an action; None if it never does.
    pub(crate) fn act(&self, machine: MachineId, action: Action) -> Option<Lit> {
        self.acts.get(&(machine, action)).copied()
    }

    /// Whether a machine takes each of its actions, in their order.
    pub(crate) fn acts_of(&self, machine: MachineId) -> impl Iterator<Item = (Action, Lit)> {
        let all = self.acts.range((machine, Action(0))..=(machine, Action(u32::MAX)));
        all.map(|(&(_, action), &acts)| (action, acts))
    }

    /// For each rule that may fail the condition of its failure.
    pub(crate) fn failing(&self) -> impl Iterator<Item = &[Lit]> {
        self.rules.iter().flatten().filter_map(|lits| lits.fails.as_deref())
    }
}

/// Arbitrary values. Unused slots of queues have their least values.
fn any_cells(network: &Network, clauses: &mut Clauses<'_>) -> Vec<Word> {
    let data = &network.data;
    let lasting = lasting_cells(data);
    let mut cells: Vec<Word> = Vec::with_capacity(lasting.len());
    for (id, variable) in data.variables() {
        let first = cells.len();
        for (place, domain) in variable.kind.cell_domains().enumerate() {
            let cell = if lasting[first + place] {
                clauses.any_number(domain.least().into(), domain.greatest().into())
            } else {
                clauses.number(network.initial.data[first + place].into())
            };
            cells.push(cell);
        }
        if let (Kind::Queue { message, capacity }, Lifetime::Run) = (&variable.kind, variable.lifetime) {
            let length = cells[first].clone();
            for slot in 0..*capacity as usize {
                let end = clauses.number(slot as i128);
                let is_used = clauses.less(&end, &length);
                for field in 0..message.len() {
                    let place = 1 + slot * message.len() + field;
                    let is_least = clauses.is_number(&cells[first + place], data.cell_domain(id, place).least().into());
                    clauses.add(&[is_used, is_least]);
                }
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random_form;
    use crate::{Batsat, Encoding};
    use lts::Model;
    use progress::NoProgress;
    use test_support::data::{Taste, random_network_with_data};
    use test_support::mutate::{Random, seed};

    /// Some states, among them pairs that differ in one place only.
    fn some_states(network: &Network, random: &mut Random) -> Vec<Configuration> {
        let mut states = vec![network.initial.clone()];
        for place in 0..12 {
            let steps = network.steps(&states[place % states.len()]);
            states.extend(steps.into_iter().map(|step| step.target).filter(|_| random.below(2) == 0));
        }
        states.truncate(12);
        states
    }

    /// Two states are equal exactly if no literal distinguishes them.
    #[test]
    fn states_are_told_apart_by_everything() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let (mut n_same, mut n_by_data, mut n_by_node) = (0, 0, 0);
        for round in 0..60 {
            let network = random_network_with_data(&mut random, Taste { risk: 20, is_plain: false });
            let form = random_form(&mut random, Model::Traces);
            let property = Property::Refines(&form, Model::Traces);
            let states = some_states(&network, &mut random);
            let encoding = *random.pick(&[Encoding::OneHot, Encoding::Binary]);
            let (mut one, mut other) = (Batsat::new(&NoProgress), Batsat::new(&NoProgress));
            let (mut equal, mut apart) = (Clauses::new(&mut one, encoding), Clauses::new(&mut other, encoding));
            let equals = [0, 1].map(|_| Frame::any_state(&network, &property, &mut equal));
            let differ = [0, 1].map(|_| Frame::any_state(&network, &property, &mut apart));
            let same = equal.solver.variable();
            equals[0].equals(same, &equals[1], &mut equal);
            differ[0].keep_apart(&differ[1], &mut apart);
            for _ in 0..60 {
                let ends = [0, 1].map(|_| (random.pick(&states), random.below(form.n_states())));
                let is_same = ends[0] == ends[1];
                let facts = |frames: &[Frame; 2]| -> Vec<Lit> {
                    frames.iter().zip(ends).flat_map(|(frame, (state, node))| frame.facts(state, node)).collect()
                };
                let context = format!("TEST_SEED={seed} round {round} {ends:?}");
                let assumed = [facts(&equals), vec![same]].concat();
                assert_eq!(equal.solver.solve(&assumed), Ok(is_same), "{context}");
                assert_eq!(apart.solver.solve(&facts(&differ)), Ok(!is_same), "{context}");
                let [(one, here), (two, there)] = ends;
                n_same += usize::from(is_same);
                n_by_node += usize::from(one == two && here != there);
                n_by_data += usize::from((&one.locals, one.mode, here) == (&two.locals, two.mode, there) && !is_same);
            }
        }
        let is_enough = n_same > 50 && n_by_data > 20 && n_by_node > 20;
        assert!(is_enough, "too little happened: {n_same} {n_by_data} {n_by_node}");
    }
}
