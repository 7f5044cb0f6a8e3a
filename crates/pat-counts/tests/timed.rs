//! Timed scripts, with counts derived by hand from the rules in `docs/semantics/pat-counts.md`.

use crate::counts::counted;
use pat_counts::Witness;

/// Small scripts with the states and transitions that follow from the rules by hand.
const COUNTED: &[(&str, u64, u64)] = &[
    // A wait is one step, and a call is replaced by its definition.
    ("M() = Wait[2]; on -> Wait[3]; off -> M();", 4, 4),
    ("M() = go -> P(); P() = go -> P();", 1, 1),
    // A guard is part of a step.
    ("var x = 0; M() = ([x == 0] up{x=1} -> M()) [] ([x == 1] down{x=0} -> M());", 2, 2),
    // An event at 0, 1 and 2 has one target; the timeout has another.
    ("M() = (on -> M()) timeout[2] (off -> M());", 2, 5),
    // One event at three moments is three transitions.
    ("M() = (on -> Skip) within[2]; M();", 1, 3),
    // Independent steps come first, so synchronized ones are expanded first.
    ("M() = (meet -> Stop) || ((meet -> Stop) [] (one -> two -> three -> Stop));", 3, 2),
];

#[test]
fn states_at_integer_times_are_counted() {
    for (definitions, n_states, n_transitions) in COUNTED {
        let found = counted("model.rts", definitions, "M() deadlockfree", Witness::Nearest);
        assert_eq!(found, (*n_states, *n_transitions), "{definitions}");
    }
}

/// Reachability explores locations with zones, the last discovered first. Steps at the end of a delay are discovered
/// last, so their targets are expanded first: nodes and steps by hand.
#[test]
fn nodes_of_the_zone_graph_are_counted() {
    let script = "var x = 0;\n#define goal x == 1;\n\
                  M() = (Wait[1]; late{x=1} -> Stop) ||| (one -> two -> three -> Stop);";
    assert_eq!(counted("model.rts", script, "M() reaches goal", Witness::Nearest), (10, 9));
}
