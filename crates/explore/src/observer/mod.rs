//! Observers: deterministic automata that monitor the steps of a network for a violation.
//!
//! The observer of a refinement is the normal form of the specification, completed by a node for forbidden events. The
//! visible trace determines the node, so a state of the network that violates the condition of its node is a
//! counterexample. In refusal testing models, the node also depends on the offers of stable states along the run. Other
//! properties need no specification: they have one node that allows everything.

mod demands;

use demands::Demands;
use limits::effort::instances::MAX_OBSERVER_TABLE;
use lts::normal::testing::{Choices, TestingForm};
use lts::{Label, Lts, Model, StateId};
use std::sync::Arc;

/// A safety property or divergence freedom, as an automaton over visible events.
#[derive(Debug)]
pub struct Observer {
    spec: Option<Spec>,
    finds_deadlocks: bool,
    finds_divergences: bool,
    finds_ambiguity: bool,
}

/// The successors of a node by visible events and termination.
pub(crate) enum Row<'a> {
    /// The node itself.
    Free,
    /// Through a table: the column of each label, and the node of each column.
    Tabulated { columns: &'a [u32], nodes: &'a [u32] },
    /// By lookup in the specification.
    LookedUp(&'a Spec),
}

/// The specification of a refinement.
#[derive(Debug)]
pub(crate) struct Spec {
    normal: Arc<Lts>,
    /// The column of each label in the table; 0 for labels that the specification does not mention.
    columns: Vec<u32>,
    n_columns: usize,
    /// A row for each node, unless the table would be too large.
    table: Option<Vec<u32>>,
    demands: Option<Demands>,
    sees_revivals: bool,
    /// The successors that depend on the offers before an event.
    choices: Choices,
}

impl Observer {
    /// Refinement of a specification. `normal` is its normal form in the model.
    pub fn refinement(normal: impl Into<Arc<Lts>>, model: Model) -> Observer {
        let spec = Spec::new(normal.into(), model, MAX_OBSERVER_TABLE);
        Observer { spec: Some(spec), finds_divergences: model.sees_divergences(), ..Observer::indifferent() }
    }

    /// Refinement of a specification in a model of refusal testing.
    pub fn testing(form: TestingForm, model: Model) -> Observer {
        let mut observer = Observer::refinement(form.form, model);
        if let Some(spec) = &mut observer.spec {
            spec.choices = form.choices;
        }
        observer
    }

    /// Deadlock freedom; in a model with divergences, divergence freedom as well.
    pub fn deadlock_freedom(model: Model) -> Observer {
        Observer { finds_deadlocks: true, finds_divergences: model.sees_divergences(), ..Observer::indifferent() }
    }

    /// Divergence freedom.
    pub fn divergence_freedom() -> Observer {
        Observer { finds_divergences: true, ..Observer::indifferent() }
    }

    /// Absence of states with several targets of one event. The network must not be reduced.
    pub fn unambiguity() -> Observer {
        Observer { finds_ambiguity: true, ..Observer::indifferent() }
    }

    /// No property: the search visits all states.
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

    /// Whether the specification ignores a label in every node. Apart from refusals and divergences, such a label is
    /// like a silent one.
    pub(crate) fn ignores(&self, label: Label) -> bool {
        self.spec.as_ref().is_none_or(|spec| {
            let stays = |node: StateId| spec.look_up(node.0, label) == node.0;
            spec.demands.is_none() && label != Label::TICK && spec.normal.states().all(stays)
        })
    }

    /// Whether the property is preserved if steps are deferred for ever by ignored steps: then a divergence is a
    /// violation as well, or the steps taken instead lead to the same final states.
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

    /// Whether divergences are the only violations.
    pub(crate) fn finds_only_divergences(&self) -> bool {
        self.finds_divergences && !self.finds_deadlocks && self.spec.is_none()
    }

    /// The number of nodes, including that for forbidden events if any event is forbidden.
    pub(crate) fn n_nodes(&self) -> u64 {
        self.spec.as_ref().map_or(1, |spec| spec.normal.n_states() as u64 + 1)
    }

    pub(crate) fn initial(&self) -> u32 {
        self.spec.as_ref().map_or(0, |spec| spec.normal.initial().0)
    }

    /// Whether this is the node for forbidden events.
    pub(crate) fn is_forbidden(&self, node: u32) -> bool {
        self.spec.as_ref().is_some_and(|spec| node == spec.forbidden_node())
    }

    /// Whether this node is chaos, which allows everything.
    pub(crate) fn is_divergent(&self, node: u32) -> bool {
        self.spec.as_ref().is_some_and(|spec| spec.normal.is_explicitly_divergent(StateId(node)))
    }

    /// The successors of a node.
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

    /// Whether there are conditions on the offers of stable states.
    pub(crate) fn sees_refusals(&self) -> bool {
        self.finds_deadlocks || self.spec.as_ref().is_some_and(|spec| spec.demands.is_some())
    }

    /// Whether each event that a stable state offers must be part of an offered acceptance.
    pub(crate) fn sees_revivals(&self) -> bool {
        self.spec.as_ref().is_some_and(|spec| spec.sees_revivals)
    }

    /// The successors of this node that depend on the offers before an event.
    pub(crate) fn choices(&self, node: u32) -> Option<&Choices> {
        self.spec.as_ref().map(|spec| &spec.choices).filter(|choices| choices.are_at(StateId(node)))
    }

    /// The acceptance condition of this node, if any.
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
        let mut table = vec![self.forbidden_node(); self.normal.n_states() * self.n_columns];
        for (node, row) in self.normal.states().zip(table.chunks_exact_mut(self.n_columns)) {
            for step in self.normal.transitions(node) {
                row[self.columns[step.label.index()] as usize] = step.target.0;
            }
        }
        table
    }

    fn forbidden_node(&self) -> u32 {
        self.normal.n_states() as u32
    }

    /// The node after a visible event or termination, without the table.
    pub(crate) fn look_up(&self, node: u32, label: Label) -> u32 {
        self.normal.with_label(StateId(node), label).first().map_or(self.forbidden_node(), |step| step.target.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lts::Builder;

    #[test]
    fn tables_agree_with_lookups() {
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
