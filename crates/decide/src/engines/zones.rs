//! Zone graphs of timed networks: Alur and Dill (1994), *A theory of timed automata*; Bengtsson and Yi (2004), *Timed
//! automata: semantics, algorithms and tools*.

use crate::engine::{Engine, Evidence, Problem, Report, Subject};
use crate::schedule::{Features, PropertyKind};
use crate::{Reason, Statistics};
use progress::Progress;

/// Search of the zone graph on all cores: breadth first at the beginning, later interleaved with depth-first probes.
pub struct ZoneSearch;

impl Engine for ZoneSearch {
    fn name(&self) -> &'static str {
        "zones"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property == PropertyKind::TimedReachability
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let Subject::Timed(network, question) = problem.subject else {
            return Report::unknown(Reason::Unsupported);
        };
        let limits = problem.search_limits();
        let Ok(report) = zones::check(network, question, question.abstraction(), &limits, progress) else {
            return Report::unknown(Reason::TooWide);
        };
        let statistics = Statistics {
            n_states: report.statistics.n_states,
            n_transitions: report.statistics.n_transitions,
            ..Statistics::default()
        };
        Report { statistics, ..Report::of(report.verdict.map(Evidence::TimedRun)) }
    }
}
