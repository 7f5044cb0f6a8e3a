//! The laws by which terms are simplified, against the firing rules: each state of a term as it was written has exactly
//! the steps of the simplified one, to simplified terms, taken by the same components.

use process::{CallId, Compression, Interpreter, Label, Step, StepTable, Term, TermId, Termination, Terms};
use std::collections::{BTreeSet, HashMap, HashSet};
use test_support::mutate::{Random, seed};
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::world::{World, event, set};

const MAX_STATES: usize = 150;

/// A world whose terms stay as they are written.
fn as_written() -> World {
    World { terms: Terms::as_written(), ..World::default() }
}

/// Copies terms of a world into one in which laws are applied.
struct Copying<'a> {
    from: &'a Terms,
    into: &'a mut Terms,
    known: HashMap<TermId, TermId>,
}

impl Copying<'_> {
    fn copy(&mut self, term: TermId) -> TermId {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let operator = self.from.get(term).clone();
        let operands: Vec<TermId> = operator.operands().into_iter().map(|operand| self.copy(operand)).collect();
        let copied = self.into.intern(operator.with_operands(&operands));
        self.known.insert(term, copied);
        copied
    }
}

type Told = BTreeSet<(Label, TermId, Vec<Vec<u32>>)>;

fn told(table: &StepTable, steps: &[Step], target: impl Fn(TermId) -> TermId) -> Told {
    steps.iter().map(|step| (step.label, target(step.target), table.teams().paths(step.team).expect("few"))).collect()
}

/// A random term in which operators that have laws stand above each other, and above calls of such terms.
fn nested(sampler: &mut Sampler, levels: usize) -> TermId {
    if levels == 0 {
        let size = 1 + sampler.random.below(4);
        return sampler.term(size);
    }
    let operand = nested(sampler, levels - 1);
    let term = match sampler.random.below(13) {
        0..3 => Term::Hide(operand, sampler.events()),
        3 => Term::Project(operand, sampler.events()),
        4..7 => Term::Rename(operand, sampler.relation()),
        7 => Term::Sequential(operand, sampler.term(2)),
        8 => Term::Interrupt(operand, sampler.term(1)),
        9 => Term::Exception(operand, sampler.events(), sampler.term(1)),
        10 => Term::Prioritise(operand, [sampler.events(), sampler.events()].into()),
        11 => Term::Compressed(*sampler.random.pick(&[Compression::Chase, Compression::Deter]), operand),
        // The same operator again.
        _ => {
            let operator = sampler.world.terms.get(operand).clone();
            match operator.operands().as_slice() {
                [] => operator,
                [_, rest @ ..] => operator.with_operands(&[&[operand], rest].concat()),
            }
        }
    };
    sampler.world.term(term)
}

#[test]
fn simplified_terms_have_exactly_the_steps_they_were_written_with() {
    let seed = seed();
    let mut random = Random::new(seed);
    let (mut n_simplified, mut n_states) = (0, 0);
    for round in 0..4000 {
        let mut written = as_written();
        let diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
        let mut sampler = Sampler { world: &mut written, random: &mut random, diet };
        sampler.define_calls();
        let term = nested(&mut sampler, 1 + round % 5);
        // A call stands for a term with laws, too.
        let call = CallId(written.definitions.bodies.len() as u32);
        written.definitions.bodies.push(term);
        let call = written.term(Term::Call(call));
        let mut sampler = Sampler { world: &mut written, random: &mut random, diet };
        let whole = Term::Hide(call, sampler.events());
        let whole = written.term(whole);

        let mut simple = World::default();
        let mut known = HashMap::new();
        let mut copy = |written: &World, simple: &mut World, term: TermId| {
            let mut copying =
                Copying { from: &written.terms, into: &mut simple.terms, known: std::mem::take(&mut known) };
            let copied = copying.copy(term);
            known = copying.known;
            copied
        };
        for index in 0..written.definitions.bodies.len() {
            let body = copy(&written, &mut simple, written.definitions.bodies[index]);
            simple.definitions.bodies.push(body);
        }
        for termination in [Termination::Apart, Termination::Together] {
            let mut tables = [StepTable::new(), StepTable::new()];
            tables.iter_mut().for_each(|table| {
                table.set_termination(termination);
            });
            let mut open = vec![whole];
            let mut met: HashSet<TermId> = open.iter().copied().collect();
            while let Some(term) = open.pop() {
                let copied = copy(&written, &mut simple, term);
                let [table, simple_table] = &mut tables;
                let steps =
                    table.steps(&mut written.terms, &mut written.definitions, term).expect("it has steps").to_vec();
                let targets: HashMap<TermId, TermId> =
                    steps.iter().map(|step| (step.target, copy(&written, &mut simple, step.target))).collect();
                let expected = told(table, &steps, |target| targets[&target]);
                let found =
                    simple_table.steps(&mut simple.terms, &mut simple.definitions, copied).expect("it has steps");
                let found = found.to_vec();
                let found = told(simple_table, &found, |target| target);
                let text = written.text(term);
                assert_eq!(expected, found, "seed {seed}, round {round}: {text}\nas {}", simple.text(copied));
                n_states += 1;
                n_simplified += usize::from(simple.size(copied) < written.size(term));
                for step in steps {
                    if met.len() < MAX_STATES && met.insert(step.target) {
                        open.push(step.target);
                    }
                }
            }
        }
    }
    assert!(n_simplified > n_states / 10 && n_states > 20_000, "{n_simplified} of {n_states} states are too few");
}

/// The states of a process that calls itself, as number 0.
fn states_of(body: impl FnOnce(&mut World, TermId) -> TermId) -> Option<usize> {
    let mut world = World::default();
    let itself = world.term(Term::Call(CallId(0)));
    let body = body(&mut world, itself);
    world.definitions.bodies.push(body);
    world.lts(itself, 1000).map(|lts| lts.n_states())
}

#[test]
fn recursion_through_operators_with_laws_is_finite() {
    type Body = fn(&mut World, TermId) -> Term;
    let bodies: [(&str, Body, usize); 11] = [
        ("P = (a -> P) \\ {a}", |w, p| Term::Hide(w.term(Term::Prefix(event('a'), p)), set("a")), 2),
        (
            "P = (a -> b -> P) \\ {b}",
            |w, p| {
                let next = w.term(Term::Prefix(event('b'), p));
                Term::Hide(w.term(Term::Prefix(event('a'), next)), set("b"))
            },
            3,
        ),
        (
            "P = (a -> P)[[a <- b]]",
            |w, p| Term::Rename(w.term(Term::Prefix(event('a'), p)), [(event('a'), event('b'))].into()),
            2,
        ),
        (
            "P = (a -> P)[[a <- b, b <- c, c <- a]]",
            |w, p| {
                let cycle = [(event('a'), event('b')), (event('b'), event('c')), (event('c'), event('a'))];
                Term::Rename(w.term(Term::Prefix(event('a'), p)), cycle.into())
            },
            3,
        ),
        ("P = (a -> P) ; STOP", |w, p| Term::Sequential(w.term(Term::Prefix(event('a'), p)), w.term(Term::Stop)), 2),
        ("P = (a -> P) |\\ {b}", |w, p| Term::Project(w.term(Term::Prefix(event('a'), p)), set("b")), 2),
        (
            "P = (a -> P) [|{b}|> STOP",
            |w, p| Term::Exception(w.term(Term::Prefix(event('a'), p)), set("b"), w.term(Term::Stop)),
            2,
        ),
        (
            "P = prioritise(a -> P, <{a}, {b}>)",
            |w, p| Term::Prioritise(w.term(Term::Prefix(event('a'), p)), [set("a"), set("b")].into()),
            2,
        ),
        ("P = chase(a -> P)", |w, p| Term::Compressed(Compression::Chase, w.term(Term::Prefix(event('a'), p))), 2),
        (
            "P = deter(chase(a -> P))",
            |w, p| {
                let chased = Term::Compressed(Compression::Chase, w.term(Term::Prefix(event('a'), p)));
                Term::Compressed(Compression::Deter, w.term(chased))
            },
            2,
        ),
        (
            "P = (a -> P)[[a <- b]] \\ {b}",
            |w, p| {
                let renamed = Term::Rename(w.term(Term::Prefix(event('a'), p)), [(event('a'), event('b'))].into());
                Term::Hide(w.term(renamed), set("b"))
            },
            2,
        ),
    ];
    for (text, body, n_states) in bodies {
        let found = states_of(|world, itself| {
            let body = body(world, itself);
            world.term(body)
        });
        assert_eq!(found, Some(n_states), "{text}");
    }
}

/// A run through terms with calls is found again although laws made other terms of what stands in them.
#[test]
fn terms_are_the_same_whether_calls_in_them_are_opened() {
    let mut world = World::default();
    let stop = world.term(Term::Stop);
    let inner = world.term(Term::Prefix(event('a'), stop));
    let body = world.term(Term::Hide(inner, set("b")));
    world.definitions.bodies.push(body);
    let call = world.term(Term::Call(CallId(0)));
    let pairs: [(Term, Term); 3] = [
        (Term::Hide(call, set("a")), Term::Hide(inner, set("ab"))),
        (Term::Project(call, set("ab")), Term::Project(inner, set("a"))),
        (Term::Sequential(call, stop), Term::Hide(inner, set("b"))),
    ];
    for (folded, opened) in pairs {
        let (folded, opened) = (world.term(folded), world.term(opened));
        let World { terms, definitions, table, .. } = &mut world;
        table.steps(terms, definitions, folded).expect("it has steps");
        let mut interpreter = Interpreter { table, terms, unfold: definitions };
        assert!(interpreter.is_same(folded, opened));
        assert!(!interpreter.is_same(folded, stop));
    }
}
