//! Zone graphs: timed systems as spaces whose states have zones as details.

use crate::abstraction::is_simulated;
use crate::cell::Cell;
use crate::network::FAILED;
use crate::refusal::{refusing, split};
use crate::system::{Edge, Edges, Location, TimedSystem};
use crate::zone::{Limit, Zone, is_within};
use explore::{FAILURE, Judgment, Node, Space, Step, Steps};
use lts::Label;
use model::network::RuleId;
use std::cell::RefCell;
use std::hash::BuildHasher;
use std::marker::PhantomData;

/// The abstraction of a zone graph. `docs/semantics/zones.md` explains which properties it preserves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abstraction {
    /// Whether nodes store the delayed zone instead of the zone at entry.
    pub is_delayed: bool,
    /// The extrapolation.
    pub extrapolation: Extrapolation,
    /// The subsumption of nodes.
    pub covering: Covering,
    /// Whether a zone is split by the values that refuse all silent edges for ever.
    pub splits: bool,
    /// Whether termination leads to a node.
    pub has_end: bool,
}

/// The extrapolation of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extrapolation {
    /// By equivalent values.
    Equivalent,
    /// By simulated values.
    Simulated,
}

/// The subsumption relation between zones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Covering {
    /// Equality.
    Equal,
    /// Inclusion.
    Including,
    /// Simulation.
    Simulating,
}

impl Abstraction {
    /// For reachability.
    pub const REACHED: Abstraction = Abstraction {
        is_delayed: true,
        extrapolation: Extrapolation::Simulated,
        covering: Covering::Including,
        splits: false,
        has_end: false,
    };
    /// For reachability, with the coarser subsumption, which stores fewer zones.
    pub const SIMULATED: Abstraction = Abstraction { covering: Covering::Simulating, ..Abstraction::REACHED };
    /// For deadlocks, which are properties of single values.
    pub const STUCK: Abstraction = Abstraction { extrapolation: Extrapolation::Equivalent, ..Abstraction::REACHED };
    /// For properties of runs and refusals.
    pub const WHOLE: Abstraction = Abstraction {
        is_delayed: false,
        extrapolation: Extrapolation::Equivalent,
        covering: Covering::Equal,
        splits: true,
        has_end: true,
    };
    /// One node for each location and zone at entry.
    pub const ENTRIES: Abstraction = Abstraction { splits: false, ..Abstraction::WHOLE };
    /// [`Abstraction::ENTRIES`] without nodes after termination.
    pub const ENTRIES_BEFORE_END: Abstraction = Abstraction { has_end: false, ..Abstraction::ENTRIES };
}

/// The goal of a search.
pub enum Goal<'a> {
    /// None: the search visits all nodes.
    Nothing,
    /// A location that is a goal of the system.
    Wanted,
    /// A step with one of these labels.
    Labels(&'a [Label]),
    /// A deadlock: values from which no step is ever enabled, before termination.
    Stuck,
}

/// Finding: a goal location, or one with a goal step.
pub const REACHED: u32 = 0;
/// Finding: a deadlock.
pub const STUCK: u32 = 1;

/// Finding: a location whose refusals are not supported.
pub const UNDECIDED: u32 = 2;

/// The zone graph of a timed system.
pub struct ZoneGraph<'a, const W: usize, S, C> {
    pub(crate) system: &'a S,
    pub(crate) abstraction: Abstraction,
    pub(crate) goal: Goal<'a>,
    cells: PhantomData<C>,
}

/// Buffers of a worker.
#[derive(Debug)]
pub struct Buffers<const W: usize, C> {
    source: Location,
    target: Location,
    edges: Edges<W>,
    target_edges: Edges<W>,
    urgency: Urgency<W>,
    sources: Vec<u8>,
    raised: Vec<(u8, u8)>,
    entered: Zone<C>,
    /// The zones from which steps are taken.
    delayed: Vec<Zone<C>>,
    taken: Zone<C>,
    renamed: Zone<C>,
    later: Zone<C>,
}

impl<const W: usize, C: Cell> Default for Buffers<W, C> {
    fn default() -> Self {
        Buffers {
            source: Location::default(),
            target: Location::default(),
            edges: Edges::default(),
            target_edges: Edges::default(),
            urgency: Urgency::default(),
            sources: Vec::new(),
            raised: Vec::new(),
            entered: Zone::default(),
            delayed: Vec::new(),
            taken: Zone::default(),
            renamed: Zone::default(),
            later: Zone::default(),
        }
    }
}

/// A cache of the urgency of locations, where that depends on no clock. A location is entered many times in sequence,
/// with different zones.
#[derive(Debug)]
struct Urgency<const W: usize> {
    known: Vec<Option<([u64; W], bool)>>,
}

impl<const W: usize> Default for Urgency<W> {
    fn default() -> Self {
        Urgency { known: Vec::new() }
    }
}

impl<const W: usize> Urgency<W> {
    /// The number of entries: a power of two.
    const SIZE: usize = 1 << 12;

    fn place(state: &[u64; W]) -> usize {
        foldhash::fast::FixedState::default().hash_one(state) as usize & (Self::SIZE - 1)
    }

    fn get(&self, state: &[u64; W]) -> Option<bool> {
        let (known, is_urgent) = self.known.get(Self::place(state))?.as_ref()?;
        (known == state).then_some(*is_urgent)
    }

    fn keep(&mut self, state: &[u64; W], is_urgent: bool) {
        self.known.resize(Self::SIZE, None);
        self.known[Self::place(state)] = Some((*state, is_urgent));
    }
}

thread_local! {
    /// A buffer for the comparison of zones.
    static LOCATION: RefCell<Location> = RefCell::default();
}

impl<'a, const W: usize, S: TimedSystem<W>, C: Cell> ZoneGraph<'a, W, S, C> {
    /// The zone graph of a system. All limits of the system must be at most [`Cell::MAX_LIMIT`].
    pub fn new(system: &'a S, abstraction: Abstraction, goal: Goal<'a>) -> Self {
        ZoneGraph { system, abstraction, goal, cells: PhantomData }
    }

    /// Sends the nodes for a zone with which the target location is entered.
    fn send_entered(&self, step: Step<W>, buffers: &mut Buffers<W, C>, send: &mut impl FnMut(Step<W>, &[C])) {
        let Buffers { target, target_edges, urgency, raised, renamed, later, .. } = buffers;
        target_edges.clear();
        let needs_edges = self.abstraction.splits || target.has_urgent_edges;
        let known = if needs_edges && !self.abstraction.splits { urgency.get(&step.target) } else { None };
        if let Some(is_urgent) = known {
            target.is_urgent |= is_urgent;
        } else if needs_edges {
            // A finding in the target is reported when it is expanded.
            _ = self.system.edges(&step.target, target, target_edges);
            settle_urgency(target, target_edges);
            if target_edges.urgent().all(<[Limit]>::is_empty) {
                urgency.keep(&step.target, target.is_urgent);
            }
        }
        let mut keep = |zone: &mut Zone<C>| {
            match self.abstraction.extrapolation {
                Extrapolation::Equivalent => zone.extrapolate(&target.limits, raised),
                Extrapolation::Simulated => zone.extrapolate_by_simulation(&target.limits, raised),
            }
            if self.abstraction.splits {
                send_split(zone, target, target_edges, &mut |zone| send(step, zone.cells()));
            } else {
                send(step, zone.cells());
            }
        };
        if self.abstraction.is_delayed {
            let guards = urgent_guards(target, target_edges);
            elapse(target, &guards, renamed, later, &mut |zone| keep(zone));
        } else if renamed.at_most(&target.bounds) {
            keep(renamed);
        }
    }

    fn judge(&self, state: &[u64; W], location: &Location, zone: &Zone<C>, edges: &Edges<W>) -> Judgment {
        if self.abstraction.splits && !location.is_urgent && waits_for_visible(edges) {
            return Judgment::Found(UNDECIDED);
        }
        match &self.goal {
            Goal::Wanted if self.system.is_wanted(state) => Judgment::Found(REACHED),
            Goal::Stuck if is_stuck(location, zone, edges) => Judgment::Found(STUCK),
            _ => Judgment::Fine,
        }
    }
}

/// Whether a visible edge is urgent: then the last moment may be before that of the invariants.
fn waits_for_visible<const W: usize>(edges: &Edges<W>) -> bool {
    let is_silent =
        |guard: &[Limit]| edges.iter().any(|edge| edge.step.label == Label::TAU && edges.guard(edge) == guard);
    edges.urgent().any(|guard| !guard.is_empty() && !is_silent(guard))
}

/// Makes a location urgent if an urgent edge has no guard.
pub(crate) fn settle_urgency<const W: usize>(location: &mut Location, edges: &Edges<W>) {
    location.is_urgent |= location.has_urgent_edges && edges.urgent().any(<[Limit]>::is_empty);
}

/// Whether some values of a zone are deadlocked.
pub(crate) fn is_stuck<const W: usize, C: Cell>(location: &Location, zone: &Zone<C>, edges: &Edges<W>) -> bool {
    // Most locations have an edge without a guard.
    if location.is_terminated || edges.iter().any(|edge| edges.guard(edge).is_empty()) {
        return false;
    }
    let guards: Vec<&[Limit]> = edges.iter().map(|edge| edges.guard(edge)).collect();
    let mut is_stuck = false;
    refusing(zone, location, &guards, &mut |_| is_stuck = true);
    is_stuck
}

/// The guards of urgent edges.
pub(crate) fn urgent_guards<'e, const W: usize>(location: &Location, edges: &'e Edges<W>) -> Vec<&'e [Limit]> {
    if location.has_urgent_edges { edges.urgent().collect() } else { Vec::new() }
}

/// Reports the zones reached by delay. The given zone may be changed; `later` is a buffer.
fn elapse<C: Cell>(
    location: &Location,
    urgent: &[&[Limit]],
    zone: &mut Zone<C>,
    later: &mut Zone<C>,
    report: &mut impl FnMut(&mut Zone<C>),
) {
    if !location.is_urgent && urgent.is_empty() {
        zone.delay();
        if zone.at_most(&location.bounds) {
            report(zone);
        }
        return;
    }
    if !zone.at_most(&location.bounds) {
        return;
    }
    if !location.is_urgent {
        later.load(zone.n_clocks(), zone.cells());
        later.delay();
        if later.at_most(&location.bounds) {
            until_one_is_met(later, urgent, report);
        }
    }
    report(zone);
}

/// Reports the values before or at the moment when the first guard is satisfied: each guard has a limit that is at most
/// just reached.
fn until_one_is_met<C: Cell>(zone: &Zone<C>, urgent: &[&[Limit]], report: &mut impl FnMut(&mut Zone<C>)) {
    let mut choices = vec![(zone.clone(), 0)];
    while let Some((mut zone, number)) = choices.pop() {
        let Some(guard) = urgent.get(number) else {
            report(&mut zone);
            continue;
        };
        for &limit in *guard {
            let mut part = zone.clone();
            if part.at_most(&[Limit { is_strict: false, ..limit }]) {
                choices.push((part, number + 1));
            }
        }
    }
}

/// Reports a zone, and separately its values from which no silent step is ever enabled.
fn send_split<const W: usize, C: Cell>(
    zone: &Zone<C>,
    location: &Location,
    edges: &Edges<W>,
    report: &mut impl FnMut(&Zone<C>),
) {
    let guards = |is_silent: bool| -> Vec<&[Limit]> {
        let edges_of_kind = edges.iter().filter(|edge| (edge.step.label == Label::TAU) == is_silent);
        edges_of_kind.map(|edge| edges.guard(edge)).collect()
    };
    let (silent, visible) = (guards(true), guards(false));
    let mut is_told = false;
    refusing(zone, location, &silent, &mut |stable| {
        for part in split(stable.clone(), location, &visible) {
            is_told |= part == *zone;
            report(&part);
        }
    });
    if !is_told {
        report(zone);
    }
}

impl<const W: usize, S: TimedSystem<W>, C: Cell> Space<W> for ZoneGraph<'_, W, S, C> {
    type Cell = C;
    type Buffers = Buffers<W, C>;

    fn initial(&self) -> [u64; W] {
        self.system.initial()
    }

    fn begin(&self, buffers: &mut Buffers<W, C>, steps: &mut Steps<W, C>) {
        let target = self.system.initial();
        self.system.location(&target, &mut buffers.target);
        buffers.renamed = Zone::at_zero(buffers.target.n_clocks());
        let step = Step { target, label: Label::TAU, rule: RuleId(0) };
        self.send_entered(step, buffers, &mut |step, cells| steps.push_with(step, cells));
    }

    fn expand(&self, node: Node<'_, W, C>, buffers: &mut Buffers<W, C>, steps: &mut Steps<W, C>) -> Judgment {
        let mut edges = std::mem::take(&mut buffers.edges);
        let mut delayed = std::mem::take(&mut buffers.delayed);
        edges.clear();
        self.system.location(node.state, &mut buffers.source);
        buffers.entered.load(buffers.source.n_clocks(), node.detail);
        let mut judgment = self.system.edges(node.state, &buffers.source, &mut edges);
        settle_urgency(&mut buffers.source, &edges);
        if judgment == Judgment::Fine {
            judgment = self.judge(node.state, &buffers.source, &buffers.entered, &edges);
        }
        if judgment == Judgment::Fine {
            delayed.clear();
            self.values_to_leave(buffers, &edges, &mut delayed);
            for edge in edges.iter() {
                let send = &mut |step: Step<W>, cells: &[C]| steps.push_with(step, cells);
                if let Some(finding) = self.take(edge, &edges, &delayed, buffers, send) {
                    judgment = Judgment::Found(finding);
                }
            }
        }
        (buffers.edges, buffers.delayed) = (edges, delayed);
        judgment
    }

    fn has_covering(&self) -> bool {
        self.abstraction.covering != Covering::Equal
    }

    fn covers(&self, state: &[u64; W], larger: &[C], smaller: &[C]) -> bool {
        is_within(smaller, larger)
            || self.abstraction.covering == Covering::Simulating
                && LOCATION.with_borrow_mut(|location| {
                    self.system.location(state, location);
                    is_simulated(smaller, larger, &location.limits)
                })
    }
}

impl<const W: usize, S: TimedSystem<W>, C: Cell> ZoneGraph<'_, W, S, C> {
    /// The zones from which steps are taken.
    fn values_to_leave(&self, buffers: &mut Buffers<W, C>, edges: &Edges<W>, delayed: &mut Vec<Zone<C>>) {
        let Buffers { source, entered, later, .. } = buffers;
        if !self.abstraction.is_delayed {
            let guards = urgent_guards(source, edges);
            elapse(source, &guards, entered, later, &mut |zone| delayed.push(zone.clone()));
        }
    }

    /// Sends the target of an edge, unless taking the edge is the goal.
    fn take(
        &self,
        edge: &Edge<W>,
        edges: &Edges<W>,
        delayed: &[Zone<C>],
        buffers: &mut Buffers<W, C>,
        send: &mut impl FnMut(Step<W>, &[C]),
    ) -> Option<u32> {
        let guard = edges.guard(edge);
        let finding = match &self.goal {
            _ if edge.step.rule == FAILED => Some(FAILURE),
            Goal::Labels(labels) => labels.contains(&edge.step.label).then_some(REACHED),
            _ => None,
        };
        // Termination has no node in this abstraction.
        if finding.is_none() && edge.step.label == Label::TICK && !self.abstraction.has_end {
            return None;
        }
        let n_zones = if self.abstraction.is_delayed { 1 } else { delayed.len() };
        let mut is_described = false;
        for number in 0..n_zones {
            let zone = delayed.get(number).unwrap_or(&buffers.entered);
            // Avoids a copy if there is no guard.
            let mut is_possible = true;
            if !guard.is_empty() {
                buffers.taken.load(zone.n_clocks(), zone.cells());
                is_possible = buffers.taken.at_least(guard);
            }
            if !is_possible {
                continue;
            }
            if finding.is_some() {
                return finding;
            }
            if !std::mem::replace(&mut is_described, true) {
                self.system.location(&edge.step.target, &mut buffers.target);
                buffers.sources.clear();
                self.system.sources(&buffers.source, edges, edge, &buffers.target, &mut buffers.sources);
            }
            let zone = if guard.is_empty() { zone } else { &buffers.taken };
            zone.rename(&buffers.sources, &mut buffers.renamed);
            self.send_entered(edge.step, buffers, send);
        }
        None
    }
}
