//! Effort of formulas and automata.

/// Translation of LTL to automata.
pub mod formula_automata {
    /// States of the automaton of a formula; the translation fails beyond.
    pub const MAX_STATES: usize = 20_000;
    /// Steps of work for the automaton of a formula, about; the translation fails beyond.
    pub const MAX_WORK: usize = 1_000_000;
    /// States of the automaton of a negation, which only serves to simplify; it is left out beyond.
    pub const MAX_NEGATION_STATES: usize = 150;
    /// Steps of work for the automaton of a negation; it is left out beyond.
    pub const MAX_NEGATION_WORK: usize = 20_000;
    /// States of an automaton for a query of language inclusion; the query is unanswered beyond.
    pub const MAX_ORACLE_STATES: usize = 24;
    /// Steps of work for the automaton of a query of language inclusion; the query is unanswered beyond.
    pub const MAX_ORACLE_WORK: usize = 1_500;
    /// Pairs of states visited to remove stuttering letters; the automaton stays as it is beyond.
    pub const MAX_BLANK_PAIRS: usize = 20_000;
    /// Edges of an automaton without stuttering letters; the automaton stays as it is beyond.
    pub const MAX_BLANK_EDGES: usize = 20_000;
    /// Edges visited to find similar states; the remaining states count as different.
    pub const MAX_SIMILAR_EDGES: usize = 1_000_000;
    /// Conjunctions of a guard; guards with more are compared one conjunction at a time.
    pub const MAX_COVER: usize = 40;
    /// Levels of an implication check; the implication counts as unproved beyond.
    pub const MAX_IMPLICATION_DEPTH: usize = 24;
    /// States of an automaton; larger ones are not merged state by state.
    pub const MAX_MERGED_STATES: usize = 20;
    /// Pairs of states searched to merge states; the remaining states stay apart.
    pub const MAX_MERGE_WORK: usize = 20_000;
    /// Pairs of states visited for one query of language inclusion; the query is unanswered beyond.
    pub const MAX_ORACLE_PAIRS: usize = 150;
    /// Queries of language inclusion; further ones are unanswered.
    pub const MAX_ORACLE_QUERIES: usize = 400;
    /// States of an automaton; simulation is not computed for larger ones.
    pub const MAX_SIMULATED_STATES: usize = 400;
    /// Edges of an automaton; simulation is not computed for larger ones.
    pub const MAX_SIMULATED_EDGES: usize = 4_000;
    /// Levels of a comparison of formulas; the formulas count as unrelated beyond.
    pub const MAX_COMPARED_DEPTH: usize = 60;
    /// Alternatives of a tableau node beyond which redundant ones are removed.
    pub const THINNED_ALTERNATIVES: usize = 48;
    /// Alternatives of a tableau node; the translation fails beyond.
    pub const MAX_ALTERNATIVES: usize = 1500;
    /// Formulas for the next position; the translation fails beyond.
    pub const MAX_NEXT: usize = 300;
    /// Edges of a tableau beyond which its other form of branching is not tried.
    pub const LARGE_TABLEAU: usize = 1_500;
    /// Atoms of a formula; no weak automaton is built for more, since letters are enumerated.
    pub const MAX_WEAK_ATOMS: u32 = 8;
    /// Successors of sets of states; no weak automaton is built beyond.
    pub const MAX_WEAK_SUCCESSORS: usize = 8_000;
    /// Pairs of states compared for a weak automaton; no weak automaton is built beyond.
    pub const MAX_WEAK_PAIRS: usize = 4_000;
    /// Laws applied to a formula; afterwards formulas are built without simplification.
    pub const MAX_LAWS: usize = 3_000;
    /// Operands compared in pairs; longer conjunctions and disjunctions are not simplified.
    pub const MAX_COMPARED_OPERANDS: usize = 80;
    /// Levels of nested applications of laws; no laws are applied beyond.
    pub const MAX_LAW_DEPTH: usize = 60;
    /// Subformulas of a formula; larger ones are simplified with cheap laws only.
    pub const MAX_THOROUGH_PARTS: usize = 24;
    /// Properties that a conjunction is split into; conjunctions of more stay together.
    pub const MAX_SEPARATE_PARTS: usize = 10_000;
}
