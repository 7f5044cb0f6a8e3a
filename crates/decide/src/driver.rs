//! The driver: runs the rows of a schedule under budgets, and takes the first answer.
//!
//! Every row has a thread. The thread of a row that takes turns is suspended inside [`Progress::tick`] when its budget is spent, and goes on there
//! when the driver grants more: an engine is suspended in the middle of its work, keeps all of its state, and knows nothing of it. Only one of these
//! threads runs at a time; rows with the role [`Role::Parallel`] run all the time. Budgets are units of work, not of time, so a schedule without
//! parallel rows always runs the same way.

use crate::answer::NetworkAnswer;
use crate::engine::{Problem, Report};
use crate::schedule::{Role, Row};
use lts::{Reason, Verdict};
use progress::{Attempt, Interrupt, Outcome, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

/// The stack of a thread: as large as that of the main thread, because terms and formulas can be deep. Only what is used is committed.
const STACK_BYTES: usize = 256 << 20;
/// The least budget that is worth a change of threads.
const MIN_SLICE: u64 = 1 << 12;
/// A slice of the main row is one part in so many of its work so far.
const SLICES: u64 = 4;
/// A frontier is wide if more than one in so many of the visited states is waiting.
const WIDE_FRONTIER: u64 = 8;

/// Decides a problem by a schedule, whose first row has the role [`Role::Main`].
pub(crate) fn drive(rows: &[Row], problem: &Problem<'_>, progress: &dyn Progress) -> NetworkAnswer {
    let [main, others @ ..] = rows else { return Report::unknown(Reason::Unsupported).answer };
    if others.is_empty() {
        return run_alone(main, problem, progress);
    }
    let board = Board { slots: Mutex::new(rows.iter().map(|_| Slot::default()).collect()), changed: Condvar::new() };
    std::thread::scope(|scope| {
        // Also where the driver panics, no thread waits for a budget any more.
        let _cancel = CancelOnDrop(&board);
        let mut driver = Driver { rows, problem, progress, board: &board, scope, main: 0 };
        let ended = driver.run();
        board.cancel_all();
        driver.conclude(ended)
    })
}

/// One engine without rivals needs no thread.
fn run_alone(row: &Row, problem: &Problem<'_>, progress: &dyn Progress) -> NetworkAnswer {
    progress.attempt(row.engine.name());
    let report = row.engine.decide(problem, progress);
    progress.attempted(attempt_of(row, &report, if report.is_decisive() { Outcome::Decided } else { Outcome::InVain }));
    report.answer
}

fn attempt_of(row: &Row, report: &Report, outcome: Outcome) -> Attempt {
    let n_states = report.answer.statistics.n_states;
    Attempt { way: row.engine.name(), how: report.variant.clone(), outcome, n_states, pieces: report.pieces.clone() }
}

/// Phases of a row.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    NotStarted,
    Running,
    Suspended,
    Ended,
}

/// The state of a row that its thread and the driver share.
#[derive(Default)]
struct Slot {
    phase: Phase,
    /// Units of work left before it is suspended.
    budget: u64,
    /// Units of work done.
    spent: u64,
    /// The last report with states.
    statistics: Statistics,
    is_cancelled: bool,
    report: Option<Report>,
}

/// All slots, behind one lock: the driver waits for any of them.
struct Board {
    slots: Mutex<Vec<Slot>>,
    changed: Condvar,
}

impl Board {
    /// Slots are whole even if a thread panicked while it held them.
    fn lock(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cancel(&self, row: usize) {
        self.lock()[row].is_cancelled = true;
        self.changed.notify_all();
    }

    fn cancel_all(&self) {
        self.lock().iter_mut().for_each(|slot| slot.is_cancelled = true);
        self.changed.notify_all();
    }

    /// Counts work of a row, and suspends its thread while it has no budget.
    fn charge(&self, row: usize, so_far: &Statistics) -> ControlFlow<Interrupt> {
        let mut slots = self.lock();
        let slot = &mut slots[row];
        let work = so_far.work.max(1);
        slot.spent = slot.spent.saturating_add(work);
        slot.budget = slot.budget.saturating_sub(work);
        if so_far.n_states > 0 {
            slot.statistics = *so_far;
        }
        if slot.budget == 0 && !slot.is_cancelled {
            slot.phase = Phase::Suspended;
            self.changed.notify_all();
            let is_suspended = |slots: &mut Vec<Slot>| slots[row].budget == 0 && !slots[row].is_cancelled;
            slots = self.changed.wait_while(slots, is_suspended).unwrap_or_else(PoisonError::into_inner);
            slots[row].phase = Phase::Running;
        }
        if slots[row].is_cancelled { ControlFlow::Break(Interrupt::LostRace) } else { ControlFlow::Continue(()) }
    }

    fn end(&self, row: usize, report: Option<Report>) {
        let mut slots = self.lock();
        slots[row].phase = Phase::Ended;
        slots[row].report = report;
        self.changed.notify_all();
    }
}

struct CancelOnDrop<'a>(&'a Board);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        self.0.cancel_all();
    }
}

/// Marks a row as ended, also if its engine panics: then the driver must not wait for it, and the panic surfaces when threads are joined.
struct EndOnDrop<'a> {
    board: &'a Board,
    row: usize,
    report: Option<Report>,
}

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.board.end(self.row, self.report.take());
    }
}

/// The progress of one row: its work is charged before the user's limits are polled.
struct Meter<'a> {
    board: &'a Board,
    row: usize,
    progress: &'a dyn Progress,
}

impl Progress for Meter<'_> {
    fn listener(&self) -> Option<&dyn Progress> {
        Some(self.progress)
    }

    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.board.charge(self.row, so_far)?;
        self.progress.tick(so_far)
    }

    fn poll(&self) -> ControlFlow<Interrupt> {
        if self.board.lock()[self.row].is_cancelled {
            return ControlFlow::Break(Interrupt::LostRace);
        }
        self.progress.poll()
    }
}

struct Driver<'scope, 'env> {
    rows: &'env [Row],
    problem: &'env Problem<'env>,
    progress: &'env dyn Progress,
    board: &'env Board,
    scope: &'scope Scope<'scope, 'env>,
    /// The main row; a rival may have taken its place.
    main: usize,
}

/// What ended a schedule.
enum Ended {
    /// A row has an answer.
    Decided(usize),
    /// The main row gave up or was interrupted, and no other row decided the claim.
    Undecided,
}

impl<'scope, 'env: 'scope> Driver<'scope, 'env> {
    fn run(&mut self) -> Ended {
        loop {
            if let Some(row) = self.decided() {
                return Ended::Decided(row);
            }
            if self.board.lock()[self.main].phase == Phase::Ended {
                return self.run_without_main();
            }
            self.start_parallel_rows();
            let (row, budget) = self.next_slice();
            self.grant(row, budget);
            self.judge_rival(row);
        }
    }

    /// The main row first: it tells more than others that end at the same time.
    fn decided(&self) -> Option<usize> {
        let slots = self.board.lock();
        let is_decided = |&row: &usize| slots[row].report.as_ref().is_some_and(Report::is_decisive);
        std::iter::once(self.main).chain(0..self.rows.len()).find(is_decided)
    }

    /// States may be too wide for any search; then composition or invariants may still decide the claim. After any other end of the main row, a
    /// limit of the user was reached.
    fn run_without_main(&mut self) -> Ended {
        let is_too_wide = |slot: &Slot| {
            slot.report.as_ref().is_some_and(|report| report.answer.verdict == Verdict::Unknown(Reason::TooWide))
        };
        if !is_too_wide(&self.board.lock()[self.main]) {
            return Ended::Undecided;
        }
        for row in 0..self.rows.len() {
            if self.rows[row].role == Role::Trial {
                self.grant(row, u64::MAX);
                if let Some(row) = self.decided() {
                    return Ended::Decided(row);
                }
            }
        }
        Ended::Undecided
    }

    fn start_parallel_rows(&self) {
        let main_work = self.board.lock()[self.main].spent;
        for (row, Row { role, after, .. }) in self.rows.iter().enumerate() {
            if *role == Role::Parallel && *after <= main_work && self.board.lock()[row].phase == Phase::NotStarted {
                self.resume(row, u64::MAX);
            }
        }
    }

    /// The row that runs next, and its budget: the first in the table that has not used its share, or the main row.
    fn next_slice(&self) -> (usize, u64) {
        let slots = self.board.lock();
        let main = &slots[self.main];
        let mut next_start = u64::MAX;
        for (row, Row { role, after, share, .. }) in self.rows.iter().enumerate() {
            let slot = &slots[row];
            let takes_turns = matches!(role, Role::Trial | Role::TrialOnWideFrontier | Role::Rival) && row != self.main;
            if !takes_turns && *role != Role::Parallel || slot.phase == Phase::Ended || slot.is_cancelled {
                continue;
            }
            if *after > main.spent {
                next_start = next_start.min(*after - main.spent);
                continue;
            }
            let left = share.of(main.spent).saturating_sub(slot.spent);
            let is_wide = main.statistics.n_waiting > main.statistics.n_states / WIDE_FRONTIER;
            if takes_turns && left >= MIN_SLICE && (is_wide || *role != Role::TrialOnWideFrontier) {
                return (row, left);
            }
        }
        (self.main, (main.spent / SLICES).min(next_start).max(MIN_SLICE))
    }

    /// Lets a row run until its budget is spent, it ends, or a parallel row decides the claim.
    fn grant(&self, row: usize, budget: u64) {
        self.resume(row, budget);
        let is_on = |slots: &mut Vec<Slot>| {
            slots[row].phase == Phase::Running
                && !slots.iter().any(|slot| slot.report.as_ref().is_some_and(Report::is_decisive))
        };
        drop(self.board.changed.wait_while(self.board.lock(), is_on).unwrap_or_else(PoisonError::into_inner));
    }

    /// Adds to the budget of a row, and starts it if it has not started.
    fn resume(&self, row: usize, budget: u64) {
        let mut slots = self.board.lock();
        let slot = &mut slots[row];
        slot.budget = budget;
        let phase = slot.phase;
        if phase != Phase::Ended {
            slot.phase = Phase::Running;
        }
        drop(slots);
        match phase {
            Phase::NotStarted => self.start(row),
            Phase::Running | Phase::Suspended | Phase::Ended => self.board.changed.notify_all(),
        }
    }

    fn start(&self, row: usize) {
        let Driver { rows, problem, progress, board, .. } = *self;
        let engine = rows[row].engine;
        progress.attempt(engine.name());
        let work = move || {
            let mut ending = EndOnDrop { board, row, report: None };
            ending.report = Some(engine.decide(problem, &Meter { board, row, progress }));
        };
        let builder = Builder::new().name(engine.name().to_owned()).stack_size(STACK_BYTES);
        builder.spawn_scoped(self.scope, work).expect("a thread can be started");
    }

    /// A reduced search that reaches at least the depth of the main row with a fraction of the work takes its place; otherwise it is cancelled. Its
    /// reduction multiplies with every step, so a single comparison is enough.
    fn judge_rival(&mut self, row: usize) {
        if self.rows[row].role != Role::Rival || row == self.main || self.board.lock()[row].phase != Phase::Suspended {
            return;
        }
        let depth = |row: usize| self.board.lock()[row].statistics.depth;
        if depth(row) >= depth(self.main) {
            self.board.cancel(self.main);
            self.main = row;
        } else {
            self.board.cancel(row);
        }
    }

    /// Waits for all threads, reports all rows that started, and takes the answer.
    fn conclude(&mut self, ended: Ended) -> NetworkAnswer {
        let is_running =
            |slots: &mut Vec<Slot>| slots.iter().any(|slot| matches!(slot.phase, Phase::Running | Phase::Suspended));
        let mut slots =
            self.board.changed.wait_while(self.board.lock(), is_running).unwrap_or_else(PoisonError::into_inner);
        let winner = match ended {
            Ended::Decided(winner) => winner,
            Ended::Undecided => self.main,
        };
        for (row, slot) in slots.iter().enumerate() {
            let Some(report) = &slot.report else { continue };
            let outcome = match &ended {
                Ended::Decided(winner) if *winner == row => Outcome::Decided,
                _ if slot.is_interrupted() => Outcome::Overtaken,
                _ => Outcome::InVain,
            };
            let mut attempt = attempt_of(&self.rows[row], report, outcome);
            attempt.n_states = attempt.n_states.max(slot.statistics.n_states);
            self.progress.attempted(attempt);
        }
        let report = slots[winner].report.take();
        report.unwrap_or_else(|| Report::unknown(Reason::Unsupported)).answer
    }
}

impl Slot {
    /// Whether it ended because another row was faster.
    fn is_interrupted(&self) -> bool {
        let lost = Verdict::Unknown(Interrupt::LostRace.into());
        self.report.as_ref().is_some_and(|report| report.answer.verdict == lost)
    }
}
