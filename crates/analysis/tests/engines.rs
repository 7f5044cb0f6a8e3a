//! Every engine against the definitions and against each other, on random processes.
//!
//! A claim about random terms is decided by the search of networks (decomposed as far as possible, or not; with one
//! worker and with several), by walking terms, and by two twins: behaviors computed from the definitions of the
//! operators, and a naive comparison of sets of states. `TEST_SEED` sets the seed.

use decide::{
    Answer, Claim, Fault, LazyAnswer, LazyNetwork, Method, Reason, Reduce, Specification, Verdict, decide,
    decide_lazily, decide_on_the_fly, refine_on_the_fly,
};
use explore::{Growing, Limits, Reduction};
use lts::walk::to_lts;
use lts::{Label as Seen, Model, Preserves, Watch};
use process::compile::{CompileContext, CompileError, CompileLimits, Compiled, Library, compile, grow};
use process::{Compression, Lts, Term, TermId};
use progress::NoProgress;
use property::ReductionKind as Kind;
use std::rc::Rc;
use test_support::mutate::{Random, seed};
use test_support::processes::behavior::{Behaviors, Letters};
use test_support::processes::denote::{Denoter, Semantics};
use test_support::processes::observe::divergent_states;
use test_support::processes::refine as naive;
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::walk::Walk;
use test_support::processes::world::World;

const MAX_STATES: usize = 150;
const MAX_LENGTH: usize = 4;
const DIET: Diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };

fn limits(n_workers: usize) -> Limits {
    Limits::of_workers(n_workers).with_max_states(1_000_000)
}

fn compile_limits(max_small_states: usize) -> CompileLimits {
    CompileLimits {
        max_small_states,
        max_machine_states: 10_000,
        max_machine_edges: usize::MAX,
        max_selected_states: 10_000,
        // Where everything is decomposed, compressions of more than a few states are given up, too.
        max_compressed_states: if max_small_states == 0 { 3 } else { 100_000 },
        max_rules: 100_000,
        max_modes: 300,
        n_first_states: None,
        search: limits(1),
    }
}

/// The network of a term, if it has one.
fn network(world: &mut World, term: TermId, model: Model, max_small_states: usize) -> Option<Compiled> {
    let limits = compile_limits(max_small_states);
    let World { terms, definitions, table, .. } = world;
    let (library, preserves) = (&mut Library::default(), Preserves::Model(model));
    let mut context = CompileContext {
        table,
        terms,
        unfold: definitions,
        library,
        limits,
        preserved: preserves.into(),
        progress: &NoProgress,
    };
    match compile(&mut context, term) {
        Ok(compiled) => Some(compiled),
        Err(CompileError::TooManyModes | CompileError::TooManyRules) => None,
        Err(error) => panic!("small terms compile: {error:?}"),
    }
}

/// The verdicts of lazily compiled networks, with almost nothing compiled before the search.
fn ask_on_demand(world: &mut World, claim: &Claim, term: TermId, n_first_states: usize) -> Option<Told> {
    let mut limits = compile_limits(0);
    limits.n_first_states = Some(n_first_states);
    let World { terms, definitions, table, .. } = world;
    let (library, preserves) = (&mut Library::default(), Preserves::Model(claim.decisive_model()));
    let mut context = CompileContext {
        table,
        terms,
        unfold: definitions,
        library,
        limits,
        preserved: preserves.into(),
        progress: &NoProgress,
    };
    loop {
        let compiled = match compile(&mut context, term) {
            Ok(compiled) => compiled,
            Err(CompileError::TooManyModes | CompileError::TooManyRules) => return None,
            Err(error) => panic!("small terms compile: {error:?}"),
        };
        let search = Limits::of_workers(1).with_max_states(1_000_000);
        let answer = decide(claim, &compiled.network, Method::Auto, Reduce::None, &search, &NoProgress);
        if !matches!(&answer.verdict, Verdict::Fails(run) if matches!(run.fault, Fault::Failure(_))) {
            return Some(told(&answer));
        }
        let open = compiled.open_states();
        let mut occupied = explore::occupied(&compiled.network, &open, &search, &NoProgress).expect("states are small");
        assert!(occupied.iter().any(|machine| !machine.open.is_empty()), "what was met is open");
        // One at a time is enough, and needs the most rounds.
        occupied.iter_mut().for_each(|machine| machine.n_occupied = 0);
        grow(&mut context, &compiled, &occupied).expect("small terms have steps");
    }
}

/// The verdict of a search that is resumed as these networks grow, as far as one search suffices.
fn ask_going_on(world: &mut World, claim: &Claim, term: TermId, n_first_states: usize) -> Option<Told> {
    let mut limits = compile_limits(0);
    limits.n_first_states = Some(n_first_states);
    let World { terms, definitions, table, .. } = world;
    let (library, preserves) = (&mut Library::default(), Preserves::Model(claim.decisive_model()));
    let mut context = CompileContext {
        table,
        terms,
        unfold: definitions,
        library,
        limits,
        preserved: preserves.into(),
        progress: &NoProgress,
    };
    let open_network =
        |compiled: &Compiled| LazyNetwork { network: compiled.network.clone(), open: compiled.open_states().into() };
    let mut compiled = compile(&mut context, term).ok()?;
    let search = Limits::of_workers(1 + n_first_states % 2).with_max_states(1_000_000);
    let first = open_network(&compiled);
    let answer = decide_lazily(claim, first, &search, &NoProgress, |occupied| {
        assert!(occupied.iter().any(|machine| !machine.open.is_empty()), "what was met is open");
        let mut occupied = occupied.to_vec();
        occupied.iter_mut().for_each(|machine| machine.n_occupied = 0);
        grow(&mut context, &compiled, &occupied).expect("small terms have steps");
        compiled = match compile(&mut context, term) {
            Ok(compiled) => compiled,
            Err(CompileError::TooManyModes | CompileError::TooManyRules) => return Ok(None),
            Err(error) => panic!("small terms compile: {error:?}"),
        };
        Ok::<_, std::convert::Infallible>(Some(open_network(&compiled)))
    });
    match answer {
        Ok(LazyAnswer::Decided(answer)) => Some(told(&answer)),
        Ok(LazyAnswer::NotSearched | LazyAnswer::NoMore) => None,
        Err(never) => match never {},
    }
}

/// All of a term, by walking it.
fn written_down(world: &mut World, term: TermId) -> lts::Lts {
    let World { terms, definitions, table, .. } = world;
    let mut walk = Walk::new(table, terms, definitions, term);
    to_lts(&mut walk, &mut Watch::none()).map_err(|_| ()).expect("random terms have steps")
}

fn refining(spec: lts::Lts, model: Model) -> Claim {
    Claim::Refines(Specification::new(spec, model, &mut Watch::none()).expect("nothing stops it").into())
}

/// Whether a claim holds, and how long the counterexample is if it does not.
type Told = Result<(), usize>;

fn told<S, F>(answer: &Answer<S, F>) -> Told {
    match &answer.verdict {
        Verdict::Holds => Ok(()),
        Verdict::Fails(run) => Err(match run.fault {
            Fault::Divergence(start) => start,
            _ => run.steps.len(),
        }),
        Verdict::Unknown(reason) => panic!("small systems are decided, not {reason:?}"),
    }
}

/// Engines that leave something out: what they find need not be shortest.
const REORDERED: &str = "partial order";
const EXCHANGED: &str = "symmetry";
const WATCHED: &str = "watchdog";

/// The verdicts of the engines, by name.
fn ask_engines(world: &mut World, claim: &Claim, term: TermId) -> Vec<(&'static str, Told)> {
    let mut answers = Vec::new();
    for (name, max_small_states, n_workers) in [("network", 1000, 1), ("decomposed", 0, 1), ("three workers", 0, 3)] {
        if let Some(compiled) = network(world, term, claim.decisive_model(), max_small_states) {
            answers.push((
                name,
                told(&decide(claim, &compiled.network, Method::Auto, Reduce::None, &limits(n_workers), &NoProgress)),
            ));
            if max_small_states == 0 {
                for (name, kind) in [(REORDERED, Kind::PartialOrder), (EXCHANGED, Kind::Symmetry)] {
                    let (reduce, limits) = (Reduce::By(kind), limits(n_workers));
                    let answer = decide(claim, &compiled.network, Method::Auto, reduce, &limits, &NoProgress);
                    answers.push((name, told(&answer)));
                }
            }
            // Where there is no watchdog for it, that is no answer.
            let answer =
                decide(claim, &compiled.network, Method::Watchdog, Reduce::None, &limits(n_workers), &NoProgress);
            if answer.verdict != Verdict::Unknown(Reason::Unsupported) {
                answers.push((WATCHED, told(&answer)));
            }
        }
    }
    for (name, n_first_states) in [("on demand", 0), ("on demand, some first", 3)] {
        answers.extend(ask_on_demand(world, claim, term, n_first_states).map(|told| (name, told)));
        answers.extend(ask_going_on(world, claim, term, n_first_states).map(|told| ("going on", told)));
    }
    let World { terms, definitions, table, .. } = world;
    let mut walk = Walk::new(table, terms, definitions, term);
    let answer =
        decide_on_the_fly(claim, &mut walk, &mut Watch::none()).map_err(|_| ()).expect("random terms have steps");
    answers.push(("walking", told(&answer)));
    answers
}

/// The verdict on a refinement whose sides are explored on the fly, where both have networks.
fn ask_with_specification_on_demand(
    world: &mut World,
    spec: TermId,
    implementation: TermId,
    model: Model,
) -> Option<Told> {
    let spec = network(world, spec, model, 0)?.network;
    let implementation = network(world, implementation, model, 0)?.network;
    let grown = |network| Growing::new(network, Reduction::None).expect("states are small");
    let answer = refine_on_the_fly(&mut grown(&spec), &mut grown(&implementation), model, &mut Watch::none());
    Some(told(&answer.map_err(|_| ()).expect("random terms have steps")))
}

/// Whether everything in `implementation` is in `spec`, up to the length of traces both were computed for.
fn is_within(spec: &Behaviors, implementation: &Behaviors, model: Model) -> bool {
    implementation.traces().all(|(trace, refusals)| {
        let refusals_fit = || spec.refusals(trace).or(refusals) == spec.refusals(trace);
        spec.has_trace(trace) && (model == Model::Traces || refusals_fit())
    }) && (model != Model::FailuresDivergences || implementation.divergences.iter().all(|trace| spec.diverges(trace)))
}

fn denoted(world: &mut World, term: TermId, model: Model) -> Option<Rc<Behaviors>> {
    let semantics = match model {
        Model::FailuresDivergences => Semantics::FailuresDivergences,
        _ => Semantics::StableFailures,
    };
    Denoter::new(world, semantics).denote(term, MAX_LENGTH).ok()
}

/// A term that has a small system and a meaning in all models.
fn sampled(sampler: &mut Sampler<'_>, size: usize) -> Option<(TermId, Lts)> {
    let term = sampler.term(size);
    let lts = sampler.world.lts(term, MAX_STATES)?;
    Some((term, lts))
}

#[test]
fn refinement_is_what_the_definitions_say() {
    let seed = seed();
    let mut random = Random::new(seed);
    let (mut n_holding, mut n_failing, mut n_denoted) = (0, 0, 0);
    for round in 0..900 {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet: DIET };
        sampler.define_calls();
        let Some((spec, spec_lts)) = sampled(&mut sampler, 1 + round % 7) else { continue };
        // Unrelated processes hardly ever refine each other; a choice with a common operand often does.
        let Some((implementation, implementation_lts)) = (match round % 3 {
            0 => sampled(&mut sampler, 1 + round % 5),
            1 => Some((spec, spec_lts.clone())),
            _ => {
                let other = sampler.term(2);
                let choice = sampler.world.term(Term::InternalChoice([spec, other].into()));
                sampler.world.lts(choice, MAX_STATES).map(|lts| (choice, lts))
            }
        }) else {
            continue;
        };
        let (spec, spec_lts, implementation, implementation_lts) = match round % 2 {
            0 => (spec, spec_lts, implementation, implementation_lts),
            _ => (implementation, implementation_lts, spec, spec_lts),
        };
        let explicit = written_down(&mut world, spec);
        for model in Model::ALL {
            let answers_model = model;
            let expected = naive::refines(&spec_lts, &implementation_lts, model).is_ok();
            let claim = refining(explicit.clone(), model);
            let mut answers = ask_engines(&mut world, &claim, implementation);
            let told = ask_with_specification_on_demand(&mut world, spec, implementation, model);
            answers.extend(told.map(|told| ("specification on demand", told)));
            let mut told = || {
                let (spec, implementation) = (world.text(spec), world.text(implementation));
                format!("seed {seed}, round {round}, {model:?}\n{spec}\nrefined by\n{implementation}\n{answers:?}")
            };
            assert!(answers.iter().all(|(_, told)| told.is_ok() == expected), "expected {expected}: {}", told());
            // Where a divergence begins is a matter of taste, and whether an event is wrong or a revival.
            let is_shortest = |name: &str| ![REORDERED, EXCHANGED, WATCHED].contains(&name);
            let has_same_length =
                answers.iter().filter(|(name, _)| is_shortest(name)).all(|(_, told)| *told == answers[0].1);
            assert!(has_same_length || model.sees_divergences() || model.sees_revivals(), "lengths differ: {}", told());
            *(if expected { &mut n_holding } else { &mut n_failing }) += 1;
            // The definitions of the operators are known for failures; others see more, and so forbid more.
            let model = model.as_failures();
            let is_exact = answers_model == model;
            let meanings = (denoted(&mut world, spec, model), denoted(&mut world, implementation, model));
            if let (Some(spec_means), Some(means)) = meanings {
                n_denoted += 1;
                // What goes wrong later than the behaviors reach cannot be seen in them.
                let within = is_within(&spec_means, &means, model);
                let is_short = matches!(answers[0].1, Err(length) if length < MAX_LENGTH);
                let told = || format!("seed {seed}, round {round}, {model:?}, {answers:?}");
                assert!(!is_short || !is_exact || !within, "the definitions allow it: {}", told());
                assert!(!expected || within, "the definitions forbid it: {}", told());
            }
        }
    }
    assert!(n_holding > 300 && n_failing > 300 && n_denoted > 600, "{n_holding}, {n_failing}, {n_denoted}");
}

#[test]
fn deadlock_divergence_and_determinism_are_what_the_definitions_say() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut n_each = [[0; 2]; 3];
    for round in 0..1000 {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet: DIET };
        sampler.define_calls();
        let Some((term, lts)) = sampled(&mut sampler, 1 + round % 8) else { continue };
        let diverges = divergent_states(&lts).into_iter().any(|diverges| diverges);
        let stuck = (0..lts.n_states())
            .any(|state| lts.edges(state).is_empty() && *world.terms.get(lts.states[state]) != Term::Omega);
        let nondeterministic = is_nondeterministic(&lts);
        let claims = [
            (0, Claim::DeadlockFree(Model::Failures), !stuck),
            (0, Claim::DeadlockFree(Model::FailuresDivergences), !stuck && !diverges),
            (1, Claim::DivergenceFree, !diverges),
            (2, Claim::Deterministic(Model::Failures), !nondeterministic),
            (2, Claim::Deterministic(Model::FailuresDivergences), !nondeterministic && !diverges),
        ];
        for (kind, claim, expected) in claims {
            let answers = ask_engines(&mut world, &claim, term);
            n_each[kind][usize::from(expected)] += 1;
            let told = || format!("seed {seed}, round {round}, {claim:?}, expected {expected}: {answers:?}");
            let agree = answers.iter().all(|(_, told)| told.is_ok() == expected);
            assert!(agree, "{}\n{}", told(), world.text(term));
        }
    }
    assert!(n_each.iter().flatten().all(|&n| n > 60), "the samples are too plain: {n_each:?}");
}

/// Whether after some trace an event can happen and can be refused, from sets of states.
fn is_nondeterministic(lts: &Lts) -> bool {
    use process::Label;
    use std::collections::BTreeSet;
    use test_support::processes::observe::{after, tau_closure};
    let start = tau_closure(lts, BTreeSet::from([0]));
    let mut met = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(states) = open.pop() {
        let labels_of = |state: usize| lts.edges(state).iter().map(|edge| edge.label).collect::<BTreeSet<Label>>();
        let possible: BTreeSet<Label> =
            states.iter().flat_map(|&state| labels_of(state)).filter(|label| *label != Label::TAU).collect();
        for &state in &states {
            let labels = labels_of(state);
            let terminates = labels.contains(&Label::TICK);
            let refuses = !labels.contains(&Label::TAU) && possible.iter().any(|label| !labels.contains(label));
            if refuses || terminates && possible.len() > 1 {
                return true;
            }
        }
        for &label in possible.iter().filter(|label| **label != Label::TICK) {
            let next = after(lts, &states, label);
            if met.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    false
}

#[test]
fn compressions_change_no_verdict() {
    use Compression::{DBisim, Diamond, Explicate, ModelCompress, Normal, SBisim, TauLoopFactor, WBisim};
    let seed = seed();
    let mut random = Random::new(seed);
    let mut n_compared = 0;
    for round in 0..250 {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet: DIET };
        sampler.define_calls();
        let Some((inner, _)) = sampled(&mut sampler, 2 + round % 5) else { continue };
        let (events, other) = (sampler.events(), sampler.term(2));
        let around = |world: &mut World, operand: TermId| {
            let hidden = world.term(Term::Hide(operand, events.clone()));
            world.term(Term::Parallel([hidden, other].into(), events.clone()))
        };
        let plain = around(&mut world, inner);
        if world.lts(plain, MAX_STATES).is_none() {
            continue;
        }
        let claims = [
            refining(written_down(&mut world, other), Model::Traces),
            refining(written_down(&mut world, other), Model::Failures),
            refining(written_down(&mut world, other), Model::FailuresDivergences),
            refining(written_down(&mut world, other), Model::Revivals),
            refining(written_down(&mut world, other), Model::RefusalTestingDivergences),
            Claim::DeadlockFree(Model::Failures),
            Claim::DivergenceFree,
            Claim::Deterministic(Model::FailuresDivergences),
        ];
        for compression in [SBisim, DBisim, WBisim, Diamond, Normal, ModelCompress, TauLoopFactor, Explicate] {
            let compressed = world.term(Term::Compressed(compression, inner));
            let compressed = around(&mut world, compressed);
            for claim in &claims {
                let Some(expected) = network(&mut world, plain, claim.decisive_model(), 0) else { continue };
                let Some(smaller) = network(&mut world, compressed, claim.decisive_model(), 0) else { continue };
                let expected =
                    told(&decide(claim, &expected.network, Method::Auto, Reduce::None, &limits(1), &NoProgress))
                        .is_ok();
                let answer =
                    told(&decide(claim, &smaller.network, Method::Auto, Reduce::None, &limits(1), &NoProgress)).is_ok();
                let text = || format!("seed {seed}, round {round}, {compression:?}, {:?}", claim.decisive_model());
                assert_eq!(answer, expected, "{}\n{}", text(), world.text(plain));
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 3_000, "{n_compared}");
}

#[test]
fn traces_are_had_or_not_as_the_definitions_say() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut n_each = [0; 2];
    for round in 0..800 {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet: DIET };
        sampler.define_calls();
        let Some((term, _)) = sampled(&mut sampler, 1 + round % 8) else { continue };
        let labels: Vec<Seen> = (0..1 + sampler.random.below(3)).map(|_| sampler.event().label()).collect();
        let letters: Vec<u8> = labels.iter().map(|label| label.0 as u8 - 2).collect();
        for model in Model::ALL {
            let Some(means) = denoted(&mut world, term, model.as_failures()) else { continue };
            let must = |place: usize| {
                let before = &letters[..place];
                let next: Letters = 1 << letters[place];
                !means.refusals(before).has(next) && !means.diverges(before)
            };
            let expected = match model {
                Model::Traces => means.has_trace(&letters),
                _ => means.has_trace(&letters) && (0..letters.len()).all(must),
            };
            n_each[usize::from(expected)] += 1;
            let answers = ask_engines(&mut world, &Claim::HasTrace(labels.clone(), model), term);
            let agree = answers.iter().all(|(_, told)| told.is_ok() == expected);
            let text =
                || format!("seed {seed}, round {round}, {model:?}, {labels:?}, expected {expected}: {answers:?}");
            assert!(agree, "{}\n{}", text(), world.text(term));
        }
    }
    assert!(n_each.iter().all(|&n| n > 100), "{n_each:?}");
}
