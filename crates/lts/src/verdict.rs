//! Verdicts on properties of systems.

use progress::{Interrupt, Stop};

/// Whether a property holds. The type of counterexamples depends on the property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<Refutation> {
    /// Proved.
    Holds,
    /// Refuted.
    Fails(Refutation),
    /// Neither proved nor refuted.
    Unknown(Reason),
}

/// The reason for an unknown verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A limit was reached, or the computation was cancelled.
    Stopped(Stop),
    /// A state needs too many bits for packing.
    TooWide,
    /// The steps of some states are unknown, and there is no counterexample among the others.
    Open,
    /// A formula has too many atoms, or its automaton too many states.
    TooLarge,
    /// A formula has a past operator over a future one.
    MixedPast,
    /// A fairness condition refers to processes, and participants of steps are unknown.
    NoProcesses,
    /// The depth bound was reached.
    Depth,
    /// A system may diverge, in which case a formula is not supported.
    Divergence,
    /// A counterexample could not be replayed, which is an internal error.
    Unconfirmed,
    /// No engine supports the property.
    Unsupported,
}

impl Reason {
    /// The time limit was reached.
    pub const TIME_LIMIT: Reason = Reason::Stopped(Stop::Interrupted(Interrupt::Time));
    /// The limit of states was reached.
    pub const MAX_STATES: Reason = Reason::Stopped(Stop::MaxStates);
    /// The budget of the scheduler was exhausted.
    pub const BUDGET: Reason = Reason::Stopped(Stop::Budget);

    /// Its name in machine-readable output, which distinguishes only the possible reactions to it.
    pub fn name(self) -> &'static str {
        match self {
            Reason::TIME_LIMIT => "time-limit",
            Reason::Stopped(Stop::Interrupted(Interrupt::Memory) | Stop::MaxMemory) => "memory-limit",
            Reason::Stopped(Stop::Interrupted(
                Interrupt::Cancelled | Interrupt::LostRace | Interrupt::GaveUp | Interrupt::Restart,
            ))
            | Reason::Stopped(Stop::Budget) => "interrupted",
            Reason::MAX_STATES => "max-states",
            Reason::Depth => "depth",
            Reason::Divergence => "divergence",
            Reason::Unconfirmed => "unconfirmed",
            Reason::TooWide
            | Reason::Open
            | Reason::TooLarge
            | Reason::MixedPast
            | Reason::NoProcesses
            | Reason::Stopped(Stop::Capacity)
            | Reason::Unsupported => "unsupported",
        }
    }

    /// Whether a limit on time, memory or states was reached.
    pub fn is_limit(self) -> bool {
        match self {
            Reason::Stopped(Stop::Interrupted(why)) => matches!(why, Interrupt::Time | Interrupt::Memory),
            Reason::Stopped(Stop::MaxStates | Stop::MaxMemory | Stop::Capacity) => true,
            _ => false,
        }
    }

    /// Whether the memory limit was reached.
    pub fn is_memory(self) -> bool {
        matches!(self, Reason::Stopped(Stop::Interrupted(Interrupt::Memory) | Stop::MaxMemory))
    }
}

impl<Refutation> Verdict<Refutation> {
    /// The verdict with its counterexample mapped.
    pub fn map<Other>(self, convert: impl FnOnce(Refutation) -> Other) -> Verdict<Other> {
        match self {
            Verdict::Holds => Verdict::Holds,
            Verdict::Fails(refutation) => Verdict::Fails(convert(refutation)),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        }
    }
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        Reason::Stopped(stop)
    }
}

impl From<Interrupt> for Reason {
    fn from(why: Interrupt) -> Reason {
        Reason::Stopped(why.into())
    }
}
