//! Somebody who looks for the answer in another way while something is prepared.
//!
//! The two take turns: only one works at a time, for so many questions whether to go on. Each stays where it is while the other works, be it in the
//! middle of a single state, so nothing is done twice, and nothing that never ends keeps the other from its end. How long a turn is, is told by
//! questions, not by time: the same script is always decided in the same way. Only questions about states count, and those of the language: who goes
//! through the operators of a process asks often, and is soon done. Who asks seldom and meets many states meanwhile has asked for these, too.
//!
//! The companion has a thread and a memory of its own. It goes away when there is little memory left, and then what it held is free.

use explore::side_by_side;
use progress::{Activity, Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many questions are a turn: some tenths of a second.
const N_QUESTIONS: i64 = 256;
/// The first turn of who prepares is so many times as long: most that is prepared is ready by then, and questions of a companion that has huge terms
/// to walk can take ten times as long.
const N_FIRST: i64 = 4;
/// So many new states are one more question.
const STATES_PER_QUESTION: u64 = 1000;
/// So many turns are of equal length. Then those of who prepares are so many times as long.
const N_EQUAL_TURNS: u32 = 6;
const N_LATER: i64 = 4;

/// Looks for an answer, asking whether to go on; whether there is one.
pub(super) type Work = Box<dyn FnOnce(Arc<dyn Progress>) -> bool + Send>;

/// Passes on what it hears, and now and then lets a companion work while something is prepared.
pub(super) struct Turns {
    listener: Arc<dyn Progress>,
    is_preparing: AtomicBool,
    /// Questions that are left of the turn.
    n_left: AtomicI64,
    /// How many states were met at the last question.
    n_met: AtomicU64,
    /// Turns of the companion so far.
    n_turns: AtomicU32,
    /// Whether the companion has the answer: then nobody needs what is prepared.
    is_answered: AtomicBool,
    /// How it is told that it is its turn, if there is one.
    companion: Mutex<Option<Arc<Baton>>>,
}

impl Turns {
    pub(super) fn new(listener: Arc<dyn Progress>) -> Turns {
        Turns {
            listener,
            is_preparing: AtomicBool::new(false),
            n_left: AtomicI64::new(N_QUESTIONS),
            n_met: AtomicU64::new(0),
            n_turns: AtomicU32::new(0),
            is_answered: AtomicBool::new(false),
            companion: Mutex::new(None),
        }
    }

    /// Does something, and lets somebody do other work while something is prepared for it, if that takes long. What came of it, and whether the other
    /// has the answer.
    pub(super) fn accompanied<Here>(&self, work: Work, here: impl FnOnce() -> Here) -> (Here, bool) {
        let baton = Arc::new(Baton::default());
        let guest = Guest { baton: baton.clone(), listener: self.listener.clone() };
        self.n_left.store(N_FIRST * N_QUESTIONS, Ordering::Relaxed);
        self.n_turns.store(0, Ordering::Relaxed);
        *lock(&self.companion) = Some(baton.clone());
        let there = move || {
            let mut ending = Ending { baton, outcome: false };
            if ending.baton.wait() {
                ending.outcome = work(Arc::new(guest));
            }
        };
        let (there, here) = side_by_side(there, || {
            let _dismissal = Dismissal(self);
            here()
        });
        assert!(there.is_some(), "who worked beside it panicked");
        (here, self.is_answered.swap(false, Ordering::Relaxed))
    }

    /// Whether somebody works or may begin to.
    pub(super) fn is_accompanied(&self) -> bool {
        lock(&self.companion).is_some()
    }

    /// Nobody has to work beside it any more.
    fn dismiss(&self) {
        if let Some(baton) = lock(&self.companion).take() {
            baton.end();
        }
    }

    /// Lets the companion work for a turn.
    fn change_places(&self) {
        let mut companion = lock(&self.companion);
        let Some(baton) = companion.as_ref() else { return };
        let n_turns = self.n_turns.fetch_add(1, Ordering::Relaxed) + 1;
        match baton.go_on() {
            None => {
                let n_times = if n_turns < N_EQUAL_TURNS { 1 } else { N_LATER };
                self.n_left.store(n_times * N_QUESTIONS, Ordering::Relaxed);
            }
            Some(is_answered) => {
                self.is_answered.store(is_answered, Ordering::Relaxed);
                *companion = None;
            }
        }
    }

    /// Whether the companion holds memory.
    fn has_begun(&self) -> bool {
        self.n_turns.load(Ordering::Relaxed) > 0 && self.is_accompanied()
    }
}

/// Sends the companion away, however the work here ends.
struct Dismissal<'a>(&'a Turns);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

impl Turns {
    /// What the language asks: all its questions count.
    pub(super) fn of_language(self: &Arc<Turns>) -> Arc<dyn Progress> {
        Arc::new(OfLanguage(self.clone()))
    }

    fn hear(&self, so_far: &Statistics, counts: bool) -> ControlFlow<Interrupt> {
        self.listener.tick(so_far)?;
        if self.has_begun() && !self.listener.has_room() {
            self.dismiss();
        }
        if counts && self.is_preparing.load(Ordering::Relaxed) {
            let n_before = self.n_met.swap(so_far.n_states, Ordering::Relaxed);
            let n_questions = 1 + (so_far.n_states.saturating_sub(n_before) / STATES_PER_QUESTION) as i64;
            // Several workers may ask at once: one of them has the last question of the turn.
            let n_left = self.n_left.fetch_sub(n_questions, Ordering::Relaxed);
            if (1..=n_questions).contains(&n_left) {
                self.change_places();
            }
        }
        if self.is_answered.load(Ordering::Relaxed) {
            return ControlFlow::Break(Interrupt::LostRace);
        }
        ControlFlow::Continue(())
    }
}

struct OfLanguage(Arc<Turns>);

impl Progress for OfLanguage {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.0.hear(so_far, true)
    }

    fn poll(&self) -> ControlFlow<Interrupt> {
        self.0.poll()
    }

    fn has_room(&self) -> bool {
        self.0.has_room()
    }
}

impl Progress for Turns {
    fn listener(&self) -> Option<&dyn Progress> {
        Some(&*self.listener)
    }

    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.hear(so_far, so_far.n_states > 0)
    }

    fn enter(&self, activity: Activity) {
        let is_preparing = matches!(activity, Activity::Compiling | Activity::Compressing(_));
        self.is_preparing.store(is_preparing, Ordering::Relaxed);
        self.listener.enter(activity);
    }
}

/// Whose turn it is.
#[derive(Default)]
struct Baton {
    turn: Mutex<Turn>,
    passed: Condvar,
}

#[derive(Default)]
struct Turn {
    is_companions: bool,
    n_left: i64,
    /// Whether nobody waits for an outcome any more.
    is_over: bool,
    outcome: Option<bool>,
}

impl Baton {
    /// It is the companion's turn.
    fn hand_over(&self, is_over: bool) -> MutexGuard<'_, Turn> {
        let mut turn = lock(&self.turn);
        turn.is_over |= is_over;
        if turn.outcome.is_none() {
            (turn.is_companions, turn.n_left) = (true, N_QUESTIONS);
            self.passed.notify_all();
        }
        turn
    }

    /// Lets the companion work for a turn; what came of it, if it is at its end.
    fn go_on(&self) -> Option<bool> {
        let turn = self.hand_over(false);
        let turn = self.passed.wait_while(turn, |turn| turn.is_companions).unwrap_or_else(PoisonError::into_inner);
        turn.outcome
    }

    /// Waits for the end of the companion, which is asked to hasten.
    fn end(&self) {
        let turn = self.hand_over(true);
        drop(self.passed.wait_while(turn, |turn| turn.outcome.is_none()).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits for the companion's turn; whether anybody wants it to work.
    fn wait(&self) -> bool {
        let turn = lock(&self.turn);
        let turn = self.passed.wait_while(turn, |turn| !turn.is_companions).unwrap_or_else(PoisonError::into_inner);
        !turn.is_over
    }

    /// Counts a question of the companion, and waits for its next turn if it was the last of this one.
    fn count(&self) -> bool {
        let mut turn = lock(&self.turn);
        turn.n_left -= 1;
        if turn.n_left > 0 || turn.is_over {
            return !turn.is_over;
        }
        turn.is_companions = false;
        self.passed.notify_all();
        drop(turn);
        self.wait()
    }
}

/// Tells how it ended, however that was.
struct Ending {
    baton: Arc<Baton>,
    outcome: bool,
}

impl Drop for Ending {
    fn drop(&mut self) {
        let mut turn = lock(&self.baton.turn);
        (turn.is_companions, turn.outcome) = (false, Some(self.outcome));
        self.baton.passed.notify_all();
    }
}

/// What the companion asks whether to go on. It takes no memory that others may need.
struct Guest {
    baton: Arc<Baton>,
    listener: Arc<dyn Progress>,
}

impl Progress for Guest {
    fn tick(&self, _: &Statistics) -> ControlFlow<Interrupt> {
        self.listener.tick(&Statistics::default())?;
        match (self.listener.has_room(), self.baton.count()) {
            (true, true) => ControlFlow::Continue(()),
            (true, false) => ControlFlow::Break(Interrupt::LostRace),
            (false, _) => ControlFlow::Break(Interrupt::Memory),
        }
    }

    fn poll(&self) -> ControlFlow<Interrupt> {
        self.listener.poll()
    }

    fn has_room(&self) -> bool {
        self.listener.has_room()
    }
}

/// What is behind a lock is whole even if somebody panicked while holding it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use progress::Nobody;

    fn turns() -> Turns {
        let turns = Turns::new(Arc::new(Nobody));
        turns.enter(Activity::Compiling);
        turns
    }

    /// Asks until it is told to stop, at most so often; how often.
    fn ask(progress: &dyn Progress, most: u64) -> u64 {
        (0..most).take_while(|_| progress.tick(&Statistics::of_states(1)).is_continue()).count() as u64
    }

    /// Work that asks so often and then has an outcome, with what it asks counted.
    fn work(n_questions: u64, outcome: bool) -> (Work, Arc<AtomicU64>) {
        let asked = Arc::new(AtomicU64::new(0));
        let count = asked.clone();
        let work = move |progress: Arc<dyn Progress>| {
            for _ in 0..n_questions {
                if progress.tick(&Statistics::default()).is_break() {
                    return false;
                }
                count.fetch_add(1, Ordering::Relaxed);
            }
            outcome
        };
        (Box::new(work), asked)
    }

    #[test]
    fn an_answer_ends_what_is_prepared() {
        for (n_questions, n_turns) in [(0, 1), (10, 1), (255, 1), (300, 2), (1000, 4)] {
            let turns = turns();
            let (n_asked, is_answered) = turns.accompanied(work(n_questions, true).0, || ask(&turns, 1_000_000));
            assert_eq!(n_asked + 1, (N_FIRST as u64 + n_turns - 1) * N_QUESTIONS as u64, "{n_questions}");
            assert!(is_answered);
            assert_eq!(ask(&turns, 1000), 1000, "it is over");
        }
    }

    #[test]
    fn work_without_end_is_left() {
        let turns = turns();
        let (endless, asked) = work(u64::MAX, true);
        let n_prepared = 100_000;
        assert_eq!(turns.accompanied(endless, || ask(&turns, n_prepared)), (n_prepared, false));
        let asked = asked.load(Ordering::Relaxed);
        assert!(asked > n_prepared / 8 && asked < n_prepared / 3, "{asked}");
    }

    #[test]
    fn work_in_vain_is_not_asked_again() {
        let turns = turns();
        let here = || (ask(&turns, 100_000), turns.is_accompanied());
        assert_eq!(turns.accompanied(work(1000, false).0, here), ((100_000, false), false));
    }

    #[test]
    fn nobody_works_while_nothing_is_prepared() {
        let turns = turns();
        turns.enter(Activity::Searching);
        let (endless, asked) = work(u64::MAX, true);
        assert_eq!(turns.accompanied(endless, || ask(&turns, 100_000)), (100_000, false));
        assert_eq!(asked.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn who_goes_through_operators_is_left_alone() {
        let turns = Arc::new(turns());
        let language = turns.of_language();
        let ((n_here, n_of_language), _) = turns.accompanied(work(10, true).0, || {
            let is_let = |progress: &dyn Progress| progress.tick(&Statistics::default()).is_continue();
            let n_here = (0..10_000).filter(|_| is_let(&*turns)).count();
            (n_here, (0..10_000).take_while(|_| is_let(&*language)).count())
        });
        assert_eq!((n_here, n_of_language as i64), (10_000, N_FIRST * N_QUESTIONS - 1));
    }

    #[test]
    fn a_panic_is_not_swallowed() {
        let turns = turns();
        let panics: Work = Box::new(|_: Arc<dyn Progress>| -> bool { panic!("on purpose") });
        let asking = std::panic::AssertUnwindSafe(|| turns.accompanied(panics, || ask(&turns, 10_000)));
        assert!(std::panic::catch_unwind(asking).is_err());
    }

    /// There is room for so many questions.
    struct Cramped(AtomicI64);

    impl Progress for Cramped {
        fn has_room(&self) -> bool {
            self.0.fetch_sub(1, Ordering::Relaxed) > 0
        }
    }

    #[test]
    fn who_takes_the_last_memory_goes() {
        for room in [1, 100, 1000, 5000] {
            let turns = Turns::new(Arc::new(Cramped(AtomicI64::new(room))));
            turns.enter(Activity::Compiling);
            let (endless, asked) = work(u64::MAX, true);
            let here = || (ask(&turns, 100_000), turns.is_accompanied());
            let ((n_asked, is_accompanied), _) = turns.accompanied(endless, here);
            assert_eq!(n_asked, 100_000, "what is prepared goes on");
            assert!(!is_accompanied);
            assert!(asked.load(Ordering::Relaxed) <= room as u64);
        }
    }
}
