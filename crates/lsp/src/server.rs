//! Message loop, on one thread.

use crate::checks::Checks;
use crate::place::Encoding;
use crate::scripts::{Script, Scripts};
use crate::texts::{Change, Texts};
use crate::uri::path_of;
use crate::{
    CheckEvent, World, actions, complete, folding, highlight, hover, layout, navigate, outline, problems, rename,
    signature, transport,
};
use crossbeam_channel::{Receiver, Sender, select_biased, unbounded};
use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeLensOptions, CompletionOptions, DidChangeWatchedFilesRegistrationOptions,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandOptions,
    FileSystemWatcher, GlobPattern, InitializeResult, PositionEncodingKind, ProgressToken, Range, Registration,
    RegistrationParams, RenameOptions, SemanticTokensOptions, ServerCapabilities, ServerInfo, SignatureHelpOptions,
    TextDocumentIdentifier, TextDocumentPositionParams, TextDocumentSyncKind, TextDocumentSyncOptions,
    VersionedTextDocumentIdentifier, WorkDoneProgressCancelParams, WorkspaceFolder, WorkspaceFoldersServerCapabilities,
    WorkspaceOptions,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, Write};
use std::rc::Rc;

/// Error response to a request.
pub struct Refused(pub ErrorCode, pub String);

impl Refused {
    /// Error for a request that cannot be fulfilled.
    pub fn because(why: impl Into<String>) -> Refused {
        Refused(ErrorCode::RequestFailed, why.into())
    }
}

/// Result of a request.
pub type Answer<T> = Result<T, Refused>;

/// Capabilities of the editor.
#[derive(Clone, Copy, Default, Debug)]
pub struct Abilities {
    pub refreshes_lenses: bool,
    pub shows_progress: bool,
    pub watches_files: bool,
}

/// State of the server.
pub struct Server<'w> {
    pub texts: Texts<'w>,
    pub scripts: Scripts,
    pub checks: Checks,
    pub encoding: Encoding,
    pub abilities: Abilities,
    sender: Sender<Message>,
    /// Paths whose diagnostics may have changed.
    pub dirty: BTreeSet<String>,
    /// Paths with published diagnostics.
    pub published: BTreeSet<String>,
    next_request: i32,
    is_shut_down: bool,
}

/// Serves over two streams, usually standard input and output; `spawn` starts a thread for a task.
///
/// # Errors
/// When the editor violates the order of messages, or ends without `exit`.
pub fn serve_streams(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    spawn: impl Fn(transport::Task),
    world: &dyn World,
) -> Result<(), String> {
    let (connection, streams) = transport::connect(input, output, spawn);
    let served = serve(connection, world);
    // After an error the editor may keep its stream open.
    streams.join(served.is_ok());
    served
}

/// Serves until `exit`.
///
/// # Errors
/// When the editor violates the protocol, or ends without `exit`.
pub fn serve(connection: Connection, world: &dyn World) -> Result<(), String> {
    let (id, params) = connection.initialize_start().map_err(|error| error.to_string())?;
    let encoding = encoding_of(&params);
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    let server_info = Some(ServerInfo { name: "tracehound".to_owned(), version });
    let answer = InitializeResult { capabilities: capabilities(encoding), server_info };
    let answer = serde_json::to_value(answer).map_err(|error| error.to_string())?;
    connection.initialize_finish(id, answer).map_err(|error| error.to_string())?;
    // Capabilities are read leniently: an unknown or malformed one must not prevent initialization.
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
        published: BTreeSet::new(),
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
    let folders: Vec<String> =
        folders.filter_map(|folder| folder["uri"].as_str()).map(|uri| path_of(&uri.into())).collect();
    let root = || params["rootUri"].as_str().map(|uri| path_of(&uri.into())).into_iter().collect();
    if folders.is_empty() { root() } else { folders }
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(true.into()),
        ..Default::default()
    };
    let tokens = SemanticTokensOptions {
        legend: highlight::legend(),
        full: Some(true.into()),
        range: Some(true.into()),
        ..Default::default()
    };
    let folders = WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(true.into()) };
    ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(sync.into()),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        rename_provider: Some(RenameOptions { prepare_provider: Some(true), ..Default::default() }.into()),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(owned(&[".", "?", "!", "["])),
            ..Default::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(owned(&["(", ","])),
            ..Default::default()
        }),
        code_action_provider: Some(
            CodeActionOptions { code_action_kinds: Some(vec![CodeActionKind::QuickFix]), ..Default::default() }.into(),
        ),
        code_lens_provider: Some(CodeLensOptions::default()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: owned(&["tracehound.check", "tracehound.checkAll", "tracehound.cancel"]),
            ..Default::default()
        }),
        document_formatting_provider: Some(true.into()),
        document_range_formatting_provider: Some(true.into()),
        semantic_tokens_provider: Some(tokens.into()),
        workspace: Some(WorkspaceOptions { workspace_folders: Some(folders), ..Default::default() }),
        ..Default::default()
    }
}

/// Parameters of requests about a text: its identifier and an optional range; options are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InText {
    pub text_document: TextDocumentIdentifier,
    pub range: Option<Range>,
}

/// Parameters of `textDocument/didChange`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    text_document: VersionedTextDocumentIdentifier,
    content_changes: Vec<Change>,
}

impl<'w> Server<'w> {
    fn run(mut self, messages: &Receiver<Message>, events: &Receiver<CheckEvent>) -> Result<(), String> {
        if self.abilities.watches_files {
            self.watch_files();
        }
        let mut waiting: VecDeque<Message> = VecDeque::new();
        loop {
            // All pending messages are read first, so that cancelled requests are never started.
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
                self.publish_problems();
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
                recv(events) -> event => if let Ok(event) = event { self.handle_event(&event) },
            }
        }
    }

    /// Appends a message to the queue, or removes the request that it cancels.
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
            // The server sends no requests whose responses matter.
            Message::Response(_) => {}
        }
    }

    fn refuse(&self, id: RequestId, Refused(code, why): Refused) {
        self.send(Message::Response(Response::new_err(id, code as i32, why)));
    }

    pub fn send(&self, message: Message) {
        // If the editor is gone, the loop ends at the next read.
        let _ = self.sender.send(message);
    }

    /// Sends a notification.
    pub fn notify(&self, method: &str, params: impl Serialize) {
        self.send(Message::Notification(Notification::new(method.to_owned(), params)));
    }

    /// Sends a request whose response is ignored.
    pub fn ask(&mut self, method: &str, params: impl Serialize) {
        self.next_request += 1;
        let id = RequestId::from(self.next_request);
        self.send(Message::Request(Request::new(id, method.to_owned(), params)));
    }

    fn watch_files(&mut self) {
        let endings = analysis::script_endings().join(",");
        let glob_pattern = GlobPattern::Pattern(format!("**/*.{{{endings}}}"));
        let watchers = vec![FileSystemWatcher { glob_pattern, kind: None }];
        let options = serde_json::to_value(DidChangeWatchedFilesRegistrationOptions { watchers }).ok();
        let method = "workspace/didChangeWatchedFiles".to_owned();
        let registration = Registration { id: "files".to_owned(), method, register_options: options };
        self.ask("client/registerCapability", RegistrationParams { registrations: vec![registration] });
    }

    /// Handles a notification. Malformed parameters are ignored: a notification has no response.
    fn note(&mut self, Notification { method, params }: Notification) {
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(DidOpenTextDocumentParams { text_document: opened }) = serde_json::from_value(params) {
                    let path = path_of(&opened.uri);
                    self.texts.open(&path, opened.text, opened.version);
                    self.changed(&path);
                }
            }
            "textDocument/didChange" => {
                if let Ok(Changed { text_document, content_changes }) = serde_json::from_value(params) {
                    let path = path_of(&text_document.text_document_identifier.uri);
                    self.texts.change(&path, content_changes, text_document.version, self.encoding);
                    self.changed(&path);
                }
            }
            "textDocument/didClose" => {
                if let Ok(DidCloseTextDocumentParams { text_document: closed }) = serde_json::from_value(params) {
                    let path = path_of(&closed.uri);
                    self.texts.close(&path);
                    self.changed(&path);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                self.scripts.forget();
                self.dirty.extend(self.texts.all().keys().cloned());
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(DidChangeWorkspaceFoldersParams { event }) = serde_json::from_value(params) {
                    let paths = |folders: Vec<WorkspaceFolder>| -> Vec<String> {
                        folders.iter().map(|folder| path_of(&folder.uri)).collect()
                    };
                    self.scripts.set_folders(paths(event.added), &paths(event.removed));
                    self.dirty.extend(self.texts.all().keys().cloned());
                }
            }
            "window/workDoneProgress/cancel" => {
                if let Ok(WorkDoneProgressCancelParams { token: ProgressToken::String(token) }) =
                    serde_json::from_value(params)
                    && let Some(number) = crate::checks::number_of_token(&token)
                {
                    self.stop_check(number);
                }
            }
            // Other notifications are irrelevant.
            _ => {}
        }
    }

    fn changed(&mut self, path: &str) {
        let affected = self.scripts.changed(&self.texts, path);
        self.dirty.extend(affected);
        self.dirty.insert(path.to_owned());
    }

    /// Script for the text that a request names, the number of the text in it, and the offset of the position.
    pub fn target(&mut self, at: &TextDocumentPositionParams) -> Target {
        let target = self.text_target(&at.text_document);
        let text = target.script.text(target.file);
        let local = target.script.lines(target.file).offset(&text.text, at.position, self.encoding);
        let offset = text.start + local as u32;
        Target { local, offset, ..target }
    }

    /// Query at the beginning of a text.
    pub fn text_target(&mut self, document: &TextDocumentIdentifier) -> Target {
        let path = path_of(&document.uri);
        let (script, file) = self.scripts.first(&self.texts, &path);
        let offset = script.text(file).start;
        Target { path, script, file, local: 0, offset }
    }

    fn answer(&mut self, Request { method, params, .. }: Request) -> Answer<Value> {
        match method.as_str() {
            "shutdown" => {
                self.is_shut_down = true;
                self.checks.stop_all();
                Ok(Value::Null)
            }
            "textDocument/hover" => self.call(params, hover::hover),
            "textDocument/definition" => self.call(params, navigate::definition),
            "textDocument/references" => self.call(params, navigate::references),
            "textDocument/documentHighlight" => self.call(params, navigate::highlights),
            "textDocument/documentSymbol" => self.call(params, outline::symbols),
            "workspace/symbol" => self.call(params, outline::workspace_symbols),
            "textDocument/foldingRange" => self.call(params, folding::folds),
            "textDocument/prepareRename" => self.call(params, rename::prepare),
            "textDocument/rename" => self.call(params, rename::rename),
            "textDocument/completion" => self.call(params, complete::complete),
            "textDocument/signatureHelp" => self.call(params, signature::help),
            "textDocument/codeAction" => self.call(params, actions::actions),
            "textDocument/codeLens" => self.call(params, Server::lenses),
            "workspace/executeCommand" => self.call(params, Server::execute),
            "textDocument/formatting" => self.call(params, layout::format),
            "textDocument/rangeFormatting" => self.call(params, layout::format),
            "textDocument/semanticTokens/full" => self.call(params, highlight::tokens),
            "textDocument/semanticTokens/range" => self.call(params, highlight::tokens),
            _ => Err(Refused(ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
        }
    }

    /// Reads the parameters of a request, handles it, and serializes the result.
    fn call<P: DeserializeOwned, T: Serialize>(
        &mut self,
        params: Value,
        handler: impl FnOnce(&mut Server<'w>, P) -> Answer<T>,
    ) -> Answer<Value> {
        let params = serde_json::from_value(params);
        let params = params.map_err(|error| Refused(ErrorCode::InvalidParams, error.to_string()))?;
        let result = handler(self, params)?;
        serde_json::to_value(result).map_err(|error| Refused(ErrorCode::InternalError, error.to_string()))
    }

    /// Publishes the diagnostics of all texts that may have changed.
    fn publish_problems(&mut self) {
        let dirty = std::mem::take(&mut self.dirty);
        problems::publish(self, &dirty);
    }
}

/// Subject of a request.
pub struct Target {
    pub path: String,
    pub script: Rc<Script>,
    pub file: usize,
    /// Offset in the text.
    pub local: usize,
    /// Offset in the script.
    pub offset: u32,
}
