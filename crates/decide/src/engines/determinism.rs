//! Determinism of networks.
//!
//! The main engine compares states on the fly ([`OnTheFly`](super::on_the_fly::OnTheFly)): a nondeterminism is often
//! near. Beside it, rules and machines alone may exclude nondeterminism, or do so after composition; and after many
//! states it is cheaper to build all of them.

use crate::answer::{Composed, NetworkAnswer, failed, unknown, with_rules};
use crate::engine::{ClaimProblem, Engine, Problem, Report};
use crate::engines::composition::{MAX_STRATEGIES, Sight, compose, strategies};
use crate::engines::on_the_fly::explore_on_the_fly;
use crate::schedule::{Features, PropertyKind};
use crate::{Answer, Claim, Reason, Statistics, Verdict};
use explore::{Explicit, Limits, NotExplicit};
use hashbrown::HashMap;
use limits::effort::determinism::{MAX_ALIKE, MAX_COMPARED};
use lts::{Label, Model, Watch, determinism};
use model::network::{Action, Machine, MachineId, Mode, Network, Rule};
use progress::Progress;

/// Determinism that follows from rules and machines alone.
pub struct StructuralDeterminism;

impl Engine for StructuralDeterminism {
    fn name(&self) -> &'static str {
        "structure"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property == PropertyKind::Determinism
    }

    fn decide(&self, problem: &Problem<'_, '_>, _: &dyn Progress) -> Report {
        if problem.claim().is_some_and(|of| is_structurally_deterministic(of.network)) {
            Report::of(Verdict::Holds)
        } else {
            Report::unknown(Reason::Unsupported)
        }
    }
}

/// Determinism of a composed network.
pub struct ComposedDeterminism;

impl Engine for ComposedDeterminism {
    fn name(&self) -> &'static str {
        "composition"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property == PropertyKind::Determinism && features.can_compose && features.n_machines > 1
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let limits = problem.limits.with_budget(MAX_COMPARED);
        let decided = determinism_problem(problem)
            .and_then(|(claim, model, network)| by_composition(claim, model, network, &limits, progress));
        decided.unwrap_or_else(|| Report::unknown(Reason::Unsupported))
    }
}

/// Determinism of the explicit transition system of a network.
pub struct ExplicitDeterminism;

impl Engine for ExplicitDeterminism {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property == PropertyKind::Determinism
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        match determinism_problem(problem) {
            Some((_, model, network)) => of_all_states(model, network, problem.limits, progress).into(),
            None => Report::unknown(Reason::Unsupported),
        }
    }
}

/// The claim of a problem, the model in which it is judged, and the network, if the claim is determinism.
fn determinism_problem<'a>(problem: &Problem<'a, '_>) -> Option<(&'a Claim, Model, &'a Network)> {
    let ClaimProblem { claim, network, .. } = problem.claim()?;
    Some((claim, determinism_model(claim)?, network))
}

/// The model in which determinism is judged: traces do not see refusals.
fn determinism_model(claim: &Claim) -> Option<Model> {
    match claim {
        Claim::Deterministic(Model::Traces) => Some(Model::Failures),
        Claim::Deterministic(model) => Some(model.as_failures()),
        _ => None,
    }
}

fn of_all_states(model: Model, network: &Network, limits: &Limits, progress: &dyn Progress) -> NetworkAnswer {
    let explicit: Explicit<'_> = match explore::to_lts(network, limits, progress) {
        Ok(explicit) => explicit,
        Err(NotExplicit::TooWide(_)) => return unknown(Reason::TooWide),
        Err(NotExplicit::Stopped(stop)) => return unknown(stop.into()),
        Err(NotExplicit::Failed(failure)) => return failed(*failure),
    };
    let verdict = match determinism::nondeterminism(&explicit.lts, model, &mut Watch::new(progress)) {
        Ok(None) => Verdict::Holds,
        Ok(Some(found)) => Verdict::Fails(found),
        Err(stop) => Verdict::Unknown(stop.into()),
    };
    let statistics = Statistics {
        n_states: explicit.lts.n_states() as u64,
        n_transitions: explicit.lts.n_transitions() as u64,
        ..Statistics::default()
    };
    with_rules(Answer { verdict, statistics }, |source, step| explicit.step(source, step))
}

/// Decides determinism of an equivalent composed network. A counterexample is lifted to a run of the original network.
fn by_composition(
    claim: &Claim,
    model: Model,
    network: &Network,
    limits: &Limits,
    progress: &dyn Progress,
) -> Option<Report> {
    strategies(network).into_iter().take(MAX_STRATEGIES).find_map(|strategy| {
        let composition = compose(network, Sight::Events, model, strategy, progress)?;
        let composed = &composition.network;
        let mut answer = match is_structurally_deterministic(composed) {
            true => Answer { verdict: Verdict::Holds, statistics: Statistics::default() },
            false => explore_on_the_fly(claim, composed, limits, progress),
        };
        answer.verdict = match answer.verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Fails(found) => Verdict::Fails(composition.lift(network, &found, progress)?),
            Verdict::Unknown(_) => return None,
        };
        answer.statistics.composed = Some(Composed::of(network, composed));
        let (variant, pieces) = (strategy.name().to_owned(), composition.sizes.clone());
        Some(Report { variant, pieces, ..Report::from(answer) })
    })
}

/// Whether rules and machines show that no configuration has a silent step, or two steps that show the same and lead
/// elsewhere. Then after each trace there is one configuration, which refuses nothing that it can do.
fn is_structurally_deterministic(network: &Network) -> bool {
    network.data.is_empty()
        && !network.has_priorities()
        && network.machines.iter().all(|machine| is_deterministic_machine(machine))
        && network.modes.iter().all(|mode| shows_one_way(network, mode))
}

/// Whether each action of a machine leads to one state.
fn is_deterministic_machine(machine: &Machine) -> bool {
    machine.states().all(|state| {
        let edges = machine.edges(state);
        edges.iter().all(|edge| machine.edges_by(state, edge.action).iter().all(|other| other.target == edge.target))
    })
}

/// Whether no two rules of a mode that are possible at once show the same, and none is silent, or terminates: who can
/// do so accepts nothing else.
fn shows_one_way(network: &Network, mode: &Mode) -> bool {
    let mut alike: HashMap<Label, Vec<&Rule>> = HashMap::new();
    for rule in mode.rules.iter().filter(|rule| is_possible(network, rule)) {
        let same = alike.entry(rule.shows).or_default();
        if rule.shows == Label::TAU || rule.shows == Label::TICK || rule.command.is_some() || same.len() == MAX_ALIKE {
            return false;
        }
        if !same.iter().all(|other| exclude_each_other(network, rule, other)) {
            return false;
        }
        same.push(rule);
    }
    true
}

/// Whether every machine that takes part in a rule can do so in some state.
fn is_possible(network: &Network, rule: &Rule) -> bool {
    rule.parts.iter().all(|&(id, action)| {
        let machine = &network.machines[id.index()];
        machine.states().any(|state| !machine.edges_by(state, action).is_empty())
    })
}

/// Whether two rules ask a machine for different actions that it never has at once.
fn exclude_each_other(network: &Network, rule: &Rule, other: &Rule) -> bool {
    let never_both = |&(id, action): &(MachineId, Action)| {
        let machine = &network.machines[id.index()];
        let has = |state, action| !machine.edges_by(state, action).is_empty();
        let mut actions = other.parts.iter().filter(|part| part.0 == id).map(|part| part.1);
        actions.any(|different| !machine.states().any(|state| has(state, action) && has(state, different)))
    };
    rule.parts.iter().any(never_both)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OnTheFly, Role, Row, Share, decide_by_schedule};
    use model::data::{Command, Data, Domain, Expression, Kind, Lifetime, Statement, Variable};
    use model::network::{Configuration, Edge, LocalState};
    use progress::{NoProgress, Stop};
    use std::sync::Arc;
    use test_support::data::{Span, Taste, random_network_with_data};
    use test_support::mutate::{Random, seed};
    use test_support::networks::{random_network, without_priorities};
    use test_support::progress::Patience;

    const LIMITS: Limits = Limits::of_workers(1);
    /// More pairs of states than random networks have.
    const MODELS: [Model; 2] = [Model::Failures, Model::FailuresDivergences];

    /// A machine in which an action seldom leads to two states, with some silent steps if `is_silent`.
    fn machine(random: &mut Random, is_silent: bool) -> Machine {
        let n_states = 2 + random.below(4);
        let mut states = vec![Vec::new(); n_states];
        for edges in &mut states {
            for action in 2..5 {
                let n_edges = [0, 1, 1, 1][random.below(4)] + usize::from(random.below(40) == 0);
                for _ in 0..n_edges {
                    let target = LocalState(random.below(n_states) as u32);
                    edges.push(Edge { action: Action(action), target });
                }
            }
            if is_silent && random.below(4) == 0 {
                edges.push(Edge { action: Action(0), target: LocalState(random.below(n_states) as u32) });
            }
        }
        Machine::new(states)
    }

    /// A network in which most events belong to one rule.
    fn nearly_deterministic(random: &mut Random) -> Network {
        let n_machines = 2 + random.below(3);
        let is_silent = random.below(2) == 0;
        let machines: Vec<Arc<Machine>> = (0..n_machines).map(|_| Arc::new(machine(random, is_silent))).collect();
        let mut rules = Vec::new();
        for id in 0..n_machines as u32 {
            rules.push(Rule::new([(MachineId(id), Action(0))], Label::TAU));
            for action in 2..5 {
                let mut parts = vec![(MachineId(id), Action(action))];
                let other = random.below(n_machines) as u32;
                if other != id && random.below(2) == 0 {
                    parts.push((MachineId(other), Action(2 + random.below(3) as u32)));
                }
                parts.sort();
                let shows = match random.below(16) {
                    0 => 2 + random.below(6) as u32,
                    1 => random.below(2) as u32,
                    _ => 10 + 3 * id + action,
                };
                rules.push(Rule::new(parts, Label(shows)));
            }
        }
        let locals = vec![LocalState(0); n_machines];
        let initial = Configuration { locals, ..Configuration::default() };
        Network { machines, modes: vec![Mode { rules }], initial, ..Network::default() }
    }

    #[test]
    fn what_rules_or_pieces_show_is_so() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let (mut n_shown, mut n_holding, mut n_failing) = (0, 0, 0);
        for round in 0..3000 {
            let network = match round % 5 {
                0 => random_network(&mut random),
                1 => without_priorities(random_network(&mut random)),
                2 => random_network_with_data(&mut random, Taste { risk: 0, is_plain: round % 2 == 0 }),
                _ => nearly_deterministic(&mut random),
            };
            let model = *random.pick(&MODELS);
            let expected = of_all_states(model, &network, &LIMITS, &NoProgress).verdict;
            let is_so = matches!(expected, Verdict::Holds);
            let told = || format!("TEST_SEED={seed} round {round} {model:?}: {expected:?}\n{network:?}");
            if is_structurally_deterministic(&network) {
                n_shown += 1;
                assert!(is_so, "{}", told());
            }
            match by_composition(&Claim::Deterministic(model), model, &network, &LIMITS, &NoProgress)
                .map(|report| report.into_answer().verdict)
            {
                None => {}
                Some(Verdict::Holds) => {
                    n_holding += 1;
                    assert!(is_so, "{}", told());
                }
                Some(Verdict::Fails(found)) => {
                    n_failing += 1;
                    assert!(!is_so, "{}", told());
                    let mut at = network.initial.clone();
                    for step in &found.steps {
                        assert!(network.steps(&at).contains(step), "{found:?}\n{}", told());
                        at.clone_from(&step.target);
                    }
                    if let lts::Fault::Nondeterminism(event, accepted) = &found.fault {
                        let offered: Vec<Label> = network.steps(&at).iter().map(|step| step.label).collect();
                        assert!(!offered.contains(event) && !offered.contains(&Label::TAU), "{found:?}\n{}", told());
                        assert!(offered.iter().all(|label| accepted.contains(label)), "{found:?}\n{}", told());
                    }
                }
                Some(Verdict::Unknown(reason)) => panic!("{reason:?}\n{}", told()),
            }
        }
        assert!(n_shown > 30 && n_holding > 3 && n_failing > 3, "{n_shown}, {n_holding}, {n_failing}");
    }

    /// Some engines for determinism, each before the main one.
    fn random_rows(random: &mut Random) -> Vec<Row> {
        let share = Share { ahead: u64::MAX / 2, early: 1, late: 1 };
        let row = |engine: &'static dyn Engine, role| Row::unbounded(engine, role, 0, share);
        let trials: [&'static dyn Engine; 3] = [&StructuralDeterminism, &ComposedDeterminism, &ExplicitDeterminism];
        let mut rows = vec![row(&OnTheFly, Role::Main)];
        rows.extend(trials.into_iter().filter(|_| random.below(2) == 0).map(|engine| row(engine, Role::Trial)));
        rows
    }

    #[test]
    fn every_schedule_has_the_same_verdict() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let (mut n_holding, mut n_failing) = (0, 0);
        for round in 0..2000 {
            let network = match round % 5 {
                0 => random_network(&mut random),
                1 => without_priorities(random_network(&mut random)),
                2 => random_network_with_data(&mut random, Taste { risk: 0, is_plain: round % 2 == 0 }),
                _ => nearly_deterministic(&mut random),
            };
            let model = *random.pick(&[Model::Traces, Model::Failures, Model::FailuresDivergences]);
            let expected = match model {
                Model::Traces => of_all_states(Model::Failures, &network, &LIMITS, &NoProgress),
                model => of_all_states(model, &network, &LIMITS, &NoProgress),
            };
            let rows = random_rows(&mut random);
            let claim = Claim::Deterministic(model);
            let found = decide_by_schedule(&claim, &network, |_| rows.clone(), &LIMITS, &NoProgress);
            let told = || format!("TEST_SEED={seed} round {round} {model:?} {rows:?}\n{network:?}");
            match (&expected.verdict, &found.verdict) {
                (Verdict::Holds, Verdict::Holds) => n_holding += 1,
                (Verdict::Fails(_), Verdict::Fails(_)) => n_failing += 1,
                // A step fails, and one engine visited it before the violation.
                (Verdict::Unknown(_), Verdict::Fails(_) | Verdict::Unknown(_))
                | (Verdict::Fails(_), Verdict::Unknown(_)) => {}
                (expected, found) => panic!("{expected:?} {found:?} {}", told()),
            }
        }
        assert!(n_holding > 50 && n_failing > 50, "{n_holding}, {n_failing}");
    }

    /// A reached limit is no proof.
    #[test]
    fn who_may_see_few_states_decides_nothing() {
        let round = Machine::new((0..50).map(|state| {
            let edge = |action: u32| Edge { action: Action(action), target: LocalState((state + 1) % 50) };
            vec![edge(2), edge(3)]
        }));
        // Two ways to do the same: it is deterministic, and only states show it.
        let rules = [2, 3].map(|action| Rule::new([(MachineId(0), Action(action))], Label(2))).to_vec();
        let network = Network {
            machines: vec![Arc::new(round)],
            modes: vec![Mode { rules }],
            initial: Configuration { locals: vec![LocalState(0)], ..Configuration::default() },
            ..Network::default()
        };
        let claim = Claim::Deterministic(Model::Failures);
        let ask = |limits: &Limits| {
            decide_by_schedule(&claim, &network, crate::schedule::explicit, limits, &NoProgress).verdict
        };
        assert_eq!(ask(&LIMITS), Verdict::Holds);
        for max_states in [2, 4, 6, 8, 20] {
            assert_eq!(ask(&Limits { max_states, ..LIMITS }), Verdict::Unknown(Reason::Stopped(Stop::MaxStates)));
        }
    }

    /// Many rules for one event are not all compared with each other.
    #[test]
    fn many_rules_that_show_the_same_may_show_two_ways() {
        let n_rules = MAX_ALIKE as u32 + 2;
        // One machine has each action in one state only; the other is always ready to do the same.
        let row = Machine::new((0..n_rules).map(|state| {
            let target = LocalState((state + 1) % n_rules);
            vec![Edge { action: Action(2 + state), target }]
        }));
        let other = Machine::new([vec![Edge { action: Action(2), target: LocalState(1) }], vec![]]);
        let network = |n_alike: u32, n_others: usize| {
            let mut rules: Vec<Rule> =
                (0..n_alike).map(|state| Rule::new([(MachineId(0), Action(2 + state))], Label(2))).collect();
            rules.extend((0..n_others).map(|_| Rule::new([(MachineId(1), Action(2))], Label(2))));
            Network {
                machines: vec![Arc::new(row.clone()), Arc::new(other.clone())],
                modes: vec![Mode { rules }],
                initial: Configuration { locals: vec![LocalState(0); 2], ..Configuration::default() },
                ..Network::default()
            }
        };
        assert!(is_structurally_deterministic(&network(5, 0)));
        assert!(!is_structurally_deterministic(&network(5, 1)));
        assert!(!is_structurally_deterministic(&network(n_rules, 1)));
    }

    /// A ring that is left at its end in two ways by one event.
    fn ring_with_a_choice(n_states: u32) -> Network {
        let edge = |target: u32| Edge { action: Action(2), target: LocalState(target % n_states) };
        let ring = Machine::new((0..n_states).map(|state| match state + 1 == n_states {
            true => vec![edge(0), edge(n_states / 2)],
            false => vec![edge(state + 1)],
        }));
        let rules =
            vec![Rule::new([(MachineId(0), Action(2))], Label(2)), Rule::new([(MachineId(1), Action(2))], Label(3))];
        let once = Machine::new([vec![edge(1)], vec![]]);
        Network {
            machines: vec![Arc::new(ring), Arc::new(once)],
            modes: vec![Mode { rules }],
            initial: Configuration { locals: vec![LocalState(0); 2], ..Configuration::default() },
            ..Network::default()
        }
    }

    /// Whoever is stopped on the way has proved nothing.
    #[test]
    fn who_is_stopped_decides_nothing() {
        // All ways to leave it look the same: states have to be compared.
        let network = ring_with_a_choice(4000);
        let whole = Patience::of(usize::MAX);
        assert_eq!(of_all_states(Model::Failures, &network, &LIMITS, &whole).verdict, Verdict::Holds);
        assert!(whole.n_asked() > 2, "it is hardly asked: {}", whole.n_asked());
        // Now and then on the way, and just before the end.
        let n_asked = whole.n_asked();
        for most in (0..n_asked).step_by(n_asked.div_ceil(5)).chain(n_asked.saturating_sub(4)..n_asked) {
            let found = of_all_states(Model::Failures, &network, &LIMITS, &Patience::of(most)).verdict;
            assert!(matches!(found, Verdict::Unknown(Reason::Stopped(_))), "{most}: {found:?}");
        }
    }

    /// Where a step may go wrong, rules alone show nothing.
    #[test]
    fn steps_that_go_wrong_are_looked_for() {
        let mut data = Data::default();
        let kind = Kind::Scalar(Domain::Integers { low: 0, high: 1 });
        let variable = data.add_variable(Variable { name: "v".into(), kind, lifetime: Lifetime::Run });
        let value = data.expressions.add(Expression::Integer(2), Span::default());
        let statements = [Statement::Assign { variable, value, origin: Span::default() }].into();
        let command = Some(Box::new(Command { guard: None, statements }));
        let around = Machine::new([vec![Edge { action: Action(2), target: LocalState(0) }]]);
        let rule = Rule { command, ..Rule::new([(MachineId(0), Action(2))], Label(2)) };
        let network = Network {
            machines: vec![Arc::new(around)],
            modes: vec![Mode { rules: vec![rule] }],
            initial: Configuration {
                locals: vec![LocalState(0)],
                data: data.least_valuation(),
                ..Configuration::default()
            },
            data,
            ..Network::default()
        };
        assert!(!is_structurally_deterministic(&network));
        assert!(matches!(of_all_states(Model::Failures, &network, &LIMITS, &NoProgress).verdict, Verdict::Fails(_)));
    }
}
