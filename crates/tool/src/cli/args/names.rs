//! Names that options have for what theory calls otherwise.

use clap::ValueEnum;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum NotationName {
    /// Aldebaran text, as CADP and mCRL2 read it
    Aut,
    /// A graph for Graphviz
    Dot,
    /// A JSON document
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ModelName {
    /// Traces
    #[value(name = "T")]
    T,
    /// Stable failures
    #[value(name = "F")]
    F,
    /// Failures and divergences
    #[value(name = "FD")]
    Fd,
    /// Stable revivals
    #[value(name = "V")]
    V,
    /// Revivals and divergences
    #[value(name = "VD")]
    Vd,
    /// Stable refusal testing
    #[value(name = "R")]
    R,
    /// Refusal testing and divergences
    #[value(name = "RD")]
    Rd,
}

/// The compressions of scripts, by the same names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum CompressionName {
    /// Merge what strong bisimulation does not tell apart
    Sbisim,
    /// The same by weak bisimulation that respects divergence
    Wbisim,
    /// The same by delay bisimulation that respects divergence
    Dbisim,
    /// Leave out silent steps, keep traces, failures and divergences
    Diamond,
    /// The normal form in the model
    Normal,
    /// Merge the states of silent loops
    TauLoopFactor,
    /// Merge what the model does not tell apart
    ModelCompress,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Fairness {
    /// All runs
    None,
    /// Each event happens again and again, if it is possible for ever
    EventWeak,
    /// The same, if it is possible again and again
    EventStrong,
    /// Each component moves again and again, if it can for ever
    ProcessWeak,
    /// The same, if it can again and again
    ProcessStrong,
    /// Each step that is possible again and again is taken again and again
    Global,
    /// Events that a CSP# script marks with `wf` or `sf`, as it marks them
    Annotated,
}
