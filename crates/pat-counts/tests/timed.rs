//! Where time passes. Numbers were derived by hand from the rules in `docs/semantics/pat-counts.md`.

use crate::counts::counted;
use pat_counts::Witness;

/// Small scripts with the states and transitions that follow from the rules by hand, in the order in which PAT looks at them.
const COUNTED: &[(&str, u64, u64)] = &[
    // A wait is one step, and a name is what it stands for.
    ("M() = Wait[2]; on -> Wait[3]; off -> M();", 4, 4),
    ("M() = go -> P(); P() = go -> P();", 1, 1),
    // A guard is part of a step.
    ("var x = 0; M() = ([x == 0] up{x=1} -> M()) [] ([x == 1] down{x=0} -> M());", 2, 2),
    // An event at 0, 1 and 2 leads to the same; the timeout to another state.
    ("M() = (on -> M()) timeout[2] (off -> M());", 2, 5),
    // The same event at three moments is three transitions.
    ("M() = (on -> Skip) within[2]; M();", 1, 3),
    // What one does alone comes first, so what both do is looked at first.
    ("M() = (meet -> Stop) || ((meet -> Stop) [] (one -> two -> three -> Stop));", 3, 2),
];

#[test]
fn states_in_whole_units_of_time_are_counted() {
    for (definitions, n_states, n_transitions) in COUNTED {
        let found = counted("model.rts", definitions, "M() deadlockfree", Witness::Nearest);
        assert_eq!(found, (*n_states, *n_transitions), "{definitions}");
    }
}

/// Reachability explores locations with zones, last met first. Steps by which a time is up are met last, so what follows them is
/// looked at first: nodes and steps by hand.
#[test]
fn nodes_of_the_zone_graph_are_counted() {
    let script = "var x = 0;\n#define goal x == 1;\n\
                  M() = (Wait[1]; late{x=1} -> Stop) ||| (one -> two -> three -> Stop);";
    assert_eq!(counted("model.rts", script, "M() reaches goal", Witness::Nearest), (10, 9));
}
