//! Silent components and divergences compared with reachability by definition.

use crate::support;

use lts::tau::{Components, Divergences};
use lts::{Builder, Label, Lts, StateId};
use support::{for_random_systems, unwatched};

/// For each pair whether silent steps lead from the first to the second.
fn silent_reachability(lts: &Lts) -> Vec<Vec<bool>> {
    let n_states = lts.n_states();
    let mut reaches = vec![vec![false; n_states]; n_states];
    for state in lts.states() {
        reaches[state.index()][state.index()] = true;
        for step in lts.silent(state) {
            reaches[state.index()][step.target.index()] = true;
        }
    }
    for middle in 0..n_states {
        for from in 0..n_states {
            for to in 0..n_states {
                reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
            }
        }
    }
    reaches
}

#[test]
fn components_and_divergences_follow_the_definitions() {
    for_random_systems(3000, 12, |_, lts| {
        let reaches = silent_reachability(lts);
        let components = Components::of(lts, &mut unwatched()).map_err(|_| "stopped")?;
        let divergences = Divergences::of(lts, &mut unwatched()).map_err(|_| "stopped")?;
        let on_cycle = |state: StateId| {
            let returns = lts.silent(state).iter().any(|step| reaches[step.target.index()][state.index()]);
            returns || lts.is_explicitly_divergent(state)
        };
        for left in lts.states() {
            for right in lts.states() {
                let mutual = reaches[left.index()][right.index()] && reaches[right.index()][left.index()];
                if (components.component(left) == components.component(right)) != mutual {
                    return Err(format!("component of {left:?} and {right:?}"));
                }
            }
            if lts.silent(left).iter().any(|step| components.component(step.target) > components.component(left)) {
                return Err(format!("a silent step of {left:?} leads up"));
            }
            let diverges = lts.states().any(|state| reaches[left.index()][state.index()] && on_cycle(state));
            if divergences.contains(left) != diverges {
                return Err(format!("divergence of {left:?}: expected {diverges}"));
            }
        }
        Ok(())
    });
}

#[test]
fn long_silent_chains_need_no_stack() {
    let n_states = 1_000_000;
    let mut builder = Builder::new();
    for state in 0..n_states {
        builder.add(StateId(state), Label::TAU, StateId((state + 1) % n_states));
    }
    let lts = builder.finish(StateId(0));
    let components = Components::of(&lts, &mut unwatched()).expect("the computation is not cancelled");
    assert_eq!(components.n_components(), 1);
    assert!(Divergences::of(&lts, &mut unwatched()).expect("the computation is not cancelled").contains(StateId(77)));
}
