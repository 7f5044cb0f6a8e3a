//! Bisimulation game (Stirling, 1999, Bisimulation, modal logic and model checking games).
//!
//! Two players stand at the two states. The attacker takes a step on either side, the defender answers by a step with
//! the same label on the other side; a player who cannot move loses. States are bisimilar if the defender has a winning
//! strategy. Partition refinement separates two states in the round that is the number of moves the attacker needs, so
//! the reported game is a shortest one.

use analysis::{Label, Lts, StateId};
pub use limits::effort::workbench::{MAX_GAME_STATES, MAX_GAME_STEPS};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Transition relation of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Every step.
    Strong,
    /// Weak transitions: internal steps before and after are absorbed, and an internal step may be answered by none.
    Weak,
}

/// Round of the game: the attacker's side and step, and whether it can be answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Whether the step is taken at the second state.
    pub is_right: bool,
    /// Label of the step.
    pub label: Label,
    /// Whether the other state has the step, too.
    pub is_answered: bool,
}

type Steps = Vec<BTreeSet<(Label, u32)>>;

/// Rounds that distinguish two states of a system; none if they are bisimilar.
///
/// # Errors
/// When the saturated system exceeds the limit on its size.
pub fn difference(lts: &Lts, left: StateId, right: StateId, kind: Kind) -> Result<Vec<Round>, String> {
    let too_large = || {
        format!(
            "more than {MAX_GAME_STATES} states, or {MAX_GAME_STEPS} steps, are not compared so: collapse them first"
        )
    };
    if lts.n_states() > MAX_GAME_STATES || lts.n_transitions() > MAX_GAME_STEPS {
        return Err(too_large());
    }
    let steps = match kind {
        Kind::Strong => direct(lts),
        Kind::Weak => saturated(lts).ok_or_else(too_large)?,
    };
    let levels = refine(&steps);
    Ok(play(&steps, &levels, left.index(), right.index()))
}

fn direct(lts: &Lts) -> Steps {
    lts.states().map(|state| lts.transitions(state).iter().map(|step| (step.label, step.target.0)).collect()).collect()
}

/// Saturated transition relation; `None` if it exceeds the limit.
fn saturated(lts: &Lts) -> Option<Steps> {
    let silent: Vec<BTreeSet<u32>> = lts
        .states()
        .map(|state| {
            let mut visited = BTreeSet::from([state.0]);
            let mut open = vec![state];
            while let Some(state) = open.pop() {
                for step in lts.transitions(state).iter().filter(|step| step.label == Label::TAU) {
                    if visited.insert(step.target.0) {
                        open.push(step.target);
                    }
                }
            }
            visited
        })
        .collect();
    let mut n_steps = 0;
    let mut all = Vec::with_capacity(lts.n_states());
    for state in lts.states() {
        let mut steps: BTreeSet<(Label, u32)> = silent[state.index()].iter().map(|&to| (Label::TAU, to)).collect();
        for &before in &silent[state.index()] {
            for step in lts.transitions(StateId(before)).iter().filter(|step| step.label != Label::TAU) {
                steps.extend(silent[step.target.index()].iter().map(|&behind| (step.label, behind)));
            }
        }
        n_steps += steps.len();
        if n_steps > MAX_GAME_STEPS {
            return None;
        }
        all.push(steps);
    }
    Some(all)
}

/// Partitions of the states after each round, up to the fixed point.
fn refine(steps: &Steps) -> Vec<Vec<u32>> {
    let mut levels = vec![vec![0; steps.len()]];
    loop {
        let last = &levels[levels.len() - 1];
        let mut numbers: HashMap<(u32, BTreeSet<(Label, u32)>), u32> = HashMap::new();
        let classes: Vec<u32> = steps
            .iter()
            .enumerate()
            .map(|(state, steps)| {
                let seen = steps.iter().map(|&(label, target)| (label, last[target as usize])).collect();
                let next = numbers.len() as u32;
                *numbers.entry((last[state], seen)).or_insert(next)
            })
            .collect();
        let n_before = last.iter().collect::<BTreeSet<_>>().len();
        if numbers.len() == n_before {
            return levels;
        }
        levels.push(classes);
    }
}

fn play(steps: &Steps, levels: &[Vec<u32>], left: usize, right: usize) -> Vec<Round> {
    let apart = |one: usize, other: usize| levels.iter().position(|level| level[one] != level[other]);
    let mut rounds = Vec::new();
    let mut at = [left, right];
    while let Some(level) = apart(at[0], at[1]) {
        // The partition of the previous round does not separate the states, so one of them has a step to a block of
        // that partition that the other cannot reach.
        let classes = &levels[level - 1];
        let missing = |from: usize, other: usize| {
            let answers: BTreeMap<Label, BTreeSet<u32>> =
                steps[other].iter().fold(BTreeMap::new(), |mut all, &(label, target)| {
                    all.entry(label).or_default().insert(classes[target as usize]);
                    all
                });
            let is_missing = |(label, target): &&(Label, u32)| {
                !answers.get(label).is_some_and(|known| known.contains(&classes[*target as usize]))
            };
            steps[from].iter().find(is_missing).copied()
        };
        let (is_right, (label, target)) = match missing(at[0], at[1]) {
            Some(step) => (false, step),
            None => (true, missing(at[1], at[0]).expect("they came apart in this round")),
        };
        let other = at[usize::from(!is_right)];
        // The answer that survives longest; all answers lead to states separated in earlier rounds.
        let lasts = |answer: &u32| apart(target as usize, *answer as usize);
        let answers = steps[other].iter().filter(|(answer, _)| *answer == label).map(|&(_, target)| target);
        let answer = answers.max_by_key(lasts);
        rounds.push(Round { is_right, label, is_answered: answer.is_some() });
        let Some(answer) = answer else { break };
        at = if is_right { [answer as usize, target as usize] } else { [target as usize, answer as usize] };
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::mutate::{Random, seed};

    fn system(steps: &[(u32, u32, u32)]) -> Lts {
        let mut builder = lts::Builder::new();
        for &(source, label, target) in steps {
            builder.add_state(StateId(source));
            builder.add_state(StateId(target));
            builder.add(StateId(source), Label(label), StateId(target));
        }
        builder.finish(StateId(0))
    }

    /// Whether the greatest bisimulation relates two states, computed from the definition by deleting pairs.
    fn is_bisimilar(steps: &Steps, left: usize, right: usize) -> bool {
        let n = steps.len();
        let mut related: BTreeSet<(usize, usize)> = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).collect();
        loop {
            let answers = |from: usize, to: usize, pairs: &BTreeSet<(usize, usize)>, turned: bool| {
                steps[from].iter().all(|&(label, target)| {
                    steps[to].iter().any(|&(answer, other)| {
                        let pair = (target as usize, other as usize);
                        answer == label && pairs.contains(&if turned { (pair.1, pair.0) } else { pair })
                    })
                })
            };
            let kept: BTreeSet<(usize, usize)> = related
                .iter()
                .copied()
                .filter(|&(a, b)| answers(a, b, &related, false) && answers(b, a, &related, true))
                .collect();
            if kept.len() == related.len() {
                return kept.contains(&(left, right));
            }
            related = kept;
        }
    }

    #[test]
    fn a_choice_that_is_made_too_early_is_found_in_two_rounds() {
        // a.(b + c) against a.b + a.c.
        let lts = system(&[(0, 2, 1), (1, 3, 2), (1, 4, 2), (3, 2, 4), (4, 3, 2), (3, 2, 5), (5, 4, 2)]);
        let rounds = difference(&lts, StateId(0), StateId(3), Kind::Strong).expect("it is small");
        assert_eq!(rounds.len(), 2);
        assert_eq!((rounds[0].label, rounds[0].is_answered), (Label(2), true));
        assert!(!rounds[1].is_answered);
    }

    #[test]
    fn silent_steps_matter_to_one_game_only() {
        let lts = system(&[(0, 2, 1), (2, 0, 3), (3, 2, 1)]);
        assert!(!difference(&lts, StateId(0), StateId(2), Kind::Strong).expect("it is small").is_empty());
        assert!(difference(&lts, StateId(0), StateId(2), Kind::Weak).expect("it is small").is_empty());
    }

    #[test]
    fn the_game_is_won_where_the_definition_says_so() {
        let mut random = Random::new(seed());
        let mut next = |below: u64| (random.number() % below) as u32;
        let mut n_same = [0, 0];
        for _ in 0..400 {
            let steps: Vec<(u32, u32, u32)> = (0..9).map(|_| (next(6), [0, 2, 3][next(3) as usize], next(6))).collect();
            let steps: Vec<_> = steps.into_iter().chain([(5, 0, 5)]).collect();
            let lts = system(&steps);
            for (kind, all) in [(Kind::Strong, direct(&lts)), (Kind::Weak, saturated(&lts).expect("it is small"))] {
                let rounds = difference(&lts, StateId(0), StateId(1), kind).expect("it is small");
                let is_same = is_bisimilar(&all, 0, 1);
                assert_eq!(rounds.is_empty(), is_same, "TEST_SEED={} {steps:?} {kind:?}", seed());
                assert!(
                    is_same || !rounds[rounds.len() - 1].is_answered,
                    "TEST_SEED={} {steps:?} {kind:?}: {rounds:?}",
                    seed()
                );
                n_same[usize::from(is_same)] += 1;
            }
        }
        assert!(n_same.iter().all(|&n| n > 20), "{n_same:?}");
    }
}
