//! Checks: one at a time, each in its own child, with events for every tab.

use crate::Workbench;
use crate::children::ChildProcess;
use crate::outbox::Outbox;
use limits::input::workbench::{MAX_ASSERTIONS, MAX_VERDICT_FILES, MAX_WAITING_CHECKS};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use tokio::sync::{Notify, Semaphore};

/// Default time limit of a check, in seconds.
const USUAL_SECONDS: &str = "600";

/// Checks and their results.
pub struct Runs {
    outboxes: Mutex<Vec<Weak<Outbox>>>,
    turn: Semaphore,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next: u64,
    open: BTreeMap<u64, Open>,
    /// Verdicts by file and number of the assertion, for tabs that connect later.
    known: BTreeMap<String, BTreeMap<u64, Value>>,
}

/// Check that waits or runs.
struct Open {
    file: String,
    /// Assertions that are not decided yet.
    left: BTreeSet<u64>,
    stop: Arc<Notify>,
    is_stopped: bool,
}

/// Request for a check.
#[derive(Clone)]
pub struct Request {
    /// File name of the script.
    pub file: String,
    /// Numbers of the assertions.
    pub indices: Vec<u64>,
    /// Options of `check`, by name.
    pub options: BTreeMap<String, String>,
}

/// Options that a page may set.
const OPTIONS: &[&str] =
    &["time_limit", "memory_limit", "max_states", "engine", "threads", "depth", "reduce", "fairness"];

impl Runs {
    /// No checks and no results.
    pub fn new() -> Runs {
        Runs { outboxes: Mutex::default(), turn: Semaphore::new(1), state: Mutex::default() }
    }

    /// Sends events to a tab from now on, until its outbox is dropped.
    pub fn connect(&self, outbox: &Arc<Outbox>) {
        self.outboxes().push(Arc::downgrade(outbox));
    }

    /// Sends an event to every tab.
    pub fn broadcast(&self, event: &Value) {
        let event: Arc<str> = event.to_string().into();
        self.outboxes().retain(|outbox| match outbox.upgrade() {
            Some(outbox) => {
                outbox.event(&event);
                true
            }
            None => false,
        });
    }

    fn outboxes(&self) -> MutexGuard<'_, Vec<Weak<Outbox>>> {
        self.outboxes.lock().expect("nothing panics while it holds outboxes")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while it holds runs")
    }

    /// Verdicts of a file, and events for the checks in progress.
    pub fn known(&self, file: &str) -> (Vec<Value>, Vec<Value>) {
        let state = self.state();
        let known = state.known.get(file).map(|known| known.values().cloned().collect()).unwrap_or_default();
        let open = state.open.iter().filter(|(_, open)| open.file == file);
        let queued = |(run, open): (&u64, &Open)| json!({ "state": "queued", "run": run, "indices": open.left });
        (known, open.map(queued).collect())
    }

    /// Cancels a check; its verdicts so far remain.
    pub fn cancel(&self, run: u64) {
        if let Some(open) = self.state().open.get_mut(&run) {
            open.is_stopped = true;
            open.stop.notify_one();
        }
    }

    /// Cancels all checks.
    pub fn cancel_all(&self) {
        let runs: Vec<u64> = self.state().open.keys().copied().collect();
        runs.into_iter().for_each(|run| self.cancel(run));
    }

    /// Queues a check, and returns its number.
    ///
    /// # Errors
    /// When too many checks wait already, or an option is unknown.
    pub fn start(workbench: &Arc<Workbench>, request: Request) -> Result<u64, String> {
        let arguments = arguments(workbench, &request)?;
        let runs = &workbench.runs;
        let (unsaved, version) = workbench.texts.unsaved();
        let (run, stop) = {
            let mut state = runs.state();
            if state.open.len() >= MAX_WAITING_CHECKS {
                return Err(format!("{MAX_WAITING_CHECKS} checks wait already: cancel some of them"));
            }
            state.next += 1;
            let (run, stop) = (state.next, Arc::new(Notify::new()));
            let left = request.indices.iter().copied().collect();
            let open = Open { file: request.file.clone(), left, stop: Arc::clone(&stop), is_stopped: false };
            state.open.insert(run, open);
            (run, stop)
        };
        let (file, indices) = (&request.file, &request.indices);
        runs.broadcast(&json!({ "event": "run", "state": "queued", "run": run, "file": file, "indices": indices, "version": version }));
        let workbench = Arc::clone(workbench);
        tokio::spawn(async move {
            let one = Run { workbench: &workbench, run, file: &request.file, version };
            let why = one.work(&arguments, &unsaved, &stop).await;
            one.finish(why);
        });
        Ok(run)
    }
}

fn arguments(workbench: &Workbench, request: &Request) -> Result<Vec<String>, String> {
    if request.indices.is_empty() || request.indices.len() > MAX_ASSERTIONS {
        return Err(format!("a check is about 1 to {MAX_ASSERTIONS} assertions"));
    }
    let mut arguments: Vec<String> =
        ["check", "--format", "ndjson", "--overlay", "-", "--within", ".", "--color", "never"]
            .map(str::to_owned)
            .into();
    let mut options = request.options.clone();
    if !options.contains_key("time_limit") {
        options.insert("time_limit".to_owned(), USUAL_SECONDS.to_owned());
    }
    if let (false, Some(bytes)) = (options.contains_key("memory_limit"), workbench.settings.memory_bytes) {
        options.insert("memory_limit".to_owned(), bytes.to_string());
    }
    for (name, value) in options {
        if !OPTIONS.contains(&name.as_str()) {
            return Err(format!("there is no option {name}"));
        }
        // One argument, so that no value can be taken for another option.
        arguments.push(format!("--{}={value}", name.replace('_', "-")));
    }
    for index in &request.indices {
        arguments.extend(["--assert".to_owned(), index.to_string()]);
    }
    arguments.extend(["--".to_owned(), request.file.clone()]);
    Ok(arguments)
}

/// Reason for the end of a check.
enum RunEnd {
    /// Completed.
    Done,
    /// Cancelled by a tab.
    Cancelled,
    /// The child failed, with its last error message.
    Dead(String),
}

/// Running check.
struct Run<'a> {
    workbench: &'a Workbench,
    run: u64,
    file: &'a str,
    version: u64,
}

impl Run<'_> {
    async fn work(&self, arguments: &[String], unsaved: &Value, stop: &Notify) -> RunEnd {
        let turn = tokio::select! {
            turn = self.workbench.runs.turn.acquire() => turn,
            () = stop.notified() => return RunEnd::Cancelled,
        };
        let Ok(_turn) = turn else { return RunEnd::Cancelled };
        let Workbench { settings, folder, .. } = self.workbench;
        let mut child = match ChildProcess::start(&settings.program, folder.root(), arguments) {
            Ok(child) => child,
            Err(why) => return RunEnd::Dead(why),
        };
        self.report(json!({ "state": "child", "process": child.id() }));
        if !child.send(&unsaved.to_string()).await {
            let (_, words) = child.end().await;
            return RunEnd::Dead(words);
        }
        child.close();
        loop {
            tokio::select! {
                line = child.receive() => match line {
                    Some(line) => self.pass(&line),
                    None => break,
                },
                () = stop.notified() => {
                    child.kill().await;
                    return RunEnd::Cancelled;
                }
            }
        }
        let (status, words) = child.end().await;
        let has_completed = status.is_some_and(|status| matches!(status.code(), Some(0..=3)));
        if has_completed && (self.is_answered() || words.is_empty()) {
            return RunEnd::Done;
        }
        let status = status.map_or_else(|| "it is gone".to_owned(), |status| status.to_string());
        RunEnd::Dead(if words.is_empty() { status } else { format!("{words}\n({status})") })
    }

    /// Forwards a line of the child to the tabs.
    fn pass(&self, line: &str) {
        let Ok(mut event) = serde_json::from_str::<Value>(line) else { return };
        let index = event["index"].as_u64().unwrap_or(0);
        match event["event"].as_str() {
            Some("started") => self.report(json!({ "state": "started", "index": index })),
            Some("progress") => self.report(json!({ "state": "progress", "index": index, "progress": event })),
            Some("verdict") => {
                if let Some(fields) = event.as_object_mut() {
                    fields.remove("event");
                }
                self.keep(index, &event);
                self.report(json!({ "state": "verdict", "index": index, "answer": event }));
            }
            _ => {}
        }
    }

    fn keep(&self, index: u64, answer: &Value) {
        let mut state = self.workbench.runs.state();
        if let Some(open) = state.open.get_mut(&self.run) {
            open.left.remove(&index);
        }
        if state.known.len() >= MAX_VERDICT_FILES && !state.known.contains_key(self.file) {
            state.known.clear();
        }
        let known = state.known.entry(self.file.to_owned()).or_default();
        known.insert(index, json!({ "answer": answer, "version": self.version }));
    }

    fn is_answered(&self) -> bool {
        self.workbench.runs.state().open.get(&self.run).is_none_or(|open| open.left.is_empty())
    }

    fn report(&self, mut event: Value) {
        event["event"] = json!("run");
        event["run"] = json!(self.run);
        event["file"] = json!(self.file);
        event["version"] = json!(self.version);
        self.workbench.runs.broadcast(&event);
    }

    fn finish(&self, over: RunEnd) {
        let open = self.workbench.runs.state().open.remove(&self.run);
        let is_cancelled = matches!(over, RunEnd::Cancelled) || open.as_ref().is_some_and(|open| open.is_stopped);
        let message = match over {
            RunEnd::Dead(words) if !is_cancelled => Some(words),
            _ => None,
        };
        let left = open.map(|open| open.left).unwrap_or_default();
        self.report(json!({ "state": "done", "left": left, "cancelled": is_cancelled, "message": message }));
    }
}
