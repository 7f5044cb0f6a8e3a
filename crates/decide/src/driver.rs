//! The driver: runs tasks under budgets, and takes the first conclusion.
//!
//! Every task has a thread; the first one, whose row has the role [`Role::Main`], that of the caller. The thread of a
//! task that takes turns is suspended inside [`Progress::tick`] when its budget is spent, and goes on there when the
//! driver grants more: a task is suspended in the middle of its work, keeps all of its state, and knows nothing of it.
//! Only one of these threads runs at a time; tasks with the role [`Role::Parallel`] run all the time. Budgets are units
//! of work, not of time, so a schedule without parallel rows always runs the same way.

use crate::schedule::{Pace, Role};
use limits::effort::trials::WIDE_FRONTIER;
use limits::input::stack::THREAD_BYTES;
use limits::intervals::slices::{MAIN_SLICE, MIN_SLICE};
use lts::Reason;
use progress::{Activity, Attempt, Interrupt, Outcome, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

/// What a task comes to.
pub trait Conclusion {
    /// Why it decides nothing; None if it does.
    fn reason(&self) -> Option<Reason>;

    /// What is reported of the attempt.
    fn attempt(&self, name: &'static str, outcome: Outcome) -> Attempt {
        Attempt::new(name, outcome, 0)
    }
}

/// Work that comes to a conclusion, or gives up when its progress breaks.
pub type Work<'t, C> = Box<dyn FnOnce(&Meter<'_>) -> C + Send + 't>;

/// A task beside the first one.
pub struct Task<'t, C> {
    /// Stable name, used in reports.
    pub name: &'static str,
    /// When it runs.
    pub pace: Pace,
    /// What it does.
    pub work: Work<'t, C>,
}

/// Runs `main` on this thread and the others beside it. The conclusion of the first task that decides, with its number;
/// that of the main task if none does.
pub fn drive<'t, C: Conclusion + Send + 'static>(
    main: (&'static str, impl FnOnce(&Meter<'_>) -> C),
    others: Vec<Task<'t, C>>,
    progress: &dyn Progress,
) -> (usize, C) {
    let (name, work) = main;
    if others.is_empty() {
        // One task without others needs no thread.
        progress.attempt(name);
        let conclusion = work(&Meter { account: Arc::new(NoBudget), progress });
        let outcome = if conclusion.reason().is_none() { Outcome::Decided } else { Outcome::Inconclusive };
        progress.attempted(conclusion.attempt(name, outcome));
        return (0, conclusion);
    }
    let rows: Vec<(&'static str, Pace)> =
        std::iter::once((name, Pace::MAIN)).chain(others.iter().map(|task| (task.name, task.pace))).collect();
    let works = std::iter::once(None).chain(others.into_iter().map(|task| Some(task.work))).collect();
    let slots = rows.iter().map(|_| Slot::default()).collect();
    let board = Arc::new(Board { slots: Mutex::new(slots), changed: Condvar::new() });
    std::thread::scope(|scope| {
        let driver = Driver { rows: &rows, works, progress, board: &board, scope, main: 0 };
        let driving = std::thread::Builder::new().name("driver".to_owned()).spawn_scoped(scope, move || {
            // Also where the driver panics, no thread waits for a budget any more.
            let _cancel = CancelOnDrop(driver.board);
            driver.run()
        });
        let driving = driving.expect("a thread can be started");
        let _cancel = CancelOnDrop(&board);
        run_here(&board, name, work, progress);
        let (main, ended) = driving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        conclude(&board, &rows, progress, main, ended)
    })
}

/// Runs the first task when it is granted its first budget.
fn run_here<C: Send + 'static>(
    board: &Arc<Board<C>>,
    name: &'static str,
    work: impl FnOnce(&Meter<'_>) -> C,
    progress: &dyn Progress,
) {
    let mut ending = EndOnDrop { board, row: 0, conclusion: None };
    drop(board.wait_for_budget(0));
    progress.attempt(name);
    ending.conclusion = Some(work(&Meter::of(board, 0, progress)));
}

/// Phases of a task.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    NotStarted,
    Running,
    Suspended,
    Ended,
}

/// The state of a task that its thread and the driver share.
struct Slot<C> {
    phase: Phase,
    /// Units of work left before it is suspended.
    budget: u64,
    /// Units of work done.
    spent: u64,
    /// The last report with states.
    statistics: Statistics,
    /// Whether it prepares something, rather than searching.
    is_preparing: bool,
    is_cancelled: bool,
    conclusion: Option<C>,
}

impl<C> Default for Slot<C> {
    fn default() -> Slot<C> {
        Slot {
            phase: Phase::default(),
            budget: 0,
            spent: 0,
            statistics: Statistics::default(),
            is_preparing: false,
            is_cancelled: false,
            conclusion: None,
        }
    }
}

impl<C: Conclusion> Slot<C> {
    fn is_decided(&self) -> bool {
        self.conclusion.as_ref().is_some_and(|conclusion| conclusion.reason().is_none())
    }

    /// Whether it ended because another task was faster.
    fn lost_race(&self) -> bool {
        self.conclusion.as_ref().and_then(C::reason) == Some(Interrupt::LostRace.into())
    }
}

/// All slots, behind one lock: the driver waits for any of them.
struct Board<C> {
    slots: Mutex<Vec<Slot<C>>>,
    changed: Condvar,
}

impl<C> Board<C> {
    /// Slots are whole even if a thread panicked while it held them.
    fn lock(&self) -> MutexGuard<'_, Vec<Slot<C>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while<'b>(
        &'b self,
        slots: MutexGuard<'b, Vec<Slot<C>>>,
        condition: impl FnMut(&mut Vec<Slot<C>>) -> bool,
    ) -> MutexGuard<'b, Vec<Slot<C>>> {
        self.changed.wait_while(slots, condition).unwrap_or_else(PoisonError::into_inner)
    }

    fn cancel(&self, row: usize) {
        self.lock()[row].is_cancelled = true;
        self.changed.notify_all();
    }

    fn cancel_all(&self) {
        self.lock().iter_mut().for_each(|slot| slot.is_cancelled = true);
        self.changed.notify_all();
    }

    /// Waits until a task has a budget, or is cancelled.
    fn wait_for_budget(&self, row: usize) -> MutexGuard<'_, Vec<Slot<C>>> {
        self.wait_while(self.lock(), |slots| slots[row].budget == 0 && !slots[row].is_cancelled)
    }

    /// Counts work of a task, and suspends its thread while it has no budget.
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
            drop(slots);
            slots = self.wait_for_budget(row);
            slots[row].phase = Phase::Running;
        }
        if slots[row].is_cancelled { ControlFlow::Break(Interrupt::LostRace) } else { ControlFlow::Continue(()) }
    }

    fn end(&self, row: usize, conclusion: Option<C>) {
        let mut slots = self.lock();
        slots[row].phase = Phase::Ended;
        slots[row].conclusion = conclusion;
        self.changed.notify_all();
    }
}

struct CancelOnDrop<'a, C>(&'a Board<C>);

impl<C> Drop for CancelOnDrop<'_, C> {
    fn drop(&mut self) {
        self.0.cancel_all();
    }
}

/// Marks a task as ended, also if it panics: then the driver must not wait for it, and the panic surfaces when threads
/// are joined.
struct EndOnDrop<'a, C> {
    board: &'a Board<C>,
    row: usize,
    conclusion: Option<C>,
}

impl<C> Drop for EndOnDrop<'_, C> {
    fn drop(&mut self) {
        self.board.end(self.row, self.conclusion.take());
    }
}

/// The account of a task, to which its work is charged.
pub trait Charge: Send + Sync {
    /// Counts work, and suspends the thread while there is no budget.
    fn charge(&self, so_far: &Statistics) -> ControlFlow<Interrupt>;

    /// Whether the task was cancelled.
    fn poll(&self) -> ControlFlow<Interrupt>;

    /// Notes what the task does.
    fn enter(&self, activity: Activity);
}

struct Account<C> {
    board: Arc<Board<C>>,
    row: usize,
}

impl<C: Send> Charge for Account<C> {
    fn charge(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.board.charge(self.row, so_far)
    }

    fn poll(&self) -> ControlFlow<Interrupt> {
        let is_cancelled = self.board.lock()[self.row].is_cancelled;
        if is_cancelled { ControlFlow::Break(Interrupt::LostRace) } else { ControlFlow::Continue(()) }
    }

    fn enter(&self, activity: Activity) {
        let is_preparing = matches!(activity, Activity::Compiling | Activity::Compressing(_));
        self.board.lock()[self.row].is_preparing = is_preparing;
    }
}

/// The account of a task without others.
struct NoBudget;

impl Charge for NoBudget {
    fn charge(&self, _: &Statistics) -> ControlFlow<Interrupt> {
        ControlFlow::Continue(())
    }

    fn poll(&self) -> ControlFlow<Interrupt> {
        ControlFlow::Continue(())
    }

    fn enter(&self, _: Activity) {}
}

/// The progress of one task: its work is charged before the user's limits are polled.
pub struct Meter<'a> {
    account: Arc<dyn Charge>,
    progress: &'a dyn Progress,
}

impl<'a> Meter<'a> {
    fn of<C: Send + 'static>(board: &Arc<Board<C>>, row: usize, progress: &'a dyn Progress) -> Meter<'a> {
        Meter { account: Arc::new(Account { board: board.clone(), row }), progress }
    }

    /// The account, for work whose progress must outlive the meter.
    pub fn account(&self) -> Arc<dyn Charge> {
        self.account.clone()
    }
}

impl Progress for Meter<'_> {
    fn listener(&self) -> Option<&dyn Progress> {
        Some(self.progress)
    }

    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.account.charge(so_far)?;
        self.progress.tick(so_far)
    }

    fn poll(&self) -> ControlFlow<Interrupt> {
        self.account.poll()?;
        self.progress.poll()
    }

    fn enter(&self, activity: Activity) {
        self.account.enter(activity);
        self.progress.enter(activity);
    }
}

struct Driver<'scope, 'env, 't, C> {
    rows: &'env [(&'static str, Pace)],
    /// The work of each task that has not started.
    works: Vec<Option<Work<'t, C>>>,
    progress: &'env dyn Progress,
    board: &'env Arc<Board<C>>,
    scope: &'scope Scope<'scope, 'env>,
    /// The main task; a rival may have taken its place.
    main: usize,
}

/// What ended a schedule.
enum Ended {
    /// A task has decided.
    Decided(usize),
    /// The main task gave up or was interrupted, and no other one decided.
    Undecided,
}

impl<'scope, 'env: 'scope, 't: 'env, C: Conclusion + Send + 'static> Driver<'scope, 'env, 't, C> {
    /// Runs until a task decides, or the main one ends. The number of the main task, and what ended it.
    fn run(mut self) -> (usize, Ended) {
        loop {
            if let Some(row) = self.decided() {
                return (self.main, Ended::Decided(row));
            }
            if self.board.lock()[self.main].phase == Phase::Ended {
                let ended = self.run_without_main();
                return (self.main, ended);
            }
            self.start_parallel_rows();
            let (row, budget) = self.next_slice();
            self.grant(row, budget);
            self.judge_rival(row);
            self.free_memory();
        }
    }

    /// The main task first: it reports more than others that end at the same time.
    fn decided(&self) -> Option<usize> {
        let slots = self.board.lock();
        std::iter::once(self.main).chain(0..self.rows.len()).find(|&row| slots[row].is_decided())
    }

    /// States may be too wide for any search; then composition or invariants may still decide. After any other end of
    /// the main task, a limit of the user was reached.
    fn run_without_main(&mut self) -> Ended {
        let reason = self.board.lock()[self.main].conclusion.as_ref().and_then(C::reason);
        if reason != Some(Reason::TooWide) {
            return Ended::Undecided;
        }
        for row in 0..self.rows.len() {
            if self.rows[row].1.role == Role::Trial {
                self.grant(row, u64::MAX);
                if let Some(row) = self.decided() {
                    return Ended::Decided(row);
                }
            }
        }
        Ended::Undecided
    }

    fn start_parallel_rows(&mut self) {
        let main_work = self.board.lock()[self.main].spent;
        for row in 0..self.rows.len() {
            let Pace { role, after, .. } = self.rows[row].1;
            if role == Role::Parallel && after <= main_work && self.board.lock()[row].phase == Phase::NotStarted {
                self.resume(row, u64::MAX);
            }
        }
    }

    /// The task that runs next, and its budget: the first in the table that has not used its share, or the main one.
    fn next_slice(&self) -> (usize, u64) {
        let slots = self.board.lock();
        let main = &slots[self.main];
        let mut next_start = u64::MAX;
        for (row, (_, Pace { role, after, share })) in self.rows.iter().enumerate() {
            let slot = &slots[row];
            let is_over = slot.phase == Phase::Ended || slot.is_cancelled;
            if row == self.main || *role == Role::Main || is_over {
                continue;
            }
            if *after > main.spent {
                next_start = next_start.min(*after - main.spent);
                continue;
            }
            let left = share.of(main.spent).saturating_sub(slot.spent);
            let is_wide = main.statistics.n_waiting > main.statistics.n_states / WIDE_FRONTIER;
            let may_run = match role {
                Role::Main | Role::Parallel => false,
                Role::Trial | Role::Rival => true,
                Role::TrialOnWideFrontier => is_wide,
                Role::TrialWhilePreparing => main.is_preparing,
            };
            if may_run && left >= MIN_SLICE {
                return (row, left);
            }
        }
        (self.main, (main.spent / MAIN_SLICE).min(next_start).max(MIN_SLICE))
    }

    /// Lets a task run until its budget is spent, it ends, or a parallel one decides.
    fn grant(&mut self, row: usize, budget: u64) {
        self.resume(row, budget);
        let is_on =
            |slots: &mut Vec<Slot<C>>| slots[row].phase == Phase::Running && !slots.iter().any(Slot::is_decided);
        drop(self.board.wait_while(self.board.lock(), is_on));
    }

    /// Adds to the budget of a task, and starts it if it has not started.
    fn resume(&mut self, row: usize, budget: u64) {
        let mut slots = self.board.lock();
        let slot = &mut slots[row];
        slot.budget = budget;
        if slot.phase != Phase::Ended {
            slot.phase = Phase::Running;
        }
        drop(slots);
        self.board.changed.notify_all();
        // The first task has the thread of the caller.
        if let Some(work) = self.works[row].take() {
            self.start(row, work);
        }
    }

    fn start(&self, row: usize, work: Work<'t, C>) {
        let Driver { rows, progress, board, .. } = *self;
        progress.attempt(rows[row].0);
        let work = move || {
            let mut ending = EndOnDrop { board, row, conclusion: None };
            ending.conclusion = Some(work(&Meter::of(board, row, progress)));
        };
        let builder = Builder::new().name(rows[row].0.to_owned()).stack_size(THREAD_BYTES);
        builder.spawn_scoped(self.scope, work).expect("a thread can be started");
    }

    /// A reduced search that reaches at least the depth of the main task with a fraction of the work takes its place;
    /// otherwise it is cancelled. Its reduction multiplies with every step, so a single comparison is enough.
    fn judge_rival(&mut self, row: usize) {
        let is_suspended = self.board.lock()[row].phase == Phase::Suspended;
        if self.rows[row].1.role != Role::Rival || row == self.main || !is_suspended {
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

    /// What runs only while something is prepared gives its memory back when there is little left.
    fn free_memory(&self) {
        if self.progress.has_room() {
            return;
        }
        for (row, (_, pace)) in self.rows.iter().enumerate() {
            if pace.role == Role::TrialWhilePreparing && self.board.lock()[row].phase == Phase::Suspended {
                self.board.cancel(row);
                let is_on = |slots: &mut Vec<Slot<C>>| slots[row].phase != Phase::Ended;
                drop(self.board.wait_while(self.board.lock(), is_on));
            }
        }
    }
}

/// Waits for all threads, reports all tasks that started, and takes the conclusion.
fn conclude<C: Conclusion>(
    board: &Board<C>,
    rows: &[(&'static str, Pace)],
    progress: &dyn Progress,
    main: usize,
    ended: Ended,
) -> (usize, C) {
    let is_running =
        |slots: &mut Vec<Slot<C>>| slots.iter().any(|slot| matches!(slot.phase, Phase::Running | Phase::Suspended));
    let mut slots = board.wait_while(board.lock(), is_running);
    let winner = match ended {
        Ended::Decided(winner) => winner,
        Ended::Undecided => main,
    };
    for (row, slot) in slots.iter().enumerate() {
        let Some(conclusion) = &slot.conclusion else { continue };
        let outcome = match &ended {
            Ended::Decided(winner) if *winner == row => Outcome::Decided,
            _ if slot.lost_race() => Outcome::Overtaken,
            _ => Outcome::Inconclusive,
        };
        let mut attempt = conclusion.attempt(rows[row].0, outcome);
        attempt.n_states = attempt.n_states.max(slot.statistics.n_states);
        progress.attempted(attempt);
    }
    let conclusion = slots[winner].conclusion.take();
    (winner, conclusion.expect("a task that ended without a panic has a conclusion"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{BESIDE_COMPILATION, Share};
    use progress::{Nobody, Stop};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Units of work of a tick.
    const UNIT: u64 = 1 << 10;

    /// Why a task decides nothing, or that it does.
    #[derive(Debug)]
    struct Ended(Option<Reason>);

    impl Conclusion for Ended {
        fn reason(&self) -> Option<Reason> {
            self.0
        }
    }

    /// Ticks until it is interrupted, at most so often.
    fn tick(progress: &dyn Progress, most: u64, counted: &AtomicU64) -> Ended {
        for _ in 0..most {
            if let ControlFlow::Break(why) = progress.tick(&Statistics::of_work(UNIT)) {
                return Ended(Some(why.into()));
            }
            counted.fetch_add(1, Ordering::Relaxed);
        }
        Ended(None)
    }

    /// A main task with so many ticks in an activity, beside another one with so many: which decides, and the ticks of
    /// both.
    fn race(activity: Activity, here: u64, there: u64, progress: &dyn Progress) -> (usize, u64, u64) {
        let (n_here, n_there) = (AtomicU64::new(0), AtomicU64::new(0));
        let main = |meter: &Meter<'_>| {
            meter.enter(activity);
            tick(meter, here, &n_here)
        };
        let work = |meter: &Meter<'_>| tick(meter, there, &n_there);
        let other = Task { name: "other", pace: BESIDE_COMPILATION, work: Box::new(work) };
        let (winner, ended) = drive(("main", main), vec![other], progress);
        assert!(ended.0.is_none(), "{ended:?}");
        (winner, n_here.into_inner(), n_there.into_inner())
    }

    #[test]
    fn an_answer_ends_a_preparation() {
        for there in [0, 10, 1000, 5000] {
            let (winner, n_here, n_there) = race(Activity::Compiling, 1 << 20, there, &Nobody);
            assert_eq!((winner, n_there), (1, there));
            assert!(n_here < 1 << 20, "{n_here}");
        }
    }

    #[test]
    fn work_without_end_keeps_to_its_share() {
        let here = 1 << 18;
        let (winner, n_here, n_there) = race(Activity::Compiling, here, u64::MAX, &Nobody);
        assert_eq!((winner, n_here), (0, here));
        let most = BESIDE_COMPILATION.share.of(here * UNIT) / UNIT;
        assert!(n_there > most / 4 && n_there <= most + 1, "{n_there} of {most}");
    }

    #[test]
    fn nothing_runs_beside_a_search() {
        assert_eq!(race(Activity::Searching, 1 << 16, u64::MAX, &Nobody), (0, 1 << 16, 0));
    }

    /// There is room for so many questions.
    struct Cramped(AtomicU64);

    impl Progress for Cramped {
        fn has_room(&self) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
        }
    }

    #[test]
    fn a_task_that_takes_the_last_memory_is_cancelled() {
        let free = race(Activity::Compiling, 1 << 18, u64::MAX, &Nobody).2;
        let (winner, n_here, n_there) = race(Activity::Compiling, 1 << 18, u64::MAX, &Cramped(AtomicU64::new(40)));
        assert_eq!((winner, n_here), (0, 1 << 18), "what is prepared goes on");
        assert!(n_there < free, "{n_there} of {free}");
    }

    #[test]
    fn a_panic_is_not_swallowed() {
        let work = |_: &Meter<'_>| -> Ended { panic!("on purpose") };
        let pace = Pace { role: Role::Trial, after: 0, share: Share { ahead: 1 << 20, early: 1, late: 1 } };
        let other = Task { name: "other", pace, work: Box::new(work) };
        let main = |meter: &Meter<'_>| tick(meter, 1 << 20, &AtomicU64::new(0));
        let driving = std::panic::AssertUnwindSafe(|| drive(("main", main), vec![other], &Nobody));
        assert!(std::panic::catch_unwind(driving).is_err());
    }

    #[test]
    fn the_reason_of_the_main_task_is_kept() {
        let main = |_: &Meter<'_>| Ended(Some(Stop::MaxStates.into()));
        let other = Task { name: "other", pace: BESIDE_COMPILATION, work: Box::new(|_: &Meter<'_>| Ended(None)) };
        let (winner, ended) = drive(("main", main), vec![other], &Nobody);
        assert_eq!((winner, ended.0), (0, Some(Stop::MaxStates.into())));
    }
}
