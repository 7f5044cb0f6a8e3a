//! Comprehensions over sequences, piece by piece.
//!
//! The sequence is a row of pieces whose last part is a thunk holding a [`Generator`]: the frame of the comprehension
//! and how far each of its generators has come. Asking for what follows runs the generators until they yield once more.
//! As long as going on needs no evaluation that could fail or take long, a few more elements are collected at once; the
//! pieces grow as the sequence is consumed, so little is computed in vain. Conditions that take more are
//! computed speculatively (see [`super::speculation`]).

use super::Evaluator;
use super::arithmetic::holds_for;
use super::code::{Arg, LazyComprehension, Op, Pattern, SeqBody, Side, Slot, Step, Yield};
use super::comprehension::Draw;
use super::runtime_error::Eval;
use super::seq::{self, Growing, Walk};
use super::value::{Pending, Thunk, Value};
use cspm::syntax::BinaryOp;
use limits::effort::evaluator::{FIRST_PIECE, LARGEST_PIECE, NUMBERS_PER_STEP, SCANNED_PER_TAKEN, SCANNED_PIECE};
use smallvec::SmallVec;
use std::rc::Rc;

/// A comprehension between two elements.
#[derive(Clone)]
pub struct Generator {
    body: Rc<SeqBody>,
    frame: Vec<Value>,
    /// One for each generator that was started, the innermost last.
    draws: SmallVec<[Draw; 1]>,
    /// The step to go on with.
    next: Next,
    /// Drawn, but not matched yet.
    held: Option<Value>,
    piece: usize,
}

#[derive(Clone, Copy)]
enum Next {
    /// Take this step; behind the last one, yield.
    Step(usize),
    /// Draw from the innermost generator that has something left.
    Draw,
}

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Whatever it takes.
    Full,
    /// Only evaluated values.
    Light,
}

/// Result of continuing.
enum Found {
    Round,
    /// A condition did not hold.
    Passed,
    End,
    /// Going on takes more effort.
    Stuck,
}

/// A comparison of the current element, where no number is given, with numbers.
struct NumberTest {
    op: BinaryOp,
    left: Option<i64>,
    right: Option<i64>,
}

impl NumberTest {
    #[inline(always)]
    fn holds(&self, number: i64) -> bool {
        holds_for(self.op, self.left.unwrap_or(number), self.right.unwrap_or(number))
    }
}

impl Generator {
    /// Whether it is certain already that nothing follows.
    fn is_drained(&self) -> bool {
        let is_between_draws = matches!(self.next, Next::Draw) && self.held.is_none();
        is_between_draws && matches!(&self.draws[..], [Draw::Seq(walk)] if walk.is_at_end())
    }
}

impl std::fmt::Debug for Generator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generator").field("frame", &self.frame).finish_non_exhaustive()
    }
}

impl Evaluator<'_> {
    pub(super) fn lazy_comprehension(&mut self, comprehension: &LazyComprehension, base: usize) -> Eval {
        if let Some(whole) = self.scan_whole(comprehension, base) {
            return Ok(whole);
        }
        let body = comprehension.body.clone();
        let frame = self.stack.len();
        self.fit(frame + body.n_slots);
        for (&slot, &capture) in body.captures.iter().zip(&comprehension.captures) {
            let value = self.capture(capture, base);
            self.put(frame + slot as usize, value);
        }
        let generator = Generator {
            body,
            frame: Vec::new(),
            draws: SmallVec::new(),
            next: Next::Step(0),
            held: None,
            piece: FIRST_PIECE,
        };
        self.next_piece(generator, frame)
    }

    /// A comprehension that selects from a short row of numbers: it needs no frame, and nothing is left to do later.
    fn scan_whole(&mut self, comprehension: &LazyComprehension, base: usize) -> Option<Value> {
        let mut room = std::mem::take(&mut self.numbers);
        let whole = self.selection(comprehension, base, &mut room);
        room.clear();
        self.numbers = room;
        let whole = whole?;
        for capture in comprehension.captures.iter().filter(|capture| capture.is_last) {
            drop(self.take_raw(base + capture.slot as usize));
        }
        Some(whole)
    }

    /// The selection that such a comprehension is, if it is one.
    #[inline(always)]
    fn selection(&self, comprehension: &LazyComprehension, base: usize, room: &mut Vec<i64>) -> Option<Value> {
        let body = &*comprehension.body;
        let [Step::Generator { source: Op::Local(source) | Op::Move(source), pattern: Pattern::Bind(slot), .. }, ..] =
            &*body.steps
        else {
            return None;
        };
        let [Arg::Local(result) | Arg::Move(result)] = &*body.results else { return None };
        if result != slot || body.yields != Yield::Element {
            return None;
        }
        let captured = |slot: Slot| {
            let at = body.captures.iter().position(|&inside| inside == slot)?;
            Some(self.stack[base + comprehension.captures[at].slot as usize].peel())
        };
        match captured(*source)? {
            Value::EmptySeq => Some(Value::EmptySeq),
            Value::Seq(source) => selected(source, &number_tests(&body.steps[1..], *slot, captured)?, room),
            _ => None,
        }
    }

    /// The rest of the comprehension as a sequence.
    pub(super) fn next_of(&mut self, mut generator: Generator) -> Eval {
        let base = self.stack.len();
        self.stack.append(&mut generator.frame);
        self.fit(base + generator.body.n_slots);
        self.next_piece(generator, base)
    }

    /// The rest of a comprehension whose frame lies on the stack: empty, or a piece and a thunk.
    fn next_piece(&mut self, mut generator: Generator, base: usize) -> Eval {
        let body = generator.body.clone();
        let mut piece = Growing::default();
        let mut is_end = false;
        while piece.is_empty() && !is_end {
            match self.go_on(&body, &mut generator, base, Effort::Full)? {
                Found::Round => self.take_round(&body, base, &mut piece)?,
                Found::Passed => _ = self.scan(&body, &mut generator, base, &mut piece)?,
                Found::End | Found::Stuck => is_end = true,
            }
        }
        if body.yields == Yield::Element && !is_end {
            is_end = self.collect_piece(&body, &mut generator, base, &mut piece)?;
        }
        if is_end {
            self.pop_frame(base);
            return Ok(piece.into_seq());
        }
        self.pop_frame(base + body.n_variables);
        generator.frame = self.stack.split_off(base);
        generator.piece = (2 * generator.piece).min(LARGEST_PIECE);
        let rest = Value::Thunk(Rc::new(Thunk::new(Pending::Next(Box::new(generator)))));
        if body.yields == Yield::Element {
            return Ok(match piece.len() {
                1 => piece.into_values().into_iter().fold(rest, |rest, only| seq::cons(only, rest)),
                _ => seq::append(piece.into_seq(), rest),
            });
        }
        // Each result is a sequence by itself.
        Ok(piece.into_values().into_iter().rev().fold(rest, |rest, part| seq::append(part, rest)))
    }

    /// Collects more elements as long as that is easy; whether the end was reached.
    fn collect_piece(
        &mut self,
        body: &SeqBody,
        generator: &mut Generator,
        base: usize,
        piece: &mut Growing,
    ) -> Eval<bool> {
        let mut rounds = 0;
        while piece.len() < generator.piece && rounds < SCANNED_PER_TAKEN * generator.piece {
            if piece.len() >= FIRST_PIECE && self.is_running_out() {
                return Ok(false);
            }
            rounds += 1 + self.scan(body, generator, base, piece)?;
            match self.go_on(body, generator, base, Effort::Light)? {
                Found::Round => self.take_round(body, base, piece)?,
                Found::Passed => {}
                Found::End => return Ok(true),
                Found::Stuck => return Ok(false),
            }
        }
        Ok(generator.is_drained())
    }

    /// The innermost loop of a comprehension, `x <- sequence, conditions`, as long as the elements lie in a row and the
    /// conditions can be found at once; how many elements were scanned.
    fn scan(&mut self, body: &SeqBody, generator: &mut Generator, base: usize, piece: &mut Growing) -> Eval<usize> {
        let Some(&at) = body.generators.last() else { return Ok(0) };
        let (Step::Generator { pattern, .. }, conditions) = (&body.steps[at], &body.steps[at + 1..]) else {
            return Ok(0);
        };
        let ([result], Next::Draw, None) = (&*body.results, generator.next, &generator.held) else { return Ok(0) };
        if generator.draws.len() < body.generators.len() || body.yields != Yield::Element {
            return Ok(0);
        }
        let Some(Draw::Seq(walk)) = generator.draws.last_mut() else { return Ok(0) };
        let mut n_scanned = 0;
        if let (Pattern::Bind(slot), Arg::Local(same) | Arg::Move(same)) = (pattern, result)
            && same == slot
            && piece.len() < generator.piece.max(SCANNED_PIECE)
            && let Some(packed) = piece.packed()
            && let Some(tests) = number_tests(conditions, *slot, |slot| self.stack.get(base + slot as usize))
        {
            n_scanned += scan_for(&tests, ScanAhead(walk, packed));
            self.ticks(n_scanned / NUMBERS_PER_STEP)?;
        }
        // Of a sequence without end perhaps no other element is wanted.
        let most = SCANNED_PER_TAKEN * generator.piece;
        'elements: while piece.len() < generator.piece && n_scanned < most {
            if piece.len() >= FIRST_PIECE && self.is_running_out() {
                break;
            }
            let Some(element) = walk.next_in_row() else { break };
            n_scanned += 1;
            self.tick()?;
            match pattern {
                Pattern::Bind(slot) => self.put(base + *slot as usize, element),
                pattern if is_easy(pattern, &element) => {
                    if !self.matches(pattern, element, base)? {
                        continue;
                    }
                }
                _ => {
                    generator.held = Some(element);
                    break;
                }
            }
            for (at, condition) in (at + 1..).zip(conditions) {
                match self.truth_at_once(body, condition, base)? {
                    Some(true) => {}
                    Some(false) => continue 'elements,
                    None => {
                        generator.next = Next::Step(at);
                        return Ok(n_scanned);
                    }
                }
            }
            piece.push(match result {
                Arg::Local(slot) | Arg::Move(slot) => self.stack[base + *slot as usize].peel().clone(),
                result => self.arg(result, base)?,
            });
        }
        Ok(n_scanned)
    }

    /// Whether a condition holds, if that is evaluated or trying it succeeds.
    #[inline(always)]
    fn truth_at_once(&mut self, body: &SeqBody, condition: &Step, base: usize) -> Eval<Option<bool>> {
        let Step::Filter(condition) = condition else { return Ok(None) };
        if condition.at_hand.as_ref().is_some_and(|inputs| inputs.are_at_hand(self, base)) {
            let truth = self.truth(&condition.op, base);
            return Ok(self.if_done(truth));
        }
        self.speculate(&body.profile, |this| this.truth(&condition.op, base))
    }

    fn take_round(&mut self, body: &SeqBody, base: usize, piece: &mut Growing) -> Eval<()> {
        for result in &body.results {
            let value = self.arg(result, base)?;
            match body.yields {
                Yield::Element => piece.push(value),
                _ => match self.whnf(value)? {
                    Value::EmptySeq => {}
                    part => piece.push(part),
                },
            }
        }
        Ok(())
    }

    /// Runs the generators to the next round that passes all filters.
    fn go_on(&mut self, body: &SeqBody, generator: &mut Generator, base: usize, effort: Effort) -> Eval<Found> {
        loop {
            let at = match generator.next {
                Next::Step(at) => at,
                Next::Draw => match self.redraw(body, generator, base, effort)? {
                    Found::Round => continue,
                    other => return Ok(other),
                },
            };
            let Some(step) = body.steps.get(at) else {
                generator.next = Next::Draw;
                return Ok(Found::Round);
            };
            match step {
                Step::Filter(condition) => {
                    let truth = match effort {
                        Effort::Light => match self.truth_at_once(body, step, base)? {
                            Some(truth) => truth,
                            None => return Ok(Found::Stuck),
                        },
                        Effort::Full => self.truth(&condition.op, base)?,
                    };
                    generator.next = if truth { Next::Step(at + 1) } else { Next::Draw };
                    if !truth {
                        return Ok(Found::Passed);
                    }
                }
                Step::Generator { source, at_hand, site, .. } => {
                    let source = match effort {
                        Effort::Full => self.eval(source, base)?,
                        Effort::Light => {
                            if !at_hand.as_ref().is_some_and(|inputs| inputs.are_at_hand(self, base)) {
                                return Ok(Found::Stuck);
                            }
                            let source = self.eval(source, base);
                            match self.if_done(source) {
                                Some(source) => source,
                                None => return Ok(Found::Stuck),
                            }
                        }
                    };
                    let draw = match source {
                        Value::Set(set) => Draw::Set(self.elements(&set, *site)?),
                        source => Draw::Seq(Walk::new(source)),
                    };
                    generator.draws.push(draw);
                    generator.next = Next::Draw;
                }
            }
        }
    }

    /// Draws from the innermost generator that has something left and sets the step to go on with.
    fn redraw(&mut self, body: &SeqBody, generator: &mut Generator, base: usize, effort: Effort) -> Eval<Found> {
        while let Some(draw) = generator.draws.last_mut() {
            let element = match (generator.held.take(), draw, effort) {
                (Some(held), ..) => Some(held),
                (None, Draw::Seq(walk), Effort::Light) => {
                    self.tick()?;
                    match walk.step() {
                        seq::Step::Element(element) => Some(element),
                        seq::Step::End => None,
                        // Elsewhere a piece ends where those of the source end, and gets shorter with each sequence
                        // that is drawn from another.
                        seq::Step::Blocked(thunk) => match self.speculate(&body.profile, |this| this.force(&thunk))? {
                            Some(value) => {
                                walk.resume(value);
                                continue;
                            }
                            None => return Ok(Found::Stuck),
                        },
                    }
                }
                (None, draw, _) => self.drawn(draw)?,
            };
            let Some(element) = element else {
                generator.draws.pop();
                continue;
            };
            let Some((at, pattern)) = nth_generator(body, generator.draws.len() - 1) else { return Ok(Found::End) };
            if effort == Effort::Light && !is_easy(pattern, &element) {
                generator.held = Some(element);
                return Ok(Found::Stuck);
            }
            if self.matches(pattern, element, base)? {
                generator.next = Next::Step(at + 1);
                return Ok(Found::Round);
            }
        }
        Ok(Found::End)
    }
}

/// The conditions as comparisons of the element with numbers, if that is what they are; where variables are found.
fn number_tests<'v>(
    conditions: &[Step],
    slot: Slot,
    find: impl Fn(Slot) -> Option<&'v Value>,
) -> Option<SmallVec<[NumberTest; 2]>> {
    let side = |side: Side| match side {
        Side::Int(number) => Some(Some(number)),
        Side::Slot(used) if used == slot => Some(None),
        Side::Slot(used) => match find(used)? {
            Value::Int(number) => Some(Some(*number)),
            _ => None,
        },
    };
    let test = |condition: &Step| match condition {
        Step::Filter(condition) => {
            let test = condition.test?;
            Some(NumberTest { op: test.op, left: side(test.left)?, right: side(test.right)? })
        }
        Step::Generator { .. } => None,
    };
    conditions.iter().map(test).collect()
}

/// Goes through numbers that lie in a row.
trait Scan {
    /// Writes those down that are wanted; how many were scanned.
    fn scan(self, is_wanted: impl Fn(i64) -> bool) -> usize;
}

/// All of a sequence.
struct ScanAll<'s>(&'s seq::Seq, &'s mut Vec<i64>);

impl Scan for ScanAll<'_> {
    fn scan(self, is_wanted: impl Fn(i64) -> bool) -> usize {
        self.0.scan_numbers(is_wanted, self.1)
    }
}

/// The expected effort.
struct ScanAhead<'s>(&'s mut Walk, &'s mut Vec<i64>);

impl Scan for ScanAhead<'_> {
    fn scan(self, is_wanted: impl Fn(i64) -> bool) -> usize {
        self.0.scan_numbers(is_wanted, self.1)
    }
}

/// Those that pass the tests are wanted. A single comparison with a number, the usual thing, has a loop of its own.
fn scan_for(tests: &[NumberTest], scan: impl Scan) -> usize {
    let (op, bound) = match tests {
        [NumberTest { op, left: None, right: Some(bound) }] => (*op, *bound),
        tests => return scan.scan(|number| tests.iter().all(|test| test.holds(number))),
    };
    match op {
        BinaryOp::Equal => scan.scan(|number| number == bound),
        BinaryOp::NotEqual => scan.scan(|number| number != bound),
        BinaryOp::Less => scan.scan(|number| number < bound),
        BinaryOp::LessEqual => scan.scan(|number| number <= bound),
        BinaryOp::Greater => scan.scan(|number| number > bound),
        _ => scan.scan(|number| number >= bound),
    }
}

/// The elements that pass the tests, if all elements lie in a short row of numbers.
fn selected(source: &seq::Seq, tests: &[NumberTest], room: &mut Vec<i64>) -> Option<Value> {
    let length = source.known_length().filter(|&length| length <= SCANNED_PIECE)?;
    let n_scanned = scan_for(tests, ScanAll(source, room));
    (n_scanned == length).then(|| seq::from_numbers(room))
}

/// Whether matching needs no evaluation.
fn is_easy(pattern: &Pattern, element: &Value) -> bool {
    match (pattern, element.peel()) {
        (Pattern::Any | Pattern::Bind(_), _) => true,
        (Pattern::Tuple(parts), Value::Tuple(node)) => {
            parts.iter().zip(&node.items).all(|(part, item)| is_easy(part, item))
        }
        (Pattern::Int(_), Value::Int(_)) => true,
        _ => false,
    }
}

fn nth_generator(body: &SeqBody, place: usize) -> Option<(usize, &Pattern)> {
    let at = *body.generators.get(place)?;
    match &body.steps[at] {
        Step::Generator { pattern, .. } => Some((at, pattern)),
        Step::Filter(_) => None,
    }
}
