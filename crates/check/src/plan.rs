//! Which ways are tried to decide a claim about a network, and in which order.
//!
//! A plan is a function of what is known before anything is searched, and of nothing else: neither of time nor of what other claims came to. It
//! says what is tried, not what comes of it. Most systems are small, so states are searched first, as they are. If there are many, nobody knows
//! what will be fastest. Each way that fits is tried on a few states, or for a while, and the search that got farthest is gone on with; SAT solvers
//! work beside all of this, one that looks for counterexamples and one that looks for a proof, and the first answer wins.
//!
//! No plan has another verdict than others: each way answers by itself, or not at all.

use crate::Claim;
use crate::compose::can_compose;
use explore::as_long_as;
use lts::Model;
use model::network::Network;

/// States that are searched before anything else is tried.
pub(crate) const MAX_WHOLE: u64 = 1 << 18;
/// About so many literals are made of runs, so that a solver does not take the memory of a search.
const MAX_LITERALS: usize = 1 << 20;
const DEPTHS: std::ops::RangeInclusive<usize> = 4..=100;
/// States that cost so many times as much are very wide.
const VERY_WIDE: u64 = 16;
/// Steps of a proof by induction that is tried before very many machines are searched on.
const SHALLOW: u64 = 2;

/// One way to decide a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// All states are searched breadth first; if there are many, some runs are followed depth first.
    Search,
    /// The same without orders of steps that nobody can tell apart.
    PartialOrder,
    /// The same without states that symmetries exchange.
    Symmetry,
    /// The same without both.
    PartialOrderAndSymmetry,
    /// Sums that no rule changes show that nothing gets stuck.
    Balance,
    /// Machines are put together and made smaller.
    Composition,
    /// The same, with a watchdog for the specification among them.
    Watchdog,
    /// Runs are followed depth first for a while.
    Dive,
    /// A SAT solver looks for runs of at most so many steps that break the claim.
    Bounded(u64),
    /// The same, and for a proof by induction that there are none.
    Induction(u64),
    /// A SAT solver looks for an invariant, or a run that breaks the claim.
    Frames,
}

impl Way {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Way::Search => "search",
            Way::PartialOrder => "partial-order",
            Way::Symmetry => "symmetry",
            Way::PartialOrderAndSymmetry => "partial-order-and-symmetry",
            Way::Balance => "balance",
            Way::Composition => "composition",
            Way::Watchdog => "watchdog",
            Way::Dive => "dive",
            Way::Bounded(_) => "bmc",
            Way::Induction(_) => "induction",
            Way::Frames => "pdr",
        }
    }
}

/// What a claim is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Whether everything is allowed in a model.
    Refinement(Model),
    /// Whether nothing gets stuck.
    DeadlockFreedom(Model),
    /// Whether nothing is silent for ever.
    DivergenceFreedom,
    /// What takes more than one run to refute.
    Comparison,
}

impl Asked {
    /// What a claim asks.
    pub fn of(claim: &Claim) -> Asked {
        match claim {
            Claim::Refines(specification) => Asked::Refinement(specification.model()),
            Claim::DeadlockFree(model) => Asked::DeadlockFreedom(*model),
            Claim::DivergenceFree => Asked::DivergenceFreedom,
            Claim::Deterministic(_) | Claim::HasTrace(..) => Asked::Comparison,
        }
    }
}

/// What is known of a claim and a network before anything is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Features {
    /// What is claimed.
    pub asked: Asked,
    /// How many machines there are.
    pub n_machines: usize,
    /// How many local states and rules, in all.
    pub size: usize,
    /// Whether machines can be put together. With a watchdog termination is no obstacle.
    pub can_compose: bool,
    /// Whether runs can be written as formulas that are as large as the network.
    pub can_encode: bool,
    /// How many workers there are.
    pub n_workers: usize,
}

impl Features {
    /// What is known of a network.
    pub fn of(asked: Asked, network: &Network, n_workers: usize) -> Features {
        let n_rules: usize = network.modes.iter().map(|mode| mode.rules.len()).sum();
        let n_local: usize = network.machines.iter().map(|machine| machine.n_states()).sum();
        Features {
            asked,
            n_machines: network.machines.len(),
            size: n_rules + n_local,
            can_compose: can_compose(network, matches!(asked, Asked::Refinement(_))),
            can_encode: network.data.is_empty() && !network.has_priorities(),
            n_workers,
        }
    }
}

/// What is tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// So many states are searched as they are.
    pub n_first: u64,
    /// Then these are tried one after the other.
    pub trials: Vec<Way>,
    /// Meanwhile, and while the search goes on that got farthest, these are tried beside it.
    pub beside: Vec<Way>,
}

/// How a claim is decided.
pub fn plan(features: &Features) -> Plan {
    let Features { asked, n_machines, size, can_compose, can_encode, n_workers } = *features;
    if asked == Asked::Comparison {
        return Plan { n_first: u64::MAX, trials: Vec::new(), beside: Vec::new() };
    }
    let n_first = as_long_as(MAX_WHOLE, n_machines);
    let mut trials = Vec::new();
    let is_about_runs = match asked {
        Asked::Refinement(model) => !model.sees_revivals(),
        Asked::DeadlockFreedom(_) => true,
        Asked::DivergenceFreedom | Asked::Comparison => false,
    };
    let depth = (MAX_LITERALS / size.max(1)).min(*DEPTHS.end());
    let can_ask_solvers = is_about_runs && can_encode && depth >= *DEPTHS.start();
    let is_wide = n_first < MAX_WHOLE;
    // One machine has all its states written down already, in one order, and nobody to change places with.
    if n_machines > 1 {
        trials.push(Way::PartialOrder);
    }
    if matches!(asked, Asked::DeadlockFreedom(_)) && can_encode && n_machines > 1 {
        // It either pays at once or not at all, though with very many machines at once is later than a few of their states.
        trials.insert(usize::from(is_wide), Way::Balance);
    }
    // What is true of hundreds of machines is mostly true because of a few of them, which takes few steps to see. Of fewer it may take a solver longer
    // than to search them.
    if can_ask_solvers && n_first <= MAX_WHOLE / VERY_WIDE {
        trials.push(Way::Induction(SHALLOW));
    }
    // What a dive finds is seldom short, so what may find something shorter as quickly comes before it.
    trials.push(Way::Dive);
    if n_machines > 1 {
        match asked {
            Asked::Refinement(model) if can_compose && !model.sees_revivals() => trials.push(Way::Watchdog),
            Asked::DeadlockFreedom(_) | Asked::DivergenceFreedom if can_compose => trials.push(Way::Composition),
            _ => {}
        }
        trials.extend([Way::Symmetry, Way::PartialOrderAndSymmetry]);
    }
    let mut beside = Vec::new();
    // One solver looks for counterexamples and one for a proof: what is best at the one is bad at the other.
    if can_ask_solvers && n_workers > 1 {
        beside.extend([Way::Bounded(depth as u64), Way::Frames]);
    }
    Plan { n_first, trials, beside }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETWORK: Features = Features {
        asked: Asked::Refinement(Model::Failures),
        n_machines: 10,
        size: 500,
        can_compose: true,
        can_encode: true,
        n_workers: 2,
    };

    #[test]
    fn what_fits_is_tried() {
        let names = |features: &Features| -> Vec<&str> {
            let plan = plan(features);
            plan.trials.iter().chain(&plan.beside).map(|way| way.name()).collect()
        };
        let reductions = ["symmetry", "partial-order-and-symmetry"];
        let solvers = ["bmc", "pdr"];
        let expected = [&["partial-order", "dive", "watchdog"][..], &reductions, &solvers].concat();
        assert_eq!(names(&NETWORK), expected);
        let stuck = Features { asked: Asked::DeadlockFreedom(Model::Failures), ..NETWORK };
        assert_eq!(
            names(&stuck),
            [&["balance", "partial-order", "dive", "composition"][..], &reductions, &solvers].concat()
        );
        let silent = Features { asked: Asked::DivergenceFreedom, ..NETWORK };
        assert_eq!(names(&silent), [&["partial-order", "dive", "composition"][..], &reductions].concat());
        let with_variables = Features { can_compose: false, can_encode: false, ..NETWORK };
        assert_eq!(names(&with_variables), [&["partial-order", "dive"][..], &reductions].concat());
        let revivals = Features { asked: Asked::Refinement(Model::Revivals), ..NETWORK };
        assert_eq!(names(&revivals), [&["partial-order", "dive"][..], &reductions].concat());
        assert_eq!(names(&Features { n_machines: 1, n_workers: 1, ..NETWORK }), ["dive"]);
        let very_wide = Features { n_machines: 300, ..NETWORK };
        assert_eq!(names(&very_wide), [&expected[..1], &["induction"], &expected[1..]].concat());
        let very_wide = Features { n_machines: 300, ..stuck };
        assert_eq!(names(&very_wide)[..4], ["partial-order", "balance", "induction", "dive"]);
        let wide = Features { n_machines: 100, ..stuck };
        assert_eq!(names(&wide)[..3], ["partial-order", "balance", "dive"]);
        assert_eq!(names(&Features { asked: Asked::Comparison, ..NETWORK }), [""; 0]);
    }

    #[test]
    fn a_solver_is_bounded_by_what_it_would_take() {
        let depth = |size| plan(&Features { size, ..NETWORK }).beside;
        assert_eq!(depth(10), [Way::Bounded(100), Way::Frames]);
        assert_eq!(depth(100_000), [Way::Bounded(10), Way::Frames]);
        assert_eq!(depth(1_000_000), []);
    }

    #[test]
    fn one_worker_tries_one_way_at_a_time() {
        assert!(plan(&Features { n_workers: 1, ..NETWORK }).beside.is_empty());
    }
}
