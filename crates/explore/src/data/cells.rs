//! The storage of variables.

use super::potential::Counters;
use crate::packed::Field;
use crate::width::TooWide;
use model::data::{Access, Data, Kind, Lifetime, MAX_VALUES, Valuation, VariableId};
use model::network::Network;

/// Marks a cell that is stored in the packed state.
const PACKED: u32 = u32::MAX;

/// The storage of one value of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    field: Field,
    /// The mask of the field, shifted to the right.
    mask: u64,
    /// The value that 0 in the field stands for.
    base: i64,
    pub(crate) least: i64,
    pub(crate) greatest: i64,
    /// Its register during a command, if it is not part of the state.
    register: u32,
}

impl Cell {
    #[inline]
    pub(crate) fn load(&self, words: &[u64], registers: &[i64]) -> i64 {
        if self.register == PACKED {
            self.base.wrapping_add((words[self.field.word as usize] >> self.field.shift & self.mask) as i64)
        } else {
            registers[self.register as usize]
        }
    }

    /// Stores a value; false if it is out of range.
    #[inline]
    pub(crate) fn store(&self, value: i64, words: &mut [u64], registers: &mut [i64]) -> bool {
        if value < self.least || value > self.greatest {
            return false;
        }
        if self.register == PACKED {
            let bits = (value.wrapping_sub(self.base) as u64 & self.mask) << self.field.shift;
            let word = &mut words[self.field.word as usize];
            *word = *word & !(self.mask << self.field.shift) | bits;
        } else {
            registers[self.register as usize] = value;
        }
        true
    }

    /// The field, if the cell is part of the state.
    pub(crate) fn field(&self) -> Option<Field> {
        (self.register == PACKED && self.field.width > 0).then_some(self.field)
    }

    /// The register, if the cell is not part of the state.
    pub(crate) fn register(&self) -> Option<u32> {
        (self.register != PACKED).then_some(self.register)
    }

    /// The content of the field for a value.
    pub(crate) fn packed(&self, value: i64) -> u32 {
        (value.wrapping_sub(self.base) as u64 & self.mask) as u32
    }

    /// The value for a content of the field.
    pub(crate) fn value(&self, packed: u32) -> i64 {
        self.base.wrapping_add(packed.into())
    }

    /// The number of values of the field.
    pub(crate) fn n_values(&self) -> u64 {
        self.greatest.wrapping_sub(self.least) as u64 + 1
    }
}

/// All cells of a network.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    cells: Vec<Cell>,
    /// The values of cells that are not part of the state.
    between_steps: Vec<i64>,
}

impl Cells {
    /// The cells of a network with some possible rules, and the number of values of each field.
    pub(crate) fn new(network: &Network, is_possible: &[Vec<bool>]) -> Result<(Cells, Vec<u64>), TooWide> {
        let is_written = written(network, is_possible);
        let counters = Counters::new(network, is_possible);
        let (mut cells, mut n_values) = (Cells::default(), Vec::new());
        for (id, variable) in network.data.variables() {
            let values = &network.initial.data.range(network.data.cells(id));
            for (domain, &initial) in variable.kind.cell_domains().zip(values) {
                let (mut least, mut greatest) = (domain.least(), domain.greatest());
                if matches!(variable.kind, Kind::Scalar(_))
                    && variable.lifetime == Lifetime::Run
                    && let Some((low, high)) = counters.as_ref().and_then(|counters| counters.range(id))
                {
                    (least, greatest) = (least.max(low), greatest.min(high));
                }
                let (register, base, n) = match variable.lifetime {
                    Lifetime::Step => {
                        cells.between_steps.push(initial);
                        (cells.between_steps.len() as u32 - 1, 0, 1)
                    }
                    // A variable that is never written is a constant.
                    Lifetime::Run if !is_written[id.index()] => (PACKED, initial, 1),
                    Lifetime::Run => {
                        let n = greatest.checked_sub(least).map(|n| n as u64 + 1).filter(|&n| n <= MAX_VALUES);
                        (PACKED, least, n.ok_or(TooWide::Variable(id))?)
                    }
                };
                n_values.push(n);
                let field = Field { word: 0, shift: 0, width: 0 };
                cells.cells.push(Cell { field, mask: 0, base, least, greatest, register });
            }
        }
        Ok((cells, n_values))
    }

    /// Assigns fields to cells.
    pub(crate) fn place(&mut self, fields: &[Field]) {
        for (cell, &field) in self.cells.iter_mut().zip(fields).filter(|(_, field)| field.width > 0) {
            cell.field = field;
            cell.mask = field.mask() >> field.shift;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &Cell {
        &self.cells[number as usize]
    }

    /// The contents of registers at the start of a command.
    pub(crate) fn between_steps(&self) -> &[i64] {
        &self.between_steps
    }

    pub(crate) fn pack(&self, values: &Valuation, words: &mut [u64]) {
        for (cell, &value) in self.cells.iter().zip(values.iter()) {
            cell.field().into_iter().for_each(|field| field.set(words, cell.packed(value)));
        }
    }

    pub(crate) fn unpack(&self, words: &[u64]) -> Valuation {
        self.cells.iter().map(|cell| cell.load(words, &self.between_steps)).collect()
    }
}

/// Whether each variable is written by a possible rule.
fn written(network: &Network, is_possible: &[Vec<bool>]) -> Vec<bool> {
    let mut is_written = vec![false; network.data.n_variables()];
    for (mode, is_possible) in network.modes.iter().zip(is_possible) {
        let possible = mode.rules.iter().zip(is_possible).filter(|(_, is_possible)| **is_possible);
        for command in possible.filter_map(|(rule, _)| rule.command.as_deref()) {
            let Access { writes, .. } = Access::of(&network.data, command);
            writes.iter().for_each(|variable| is_written[variable.index()] = true);
        }
    }
    is_written
}

/// The first cell of a variable and the number of its cells.
pub(crate) fn span(data: &Data, variable: VariableId) -> (u32, u32) {
    let cells = data.cells(variable);
    (cells.start as u32, cells.len() as u32)
}
