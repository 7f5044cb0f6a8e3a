//! Reduced networks have the verdicts of complete ones, and valid runs.

use crate::support;

use explore::Reduction;
use ltl::logic::{Atom, Formula, Node, Store};
use lts::Label;
use model::data::{
    BinaryOperator, Command, Data, Domain, Expression, ExpressionId, Kind, Lifetime, Statement, Variable,
};
use model::network::{Action, Edge, LocalState, Machine, MachineId, Mode, Network, Rule};
use progress::NoProgress;
use std::collections::HashMap;
use std::sync::Arc;
use support::networks::{LIMITS, on_network};
use support::{Random, random_formula, random_future_formula, random_rules, seed};
use temporal::atoms;
use temporal::product::decide;
use temporal::reduction::{Refusal, needed, partial_order, symmetry};
use temporal::{
    ActionNetwork, Condition, Divergence, Fact, Fairness, FiniteRuns, Labels, Property, Reason, Rules, Strength,
    Verdict, View, replay, silence,
};
use test_support::data::Span;
use test_support::sharing::random_processes;
use test_support::symmetric::symmetric_network;

fn some(labels: &[u32]) -> Labels {
    labels.iter().copied().map(Label).collect()
}

fn property(random: &mut Random, facts: Vec<Fact>, fairness: Fairness) -> Property {
    let mut store = Store::default();
    let size = 1 + random.below(5);
    let formula = random_formula(&mut store, random, facts.len(), size);
    Property { store, formula, facts, fairness }
}

fn rules(random: &mut Random, view: View) -> Rules {
    let mut rules = random_rules(random, view);
    if view == View::Step {
        rules.divergence = Divergence::Ignore;
    }
    rules
}

#[derive(Debug, Default)]
struct Counts {
    refused: usize,
    smaller: usize,
    fails: usize,
    holds: usize,
}

impl Counts {
    /// Decides a property of a network with and without a reduction.
    fn compare(&mut self, network: &Network, property: &Property, rules: &Rules, reduction: &Reduction) {
        self.compare_with(network, &[], property, rules, reduction);
    }

    /// [`Self::compare`] with conditions on variables.
    fn compare_with(
        &mut self,
        network: &Network,
        conditions: &[(u32, ExpressionId)],
        property: &Property,
        rules: &Rules,
        reduction: &Reduction,
    ) {
        let actions = ActionNetwork::new(network, None).with_conditions(conditions.to_vec());
        let whole = actions.explore(Reduction::None, &LIMITS, &NoProgress).expect("it is small");
        let reduced = actions.explore(reduction.clone(), &LIMITS, &NoProgress).expect("it is small");
        let context = || format!("TEST_SEED={}\n{network:#?}\n{property:#?}\n{rules:?}\n{reduction:?}", seed());
        let expected = silence::decide(&whole.structure, property, rules, &NoProgress).verdict;
        if expected == Verdict::Unknown(Reason::MixedPast) {
            return;
        }
        let slow = atoms::decide(&whole.structure, property, rules, &NoProgress);
        let is_found = |verdict: &Verdict<_>| matches!(verdict, Verdict::Fails(_));
        assert!(
            rules.divergence == Divergence::AsDeadlock || is_found(&slow) == is_found(&expected),
            "{slow:?}\n{}",
            context()
        );
        let mut found = vec![];
        match silence::decide(&reduced.structure, property, rules, &NoProgress).verdict {
            Verdict::Fails(run) => {
                found.push(on_network(&actions, reduction, &run, |state| reduced.configuration(state)));
            }
            verdict => assert_eq!(verdict, expected, "{}", context()),
        }
        if rules.divergence != Divergence::AsDeadlock {
            let mut growing = actions.growing(reduction.clone(), usize::MAX).expect("it is small");
            match decide(&mut growing, property, rules, &NoProgress).verdict {
                Verdict::Fails(run) => {
                    found.push(on_network(&actions, reduction, &run, |state| growing.configuration(state)));
                }
                verdict => assert_eq!(verdict, expected, "{}", context()),
            }
        }
        for run in &found {
            replay((network, None), conditions, property, rules, run)
                .unwrap_or_else(|why| panic!("{why}: {run:?}\n{}", context()));
        }
        self.smaller += usize::from(reduced.structure.n_steps() < whole.structure.n_steps());
        match expected {
            Verdict::Holds => self.holds += 1,
            _ => self.fails += 1,
        }
    }

    fn expect(&self, n: usize) {
        assert!(self.fails > n && self.holds > n && self.smaller > n, "{self:?}");
    }
}

fn reorder(n_rounds: usize, view: View) -> Counts {
    let mut random = Random::new(seed());
    let mut counts = Counts::default();
    for _ in 0..n_rounds {
        let network = random_processes(&mut random);
        // Few labels, so that the others are invisible.
        let facts = match random.below(4) {
            0 => vec![Fact::Takes(some(&[2])), Fact::Takes(some(&[3]))],
            1 => vec![Fact::Takes(some(&[3])), Fact::Stuck],
            _ => vec![Fact::Takes(some(&[2]))],
        };
        let property = property(&mut random, facts, Fairness::default());
        let rules = rules(&mut random, view);
        let actions = ActionNetwork::new(&network, None);
        match partial_order(&actions, std::slice::from_ref(&property), &rules) {
            Ok(order) => counts.compare(&network, &property, &rules, &Reduction::PartialOrder(Arc::new(order))),
            Err(_) => counts.refused += 1,
        }
    }
    counts
}

#[test]
fn partial_order_reduction_in_the_step_view() {
    reorder(3000, View::Step).expect(150);
}

#[test]
fn partial_order_reduction_in_the_trace_view() {
    reorder(2000, View::Trace).expect(150);
}

/// The formula whose steps are those that lead to a position.
fn of_last_steps(store: &mut Store, formula: Formula, facts: &[Fact]) -> Formula {
    let mut parts = store.below(formula);
    parts.sort_unstable();
    let mut new: HashMap<Formula, Formula> = HashMap::new();
    for part in parts {
        let changed = match store.get(part).clone() {
            Node::Literal(atom, is_so) if matches!(facts[atom.0 as usize], Fact::Takes(_)) => match is_so {
                true => store.yesterday(part),
                false => store.weak_yesterday(part),
            },
            Node::And(operands) => store.and(operands.iter().map(|operand| new[operand])),
            Node::Or(operands) => store.or(operands.iter().map(|operand| new[operand])),
            Node::Next(operand) => store.next(new[&operand]),
            Node::WeakNext(operand) => store.weak_next(new[&operand]),
            Node::Until(left, right) => store.until(new[&left], new[&right]),
            Node::Release(left, right) => store.release(new[&left], new[&right]),
            _ => part,
        };
        new.insert(part, changed);
    }
    new[&formula]
}

/// Independent processes, each along a line or a circle: all steps of two of them commute, apart from variables.
fn random_lines(random: &mut Random) -> Network {
    let mut network = Network::default();
    let mut rules = Vec::new();
    for process in (0..2 + random.below(2) as u32).map(MachineId) {
        let (n_states, goes_round) = (2 + random.below(3), random.below(2) == 0);
        let mut n_actions = 0;
        let mut edge = |target: usize| {
            let action = Action(n_actions);
            n_actions += 1;
            let shows = if random.below(3) == 0 { Label::TAU } else { Label(2 + random.below(3) as u32) };
            rules.push(Rule::new([(process, action)], shows));
            Edge { action, target: LocalState(target as u32) }
        };
        let last = if goes_round { vec![edge(0)] } else { Vec::new() };
        let line: Vec<Vec<Edge>> = (1..n_states).map(|next| vec![edge(next)]).collect();
        network.machines.push(Arc::new(Machine::new(line.into_iter().chain([last]))));
    }
    network.initial.locals = vec![LocalState(0); network.machines.len()];
    network.modes = vec![Mode { rules }];
    network
}

/// A formula of a usual form, mostly stuttering-invariant.
fn usual_formula(store: &mut Store, random: &mut Random, n_atoms: usize) -> Formula {
    let [a, b] = [(); 2].map(|()| {
        let atom = store.atom(Atom(random.below(n_atoms) as u32));
        if random.below(3) == 0 { store.not(atom) } else { atom }
    });
    let (not_a, soon) = (store.not(a), store.finally(b));
    let inside = match random.below(6) {
        0 => store.implies(a, soon),
        1 => store.implies(a, b),
        2 => store.until(not_a, b),
        3 => store.or([a, b]),
        4 => store.release(b, not_a),
        _ => {
            let until = store.until(not_a, b);
            store.implies(b, until)
        }
    };
    match random.below(5) {
        0 | 1 => store.globally(inside),
        2 => {
            let again = store.finally(inside);
            store.globally(again)
        }
        3 => {
            let always = store.globally(inside);
            store.finally(always)
        }
        _ => inside,
    }
}

/// Lets rules of a network assign a variable, and some test it; returns a condition on it.
fn add_variable(random: &mut Random, network: &mut Network) -> ExpressionId {
    let kind = Kind::Scalar(Domain::Integers { low: 0, high: 2 });
    let variable = Variable { name: "x".into(), kind, lifetime: Lifetime::Run };
    let variable = network.data.add_variable(variable);
    let compare = |random: &mut Random, data: &mut Data| {
        let operands = [Expression::Variable(variable), Expression::Integer(random.below(3) as i64)];
        let [left, right] = operands.map(|operand| data.expressions.add(operand, Span::default()));
        let operator = *random.pick(&[BinaryOperator::Equal, BinaryOperator::LessOrEqual]);
        data.expressions.add(Expression::Binary(operator, left, right), Span::default())
    };
    let Network { modes, data, .. } = network;
    for rule in modes.iter_mut().flat_map(|mode| &mut mode.rules) {
        // Final values of variables are irrelevant.
        if rule.shows == Label::TICK {
            rule.shows = Label::TAU;
        }
        let guard = (random.below(8) == 0).then(|| compare(random, data));
        let value = (random.below(6) == 0)
            .then(|| data.expressions.add(Expression::Integer(random.below(3) as i64), Span::default()));
        let origin = Span::default();
        let statements = value.into_iter().map(|value| Statement::Assign { variable, value, origin }).collect();
        let command = Command { guard, statements };
        rule.command = (guard.is_some() || value.is_some()).then(|| Box::new(command));
    }
    let condition = compare(random, data);
    network.initial.data = data.least_valuation();
    condition
}

/// Formulas that are sensitive to stuttering, or to more of the past than the last step, refuse the reduction.
#[test]
fn formulas_sensitive_to_stuttering_are_refused() {
    let mut random = Random::new(seed());
    let mut network = random_lines(&mut random);
    let conditions = vec![(7, add_variable(&mut random, &mut network))];
    let actions = ActionNetwork::new(&network, None).with_conditions(conditions);
    let rules = Rules { finite_runs: FiniteRuns::Stutter, divergence: Divergence::Ignore, ..Rules::of(View::Step) };
    let ask = |store: &Store, formula: Formula, facts: &[Fact], rules: &Rules| {
        let (store, facts, fairness) = (store.clone(), facts.to_vec(), Fairness::default());
        let property = Property { store, formula, facts, fairness };
        partial_order(&actions, &[property], rules).map(|_| ())
    };
    let facts = [Fact::Takes(some(&[2])), Fact::Holds(7), Fact::Stuck];
    let mut store = Store::default();
    let [taken, p, stuck] = [0, 1, 2].map(|atom| store.atom(Atom(atom)));
    let [a, not_taken] = [store.yesterday(taken), store.not(taken)];
    let (not_a, soon, not_p) = (store.weak_yesterday(not_taken), store.finally(p), store.not(p));
    let [at_once, either] = [store.implies(a, p), store.or([a, p])];
    let [answered, again] = [store.implies(a, soon), store.finally(either)];
    let unseen = [
        store.globally(at_once),
        store.globally(again),
        store.globally(answered),
        store.until(not_a, p),
        store.finally(a),
    ];
    for formula in unseen {
        assert_eq!(ask(&store, formula, &facts, &rules), Ok(()), "{formula:?} of {store:?}");
    }
    let bare = store.and([p, not_a]);
    let idle = store.finally(at_once);
    let bodies = [store.implies(p, a), either, idle, store.next(either), store.until(a, not_p), store.finally(bare)];
    for body in bodies {
        let formula = store.globally(body);
        assert_eq!(ask(&store, formula, &facts, &rules), Err(Refusal::Counts), "{formula:?} of {store:?}");
    }
    let looking = [
        store.yesterday(not_taken),
        store.weak_yesterday(taken),
        store.since(taken, p),
        store.and([a, taken]),
        store.and([a, stuck]),
        store.yesterday(p),
    ];
    for formula in looking {
        assert_eq!(ask(&store, formula, &facts, &rules), Err(Refusal::Past), "{formula:?} of {store:?}");
    }
    let answered = store.globally(answered);
    let others = [Rules { finite_runs: FiniteRuns::Maximal, ..rules }, Rules { view: View::Trace, ..rules }];
    others.iter().for_each(|rules| assert_eq!(ask(&store, answered, &facts, rules), Err(Refusal::Past)));
    let mut store = Store::default();
    let p = store.atom(Atom(0));
    let (next, soon) = (store.next(p), store.finally(p));
    assert_eq!(ask(&store, soon, &facts[1..2], &rules), Ok(()));
    assert_eq!(ask(&store, next, &facts[1..2], &rules), Err(Refusal::Counts));
}

/// The formulas of PAT: events are those that led to a position, conditions are those of its state.
#[test]
fn partial_order_reduction_with_last_steps() {
    let mut random = Random::new(seed());
    let mut counts = [Counts::default(), Counts::default()];
    for round in 0..4000 {
        let mut network = if round % 3 == 0 { random_processes(&mut random) } else { random_lines(&mut random) };
        let mut facts = vec![Fact::Takes(some(&[2]))];
        facts.extend((random.below(3) == 0).then(|| Fact::Takes(some(&[3]))));
        facts.extend((random.below(8) == 0).then_some(Fact::Stuck));
        let mut conditions = Vec::new();
        if random.below(3) > 0 {
            facts.insert(random.below(2), Fact::Holds(7));
            conditions.push((7, add_variable(&mut random, &mut network)));
        }
        let mut store = Store::default();
        let size = 1 + random.below(5);
        let formula = match random.below(3) {
            0 => random_future_formula(&mut store, &mut random, facts.len(), size),
            _ => usual_formula(&mut store, &mut random, facts.len()),
        };
        let formula = of_last_steps(&mut store, formula, &facts);
        let property = Property { store, formula, facts, fairness: Fairness::default() };
        let rules = Rules {
            finite_runs: *random.pick(&[
                FiniteRuns::Maximal,
                FiniteRuns::Stutter,
                FiniteRuns::Stutter,
                FiniteRuns::Ignore,
            ]),
            ..rules(&mut random, View::Step)
        };
        let actions = ActionNetwork::new(&network, None).with_conditions(conditions.clone());
        let counts = &mut counts[conditions.len()];
        match partial_order(&actions, std::slice::from_ref(&property), &rules) {
            Ok(order) => {
                let reduction = Reduction::PartialOrder(Arc::new(order));
                counts.compare_with(&network, &conditions, &property, &rules, &reduction);
            }
            Err(_) => counts.refused += 1,
        }
    }
    counts.iter().for_each(|counts| counts.expect(150));
}

#[test]
fn fair_runs_of_the_reduction_are_those_of_the_network() {
    let mut random = Random::new(seed());
    let (mut n_proved, mut n_fairer) = (0, 0);
    for _ in 0..3000 {
        let network = random_processes(&mut random);
        let fairness = random_fairness(&mut random);
        let fair = property(&mut random, vec![Fact::Takes(some(&[2])), Fact::Takes(some(&[3]))], fairness);
        let rules = rules(&mut random, View::Step);
        let actions = ActionNetwork::new(&network, None);
        let free = Property { fairness: Fairness::default(), ..fair.clone() };
        let Ok(order) = partial_order(&actions, std::slice::from_ref(&free), &rules) else { continue };
        let reduction = Reduction::PartialOrder(Arc::new(order));
        let mut growing = actions.growing(reduction, usize::MAX).expect("it is small");
        let is_proved = decide(&mut growing, &free, &rules, &NoProgress).verdict == Verdict::Holds;
        let whole = actions.explore(Reduction::None, &LIMITS, &NoProgress).expect("it is small");
        let verdict = silence::decide(&whole.structure, &fair, &rules, &NoProgress).verdict;
        let context = || format!("TEST_SEED={}\n{network:#?}\n{fair:#?}\n{rules:?}", seed());
        assert!(!is_proved || verdict == Verdict::Holds, "{verdict:?}\n{}", context());
        n_proved += usize::from(is_proved);
        n_fairer += usize::from(!is_proved && verdict == Verdict::Holds);
    }
    assert!(n_proved > 50 && n_fairer > 0, "{n_proved} {n_fairer}");
}

/// A fact about equal processes: about all, about some, or about single ones.
fn random_fact(random: &mut Random, view: View) -> Fact {
    let kind = 2 + random.below(6) as u32;
    let labels = match random.below(4) {
        0 => some(&[8 + kind]),
        1 => some(&[8 + kind, 16 + kind]),
        _ => some(&[kind, 8 + kind, 16 + kind, 24 + kind, 32 + kind]),
    };
    match (random.below(5), view) {
        (0, _) => Fact::Stuck,
        (1, View::Step) => Fact::Enables(labels),
        (2, View::Step) => Fact::EnablesSilently(labels),
        (3, View::Step) => Fact::Initial,
        _ => Fact::Takes(labels),
    }
}

fn random_fairness(random: &mut Random) -> Fairness {
    if random.below(3) > 0 {
        return Fairness::default();
    }
    let kind = 2 + random.below(6) as u32;
    let strength = *random.pick(&[Strength::Unconditional, Strength::Weak, Strength::Strong]);
    let all = some(&[kind, 8 + kind, 16 + kind, 24 + kind, 32 + kind]);
    Fairness { alternatives: vec![vec![Condition::Labels(strength, all)]] }
}

fn exchange(n_rounds: usize, view: View) -> Counts {
    let mut random = Random::new(seed());
    let mut counts = Counts::default();
    for _ in 0..n_rounds {
        let network = symmetric_network(&mut random).network;
        let facts = (0..1 + random.below(2)).map(|_| random_fact(&mut random, view)).collect();
        let fairness = random_fairness(&mut random);
        let property = property(&mut random, facts, fairness);
        let rules = rules(&mut random, view);
        let actions = ActionNetwork::new(&network, None);
        match symmetry(&actions, std::slice::from_ref(&property), &NoProgress) {
            Ok(symmetry) => counts.compare(&network, &property, &rules, &Reduction::Symmetry(Arc::new(symmetry))),
            Err(_) => counts.refused += 1,
        }
    }
    counts
}

#[test]
fn symmetry_reduction_in_the_step_view() {
    exchange(600, View::Step).expect(60);
}

#[test]
fn symmetry_reduction_in_the_trace_view() {
    exchange(600, View::Trace).expect(60);
}

#[test]
fn one_of_several_symmetric_claims_suffices() {
    let mut random = Random::new(seed());
    let mut n_spared = 0;
    for round in 0..400 {
        let network = symmetric_network(&mut random).network;
        let kind = 2 + random.below(6) as u32;
        let first = property(&mut random, vec![Fact::Takes(some(&[8 + kind]))], Fairness::default());
        let claim =
            |process: u32| Property { facts: vec![Fact::Takes(some(&[8 * (1 + process) + kind]))], ..first.clone() };
        let claims: Vec<Property> = (0..4).map(claim).collect();
        let rules = rules(&mut random, View::Step);
        let actions = ActionNetwork::new(&network, None);
        let whole = actions.explore(Reduction::None, &LIMITS, &NoProgress).expect("it is small");
        let holds = |property: &Property| silence::holds(&whole.structure, property, &rules, &NoProgress);
        let is_needed = needed(&actions, &claims, &NoProgress);
        n_spared += is_needed.iter().filter(|&&is_needed| !is_needed).count();
        let all = claims.iter().all(|claim| holds(claim) != Some(false));
        let those = claims.iter().zip(&is_needed).filter(|(_, is_needed)| **is_needed);
        let those = those.map(|(claim, _)| claim).all(|claim| holds(claim) != Some(false));
        assert_eq!(all, those, "TEST_SEED={} round {round}\n{network:#?}\n{claims:#?}", seed());
    }
    assert!(n_spared > 100, "{n_spared}");
}
