//! Connection of one browser tab: requests with responses, and events.

use crate::Workbench;
use crate::connections::Visitor;
use crate::outbox::Outbox;
use crate::queries::Queries;
use crate::runs::{Request, Runs};
use crate::texts::Refusal;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use limits::input::workbench::{ABANDONED, MAX_BODY, MAX_QUESTIONS, MAX_TABS, STALL};
use limits::intervals::clocks::SWEEP;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Opens a socket, if the limit on tabs permits.
pub async fn open(
    State(workbench): State<Arc<Workbench>>,
    ConnectInfo(visitor): ConnectInfo<Visitor>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(place) = Place::take(&workbench) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many tabs are connected").into_response();
    };
    let upgrade = upgrade.max_message_size(MAX_BODY).max_frame_size(MAX_BODY).protocols(["tracehound"]);
    visitor.stay();
    upgrade.on_upgrade(move |socket| Tab::new(place).talk(socket))
}

/// Place among the tabs, freed when it is dropped.
struct Place(Arc<Workbench>);

impl Place {
    fn take(workbench: &Arc<Workbench>) -> Option<Place> {
        if workbench.n_sockets.fetch_add(1, Ordering::Relaxed) >= MAX_TABS {
            workbench.n_sockets.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        workbench.n_arrived.fetch_add(1, Ordering::Relaxed);
        workbench.opened();
        Some(Place(Arc::clone(workbench)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.0.n_sockets.fetch_sub(1, Ordering::Relaxed) > 1 {
            return;
        }
        let workbench = Arc::clone(&self.0);
        let n_arrived = workbench.n_arrived.load(Ordering::Relaxed);
        tokio::spawn(async move {
            tokio::time::sleep(ABANDONED).await;
            // A tab that connected and disconnected meanwhile may reconnect, too.
            let is_last = workbench.n_arrived.load(Ordering::Relaxed) == n_arrived;
            if is_last && workbench.n_sockets.load(Ordering::Relaxed) == 0 {
                workbench.runs.cancel_all();
            }
        });
    }
}

/// Connected tab.
struct Tab {
    place: Place,
    queries: Queries,
    questions: Arc<Semaphore>,
    number: u64,
    outbox: Arc<Outbox>,
}

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Tab {
    fn new(place: Place) -> Arc<Tab> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (outbox, questions) = (Arc::new(Outbox::new(number)), Arc::new(Semaphore::new(MAX_QUESTIONS)));
        Arc::new(Tab { place, queries: Queries::default(), questions, number, outbox })
    }

    fn workbench(&self) -> &Arc<Workbench> {
        &self.place.0
    }

    /// Serves the tab until it disconnects; pending requests are then dropped with their children.
    async fn talk(self: Arc<Tab>, mut socket: WebSocket) {
        self.workbench().runs.connect(&self.outbox);
        let mut answering = JoinSet::new();
        let mut sweeping = tokio::time::interval(SWEEP);
        loop {
            tokio::select! {
                message = socket.recv(), if self.outbox.has_room() => match message {
                    Some(Ok(Message::Text(text))) => self.take(text.as_str(), &mut answering),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                    Some(Ok(_)) => {}
                },
                out = self.outbox.next() => {
                    let sent = timeout(STALL, socket.send(Message::Text(out.into()))).await;
                    if !matches!(sent, Ok(Ok(()))) {
                        break;
                    }
                }
                Some(_) = answering.join_next() => {}
                _ = sweeping.tick() => self.queries.sweep(),
            }
        }
    }

    /// Handles a message; slow requests are answered by a task.
    fn take(self: &Arc<Tab>, text: &str, answering: &mut JoinSet<()>) {
        let Ok(message) = serde_json::from_str::<Value>(text) else { return };
        let id = message["id"].clone();
        let Ok(permit) = Arc::clone(&self.questions).try_acquire_owned() else {
            let busy = json!({ "id": id, "error": { "message": "too many questions at once" } });
            self.outbox.answer(busy.to_string());
            return;
        };
        let tab = Arc::clone(self);
        answering.spawn(async move {
            let _permit = permit;
            tab.outbox.room().await;
            let method = message["method"].as_str().unwrap_or_default();
            let answer = match tab.answer(method, message["params"].clone()).await {
                Ok(result) => json!({ "id": id, "result": result }),
                Err(Refusal(error)) => json!({ "id": id, "error": error }),
            };
            tab.outbox.answer(answer.to_string());
        });
    }

    async fn answer(&self, method: &str, params: Value) -> Result<Value, Refusal> {
        let workbench = self.workbench();
        let file = || params["file"].as_str().ok_or_else(|| Refusal::from("which file?".to_owned()));
        match method {
            "folder" => Ok(self.folder()),
            "open" => {
                let mut opened = workbench.texts.open(&workbench.folder, file()?)?;
                let (answers, running) = workbench.runs.known(opened["file"].as_str().unwrap_or_default());
                opened["answers"] = json!(answers);
                opened["running"] = json!(running);
                Ok(opened)
            }
            "edit" => self.edit(file()?, &params),
            "save" => {
                if workbench.settings.is_read_only {
                    return Err("the server was started with --read-only: nothing is written".to_owned().into());
                }
                let file = file()?;
                workbench.texts.save(&workbench.folder, file, params["force"].as_bool().unwrap_or(false))?;
                workbench.runs.broadcast(&json!({ "event": "saved", "file": file }));
                Ok(json!({}))
            }
            "check" => self.check(file()?, &params),
            "cancel" => {
                workbench.runs.cancel(params["run"].as_u64().unwrap_or(0));
                Ok(json!({}))
            }
            "stop" => {
                self.queries.stop(params["ask"].as_str().unwrap_or_default());
                Ok(json!({}))
            }
            "query" => Ok(self.queries.ask(workbench, params).await?),
            _ => Err(format!("there is no method {method}").into()),
        }
    }

    fn folder(&self) -> Value {
        let workbench = self.workbench();
        let mut answer = json!(workbench.folder.list());
        answer["name"] = json!(workbench.folder.name());
        answer["read_only"] = json!(workbench.settings.is_read_only);
        answer["start"] = json!(workbench.settings.start);
        answer["version"] = json!(workbench.settings.version);
        answer
    }

    fn edit(&self, file: &str, params: &Value) -> Result<Value, Refusal> {
        let workbench = self.workbench();
        let text = params["text"].as_str().ok_or_else(|| "which text?".to_owned())?;
        let version = workbench.texts.edit(file, params["base"].as_u64().unwrap_or(0), text.to_owned())?;
        let event = json!({ "by": self.number, "event": "text", "file": file, "text": text, "version": version, "saved": false });
        workbench.runs.broadcast(&event);
        Ok(json!({ "version": version }))
    }

    fn check(&self, file: &str, params: &Value) -> Result<Value, Refusal> {
        let (_, name) = self.workbench().folder.find(file)?;
        let indices = params["indices"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        let options = params["options"].as_object().into_iter().flatten();
        let options = options.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect();
        let run = Runs::start(self.workbench(), Request { file: name, indices, options })?;
        Ok(json!({ "run": run }))
    }
}
