//! The schedule: which engines run, from when on, and with which share of the work.
//!
//! A schedule is a table of [rows](Row), computed from [`Features`] alone: neither time nor earlier verdicts play a
//! role. Most systems are small, so the plain search runs first and alone; its counterexamples are the shortest. Rows
//! start when the plain search has done the work in their column `after`, and a row never spends more than its share of
//! what the plain search has spent by then. So the schedule costs at most a constant factor over the plain search, and
//! cheap engines that decide the claim do so soon after the search turns out to be long.
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
use crate::engines::temporal::{
    BottomComponents, DeadlockedRuns, ExplicitProduct, FormulaProblem, FormulaSystem, Labeling, LabelingOnTheFly,
    LoweredFormula, PartialOrderProof, ProductOnTheFly, ReducedProduct,
};
use crate::engines::watchdog::WatchdogComposition;
use crate::engines::zones::ZoneSearch;
use lts::Model;
use model::network::Network;
use property::ReductionKind;
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
    /// A temporal formula.
    Formula(FormulaFeatures),
    /// Reachability in a timed network.
    TimedReachability,
}

/// Logics of temporal formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// Linear time.
    Linear,
    /// Branching time.
    Branching,
}

/// Facts about a temporal formula and its system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormulaFeatures {
    /// The logic.
    pub logic: Logic,
    /// Whether the system is a network; an explicit system otherwise.
    pub is_network: bool,
    /// Whether fairness is demanded.
    pub is_fair: bool,
    /// Whether it is decided only when all divergences are known.
    pub needs_all_states: bool,
    /// Whether bottom components alone decide it.
    pub is_decided_by_components: bool,
    /// Whether a proof may use partial-order reduction.
    pub allows_partial_order: bool,
    /// The reduction that the user asked for.
    pub reduction: Option<ReductionKind>,
}

impl FormulaFeatures {
    /// The features of a formula.
    pub fn of(problem: &FormulaProblem<'_>) -> FormulaFeatures {
        let logic = match problem.formula {
            LoweredFormula::Linear(_) => Logic::Linear,
            LoweredFormula::Branching(_) => Logic::Branching,
        };
        FormulaFeatures {
            logic,
            is_network: matches!(problem.system, FormulaSystem::Network(_)),
            is_fair: problem.properties().iter().any(|property| !property.fairness.is_none()),
            needs_all_states: problem.needs_all_states(),
            is_decided_by_components: problem.is_decided_by_components(),
            allows_partial_order: problem.allows_partial_order && !problem.asks_for_silence(),
            reduction: problem.reduction,
        }
    }
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
        match self {
            PropertyKind::Refinement(_) | PropertyKind::DeadlockFreedom(_) | PropertyKind::DivergenceFreedom => true,
            PropertyKind::Determinism
            | PropertyKind::OnTheFly
            | PropertyKind::Formula(_)
            | PropertyKind::TimedReachability => false,
        }
    }

    /// The features of the formula, if it is one.
    pub fn formula(&self) -> Option<&FormulaFeatures> {
        match self {
            PropertyKind::Formula(features) => Some(features),
            _ => None,
        }
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
    /// Whether a counterexample is wanted, wherever it is: reachability of states that a script expects to be
    /// reachable.
    pub is_wanted: bool,
    /// Threads.
    pub n_workers: usize,
}

impl Features {
    /// The features of a property whose engines need no facts about machines.
    pub fn plain(property: PropertyKind, n_workers: usize) -> Features {
        let (n_machines, size) = (0, 0);
        Features { property, n_machines, size, can_compose: false, can_encode: false, is_wanted: false, n_workers }
    }

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
            is_wanted: false,
            n_workers,
        }
    }
}

/// How the driver treats a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The engine against which all others are measured. Every such row begins a stage of the schedule; a stage follows
    /// when the budget of the stage before is exhausted.
    Main,
    /// A reduced search, which decides whatever the main row decides. It takes the place of the main row if it reaches
    /// the same depth with a fraction of the work, and is dropped otherwise.
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
    /// States that it may visit.
    pub budget: u64,
}

impl Row {
    /// A stage with one engine, which may visit so many states.
    pub const fn stage(engine: &'static dyn Engine, budget: u64) -> Row {
        Row { engine, role: Role::Main, after: 0, share: Share::FULL, budget }
    }

    /// A row without a budget of its own.
    pub const fn unbounded(engine: &'static dyn Engine, role: Role, after: u64, share: Share) -> Row {
        Row { engine, role, after, share, budget: u64::MAX }
    }

    /// When it runs.
    pub fn pace(&self) -> Pace {
        Pace { role: self.role, after: self.after, share: self.share }
    }
}

/// A row for each engine, in the order in which they start.
///
/// Work is counted in units of a step of a narrow state, about 50 ns. 2^20 units are about 2^18 states.
const TABLE: &[Row] = &[
    Row::stage(&ExplicitSearch::PLAIN, u64::MAX),
    Row::stage(&OnTheFly, u64::MAX),
    // Decisive within milliseconds, or not at all.
    Row::unbounded(&StructuralDeterminism, Role::Trial, 1 << 12, Share::FULL),
    Row::unbounded(&PlaceInvariants, Role::Trial, 1 << 16, Share::FULL),
    // Pieces stay small where components hide what they do together; it shows soon.
    Row::unbounded(&WatchdogComposition, Role::Trial, 1 << 17, Share::HALF),
    Row::unbounded(&CompositionalMinimisation, Role::Trial, 1 << 17, Share::HALF),
    Row::unbounded(&ComposedDeterminism, Role::Trial, 1 << 17, Share::HALF),
    Row::unbounded(&Induction::SHALLOW, Role::Trial, 1 << 18, Share::FULL),
    Row::unbounded(&ExplicitSearch::PARTIAL_ORDER, Role::Rival, 1 << 20, Share::HALF),
    Row::unbounded(&ExplicitSearch::SYMMETRY, Role::Rival, 1 << 20, Share::HALF),
    Row::unbounded(&DepthFirstProbe, Role::TrialOnWideFrontier, 1 << 20, Share::PROBE),
    Row::unbounded(&ExplicitDeterminism, Role::Trial, 1 << 22, Share::FULL),
    // One solver looks for counterexamples, the other for a proof: what is best at the one is bad at the other.
    Row::unbounded(&Bounded, Role::Parallel, 1 << 20, Share::QUARTER),
    Row::unbounded(&Pdr, Role::Parallel, 1 << 20, Share::QUARTER),
];

/// The engines that visit states one by one, without reductions.
const EXPLICIT: &[Row] = &[
    Row::stage(&ExplicitSearch::PLAIN, u64::MAX),
    Row::stage(&OnTheFly, u64::MAX),
    Row::unbounded(&DepthFirstProbe, Role::TrialOnWideFrontier, 1 << 24, Share::PROBE),
    Row::unbounded(&ExplicitDeterminism, Role::Trial, 1 << 22, Share::FULL),
];

/// Stages before those of the table where a counterexample is wanted: near the start the shortest is found soon, and
/// far from it a depth-first probe finds one sooner than a search that visits everything before it.
const WANTED: &[Row] = &[Row::stage(&ExplicitSearch::PLAIN, 1 << 17), Row::stage(&DepthFirstProbe, 1 << 21)];

/// Stages of formulas: most properties that fail do so near the start.
const FORMULAS: &[Row] = &[
    Row::stage(&ReducedProduct, 50_000),
    Row::stage(&ProductOnTheFly, 50_000),
    Row::stage(&LabelingOnTheFly, 50_000),
    Row::stage(&DeadlockedRuns, 250_000),
    Row::stage(&PartialOrderProof, 50_000),
    Row::stage(&BottomComponents, u64::MAX),
    Row::stage(&ExplicitProduct, u64::MAX),
    Row::stage(&Labeling, u64::MAX),
];

/// Stages of timed networks. Their engine searches breadth first at the beginning.
const TIMED: &[Row] = &[Row::stage(&ZoneSearch, u64::MAX)];

/// The rows of the table that apply.
pub fn schedule(features: &Features) -> Vec<Row> {
    match features.property {
        PropertyKind::Formula(_) => rows(FORMULAS, features),
        PropertyKind::TimedReachability => rows(TIMED, features),
        _ if features.is_wanted => [rows(WANTED, features), rows(TABLE, features)].concat(),
        _ => rows(TABLE, features),
    }
}

/// A budget of states for a network, as if its states were narrow: states of very many machines are as wide as these
/// are many, and have about as many steps.
pub fn width_scaled(budget: u64, network: &Network) -> u64 {
    /// Networks with at most so many machines have narrow states.
    const NARROW: usize = 64;
    /// States that are searched however wide they are.
    const LEAST: u64 = 1 << 10;
    let width = network.machines.len().div_ceil(NARROW).max(1) as u64;
    (budget / width.saturating_mul(width)).max(LEAST)
}

/// States of a process that are explored on the fly for a formula at first, and the factor by which they grow while
/// they do not decide it.
pub const FORMULA_ROUNDS: (usize, usize) = (5_000, 4);

/// The rows for an explicit search without reductions.
pub fn explicit(features: &Features) -> Vec<Row> {
    rows(EXPLICIT, features)
}

/// The pace of exploring a process on the fly while its network is compiled: either may be much faster, which is not
/// known before.
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

/// The forms of a process, in the order in which they are tried. A form is tried if the process was compiled at most so
/// far as its column `after` says. A process without end may have a short counterexample, so its states are explored
/// for a while before more effort is spent on a network.
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

/// How a refinement is decided whose specification may be large: states of the specification that are written down, and
/// then, if there are more, pairs that are visited with the specification explored on the fly, too. After the last
/// round all of the specification is written down.
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
        is_wanted: false,
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
