//! What is known of temporal assertions besides their verdicts.

use analysis::check;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// More about a temporal assertion.
#[derive(Serialize, JsonSchema)]
pub struct Temporal<'a> {
    reading: &'a str,
    #[serde(flatten)]
    settings: BTreeMap<String, &'static str>,
    engine: &'static str,
    product_states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    automaton: Option<Automaton>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divergence_note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weakest_fairness: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    reductions: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

impl<'a> Temporal<'a> {
    pub(crate) fn new(temporal: &'a check::Temporal) -> Temporal<'a> {
        Temporal {
            reading: &temporal.reading,
            settings: temporal.settings.iter().map(|(name, value)| (name.replace(' ', "_"), *value)).collect(),
            engine: temporal.engine,
            product_states: temporal.n_nodes,
            automaton: temporal.automaton.map(|(states, sets, class)| Automaton { states, sets, class }),
            divergence_note: temporal.divergence_note.as_deref(),
            weakest_fairness: temporal.weakest_fairness,
            reductions: &temporal.reductions,
            remarks: &temporal.remarks,
            notes: &temporal.notes,
        }
    }
}

/// The largest automaton that was used.
#[derive(Serialize, JsonSchema)]
pub struct Automaton {
    states: usize,
    sets: u32,
    class: &'static str,
}
