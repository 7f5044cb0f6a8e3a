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
    /// Quotient by strong bisimulation
    Sbisim,
    /// Quotient by divergence-respecting weak bisimulation
    Wbisim,
    /// Quotient by divergence-respecting delay bisimulation
    Dbisim,
    /// Diamond elimination of silent steps; preserves traces, failures and divergences
    Diamond,
    /// The normal form in the model
    Normal,
    /// Elimination of silent loops
    TauLoopFactor,
    /// Quotient by an equivalence of the model
    ModelCompress,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Fairness {
    /// All runs
    None,
    /// Weak fairness of each event: if it is enabled from some point on, it occurs infinitely often
    EventWeak,
    /// Strong fairness of each event: if it is enabled infinitely often, it occurs infinitely often
    EventStrong,
    /// Weak fairness of each component
    ProcessWeak,
    /// Strong fairness of each component
    ProcessStrong,
    /// Global fairness: strong fairness of each transition
    Global,
    /// Fairness of the events that a CSP# script marks with `wf` or `sf`
    Annotated,
}
