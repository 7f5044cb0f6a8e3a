//! Compressions at random places in random terms, below, above and beside priorities: they change no verdict, and every
//! counterexample below them is one of the process without them. `TEST_SEED` sets the seed.

use decide::{Claim, Method, Reduce, Specification, Verdict, decide, decide_on_the_fly};
use explore::Limits;
use lts::walk::to_lts;
use lts::{Label as Seen, Model, Observation, Preserves, Watch};
use model::network::{FailedStep, NetworkStep};
use process::compile::{CompileContext, CompileError, CompileLimits, Compiled, Library, LiftedRun, compile};
use process::{Compression, Interpreter, Run, Term, TermId};
use progress::NoProgress;
use test_support::mutate::{Random, seed};
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::walk::Walk;
use test_support::processes::world::World;

type Counterexample = decide::Counterexample<NetworkStep, FailedStep>;
type Fault = decide::Fault<FailedStep>;

const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::FailuresDivergences];
const DIET: Diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
const PRESERVING: [Compression; 10] = [
    Compression::SBisim,
    Compression::DBisim,
    Compression::WBisim,
    Compression::Diamond,
    Compression::Normal,
    Compression::ModelCompress,
    Compression::TauLoopFactor,
    Compression::Explicate,
    Compression::LazyNorm,
    Compression::LazyEnumerate,
];

const LIMITS: Limits = Limits::of_workers(1).with_max_states(100_000);

fn network(world: &mut World, term: TermId, model: Model, max_small_states: usize) -> Option<Compiled> {
    let limits = CompileLimits {
        max_small_states,
        max_machine_states: 10_000,
        max_machine_edges: usize::MAX,
        max_selected_states: 10_000,
        max_compressed_states: 10_000,
        max_rules: 20_000,
        max_modes: 300,
        n_first_states: None,
        search: LIMITS,
    };
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

/// The term with compressions around some of its operands.
fn wrapped(world: &mut World, random: &mut Random, term: TermId) -> TermId {
    let operator = world.terms.get(term).clone();
    let operands: Vec<TermId> = operator.operands();
    let wrapped_operands: Vec<TermId> = operands.iter().map(|&operand| wrapped(world, random, operand)).collect();
    let mut term = if operands.is_empty() { term } else { world.term(operator.with_operands(&wrapped_operands)) };
    while random.below(3) == 0 {
        term = world.term(Term::Compressed(*random.pick(&PRESERVING), term));
    }
    term
}

/// The term with priorities around some of its operands, and operators that select among behaviors.
fn prioritized(sampler: &mut Sampler<'_>, term: TermId) -> TermId {
    let operator = sampler.world.terms.get(term).clone();
    let operands: Vec<TermId> = operator.operands().into_iter().map(|operand| prioritized(sampler, operand)).collect();
    let term = if operands.is_empty() { term } else { sampler.world.term(operator.with_operands(&operands)) };
    let around = match sampler.random.below(12) {
        0..3 => sampler.priority(term),
        3 => Term::Compressed(*sampler.random.pick(&[Compression::Chase, Compression::Deter]), term),
        _ => return term,
    };
    sampler.world.term(around)
}

fn claims(world: &mut World, random: &mut Random, spec: TermId) -> Vec<Claim> {
    let World { terms, definitions, table, .. } = world;
    let mut walk = Walk::new(table, terms, definitions, spec);
    let spec = to_lts(&mut walk, &mut Watch::none()).map_err(|_| ()).expect("random terms have steps");
    let trace: Vec<Seen> = (0..1 + random.below(3)).map(|_| Seen(2 + random.below(3) as u32)).collect();
    let of_model = |model| {
        let specification = Specification::new(spec.clone(), model, &mut Watch::none()).expect("nothing stops it");
        [
            Claim::Refines(specification.into()),
            Claim::DeadlockFree(model),
            Claim::Deterministic(model),
            Claim::HasTrace(trace.clone(), model),
        ]
    };
    MODELS.into_iter().flat_map(of_model).chain([Claim::DivergenceFree]).collect()
}

fn ending(fault: &Fault) -> Observation {
    match fault {
        Fault::Event(_) | Fault::Missing { .. } | Fault::Failure(_) => Observation::Trace,
        Fault::Divergence(start) => Observation::Divergence(*start),
        Fault::Refusal { .. } | Fault::Revival { .. } | Fault::Nondeterminism(..) | Fault::Deadlock => {
            Observation::Refusal
        }
    }
}

/// The run of the term without compressions, and where it goes round.
fn lifted(
    world: &mut World,
    term: TermId,
    compiled: &Compiled,
    found: &Counterexample,
) -> Result<(Run, LiftedRun), String> {
    let mut steps: Vec<_> = found.steps.iter().map(|step| (step.label, step.target.clone())).collect();
    let is_signal = matches!(&found.fault, Fault::Refusal { accepted, .. } | Fault::Nondeterminism(_, accepted) if accepted[..] == [Seen::TICK]);
    let mut lifted = if is_signal {
        let end = steps.last().map_or(&compiled.network.initial, |(_, state)| state);
        let tick = compiled.network.steps(end).into_iter().find(|step| step.label == Seen::TICK);
        let tick = tick.ok_or("it does not terminate")?;
        steps.push((tick.label, tick.target));
        compiled.lift(&steps, Observation::Trace, 100_000, &NoProgress).map(LiftedRun::without_last)
    } else {
        compiled.lift(&steps, ending(&found.fault), 100_000, &NoProgress)
    };
    let lifted = lifted.as_mut().map_err(|reason| format!("{reason:?}"))?.clone();
    let World { terms, definitions, table, .. } = world;
    let path = lifted.terms(compiled, terms).ok_or("there are no terms")?;
    let mut interpreter = Interpreter { table, terms, unfold: definitions };
    let run = interpreter.follow(term, lifted.labels.iter().copied().zip(path)).map_err(|_| "no steps")?;
    Ok((run.ok_or("the term has no such run")?, lifted))
}

fn visible(labels: impl Iterator<Item = Seen>) -> Vec<Seen> {
    labels.filter(|&label| label != Seen::TAU).collect()
}

/// Repeats a counterexample on the terms and looks at its end.
fn confirm(world: &mut World, term: TermId, compiled: &Compiled, found: &Counterexample) -> Result<(), String> {
    let (run, lifted) = lifted(world, term, compiled, found)?;
    let World { terms, definitions, table, .. } = world;
    let mut interpreter = Interpreter { table, terms, unfold: definitions };
    let offered = interpreter.labels(run.end()).map_err(|_| "no steps at the end")?;
    let accepts = |allowed: &[Seen]| {
        offered.iter().all(|label| *label != Seen::TAU && allowed.contains(label))
            || offered.contains(&Seen::TICK) && allowed.contains(&Seen::TICK)
    };
    let has_trace = visible(lifted.labels.iter().copied()) == visible(found.steps.iter().map(|step| step.label));
    let is_so = match &found.fault {
        Fault::Event(_) | Fault::Missing { .. } => has_trace,
        // Nothing is compressed where revivals are seen.
        Fault::Failure(_) | Fault::Revival { .. } => false,
        Fault::Deadlock => has_trace && offered.is_empty(),
        Fault::Refusal { accepted, .. } | Fault::Nondeterminism(_, accepted) => has_trace && accepts(accepted),
        Fault::Divergence(_) => {
            let start = lifted.loop_start.ok_or("no loop")?;
            start < lifted.labels.len()
                && lifted.labels[start..].iter().all(|&label| label == Seen::TAU)
                && interpreter.is_same(run.state(start), run.end())
        }
    };
    if is_so { Ok(()) } else { Err(format!("its end is not as bad: {offered:?}, {:?}", lifted.labels)) }
}

#[test]
fn compressions_anywhere_change_no_verdict_and_lose_no_counterexample() {
    let seed = seed();
    let mut random = Random::new(seed);
    let (mut n_compared, mut n_lifted, mut n_loops, mut n_obstructed) = (0, 0, 0, 0);
    for round in 0..800 {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet: DIET };
        sampler.define_calls();
        let (plain, spec) = (sampler.term(2 + round % 7), sampler.term(1 + round % 4));
        let plain = if round % 2 == 0 { plain } else { prioritized(&mut sampler, plain) };
        if world.lts(plain, 120).is_none() || world.lts(spec, 120).is_none() {
            continue;
        }
        let compressed = wrapped(&mut world, &mut random, plain);
        let max_small_states = if round % 3 == 0 { 1000 } else { 0 };
        for claim in claims(&mut world, &mut random, spec) {
            let model = claim.decisive_model();
            let Some(compiled) = network(&mut world, compressed, model, max_small_states) else { continue };
            let World { terms, definitions, table, .. } = &mut world;
            let mut walk = Walk::new(table, terms, definitions, plain);
            let expected = decide_on_the_fly(&claim, &mut walk, &mut Watch::none()).map_err(|_| ());
            let expected = expected.expect("random terms have steps").verdict == Verdict::Holds;
            let answer = decide(&claim, &compiled.network, Method::Search, Reduce::None, &LIMITS, &NoProgress).verdict;
            let text = |world: &mut World| {
                let claim = format!("{claim:?}").chars().take(60).collect::<String>();
                format!("seed {seed}, round {round}, {claim}\n{}", world.text(compressed))
            };
            assert_eq!(answer == Verdict::Holds, expected, "{}", text(&mut world));
            n_compared += 1;
            if let Verdict::Fails(found) = answer {
                let confirmed = confirm(&mut world, compressed, &compiled, &found);
                assert_eq!(confirmed, Ok(()), "{}\n{:?} {:?}", text(&mut world), found.steps, found.fault);
                n_lifted += usize::from(compiled.is_compressed());
                n_obstructed += usize::from(compiled.is_compressed() && !compiled.network.obstacles.is_empty());
                n_loops += usize::from(compiled.is_compressed() && matches!(found.fault, Fault::Divergence(_)));
            }
        }
    }
    let counts = format!("{n_compared}, {n_lifted}, {n_loops}, {n_obstructed}");
    assert!(n_compared > 4_000 && n_lifted > 1_000 && n_loops > 100 && n_obstructed > 30, "{counts}");
}
