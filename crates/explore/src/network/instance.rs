//! Instances of rules on packed words.

use crate::data::decide::Move;
use crate::packed::Field;
use crate::space::Step;
use lts::Label;
use model::network::RuleId;

/// A test of one word and an assignment to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) word: u32,
    pub(super) mask: u64,
    pub(super) value: u64,
    keep: u64,
    set: u64,
}

const NOTHING: Touch = Touch { word: 0, mask: 0, value: 0, keep: u64::MAX, set: 0 };

/// A test of a field for several allowed values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Among {
    pub(super) field: Field,
    /// The allowed values, as a bit set.
    bits: Box<[u64]>,
}

impl Among {
    fn new(field: Field, values: &[u32]) -> Among {
        let mut bits = vec![0; values.iter().max().map_or(0, |&most| most as usize / 64 + 1)];
        values.iter().for_each(|&value| bits[value as usize / 64] |= 1 << (value % 64));
        Among { field, bits: bits.into() }
    }

    #[inline]
    pub(super) fn allows(&self, value: u32) -> bool {
        self.bits.get(value as usize / 64).is_some_and(|bits| bits >> (value % 64) & 1 == 1)
    }

    /// The number of allowed values.
    pub(super) fn n_values(&self) -> u32 {
        self.bits.iter().map(|bits| bits.count_ones()).sum()
    }
}

/// A combination of edges by which a rule is taken. The layout is compact, because each state reads instances all over
/// a large table; rare parts are stored elsewhere.
#[derive(Clone, Copy, Debug)]
struct Instance {
    first: Touch,
    label: Label,
    rule: RuleId,
    /// The number of its [`Extra`].
    extra: u32,
}

/// The rare parts of an instance, beyond its first word.
#[derive(Clone, Copy, Debug)]
struct Extra {
    command: Command,
    /// The range of further touches.
    more: (u32, u32),
    /// The range of tests for several allowed values.
    among: (u32, u32),
}

/// The number of the empty [`Extra`].
const NO_EXTRA: u32 = 0;

/// The action of an instance beyond its constant assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// No further action.
    None,
    /// Copies between fields: a range of moves.
    Move(u32, u32),
    /// The step fails.
    Fail,
    /// Execution of the program with this number.
    Run(u32),
}

/// The rule of an instance, with its label and further action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) label: Label,
    pub(super) rule: RuleId,
    pub(super) command: Command,
}

/// The table of instances.
#[derive(Debug)]
pub(super) struct Instances {
    all: Vec<Instance>,
    extras: Vec<Extra>,
    /// The touches beyond the first word.
    touches: Vec<Touch>,
    among: Vec<Among>,
    moves: Vec<Move>,
}

impl Default for Instances {
    fn default() -> Instances {
        let nothing = Extra { command: Command::None, more: (0, 0), among: (0, 0) };
        let (all, extras) = (Vec::new(), vec![nothing]);
        Instances { all, extras, touches: Vec::new(), among: Vec::new(), moves: Vec::new() }
    }
}

/// A builder of an instance, field by field.
#[derive(Debug, Default)]
pub(super) struct Draft {
    touches: Vec<Touch>,
    among: Vec<Among>,
}

impl Draft {
    pub(super) fn clear(&mut self) {
        self.touches.clear();
        self.among.clear();
    }

    /// Tests a field for a value.
    pub(super) fn test(&mut self, field: Field, value: u32) {
        let touch = self.touch(field);
        touch.mask |= field.mask();
        touch.value |= field.place(value);
    }

    /// Tests a field for several allowed values.
    pub(super) fn test_among(&mut self, field: Field, values: &[u32]) {
        match values {
            &[value] => self.test(field, value),
            _ => self.among.push(Among::new(field, values)),
        }
    }

    /// Assigns a value to a field, replacing earlier assignments to it.
    pub(super) fn assign(&mut self, field: Field, value: u32) {
        let touch = self.touch(field);
        touch.keep &= !field.mask();
        touch.set = touch.set & !field.mask() | field.place(value);
    }

    fn touch(&mut self, field: Field) -> &mut Touch {
        let known = self.touches.iter().position(|touch| touch.word == field.word);
        let place = known.unwrap_or_else(|| {
            self.touches.push(Touch { word: field.word, ..NOTHING });
            self.touches.len() - 1
        });
        &mut self.touches[place]
    }
}

impl Instances {
    pub(super) fn with_capacity(n_instances: usize) -> Instances {
        Instances { all: Vec::with_capacity(n_instances), ..Instances::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds moves; the returned command refers to them.
    pub(super) fn add_moves(&mut self, moves: &[Move]) -> Command {
        let start = self.moves.len() as u32;
        self.moves.extend(moves);
        if moves.is_empty() { Command::None } else { Command::Move(start, self.moves.len() as u32) }
    }

    /// Adds an instance; returns its number.
    pub(super) fn add(&mut self, draft: &Draft, kind: Kind) -> u32 {
        let Kind { label, rule, command } = kind;
        let (first, more) = draft.touches.split_first().unwrap_or((&NOTHING, &[]));
        let (start, start_among) = (self.touches.len() as u32, self.among.len() as u32);
        self.touches.extend(more);
        self.among.extend_from_slice(&draft.among);
        let (more, among) = ((start, self.touches.len() as u32), (start_among, self.among.len() as u32));
        let extra = self.extra(Extra { command, more, among });
        self.all.push(Instance { first: *first, label, rule, extra });
        self.all.len() as u32 - 1
    }

    /// The number of an [`Extra`].
    fn extra(&mut self, extra: Extra) -> u32 {
        let is_empty = |range: (u32, u32)| range.0 == range.1;
        if extra.command == Command::None && is_empty(extra.more) && is_empty(extra.among) {
            return NO_EXTRA;
        }
        self.extras.push(extra);
        self.extras.len() as u32 - 1
    }

    /// Adds a copy of an instance without the test of one field; returns its number.
    pub(super) fn add_without(&mut self, number: u32, field: Field) -> u32 {
        let mut instance = self.all[number as usize];
        let mut extra = self.extras[instance.extra as usize];
        let forget = |touch: &mut Touch| {
            if touch.word == field.word {
                touch.mask &= !field.mask();
                touch.value &= !field.mask();
            }
        };
        forget(&mut instance.first);
        let (start, end) = extra.more;
        if self.touches[start as usize..end as usize].iter().any(|touch| touch.word == field.word && touch.mask != 0) {
            self.touches.extend_from_within(start as usize..end as usize);
            extra.more = (self.touches.len() as u32 - (end - start), self.touches.len() as u32);
            self.touches[extra.more.0 as usize..].iter_mut().for_each(forget);
        }
        let tests = &self.among[extra.among.0 as usize..extra.among.1 as usize];
        if tests.iter().any(|among| among.field == field) {
            let kept: Vec<Among> = tests.iter().filter(|among| among.field != field).cloned().collect();
            extra.among = (self.among.len() as u32, (self.among.len() + kept.len()) as u32);
            self.among.extend(kept);
        }
        instance.extra = self.extra(extra);
        self.all.push(instance);
        self.all.len() as u32 - 1
    }

    /// The instances, renumbered.
    pub(super) fn in_order(self, order: impl Iterator<Item = u32>) -> Instances {
        Instances { all: order.map(|number| self.all[number as usize]).collect(), ..self }
    }

    /// The first tested bit of an instance, as word and position.
    pub(super) fn first_bit(&self, number: u32) -> Option<(u32, u32)> {
        let among = self.among(number as usize).iter().map(|among| (among.field.word, among.field.shift));
        let touches = self.touches(number as usize).map(|touch| (touch.word, touch.mask.trailing_zeros()));
        touches.chain(among).min()
    }

    /// All touches of an instance.
    pub(super) fn touches(&self, number: usize) -> impl Iterator<Item = &Touch> {
        let instance = &self.all[number];
        [&instance.first].into_iter().chain(self.more(instance))
    }

    #[inline]
    fn more(&self, instance: &Instance) -> &[Touch] {
        let (start, end) = self.extras[instance.extra as usize].more;
        &self.touches[start as usize..end as usize]
    }

    /// The tests for several allowed values.
    pub(super) fn among(&self, number: usize) -> &[Among] {
        let (start, end) = self.extras[self.all[number].extra as usize].among;
        &self.among[start as usize..end as usize]
    }

    /// Whether an instance tests a field.
    pub(super) fn tests(&self, number: usize, field: Field) -> bool {
        self.touches(number).any(|touch| touch.word == field.word && touch.mask & field.mask() != 0)
            || self.among(number).iter().any(|among| among.field == field)
    }

    /// The value for which the test of a word checks a field, if it does.
    pub(super) fn wanted(&self, number: usize, field: Field) -> Option<u32> {
        let mut touches = self.touches(number);
        let touch = touches.find(|touch| touch.word == field.word && touch.mask & field.mask() != 0)?;
        Some(((touch.value & field.mask()) >> field.shift) as u32)
    }

    /// Whether the tests of an instance allow a field to have this value.
    pub(super) fn allows(&self, number: usize, field: Field, value: u32) -> bool {
        let mut touches = self.touches(number).filter(|touch| touch.word == field.word);
        touches.all(|touch| touch.mask & field.mask() == 0 || touch.value & field.mask() == field.place(value))
            && self.among(number).iter().all(|among| among.field != field || among.allows(value))
    }

    #[inline]
    pub(super) fn is_enabled<const W: usize>(&self, number: usize, state: &[u64; W]) -> bool {
        let instance = &self.all[number];
        passes(&instance.first, state) && (instance.extra == NO_EXTRA || self.passes_more(number, state))
    }

    #[inline(never)]
    fn passes_more<const W: usize>(&self, number: usize, state: &[u64; W]) -> bool {
        self.more(&self.all[number]).iter().all(|touch| passes(touch, state))
            && self.among(number).iter().all(|among| among.allows(among.field.get(state)))
    }

    /// The rule and further action of an instance.
    #[inline]
    pub(super) fn rule(&self, number: usize) -> u32 {
        self.all[number].rule.0
    }

    /// The command of an instance.
    #[inline]
    pub(super) fn command(&self, number: usize) -> Command {
        self.extras[self.all[number].extra as usize].command
    }

    /// The target of an enabled instance by its constant assignment.
    #[inline]
    pub(super) fn take<const W: usize>(&self, number: usize, state: &[u64; W]) -> Step<W> {
        let instance = &self.all[number];
        let mut target = *state;
        let mut assign = |touch: &Touch| {
            let word = &mut target[touch.word as usize];
            *word = *word & touch.keep | touch.set;
        };
        assign(&instance.first);
        if instance.extra != NO_EXTRA {
            self.more(instance).iter().for_each(assign);
        }
        Step { target, label: instance.label, rule: instance.rule }
    }

    /// The target of an enabled instance with moves, whose target fields its assignment clears.
    #[inline]
    pub(super) fn take_and_move<const W: usize>(&self, number: usize, moves: (u32, u32), state: &[u64; W]) -> Step<W> {
        let mut step = self.take(number, state);
        for Move { from, to, more } in &self.moves[moves.0 as usize..moves.1 as usize] {
            step.target[to.word as usize] |= u64::from(from.get(state).wrapping_add(*more)) << to.shift;
        }
        step
    }
}

/// Whether a state passes a test.
#[inline]
fn passes<const W: usize>(touch: &Touch, state: &[u64; W]) -> bool {
    state[touch.word as usize] & touch.mask == touch.value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::lay_out;
    use test_support::mutate::{Random, seed};

    /// An instance allows a state if and only if it allows the value of a field and its copy without that test allows
    /// the state.
    #[test]
    fn a_removed_test_is_not_repeated() {
        const W: usize = 4;
        let mut random = Random::new(seed());
        let (mut n_enabled, mut n_several) = (0, 0);
        for round in 0..20_000 {
            let n_values: Vec<u64> = (0..12).map(|_| *random.pick(&[2, 3, 5, 70, 300, 1 << 20])).collect();
            let (fields, n_words) = lay_out(&n_values);
            assert!(n_words <= W);
            let mut state = [0; W];
            let value = |random: &mut Random, number: usize| random.below(n_values[number].min(4) as usize) as u32;
            (0..fields.len()).for_each(|number| fields[number].set(&mut state, value(&mut random, number)));
            let mut draft = Draft::default();
            for (number, &field) in fields.iter().enumerate() {
                let own = field.get(&state);
                let one = if random.below(8) == 0 { value(&mut random, number) } else { own };
                match random.below(5) {
                    0 => draft.test(field, one),
                    1 => draft.test_among(field, &[one, value(&mut random, number)]),
                    2 => draft.assign(field, one),
                    _ => {}
                }
            }
            let mut instances = Instances::default();
            let kind = Kind { label: Label::TAU, rule: RuleId(0), command: Command::None };
            let whole = instances.add(&draft, kind);
            let field = *random.pick(&fields);
            let rest = instances.add_without(whole, field);
            let context = format!("TEST_SEED={} round {round}: {field:?} {draft:?} {state:?}", seed());
            let [is_enabled, is_left] = [whole, rest].map(|number| instances.is_enabled(number as usize, &state));
            let allows = instances.allows(whole as usize, field, field.get(&state));
            assert_eq!(is_enabled, allows && is_left, "{context}");
            assert!(!instances.tests(rest as usize, field), "{context}");
            assert!(allows || instances.tests(whole as usize, field), "{context}");
            assert_eq!(instances.take(whole as usize, &state), instances.take(rest as usize, &state), "{context}");
            n_enabled += usize::from(is_enabled);
            n_several += usize::from(draft.touches.len() > 1 && draft.among.len() > 1);
        }
        assert!(n_enabled > 1000 && n_several > 1000, "{n_enabled} {n_several}");
    }
}
