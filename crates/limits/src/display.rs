//! Bounds on how much is shown.

/// Lengths of names and texts, in characters.
pub mod names {
    /// Name of a component, which must distinguish it from others; longer ones are shortened.
    pub const LONGEST_COMPONENT: usize = 200;
    /// Name of a state or operator, or a quoted value or formula; longer ones are shortened.
    pub const LONGEST_NAME: usize = 60;
    /// State of a simulation; longer ones are shortened.
    pub const LONGEST_STATE: usize = 400;
    /// Type in a message; longer ones are shortened.
    pub const LONGEST_TYPE: usize = 400;
    /// Process in statistics; longer ones are shortened.
    pub const LONGEST_PROCESS: usize = 100;
    /// Title of a message; types in it are shortened beyond and follow in full.
    pub const LONGEST_TITLE: usize = 80;
    /// Line of text; longer ones are wrapped or shortened.
    pub const LINE_WIDTH: usize = 100;
}

/// Components and operators of a process.
pub mod components {
    /// Components of a state that are reported; the remaining ones are left out.
    pub const MAX_COMPONENTS: usize = 1000;
    /// Machines, and operators, that a structure lists; the remaining ones are only counted.
    pub const MAX_LISTED: usize = 2000;
    /// Levels of operators; deeper operands are shown as one process.
    pub const MAX_DEPTH: usize = 200;
    /// Components of a chart, or items of one part of a verdict; those with nothing to say are left out beyond.
    pub const MAX_ROWS: usize = 12;
}

/// Messages about scripts.
pub mod diagnostics {
    /// Diagnostics of a text; the remaining ones are not reported.
    pub const MAX_DIAGNOSTICS: usize = 500;
    /// Warnings of a text; the remaining ones are not reported.
    pub const MAX_WARNINGS: usize = 100;
    /// Unknown names that are compared with all names in scope; further ones get fewer suggestions or none.
    pub const MAX_SUGGESTIONS: usize = 100;
    /// Names compared with an unknown one; the remaining ones are not suggested.
    pub const MAX_CANDIDATES: usize = 5000;
    /// Names of an outline; the remaining ones are left out.
    pub const MAX_SYMBOLS: usize = 5000;
    /// Lines of a definition shown on hovering; the remaining ones are left out.
    pub const MAX_HOVER_LINES: usize = 8;
    /// Calls of the chain that leads to an error; the remaining ones are left out.
    pub const MAX_CALLS: usize = 8;
}

/// Excerpts of scripts in messages.
pub mod excerpts {
    /// Lines between two labels beyond which they get separate excerpts.
    pub const FAR_LINES: usize = 500;
    /// Lines of a label that is shown whole; of a longer one the first line is shown.
    pub const MAX_LABEL_LINES: usize = 6;
    /// Lines between two labels that are shown; longer gaps are folded.
    pub const MAX_GAP: usize = 3;
    /// Bytes of a line; longer ones are shortened.
    pub const LONG_LINE: usize = 180;
    /// Bytes of a shortened line kept before and after each end of a label.
    pub const MARGIN: usize = 60;
    /// Columns of the renderer: beyond any shortened line, so that it shortens none.
    pub const RENDERED_WIDTH: usize = 10_000;
}

/// Values, sets and terms.
pub mod values {
    /// Numbers of a range that are listed; larger ranges are written as ranges.
    pub const MAX_RANGE_NUMBERS: u64 = 1_000_000;
    /// Elements of a set in a message; larger sets are not listed.
    pub const MAX_LISTED: u128 = 1000;
    /// Events with a common continuation that are written one by one; more are written as a set.
    pub const SEPARATE_PREFIXES: usize = 4;
    /// Levels of a written term; deeper ones are cut.
    pub const MAX_TERM_DEPTH: usize = 1000;
    /// Values of a field that are listed; the remaining ones are left out.
    pub const MAX_FIELD_VALUES: i64 = 64;
}

/// Events and steps of runs.
pub mod steps {
    /// Blocked events that are listed; the remaining ones are left out.
    pub const MAX_BLOCKED: usize = 200;
    /// Steps of a run, from its end; earlier ones are left out.
    pub const MAX_STEPS: usize = 24;
    /// Events of a trace, from its end; earlier ones are left out.
    pub const MAX_TRACE_EVENTS: usize = 40;
    /// Events of a set in a verdict; the remaining ones are counted.
    pub const MAX_SET_EVENTS: usize = 8;
    /// Events of a counterexample in one line; the remaining ones are left out.
    pub const MAX_LINE_EVENTS: usize = 20;
    /// Steps of a state that the page lists; the remaining ones are counted.
    pub const MAX_MOVES: usize = 1000;
    /// Possible events listed where the chosen one is impossible; the remaining ones are left out.
    pub const MAX_ALTERNATIVES: usize = 12;
    /// Steps and components shown however small the screen is.
    pub const MIN_ROWS: usize = 5;
    /// Items of a report on the terminal; the remaining ones are counted.
    pub const MAX_REPORTED: usize = 100;
}

/// Explanations of temporal formulas.
pub mod formulas {
    /// Lines of an explanation of fairness; the remaining ones are left out.
    pub const MAX_LINES: usize = 12;
    /// Items of one line; the remaining ones are counted.
    pub const MAX_ITEMS: usize = 6;
    /// Subformulas whose truth is shown along a run; the remaining ones are left out.
    pub const MAX_TRUTHS: usize = 8;
    /// Labels of a set that are listed; the remaining ones are counted.
    pub const MAX_SET_LABELS: usize = 3;
}

/// Pictures of graphs.
pub mod graphs {
    /// States drawn with names; larger graphs are refused, or drawn without names as an overview.
    pub const MAX_STATES: usize = 400;
    /// Edges drawn with names; graphs with more are refused, or drawn without names as an overview.
    pub const MAX_EDGES: usize = 1000;
    /// States drawn at all; larger graphs are refused.
    pub const MAX_OVERVIEW_STATES: usize = 5000;
    /// Bytes of a picture; larger ones are refused.
    pub const MAX_BYTES: usize = 2 << 20;
    /// States of a row; larger layers are folded into several rows.
    pub const MAX_ROW: usize = 40;
    /// Characters of the name of an edge; longer ones are shortened.
    pub const LONGEST_NAME: usize = 28;
    /// States shown of a process that has too many.
    pub const BEGINNING: usize = 60;
    /// Steps in either direction of a neighborhood that is shown.
    pub const NEIGHBORHOOD: usize = 2;
    /// States of an explicit system that get names; larger systems have none.
    pub const MAX_NAMED_STATES: usize = 5000;
    /// Graphs of a report; the remaining ones are left out.
    pub const MAX_GRAPHS: usize = 10;
    /// States of a graph in a report; larger graphs are left out.
    pub const MAX_REPORT_STATES: usize = 40;
}

/// Charts of runs.
pub mod charts {
    /// Steps of a chart, from its end; earlier ones are left out.
    pub const MAX_STEPS: usize = 400;
    /// Steps of a chart, from its end, where a report would be too large.
    pub const FEWER_STEPS: usize = 100;
    /// Characters of the name of a component in a picture; longer ones are shortened.
    pub const LONGEST_DRAWN_NAME: usize = 22;
    /// Characters of an event in a picture; longer ones are shortened.
    pub const LONGEST_DRAWN_EVENT: usize = 32;
    /// Characters of what a component waits for in a picture; longer ones are shortened.
    pub const LONGEST_DRAWN_WAIT: usize = 24;
    /// Characters of the name of a component in a chart as text; longer ones are shortened.
    pub const LONGEST_WRITTEN_NAME: usize = 18;
    /// Characters of an event in a chart as text; longer ones are shortened.
    pub const LONGEST_WRITTEN_EVENT: usize = 28;
}

/// HTML reports.
pub mod report {
    /// Bytes of a report; longer charts and graphs are left out beyond.
    pub const MAX_REPORT_BYTES: usize = 5 << 20;
    /// Lines of scripts beside a run; the remaining ones are left out.
    pub const MAX_LINES: usize = 40;
    /// Columns of a table of components; further components are left out.
    pub const MAX_COLUMNS: usize = 16;
}

/// Files of a folder in the workbench.
pub mod folders {
    /// Files of a folder; the remaining ones are left out.
    pub const MAX_LISTED: usize = 2000;
}
