//! Verdicts on properties of processes, with evidence that is not replayed yet.

use super::Checked;
use super::judge::Fault;
use super::replay::{Counterexample, Replayed};
use super::report::{Family, Temporal, Verdict};
use decide::Statistics;
use frontend::{Asserted, Goal, Lowered, State, Step, Time};
use lts::Label;
use model::network::NetworkStep;

/// The verdict on a property of a process.
pub(super) struct Decided {
    /// Whether the property holds.
    pub(super) holds: bool,
    /// The run that shows it, if there is one: it refutes the property, or leads to a state that is to be reached.
    pub(super) evidence: Option<Evidence>,
    /// Size of the search.
    pub(super) statistics: Statistics,
    /// Details of a temporal property.
    pub(super) temporal: Option<Box<Temporal>>,
    /// The members of families that the evidence is about.
    pub(super) families: Vec<Family>,
    /// Remarks for the user.
    pub(super) notes: Vec<String>,
}

impl Decided {
    /// A property that holds.
    pub(super) fn holds(statistics: Statistics) -> Decided {
        Decided { holds: true, evidence: None, statistics, temporal: None, families: Vec::new(), notes: Vec::new() }
    }

    /// A property that fails, with the run that refutes it.
    pub(super) fn fails(evidence: Evidence, statistics: Statistics) -> Decided {
        Decided { holds: false, evidence: Some(evidence), ..Decided::holds(statistics) }
    }

    /// Reachability of a state, wanted or not, with the run that leads there if it is reached.
    pub(super) fn reaches(evidence: Option<Evidence>, is_wanted: bool, statistics: Statistics) -> Decided {
        Decided { holds: evidence.is_some() == is_wanted, evidence, ..Decided::holds(statistics) }
    }

    /// The answer without its counterexample.
    pub(super) fn into_checked(self, counterexample: Option<super::Counterexample>) -> Checked {
        let verdict = if self.holds { Verdict::Holds } else { Verdict::Fails };
        let Decided { statistics, temporal, notes, .. } = self;
        Checked { statistics, temporal, notes, ..Checked::new(verdict, counterexample) }
    }
}

/// A run that an engine found, and what it is said to show.
pub(super) enum Evidence {
    /// It refutes a claim about a process.
    Claim { asserted: Asserted, process: State, run: FoundRun },
    /// It leads to a state with the goal. For a smallest or greatest value, that value.
    Reached { process: State, goal: Goal, optimum: Option<i64>, path: FoundPath },
    /// Its last event is at a time at which the specification allows only these events.
    Untimely { process: State, path: Vec<(Time, Step)>, allowed: Vec<Label> },
    /// It was replayed where it was found.
    Replayed(Box<Replayed>),
}

/// A run that is said to refute a claim.
pub(super) enum FoundRun {
    /// A run of the network of the process.
    Network(Lowered, Counterexample<NetworkStep>),
    /// A run of its states.
    States(Counterexample<Step>),
    /// A run of its zones.
    Zones(Moves, Fault),
}

/// A run to a state that was looked for.
pub(super) enum FoundPath {
    /// The states on the way, the first and the last included.
    States(Vec<State>),
    /// A run of zones.
    Zones(Moves),
}

/// Labels, each with the time that passes before it.
pub(super) type Moves = Vec<(Label, Time)>;
