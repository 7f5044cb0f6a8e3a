//! Intervals of polls and reports, and sizes of slices of work.

/// Work between two polls for cancellation or between two reports.
pub mod polling {
    /// States, or nodes of a product, that are handled between two polls.
    pub const STATES_PER_POLL: usize = 1 << 12;
    /// Steps of a replayed run between two polls.
    pub const REPLAYED_STEPS_PER_POLL: usize = 64;
    /// States explored on the fly for a formula between two polls.
    pub const WALKED_STATES_PER_POLL: usize = 256;
    /// States of terms expanded between two polls.
    pub const TERM_STATES_PER_POLL: usize = 100;
    /// Units of work charged for the states of terms between two polls.
    pub const TERM_WORK_PER_POLL: u64 = 48 * TERM_STATES_PER_POLL as u64;
    /// States of open machines expanded between two polls.
    pub const OPEN_STATES_PER_POLL: usize = 1000;
    /// Units of work charged for the states of open machines between two polls.
    pub const OPEN_WORK_PER_POLL: u64 = 48 * OPEN_STATES_PER_POLL as u64;
    /// Operators of the shape of a network between two polls.
    pub const SHAPE_TASKS_PER_POLL: usize = 1000;
    /// Operands visited or written between two polls.
    pub const OPERANDS_PER_POLL: usize = 1 << 13;
    /// Units of work charged for each poll of the evaluator.
    pub const EVALUATOR_WORK_PER_POLL: u64 = 1 << 10;
    /// Units of work charged for each poll of the lowering of CSP#.
    pub const LOWERING_WORK_PER_POLL: u64 = 1 << 12;
    /// Tokens, declarations or operators read between two polls.
    pub const TOKENS_PER_POLL: u32 = 4096;
    /// Units of work on CSP# code between two polls, of about a hundred bytes written each.
    pub const CODE_UNITS_PER_POLL: usize = 8192;
    /// Components of a composition that count as one unit of work.
    pub const COMPONENTS_PER_UNIT: usize = 16;
    /// Steps of the evaluator, or calls, between two polls.
    pub const EVALUATOR_STEPS_PER_POLL: u32 = 1 << 12;
    /// Elements sorted between two polls.
    pub const SORTED_ELEMENTS_PER_POLL: usize = 1 << 14;
    /// Nodes of types created between two checks of the free memory.
    pub const TYPE_NODES_PER_POLL: usize = 1 << 14;
    /// States of a probe expanded between two polls.
    pub const PROBED_STATES_PER_POLL: usize = 1024;
    /// Steps charged for the states of a probe between two polls.
    pub const PROBED_STEPS_PER_POLL: u64 = 3 * PROBED_STATES_PER_POLL as u64;
    /// Nodes of zones that the widest probe expands between two polls.
    pub const PROBED_NODES_PER_POLL: usize = 1 << 6;
    /// Units of work of one worker of a search between two polls: a few milliseconds.
    pub const SEARCH_WORK_PER_POLL: u64 = 1 << 17;
    /// Units of work of a search for symmetries between two polls.
    pub const SYMMETRY_WORK_PER_POLL: u64 = 1 << 16;
    /// Steps of a search between two reports, about.
    pub const STEPS_PER_REPORT: u64 = 1 << 16;
    /// Rules applied between two polls while invariants are computed.
    pub const RULES_PER_POLL: usize = 1 << 14;
    /// Steps of work on an encoding between two polls: some milliseconds.
    pub const ENCODING_STEPS_PER_POLL: usize = 1 << 16;
    /// Polls of a solver for each that is forwarded, at most.
    pub const SOLVER_POLLS: u64 = 32;
    /// Assignments of a solver between two polls that are forwarded, about.
    pub const SOLVER_ASSIGNMENTS: u64 = 1 << 21;
}

/// Work that is done at once, before another worker or task continues.
pub mod slices {
    /// States that are handled together.
    pub const STATES_PER_PIECE: usize = 1024;
    /// Bytes of a text that are read at once.
    pub const BYTES_PER_READ: usize = 1 << 20;
    /// Units of work below which a change of threads does not pay.
    pub const MIN_SLICE: u64 = 1 << 12;
    /// Part of its work so far that a slice of the main task is: one in so many.
    pub const MAIN_SLICE: u64 = 4;
    /// States of a piece, at least and at most: enough for every shard, and few enough for the cache.
    pub const EXPANSION_PIECE: (usize, usize) = (1 << 7, 1 << 11);
    /// Pieces of a round for each worker, unless they get too small.
    pub const PIECES_PER_WORKER: usize = 16;
    /// States of a round below which one worker does it alone.
    pub const MIN_SHARED: usize = 1 << 11;
    /// States of a round below which they are not sorted.
    pub const MIN_SORTED: usize = 1 << 6;
    /// Pages written by each worker before they are joined.
    pub const PAGES_PER_WORKER: usize = 8;
    /// Shares of the work for each worker, so that all end at about the same time.
    pub const SHARES_PER_WORKER: usize = 8;
    /// States or nodes that workers settle in a round.
    pub const SETTLED_PER_ROUND: usize = 1 << 18;
    /// Open nodes of a piece of a traversal, at least.
    pub const MIN_OPEN_NODES: usize = 64;
    /// Pieces of a round of a traversal for each worker.
    pub const TRAVERSAL_PIECES_PER_WORKER: usize = 4;
    /// Nodes visited from a piece of a traversal in a round, at most: with one piece, and with several.
    pub const TRAVERSED_PER_ROUND: [usize; 2] = [1 << 9, 1 << 12];
    /// Bytes of all successors of a round of breadth-first search, about, at least and at most.
    pub const ROUND_BYTES: (u64, u64) = (4 << 20, 128 << 20);
    /// Bytes of all successors of a round as a part of what all states take: one in so many.
    pub const ROUND_SHARE: u64 = 6;
    /// States of a round of breadth-first search, at least.
    pub const MIN_ROUND: u64 = 1 << 10;
    /// States of one word in a round of breadth-first search, at most; rounds of wider states are smaller.
    pub const MAX_ROUND: u64 = 1 << 22;
    /// Nodes of a round of a search with covering, few enough that a round rarely covers its own nodes.
    pub const COVERING_ROUND: usize = 1 << 12;
    /// Nodes of a piece of a search with covering.
    pub const COVERING_PIECE: usize = 1 << 6;
    /// Nodes of a round with covering below which one worker does it alone.
    pub const COVERING_SHARED: usize = 1 << 8;
    /// Checks for work before a worker sleeps: some tens of microseconds.
    pub const LOOKS_BEFORE_SLEEP: usize = 2000;
    /// States of a system below which one worker evaluates conditions alone.
    pub const EVALUATED_SHARED: usize = 1 << 16;
}

/// Times between checks, reports and events.
pub mod clocks {
    use core::time::Duration;

    /// Time between two searches for unused child processes.
    pub const SWEEP: Duration = Duration::from_secs(60);
    /// Time between two checks of the memory of the process.
    pub const MEMORY_CHECK: Duration = Duration::from_millis(20);
    /// Time between two checks of the memory of the machine.
    pub const MACHINE_CHECK: Duration = Duration::from_millis(200);
    /// Time before the first line of progress on the terminal.
    pub const FIRST_LINE: Duration = Duration::from_millis(500);
    /// Time between two changes of the line of progress.
    pub const NEXT_LINE: Duration = Duration::from_millis(200);
    /// Time between two events of progress for other programs.
    pub const PROGRESS_EVENT: Duration = Duration::from_millis(100);
    /// Time without changes of files before they are read again, as editors write in several steps.
    pub const QUIET: Duration = Duration::from_millis(80);
}
