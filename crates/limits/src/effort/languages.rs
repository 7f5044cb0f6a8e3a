//! Effort of the languages.

/// Compilation of processes to machines.
pub mod machines {
    /// Nodes of a normal form that are allowed however small the quotient by bisimulation is.
    pub const MIN_NODES: usize = 4_000;
    /// Nodes of a normal form for each state of the quotient; the quotient is used beyond.
    pub const MAX_NODES_PER_STATE: usize = 2;
    /// States of a compressed part beyond which the whole operand is expected to stay large.
    pub const LARGE_OPERAND: usize = 10_000;
    /// Divisor of the state bound of an operand that is expected to stay large.
    pub const FUTILE_DIVISOR: u64 = 20;
    /// States of the quotient in all nodes together, for each of its states; the quotient is used beyond.
    pub const MAX_ELEMENTS_PER_STATE: usize = 30;
    /// Parallel parts of a process; processes with more are not compiled to one machine.
    pub const MAX_SMALL_PARTS: usize = 24;
    /// Operands visited to count parallel parts; the remaining ones are not counted.
    pub const MAX_OPENED: usize = 1000;
    /// States of an open machine expanded for each occupied one; others are expanded on demand.
    pub const EXPANDED_PER_OCCUPIED: usize = 4;
    /// States of an open machine; larger machines are not compiled.
    pub const MAX_OPEN_STATES: usize = 4_000_000;
    /// Calls that open one another in the shape of a network; deeper shapes are not compiled.
    pub const MAX_OPEN_CALLS: usize = 20_000;
    /// Machines of a network, even with one state each; networks with more are not compiled.
    pub const MAX_MACHINES: usize = 1 << 14;
    /// Operators without machines in a network; networks with more are not compiled.
    pub const MAX_TASKS: usize = 1 << 17;
    /// Operators for each allowed rule; networks with more are not compiled.
    pub const MAX_TASKS_PER_RULE: usize = 20;
    /// Cached results of composing relabelings; the cache is cleared beyond.
    pub const MAX_CACHED_RELABELINGS: usize = 1 << 12;
    /// Operands of an operator up to which owners of events are found by linear search.
    pub const LINEAR_OPERANDS: usize = 32;
    /// Steps of a state up to which duplicates are found by linear search.
    pub const LINEAR_STEPS: usize = 16;
    /// Operators and calls that are opened to compare a term on a run; the term stays as it is beyond.
    pub const MAX_OPENED_CALLS: usize = 1000;
    /// Calls and operators opened to find a parallel operator; the term counts as sequential beyond.
    pub const MAX_PROVENANCE_DEPTH: usize = 100;
    /// States of an open machine that are compiled in advance.
    pub const FIRST_STATES: usize = 256;
    /// Operands written to replay a run on terms; longer or wider runs are replayed on the network only.
    pub const MAX_WRITTEN: f64 = (1_u64 << 29) as f64;
}

/// Compilation of processes with little effort, before they are explored on the fly.
pub mod little_compilation {
    /// States of a machine with parallel parts; larger ones are decomposed.
    pub const MAX_SMALL_STATES: usize = 2_000;
    /// States of a machine; processes with larger ones are not compiled.
    pub const MAX_MACHINE_STATES: usize = 50_000;
    /// Edges of a machine; processes with larger ones are not compiled.
    pub const MAX_MACHINE_EDGES: usize = 400_000;
    /// States of a machine that selects among the behaviors of its operand; larger ones are not compiled.
    pub const MAX_SELECTED_STATES: usize = 20_000;
    /// States of an operand that is compressed; larger operands take part as they are.
    pub const MAX_COMPRESSED_STATES: u64 = 1_000_000;
    /// Rules of the network; processes that need more are not compiled.
    pub const MAX_RULES: usize = 1_000_000;
    /// Modes of the network; processes that need more are not compiled.
    pub const MAX_MODES: usize = 2_000;
}

/// Compilation of processes with all effort.
pub mod full_compilation {
    /// States of a machine with parallel parts; larger ones are decomposed.
    pub const MAX_SMALL_STATES: usize = 200_000;
    /// States of a machine; processes with larger ones are not compiled.
    pub const MAX_MACHINE_STATES: usize = 4_000_000;
    /// States of a machine that selects among the behaviors of its operand; larger ones are not compiled.
    pub const MAX_SELECTED_STATES: usize = 50_000;
    /// Rules of the network; processes that need more are not compiled.
    pub const MAX_RULES: usize = 6_000_000;
    /// Modes of the network; processes that need more are not compiled.
    pub const MAX_MODES: usize = 10_000;
}

/// Lowering of CSP# to networks; scripts beyond any of these are explored on the fly.
pub mod csp_sharp_lowering {
    /// Components and choices at the beginning of a process; its first steps are not checked in advance beyond.
    pub const MAX_HEADS: u64 = 200;
    /// Units of work for the first steps of all processes; the remaining ones are not checked in advance.
    pub const MAX_FIRST_WORK: usize = 200_000;
    /// Messages that are distinguished in one channel.
    pub const MAX_MESSAGES: usize = 4_000;
    /// Combinations of steps of components.
    pub const MAX_COMBINATIONS: usize = 200_000;
    /// Steps of a state on average, as terms that grow may have one more in each state.
    pub const MAX_EDGES_EACH: usize = 50;
    /// Rounds of the fixed point of values and messages.
    pub const MAX_ROUNDS: usize = 100;
    /// Rounds before ranges that still grow are widened.
    pub const WIDENING_DELAY: usize = 3;
    /// Rounds before ranges are widened where early widening fails.
    pub const LONG_WIDENING_DELAY: usize = 24;
    /// Values of a range after early widening; lowering begins again with the long delay beyond.
    pub const MAX_EARLY_WIDENING: i128 = 1 << 16;
    /// Rounds of narrowing after the fixed point; ranges stay as wide as they are afterwards.
    pub const MAX_NARROWINGS: usize = 2;
    /// Nested calls before a step.
    pub const MAX_CALLS: u32 = 2_000;
    /// Values that are distinguished in one place.
    pub const MAX_VALUES: i128 = 600;
    /// Steps of one term.
    pub const MAX_MOVES: usize = 20_000;
    /// Statements of a partially evaluated program.
    pub const MAX_STATEMENTS: usize = 5_000;
    /// Iterations of loops that are unrolled.
    pub const MAX_UNROLLED: usize = 5_000;
    /// Rules of the network.
    pub const MAX_RULES: usize = 200_000;
    /// Messages that are distinguished to read the first one of a queue.
    pub const MAX_PEEKED: usize = 64;
    /// States of a machine without full effort, and of a timed one.
    pub const SPECULATIVE_STATES: usize = 2_000;
    /// States of a machine with full effort.
    pub const MAX_STATES: usize = 20_000;
}

/// Evaluation of CSPM.
pub mod evaluator {
    /// Elements of the first piece of a lazy sequence; each further piece is twice as large.
    pub const FIRST_PIECE: usize = 32;
    /// Elements of a piece of numbers that are only compared.
    pub const SCANNED_PIECE: usize = 512;
    /// Numbers compared in about the time of one step.
    pub const NUMBERS_PER_STEP: usize = 16;
    /// Elements of a piece of a lazy sequence.
    pub const LARGEST_PIECE: usize = 2048;
    /// Elements scanned for each one that is taken; the piece ends beyond.
    pub const SCANNED_PER_TAKEN: usize = 8;
    /// Elements of a sequence or set that are hashed; the rest does not influence the hash.
    pub const MAX_HASHED: usize = 1 << 20;
    /// Elements collected in advance; the rest is evaluated on demand.
    pub const LONGEST_PIECE: usize = 64;
    /// Elements of a piece that is stored as cells; longer pieces are stored as arrays.
    pub const SHORT_PIECE: usize = 3;
    /// Parts of a value visited before visited parts are memoized.
    pub const VISITS_BEFORE_MEMO: u32 = 500;
    /// Memoized parts of a value; the memo is cleared beyond.
    pub const MAX_MEMOIZED: usize = 1 << 20;
    /// Speculations inside each other; deeper expressions are delayed.
    pub const MAX_NESTED_SPECULATION: u32 = 40;
    /// Steps of the outermost speculation; the expression is delayed beyond.
    pub const SPECULATION_STEPS: u32 = 2000;
    /// Steps left of a speculation below which work that can stop early does.
    pub const RUNNING_OUT: u32 = SPECULATION_STEPS / 2;
    /// Credit of an expression before its first speculation.
    pub const INITIAL_CREDIT: i8 = 8;
    /// Credit of an expression at most; successful speculations add nothing beyond.
    pub const MAX_CREDIT: i8 = 40;
    /// Credit lost by an aborted speculation.
    pub const ABORT_PRICE: i8 = 8;
    /// Credit lost by a failed speculation.
    pub const FAILURE_PRICE: i8 = 2;
    /// Values of a field; wider fields are abstracted to their active domain if the channel has too many events.
    pub const MAX_FIELD_VALUES: u128 = 256;
    /// Numbers of a slice that are scanned at once; the caller continues behind.
    pub const MAX_SCANNED: usize = 1024;
    /// Elements of two sequences that are copied when they are joined; longer ones are linked.
    pub const SHORT_SLICE: usize = 32;
    /// Elements beyond which slices are never copied, since repeated doubling would exhaust the memory.
    pub const LONG_SLICE: usize = 1 << 16;
    /// Parts of a symbolic union; larger unions are enumerated.
    pub const MAX_UNION_PARTS: usize = 64;
    /// Factor by which a set must exceed what is added to it to grow as a tree.
    pub const TREE_GROWTH: usize = 16;
    /// Forwarding functions that are resolved at compile time; the next one is called.
    pub const MAX_FORWARDING: usize = 4;
    /// Arguments that are ordered to avoid copies; longer lists keep their order.
    pub const MAX_ORDERED_ARGUMENTS: usize = 16;
    /// Levels of conditions that a binding is moved into; it stays above deeper ones.
    pub const MAX_BRANCH_DEPTH: usize = 8;
    /// Levels of an expression between two checks of the machine stack.
    pub const STACK_CHECK_DEPTH: usize = 64;
    /// Levels of strictness analysis; nothing is known to be demanded below.
    pub const MAX_DEMAND_DEPTH: u32 = 40;
    /// Names of a pattern up to which duplicates are found by linear search.
    pub const LINEAR_NAMES: usize = 16;
}

/// Names and types of CSPM scripts.
pub mod cspm_checks {
    /// Equations of a function compared to find unreachable ones; the remaining ones count as reachable.
    pub const MAX_EQUATIONS: usize = 200;
    /// Steps of one unification; the types are reported as too large beyond.
    pub const MAX_UNIFICATION_STEPS: u32 = 2_000_000;
    /// Steps of all unifications of a script; the types are reported as too large beyond.
    pub const MAX_TYPE_STEPS: u64 = 30_000_000;
    /// Steps of a unification before results of shared types are memoized.
    pub const STEPS_BEFORE_MEMO: u32 = 500;
    /// Tokens searched backwards for an open `let`; the syntax error gets a general explanation beyond.
    pub const MAX_LET_DISTANCE: usize = 500;
}

/// Analysis of the processes of a state.
pub mod processes {
    /// Components of a state that are analyzed one by one; waiting, chased steps and lifted runs are left out beyond.
    pub const MAX_COMPONENTS: usize = 1000;
    /// Levels of compositions whose members are components of their own; deeper compositions are one component.
    pub const MAX_COMPONENT_DEPTH: usize = 100;
    /// Nested operators that are traversed; deeper components are unknown.
    pub const MAX_DEPTH: usize = 10_000;
    /// Terms visited to explain unbounded growth, the last first; earlier ones are ignored.
    pub const MAX_GROWTH_TERMS: usize = 100_000;
    /// Calls of one definition beyond which it is reported as growing.
    pub const MANY_CALLS: usize = 10_000;
    /// Nested operators beyond which a term is reported as growing.
    pub const MANY_OPERATORS: usize = 500;
    /// States of one component visited to find its events; who waits for whom is not reported beyond.
    pub const MAX_STATES: usize = 2_000;
    /// Requested and offered events held at once; who waits for whom is not reported beyond.
    pub const MAX_ENTRIES: usize = 1 << 20;
    /// Values of a field in an offer; larger sets are not listed.
    pub const MAX_OFFERED_VALUES: usize = 1_000;
    /// Consecutive names of a composition that are opened; the last one is shown beyond.
    pub const MAX_CALL_CHAIN: usize = 100;
    /// Nested operators in which components are searched for; deeper ones are unknown.
    pub const MAX_NESTING: usize = 1000;
}
