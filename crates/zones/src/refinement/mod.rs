//! Timed trace refinement: inclusion of the timed traces of a process in those of a specification, by a subset
//! construction over zones.
//!
//! The implementation is in one location, the specification in one of several, its *members*; all of them share one
//! zone over all their clocks. A node is uniform: all its values have the same members, closed under silent steps that
//! are enabled now. Time passes from a node up to the next change, where the invariant of a member or a guard of one of
//! its silent steps is reached, and beyond it without the members whose invariant is violated. At an event, the zone is
//! split by the members that can perform it; where none can, refinement fails.
//!
//! The construction does not terminate if members with new clocks can arise at any time: inclusion is undecidable in
//! general (Alur and Dill, 1994, *A theory of timed automata*). Such cases, and those with too many clocks, are
//! reported as undecided.

mod trail;

use limits::effort::zones::MAX_CLOCKS;
pub use trail::TimedTrace;

use crate::abstraction::Limits;
use crate::cell::Cell;
use crate::graph::settle_urgency;
use crate::network::FAILED;
use crate::system::{Edges, Location, TimedSystem};
use crate::zone::{Limit, Zone};
use explore::Judgment;
use lts::Label;
use progress::{Progress, Statistics, Stop};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::rc::Rc;
use trail::{EMPTY, TrailId, Trails, ZoneWithTrail};

/// The result of a timed refinement check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared<const W: usize> {
    /// Every timed trace is allowed.
    Holds,
    /// The last event of this trace is not allowed; none if no times were found for it, which is an internal error.
    Fails(Option<TimedTrace<W>>),
    /// The construction does not decide this case, with the reason.
    Undecided(&'static str),
    /// The finding of the system.
    Found(u32),
    /// The search is incomplete.
    Stopped(Stop),
}

/// A location with its edges.
struct Place<const W: usize> {
    location: Location,
    edges: Edges<W>,
}

/// A node under construction. The clocks of the implementation come first, then those of each member.
#[derive(Clone)]
struct Draft<const W: usize, C> {
    at: [u64; W],
    members: Vec<[u64; W]>,
    zone_with_trail: ZoneWithTrail<C>,
    /// Whether time has passed up to the next change.
    is_open: bool,
}

/// The reason for the end of a check.
enum End {
    Fails(TrailId),
    Undecided(&'static str),
    Found(u32),
}

/// Whether a process refines a specification in the timed traces model; both are locations of one system.
pub fn refines_in_time<const W: usize, S: TimedSystem<W>, C: Cell>(
    system: &S,
    specification: [u64; W],
    implementation: [u64; W],
    max_nodes: u64,
    progress: &dyn Progress,
) -> (Compared<W>, Statistics) {
    let mut comparison = Comparison::<W, S, C> {
        system,
        places: HashMap::new(),
        trails: Trails::new(),
        visited: HashMap::new(),
        open: VecDeque::new(),
        statistics: Statistics::default(),
    };
    let compared = comparison.run(specification, implementation, max_nodes, progress);
    (compared, comparison.statistics)
}

/// The locations of the implementation and of the members.
type Locations<const W: usize> = ([u64; W], Vec<[u64; W]>);

struct Comparison<'a, const W: usize, S, C> {
    system: &'a S,
    places: HashMap<[u64; W], Rc<Place<W>>>,
    trails: Trails<W>,
    /// Visited zones by the locations of both sides.
    visited: HashMap<Locations<W>, Vec<Zone<C>>>,
    open: VecDeque<Draft<W, C>>,
    statistics: Statistics,
}

impl<const W: usize, S: TimedSystem<W>, C: Cell> Comparison<'_, W, S, C> {
    fn run(
        &mut self,
        specification: [u64; W],
        implementation: [u64; W],
        max_nodes: u64,
        progress: &dyn Progress,
    ) -> Compared<W> {
        let places = self.place(implementation).and_then(|first| Ok((first, self.place(specification)?)));
        let (first, allowed) = match places {
            Ok(places) => places,
            Err(end) => return self.ended(end, 0),
        };
        let n_clocks = first.location.n_clocks() + allowed.location.n_clocks();
        let zone_with_trail = ZoneWithTrail { zone: Zone::at_zero(n_clocks), trail: EMPTY };
        let draft = Draft { at: implementation, members: vec![specification], zone_with_trail, is_open: false };
        if let Err(end) = self.close(draft) {
            return self.ended(end, n_clocks);
        }
        while let Some(node) = self.open.pop_front() {
            self.statistics.n_waiting = self.open.len() as u64;
            if let ControlFlow::Break(why) = progress.tick(&self.statistics) {
                return Compared::Stopped(why.into());
            }
            if self.statistics.n_states > max_nodes {
                return Compared::Stopped(Stop::MaxStates);
            }
            if let Err(end) = self.expand(&node) {
                return self.ended(end, n_clocks);
            }
        }
        Compared::Holds
    }

    fn ended(&self, end: End, n_clocks: usize) -> Compared<W> {
        match end {
            End::Fails(trail) => Compared::Fails(self.trails.solve(trail, n_clocks)),
            End::Undecided(why) => Compared::Undecided(why),
            End::Found(finding) => Compared::Found(finding),
        }
    }

    fn place(&mut self, state: [u64; W]) -> Result<Rc<Place<W>>, End> {
        if let Some(place) = self.places.get(&state) {
            return Ok(place.clone());
        }
        let mut place = Place { location: Location::default(), edges: Edges::default() };
        self.system.location(&state, &mut place.location);
        if let Judgment::Found(finding) = self.system.edges(&state, &place.location, &mut place.edges) {
            return Err(End::Found(finding));
        }
        if let Some(edge) = place.edges.iter().find(|edge| edge.step.rule == FAILED) {
            return Err(End::Found(edge.step.rule.0));
        }
        settle_urgency(&mut place.location, &place.edges);
        if !place.location.is_urgent && place.edges.urgent().next().is_some() {
            return Err(End::Undecided("time waits for a silent step that becomes possible later"));
        }
        let place = Rc::new(place);
        self.places.insert(state, place.clone());
        Ok(place)
    }

    /// The number of clocks before those of each member.
    fn offsets(&mut self, draft: &Draft<W, C>) -> Result<Vec<usize>, End> {
        let mut before = self.place(draft.at)?.location.n_clocks();
        let mut offsets = Vec::with_capacity(draft.members.len());
        for &member in &draft.members {
            offsets.push(before);
            before += self.place(member)?.location.n_clocks();
        }
        Ok(offsets)
    }

    /// Adds the members reached by silent steps that are enabled now, and stores the resulting nodes.
    fn close(&mut self, draft: Draft<W, C>) -> Result<(), End> {
        let mut open = vec![(draft, 0, 0)];
        while let Some((draft, member, edge)) = open.pop() {
            let Some(&at) = draft.members.get(member) else {
                self.keep(draft)?;
                continue;
            };
            let place = self.place(at)?;
            let Some(silent) = place.edges.iter().filter(|edge| edge.step.label == Label::TAU).nth(edge) else {
                open.push((draft, member + 1, 0));
                continue;
            };
            let offset = self.offsets(&draft)?[member];
            let target = self.place(silent.step.target)?;
            let mut sources = Vec::new();
            self.system.sources(&place.location, &place.edges, silent, &target.location, &mut sources);
            let guard = shifted(place.edges.guard(silent), offset);
            if sources.contains(&0) && may_wait(&place.location, place.edges.guard(silent)) {
                return Err(End::Undecided("the specification may start to count time at any moment, silently"));
            }
            let (visited, unmet) = self.divided(draft, &guard);
            open.extend(unmet.into_iter().map(|draft| (draft, member, edge + 1)));
            if let Some(mut draft) = visited {
                let sources: Vec<u8> = sources.iter().map(|&source| shift(source, offset)).collect();
                if !self.has_member(&draft, silent.step.target, &sources)? {
                    let n_clocks = draft.zone_with_trail.zone.n_clocks();
                    if n_clocks + sources.len() > MAX_CLOCKS {
                        return Err(End::Undecided("the specification has too many clocks at once"));
                    }
                    let all: Vec<u8> = (1..=n_clocks as u8).chain(sources).collect();
                    self.trails.rename(&mut draft.zone_with_trail, &all);
                    draft.members.push(silent.step.target);
                }
                open.push((draft, member, edge + 1));
            }
        }
        Ok(())
    }

    /// The part of a zone that satisfies a guard, and the rest, in disjoint parts.
    fn divided(&mut self, draft: Draft<W, C>, guard: &[Limit]) -> (Option<Draft<W, C>>, Vec<Draft<W, C>>) {
        let (mut visited, mut unmet) = (draft, Vec::new());
        for &limit in guard {
            let mut rest = visited.clone();
            if self.trails.at_most(&mut rest.zone_with_trail, Limit { is_strict: !limit.is_strict, ..limit }) {
                unmet.push(rest);
            }
            if !self.trails.at_least(&mut visited.zone_with_trail, limit) {
                return (None, unmet);
            }
        }
        (Some(visited), unmet)
    }

    /// Whether a member with the same clock values exists: those of the source clocks, or 0.
    fn has_member(&mut self, draft: &Draft<W, C>, at: [u64; W], sources: &[u8]) -> Result<bool, End> {
        let offsets = self.offsets(draft)?;
        let zone = &draft.zone_with_trail.zone;
        let is_equal = |one: usize, other: usize| zone.get(one, other) <= C::ZERO && zone.get(other, one) <= C::ZERO;
        Ok(draft.members.iter().zip(offsets).any(|(&member, offset)| {
            member == at && (1..).zip(sources).all(|(clock, &source)| is_equal(offset + clock, usize::from(source)))
        }))
    }

    /// Stores a node unless a visited one covers it.
    fn keep(&mut self, mut draft: Draft<W, C>) -> Result<(), End> {
        self.statistics.n_transitions += 1;
        self.sort_members(&mut draft)?;
        let mut limits: Vec<Limits> = self.place(draft.at)?.location.limits.clone();
        for member in draft.members.clone() {
            limits.extend_from_slice(&self.place(member)?.location.limits);
        }
        draft.zone_with_trail.zone.extrapolate(&limits, &mut Vec::new());
        let known = self.visited.entry((draft.at, draft.members.clone())).or_default();
        if known.iter().any(|zone| draft.zone_with_trail.zone.is_within(zone)) {
            return Ok(());
        }
        known.retain(|zone| !zone.is_within(&draft.zone_with_trail.zone));
        known.push(draft.zone_with_trail.zone.clone());
        self.statistics.n_states += 1;
        self.open.push_back(draft);
        Ok(())
    }

    fn sort_members(&mut self, draft: &mut Draft<W, C>) -> Result<(), End> {
        if draft.members.is_sorted() {
            return Ok(());
        }
        let offsets = self.offsets(draft)?;
        let mut order: Vec<usize> = (0..draft.members.len()).collect();
        order.sort_by_key(|&member| draft.members[member]);
        self.select(draft, &offsets, &order)
    }

    /// Restricts the members to a selection, in this order.
    fn select(&mut self, draft: &mut Draft<W, C>, offsets: &[usize], order: &[usize]) -> Result<(), End> {
        let mut sources: Vec<u8> = (1..=self.place(draft.at)?.location.n_clocks() as u8).collect();
        for &member in order {
            let n_clocks = self.place(draft.members[member])?.location.n_clocks();
            sources.extend((1..=n_clocks).map(|clock| (offsets[member] + clock) as u8));
        }
        self.trails.rename(&mut draft.zone_with_trail, &sources);
        draft.members = order.iter().map(|&member| draft.members[member]).collect();
        Ok(())
    }

    fn expand(&mut self, node: &Draft<W, C>) -> Result<(), End> {
        let place = self.place(node.at)?;
        for edge in place.edges.iter() {
            let mut taken = node.clone();
            taken.is_open = false;
            let guard = place.edges.guard(edge);
            if !guard.iter().all(|&limit| self.trails.at_least(&mut taken.zone_with_trail, limit)) {
                continue;
            }
            self.trails.step(&mut taken.zone_with_trail, edge.step);
            let target = self.place(edge.step.target)?;
            let mut sources = Vec::new();
            self.system.sources(&place.location, &place.edges, edge, &target.location, &mut sources);
            if edge.step.label == Label::TAU {
                let n_own = place.location.n_clocks();
                sources.extend(n_own as u8 + 1..=taken.zone_with_trail.zone.n_clocks() as u8);
                self.trails.rename(&mut taken.zone_with_trail, &sources);
                taken.at = edge.step.target;
                self.keep(taken)?;
            } else {
                self.follow(taken, edge.step.label, edge.step.target, &sources)?;
            }
        }
        if node.is_open || place.location.is_urgent { Ok(()) } else { self.pass_time(node, &place) }
    }

    /// The successors of the members by an event of the implementation, for each part of the zone.
    fn follow(&mut self, taken: Draft<W, C>, label: Label, target: [u64; W], sources: &[u8]) -> Result<(), End> {
        let offsets = self.offsets(&taken)?;
        // Each edge by which a member can perform the event: guard, target, and sources of its clocks.
        let mut ways: Vec<(Vec<Limit>, [u64; W], Vec<u8>)> = Vec::new();
        for (&member, &offset) in taken.members.iter().zip(&offsets) {
            let place = self.place(member)?;
            for edge in place.edges.iter().filter(|edge| edge.step.label == label) {
                let after = self.place(edge.step.target)?;
                let mut sources = Vec::new();
                self.system.sources(&place.location, &place.edges, edge, &after.location, &mut sources);
                let sources = sources.iter().map(|&source| shift(source, offset)).collect();
                ways.push((shifted(place.edges.guard(edge), offset), edge.step.target, sources));
            }
        }
        let mut parts = vec![(taken, Vec::new())];
        for (number, (guard, ..)) in ways.iter().enumerate() {
            let mut finer = Vec::new();
            for (part, able) in parts {
                let (visited, unmet) = self.divided(part, guard);
                finer.extend(unmet.into_iter().map(|part| (part, able.clone())));
                finer.extend(visited.map(|part| (part, [able, vec![number]].concat())));
            }
            parts = finer;
        }
        for (mut part, able) in parts {
            if able.is_empty() {
                return Err(End::Fails(part.zone_with_trail.trail));
            }
            if label != Label::TICK {
                let mut sources = sources.to_vec();
                part.members.clear();
                for &number in &able {
                    let (_, after, kept) = &ways[number];
                    sources.extend(kept);
                    part.members.push(*after);
                }
                if sources.len() > MAX_CLOCKS {
                    return Err(End::Undecided("the specification has too many clocks at once"));
                }
                self.trails.rename(&mut part.zone_with_trail, &sources);
                part.at = target;
                self.without_doubles(&mut part)?;
                self.close(part)?;
            }
        }
        Ok(())
    }

    /// Removes duplicates of members with the same values.
    fn without_doubles(&mut self, draft: &mut Draft<W, C>) -> Result<(), End> {
        let offsets = self.offsets(draft)?;
        let zone = &draft.zone_with_trail.zone;
        let mut kept: Vec<usize> = Vec::new();
        for member in 0..draft.members.len() {
            let n_clocks = offsets.get(member + 1).copied().unwrap_or(zone.n_clocks()) - offsets[member];
            let is_equal =
                |one: usize, other: usize| zone.get(one, other) <= C::ZERO && zone.get(other, one) <= C::ZERO;
            let is_same = |&other: &usize| {
                draft.members[other] == draft.members[member]
                    && (1..=n_clocks).all(|clock| is_equal(offsets[other] + clock, offsets[member] + clock))
            };
            if !kept.iter().any(is_same) {
                kept.push(member);
            }
        }
        if kept.len() < draft.members.len() { self.select(draft, &offsets, &kept) } else { Ok(()) }
    }

    /// Lets time pass up to the next change, and up to any time before it.
    fn pass_time(&mut self, node: &Draft<W, C>, place: &Place<W>) -> Result<(), End> {
        let offsets = self.offsets(node)?;
        // Splits the zone by the members whose invariants end now.
        let mut parts = vec![(node.clone(), Vec::new())];
        for (number, &offset) in offsets.iter().enumerate() {
            let member = self.place(node.members[number])?;
            let bounds = shifted(&member.location.bounds, offset);
            let mut finer = Vec::new();
            for (part, alive) in parts {
                if member.location.is_urgent {
                    finer.push((part, alive));
                    continue;
                }
                let mut rest = part;
                let mut is_left = true;
                for &bound in &bounds {
                    let mut over = rest.clone();
                    if self.trails.at_least(&mut over.zone_with_trail, bound) {
                        finer.push((over, alive.clone()));
                    }
                    is_left = self.trails.at_most(&mut rest.zone_with_trail, Limit { is_strict: true, ..bound });
                    if !is_left {
                        break;
                    }
                }
                if is_left {
                    finer.push((rest, [alive, vec![number]].concat()));
                }
            }
            parts = finer;
        }
        for (mut part, alive) in parts {
            self.select(&mut part, &offsets, &alive)?;
            self.pass_time_with(part, place)?;
        }
        Ok(())
    }

    /// Lets time pass with the members whose invariants allow it.
    fn pass_time_with(&mut self, part: Draft<W, C>, place: &Place<W>) -> Result<(), End> {
        let changes = self.changes(&part)?;
        let later = |comparison: &mut Self, is_strict: bool| {
            let mut later = part.clone();
            comparison.trails.delay(&mut later.zone_with_trail, true);
            let own =
                place.location.bounds.iter().all(|&bound| comparison.trails.at_most(&mut later.zone_with_trail, bound));
            let mut limits = changes.iter().map(|&change| Limit { is_strict, ..change });
            let is_possible = own && limits.all(|limit| comparison.trails.at_most(&mut later.zone_with_trail, limit));
            is_possible.then_some(later)
        };
        if let Some(before) = later(self, true) {
            self.close(Draft { is_open: true, ..before })?;
        }
        for &change in &changes {
            if let Some(mut at_change) = later(self, false)
                && self.trails.at_least(&mut at_change.zone_with_trail, change)
            {
                at_change.is_open = false;
                self.close(at_change)?;
            }
        }
        Ok(())
    }

    /// The limits that clocks of members have not reached.
    fn changes(&mut self, draft: &Draft<W, C>) -> Result<Vec<Limit>, End> {
        let mut changes: Vec<Limit> = Vec::new();
        for (&member, offset) in draft.members.iter().zip(self.offsets(draft)?) {
            let place = self.place(member)?;
            let silent = place.edges.iter().filter(|edge| edge.step.label == Label::TAU);
            let guards = silent.flat_map(|edge| place.edges.guard(edge));
            let limits: Vec<Limit> = place.location.bounds.iter().chain(guards).copied().collect();
            changes.extend(shifted(&limits, offset));
        }
        let zone = &draft.zone_with_trail.zone;
        // A node is uniform: a limit is reached by all values or by none. A limit reached by some of them is
        // irrelevant.
        changes.retain(|limit| zone.get(limit.clock, 0) < C::at_most(limit.value));
        changes.sort_unstable_by_key(|limit| (limit.clock, limit.value));
        changes.dedup();
        Ok(changes)
    }
}

/// The number of a clock of a member among all clocks.
fn shift(source: u8, offset: usize) -> u8 {
    if source == 0 { 0 } else { source + offset as u8 }
}

fn shifted(limits: &[Limit], offset: usize) -> Vec<Limit> {
    limits.iter().map(|limit| Limit { clock: limit.clock + offset, ..*limit }).collect()
}

/// Whether time may pass in a location while a guard is satisfied.
fn may_wait(location: &Location, guard: &[Limit]) -> bool {
    let stops = |limit: &Limit| {
        let mut bounds = location.bounds.iter().filter(|bound| bound.clock == limit.clock);
        bounds.any(|bound| bound.value <= limit.value)
    };
    !location.is_urgent && !guard.iter().any(stops)
}
