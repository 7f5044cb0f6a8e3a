//! Decides claims about systems.
//!
//! A [`Claim`] is about labels only: that a system refines a specification, is free of deadlock or divergence, is
//! deterministic, or has a trace. An [`Answer`] is a proof that it holds, a run that refutes it, or the reason why
//! neither was found. Nothing here knows of processes or scripts.
//!
//! [`decide()`] answers for a network: a [schedule](schedule()) says which [engines](Engine) run and with which share
//! of the work, and the driver runs them under budgets. [`decide_lazily`] answers for a network that is compiled while
//! it is searched, [`decide_on_the_fly`] for any other system, and [`refine_on_the_fly`] for one whose specification is
//! explored on the fly, too. Every run they find is one of the system as it was given.

mod answer;
mod decide;
mod driver;
mod engine;
mod engines;
mod observers;
mod schedule;

pub use answer::{Answer, Composed, NetworkAnswer, Reduced, Statistics};
pub use decide::{
    Method, Reduce, decide, decide_by_rows, decide_by_schedule, decide_formula, decide_timed, decide_wanted,
};
pub use driver::{Charge, Conclusion, Meter, Task, Work, drive};
pub use engine::{ClaimProblem, Engine, Evidence, Problem, Report, Subject};
pub use engines::composition::{Composition, CompositionalMinimisation, Sight, Strategy, compose, strategies};
pub use engines::lazy::{LazyAnswer, LazyNetwork, OpenStates, decide_lazily};
pub use engines::on_the_fly::{OnTheFly, decide_on_the_fly, refine_on_the_fly};
pub use engines::place_invariants::PlaceInvariants;
pub use engines::probe::DepthFirstProbe;
pub use engines::sat::{Bounded, Formulas, Induction, Pdr, SatEngine, decide_by_formulas};
pub use engines::search::ExplicitSearch;
pub use engines::temporal::{
    Algorithm, BottomComponents, DeadlockedRuns, ExplicitProduct, FormulaDetails, FormulaProblem, FormulaSystem,
    FoundRun, Labeling, LabelingOnTheFly, LassoSearch, LoweredFormula, NetworkSystem, PartialOrderProof,
    ProductOnTheFly, Reduced as FormulaReduced, ReducedProduct, Seen, Silence, ViolatedProperty, Violation,
    occurring_in, occurring_in_network, weakest_fairness,
};
pub use engines::watchdog::{Watchdog, WatchdogComposition, Watched, watched};
pub use engines::zones::ZoneSearch;
pub use lts::refine::{Claim, Specification};
pub use lts::{Counterexample, Fault, Reason, Verdict};
pub use schedule::{
    BESIDE_COMPILATION, Compiled, FORMULA_ROUNDS, Features, Form, FormFeatures, FormRow, FormulaFeatures, Logic,
    MAX_EXPLORED_FIRST, Pace, PropertyKind, Role, Row, SPECIFICATION_ROUNDS, Share, forms, schedule,
};
pub use symbolic::{Direction, Encoding, Frequency, Proof, Settings, Solvers};

/// A run of a network that refutes a claim.
pub type NetworkCounterexample = Counterexample<model::network::NetworkStep, model::network::FailedStep>;
