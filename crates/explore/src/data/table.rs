//! Commands that depend on few values, tried for all of them.

use super::cells::Cells;
use super::program::{Effect, Program};
use crate::packed::Field;

/// How many combinations of values are tried at most.
const MAX_CASES: u64 = 64;

/// What a command does for some values of variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    /// The values: cells with what their fields have.
    pub(crate) tests: Vec<(u32, u32)>,
    /// The values afterwards, where they are others.
    pub(crate) sets: Vec<(Field, u32)>,
    /// How it ends.
    pub(crate) ending: Ending,
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

/// The values that a cell may have where a program does something.
#[derive(Clone, Copy, Debug)]
struct Range {
    cell: u32,
    low: i64,
    high: i64,
}

impl Range {
    fn n_values(self) -> u64 {
        if self.low > self.high { 0 } else { (self.high.wrapping_sub(self.low) as u64).saturating_add(1) }
    }
}

/// All cases in which a program does something, or nothing if there are too many to try.
pub(crate) fn cases(program: &Program, cells: &Cells, n_words: usize) -> Option<Vec<Case>> {
    let ranges: Vec<Range> = program.inputs.iter().map(|&cell| range(program, cells, cell)).collect();
    let n_cases = ranges.iter().try_fold(1u64, |n, range| n.checked_mul(range.n_values()))?;
    if n_cases > MAX_CASES || program.has_loops {
        return None;
    }
    let mut trial = Trial { program, cells, words: vec![0; n_words], registers: cells.between_steps().to_vec() };
    let mut cases = Vec::new();
    for mut number in 0..n_cases {
        let mut values = Vec::with_capacity(ranges.len());
        for range in &ranges {
            values.push(range.low + (number % range.n_values()) as i64);
            number /= range.n_values();
        }
        cases.extend(trial.case(&values));
    }
    Some(cases)
}

/// The one case in which a program tells what it does. Only values that are asked for without doubt are told beforehand.
pub(crate) fn open_case(program: &Program, cells: &Cells) -> Option<Case> {
    let ranges = || program.inputs.iter().map(|&cell| range(program, cells, cell));
    if ranges().any(|range| range.n_values() == 0) {
        return None;
    }
    let single = ranges().filter(|range| range.low == range.high && cells.get(range.cell).n_values() > 1);
    let tests = single.map(|range| (range.cell, cells.get(range.cell).packed(range.low))).collect();
    Some(Case { tests, sets: Vec::new(), ending: Ending::Open })
}

fn range(program: &Program, cells: &Cells, cell: u32) -> Range {
    let (least, greatest) = (cells.get(cell).least, cells.get(cell).greatest);
    let own = program.restrictions.iter().filter(|restriction| restriction.0 == cell);
    let (low, high) = own.fold((least, greatest), |(low, high), own| (low.max(own.1), high.min(own.2)));
    Range { cell, low, high }
}

struct Trial<'a> {
    program: &'a Program,
    cells: &'a Cells,
    words: Vec<u64>,
    registers: Vec<i64>,
}

impl Trial<'_> {
    /// What the program does for some values of its inputs, unless it refuses.
    fn case(&mut self, values: &[i64]) -> Option<Case> {
        let (program, cells) = (self.program, self.cells);
        // What is not looked at is either kept or overwritten, whatever it was; two values of it tell which.
        let (low, effect) = self.run(values, |cell| cells.get(cell).least);
        let (high, _) = self.run(values, |cell| cells.get(cell).greatest);
        let packed = |cell: u32, value: i64| (cell, cells.get(cell).packed(value));
        let tests = program.inputs.iter().zip(values).map(|(&cell, &value)| packed(cell, value)).collect();
        let mut case = Case { tests, sets: Vec::new(), ending: Ending::Known };
        match effect {
            Effect::Refused => return None,
            Effect::Failed => case.ending = Ending::Failed,
            Effect::Done => {
                for ((&cell, low), high) in program.outputs.iter().zip(low).zip(high) {
                    let before = program.inputs.binary_search(&cell).ok().map(|place| values[place]);
                    if low == high && before != Some(low) {
                        let field = cells.get(cell).field().expect("outputs take bits");
                        case.sets.push((field, cells.get(cell).packed(low)));
                    }
                }
            }
        }
        Some(case)
    }

    /// The values of the outputs afterwards.
    fn run(&mut self, values: &[i64], other: impl Fn(u32) -> i64) -> (Vec<i64>, Effect) {
        let Trial { program, cells, words, registers } = self;
        for &cell in &program.outputs {
            cells.get(cell).store(other(cell), words, registers);
        }
        for (&cell, &value) in program.inputs.iter().zip(values) {
            cells.get(cell).store(value, words, registers);
        }
        let effect = program.run(cells, words, registers);
        (program.outputs.iter().map(|&cell| cells.get(cell).load(words, registers)).collect(), effect)
    }
}
