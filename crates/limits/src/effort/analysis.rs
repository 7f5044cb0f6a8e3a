//! Effort of the analysis and its faces.

/// Parameterized systems.
pub mod families {
    /// Families side by side; more have too many combinations of numbers of copies.
    pub const MAX_FAMILIES: usize = 3;
    /// Copies tried where nothing bounds the search for a proof or a counterexample.
    pub const MAX_ENDLESS: u32 = 6;
    /// Copies tried where each family is decided by itself only.
    pub const MAX_ALONE: u32 = 4;
    /// Copies of a process; the verdict is unknown beyond.
    pub const MAX_COPIES: u32 = 100;
    /// States explored by counter abstraction, doubled for each copy, as counters and variables may be unbounded.
    pub const FIRST_STATES: u64 = 1 << 15;
}

/// Replay, judgment and explanation of runs.
pub mod replay {
    /// Pairs of a state and a position of the run; no path is found beyond.
    pub const MAX_PAIRS: usize = 1 << 22;
    /// Steps of a run that is compared with the specification step by step; longer runs are not.
    pub const MAX_STEPS: usize = 1000;
    /// States of an explanation visited to find an order; the explanation stays unordered beyond.
    pub const MAX_ORDERED_STATES: usize = 100_000;
    /// States of a specification or process after a trace; their networks are searched beyond.
    pub const MAX_JUDGED_STATES: u64 = 50_000;
    /// Attempts to leave out an offer from a counterexample; the remaining offers are kept.
    pub const MAX_SHRUNK_OFFERS: usize = 64;
    /// States searched breadth first; the search continues depth first beyond.
    pub const MAX_NEAR: usize = 100_000;
    /// Moments tried at either end of the interval in which a step is possible.
    pub const MOMENTS_AT_ENDS: usize = 2;
    /// States, each with a position of the run, that are visited; the run is not confirmed beyond.
    pub const MAX_PLACES: u64 = 10_000;
    /// States visited to replay a timed run; the run is not confirmed beyond.
    pub const MAX_TIMED_STATES: usize = 1_000_000;
    /// Parts of a unit of time where whole units decide nothing.
    pub const UNIT_PARTS: u32 = 2;
    /// Locations of a specification compared for differences; gives up beyond.
    pub const MAX_LOCATIONS: usize = 10_000;
    /// Ends of runs that are tried; the verdict is unknown if none is confirmed.
    pub const MAX_ENDS: usize = 64;
    /// Nodes of a timed refinement; gives up beyond.
    pub const MAX_COMPARED: u64 = 100_000;
    /// States visited to fold silent steps; the remaining steps are not folded.
    pub const MAX_FOLDED: usize = 10_000;
    /// States searched for a run to a state; no run is found beyond.
    pub const MAX_SEARCHED: usize = 1_000_000;
    /// Parts of a unit of time that the simulator distinguishes; finer delays are refused.
    pub const MAX_TIME_PARTS: i64 = 120;
    /// Assertions that are monitored during simulation; the remaining ones are not.
    pub const MAX_MONITORS: usize = 100;
    /// States of a specification that are possible at once; the monitor ends beyond.
    pub const MAX_MONITOR_STATES: usize = 500;
    /// Steps of a simulated run that are monitored; the monitor ends beyond.
    pub const MAX_MONITOR_STEPS: usize = 300;
}

/// Forms in which an assertion is decided.
pub mod forms {
    /// Units of time beyond which zones are preferred to single steps of time.
    pub const MANY_UNITS: i32 = 32;
    /// States of a machine beyond which a suggestion names it.
    pub const LARGE_MACHINE: usize = 200;
    /// Cost of computing a term, in states of a network.
    pub const TERM_COST: usize = 16;
    /// States visited at first to find states of open machines that must be compiled.
    pub const FIRST_STATES: u64 = 1 << 12;
}

/// Explorations on behalf of pages and pictures.
pub mod workbench {
    /// States explored for a picture; larger systems are not drawn.
    pub const MAX_EXPLORED: u64 = 100_000;
    /// States of a system whose compressed form is suggested for a picture; larger ones get no suggestion.
    pub const MAX_COMPRESSED: usize = 20_000;
    /// States explored to compare or compress processes on the page; the answer is that there are too many beyond.
    pub const MAX_STATES: u64 = 2_000_000;
    /// States of the systems of a bisimulation game; larger ones are not compared.
    pub const MAX_GAME_STATES: usize = 3000;
    /// Steps of the systems of a bisimulation game; larger ones are not compared.
    pub const MAX_GAME_STEPS: usize = 400_000;
    /// Steps of bounded search unless the user chooses.
    pub const DEFAULT_DEPTH: u64 = 100;
    /// Part of the free memory that a check in an editor or in the workbench may take: one in so many.
    pub const MEMORY_SHARE: u64 = 2;
    /// Seconds of a check in an editor unless the user chooses.
    pub const CHECK_SECONDS: f64 = 600.0;
    /// Seconds for each graph of a report; the graph is left out afterwards.
    pub const GRAPH_SECONDS: f64 = 2.0;
    /// Threads per core; the user's number is reduced to it.
    pub const MAX_THREADS_PER_CORE: usize = 4;
}

/// Memory of the machine and time of a replay.
pub mod memory {
    use core::time::Duration;

    /// Part of the memory free at the start that is left to other programs: one in so many.
    pub const SPARE: u64 = 8;
    /// Part of the memory free at the start below which the work ends: one in so many.
    pub const LAST: u64 = 16;
    /// Part of the memory in use below which there is room for more: one in so many.
    pub const ROOM: u64 = 2;
    /// Part of the limit that memory kept by the allocator may exceed it: one in so many.
    pub const KEPT: u64 = 8;
    /// Time for the allocator to return memory to the machine; the work begins afterwards in any case.
    pub const LONGEST_WAIT: Duration = Duration::from_millis(1500);
    /// Part of the memory that reading a script may take, as a fraction.
    pub const FOR_READING: (u64, u64) = (4, 5);
    /// Time for a replay that begins within the time limit.
    pub const FOR_REPLAY: Duration = Duration::from_millis(500);
    /// Bytes taken and given back to make the allocator return what it keeps.
    pub const NUDGE_BYTES: usize = 64 << 20;
}

/// Layout of pictures and texts.
pub mod layout {
    /// Sweeps that order the states of layers, down and up in turn.
    pub const LAYER_SWEEPS: usize = 24;
    /// Sweeps that place the states of rows, down and up in turn.
    pub const SPOT_SWEEPS: usize = 12;
    /// Times a text is formatted until it stays the same; the text is left unformatted beyond.
    pub const FORMAT_ROUNDS: usize = 6;
}
