//! The schedule: which engines run, from when on, and with which share of the work.
//!
//! A schedule is a table of [rows](Row), computed from [`Features`] alone: neither time nor earlier verdicts play a role. Most systems are small, so
//! the plain search runs first and alone; its counterexamples are the shortest. Rows start when the plain search has done the work in their column
//! `after`, and a row never spends more than its share of what the plain search has spent by then. So the schedule costs at most a constant factor
//! over the plain search, and cheap engines that decide the claim do so soon after the search turns out to be long.
//!
//! Every engine decides by itself or not at all, so no schedule changes a verdict.

use crate::Claim;
use crate::engine::Engine;
use crate::engines::composition::{CompositionalMinimisation, can_compose};
use crate::engines::determinism::{ComposedDeterminism, ExplicitDeterminism, StructuralDeterminism};
use crate::engines::on_the_fly::OnTheFly;
use crate::engines::place_invariants::PlaceInvariants;
use crate::engines::probe::DepthFirstProbe;
use crate::engines::sat::{Bounded, Induction, Pdr};
use crate::engines::search::ExplicitSearch;
use crate::engines::watchdog::WatchdogComposition;
use lts::Model;
use model::network::Network;
use std::fmt;

/// Kinds of properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// Refinement in a model, with a normal form that can be built in advance.
    Refinement(Model),
    /// Deadlock freedom.
    DeadlockFreedom(Model),
    /// Divergence freedom.
    DivergenceFreedom,
    /// Determinism, which compares runs with each other.
    Determinism,
    /// A trace, or a refinement whose normal form is built on the fly.
    OnTheFly,
}

impl PropertyKind {
    /// The kind of a claim.
    pub fn of(claim: &Claim) -> PropertyKind {
        match claim {
            Claim::Refines(specification) => PropertyKind::Refinement(specification.model()),
            Claim::DeadlockFree(model) => PropertyKind::DeadlockFreedom(*model),
            Claim::DivergenceFree => PropertyKind::DivergenceFreedom,
            Claim::Deterministic(_) => PropertyKind::Determinism,
            Claim::HasTrace(..) => PropertyKind::OnTheFly,
        }
    }

    /// Whether one run refutes it, so that an observer can run in lockstep with the network.
    pub fn has_observer(self) -> bool {
        !matches!(self, PropertyKind::Determinism | PropertyKind::OnTheFly)
    }
}

/// Facts about a claim and a network that are known before the first search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Features {
    /// The kind of the claim.
    pub property: PropertyKind,
    /// Machines.
    pub n_machines: usize,
    /// Local states and rules, in all.
    pub size: usize,
    /// Whether machines can be composed and minimised. Termination is no obstacle where a watchdog hides it.
    pub can_compose: bool,
    /// Whether there is a propositional encoding of the size of the network.
    pub can_encode: bool,
    /// Threads.
    pub n_workers: usize,
}

impl Features {
    /// The features of a network.
    pub fn of(property: PropertyKind, network: &Network, n_workers: usize) -> Features {
        let n_rules: usize = network.modes.iter().map(|mode| mode.rules.len()).sum();
        let n_local: usize = network.machines.iter().map(|machine| machine.n_states()).sum();
        Features {
            property,
            n_machines: network.machines.len(),
            size: n_rules + n_local,
            can_compose: can_compose(network, matches!(property, PropertyKind::Refinement(_))),
            can_encode: network.data.is_empty() && !network.has_priorities(),
            n_workers,
        }
    }
}

/// How the driver treats a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The plain search, against which all others are measured. A schedule has one such row, the first.
    Main,
    /// A reduced search, which decides whatever the main row decides. It takes the place of the main row if it reaches the same depth with a fraction
    /// of the work, and is dropped otherwise.
    Rival,
    /// Takes turns with the main row.
    Trial,
    /// Takes turns with the main row, while more than a part of the visited states is waiting to be expanded.
    TrialOnWideFrontier,
    /// Takes turns with the main row, while that prepares something: compiles or compresses.
    TrialWhilePreparing,
    /// Runs in parallel, on a thread of its own.
    Parallel,
}

/// A share of the work of the main row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Units of work that a row may do in any case, once it has started.
    pub ahead: u64,
    /// One part in so many of the first [`Share::EARLY_WORK`] units.
    pub early: u64,
    /// One part in so many of what follows.
    pub late: u64,
}

impl Share {
    /// About one second of work.
    pub const EARLY_WORK: u64 = 1 << 24;
    /// As much as the main row, at first.
    const FULL: Share = Share { ahead: 0, early: 1, late: 8 };
    /// A quarter.
    const QUARTER: Share = Share { ahead: 0, early: 4, late: 4 };
    /// A quarter at first: what probes find at all, they mostly find soon.
    const PROBE: Share = Share { ahead: 0, early: 4, late: 16 };
    /// One half, at first.
    const HALF: Share = Share { ahead: 0, early: 2, late: 8 };

    /// The work that a row may have done when the main row has done so much.
    pub fn of(self, main: u64) -> u64 {
        let share = main.min(Share::EARLY_WORK) / self.early + main.saturating_sub(Share::EARLY_WORK) / self.late;
        self.ahead.saturating_add(share)
    }
}

/// When a row runs, and for how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// How the driver treats it.
    pub role: Role,
    /// Units of work of the main row before it starts.
    pub after: u64,
    /// The share of the work.
    pub share: Share,
}

impl Pace {
    /// The pace of the main row.
    pub const MAIN: Pace = Pace { role: Role::Main, after: 0, share: Share::FULL };
}

/// A row of the schedule.
#[derive(Clone, Copy)]
pub struct Row {
    /// The engine.
    pub engine: &'static dyn Engine,
    /// How the driver treats it.
    pub role: Role,
    /// Units of work of the main row before it starts.
    pub after: u64,
    /// The share of the work.
    pub share: Share,
}

impl Row {
    /// When it runs.
    pub fn pace(&self) -> Pace {
        Pace { role: self.role, after: self.after, share: self.share }
    }
}

/// A row for each engine, in the order in which they start.
///
/// Work is counted in units of a step of a narrow state, about 50 ns. 2^20 units are about 2^18 states.
const TABLE: &[Row] = &[
    Row { engine: &ExplicitSearch::PLAIN, role: Role::Main, after: 0, share: Share::FULL },
    Row { engine: &OnTheFly, role: Role::Main, after: 0, share: Share::FULL },
    // Decisive within milliseconds, or not at all.
    Row { engine: &StructuralDeterminism, role: Role::Trial, after: 1 << 12, share: Share::FULL },
    Row { engine: &PlaceInvariants, role: Role::Trial, after: 1 << 16, share: Share::FULL },
    // Pieces stay small where components hide what they do together; it shows soon.
    Row { engine: &WatchdogComposition, role: Role::Trial, after: 1 << 17, share: Share::HALF },
    Row { engine: &CompositionalMinimisation, role: Role::Trial, after: 1 << 17, share: Share::HALF },
    Row { engine: &ComposedDeterminism, role: Role::Trial, after: 1 << 17, share: Share::HALF },
    Row { engine: &Induction::SHALLOW, role: Role::Trial, after: 1 << 18, share: Share::FULL },
    Row { engine: &ExplicitSearch::PARTIAL_ORDER, role: Role::Rival, after: 1 << 20, share: Share::HALF },
    Row { engine: &ExplicitSearch::SYMMETRY, role: Role::Rival, after: 1 << 20, share: Share::HALF },
    Row { engine: &DepthFirstProbe, role: Role::TrialOnWideFrontier, after: 1 << 20, share: Share::PROBE },
    Row { engine: &ExplicitDeterminism, role: Role::Trial, after: 1 << 22, share: Share::FULL },
    // One solver looks for counterexamples, the other for a proof: what is best at the one is bad at the other.
    Row { engine: &Bounded, role: Role::Parallel, after: 1 << 20, share: Share::QUARTER },
    Row { engine: &Pdr, role: Role::Parallel, after: 1 << 20, share: Share::QUARTER },
];

/// The engines that visit states one by one, without reductions.
const EXPLICIT: &[Row] = &[
    Row { engine: &ExplicitSearch::PLAIN, role: Role::Main, after: 0, share: Share::FULL },
    Row { engine: &OnTheFly, role: Role::Main, after: 0, share: Share::FULL },
    Row { engine: &DepthFirstProbe, role: Role::TrialOnWideFrontier, after: 1 << 24, share: Share::PROBE },
    Row { engine: &ExplicitDeterminism, role: Role::Trial, after: 1 << 22, share: Share::FULL },
];

/// The rows of the table that apply.
pub fn schedule(features: &Features) -> Vec<Row> {
    rows(TABLE, features)
}

/// The rows for an explicit search without reductions.
pub fn explicit(features: &Features) -> Vec<Row> {
    rows(EXPLICIT, features)
}

/// The pace of exploring a process on the fly while its network is compiled: either may be much faster, which is not known before.
pub const BESIDE_COMPILATION: Pace =
    Pace { role: Role::TrialWhilePreparing, after: 1 << 20, share: Share { ahead: 0, early: 2, late: 4 } };

/// The form in which a process is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Its timed network, by zones.
    TimedNetwork,
    /// Its locations, by zones.
    Zones,
    /// Its network, if it is compiled soon.
    Network,
    /// Its network, compiled while it is searched.
    LazyNetwork,
    /// Its network, compiled with all effort.
    WholeNetwork,
    /// Its states, explored on the fly.
    OnTheFly,
}

/// Facts about a process that decide which forms are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FormFeatures {
    /// Whether time passes in it.
    pub is_timed: bool,
    /// Whether zones are meant for it: times are long, or the user asked for them.
    pub prefers_zones: bool,
    /// Whether another thread explores it on the fly while this one compiles.
    pub is_accompanied: bool,
}

/// A row of the table of forms.
#[derive(Clone, Copy, Debug)]
pub struct FormRow {
    /// The form.
    pub form: Form,
    /// Whether it comes into question.
    applies: fn(&FormFeatures) -> bool,
    /// What was compiled before, for it to make sense.
    pub after: Compiled,
    /// States that it may visit, while there are other forms.
    pub max_states: u64,
}

/// How far a process was compiled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Compiled {
    /// To the network that the script asks for.
    Fully,
    /// To a larger network, because compressions were given up.
    WithoutCompressions,
    /// Not soon.
    Not,
}

/// States that are explored on the fly before more effort is spent on a network.
pub const MAX_EXPLORED_FIRST: u64 = 20_000;

/// The forms of a process, in the order in which they are tried. A form is tried if the process was compiled at most so far as its column `after`
/// says. A process without end may have a short counterexample, so its states are explored for a while before more effort is spent on a network.
const FORMS: &[FormRow] = &[
    FormRow { form: Form::TimedNetwork, applies: |of| of.is_timed, after: Compiled::Fully, max_states: u64::MAX },
    FormRow { form: Form::Zones, applies: |of| of.prefers_zones, after: Compiled::Fully, max_states: u64::MAX },
    FormRow { form: Form::Network, applies: |_| true, after: Compiled::Fully, max_states: 1 << 25 },
    FormRow { form: Form::OnTheFly, applies: |_| true, after: Compiled::Not, max_states: MAX_EXPLORED_FIRST },
    FormRow { form: Form::LazyNetwork, applies: |_| true, after: Compiled::Not, max_states: u64::MAX },
    FormRow {
        form: Form::OnTheFly,
        applies: |of| !of.is_accompanied,
        after: Compiled::WithoutCompressions,
        max_states: 1 << 20,
    },
    FormRow { form: Form::WholeNetwork, applies: |_| true, after: Compiled::WithoutCompressions, max_states: u64::MAX },
    FormRow { form: Form::OnTheFly, applies: |_| true, after: Compiled::Fully, max_states: u64::MAX },
];

/// The forms that come into question for a process.
pub fn forms(features: &FormFeatures) -> impl Iterator<Item = FormRow> {
    FORMS.iter().filter(|row| (row.applies)(features)).copied()
}

/// How a refinement is decided whose specification may be large: states of the specification that are written down, and then, if there are more,
/// pairs that are visited with the specification explored on the fly, too. After the last round all of the specification is written down.
pub const SPECIFICATION_ROUNDS: [(u64, usize); 2] = [(1 << 17, 1 << 20), (1 << 22, 1 << 23)];

fn rows(table: &[Row], features: &Features) -> Vec<Row> {
    let fits = |row: &&Row| row.engine.applies(features) && (row.role != Role::Parallel || features.n_workers > 1);
    table.iter().filter(fits).copied().collect()
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} after {} {:?}", self.engine.name(), self.role, self.after, self.share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETWORK: Features = Features {
        property: PropertyKind::Refinement(Model::Failures),
        n_machines: 10,
        size: 500,
        can_compose: true,
        can_encode: true,
        n_workers: 2,
    };

    fn names(features: &Features) -> Vec<&'static str> {
        schedule(features).iter().map(|row| row.engine.name()).collect()
    }

    #[test]
    fn engines_that_apply_are_scheduled() {
        assert_eq!(names(&NETWORK), ["search", "watchdog", "partial-order", "symmetry", "dive", "bmc", "pdr"]);
        let deadlock = Features { property: PropertyKind::DeadlockFreedom(Model::Failures), ..NETWORK };
        assert_eq!(
            names(&deadlock),
            ["search", "balance", "composition", "partial-order", "symmetry", "dive", "bmc", "pdr"]
        );
        let divergence = Features { property: PropertyKind::DivergenceFreedom, ..NETWORK };
        assert_eq!(names(&divergence), ["search", "composition", "partial-order", "symmetry", "dive"]);
        let with_variables = Features { can_compose: false, can_encode: false, ..NETWORK };
        assert_eq!(names(&with_variables), ["search", "partial-order", "symmetry", "dive"]);
        let revivals = Features { property: PropertyKind::Refinement(Model::Revivals), ..NETWORK };
        assert_eq!(names(&revivals), ["search", "partial-order", "symmetry", "dive"]);
        assert_eq!(names(&Features { n_machines: 1, n_workers: 1, ..NETWORK }), ["search", "dive"]);
        let very_wide = Features { n_machines: 300, ..NETWORK };
        assert_eq!(names(&very_wide)[..3], ["search", "watchdog", "induction"]);
        let determinism = Features { property: PropertyKind::Determinism, ..NETWORK };
        assert_eq!(names(&determinism), ["on-the-fly", "structure", "composition", "explicit"]);
        assert_eq!(names(&Features { property: PropertyKind::OnTheFly, ..NETWORK }), ["on-the-fly"]);
    }

    #[test]
    fn one_thread_has_no_parallel_rows() {
        let rows = schedule(&Features { n_workers: 1, ..NETWORK });
        assert!(rows.iter().all(|row| row.role != Role::Parallel), "{rows:?}");
    }

    #[test]
    fn formulas_that_would_be_too_large_are_not_made() {
        assert!(names(&Features { size: 100_000, ..NETWORK }).contains(&"pdr"));
        assert!(!names(&Features { size: 1_000_000, ..NETWORK }).contains(&"pdr"));
    }

    /// The first row of every schedule is the main one, and there is no other.
    #[test]
    fn there_is_one_main_row() {
        let properties = [
            PropertyKind::Refinement(Model::Traces),
            PropertyKind::DeadlockFreedom(Model::FailuresDivergences),
            PropertyKind::DivergenceFreedom,
            PropertyKind::Determinism,
            PropertyKind::OnTheFly,
        ];
        for property in properties {
            for rows in [schedule, explicit] {
                let rows = rows(&Features { property, ..NETWORK });
                assert_eq!(rows[0].role, Role::Main, "{rows:?}");
                assert!(rows[1..].iter().all(|row| row.role != Role::Main), "{rows:?}");
            }
        }
    }

    #[test]
    fn forms_of_a_process_without_time() {
        let names = |features: &FormFeatures| forms(features).map(|row| row.form).collect::<Vec<_>>();
        let of = |is_accompanied| names(&FormFeatures { is_accompanied, ..FormFeatures::default() });
        let (first, last) = ([Form::Network, Form::OnTheFly, Form::LazyNetwork], [Form::WholeNetwork, Form::OnTheFly]);
        assert_eq!(of(true), [&first[..], &last].concat());
        assert_eq!(of(false), [&first[..], &[Form::OnTheFly], &last].concat());
    }

    #[test]
    fn forms_of_time_come_first() {
        let features = FormFeatures { is_timed: true, prefers_zones: true, is_accompanied: false };
        let timed: Vec<Form> = forms(&features).map(|row| row.form).take(2).collect();
        assert_eq!(timed, [Form::TimedNetwork, Form::Zones]);
    }

    /// Whatever was compiled, the last form is tried, and without a bound of its own.
    #[test]
    fn the_last_form_decides_everything() {
        let last = forms(&FormFeatures::default()).last().expect("the table is not empty");
        assert_eq!((last.form, last.after, last.max_states), (Form::OnTheFly, Compiled::Fully, u64::MAX));
    }

    /// No row spends more than the main one, and in the long run all trials together spend less than it.
    #[test]
    fn shares_are_bounded_by_the_main_row() {
        for work in [0, 1, 1 << 12, Share::EARLY_WORK, Share::EARLY_WORK * 1000] {
            assert!(TABLE.iter().all(|row| row.share.of(work) <= work), "{work}");
        }
        let work = Share::EARLY_WORK * 1000;
        // A rival is judged once, and is the main row or gone after that.
        let takes_turns = |row: &&Row| matches!(row.role, Role::Trial | Role::TrialOnWideFrontier);
        let deadlock = Features { property: PropertyKind::DeadlockFreedom(Model::Failures), ..NETWORK };
        for features in [NETWORK, deadlock, Features { n_machines: 300, ..deadlock }] {
            let rows = schedule(&features);
            let spent: u64 = rows.iter().filter(takes_turns).map(|row| row.share.of(work)).sum();
            assert!(spent < work, "{spent}");
        }
    }
}
