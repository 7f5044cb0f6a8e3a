//! Which formula implies which, by their automata: exact, but dear.

use super::Limits;
use super::emptiness::is_disjoint;
use super::graph::Graph;
use super::prune::{Passing, prune};
use super::tableau::{Branching, build};
use crate::logic::{Formula, Store};
use hashbrown::HashMap;
use limits::effort::formula_automata::{MAX_ORACLE_PAIRS, MAX_ORACLE_QUERIES, MAX_ORACLE_STATES, MAX_ORACLE_WORK};

/// Only small automata are asked.
const LIMITS: Limits = Limits { states: MAX_ORACLE_STATES, work: MAX_ORACLE_WORK };

/// Answers questions about formulas without past operators and with one kind of next.
#[derive(Default)]
pub(super) struct Oracle {
    /// Nothing for formulas whose automata are not small.
    automata: HashMap<Formula, Option<Graph>>,
    known: HashMap<(Formula, Formula), bool>,
}

impl Oracle {
    /// Whether it is seen that no word satisfies both.
    pub fn excludes(&mut self, store: &mut Store, one: Formula, two: Formula) -> bool {
        if let Some(&known) = self.known.get(&(one, two)) {
            return known;
        }
        if self.known.len() >= MAX_ORACLE_QUERIES {
            return false;
        }
        self.prepare(store, one);
        self.prepare(store, two);
        let excludes = match (&self.automata[&one], &self.automata[&two]) {
            (Some(one), Some(two)) => is_disjoint(one, two, MAX_ORACLE_PAIRS) == Some(true),
            _ => false,
        };
        self.known.insert((one, two), excludes);
        excludes
    }

    fn prepare(&mut self, store: &mut Store, formula: Formula) {
        if self.automata.contains_key(&formula) {
            return;
        }
        let graph = build(store, formula, Branching::Now, LIMITS).ok().map(|mut graph| {
            prune(&mut graph, Passing::Bare);
            graph
        });
        self.automata.insert(formula, graph);
    }
}
