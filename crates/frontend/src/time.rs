//! Time, where a language has it.

/// A time in units of the script, as an exact fraction.
pub type Time = num_rational::Ratio<i64>;

/// How time can pass in a state, as long as nothing happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// So much, and no more: something must happen then, and if nothing can, time stops.
    Until(Time),
    /// Without end; after this much nothing changes any more.
    Forever(Time),
}

/// A timed operator that runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What it belongs to, as it is written.
    pub of: String,
    /// How long it takes until something becomes possible by it, if that is not so already.
    pub from: Option<Time>,
    /// How long it takes until time can pass no further, if it ever stops it.
    pub until: Option<Time>,
}
