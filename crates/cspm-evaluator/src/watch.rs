//! How long the operations on sets may take.
//!
//! They know nothing of the evaluator, but some go through millions of elements: they count their steps here, and poll
//! for cancellation.

use super::Interrupt;
use super::set::{SetFault, SetResult};
use super::value::Value;
use limits::intervals::polling::{EVALUATOR_STEPS_PER_POLL, SORTED_ELEMENTS_PER_POLL};
use std::cell::{Cell, RefCell};
use std::fmt;

/// A poll for cancellation.
type Ask = Box<dyn FnMut() -> Option<Interrupt>>;

/// Counts steps, and asks every few thousand.
pub struct Watch {
    left: Cell<u32>,
    ask: RefCell<Option<Ask>>,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

impl Watch {
    /// Asks `ask`.
    pub fn new(ask: Ask) -> Watch {
        Watch { left: Cell::new(EVALUATOR_STEPS_PER_POLL), ask: RefCell::new(Some(ask)) }
    }

    /// Never asks. For operations whose answer cannot be left open, such as orders.
    pub fn endless() -> Watch {
        Watch { left: Cell::new(u32::MAX), ask: RefCell::new(None) }
    }

    /// Whether to stop, and why.
    pub fn look(&self) -> Option<Interrupt> {
        self.left.set(EVALUATOR_STEPS_PER_POLL);
        self.ask.borrow_mut().as_mut().and_then(|ask| ask())
    }

    /// Counts a step.
    #[inline]
    pub fn step(&self) -> SetResult<()> {
        self.steps(1)
    }

    /// Counts several steps.
    #[inline]
    pub fn steps(&self, count: usize) -> SetResult<()> {
        match self.left.get().checked_sub(u32::try_from(count).unwrap_or(u32::MAX)) {
            Some(left) if left > 0 => {
                self.left.set(left);
                Ok(())
            }
            _ => self.look().map_or(Ok(()), |interrupt| Err(SetFault::Interrupted(interrupt))),
        }
    }

    /// All elements, one step each.
    pub fn collect(&self, elements: impl Iterator<Item = Value>) -> SetResult<Vec<Value>> {
        elements.map(|element| self.step().map(|()| element)).collect()
    }

    /// Sorts values and drops duplicates: runs first, then pairs of runs are merged.
    pub fn sort(&self, mut values: Vec<Value>) -> SetResult<Vec<Value>> {
        // Elements often come in ascending order already; one look is cheaper than sorting.
        if values.is_sorted_by(|a, b| a < b) {
            return Ok(values);
        }
        if values.len() <= SORTED_ELEMENTS_PER_POLL {
            values.sort_unstable();
            values.dedup();
            return Ok(values);
        }
        let mut runs = Vec::with_capacity(values.len() / SORTED_ELEMENTS_PER_POLL + 1);
        let mut rest = values.into_iter();
        while rest.len() > 0 {
            let mut run: Vec<Value> = rest.by_ref().take(SORTED_ELEMENTS_PER_POLL).collect();
            run.sort_unstable();
            run.dedup();
            runs.push(run);
            self.steps(SORTED_ELEMENTS_PER_POLL)?;
        }
        while runs.len() > 1 {
            let mut pairs = std::mem::take(&mut runs).into_iter();
            while let Some(first) = pairs.next() {
                runs.push(match pairs.next() {
                    Some(second) => self.merge(first, second)?,
                    None => first,
                });
            }
        }
        Ok(runs.pop().unwrap_or_default())
    }

    fn merge(&self, left: Vec<Value>, right: Vec<Value>) -> SetResult<Vec<Value>> {
        let mut merged = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            self.step()?;
            let order = a.cmp(b);
            if order.is_eq() {
                right.next();
            } else {
                merged.extend(if order.is_lt() { left.next() } else { right.next() });
            }
        }
        merged.extend(left);
        merged.extend(right);
        Ok(merged)
    }
}
