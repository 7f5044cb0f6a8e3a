//! Queries about scripts, answered by child processes that are reused for later queries.
//!
//! A tab has at most one child for each kind of query, and all tabs together at most [`MAX_CHILDREN`]. When all exist,
//! the least recently used idle child is ended; if all are busy, the query waits. A busy child belongs to its query:
//! when that is cancelled, exceeds its time, or loses its tab, the child is killed.

use crate::Workbench;
use crate::children::ChildProcess;
use limits::input::workbench::{MAX_CHILDREN, MAX_SIMULATORS, SIMULATOR_IDLE};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as Lock, Weak};
use std::time::Duration;
use tokio::sync::{Mutex, Notify};
use tokio::time::{Instant, timeout};

const SIMULATE: &str = "simulate";

/// Kinds of queries, each with its own child per tab, and their time limits.
const KINDS: &[(&str, Duration)] = &[
    ("outline", Duration::from_secs(20)),
    ("definition", Duration::from_secs(20)),
    (SIMULATE, Duration::from_secs(30)),
    ("graph", Duration::from_secs(60)),
    ("structure", Duration::from_secs(60)),
    ("compare", Duration::from_secs(60)),
];

/// Number of children of all tabs, and the idle ones.
#[derive(Default)]
pub struct Pool {
    n_children: AtomicUsize,
    n_simulators: AtomicUsize,
    slots: Lock<Vec<Weak<Slot>>>,
    /// Signals that a child has become idle or exited.
    freed: Notify,
}

impl Pool {
    fn slot(&self, kind: &'static str) -> Arc<Slot> {
        let slot = Arc::new(Slot { kind, child: Mutex::default(), stop: Notify::new() });
        let mut slots = self.slots.lock().expect("nothing panics while it holds slots");
        slots.retain(|slot| slot.strong_count() > 0);
        slots.push(Arc::downgrade(&slot));
        slot
    }

    /// Waits for a place among the children.
    async fn place(workbench: &Arc<Workbench>, kind: &str) -> Result<(Place, Option<Place>), String> {
        let pool = &workbench.pool;
        let simulator = if kind == SIMULATE {
            let place = Place::take(workbench, |pool| &pool.n_simulators, MAX_SIMULATORS);
            Some(place.ok_or_else(|| format!("{MAX_SIMULATORS} simulators are open: close one of their tabs"))?)
        } else {
            None
        };
        loop {
            let freed = pool.freed.notified();
            if let Some(place) = Place::take(workbench, |pool| &pool.n_children, MAX_CHILDREN) {
                return Ok((place, simulator));
            }
            if !pool.end_idle() {
                freed.await;
            }
        }
    }

    /// Ends the least recently used idle child; false if all are busy.
    fn end_idle(&self) -> bool {
        let slots: Vec<_> = {
            let slots = self.slots.lock().expect("nothing panics while it holds slots");
            slots.iter().filter_map(Weak::upgrade).filter(|slot| slot.kind != SIMULATE).collect()
        };
        let idle = slots.iter().filter_map(|slot| slot.child.try_lock().ok()).filter(|child| child.is_some());
        let oldest = idle.min_by_key(|child| child.as_ref().map(|child| child.used));
        oldest.is_some_and(|mut child| child.take().is_some())
    }
}

/// Place among the children or the simulators, freed when it is dropped.
struct Place {
    workbench: Arc<Workbench>,
    count: fn(&Pool) -> &AtomicUsize,
}

impl Place {
    fn take(workbench: &Arc<Workbench>, count: fn(&Pool) -> &AtomicUsize, most: usize) -> Option<Place> {
        let increment = |n: usize| (n < most).then_some(n + 1);
        count(&workbench.pool).fetch_update(Ordering::Relaxed, Ordering::Relaxed, increment).ok()?;
        Some(Place { workbench: Arc::clone(workbench), count })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        (self.count)(&self.workbench.pool).fetch_sub(1, Ordering::Relaxed);
        self.workbench.pool.freed.notify_waiters();
    }
}

/// Children of one tab.
#[derive(Default)]
pub struct Queries(Lock<HashMap<&'static str, Arc<Slot>>>);

/// Child of one tab for one kind of query.
struct Slot {
    kind: &'static str,
    /// Idle child; the lock is held while a query is answered.
    child: Mutex<Option<Worker>>,
    stop: Notify,
}

struct Worker {
    child: ChildProcess,
    used: Instant,
    _places: (Place, Option<Place>),
}

impl Queries {
    /// Answers a query.
    ///
    /// # Errors
    /// When the query is unknown, has no answer, or is cancelled.
    pub async fn ask(&self, workbench: &Arc<Workbench>, mut question: Value) -> Result<Value, String> {
        let asked = question["ask"].as_str().unwrap_or_default();
        let &(kind, longest) = KINDS.iter().find(|(kind, _)| *kind == asked).ok_or("there is no such question")?;
        let file = question["file"].as_str().ok_or("a question is about a file")?.to_owned();
        let (_, name) = workbench.folder.find(&file)?;
        let (unsaved, version) = workbench.texts.unsaved();
        question["file"] = json!(name);
        question["texts"] = unsaved;
        let slot = Arc::clone(self.slots().entry(kind).or_insert_with(|| workbench.pool.slot(kind)));
        let mut answer = tokio::select! {
            answer = slot.answer(workbench, &question, longest) => answer?,
            () = slot.stop.notified() => return Err("stopped".to_owned()),
        };
        if let Some(error) = answer.get("error") {
            return Err(error.as_str().unwrap_or("no answer").to_owned());
        }
        answer["version"] = json!(version);
        Ok(answer)
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, Arc<Slot>>> {
        self.0.lock().expect("nothing panics while it holds slots")
    }

    /// Ends children that have been idle for long.
    pub fn sweep(&self) {
        for slot in self.slots().values() {
            if let Ok(mut child) = slot.child.try_lock() {
                let _ended = child.take_if(|child| child.used.elapsed() > SIMULATOR_IDLE);
            }
        }
    }

    /// Cancels the queries of one kind, waiting or running, and ends their child.
    pub fn stop(&self, kind: &str) {
        if let Some(slot) = self.slots().get(kind) {
            slot.stop.notify_waiters();
            // A busy child is dropped by its query.
            if let Ok(mut child) = slot.child.try_lock() {
                *child = None;
            }
        }
    }
}

impl Slot {
    async fn answer(&self, workbench: &Arc<Workbench>, question: &Value, longest: Duration) -> Result<Value, String> {
        let late = |_| format!("no answer within {} seconds", longest.as_secs());
        let mut idle = self.child.lock().await;
        // Taken out while it works: a cancelled query drops the child, which kills it.
        let mut worker = match idle.take() {
            Some(worker) => worker,
            None => timeout(longest, Worker::start(workbench, self.kind)).await.map_err(late)??,
        };
        let answer = timeout(longest, worker.answer(question)).await.map_err(late)??;
        worker.used = Instant::now();
        *idle = Some(worker);
        drop(idle);
        workbench.pool.freed.notify_waiters();
        Ok(answer)
    }
}

impl Worker {
    async fn start(workbench: &Arc<Workbench>, kind: &str) -> Result<Worker, String> {
        let places = Pool::place(workbench, kind).await?;
        let mut arguments = vec!["worker".to_owned()];
        if let Some(bytes) = workbench.settings.memory_bytes {
            arguments.push(format!("--memory-limit={bytes}"));
        }
        let child = ChildProcess::start(&workbench.settings.program, workbench.folder.root(), &arguments)?;
        Ok(Worker { child, used: Instant::now(), _places: places })
    }

    async fn answer(&mut self, question: &Value) -> Result<Value, String> {
        let child = &mut self.child;
        if child.send(&format!("{question}\n")).await
            && let Some(line) = child.receive().await
        {
            return serde_json::from_str(&line).map_err(|error| format!("an answer that cannot be read: {error}"));
        }
        let (status, words) = child.end().await;
        let status = status.map_or_else(String::new, |status| status.to_string());
        Err(if words.is_empty() { format!("the process that was to answer ended: {status}") } else { words })
    }
}
