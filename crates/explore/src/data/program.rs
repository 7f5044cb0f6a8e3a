//! Commands as lists of instructions.

use super::cells::Cells;
use model::data::{BinaryOperator, MAX_ROUNDS, UnaryOperator};

/// The effect of a command in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// It was executed.
    Done,
    /// Its guard is false.
    Refused,
    /// The step fails.
    Failed,
}

/// An instruction. Registers are named by number; those of operands are consecutive.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Instruction {
    /// Refuses the command unless the value of a cell is in a range.
    Within {
        cell: u32,
        low: i64,
        high: i64,
    },
    /// Refuses the command if the register is 0.
    RefuseUnless {
        at: u32,
    },
    Constant {
        to: u32,
        value: i64,
    },
    Load {
        to: u32,
        cell: u32,
    },
    /// Replaces an index by the element.
    LoadElement {
        at: u32,
        first: u32,
        length: u32,
    },
    /// Loads a field of the first message.
    Front {
        to: u32,
        queue: u32,
        field: u32,
    },
    Unary {
        operator: UnaryOperator,
        at: u32,
    },
    /// Replaces the left operand by the result; the right operand is in the next register.
    Binary {
        operator: BinaryOperator,
        left: u32,
    },
    Jump {
        to: u32,
    },
    /// Jumps if a register has this value.
    JumpIf {
        at: u32,
        value: i64,
        to: u32,
    },
    Store {
        cell: u32,
        from: u32,
    },
    /// Adds a constant to a cell.
    Increase {
        cell: u32,
        amount: i64,
    },
    /// The register of the index; the value is in the next one.
    StoreElement {
        index: u32,
        first: u32,
        length: u32,
    },
    /// The first of the registers with the fields of the message.
    Enqueue {
        queue: u32,
        from: u32,
        n_fields: u32,
        capacity: u32,
    },
    Dequeue {
        queue: u32,
        n_fields: u32,
        capacity: u32,
    },
    /// Counts a round of a loop.
    Round,
}

/// A list of instructions, with its number of registers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) code: Box<[Instruction]>,
    pub(crate) n_registers: u32,
}

impl Program {
    /// Executes the program on a packed state; the state is meaningful only if the effect is `Done`.
    pub(crate) fn run(&self, cells: &Cells, words: &mut [u64], registers: &mut Vec<i64>) -> Effect {
        if registers.len() < self.n_registers as usize {
            registers.resize(self.n_registers as usize, 0);
        }
        Execution { cells, words, registers, n_rounds: 0 }.all(&self.code)
    }
}

/// The execution of a program on a packed state.
struct Execution<'a> {
    cells: &'a Cells,
    words: &'a mut [u64],
    registers: &'a mut [i64],
    n_rounds: usize,
}

impl Execution<'_> {
    fn all(&mut self, code: &[Instruction]) -> Effect {
        let mut next = 0;
        while let Some(&instruction) = code.get(next) {
            next += 1;
            let is_fine = match instruction {
                Instruction::Within { cell, low, high } => {
                    let value = self.load(cell);
                    if value < low || value > high {
                        return Effect::Refused;
                    }
                    true
                }
                Instruction::RefuseUnless { at } if self.register(at) == 0 => return Effect::Refused,
                Instruction::RefuseUnless { .. } => true,
                Instruction::Jump { to } => {
                    next = to as usize;
                    true
                }
                Instruction::JumpIf { at, value, to } => {
                    if self.register(at) == value {
                        next = to as usize;
                    }
                    true
                }
                Instruction::Increase { cell, amount } => {
                    self.load(cell).checked_add(amount).is_some_and(|value| self.store(cell, value))
                }
                Instruction::Store { cell, from } => self.store(cell, self.register(from)),
                Instruction::Constant { to, value } => self.set(to, value),
                Instruction::Load { to, cell } => self.set(to, self.load(cell)),
                Instruction::Binary { operator, left } => self.apply(operator, left),
                other => self.less_common(other),
            };
            if !is_fine {
                return Effect::Failed;
            }
        }
        Effect::Done
    }

    fn less_common(&mut self, instruction: Instruction) -> bool {
        match instruction {
            Instruction::LoadElement { at, first, length } => match self.element(at, first, length) {
                Some(cell) => self.set(at, self.load(cell)),
                None => false,
            },
            Instruction::StoreElement { index, first, length } => match self.element(index, first, length) {
                Some(cell) => self.store(cell, self.register(index + 1)),
                None => false,
            },
            Instruction::Front { to, queue, field } => {
                self.load(queue) != 0 && self.set(to, self.load(queue + 1 + field))
            }
            Instruction::Unary { operator, at } => match operator.apply(self.register(at)) {
                Ok(value) => self.set(at, value),
                Err(_) => false,
            },
            Instruction::Enqueue { queue, from, n_fields, capacity } => self.enqueue(queue, from, n_fields, capacity),
            Instruction::Dequeue { queue, n_fields, capacity } => self.dequeue(queue, n_fields, capacity),
            Instruction::Round => {
                self.n_rounds += 1;
                self.n_rounds <= MAX_ROUNDS
            }
            _ => unreachable!("common instructions are executed elsewhere"),
        }
    }

    #[inline]
    fn register(&self, number: u32) -> i64 {
        self.registers[number as usize]
    }

    #[inline]
    fn set(&mut self, number: u32, value: i64) -> bool {
        self.registers[number as usize] = value;
        true
    }

    #[inline]
    fn load(&self, cell: u32) -> i64 {
        self.cells.get(cell).load(self.words, self.registers)
    }

    #[inline]
    fn store(&mut self, cell: u32, value: i64) -> bool {
        self.cells.get(cell).store(value, self.words, self.registers)
    }

    fn apply(&mut self, operator: BinaryOperator, left: u32) -> bool {
        match operator.apply(self.register(left), self.register(left + 1)) {
            Ok(value) => self.set(left, value),
            Err(_) => false,
        }
    }

    /// The cell of an element, by the index in a register.
    fn element(&self, index: u32, first: u32, length: u32) -> Option<u32> {
        let index = u32::try_from(self.register(index)).ok()?;
        (index < length).then_some(first + index)
    }

    fn enqueue(&mut self, queue: u32, from: u32, n_fields: u32, capacity: u32) -> bool {
        let length = self.load(queue) as u32;
        if length >= capacity {
            return false;
        }
        let first = queue + 1 + length * n_fields;
        (0..n_fields).all(|field| self.store(first + field, self.register(from + field)))
            && self.store(queue, i64::from(length) + 1)
    }

    /// Moves all messages forward by one; the free cells get their least values.
    fn dequeue(&mut self, queue: u32, n_fields: u32, capacity: u32) -> bool {
        let length = self.load(queue) as u32;
        if length == 0 {
            return false;
        }
        let n_kept = (length - 1) * n_fields;
        debug_assert!(length <= capacity);
        for cell in queue + 1..queue + 1 + n_kept {
            let value = self.load(cell + n_fields);
            self.store(cell, value);
        }
        for cell in queue + 1 + n_kept..queue + 1 + n_kept + n_fields {
            let least = self.cells.get(cell).least;
            self.store(cell, least);
        }
        self.store(queue, i64::from(length) - 1)
    }
}
