//! Fairness of processes: who is a process is a matter of the term and of nothing else. So verdicts are the same
//! whatever compilation makes machines of, the same as on terms, and the same in contexts that take no part in what a
//! process does.

use super::engines::{MAX_STATES, by_atoms, by_network, by_space, network, random_facts, random_rules};
use super::formula::{Formula, Past, random_formula};
use explore::Reduction;
use ltl::logic::Store;
use lts::walk::to_lts;
use lts::{Label, Preserves, Watch};
use model::network::{ModeId, ProcessId, RuleId};
use model::participants::{Marks, Participants};
use model::{EventId, EventSet};
use process::compile::Compiled;
use process::{CallId, Compression, Term, TermId};
use std::sync::Arc;
use temporal::{Action, ActionNetwork, Condition, Fact, Fairness, Property, Rules, Strength, Structure, View};
use test_support::mutate::{Random, seed};
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::walk::Walk;
use test_support::processes::world::World;

/// Everything that passes its steps to one machine, some of it, or nothing.
const THRESHOLDS: [usize; 3] = [0, 3, 1000];

fn diet(termination: Presence) -> Diet {
    Diet { termination, divergence: Presence::Absent, infinity: Presence::Allowed }
}

/// Something that does one thing for ever, or anything.
fn component(sampler: &mut Sampler<'_>, size: usize) -> TermId {
    if sampler.random.below(2) == 0 {
        return sampler.term(1 + size);
    }
    let event: EventSet = Arc::new([sampler.event()]);
    sampler.world.term(Term::Run(event))
}

/// Components side by side, with something around them.
fn sample(sampler: &mut Sampler<'_>, size: usize) -> TermId {
    let operands: Vec<TermId> = (0..2 + sampler.random.below(2)).map(|_| component(sampler, size)).collect();
    let beside = match sampler.random.below(3) {
        0 => Term::Interleave(operands.into()),
        1 => Term::Parallel(operands.into(), sampler.events()),
        _ => Term::AlphaParallel(operands.into_iter().map(|operand| (operand, sampler.events())).collect()),
    };
    let beside = sampler.world.term(beside);
    let other = sampler.term(1 + size / 2);
    let around = match sampler.random.below(8) {
        0 => Term::Prefix(sampler.event(), beside),
        1 => Term::Sequential(beside, other),
        2 => Term::Interrupt(beside, other),
        3 => Term::ExternalChoice([other, beside].into()),
        4 => Term::Interleave([other, beside].into()),
        5 => Term::SyncChoice([beside, other].into(), sampler.events()),
        6 => Term::Prioritise(beside, [sampler.events(), sampler.events()].into()),
        _ => Term::Hide(beside, sampler.events()),
    };
    let around = sampler.world.term(around);
    let hidden = sampler.events();
    sampler.world.term(Term::Hide(around, hidden))
}

/// All states of a term, and which processes take its steps.
fn walked(world: &mut World, term: TermId) -> Structure {
    let World { terms, definitions, table, .. } = world;
    let mut walk = Walk::new(table, terms, definitions, term).telling_processes();
    let lts = to_lts(&mut walk, &mut Watch::none()).map_err(|_| ()).expect("random terms have steps");
    let action = |(label, taking_part): &(Label, Arc<[ProcessId]>)| Action {
        label: *label,
        parts: taking_part[..].into(),
        marks: Marks::NONE,
        takes_time: false,
    };
    Structure::new(&lts, walk.actions().iter().map(action).collect(), Default::default())
}

/// A formula under fairness of processes.
struct Claim {
    formula: Formula,
    facts: Vec<Fact>,
    strength: Strength,
    rules: Rules,
}

impl Claim {
    fn random(random: &mut Random) -> Claim {
        let view = *random.pick(&[View::Step, View::Trace]);
        let facts = random_facts(random, view);
        let size = random.below(5);
        let formula = if random.below(2) == 0 {
            random_formula(random, facts.len(), size, Past::Absent)
        } else {
            (0..1 + random.below(2)).fold(Formula::Atom(0), |formula, depth| {
                Formula::Unary(if depth == 0 { "F" } else { "G" }, Box::new(formula))
            })
        };
        let strength = *random.pick(&[Strength::Weak, Strength::Strong]);
        Claim { formula, facts, strength, rules: random_rules(random, view) }
    }

    /// The claim about what is so many positions later.
    fn later(&self, n_positions: usize) -> Property {
        let next = |formula: Formula, _| Formula::Unary("X", Box::new(formula));
        let mut store = Store::default();
        let formula = (0..n_positions).fold(self.formula.clone(), next).store(&mut store);
        let fairness = Fairness { alternatives: vec![vec![Condition::EachProcess(self.strength)]] };
        Property { store, formula, facts: self.facts.clone(), fairness }
    }

    fn told(&self) -> String {
        format!("TEST_SEED={} {:?} {:?} {:?} {:?}", seed(), self.rules, self.strength, self.formula, self.facts)
    }

    /// Compares the verdicts of all routes with the one that is expected.
    fn compare(&self, world: &mut World, term: TermId, n_positions: usize, expected: bool) {
        let property = self.later(n_positions);
        let structure = walked(world, term);
        let told = |world: &mut World| format!("{}\n{}", world.text(term), self.told());
        assert_eq!(by_atoms(&structure, &property, &self.rules), expected, "by terms: {}", told(world));
        for max_small_states in THRESHOLDS {
            let Some(compiled) = network(world, term, Preserves::Processes, max_small_states) else { continue };
            for holds in by_network(&compiled, &property, &self.rules) {
                assert_eq!(holds, expected, "by a network, {max_small_states}: {}", told(world));
            }
        }
    }
}

/// Terms around a term, in which it behaves as it does alone after so many steps, of which so many are seen.
fn contexts(world: &mut World, term: TermId) -> Vec<(TermId, usize, usize)> {
    let nothing: EventSet = Arc::new([]);
    let (stop, skip) = (world.term(Term::Stop), world.term(Term::Skip));
    let start = world.term(Term::Prefix(EventId(0), skip));
    world.definitions.bodies.push(term);
    let call = CallId(world.definitions.bodies.len() as u32 - 1);
    let same = [
        Term::Interrupt(term, stop),
        Term::ExternalChoice([term, stop].into()),
        Term::ExternalChoice([stop, term].into()),
        Term::Exception(term, nothing.clone(), stop),
        Term::Hide(term, nothing),
        Term::Rename(term, Arc::new([(EventId(0), EventId(0))])),
        Term::Compressed(Compression::Normal, term),
        Term::Compressed(Compression::SBisim, term),
        Term::Call(call),
    ];
    let mut contexts: Vec<_> = same.into_iter().map(|same| (world.term(same), 0, 0)).collect();
    contexts.push((world.term(Term::Prefix(EventId(0), term)), 1, 1));
    contexts.push((world.term(Term::Sequential(skip, term)), 1, 0));
    contexts.push((world.term(Term::Sequential(start, term)), 2, 1));
    contexts.push((world.term(Term::InternalChoice([term, term].into())), 1, 0));
    contexts
}

#[test]
fn neither_routes_nor_contexts_change_verdicts() {
    let mut random = Random::new(seed());
    let mut n_each = [0; 2];
    for round in 0..160 {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet: diet(Presence::Allowed) };
        sampler.define_calls();
        let term = sample(&mut sampler, round % 4);
        if world.lts(term, MAX_STATES).is_none() {
            continue;
        }
        for _ in 0..3 {
            let claim = Claim::random(&mut random);
            let holds = by_atoms(&walked(&mut world, term), &claim.later(0), &claim.rules);
            n_each[usize::from(holds)] += 1;
            claim.compare(&mut world, term, 0, holds);
            let contexts = contexts(&mut world, term);
            let (around, n_steps, n_seen) = contexts[random.below(contexts.len())];
            let n_positions = if claim.rules.view == View::Step { n_steps } else { n_seen };
            claim.compare(&mut world, around, n_positions, holds);
        }
    }
    assert!(n_each.iter().all(|&n| n > 50), "the samples are too plain: {n_each:?}");
}

#[test]
fn it_does_not_matter_how_components_are_grouped_or_who_stands_by() {
    let mut random = Random::new(seed());
    for round in 0..100 {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet: diet(Presence::Absent) };
        sampler.define_calls();
        let parts: Vec<TermId> = (0..3).map(|_| sampler.term(1 + round % 4)).collect();
        let (events, hidden) = (sampler.events(), sampler.events());
        let all = world.term(Term::Parallel(parts.clone().into(), events.clone()));
        if world.lts(all, MAX_STATES).is_none() {
            continue;
        }
        let stop = world.term(Term::Stop);
        let left = world.term(Term::Parallel([parts[0], parts[1]].into(), events.clone()));
        let right = world.term(Term::Parallel([parts[2], parts[1]].into(), events.clone()));
        let same = [
            all,
            world.term(Term::Parallel([left, parts[2]].into(), events.clone())),
            world.term(Term::Parallel([right, parts[0]].into(), events)),
            world.term(Term::Interleave([all, stop].into())),
            world.term(Term::Interleave([stop, stop, all].into())),
        ];
        let same = same.map(|term| world.term(Term::Hide(term, hidden.clone())));
        let claim = Claim::random(&mut random);
        let holds = by_atoms(&walked(&mut world, same[0]), &claim.later(0), &claim.rules);
        same.iter().for_each(|&term| claim.compare(&mut world, term, 0, holds));
    }
}

/// Participants in which somebody is missing.
fn without(compiled: &Compiled, missing: ProcessId) -> Participants {
    let participants = compiled.participants.as_ref().expect("it was asked for");
    let modes = compiled.network.modes.iter().enumerate();
    let rules = modes.map(|(mode, of)| {
        let taking_part = |rule: usize| participants.of(ModeId(mode as u32), RuleId(rule as u32)).iter().copied();
        (0..of.rules.len()).map(|rule| taking_part(rule).filter(|process| *process != missing).collect()).collect()
    });
    Participants::new(rules.collect())
}

/// Which events are sure to happen; nothing if nobody takes part in anything.
fn promises(compiled: &Compiled, participants: &Participants) -> Option<Vec<bool>> {
    let actions = ActionNetwork::new(&compiled.network, Some(participants));
    let is_somebody = actions.actions().iter().any(|action| !action.parts.is_empty());
    is_somebody.then(|| {
        let claims = (0..3).flat_map(|event| [Strength::Weak, Strength::Strong].map(|strength| (event, strength)));
        let holds = |(event, strength): (u32, Strength)| {
            let facts = vec![Fact::Takes([Label(2 + event)].into_iter().collect())];
            let formula = Formula::Unary("F", Box::new(Formula::Atom(0)));
            let claim = Claim { formula, facts, strength, rules: Rules::of(View::Step) };
            by_space(&actions, &Reduction::None, &claim.later(0), &claim.rules)
        };
        claims.flat_map(holds).collect()
    })
}

#[test]
fn wrong_participants_are_noticed() {
    let mut random = Random::new(seed());
    let (mut n_by_machines, mut n_without) = (0, 0);
    for round in 0..300 {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet: diet(Presence::Allowed) };
        sampler.define_calls();
        let term = sample(&mut sampler, round % 4);
        if world.lts(term, MAX_STATES).is_none() {
            continue;
        }
        let Some(compiled) = network(&mut world, term, Preserves::Processes, 1000) else { continue };
        let right = promises(&compiled, compiled.participants.as_ref().expect("it was asked for"));
        let differs = |participants: &Participants| {
            let wrong = promises(&compiled, participants);
            wrong.is_some() && right != wrong
        };
        n_by_machines += usize::from(differs(&Participants::of_machines(&compiled.network)));
        n_without += usize::from((0..3).any(|process| differs(&without(&compiled, ProcessId(process)))));
    }
    assert!(n_by_machines > 5 && n_without > 5, "the samples are too plain: {n_by_machines}, {n_without}");
}
