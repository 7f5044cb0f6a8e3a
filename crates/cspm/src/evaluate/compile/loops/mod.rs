//! From the tree of a function to its rounds on numbers.
//!
//! The plan follows the body as far as it is made of comparisons, arithmetic, questions to maps, first elements of sequences,
//! text, calls that can be followed to their end, and the function itself once more; everything else is a round for the
//! closures. Which arguments are numbers, sequences, maps or text is seen from how they are used: should a call come with
//! something else, the closures run it. The body is gone through twice, because what an argument is may be seen behind the
//! first place where it is needed.
//!
//! In a round everything that may not work out comes first, and what changes arguments, sequences and the piece comes last.
//! Where a map changes before the last thing that may not work out, a journal is kept, from which the change is taken back.

mod calls;
mod fused;
mod numbers;
mod rounds;
mod texts;

use super::super::code::{FunctionId, Op, Slot};
use super::super::loops::{Loop, Place, Register, Step, Store, Target, Trust};
use super::super::loops::{N_CURSORS, N_MAPS, N_REGISTERS};
use super::super::value::Value;
use super::Program;
use crate::syntax::{BinaryOp, ExprId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Steps that a plan may have.
const MOST_STEPS: usize = 200;
/// How deep expressions may be nested.
const DEEPEST: usize = 40;

/// Where steps go whose target is never settled, because the way there is for the closures.
const NOWHERE: Target = Target::MAX;

/// What an argument is taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number(Register),
    Sequence(Place),
    Map(Store),
    /// What is written behind it.
    Text,
}

/// How often a map was changed: it is there as it was last.
type Version = usize;

/// What a slot holds at some point of a round.
#[derive(Clone, PartialEq)]
enum Held {
    Number(Register),
    /// An argument of the function as it came.
    Argument(Slot),
    /// A sequence, or what follows its first element.
    Sequence(Place, bool),
    Map(Store, Version),
    Tuple(Rc<[Held]>),
    /// A sequence whose elements are all known, from one of them on.
    Row(Rc<[Held]>, usize),
}

/// Where a step is that has to be told its target.
type Hole = usize;

/// What is known at a point of a round.
#[derive(Clone)]
struct Point {
    held: BTreeMap<Slot, Held>,
    versions: Vec<Version>,
    has_changed: bool,
    n_computed: usize,
    peeked: [Option<Register>; N_CURSORS],
}

/// The rounds of a function, if it has some that are worth it.
pub(super) fn plan(body: &Op, function: FunctionId, program: &mut Program<'_>) -> Option<Loop> {
    let mut plan = Plan::new(program);
    for _ in 0..2 {
        plan.begin();
        plan.tail(body);
        if plan.n_rounds == 0 || plan.is_too_large() {
            return None;
        }
    }
    if plan.kinds.keys().any(|&slot| slot as usize >= plan.n_arguments) {
        return None;
    }
    let mut numbers: Vec<(Slot, Register)> = Vec::new();
    let (mut sequences, mut maps) = (vec![0; plan.n_places as usize], vec![0; plan.n_stores as usize]);
    let mut text = None;
    for (&slot, kind) in &plan.kinds {
        match kind {
            Kind::Number(register) => numbers.push((slot, *register)),
            Kind::Sequence(place) => sequences[*place as usize] = slot,
            Kind::Map(store) => maps[*store as usize] = slot,
            Kind::Text => text = Some(slot),
        }
    }
    fused::fuse(&mut plan.steps);
    Some(Loop {
        function,
        n_arguments: plan.n_arguments,
        numbers: numbers.into(),
        fixed: plan.fixed.into(),
        sequences: sequences.into(),
        maps: maps.into(),
        text,
        constants: plan.constants.into(),
        steps: plan.steps.into(),
        keeps_journal: plan.keeps_journal,
        yields_elements: plan.yields_elements,
        trust: Trust::default(),
    })
}

struct Plan<'p, 'a> {
    program: &'p mut Program<'a>,
    kinds: BTreeMap<Slot, Kind>,
    held: BTreeMap<Slot, Held>,
    /// The calls that are followed, one inside the other; their slots are not those of the function.
    n_open: usize,
    /// How many times the body of another function was gone through.
    n_followed: usize,
    steps: Vec<Step>,
    /// Where steps from elsewhere go on, the last of these places.
    last_landing: usize,
    /// The sequences whose first elements are looked at as numbers.
    of_numbers: [bool; N_CURSORS],
    /// Those that are known to go on at this point, with the numbers in front of them.
    peeked: [Option<Register>; N_CURSORS],
    /// Numbers that were computed on the way to this point.
    computed: Vec<(BinaryOp, Register, Register, Register)>,
    /// Which state of each map is there at this point.
    versions: Vec<Version>,
    last_version: Version,
    /// Whether a map or a text has changed on the way to this point.
    has_changed: bool,
    keeps_journal: bool,
    fixed: Vec<(Register, i64)>,
    constants: Vec<Value>,
    n_registers: usize,
    n_places: Place,
    n_stores: Store,
    n_arguments: usize,
    /// How many ways through the body start over.
    n_rounds: usize,
    yields_elements: Option<ExprId>,
    depth: usize,
}

impl<'p, 'a> Plan<'p, 'a> {
    fn new(program: &'p mut Program<'a>) -> Plan<'p, 'a> {
        Plan {
            program,
            kinds: BTreeMap::new(),
            held: BTreeMap::new(),
            n_open: 0,
            n_followed: 0,
            steps: Vec::new(),
            last_landing: 0,
            of_numbers: [false; N_CURSORS],
            peeked: [None; N_CURSORS],
            computed: Vec::new(),
            versions: Vec::new(),
            last_version: 0,
            has_changed: false,
            keeps_journal: false,
            fixed: Vec::new(),
            constants: Vec::new(),
            n_registers: 0,
            n_places: 0,
            n_stores: 0,
            n_arguments: 0,
            n_rounds: 0,
            yields_elements: None,
            depth: 0,
        }
    }

    /// Forgets everything but what arguments are.
    fn begin(&mut self) {
        self.held.clear();
        self.n_followed = 0;
        self.steps.clear();
        self.last_landing = 0;
        self.computed.clear();
        self.peeked = [None; N_CURSORS];
        self.versions = vec![0; self.n_stores as usize];
        (self.has_changed, self.keeps_journal) = (false, false);
        self.fixed.clear();
        self.constants.clear();
        (self.n_registers, self.n_rounds, self.yields_elements) = (0, 0, None);
        for (slot, kind) in std::mem::take(&mut self.kinds) {
            let kind = match kind {
                Kind::Number(_) => Kind::Number(self.register()),
                kind => kind,
            };
            self.kinds.insert(slot, kind);
        }
    }

    fn is_too_large(&self) -> bool {
        self.n_registers > N_REGISTERS
            || self.n_places as usize > N_CURSORS
            || self.n_stores as usize > N_MAPS
            || self.steps.len() > MOST_STEPS
            || self.constants.len() > MOST_STEPS
    }

    fn register(&mut self) -> Register {
        self.n_registers += 1;
        // More of them than there are make the plan too large.
        Register::try_from(self.n_registers - 1).unwrap_or(0)
    }

    fn number_of(&mut self, number: i64) -> Register {
        if let Some((register, _)) = self.fixed.iter().find(|(_, known)| *known == number) {
            return *register;
        }
        let register = self.register();
        self.fixed.push((register, number));
        register
    }

    fn constant(&mut self, value: &Value) -> u8 {
        self.constants.push(value.clone());
        u8::try_from(self.constants.len() - 1).unwrap_or(0)
    }

    fn here(&self) -> Target {
        Target::try_from(self.steps.len()).unwrap_or(0)
    }

    /// A step after which the round may be left to the closures, from its beginning.
    fn risk(&mut self, step: Step) {
        self.keeps_journal |= self.has_changed;
        self.steps.push(step);
    }

    /// A step that goes elsewhere, to be settled later.
    fn going(&mut self, step: Step) -> Hole {
        match step {
            Step::UnlessMore(..) | Step::UnlessEnd(..) | Step::First(..) | Step::Peek(..) => self.risk(step),
            step => self.steps.push(step),
        }
        self.steps.len() - 1
    }

    /// Lets steps go on here.
    fn land(&mut self, holes: &[Hole]) {
        let here = self.here();
        self.last_landing = self.steps.len();
        for &hole in holes {
            match &mut self.steps[hole] {
                Step::UnlessEqual(_, _, target)
                | Step::UnlessDifferent(_, _, target)
                | Step::UnlessLess(_, _, target)
                | Step::UnlessAtMost(_, _, target)
                | Step::UnlessMore(_, target)
                | Step::UnlessEnd(_, target)
                | Step::First(_, _, target)
                | Step::Peek(_, _, target)
                | Step::UnlessMember(_, _, target)
                | Step::Jump(target) => *target = here,
                _ => {}
            }
        }
    }

    /// Goes a level down, unless that is too deep.
    fn deeper<R>(&mut self, work: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let found = work(self);
        self.depth -= 1;
        found
    }

    /// What is known here.
    fn point(&self) -> Point {
        Point {
            held: self.held.clone(),
            versions: self.versions.clone(),
            has_changed: self.has_changed,
            n_computed: self.computed.len(),
            peeked: self.peeked,
        }
    }

    /// Goes on with another way from a point.
    fn back_to(&mut self, point: Point) {
        (self.held, self.versions, self.has_changed) = (point.held, point.versions, point.has_changed);
        self.peeked = point.peeked;
        // What is known of a map that was met behind the point is what was known there: nothing.
        self.versions.resize(self.n_stores as usize, 0);
        self.computed.truncate(point.n_computed);
    }

    /// What a slot holds. Slots of the function of which nothing is known are arguments.
    fn held_in(&self, slot: Slot) -> Option<Held> {
        match self.held.get(&slot) {
            Some(held) => Some(held.clone()),
            None => (self.n_open == 0).then_some(Held::Argument(slot)),
        }
    }

    fn number_in(&mut self, slot: Slot) -> Option<Register> {
        let held = self.held_in(slot)?;
        self.number_held(&held)
    }

    fn number_held(&mut self, held: &Held) -> Option<Register> {
        let slot = match held {
            Held::Number(register) => return Some(*register),
            Held::Argument(slot) => *slot,
            _ => return None,
        };
        match self.kinds.get(&slot) {
            Some(Kind::Number(register)) => Some(*register),
            Some(_) => None,
            None => {
                let register = self.register();
                self.kinds.insert(slot, Kind::Number(register));
                Some(register)
            }
        }
    }

    fn sequence_in(&mut self, slot: Slot) -> Option<(Place, bool)> {
        let slot = match self.held_in(slot)? {
            Held::Sequence(place, is_rest) => return Some((place, is_rest)),
            Held::Argument(slot) => slot,
            _ => return None,
        };
        match self.kinds.get(&slot) {
            Some(Kind::Sequence(place)) => Some((*place, false)),
            Some(_) => None,
            None => {
                self.n_places += 1;
                self.kinds.insert(slot, Kind::Sequence(self.n_places - 1));
                Some((self.n_places - 1, false))
            }
        }
    }

    /// The map that is there as it should be.
    fn map_held(&mut self, held: &Held) -> Option<Store> {
        let (store, version) = match held {
            Held::Map(store, version) => (*store, *version),
            Held::Argument(slot) => match self.kinds.get(slot) {
                Some(Kind::Map(store)) => (*store, 0),
                Some(_) => return None,
                None => {
                    self.n_stores += 1;
                    self.versions.resize(self.n_stores as usize, 0);
                    self.kinds.insert(*slot, Kind::Map(self.n_stores - 1));
                    (self.n_stores - 1, 0)
                }
            },
            _ => return None,
        };
        (self.versions.get(store as usize) == Some(&version)).then_some(store)
    }

    fn next_version(&mut self) -> Version {
        self.last_version += 1;
        self.last_version
    }
}
