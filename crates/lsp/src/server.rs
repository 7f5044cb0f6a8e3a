//! Messages in order, on one thread.

use crate::checks::Checks;
use crate::place::{Encoding, Position};
use crate::scripts::{Script, Scripts};
use crate::texts::Texts;
use crate::uri::path_of;
use crate::{
    Told, World, actions, complete, folding, highlight, hover, layout, navigate, outline, problems, rename, signature,
    transport,
};
use crossbeam_channel::{Receiver, Sender, select_biased, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, Write};
use std::rc::Rc;

/// What went wrong with a request.
pub struct Refused(pub ErrorCode, pub String);

impl Refused {
    /// What was asked for cannot be done.
    pub fn because(why: impl Into<String>) -> Refused {
        Refused(ErrorCode::RequestFailed, why.into())
    }
}

/// The answer to a request.
pub type Answer = Result<Value, Refused>;

/// What an editor can do.
#[derive(Clone, Copy, Default, Debug)]
pub struct Abilities {
    pub refreshes_lenses: bool,
    pub shows_progress: bool,
    pub watches_files: bool,
}

/// All there is.
pub struct Server<'w> {
    pub texts: Texts<'w>,
    pub scripts: Scripts,
    pub checks: Checks,
    pub encoding: Encoding,
    pub abilities: Abilities,
    sender: Sender<Message>,
    /// Paths whose problems may have changed.
    pub dirty: BTreeSet<String>,
    /// Paths that problems were told of.
    pub told: BTreeSet<String>,
    next_request: i32,
    is_shut_down: bool,
}

/// Serves over two streams, as a rule standard input and output; `spawn` starts a thread for a task.
///
/// # Errors
/// When the editor does not keep to the order of messages, or leaves without `exit`.
pub fn serve_streams(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    spawn: impl Fn(transport::Task),
    world: &dyn World,
) -> Result<(), String> {
    let (connection, streams) = transport::connect(input, output, spawn);
    let served = serve(connection, world);
    // After an error the other side may keep its stream open.
    streams.join(served.is_ok());
    served
}

/// Serves until the other side says it is enough.
///
/// # Errors
/// When it does not keep to the protocol, or leaves without a word.
pub fn serve(connection: Connection, world: &dyn World) -> Result<(), String> {
    let (id, params) = connection.initialize_start().map_err(|error| error.to_string())?;
    let encoding = encoding_of(&params);
    let answer = json!({
        "capabilities": capabilities(encoding),
        "serverInfo": { "name": "tracehound", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer).map_err(|error| error.to_string())?;
    let (sink, events) = unbounded();
    let has = |path: &str| params.pointer(path).and_then(Value::as_bool).unwrap_or(false);
    let abilities = Abilities {
        refreshes_lenses: has("/capabilities/workspace/codeLens/refreshSupport"),
        shows_progress: has("/capabilities/window/workDoneProgress"),
        watches_files: has("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
    };
    let server = Server {
        texts: Texts::new(world),
        scripts: Scripts::new(folders_of(&params)),
        checks: Checks::new(sink),
        encoding,
        abilities,
        sender: connection.sender.clone(),
        dirty: BTreeSet::new(),
        told: BTreeSet::new(),
        next_request: 0,
        is_shut_down: false,
    };
    server.run(&connection.receiver, &events)
}

fn encoding_of(params: &Value) -> Encoding {
    let offered = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let has_utf8 = offered.is_some_and(|offered| offered.iter().any(|one| one == "utf-8"));
    if has_utf8 { Encoding::Utf8 } else { Encoding::Utf16 }
}

fn folders_of(params: &Value) -> Vec<String> {
    let folders = params["workspaceFolders"].as_array().into_iter().flatten();
    let folders: Vec<String> = folders.filter_map(|folder| folder["uri"].as_str()).map(path_of).collect();
    let root = || params["rootUri"].as_str().map(path_of).into_iter().collect();
    if folders.is_empty() { root() } else { folders }
}

fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": if encoding == Encoding::Utf8 { "utf-8" } else { "utf-16" },
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": [".", "?", "!", "["] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": {},
        "executeCommandProvider": { "commands": ["tracehound.check", "tracehound.checkAll", "tracehound.cancel"] },
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "semanticTokensProvider": { "legend": highlight::legend(), "full": true, "range": true },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    })
}

impl<'w> Server<'w> {
    fn run(mut self, messages: &Receiver<Message>, events: &Receiver<Told>) -> Result<(), String> {
        if self.abilities.watches_files {
            self.watch_files();
        }
        let mut waiting: VecDeque<Message> = VecDeque::new();
        loop {
            // Everything that has come is known before anything is done: what was cancelled is not begun.
            while let Ok(message) = messages.try_recv() {
                self.enqueue(&mut waiting, message);
            }
            if let Some(message) = waiting.pop_front() {
                if let Message::Notification(notification) = &message
                    && notification.method == "exit"
                {
                    self.checks.stop_all();
                    return if self.is_shut_down { Ok(()) } else { Err("the editor left without a word".to_owned()) };
                }
                self.handle(message);
                continue;
            }
            if !self.dirty.is_empty() {
                self.tell_problems();
                continue;
            }
            select_biased! {
                recv(messages) -> message => match message {
                    Ok(message) => self.enqueue(&mut waiting, message),
                    Err(_) => {
                        self.checks.stop_all();
                        return if self.is_shut_down { Ok(()) } else { Err("the editor is gone".to_owned()) };
                    }
                },
                recv(events) -> told => if let Ok(told) = told { self.hear(&told) },
            }
        }
    }

    /// Puts a message behind the others, or takes away the one that it cancels.
    fn enqueue(&mut self, waiting: &mut VecDeque<Message>, message: Message) {
        let Message::Notification(Notification { method, params }) = &message else {
            waiting.push_back(message);
            return;
        };
        if method != "$/cancelRequest" {
            waiting.push_back(message);
            return;
        }
        let Ok(id) = serde_json::from_value::<RequestId>(params["id"].clone()) else { return };
        let is_meant = |message: &Message| matches!(message, Message::Request(request) if request.id == id);
        if let Some(at) = waiting.iter().position(is_meant) {
            waiting.remove(at);
            self.refuse(id, Refused(ErrorCode::RequestCanceled, "cancelled".to_owned()));
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Request(request) => {
                let (id, answer) = (request.id.clone(), self.answer(request));
                match answer {
                    Ok(value) => self.send(Message::Response(Response::new_ok(id, value))),
                    Err(refused) => self.refuse(id, refused),
                }
            }
            Message::Notification(notification) => self.note(notification),
            // Nothing is asked of an editor whose answer would matter.
            Message::Response(_) => {}
        }
    }

    fn refuse(&self, id: RequestId, Refused(code, why): Refused) {
        self.send(Message::Response(Response::new_err(id, code as i32, why)));
    }

    pub fn send(&self, message: Message) {
        // If nobody listens, the end comes as soon as messages are read.
        let _ = self.sender.send(message);
    }

    /// Tells something.
    pub fn notify(&self, method: &str, params: Value) {
        self.send(Message::Notification(Notification::new(method.to_owned(), params)));
    }

    /// Asks for something whose answer does not matter.
    pub fn ask(&mut self, method: &str, params: Value) {
        self.next_request += 1;
        let id = RequestId::from(self.next_request);
        self.send(Message::Request(Request::new(id, method.to_owned(), params)));
    }

    fn watch_files(&mut self) {
        let endings = analysis::script_endings().join(",");
        let watchers = json!([{ "globPattern": format!("**/*.{{{endings}}}") }]);
        let registration = json!({
            "id": "files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": watchers },
        });
        self.ask("client/registerCapability", json!({ "registrations": [registration] }));
    }

    fn note(&mut self, Notification { method, params }: Notification) {
        let document = &params["textDocument"];
        let path = path_of(document["uri"].as_str().unwrap_or_default());
        let version = document["version"].as_i64().unwrap_or(0);
        match method.as_str() {
            "textDocument/didOpen" => {
                let text = document["text"].as_str().unwrap_or_default().to_owned();
                self.texts.open(&path, text, version);
                self.changed(&path);
            }
            "textDocument/didChange" => {
                if let Ok(changes) = serde_json::from_value(params["contentChanges"].clone()) {
                    self.texts.change(&path, changes, version, self.encoding);
                    self.changed(&path);
                }
            }
            "textDocument/didClose" => {
                self.texts.close(&path);
                self.changed(&path);
            }
            "workspace/didChangeWatchedFiles" => {
                self.scripts.forget();
                self.dirty.extend(self.texts.all().keys().cloned());
            }
            "workspace/didChangeWorkspaceFolders" => {
                let paths = |value: &Value| -> Vec<String> {
                    let folders = value.as_array().into_iter().flatten();
                    folders.filter_map(|folder| folder["uri"].as_str()).map(path_of).collect()
                };
                self.scripts.set_folders(paths(&params["event"]["added"]), &paths(&params["event"]["removed"]));
                self.dirty.extend(self.texts.all().keys().cloned());
            }
            "window/workDoneProgress/cancel" => {
                if let Some(number) = params["token"].as_str().and_then(crate::checks::number_of_token) {
                    self.stop_check(number);
                }
            }
            // What else editors tell does not matter.
            _ => {}
        }
    }

    fn changed(&mut self, path: &str) {
        let affected = self.scripts.changed(&self.texts, path);
        self.dirty.extend(affected);
        self.dirty.insert(path.to_owned());
    }

    /// The script that answers about the text that a request names, the number of the text in it, and the place as an offset there.
    pub fn asked(&mut self, params: &Value) -> Result<Asked, Refused> {
        let uri = params["textDocument"]["uri"].as_str();
        let uri = uri.ok_or_else(|| Refused(ErrorCode::InvalidParams, "which text?".to_owned()))?;
        let path = path_of(uri);
        let (script, file) = self.scripts.first(&self.texts, &path);
        let position = serde_json::from_value::<Position>(params["position"].clone()).ok();
        let text = script.text(file);
        let local = position.map_or(0, |at| script.lines(file).offset(&text.text, at, self.encoding));
        let offset = text.start + local as u32;
        Ok(Asked { path, script, file, local, offset })
    }

    fn answer(&mut self, Request { method, params, .. }: Request) -> Answer {
        match method.as_str() {
            "shutdown" => {
                self.is_shut_down = true;
                self.checks.stop_all();
                Ok(Value::Null)
            }
            "textDocument/hover" => hover::hover(self, &params),
            "textDocument/definition" => navigate::definition(self, &params),
            "textDocument/references" => navigate::references(self, &params),
            "textDocument/documentHighlight" => navigate::highlights(self, &params),
            "textDocument/documentSymbol" => outline::symbols(self, &params),
            "workspace/symbol" => Ok(outline::workspace_symbols(self, &params)),
            "textDocument/foldingRange" => folding::folds(self, &params),
            "textDocument/prepareRename" => rename::prepare(self, &params),
            "textDocument/rename" => rename::rename(self, &params),
            "textDocument/completion" => complete::complete(self, &params),
            "textDocument/signatureHelp" => signature::help(self, &params),
            "textDocument/codeAction" => actions::actions(self, &params),
            "textDocument/codeLens" => self.lenses(&params),
            "workspace/executeCommand" => self.execute(&params),
            "textDocument/formatting" => layout::format(self, &params, false),
            "textDocument/rangeFormatting" => layout::format(self, &params, true),
            "textDocument/semanticTokens/full" => highlight::tokens(self, &params, false),
            "textDocument/semanticTokens/range" => highlight::tokens(self, &params, true),
            _ => Err(Refused(ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
        }
    }

    /// Tells the problems of everything that may have changed.
    fn tell_problems(&mut self) {
        let dirty = std::mem::take(&mut self.dirty);
        problems::tell(self, &dirty);
    }
}

/// What a request is about.
pub struct Asked {
    pub path: String,
    pub script: Rc<Script>,
    pub file: usize,
    /// The place in the text.
    pub local: usize,
    /// The place in the script.
    pub offset: u32,
}
