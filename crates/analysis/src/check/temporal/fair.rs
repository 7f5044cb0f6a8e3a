//! The reasons why the loop of a run is fair.

use super::super::checker::Checker;
use super::tell::Seen;
use frontend::State;
use limits::display::formulas::{MAX_ITEMS, MAX_LINES};
use temporal::evaluate::{self, Item, Service};
use temporal::{Condition, Labels, Strength};

impl Checker<'_> {
    /// The steps of the loop that meet the conditions of fairness. Processes have the name that they have where the run
    /// first visits them.
    pub(super) fn served(&mut self, seen: &Seen<'_>, processes: &[Vec<u32>], scenes: &[Option<State>]) -> Vec<String> {
        let mut lines = Vec::new();
        for (condition, items) in evaluate::services(seen.structure, &seen.property.fairness, seen.rules, seen.run) {
            if condition == Condition::EachStep {
                lines.push("every step of each state in the loop is taken".to_owned());
                continue;
            }
            let mut named = Vec::new();
            for (item, service) in items {
                let name = match &item {
                    Item::Labels(labels) => self.condition_text(&condition, labels),
                    Item::Marked(strength, label) => {
                        let mark = if *strength == Strength::Weak { "wf" } else { "sf" };
                        format!("{mark}({})", self.label_text(*label))
                    }
                    Item::Time => "time".to_owned(),
                    Item::Process(process) => self.process_name(&processes[process.index()], scenes),
                };
                named.push((name, service));
            }
            let words = match condition {
                Condition::EachProcess(_) => &OF_PROCESSES,
                Condition::TimePasses => &OF_TIME,
                _ => &OF_EVENTS,
            };
            lines.extend(groups(named, words));
        }
        let n_lines = lines.len();
        if n_lines > MAX_LINES {
            lines.truncate(MAX_LINES - 1);
            lines.push(format!("and {} more lines like these", n_lines - lines.len()));
        }
        lines
    }

    fn condition_text(&self, condition: &Condition, labels: &Labels) -> String {
        let labels = self.labels_text(labels);
        match condition {
            Condition::Labels(Strength::Unconditional, _) => format!("UF({labels})"),
            Condition::Labels(Strength::Weak, _) => format!("WF({labels})"),
            Condition::Labels(Strength::Strong, _) => format!("SF({labels})"),
            _ => labels,
        }
    }
}

/// Phrases for the conditions of a kind.
struct Words {
    taken: &'static str,
    impossible_before: &'static str,
    impossible: &'static str,
}

const OF_EVENTS: Words =
    Words { taken: "taken in", impossible_before: "not possible before", impossible: "not possible in" };
const OF_TIME: Words =
    Words { taken: "passes before", impossible_before: "cannot pass before", impossible: "cannot pass in" };
const OF_PROCESSES: Words =
    Words { taken: "active in", impossible_before: "cannot move before", impossible: "cannot move in" };

/// A line for each group of items that are served in the same way.
fn groups(mut items: Vec<(String, Service)>, words: &Words) -> Vec<String> {
    items.sort_by_key(|(_, service)| *service);
    let is_same =
        |one: Service, other: Service| one == other || matches!((one, other), (Service::Taken(_), Service::Taken(_)));
    let groups = items.chunk_by(|(_, one), (_, other)| is_same(*one, *other));
    groups.map(|group| line(group, words)).collect()
}

fn line(group: &[(String, Service)], words: &Words) -> String {
    let shown = &group[..group.len().min(MAX_ITEMS)];
    let n_more = group.len() - shown.len();
    let mut names: Vec<String> = shown.iter().map(|(name, _)| name.clone()).collect();
    names.extend((n_more > 0).then(|| format!("{n_more} more")));
    let mut places: Vec<String> = Vec::new();
    let way = match group[0].1 {
        Service::Taken(_) => words.taken,
        Service::Impossible(_) => words.impossible_before,
        Service::NeverPossible => words.impossible,
    };
    for (_, service) in shown {
        if let Service::Taken(place) | Service::Impossible(place) = service {
            places.push((place + 1).to_string());
        }
    }
    places.dedup();
    let places = match places.as_slice() {
        [] => "the loop".to_owned(),
        [place] => format!("step {place}"),
        _ => format!("steps {}{}", places.join(", "), if n_more > 0 { ", ..." } else { "" }),
    };
    format!("{}: {way} {places}", names.join(", "))
}
