//! What a search looks for: an automaton that watches the steps of a network and says when something is wrong.
//!
//! For refinement it is the normal form of the specification, made complete by one more node for everything that is not
//! allowed. The node is determined by the visible trace, so a state of the network that breaks the rules of its node is
//! a counterexample. Where refusals are tested, the node also depends on what stable states offered on the way. Other
//! properties need no specification: one node that allows everything.

mod demands;

use demands::Demands;
use limits::effort::instances::MAX_OBSERVER_TABLE;
use lts::normal::testing::{Choices, TestingForm};
use lts::{Label, Lts, Model, StateId};
use std::sync::Arc;

/// A property of networks, as something that watches their steps.
#[derive(Debug)]
pub struct Observer {
    spec: Option<Spec>,
    finds_deadlocks: bool,
    finds_divergences: bool,
    finds_ambiguity: bool,
}

/// What follows a node after each visible event and termination.
pub(crate) enum Row<'a> {
    /// The node itself.
    Free,
    /// By label the place, and there the node.
    Tabulated { columns: &'a [u32], nodes: &'a [u32] },
    /// What the specification says.
    LookedUp(&'a Spec),
}

/// The specification of a refinement.
#[derive(Debug)]
pub(crate) struct Spec {
    normal: Arc<Lts>,
    /// The place of each label in a row of the table; 0 for labels that the specification never mentions.
    columns: Vec<u32>,
    n_columns: usize,
    /// A row for each node, if it is not too large.
    table: Option<Vec<u32>>,
    demands: Option<Demands>,
    sees_revivals: bool,
    /// Where it matters what was offered before an event.
    choices: Choices,
}

impl Observer {
    /// Finds what a specification does not allow. `normal` is its normal form in the model.
    pub fn refinement(normal: impl Into<Arc<Lts>>, model: Model) -> Observer {
        let spec = Spec::new(normal.into(), model, MAX_OBSERVER_TABLE);
        Observer { spec: Some(spec), finds_divergences: model.sees_divergences(), ..Observer::indifferent() }
    }

    /// Finds what a specification does not allow in a model that tests refusals.
    pub fn testing(form: TestingForm, model: Model) -> Observer {
        let mut observer = Observer::refinement(form.form, model);
        if let Some(spec) = &mut observer.spec {
            spec.choices = form.choices;
        }
        observer
    }

    /// Finds states without any step; in a model that sees divergences, also these.
    pub fn deadlock_freedom(model: Model) -> Observer {
        Observer { finds_deadlocks: true, finds_divergences: model.sees_divergences(), ..Observer::indifferent() }
    }

    /// Finds divergences.
    pub fn divergence_freedom() -> Observer {
        Observer { finds_divergences: true, ..Observer::indifferent() }
    }

    /// Finds states in which an event leads to different states. Nothing may be left out of the network.
    pub fn unambiguity() -> Observer {
        Observer { finds_ambiguity: true, ..Observer::indifferent() }
    }

    /// Finds nothing: everything is explored.
    pub fn indifferent() -> Observer {
        Observer { spec: None, finds_deadlocks: false, finds_divergences: false, finds_ambiguity: false }
    }

    /// The normal form whose states are the nodes.
    pub fn specification(&self) -> Option<&Lts> {
        self.spec.as_ref().map(|spec| &*spec.normal)
    }

    /// The events that a node allows.
    pub(crate) fn allowed(&self, node: StateId) -> Vec<Label> {
        self.specification().map_or(Vec::new(), |spec| spec.initials(node).collect())
    }

    /// The minimal acceptances of a node.
    pub(crate) fn demanded(&self, node: StateId) -> Vec<Vec<Label>> {
        let acceptances = self.specification().and_then(Lts::acceptances);
        acceptances.map_or(Vec::new(), |all| all.of(node).map(<[Label]>::to_vec).collect())
    }

    /// Whether a label means nothing, whenever it is seen. Refusals and divergences aside, then it may as well be
    /// silent.
    pub(crate) fn ignores(&self, label: Label) -> bool {
        self.spec.as_ref().is_none_or(|spec| {
            let stays = |node: StateId| spec.look_up(node.0, label) == node.0;
            spec.demands.is_none() && label != Label::TICK && spec.normal.states().all(stays)
        })
    }

    /// Whether steps may be put off for ever by steps that mean nothing: then a divergence is found, which counts as
    /// well, or the steps that are taken instead have the same end.
    pub(crate) fn allows_endless_delay(&self) -> bool {
        self.spec.is_none() || self.finds_divergences
    }

    pub(crate) fn finds_ambiguity(&self) -> bool {
        self.finds_ambiguity
    }

    pub(crate) fn finds_deadlocks(&self) -> bool {
        self.finds_deadlocks
    }

    pub(crate) fn finds_divergences(&self) -> bool {
        self.finds_divergences
    }

    /// Whether states do not matter, only cycles.
    pub(crate) fn finds_only_divergences(&self) -> bool {
        self.finds_divergences && !self.finds_deadlocks && self.spec.is_none()
    }

    /// How many nodes there are, with the one for what is not allowed if anything is not.
    pub(crate) fn n_nodes(&self) -> u64 {
        self.spec.as_ref().map_or(1, |spec| spec.normal.n_states() as u64 + 1)
    }

    pub(crate) fn initial(&self) -> u32 {
        self.spec.as_ref().map_or(0, |spec| spec.normal.initial().0)
    }

    /// Whether this is the node after something that is not allowed.
    pub(crate) fn is_wrong(&self, node: u32) -> bool {
        self.spec.as_ref().is_some_and(|spec| node == spec.wrong())
    }

    /// Whether everything is allowed from here on.
    pub(crate) fn is_divergent(&self, node: u32) -> bool {
        self.spec.as_ref().is_some_and(|spec| spec.normal.is_explicitly_divergent(StateId(node)))
    }

    /// What follows a node.
    #[inline]
    pub(crate) fn row(&self, node: u32) -> Row<'_> {
        match &self.spec {
            None => Row::Free,
            Some(spec @ Spec { table: None, .. }) => Row::LookedUp(spec),
            Some(Spec { table: Some(table), columns, n_columns, .. }) => {
                Row::Tabulated { columns, nodes: &table[node as usize * n_columns..][..*n_columns] }
            }
        }
    }

    /// Whether it matters what stable states offer.
    pub(crate) fn sees_refusals(&self) -> bool {
        self.finds_deadlocks || self.spec.as_ref().is_some_and(|spec| spec.demands.is_some())
    }

    /// Whether each event that a stable state offers must go with an acceptance.
    pub(crate) fn sees_revivals(&self) -> bool {
        self.spec.as_ref().is_some_and(|spec| spec.sees_revivals)
    }

    /// Where it matters for this node what was offered before an event.
    pub(crate) fn choices(&self, node: u32) -> Option<&Choices> {
        self.spec.as_ref().map(|spec| &spec.choices).filter(|choices| choices.are_at(StateId(node)))
    }

    /// What stable states have to offer with this node, unless anything will do.
    pub(crate) fn demands(&self, node: u32) -> Option<demands::Family<'_>> {
        self.spec.as_ref()?.demands.as_ref()?.of(StateId(node))
    }
}

impl Spec {
    fn new(normal: Arc<Lts>, model: Model, max_table: usize) -> Spec {
        let labels = normal.states().flat_map(|node| normal.transitions(node)).map(|step| step.label);
        let mut columns = Vec::new();
        let mut n_columns = 1;
        for label in labels {
            if columns.len() <= label.index() {
                columns.resize(label.index() + 1, 0);
            }
            if columns[label.index()] == 0 {
                columns[label.index()] = n_columns as u32;
                n_columns += 1;
            }
        }
        let sees_revivals = model.sees_revivals();
        let demands = model.sees_failures().then(|| Demands::of_all(&normal, sees_revivals));
        let choices = Choices::default();
        let mut spec = Spec { normal, columns, n_columns, table: None, demands, sees_revivals, choices };
        if spec.normal.n_states().saturating_mul(n_columns) <= max_table {
            spec.table = Some(spec.tabulate());
        }
        spec
    }

    fn tabulate(&self) -> Vec<u32> {
        let mut table = vec![self.wrong(); self.normal.n_states() * self.n_columns];
        for (node, row) in self.normal.states().zip(table.chunks_exact_mut(self.n_columns)) {
            for step in self.normal.transitions(node) {
                row[self.columns[step.label.index()] as usize] = step.target.0;
            }
        }
        table
    }

    fn wrong(&self) -> u32 {
        self.normal.n_states() as u32
    }

    /// The node after a visible event or termination, without a table.
    pub(crate) fn look_up(&self, node: u32, label: Label) -> u32 {
        self.normal.with_label(StateId(node), label).first().map_or(self.wrong(), |step| step.target.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lts::Builder;

    #[test]
    fn a_table_says_what_looking_up_says() {
        let mut builder = Builder::new();
        for (source, label, target) in [(0, 2, 1), (0, 7, 0), (1, 3, 2), (2, 7, 1)] {
            builder.add(StateId(source), Label(label), StateId(target));
        }
        let normal = builder.finish(StateId(0));
        let observer = Observer::refinement(normal, Model::Traces);
        for node in 0..3 {
            let Row::Tabulated { columns, nodes } = observer.row(node) else { panic!("the table is small") };
            let spec = observer.spec.as_ref().expect("there is one");
            for label in (0..10).map(Label) {
                let after = nodes[columns.get(label.index()).copied().unwrap_or(0) as usize];
                assert_eq!(after, spec.look_up(node, label), "{node} {label:?}");
            }
            assert!(Spec::new(spec.normal.clone(), Model::Traces, 0).table.is_none());
        }
    }
}
