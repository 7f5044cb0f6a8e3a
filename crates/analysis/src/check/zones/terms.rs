//! Timed processes as timed systems, whose locations are computed on the fly.

use explore::{FAILURE, Judgment, Step};
use frontend::{Failure, Location, Semantics, State};
use hashbrown::HashMap;
use model::network::RuleId;
use std::cell::RefCell;
use std::rc::Rc;
use zones::{Cell, Edge, Edges, Limit, Limits, TimedSystem};

/// The bounds of zones.
pub(super) type Bound = i32;

/// The locations of a process.
pub struct Terms<'s> {
    first: State,
    proposition: Option<u32>,
    inside: RefCell<Inside<'s>>,
}

struct Inside<'s> {
    semantics: &'s mut dyn Semantics,
    known: HashMap<State, Rc<Location>>,
    /// The number of clocks of the locations that edges lead to.
    n_clocks: HashMap<State, usize>,
    failed: Option<NotExplored>,
}

/// The reason why a zone graph is not explored.
pub enum NotExplored {
    /// An evaluation failed.
    Failed(Failure),
    /// A time exceeds the bound of zones.
    Large(i32),
    /// Time disables steps that have no deadline.
    Yielding,
}

impl<'s> Terms<'s> {
    /// The locations from an initial one on, with the proposition that marks the wanted ones.
    pub fn new(semantics: &'s mut dyn Semantics, first: State, proposition: Option<u32>) -> Terms<'s> {
        let (known, n_clocks) = (HashMap::new(), HashMap::new());
        let inside = Inside { semantics, known, n_clocks, failed: None };
        Terms { first, proposition, inside: RefCell::new(inside) }
    }

    /// The reason why the zone graph is not explored.
    pub fn into_failure(self) -> Option<NotExplored> {
        self.inside.into_inner().failed
    }

    /// A location as a state of the language.
    pub(super) fn state(words: &[u64; 1]) -> State {
        State(words[0] as u32)
    }

    fn get(&self, words: &[u64; 1]) -> Rc<Location> {
        self.inside.borrow_mut().get(Terms::state(words))
    }
}

impl Inside<'_> {
    fn get(&mut self, state: State) -> Rc<Location> {
        if let Some(known) = self.known.get(&state) {
            return known.clone();
        }
        let location = Rc::new(self.ask(state).unwrap_or_else(|why| {
            self.failed.get_or_insert(why);
            // An unexplored location keeps the clocks of the edge that leads to it.
            let n_clocks = self.n_clocks.get(&state).copied().unwrap_or(0);
            Location { limits: vec![(None, None); n_clocks], ..Location::default() }
        }));
        for edge in &location.edges {
            self.n_clocks.insert(edge.target, edge.sources.len());
        }
        self.known.insert(state, location.clone());
        location
    }

    fn ask(&mut self, state: State) -> Result<Location, NotExplored> {
        let location = self.semantics.location(state).map_err(NotExplored::Failed)?;
        let times = location.limits.iter().flat_map(|&(lower, upper)| [lower, upper]).flatten();
        match times.max().filter(|&most| most > Bound::MAX_LIMIT) {
            Some(most) => Err(NotExplored::Large(most)),
            None if location.yields_later => Err(NotExplored::Yielding),
            None => Ok(location),
        }
    }
}

fn limits(guard: &[(u8, i32)]) -> impl Iterator<Item = Limit> {
    guard.iter().map(|&(clock, value)| Limit::closed(usize::from(clock) + 1, value))
}

impl TimedSystem<1> for Terms<'_> {
    fn initial(&self) -> [u64; 1] {
        [u64::from(self.first.0)]
    }

    fn location(&self, state: &[u64; 1], location: &mut zones::Location) {
        let known = self.get(state);
        location.clear();
        let limit = |limit: Option<i32>| limit.unwrap_or(Limits::NONE);
        // A step that waits for a lower bound may become urgent, here or later, and then stops time as an upper bound
        // does.
        let pairs =
            known.limits.iter().map(|&(lower, upper)| Limits { lower: limit(lower), upper: limit(upper.max(lower)) });
        location.limits.extend(pairs);
        location.bounds.extend(limits(&known.bounds));
        location.is_urgent = known.urgent.iter().any(Vec::is_empty);
        location.has_urgent_edges = !known.urgent.is_empty();
        location.is_terminated = known.is_terminated;
    }

    fn edges(&self, state: &[u64; 1], _: &zones::Location, edges: &mut Edges<1>) -> Judgment {
        let known = self.get(state);
        for (number, edge) in (0..).zip(&known.edges) {
            let step = Step { target: [u64::from(edge.target.0)], label: edge.label, rule: RuleId(number) };
            let sources: Vec<u8> = edge.sources.iter().map(|source| source.map_or(0, |clock| clock + 1)).collect();
            edges.push(step, limits(&edge.guard), 0, &sources);
        }
        known.urgent.iter().for_each(|guard| edges.push_urgent(limits(guard)));
        if self.inside.borrow().failed.is_some() { Judgment::Found(FAILURE) } else { Judgment::Fine }
    }

    fn is_wanted(&self, state: &[u64; 1]) -> bool {
        let Some(proposition) = self.proposition else { return false };
        let inside = &mut *self.inside.borrow_mut();
        inside.semantics.is_true_in(Terms::state(state), proposition).unwrap_or_else(|failure| {
            inside.failed.get_or_insert(NotExplored::Failed(failure));
            // The recorded failure makes the search inconclusive; stopping here ends it.
            true
        })
    }

    fn sources(
        &self,
        _: &zones::Location,
        edges: &Edges<1>,
        edge: &Edge<1>,
        _: &zones::Location,
        sources: &mut Vec<u8>,
    ) {
        sources.extend_from_slice(edges.sources(edge));
    }
}
