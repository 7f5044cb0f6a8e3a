//! What a command does, told beforehand.
//!
//! A program is executed once, on values that are not known: what a register holds is a number, or depends on what one cell had
//! at the beginning. Where the way parts, or something goes wrong, that cell's values are parted, and each part is followed by itself. So a way from
//! the beginning to an end is a *case*: a set of values for each cell that mattered, and what becomes of the cells. Such a case is a test and
//! an assignment on words. If there would be too many of them, the rest is one case whose program has to be executed.

use super::cells::Cells;
use super::program::{Instruction, Program};
use crate::packed::Field;
use std::rc::Rc;

/// Cells with more values are not parted.
const MAX_VALUES: u64 = 256;
/// How much is computed for one program: the values of all results of instructions.
const MAX_WORK: usize = 1 << 14;

/// What a command does for some values of variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    /// Cells with what their fields may have, in ascending order.
    pub(crate) tests: Vec<(u32, Vec<u32>)>,
    /// The values afterwards, where they are known.
    pub(crate) sets: Vec<(Field, u32)>,
    /// Values that depend on those before.
    pub(crate) moves: Vec<Move>,
    /// How it ends.
    pub(crate) ending: Ending,
}

/// A field gets what another one had, and so much more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) from: Field,
    pub(crate) to: Field,
    pub(crate) more: u32,
}

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ending {
    /// Everything it does is known.
    #[default]
    Known,
    /// It goes wrong.
    Failed,
    /// Its program tells.
    Open,
}

/// The cases in which a program does something, at most so many; no two of them allow the same values.
pub(crate) fn cases(program: &Program, cells: &Cells, most: usize) -> Vec<Case> {
    let mut registers: Vec<Symbol> = cells.between_steps().iter().map(|&value| Symbol::Known(value)).collect();
    registers.resize(registers.len().max(program.n_registers as usize), Symbol::Known(0));
    let first = Path { next: 0, registers, written: Vec::new(), domains: Vec::new() };
    let mut decider = Decider { program, cells, most, work: 0, open: vec![first], cases: Vec::new() };
    while let Some(path) = decider.open.pop() {
        decider.follow(path);
    }
    decider.cases
}

/// A value that depends on one cell at most.
#[derive(Clone, Debug)]
enum Symbol {
    Known(i64),
    /// For each value that the field of this cell had at the beginning.
    Of(u32, Rc<[i64]>),
}

impl Symbol {
    fn cell(&self) -> Option<u32> {
        match self {
            Symbol::Known(_) => None,
            Symbol::Of(cell, _) => Some(*cell),
        }
    }

    /// The value if the field of its cell had this.
    fn at(&self, packed: u32) -> i64 {
        match self {
            Symbol::Known(value) => *value,
            Symbol::Of(_, values) => values[packed as usize],
        }
    }
}

/// A way through a program.
#[derive(Clone, Debug)]
struct Path {
    next: usize,
    registers: Vec<Symbol>,
    /// What cells hold that were written.
    written: Vec<(u32, Symbol)>,
    /// What the fields of cells that were looked at may have had at the beginning, in ascending order.
    domains: Vec<(u32, Vec<u32>)>,
}

impl Path {
    fn domain(&self, cell: u32) -> &[u32] {
        let found = self.domains.iter().find(|(known, _)| *known == cell);
        &found.expect("what a value depends on was looked at").1
    }

    fn restrict(&mut self, cell: u32, values: Vec<u32>) {
        match self.domains.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, domain)) => *domain = values,
            None => self.domains.push((cell, values)),
        }
    }

    /// The same value, known if it is the same for all that the cell may have had.
    fn simple(&self, symbol: Symbol) -> Symbol {
        let Some(cell) = symbol.cell() else { return symbol };
        let domain = self.domain(cell);
        let first = symbol.at(domain[0]);
        if domain.iter().all(|&packed| symbol.at(packed) == first) { Symbol::Known(first) } else { symbol }
    }

    fn register(&self, number: u32) -> Symbol {
        self.simple(self.registers[number as usize].clone())
    }

    fn set(&mut self, number: u32, symbol: Symbol) {
        self.registers[number as usize] = symbol;
    }

    fn write(&mut self, cell: u32, symbol: Symbol) {
        match self.written.iter_mut().find(|(written, _)| *written == cell) {
            Some((_, known)) => *known = symbol,
            None => self.written.push((cell, symbol)),
        }
    }
}

/// How a way goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    On,
    Refused,
    Failed,
    Open,
}

struct Decider<'a> {
    program: &'a Program,
    cells: &'a Cells,
    most: usize,
    work: usize,
    open: Vec<Path>,
    cases: Vec<Case>,
}

impl Decider<'_> {
    /// Follows a way to its end, or to where it parts.
    fn follow(&mut self, mut path: Path) {
        loop {
            self.work += 1;
            if self.work > MAX_WORK {
                return self.end(&path, Ending::Open);
            }
            let Some(&instruction) = self.program.code.get(path.next) else { return self.finish(path) };
            path.next += 1;
            let fate = match instruction {
                Instruction::Constant { to, value } => {
                    path.set(to, Symbol::Known(value));
                    Fate::On
                }
                Instruction::Load { to, cell } => self.load(&mut path, to, cell),
                Instruction::Jump { to } => {
                    path.next = to as usize;
                    Fate::On
                }
                Instruction::Round => Fate::On,
                other => return self.decide(path, other),
            };
            if fate != Fate::On {
                return self.meet(path, fate);
            }
        }
    }

    /// Executes an instruction that may part the way.
    fn decide(&mut self, mut path: Path, instruction: Instruction) {
        match instruction {
            Instruction::Within { cell, low, high } => self.within(path, cell, low, high),
            Instruction::RefuseUnless { at } => {
                let symbol = path.register(at);
                self.refuse_unless(path, &symbol, |value| value != 0);
            }
            Instruction::JumpIf { at, value, to } => {
                let symbol = path.register(at);
                let goes = |path: &mut Path, is_so: bool| {
                    path.next = if is_so { to as usize } else { path.next };
                    Fate::On
                };
                self.part(path, symbol.cell(), |packed| symbol.at(packed) == value, goes);
            }
            Instruction::Store { cell, from } => {
                let symbol = path.register(from);
                self.store(path, cell, symbol);
            }
            Instruction::Increase { cell, amount } => match self.content(&mut path, cell) {
                Some(symbol) => {
                    self.compute(path, &symbol, &Symbol::Known(amount), i64::checked_add, |this, path, sum| {
                        this.store(path, cell, sum);
                    })
                }
                None => self.meet(path, Fate::Open),
            },
            Instruction::Not { at } => self.compute_into(path, at, &Symbol::Known(1), at, i64::checked_sub),
            Instruction::Negate { at } => self.compute_into(path, at, &Symbol::Known(0), at, i64::checked_sub),
            Instruction::Binary { operator, left } => {
                let first = path.register(left);
                self.compute_into(path, left, &first, left + 1, |left, right| operator.apply(left, right).ok());
            }
            Instruction::Front { to, queue, field } => match self.content(&mut path, queue) {
                Some(length) => {
                    let look = |path: &mut Path, this: &mut Self| this.load(path, to, queue + 1 + field);
                    self.part_with(
                        path,
                        length.cell(),
                        |packed| length.at(packed) != 0,
                        |this, path, has| {
                            if has { look(path, this) } else { Fate::Failed }
                        },
                    );
                }
                None => self.meet(path, Fate::Open),
            },
            other => self.indexed(path, other),
        }
    }

    /// Executes an instruction that needs a number to find its cells.
    fn indexed(&mut self, mut path: Path, instruction: Instruction) {
        let (number, limit) = match instruction {
            Instruction::LoadElement { at, length, .. } => (Some(path.register(at)), length),
            Instruction::StoreElement { index, length, .. } => (Some(path.register(index)), length),
            Instruction::Enqueue { queue, capacity, .. } => (self.content(&mut path, queue), capacity),
            Instruction::Dequeue { queue, capacity, .. } => (self.content(&mut path, queue), capacity + 1),
            _ => unreachable!("other instructions are executed elsewhere"),
        };
        let Some(number) = number else { return self.meet(path, Fate::Open) };
        let place = |packed| u32::try_from(number.at(packed)).ok().filter(|&place| place < limit);
        let Symbol::Known(_) = number else {
            // Once more, with one value at a time.
            path.next -= 1;
            let fate = |_: &mut Path, place: Option<u32>| if place.is_some() { Fate::On } else { Fate::Failed };
            return self.part(path, number.cell(), place, fate);
        };
        let Some(place) = place(0) else { return self.meet(path, Fate::Failed) };
        match instruction {
            Instruction::LoadElement { at, first, .. } => {
                let fate = self.load(&mut path, at, first + place);
                self.meet(path, fate);
            }
            Instruction::StoreElement { index, first, .. } => {
                let symbol = path.register(index + 1);
                self.store(path, first + place, symbol);
            }
            Instruction::Enqueue { queue, from, n_fields, .. } => self.enqueue(path, queue, from, n_fields, place),
            Instruction::Dequeue { queue, n_fields, .. } => {
                let fate = self.dequeue(&mut path, queue, n_fields, place);
                self.meet(path, fate);
            }
            _ => unreachable!("other instructions are executed elsewhere"),
        }
    }

    /// Parts the way by whether a message fits into its fields.
    fn enqueue(&mut self, path: Path, queue: u32, from: u32, n_fields: u32, length: u32) {
        let symbols: Vec<Symbol> = (0..n_fields).map(|field| path.register(from + field)).collect();
        let first = queue + 1 + length * n_fields;
        let does_fit = |(field, symbol): (u32, &Symbol), packed| self.is_value(first + field, symbol.at(packed));
        // Fields that depend on different cells are tested one after the other.
        for (field, symbol) in (0..).zip(&symbols) {
            let domain = symbol.cell().map_or(&[0][..], |cell| path.domain(cell));
            let n_fit = domain.iter().filter(|&&packed| does_fit((field, symbol), packed)).count();
            if n_fit == 0 {
                return self.meet(path, Fate::Failed);
            }
            if n_fit < domain.len() {
                let (cells, symbol) = (self.cells, symbol.clone());
                let fits = move |packed| is_value(cells, first + field, symbol.at(packed));
                let mut path = path;
                path.next -= 1;
                let cell = symbols[field as usize].cell();
                return self.part(path, cell, fits, |_, fits| if fits { Fate::On } else { Fate::Failed });
            }
        }
        let mut path = path;
        for (field, symbol) in (0..).zip(symbols) {
            path.write(first + field, symbol);
        }
        path.write(queue, Symbol::Known(i64::from(length) + 1));
        self.open.push(path);
    }

    /// Messages move forward by one, and what is free then gets its least value.
    fn dequeue(&mut self, path: &mut Path, queue: u32, n_fields: u32, length: u32) -> Fate {
        let Some(n_left) = length.checked_sub(1) else { return Fate::Failed };
        for cell in queue + 1..queue + 1 + n_left * n_fields {
            let Some(symbol) = self.content(path, cell + n_fields) else { return Fate::Open };
            path.write(cell, symbol);
        }
        let free = queue + 1 + n_left * n_fields;
        for cell in free..free + n_fields {
            path.write(cell, Symbol::Known(self.cells.get(cell).least));
        }
        path.write(queue, Symbol::Known(n_left.into()));
        Fate::On
    }

    fn within(&mut self, mut path: Path, cell: u32, low: i64, high: i64) {
        if low == high && self.is_wide(&path, cell) {
            // One of very many values.
            let fate = allowed(self.is_value(cell, low));
            path.domains.push((cell, vec![self.cells.get(cell).packed(low)]));
            return self.meet(path, fate);
        }
        match self.content(&mut path, cell) {
            Some(symbol) => {
                self.refuse_unless(path, &symbol, |value| (low..=high).contains(&value));
            }
            None => self.meet(path, Fate::Open),
        }
    }

    /// Goes on with the values that pass a test, if there are any.
    fn refuse_unless(&mut self, mut path: Path, symbol: &Symbol, passes: impl Fn(i64) -> bool) {
        let Some(cell) = symbol.cell() else {
            return self.meet(path, allowed(passes(symbol.at(0))));
        };
        let domain = path.domain(cell);
        self.work += domain.len();
        let left: Vec<u32> = domain.iter().copied().filter(|&packed| passes(symbol.at(packed))).collect();
        let fate = allowed(!left.is_empty());
        path.restrict(cell, left);
        self.meet(path, fate);
    }

    /// Whether nothing is known of what a cell holds, and it has too many values to tell.
    fn is_wide(&self, path: &Path, cell: u32) -> bool {
        let known = self.cells.get(cell);
        let is_touched = path.written.iter().map(|(cell, _)| cell).chain(path.domains.iter().map(|(cell, _)| cell));
        known.field().is_some() && known.n_values() > MAX_VALUES && !is_touched.copied().any(|touched| touched == cell)
    }

    fn is_value(&self, cell: u32, value: i64) -> bool {
        is_value(self.cells, cell, value)
    }

    /// What a cell holds, unless it is one of too many values.
    fn content(&mut self, path: &mut Path, cell: u32) -> Option<Symbol> {
        if let Some((_, symbol)) = path.written.iter().find(|(written, _)| *written == cell) {
            return Some(path.simple(symbol.clone()));
        }
        let known = self.cells.get(cell);
        if let Some(register) = known.register() {
            return Some(path.register(register));
        }
        if known.field().is_none() {
            return Some(Symbol::Known(known.load(&[0], &[])));
        }
        if self.is_wide(path, cell) {
            return None;
        }
        if known.n_values() > MAX_VALUES {
            return Some(Symbol::Known(known.value(path.domain(cell)[0])));
        }
        let n_values = known.n_values() as u32;
        self.work += n_values as usize;
        if !path.domains.iter().any(|(looked_at, _)| *looked_at == cell) {
            path.domains.push((cell, (0..n_values).collect()));
        }
        Some(path.simple(Symbol::Of(cell, (0..n_values).map(|packed| known.value(packed)).collect())))
    }

    fn load(&mut self, path: &mut Path, to: u32, cell: u32) -> Fate {
        match self.content(path, cell) {
            Some(symbol) => {
                path.set(to, symbol);
                Fate::On
            }
            None => Fate::Open,
        }
    }

    /// A cell gets a value, where it can have it.
    fn store(&mut self, path: Path, cell: u32, symbol: Symbol) {
        let (cells, depends) = (self.cells, symbol.cell());
        let register = cells.get(cell).register();
        let fits = |packed| is_value(cells, cell, symbol.at(packed));
        self.part(path, depends, fits, |path, fits| {
            match register {
                _ if !fits => return Fate::Failed,
                Some(register) => path.set(register, symbol.clone()),
                None => path.write(cell, symbol.clone()),
            }
            Fate::On
        });
    }

    /// Computes something of a value and what a register holds, into a register.
    fn compute_into(
        &mut self,
        path: Path,
        to: u32,
        left: &Symbol,
        right: u32,
        operation: impl Fn(i64, i64) -> Option<i64>,
    ) {
        let right = path.register(right);
        self.compute(path, left, &right, operation, |this, mut path, result| {
            path.set(to, result);
            this.open.push(path);
        });
    }

    /// Computes something of two values, where it has a result.
    fn compute(
        &mut self,
        mut path: Path,
        left: &Symbol,
        right: &Symbol,
        operation: impl Fn(i64, i64) -> Option<i64>,
        then: impl Fn(&mut Self, Path, Symbol),
    ) {
        let cell = match (left.cell(), right.cell()) {
            (Some(one), Some(other)) if one != other => {
                // Once more, with one value of one of them at a time.
                path.next -= 1;
                let smaller = if path.domain(one).len() <= path.domain(other).len() { left } else { right };
                return self.part(path, smaller.cell(), |packed| smaller.at(packed), |_, _| Fate::On);
            }
            (one, other) => one.or(other),
        };
        let result = |packed| operation(left.at(packed), right.at(packed));
        let Some(cell) = cell else {
            return match result(0) {
                Some(value) => then(self, path, Symbol::Known(value)),
                None => self.meet(path, Fate::Failed),
            };
        };
        let domain = path.domain(cell);
        self.work += domain.len();
        let Some(last) = domain.last() else { return };
        let mut values = vec![0; *last as usize + 1];
        let mut n_missing = 0;
        for &packed in domain {
            match result(packed) {
                Some(value) => values[packed as usize] = value,
                None => n_missing += 1,
            }
        }
        if n_missing == 0 {
            return then(self, path, Symbol::Of(cell, values.into()));
        }
        path.next -= 1;
        let has_result = |packed| result(packed).is_some();
        self.part(path, Some(cell), has_result, |_, has| if has { Fate::On } else { Fate::Failed });
    }

    fn part<T: PartialEq + Copy>(
        &mut self,
        path: Path,
        cell: Option<u32>,
        outcome: impl Fn(u32) -> T,
        act: impl Fn(&mut Path, T) -> Fate,
    ) {
        self.part_with(path, cell, outcome, |_, path, outcome| act(path, outcome));
    }

    /// Parts the values of a cell by what comes of them, and goes on with each part.
    fn part_with<T: PartialEq + Copy>(
        &mut self,
        mut path: Path,
        cell: Option<u32>,
        outcome: impl Fn(u32) -> T,
        act: impl Fn(&mut Self, &mut Path, T) -> Fate,
    ) {
        let Some(cell) = cell else {
            let fate = act(self, &mut path, outcome(0));
            return self.meet(path, fate);
        };
        let mut parts: Vec<(T, Vec<u32>)> = Vec::new();
        for &packed in path.domain(cell) {
            let outcome = outcome(packed);
            match parts.iter_mut().find(|(known, _)| *known == outcome) {
                Some((_, values)) => values.push(packed),
                None => parts.push((outcome, vec![packed])),
            }
        }
        self.work += path.domain(cell).len();
        if parts.len() > 1 && self.cases.len() + self.open.len() + parts.len() > self.most {
            return self.end(&path, Ending::Open);
        }
        // The first part is followed first.
        for (outcome, values) in parts.into_iter().rev() {
            let mut path = path.clone();
            path.restrict(cell, values);
            let fate = act(self, &mut path, outcome);
            self.meet(path, fate);
        }
    }

    fn meet(&mut self, path: Path, fate: Fate) {
        match fate {
            Fate::On => self.open.push(path),
            Fate::Refused => {}
            Fate::Failed => self.end(&path, Ending::Failed),
            Fate::Open => self.end(&path, Ending::Open),
        }
    }

    /// Everything was executed: what becomes of the cells.
    fn finish(&mut self, path: Path) {
        let mut effect = Case::default();
        for (cell, symbol) in &path.written {
            let known = self.cells.get(*cell);
            let Some(to) = known.field() else { continue };
            match path.simple(symbol.clone()) {
                Symbol::Known(value) => effect.sets.push((to, known.packed(value))),
                symbol @ Symbol::Of(source, _) => {
                    let from = self.cells.get(source).field().expect("it takes bits");
                    let more = |packed: u32| known.packed(symbol.at(packed)).wrapping_sub(packed);
                    let domain = path.domain(source);
                    let first = more(domain[0]);
                    if domain.iter().any(|&packed| more(packed) != first) {
                        return self.part(path, Some(source), |packed| symbol.at(packed), |_, _| Fate::On);
                    }
                    if from != to || first != 0 {
                        effect.moves.push(Move { from, to, more: first });
                    }
                }
            }
        }
        self.cases.push(Case { tests: self.tests(&path), ..effect });
    }

    fn end(&mut self, path: &Path, ending: Ending) {
        self.cases.push(Case { tests: self.tests(path), ending, ..Case::default() });
    }

    /// The cells that may not have all their values.
    fn tests(&self, path: &Path) -> Vec<(u32, Vec<u32>)> {
        let is_test = |(cell, values): &&(u32, Vec<u32>)| (values.len() as u64) < self.cells.get(*cell).n_values();
        let mut tests: Vec<(u32, Vec<u32>)> = path.domains.iter().filter(is_test).cloned().collect();
        tests.sort_unstable();
        tests
    }
}

fn allowed(is_allowed: bool) -> Fate {
    if is_allowed { Fate::On } else { Fate::Refused }
}

fn is_value(cells: &Cells, cell: u32, value: i64) -> bool {
    let known = cells.get(cell);
    (known.least..=known.greatest).contains(&value)
}
