//! Edges: all steps between the same two states form one.

use super::{Curve, Graph, Point};
use crate::svg::{Colors, shortened, text_width};
use limits::display::formulas::MAX_SET_LABELS;
use limits::display::graphs::LONGEST_NAME;
use lts::{Label, StateId};
use std::collections::{BTreeMap, BTreeSet};

/// All steps from one state to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// Source state.
    pub source: StateId,
    /// Target state.
    pub target: StateId,
    /// Labels in order; the internal step is `τ`.
    pub labels: Vec<String>,
    /// Whether all steps are internal.
    pub is_silent: bool,
    /// Color of its channel, if it has one.
    pub color: Option<usize>,
    /// Positions in the highlighted run at which one of these steps is taken, from 1.
    pub numbers: Vec<usize>,
    /// Curve of the edge.
    pub curve: Curve,
    /// Text beside the edge.
    pub name: String,
    /// Center of the text.
    pub name_at: Option<Point>,
}

impl Edge {
    pub(super) fn name_width(&self) -> f64 {
        text_width(&self.name)
    }
}

/// Edges of all reachable states, by source, then by target.
pub(super) fn merged(graph: &Graph<'_>, depths: &[Option<usize>]) -> Vec<Edge> {
    let mut numbers: BTreeMap<(StateId, StateId), (BTreeSet<Label>, Vec<usize>)> = BTreeMap::new();
    for (place, (state, step)) in graph.way.iter().enumerate() {
        numbers.entry((*state, step.target)).or_default().1.push(place + 1);
    }
    let mut colors = Colors::default();
    let mut edges = Vec::new();
    for source in graph.lts.states().filter(|state| depths[state.index()].is_some()) {
        let mut targets: BTreeMap<StateId, BTreeSet<Label>> = BTreeMap::new();
        for step in graph.lts.transitions(source) {
            targets.entry(step.target).or_default().insert(step.label);
        }
        if graph.lts.is_explicitly_divergent(source) {
            targets.entry(source).or_default().insert(Label::TAU);
        }
        for (target, labels) in targets {
            let taken = numbers.remove(&(source, target)).unwrap_or_default().1;
            edges.push(edge(graph, &mut colors, (source, target), &labels, taken));
        }
    }
    edges
}

fn edge(
    graph: &Graph<'_>,
    colors: &mut Colors,
    (source, target): (StateId, StateId),
    labels: &BTreeSet<Label>,
    numbers: Vec<usize>,
) -> Edge {
    // Visible labels come first.
    let visible = labels.iter().copied().filter(|label| label.is_visible());
    let mut names: Vec<String> = visible.clone().map(graph.label_name).collect();
    let is_silent = names.is_empty();
    let color = visible.map(graph.label_name).next().filter(|name| name != "tick").map(|name| colors.of(&name));
    if labels.contains(&Label::TAU) {
        names.push("τ".to_owned());
    }
    let name = match numbers.as_slice() {
        [] if is_silent => String::new(),
        [] => name(&names),
        taken => format!("{}: {}", number_list(taken), name(&names)),
    };
    Edge { source, target, labels: names, is_silent, color, numbers, curve: Curve::default(), name, name_at: None }
}

/// Positions of steps in a run, abbreviated if there are many.
fn number_list(numbers: &[usize]) -> String {
    let shown: Vec<String> = numbers.iter().take(MAX_SET_LABELS).map(usize::to_string).collect();
    format!("{}{}", shown.join(","), if numbers.len() > MAX_SET_LABELS { "…" } else { "" })
}

/// Text beside an edge.
fn name(labels: &[String]) -> String {
    let n_more = labels.len().saturating_sub(MAX_SET_LABELS);
    let named = shortened(&labels[..labels.len() - n_more].join(", "), LONGEST_NAME);
    if n_more == 0 { named } else { format!("{named} +{n_more}") }
}
