//! Questions about scripts, answered by children that are kept for the next question.

use crate::Workbench;
use crate::children::Talker;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// Simulators hold what they have met: not more than so many at once, and none that nobody has used for so long.
const MOST_SIMULATORS: usize = 8;
const LONGEST_IDLE: Duration = Duration::from_secs(30 * 60);

/// The kinds of questions, each with a child of its own in each tab, and how long an answer may take.
const KINDS: &[(&str, Duration)] = &[
    ("outline", Duration::from_secs(20)),
    ("definition", Duration::from_secs(20)),
    ("simulate", Duration::from_secs(30)),
    ("graph", Duration::from_secs(60)),
    ("structure", Duration::from_secs(60)),
    ("compare", Duration::from_secs(60)),
];

/// The children of one tab.
#[derive(Default)]
pub struct Queries(Mutex<HashMap<&'static str, Arc<Mutex<Slot>>>>);

#[derive(Default)]
struct Slot {
    child: Option<Talker>,
    used: Option<Instant>,
    simulator: Option<Place>,
}

/// A place among the simulators, given back when it is dropped.
struct Place(Arc<Workbench>);

impl Place {
    fn take(workbench: &Arc<Workbench>) -> Result<Place, String> {
        let count: &AtomicUsize = &workbench.n_simulators;
        if count.fetch_add(1, Ordering::Relaxed) >= MOST_SIMULATORS {
            count.fetch_sub(1, Ordering::Relaxed);
            return Err(format!("{MOST_SIMULATORS} simulators are open: close one of their tabs"));
        }
        Ok(Place(Arc::clone(workbench)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.n_simulators.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Queries {
    /// Asks a question.
    ///
    /// # Errors
    /// When there is no such question, or no answer.
    pub async fn ask(&self, workbench: &Arc<Workbench>, mut question: Value) -> Result<Value, String> {
        let asked = question["ask"].as_str().unwrap_or_default();
        let &(kind, longest) = KINDS.iter().find(|(kind, _)| *kind == asked).ok_or("there is no such question")?;
        let file = question["file"].as_str().ok_or("a question is about a file")?.to_owned();
        let (_, name) = workbench.folder.find(&file)?;
        let (unsaved, version) = workbench.texts.unsaved();
        question["file"] = json!(name);
        question["texts"] = unsaved;
        let slot = Arc::clone(self.0.lock().await.entry(kind).or_default());
        let mut slot = slot.lock().await;
        if slot.child.is_none() {
            slot.start(workbench, kind)?;
        }
        let answer = timeout(longest, slot.answer(&question)).await;
        let Ok(answer) = answer else {
            slot.end();
            return Err(format!("no answer within {} seconds", longest.as_secs()));
        };
        let mut answer = match answer {
            Ok(answer) => answer,
            Err(why) => {
                slot.end();
                return Err(why);
            }
        };
        if let Some(error) = answer.get("error") {
            return Err(error.as_str().unwrap_or("no answer").to_owned());
        }
        answer["version"] = json!(version);
        Ok(answer)
    }

    /// Ends what nobody has used for long.
    pub async fn sweep(&self) {
        for slot in self.0.lock().await.values() {
            if let Ok(mut slot) = slot.try_lock()
                && slot.used.is_some_and(|used| used.elapsed() > LONGEST_IDLE)
            {
                slot.end();
            }
        }
    }

    /// Ends the child that answers one kind of question.
    pub async fn stop(&self, kind: &str) {
        let slot = self.0.lock().await.remove(kind);
        drop(slot);
    }
}

impl Slot {
    fn start(&mut self, workbench: &Arc<Workbench>, kind: &str) -> Result<(), String> {
        if kind == "simulate" {
            self.simulator = Some(Place::take(workbench)?);
        }
        let mut arguments = vec!["worker".to_owned()];
        if let Some(bytes) = workbench.settings.memory_bytes {
            arguments.push(format!("--memory-limit={bytes}"));
        }
        self.child = Some(Talker::start(&workbench.settings.program, workbench.folder.root(), &arguments)?);
        Ok(())
    }

    fn end(&mut self) {
        // Dropping kills.
        *self = Slot::default();
    }

    async fn answer(&mut self, question: &Value) -> Result<Value, String> {
        self.used = Some(Instant::now());
        let child = self.child.as_mut().ok_or("there is nobody to ask")?;
        if child.say(&format!("{question}\n")).await
            && let Some(line) = child.hear().await
        {
            return serde_json::from_str(&line).map_err(|error| format!("an answer that cannot be read: {error}"));
        }
        let (status, words) = child.end().await;
        let status = status.map_or_else(String::new, |status| status.to_string());
        Err(if words.is_empty() { format!("the process that was to answer ended: {status}") } else { words })
    }
}
