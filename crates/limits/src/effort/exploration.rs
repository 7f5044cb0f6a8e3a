//! Effort of exploration.

/// Searches for divergences and cycles.
pub mod divergence {
    /// States of a network with open machines before a growing search looks for cycles.
    pub const MIN_STATES: u64 = 1 << 16;
}

/// Bottom strongly connected components and acyclicity.
pub mod components {
    /// States of one search; larger ones are done by one worker, as parallel ones would visit the same states.
    pub const MAX_SHARED: usize = 1 << 14;
    /// Part of the states that must be remembered at a time beyond which the whole graph is kept: one in so many.
    pub const DENSE_PART: usize = 2;
    /// Remembered states up to which the whole graph is not kept.
    pub const SPARSE_STATES: usize = 1 << 14;
    /// Part of the states below which components are visited by one worker: one in so many.
    pub const SMALL_PART: usize = 64;
}

/// Compilation of rules to instances.
pub mod instances {
    /// Cases of a command for one local state; cases are merged beyond, and values are computed on each step.
    pub const MAX_CASES: usize = 256;
    /// Instances of the rules of a network; further rules are kept unexpanded.
    pub const MAX_INSTANCES: usize = 1 << 20;
    /// Groups of instances of a mode; further instances are indexed by local states instead.
    pub const MAX_GROUPS: usize = 512;
    /// Values of a cell that indexes instances; cells with more are not used as an index.
    pub const MAX_FILED: u64 = 1 << 12;
    /// Units of work of compiling one participant of an instance.
    pub const WORK_PER_PART: u64 = 4;
    /// Instances tested one by one; more are distinguished by a fork.
    pub const MAX_LINEAR: usize = 2;
    /// Tests that a fork must save; no fork is built below.
    pub const MIN_FORK_GAIN: f64 = 1.5;
    /// Places of all forks; further instances are tested one by one.
    pub const MAX_FORK_PLACES: usize = 1 << 21;
    /// Places of a fork; cells with more values are not used for forks.
    pub const MAX_FORK: u64 = 1 << 12;
    /// Words of the readiness tables of one mode; readiness is computed in each state beyond.
    pub const MAX_TABLE_WORDS: usize = 1 << 22;
    /// Units of work of following one event.
    pub const WORK_PER_EVENT: u64 = 16;
    /// Targets tabulated for unexpanded rules; further ones are computed on each step.
    pub const MAX_TARGETS: usize = 1 << 20;
    /// Local states of machines whose targets are tabulated; larger ones may grow, which would rebuild the table.
    pub const MAX_LOCALS: usize = 1 << 10;
    /// Values of a cell that are distinguished by cases; larger domains are not split.
    pub const MAX_SPLIT_VALUES: u64 = 256;
    /// Values of all results computed to decide one command; the remaining cases stay undecided.
    pub const MAX_DECISION_WORK: usize = 1 << 16;
    /// Entries of the successor table of an observer; successors are searched for beyond.
    pub const MAX_OBSERVER_TABLE: usize = 1 << 24;
}

/// Partial-order reduction.
pub mod partial_order {
    /// Pairs of actions of a machine; all actions of a machine with more count as dependent.
    pub const MAX_PAIRS: usize = 1 << 22;
    /// States visited to find the rivals of one offer; the rivals are unknown beyond, and nothing is reduced there.
    pub const MAX_NEAR: usize = 64;
    /// Rivals recorded for one machine; those of further offers are unknown, and nothing is reduced there.
    pub const MAX_RIVALS: usize = 1 << 22;
}

/// Symmetries and orbit representatives.
pub mod symmetry {
    /// Numbers stored for all transversals; further elements are left out, and the reduction is weaker.
    pub const MAX_TRANSVERSAL_SIZE: usize = 1 << 24;
    /// Elements of all transversals, each of which is applied to every state; further ones are left out.
    pub const MAX_TRANSVERSAL_ELEMENTS: usize = 1 << 12;
    /// Candidates for the representative of an orbit; the result may not be the smallest beyond.
    pub const MAX_CANDIDATES: usize = 32;
    /// Equally good colorings that are kept; the result may not be the smallest beyond.
    pub const MAX_COLORINGS: usize = 4;
    /// Marks visited for one configuration; only one individualization is tried beyond.
    pub const MAX_MARKS: usize = 1 << 18;
    /// Rounds of propagating removed parts; the remaining ones are kept.
    pub const MAX_ROUNDS: usize = 16;
    /// Images of points visited to number their classes; no classes are interchanged beyond.
    pub const MAX_IMAGES: u64 = 1 << 25;
    /// Units of work of a search for symmetries, a second at most; the group found so far is used beyond.
    pub const BUDGET: u64 = 20_000_000;
    /// Units of work of a search for symmetries without the user's request; the group found so far is used beyond.
    pub const SPECULATIVE_BUDGET: u64 = BUDGET / 10;
    /// Images stored for each moved point; permutations that need more are stored as pairs.
    pub const MAX_DENSE: usize = 8;
    /// Points of a base; symmetries that need more are not found.
    pub const MAX_LEVELS: usize = 5000;
    /// Individualized points for one query; no symmetry is found beyond.
    pub const MAX_TRIES: usize = 200;
    /// Units of work charged for one query, in links.
    pub const MIN_WORK: u64 = 1 << 12;
    /// Edges of a specification; symmetries are not searched for in larger ones.
    pub const MAX_SPECIFICATION_EDGES: usize = 1 << 18;
}

/// Timed refinement and runs of zones.
pub mod zones {
    /// Clocks of a node of the refinement; the comparison gives up beyond.
    pub const MAX_CLOCKS: usize = 24;
    /// Parts of a unit that are tried one by one for the times of a run; others are computed.
    pub const MANY_PARTS: i64 = 8;
}

/// Products of systems and automata.
pub mod products {
    /// Facts about states whose combinations are enumerated; liveness is not computed beyond, and prefixes are longer.
    pub const MAX_ENUMERATED: u32 = 8;
    /// Nodes of which liveness is computed; all count as live beyond, and prefixes are longer.
    pub const MAX_LIVE_NODES: usize = 10_000;
    /// Part of the nodes that one worker visits before others join: one in so many.
    pub const FIRST_SHARE: usize = 32;
    /// States of an automaton for which each pair is numbered; pairs of larger ones are hashed.
    pub const MAX_DENSE: usize = 16;
    /// Lengths up to which shorter loops are searched for, in turn.
    pub const LOOP_LENGTHS: [usize; 3] = [4, 32, usize::MAX];
    /// Steps visited in each search for a shorter lasso; the lasso stays as it is beyond.
    pub const MAX_SHORTENING: usize = 1 << 17;
    /// Entries of a table of moves; larger tables are not built, as they would not stay in the cache.
    pub const MAX_TABLE: usize = 1 << 20;
    /// States beyond those of a run that are expanded to follow silent steps; further ones stay unexpanded.
    pub const MAX_SILENT: usize = 20_000;
    /// Moments of the tableau of past and future; formulas that need more are not decided by it.
    pub const MAX_GUESSES: usize = 1 << 16;
}

/// Explicit systems.
pub mod explicit_systems {
    /// States without steps that are skipped between two sources; sources are recorded beyond.
    pub const MAX_SKIPPED: usize = 1 << 16;
}
