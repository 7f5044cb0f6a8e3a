//! Bounds on what front ends and servers accept.

/// Sizes of texts.
pub mod text {
    /// Bytes of a script; larger files are refused, since their trees take many times as much memory.
    pub const MAX_BYTES: usize = 64 << 20;
    /// Bytes of a formula; longer texts are refused.
    pub const MAX_FORMULA_BYTES: usize = 1 << 20;
    /// Bytes of a text in the workbench; larger ones cannot be opened or saved there.
    pub const MAX_PAGE_BYTES: u64 = 3 << 20;
}

/// Files that include each other.
pub mod includes {
    /// Levels of includes; deeper ones are refused.
    pub const MAX_DEPTH: usize = 200;
    /// Files of a script; more are refused, since files that include each other twice grow exponentially.
    pub const MAX_FILES: usize = 20_000;
}

/// Folders in which scripts are searched for.
pub mod folders {
    /// Levels of folders; deeper ones are skipped.
    pub const MAX_DEPTH: usize = 32;
    /// Entries of folders that are read; the rest is skipped.
    pub const MAX_ENTRIES: usize = 50_000;
    /// Scripts of a folder in which the language server searches for includes; the rest is skipped.
    pub const MAX_SCRIPTS: usize = 10_000;
    /// Including scripts that the language server reads for a text; the rest is skipped.
    pub const MAX_ROOTS: usize = 8;
    /// Symbolic links in a chain that are followed to the file to be written; longer chains are an error.
    pub const MAX_LINKS: usize = 40;
    /// Attempts to find an unused name for a temporary file; saving fails afterwards.
    pub const MAX_TEMPORARY_NAMES: usize = 16;
}

/// Sizes of CSPM scripts.
pub mod cspm {
    /// Levels of nested syntax; deeper scripts are refused, since later phases traverse the tree.
    pub const MAX_NESTING: u32 = 150_000;
    /// Instances of modules; more are refused, since modules that instantiate each other twice grow exponentially.
    pub const MAX_COPIES: usize = 20_000;
    /// Parts of a dotted type; types of more parts are refused.
    pub const MAX_DOTTED_PARTS: usize = 100_000;
    /// Variables of a type; types with more are refused, since each use instantiates all of them.
    pub const MAX_TYPE_VARIABLES: usize = 200_000;
    /// Nodes of all types of a script, regardless of its size; larger scripts get more for each expression.
    pub const MAX_TYPE_NODES: usize = 1 << 22;
    /// Nodes of types added to the bound for each expression of the script.
    pub const TYPE_NODES_PER_EXPRESSION: usize = 16;
    /// Elements of a set or sequence that is enumerated; the evaluation fails beyond.
    pub const MAX_ELEMENTS: u128 = 50_000_000;
    /// Bytes of a value that is written as text; the evaluation fails beyond.
    pub const MAX_SHOWN_BYTES: usize = 16 << 20;
    /// Pairs of events of two linked or renamed channels; the evaluation fails beyond.
    pub const MAX_LINKED_EVENTS: u128 = 1 << 26;
    /// Units of time of a `WAIT`; longer delays are refused.
    pub const MAX_TOCKS: i64 = 1_000_000;
    /// Calls of calls that are unfolded to find an operator; a longer chain is shown as a call.
    pub const MAX_CALL_CHAIN: usize = 100;
}

/// Sizes of CSP# scripts.
pub mod csp_sharp {
    /// Levels of nested operators and brackets; deeper ones are refused.
    pub const MAX_NESTING: usize = 400;
    /// Operands of a chain of one operator; longer chains are refused, since they nest.
    pub const MAX_CHAIN: usize = 2_000;
    /// Operands of an operator over indices; operators with more are not expanded, which is an error where they run.
    pub const MAX_OPERANDS: usize = 100_000;
    /// Nodes of an expression with its macros expanded; larger ones are refused, as evaluation visits each node.
    pub const MAX_MACRO_NODES: u32 = 1 << 22;
    /// Recursive macros whose uses are all reported; of further ones each is expanded once.
    pub const MAX_RECURSIVE_MACROS: usize = 100;
    /// Programs of macros inside one another's programs; a script with more is refused.
    pub const MAX_STATEMENTS: usize = 200_000;
    /// Combinations of initial values of wildcard variables; more are refused.
    pub const MAX_BEGINNINGS: u64 = 4_096;
    /// Iterations of the loops of one program; the program counts as endless beyond.
    pub const MAX_LOOP_ROUNDS: u32 = 1_000_000;
    /// Operators and calls open in each other before a step; unguarded recursion is reported beyond.
    pub const MAX_OPEN_CALLS: u32 = 10_000;
    /// Operators and calls open in each other while time is settled; unguarded recursion is reported beyond.
    pub const MAX_OPEN_TIMED: u32 = 2_000;
    /// Clocks of a state; more are reported as clocks that are started without end.
    pub const MAX_CLOCKS: usize = 200;
    /// Steps of a state of a timed process; states with more are an error.
    pub const MAX_TIMED_STEPS: usize = 1 << 16;
    /// Terms visited to compute an alphabet; the alphabet counts as infinite beyond.
    pub const MAX_ALPHABET_TERMS: usize = 100_000;
    /// Levels of nested hiding in an alphabet; the alphabet counts as infinite beyond.
    pub const MAX_NESTED_HIDING: usize = 200;
}

/// Sizes of networks and of the data in them.
pub mod networks {
    /// Cells of the variables of a script; more are refused.
    pub const MAX_CELLS: u64 = 1 << 20;
    /// Values of a cell, which is packed into 32 bits; wider domains are refused.
    pub const MAX_VALUES: u64 = 1 << 32;
    /// Levels of nested expressions and statements of a network; deeper ones are invalid.
    pub const MAX_DATA_DEPTH: u32 = 256;
    /// Nodes of an expression, counted as a tree; larger ones are invalid, since evaluation visits each node.
    pub const MAX_SIZE: u32 = 1 << 16;
    /// Iterations of all loops of a command; the command counts as endless beyond.
    pub const MAX_ROUNDS: usize = 1 << 16;
    /// Machines of a network text; more are refused.
    pub const MAX_MACHINES: usize = 100_000;
    /// Levels of an expression of a network text, with names expanded; deeper ones are refused.
    pub const MAX_DEPTH: u32 = 1000;
    /// Events of all networks with priorities of a text; more are refused, since each takes memory per network.
    pub const MAX_CLASSIFIED: usize = 1 << 24;
    /// Levels of brackets and prefix operators of a network text; deeper ones are refused.
    pub const MAX_NESTING: u32 = 250;
    /// Levels of a written expression; deeper parts get names, so that the text stays readable for the parser.
    pub const MAX_WRITTEN_DEPTH: u32 = 100;
    /// Parts of an expression that is repeated at each use when a network is written; larger ones get names.
    pub const MAX_INLINE: u32 = 8;
    /// Distance of the bounds of a range in a formula; wider ranges are refused.
    pub const MAX_RANGE: i64 = 100_000;
}

/// Sizes of temporal formulas.
pub mod formulas {
    /// Nodes of a formula with its names expanded; larger formulas are refused.
    pub const MAX_EXPANDED_NODES: usize = 200_000;
    /// Repetitions in a bounded operator; higher counts are refused.
    pub const MAX_COUNT: u32 = 1_000;
    /// Levels of a formula; deeper ones are refused, since later phases traverse the tree.
    pub const MAX_DEPTH: u32 = 10_000;
    /// Alternatives of a fairness condition; more are refused.
    pub const MAX_ALTERNATIVES: usize = 1_000;
    /// Instances of quantified subformulas; more are refused.
    pub const MAX_INSTANCES: usize = 10_000;
    /// Nodes of a formula with its quantifiers expanded; larger formulas are refused.
    pub const MAX_NODES: usize = 2_000_000;
    /// Quantified variables in scope at once; deeper nesting is refused.
    pub const MAX_NESTING: usize = 50;
}

/// Sizes of processes and of their states.
pub mod processes {
    /// Calls that open one another before a step; unguarded recursion is reported beyond.
    pub const MAX_OPEN_CALLS: usize = 100_000;
    /// Steps of a state; states with more are an error.
    pub const MAX_STEPS: usize = 1 << 24;
    /// Positions recorded to name the components of a team; components of larger teams are not named.
    pub const MAX_POSITIONS: usize = 1 << 22;
    /// Joint steps of the operands of a parallel operator on one event; more are an error.
    pub const MAX_JOINT: usize = 1 << 18;
    /// Operands compiled to machines inside one another; deeper nesting is not compiled.
    pub const MAX_NESTED_MACHINES: usize = 10_000;
}

/// Machine stacks, in bytes.
pub mod stack {
    /// Stack of a thread that handles terms and formulas of any depth; only pages in use are committed.
    pub const THREAD_BYTES: usize = 256 << 20;
    /// Stack that must be left before a nested call; a new segment is allocated below.
    pub const RED_ZONE: usize = 256 * 1024;
    /// Segment that the evaluator allocates when its stack runs short.
    pub const EVALUATOR_SEGMENT: usize = 64 * 1024 * 1024;
    /// Segment that compilation of nested networks allocates when its stack runs short.
    pub const COMPILER_SEGMENT: usize = 4 << 20;
}

/// Messages of the language server and its clients.
pub mod protocol {
    /// Bytes of a message body; longer messages are refused, and reading resumes at the next header.
    pub const MAX_MESSAGE: usize = 64 << 20;
    /// Bytes of a header line that are kept: its end, where a header follows damaged input.
    pub const MAX_HEADER_LINE: usize = 1 << 10;
    /// Checks that run at once; others wait.
    pub const MAX_RUNNING_CHECKS: usize = 1;
    /// Checks that wait; further ones are ignored.
    pub const MAX_WAITING_CHECKS: usize = 2000;
    /// Scripts cached besides those of open texts; the cache is cleared beyond.
    pub const MAX_CACHED_SCRIPTS: usize = 64;
}

/// Requests, connections and children of the workbench.
pub mod workbench {
    use core::time::Duration;

    /// Bytes of a request body or of a message of a socket; larger ones are refused.
    pub const MAX_BODY: usize = 4 << 20;
    /// Bytes of a line of a child process; a longer line ends its output.
    pub const MAX_CHILD_LINE: usize = 256 << 20;
    /// Bytes of the end of a child's error output that are kept; the rest is dropped.
    pub const MAX_CHILD_ERRORS: usize = 4000;
    /// Connections without the token; further ones go to the reserve, where only requests with the token are served.
    pub const MAX_UNAUTHENTICATED: usize = 96;
    /// Connections in the reserve; the one that has waited longest is closed beyond.
    pub const MAX_RESERVE: usize = 32;
    /// Connections with the token; further ones count as connections without it.
    pub const MAX_AUTHENTICATED: usize = 96;
    /// Time for the first request with all its headers to arrive; the connection is closed afterwards.
    pub const FIRST_REQUEST: Duration = Duration::from_secs(3);
    /// Time between requests, and for a response to be read, without the token; the connection is closed afterwards.
    pub const IDLE_UNAUTHENTICATED: Duration = Duration::from_secs(10);
    /// Time between requests, and for a response to be read, with the token; the connection is closed afterwards.
    pub const IDLE_AUTHENTICATED: Duration = Duration::from_secs(60);
    /// Bytes of events queued for a tab; all of them are dropped beyond, and the tab must ask again.
    pub const MAX_EVENT_BYTES: usize = 8 << 20;
    /// Events queued for a tab; all of them are dropped beyond, and the tab must ask again.
    pub const MAX_EVENTS: usize = 2048;
    /// Bytes of answers queued for a tab; the tab is not served further until it reads them.
    pub const MAX_ANSWER_BYTES: usize = 8 << 20;
    /// Child processes of all tabs; idle ones are ended for further questions, or these wait.
    pub const MAX_CHILDREN: usize = 12;
    /// Simulators of all tabs, which hold the states of a run; more are refused.
    pub const MAX_SIMULATORS: usize = 8;
    /// Time without a question after which a simulator ends.
    pub const SIMULATOR_IDLE: Duration = Duration::from_secs(30 * 60);
    /// Checks that wait; more are refused.
    pub const MAX_WAITING_CHECKS: usize = 100;
    /// Assertions of one check; more are refused.
    pub const MAX_ASSERTIONS: usize = 5000;
    /// Files whose verdicts are kept; all are dropped beyond.
    pub const MAX_VERDICT_FILES: usize = 100;
    /// Connected tabs; more are refused.
    pub const MAX_TABS: usize = 32;
    /// Open questions of one tab; more are refused.
    pub const MAX_QUESTIONS: usize = 32;
    /// Time after the last tab is closed until running work is cancelled.
    pub const ABANDONED: Duration = Duration::from_secs(10);
    /// Time in which a tab must accept a message; the tab is disconnected afterwards.
    pub const STALL: Duration = Duration::from_secs(15);
    /// Time for a browser to open the page; what it needs for that is dropped afterwards.
    pub const BROWSER_START: Duration = Duration::from_secs(60);
    /// Texts that are held; unchanged ones are dropped beyond, and further changes are refused.
    pub const MAX_TEXTS: usize = 200;
    /// Steps of a run that a page sends; later ones are ignored.
    pub const MAX_RUN: usize = 100_000;
    /// Seconds for an answer of the worker; the computation is cancelled afterwards.
    pub const ANSWER_SECONDS: f64 = 50.0;
}
