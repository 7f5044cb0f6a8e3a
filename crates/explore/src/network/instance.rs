//! Instances of rules on packed words.

use crate::packed::Field;
use crate::space::Step;
use lts::Label;
use model::network::RuleId;

/// A test and an assignment on one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) word: u32,
    pub(super) mask: u64,
    pub(super) value: u64,
    keep: u64,
    set: u64,
}

/// One way to take a rule.
#[derive(Clone, Copy, Debug)]
struct Instance {
    label: Label,
    rule: RuleId,
    command: Command,
    first: Touch,
    /// Range of further touches.
    more: (u32, u32),
}

/// What an instance does beyond its assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// Nothing.
    None,
    /// It goes wrong.
    Fail,
    /// A program of this number is executed.
    Run(u32),
}

/// Whom an instance belongs to, and what it does beyond its assignment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) label: Label,
    pub(super) rule: RuleId,
    pub(super) command: Command,
}

/// Instances by number.
#[derive(Debug, Default)]
pub(super) struct Instances {
    all: Vec<Instance>,
    /// What they touch beyond their first word.
    touches: Vec<Touch>,
}

/// What an instance does, collected field by field.
#[derive(Debug, Default)]
pub(super) struct Draft {
    touches: Vec<Touch>,
}

impl Draft {
    pub(super) fn clear(&mut self) {
        self.touches.clear();
    }

    /// A field must have this value.
    pub(super) fn test(&mut self, field: Field, value: u32) {
        let touch = self.touch(field);
        touch.mask |= field.mask();
        touch.value |= field.place(value);
    }

    /// A field gets this value, whatever it gets by earlier assignments.
    pub(super) fn assign(&mut self, field: Field, value: u32) {
        let touch = self.touch(field);
        touch.keep &= !field.mask();
        touch.set = touch.set & !field.mask() | field.place(value);
    }

    fn touch(&mut self, field: Field) -> &mut Touch {
        let known = self.touches.iter().position(|touch| touch.word == field.word);
        let place = known.unwrap_or_else(|| {
            self.touches.push(Touch { word: field.word, mask: 0, value: 0, keep: u64::MAX, set: 0 });
            self.touches.len() - 1
        });
        &mut self.touches[place]
    }
}

impl Instances {
    pub(super) fn with_capacity(n_instances: usize) -> Instances {
        Instances { all: Vec::with_capacity(n_instances), touches: Vec::new() }
    }

    /// Adds an instance; returns its number.
    pub(super) fn add(&mut self, draft: &Draft, kind: Kind) -> u32 {
        let Kind { label, rule, command } = kind;
        let nothing = Touch { word: 0, mask: 0, value: 0, keep: u64::MAX, set: 0 };
        let (first, more) = draft.touches.split_first().unwrap_or((&nothing, &[]));
        let start = self.touches.len() as u32;
        self.touches.extend(more);
        self.all.push(Instance { label, rule, command, first: *first, more: (start, self.touches.len() as u32) });
        self.all.len() as u32 - 1
    }

    /// The same instances, numbered anew.
    pub(super) fn in_order(self, order: impl Iterator<Item = u32>) -> Instances {
        Instances { all: order.map(|number| self.all[number as usize]).collect(), touches: self.touches }
    }

    /// The first bit that decides whether an instance is enabled, as word and place in it.
    pub(super) fn first_bit(&self, number: u32) -> Option<(u32, u32)> {
        self.touches(number as usize).map(|touch| (touch.word, touch.mask.trailing_zeros())).min()
    }

    /// Everything that an instance touches.
    pub(super) fn touches(&self, number: usize) -> impl Iterator<Item = &Touch> {
        let instance = &self.all[number];
        [&instance.first].into_iter().chain(self.more(instance))
    }

    fn more(&self, instance: &Instance) -> &[Touch] {
        &self.touches[instance.more.0 as usize..instance.more.1 as usize]
    }

    #[inline]
    pub(super) fn is_enabled<const W: usize>(&self, number: usize, state: &[u64; W]) -> bool {
        let instance = &self.all[number];
        let passes = |touch: &Touch| state[touch.word as usize] & touch.mask == touch.value;
        passes(&instance.first) && self.more(instance).iter().all(passes)
    }

    /// Whose instance it is.
    #[inline]
    pub(super) fn rule(&self, number: usize) -> u32 {
        self.all[number].rule.0
    }

    /// What an instance does beyond its assignment.
    #[inline]
    pub(super) fn command(&self, number: usize) -> Command {
        self.all[number].command
    }

    /// Where the assignment of an instance that is enabled leads.
    #[inline]
    pub(super) fn take<const W: usize>(&self, number: usize, state: &[u64; W]) -> Step<W> {
        let instance = &self.all[number];
        let mut target = *state;
        let mut assign = |touch: &Touch| {
            let word = &mut target[touch.word as usize];
            *word = *word & touch.keep | touch.set;
        };
        assign(&instance.first);
        self.more(instance).iter().for_each(assign);
        Step { target, label: instance.label, rule: instance.rule }
    }
}
