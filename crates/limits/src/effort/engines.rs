//! Effort of the engines.

/// Compositional minimization.
pub mod composition {
    /// Orders of composition that are tried before the engine gives up.
    pub const MAX_STRATEGIES: usize = 3;
    /// States of a composed network that are searched before the next order is tried.
    pub const MAX_COMPOSED: u64 = 1 << 23;
    /// States searched for divergences where the model of deadlock freedom distinguishes them; gives up beyond.
    pub const MAX_SEARCHED: u64 = 1 << 22;
    /// States of a component that is composed of others; pairs whose composition is larger stay apart.
    pub const MAX_PIECE: u64 = 50_000;
    /// Pairs of components whose composition does not pay; no further pair is tried beyond.
    pub const MAX_FUTILE_PAIRS: usize = 100;
    /// Pairs of components whose composition is too large; no further pair is tried beyond.
    pub const MAX_TOO_LARGE: usize = 8;
    /// States of a component that may exceed the product of its parts, as rules with many parts are hidden late.
    pub const MAX_GROWN: usize = 1 << 13;
    /// Reduction of the state space, as a power of two, below which the engine gives up.
    pub const MIN_GAIN: f64 = 1.0;
    /// Reduction, as a power of two, below which the engine gives up if it only minimized single machines.
    pub const MIN_GAIN_ALONE: f64 = 3.0;
    /// Rules of a network; larger networks are not composed, since choosing pairs would take too long.
    pub const MAX_RULES: usize = 50_000;
    /// Machines of a network; larger networks are not composed.
    pub const MAX_MACHINES: usize = 500;
    /// Pairs of machines that synchronize; networks with more are not composed, since each join visits all.
    pub const MAX_BONDS: usize = 1 << 20;
    /// Units of work charged for a component that is built without a report.
    pub const WORK_PER_PIECE: usize = 1 << 10;
    /// Machines times pairs that synchronize; the smallest pair is composed first beyond, without comparing orders.
    pub const MAX_LOOKS: usize = 1 << 22;
    /// Pairs of a state and a position of the word that are visited to lift a run of a component; gives up beyond.
    pub const MAX_LIFTED: u64 = 1 << 20;
    /// Steps of an unrolled loop of a lifted run; longer loops are not lifted.
    pub const MAX_UNROLLED: usize = 100_000;
}

/// Determinism of networks.
pub mod determinism {
    /// Pairs of states of a composed network that are compared; gives up beyond.
    pub const MAX_COMPARED: u64 = 1 << 15;
    /// Rules with the same event that are compared in pairs; determinism is not shown by structure beyond.
    pub const MAX_ALIKE: usize = 32;
}

/// Place invariants.
pub mod place_invariants {
    /// States searched for divergences where the model distinguishes them; gives up beyond.
    pub const MAX_STATES: u64 = 1 << 18;
    /// Edges and rules of a network; larger networks are left to other engines.
    pub const MAX_EDGES: usize = 100_000;
    /// Actions of a machine; networks with more are left to other engines.
    pub const MAX_ACTIONS: usize = 4_000;
    /// Values of a partial sum in the encoding; invariants with wider sums are left out.
    pub const MAX_VALUES: usize = 1 << 10;
    /// Conflicts of the solver; the question is left open beyond.
    pub const MAX_CONFLICTS: u64 = 20_000;
    /// Literals of an at-most-one constraint encoded in pairs; longer ones are encoded as a chain.
    pub const MAX_PAIRWISE: usize = 12;
}

/// Depth-first probes.
pub mod probes {
    /// States that the first probes visit.
    pub const FIRST_STATES: usize = 1 << 18;
    /// Factor by which each round of probes visits more states.
    pub const GROWTH: usize = 4;
    /// States that the shortest probe visits; the lengths of others are multiples in Luby's sequence.
    pub const SHORTEST: usize = 1 << 10;
    /// States expanded to order steps, for each one that a probe may visit; the probe ends beyond.
    pub const EXPANDED_PER_VISITED: usize = 16;
    /// Nodes that the shortest probe of zones visits; the lengths of others are multiples in Luby's sequence.
    pub const SHORTEST_IN_ZONES: u64 = 1 << 10;
    /// Nodes of zones that are searched breadth first before probes begin.
    pub const BREADTH_FIRST_NODES: u64 = 1 << 17;
    /// Factor of breadth-first nodes between two rounds of probes in zones.
    pub const BREADTH_FIRST_GROWTH: u64 = 4;
    /// Breadth-first nodes for each node that a round of probes in zones may visit.
    pub const ZONE_SHARE: u64 = 2;
    /// Factor by which the wide probe of zones may be deeper than the breadth-first search.
    pub const FIRST_DETOUR: usize = 4;
    /// Factor by which narrow probes of zones may be deeper than the breadth-first search.
    pub const MAX_DETOUR: usize = 16;
}

/// SAT-based engines.
pub mod sat {
    /// Steps of an unrolled network; networks that allow fewer are not encoded.
    pub const MIN_DEPTH: usize = 4;
    /// Steps of an unrolled network; bounded search goes no deeper by itself.
    pub const MAX_DEPTH: usize = 100;
    /// Nodes of a specification; larger ones are not encoded.
    pub const MAX_NODES: usize = 1 << 16;
    /// Literals of an unrolled network, about; bounded search ends there, so that the solver does not take all memory.
    pub const MAX_LITERALS: usize = 1 << 20;
    /// Machines of a network beyond which a short induction on its own applies.
    pub const VERY_WIDE: usize = 192;
    /// Literals of an at-most-one constraint encoded in pairs; longer ones are encoded as a chain.
    pub const MAX_PAIRWISE: usize = 6;
    /// Iterations of all loops of a command in the encoding; a command that continues is a fault.
    pub const MAX_ROUNDS: usize = 1024;
    /// Iterations of a loop in the encoding that may have ended already; a command that continues is a fault.
    pub const MAX_UNKNOWN_ROUNDS: usize = 32;
    /// Conflicts of a solver before a depth is left open, at first.
    pub const FIRST_CONFLICTS: u64 = 1000;
    /// Conflicts per frame beyond which a query is hard, and more frames are added before the next one.
    pub const HARD_CONFLICTS: u64 = 400;
    /// Frames added between two queries, at most.
    pub const MAX_STRIDE: u64 = 64;
    /// Units of work of a decision without propagation.
    pub const WORK_PER_DECISION: u64 = 16;
    /// Part of the variables that a decision propagates through, about: one in so many.
    pub const PROPAGATED_PART: u64 = 64;
}

/// Invariants of pairs of machines.
pub mod pair_invariants {
    /// Pairs of states of two machines; partners with more are skipped.
    pub const MAX_PAIRS: usize = 20_000;
    /// Rules applied to all their participants; no further invariants are computed beyond.
    pub const MAX_TRIES: usize = 1 << 24;
    /// Pairs of machines with common rules; no invariant is computed beyond, as memory is short.
    pub const MAX_PARTNERS: usize = 1 << 20;
}

/// Order of rules in parallel-step semantics.
pub mod step_order {
    /// Pairs of local states of one machine; the remaining ones count as dependent.
    pub const MAX_LOCAL_PAIRS: usize = 1 << 20;
    /// Rules of a mode; all rules of larger modes count as ordered.
    pub const MAX_RULES: usize = 1 << 11;
    /// Pairs of rules that are compared; the remaining ones count as useful.
    pub const MAX_RULE_PAIRS: usize = 1 << 16;
    /// Pairs of local states visited to compare rules; the remaining pairs of rules count as useful.
    pub const MAX_WORK: usize = 1 << 25;
}

/// Trials of reductions and searches for symmetries.
pub mod trials {
    /// Symmetries below which symmetry reduction is not tried.
    pub const MIN_SYMMETRIES: f64 = 16.0;
    /// States of the trial that decides whether partial-order reduction pays.
    pub const PARTIAL_ORDER_STATES: u64 = 4_000;
    /// Partial-order reduction pays if it removes at least one in so many steps.
    pub const PARTIAL_ORDER_GAIN: u32 = 5;
    /// States of a system that is searched once more for a suggestion; larger ones get none.
    pub const MAX_HINT_STATES: usize = 300_000;
    /// Part of the visited states on the frontier beyond which the frontier is wide: one in so many.
    pub const WIDE_FRONTIER: u64 = 8;
}

/// Watchdogs of specifications.
pub mod watchdogs {
    /// Nodes of a watchdog; larger ones are not built.
    pub const MAX_NODES: usize = 1 << 18;
    /// Edges of a watchdog; watchdogs with more are not built.
    pub const MAX_EDGES: usize = 1 << 24;
    /// Minimal acceptances of a node; watchdogs with more are not built.
    pub const MAX_OFFERS: usize = 1 << 10;
}

/// Normal forms of specifications.
pub mod normal_forms {
    /// Nodes of a normal form; larger ones are built on the fly.
    pub const MAX_NODES: usize = 1 << 20;
    /// Nodes of a normal form for each state of the specification; larger ones are built on the fly.
    pub const MAX_NODES_PER_STATE: usize = 8;
    /// Nodes of a normal form that are allowed however small the specification is.
    pub const MIN_NODES: usize = 1 << 12;
    /// Nodes of an antichain; beyond, a new one replaces the largest, since each pair is compared with all.
    pub const MAX_ANTICHAIN: usize = 16;
    /// Alternatives of an event; no testing form is built beyond, since all unions of them would be nodes.
    pub const MAX_ALTERNATIVES: usize = 6;
    /// Silent successors visited for each state and step; silent steps are kept beyond.
    pub const SILENT_PER_STEP: usize = 16;
    /// Passes of signature refinement before each further one must add one block to every sixteen.
    pub const FREE_PASSES: usize = 4;
}
