//! Answers to questions about systems.

use progress::{Interrupt, Stop};

/// Whether something is true of a system. What refutes it differs from question to question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<Refutation> {
    /// Proved.
    Holds,
    /// Refuted.
    Fails(Refutation),
    /// Neither.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A limit was reached, or somebody asked to stop.
    Stopped(Stop),
    /// A state needs more bits than are packed together.
    TooWide,
    /// The steps of some states are not known, and nothing was found among the others.
    Open,
    /// A formula has too many atoms, or its automaton too many states.
    TooLarge,
    /// A formula speaks of the past of something that lies in the future.
    MixedPast,
    /// A condition of fairness speaks of processes, and nobody knows who takes part in steps.
    NoProcesses,
    /// Runs of some length were looked at, and longer ones were not.
    Depth,
    /// A system can be silent for ever, and a formula is not to be decided then.
    Divergence,
    /// What refutes it could not be repeated: a mistake of ours.
    Unconfirmed,
    /// Nothing decides this.
    Unsupported,
}

impl Reason {
    /// It took too long.
    pub const TIME_LIMIT: Reason = Reason::Stopped(Stop::Interrupted(Interrupt::Time));
    /// There are more states than allowed.
    pub const MAX_STATES: Reason = Reason::Stopped(Stop::MaxStates);
    /// The states that the scheduler granted are used up.
    pub const BUDGET: Reason = Reason::Stopped(Stop::Budget);

    /// Its name for programs, which need to know what to do about it and not more.
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

    /// Whether memory was too small.
    pub fn is_memory(self) -> bool {
        matches!(self, Reason::Stopped(Stop::Interrupted(Interrupt::Memory) | Stop::MaxMemory))
    }
}

impl<Refutation> Verdict<Refutation> {
    /// The same verdict, refuted in other words.
    pub fn map<Other>(self, tell: impl FnOnce(Refutation) -> Other) -> Verdict<Other> {
        match self {
            Verdict::Holds => Verdict::Holds,
            Verdict::Fails(refutation) => Verdict::Fails(tell(refutation)),
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
