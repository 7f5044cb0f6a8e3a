//! Comprehensions over sequences, one element at a time.
//!
//! The sequence is a chain of cells whose tail is a thunk holding a [`Generator`]: the frame of the comprehension and
//! how far each of its generators has come. Asking for the tail runs the generators until they yield once more.

use super::Evaluator;
use super::code::{Arg, LazyComprehension, SeqBody, Step, Yield};
use super::comprehension::Draw;
use super::fault::Eval;
use super::seq::{self, Walk};
use super::value::{Pending, Thunk, Value};
use std::rc::Rc;

/// A comprehension between two elements.
pub struct Generator {
    body: Rc<SeqBody>,
    frame: Vec<Value>,
    /// One for each generator that was started, the innermost last.
    draws: Vec<Draw>,
    /// Results of the round at hand that were not given out yet, next one last.
    pending: Vec<Value>,
    is_started: bool,
}

impl std::fmt::Debug for Generator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generator").field("frame", &self.frame).finish_non_exhaustive()
    }
}

impl Evaluator<'_> {
    pub(super) fn lazy_comprehension(&mut self, comprehension: &LazyComprehension, base: usize) -> Eval {
        let body = comprehension.body.clone();
        let mut frame = vec![Value::Hole; body.n_slots];
        for (&slot, &capture) in body.captures.iter().zip(&comprehension.captures) {
            frame[slot as usize] = self.capture(capture, base);
        }
        let generator = Generator { body, frame, draws: Vec::new(), pending: Vec::new(), is_started: false };
        self.next_of(Box::new(generator))
    }

    /// The rest of the comprehension as a sequence: empty, or an element and a thunk for what follows.
    pub(super) fn next_of(&mut self, mut generator: Box<Generator>) -> Eval {
        loop {
            if let Some(result) = generator.pending.pop() {
                if generator.body.yields == Yield::Element {
                    return Ok(seq::cons(result, Value::Thunk(Rc::new(Thunk::new(Pending::Next(generator))))));
                }
                let part = self.whnf(result)?;
                if let Value::EmptySeq = part {
                    continue;
                }
                return Ok(seq::append(part, Value::Thunk(Rc::new(Thunk::new(Pending::Next(generator))))));
            }
            if !self.advance(&mut generator)? {
                return Ok(Value::EmptySeq);
            }
        }
    }

    /// Runs the generators to the next round that passes all filters; false when there is none.
    fn advance(&mut self, generator: &mut Generator) -> Eval<bool> {
        let base = self.stack.len();
        self.stack.append(&mut generator.frame);
        let body = generator.body.clone();
        let found = self.advance_in_frame(&body, generator, base)?;
        if found {
            for result in body.results.iter().rev().collect::<Vec<_>>() {
                debug_assert!(!matches!(result, Arg::Move(_)) || body.results.len() == 1);
            }
            let mut results = body.results.iter().map(|result| self.arg(result, base)).collect::<Eval<Vec<_>>>()?;
            results.reverse();
            generator.pending = results;
        }
        generator.frame = self.stack.split_off(base);
        Ok(found)
    }

    fn advance_in_frame(&mut self, body: &SeqBody, generator: &mut Generator, base: usize) -> Eval<bool> {
        // Start at the first step, or go back to the innermost generator and draw again.
        let mut at = match std::mem::replace(&mut generator.is_started, true) {
            false => 0,
            true => match self.redraw(body, generator, base)? {
                Some(step) => step,
                None => return Ok(false),
            },
        };
        while let Some(step) = body.steps.get(at) {
            let go_on = match step {
                Step::Filter(condition) => self.truth(condition, base)?,
                Step::Generator { source, site, .. } => {
                    let source = self.eval(source, base)?;
                    let draw = match source {
                        Value::Set(set) => Draw::Set(self.elements(&set, *site)?),
                        source => Draw::Seq(Walk::new(source)),
                    };
                    generator.draws.push(draw);
                    false
                }
            };
            if go_on {
                at += 1;
                continue;
            }
            match self.redraw(body, generator, base)? {
                Some(step) => at = step,
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Draws from the innermost generator that has something left; the step to go on with.
    fn redraw(&mut self, body: &SeqBody, generator: &mut Generator, base: usize) -> Eval<Option<usize>> {
        while let Some(mut draw) = generator.draws.pop() {
            let place = generator.draws.len();
            while let Some(element) = self.drawn(&mut draw)? {
                let Some((at, pattern)) = nth_generator(body, place) else { return Ok(None) };
                if self.matches(pattern, element, base)? {
                    generator.draws.push(draw);
                    return Ok(Some(at + 1));
                }
            }
        }
        Ok(None)
    }
}

fn nth_generator(body: &SeqBody, place: usize) -> Option<(usize, &super::code::Pattern)> {
    let generators = body.steps.iter().enumerate().filter_map(|(at, step)| match step {
        Step::Generator { pattern, .. } => Some((at, pattern)),
        Step::Filter(_) => None,
    });
    generators.into_iter().nth(place)
}
