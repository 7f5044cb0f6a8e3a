//! Checks of assertions and their verdicts.

use crate::scripts::Script;
use crate::server::{Answer, InText, Refused, Server};
use crate::uri::{path_of, uri_of};
use crate::{Check, CheckEvent, Running};
use analysis::Assertion;
use crossbeam_channel::Sender;
use gen_lsp_types::{
    self as lsp, CodeLens, Command, DiagnosticSeverity, ExecuteCommandParams, ProgressParams, Uri,
    WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use limits::display::steps::MAX_LINE_EVENTS;
use limits::input::protocol::{MAX_RUNNING_CHECKS, MAX_WAITING_CHECKS};
use serde::Serialize;
use serde_json::Value;
use source::Span;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Identity of an assertion: its script, its text, and its position among assertions with the same text. So a verdict
/// stays with its assertion when lines are added.
type Name = (String, String, usize);

/// Status of an assertion.
enum State {
    Waiting,
    Running { reached: String },
    Decided { verdict: String, detail: String, digest: u64 },
}

/// Waiting and running checks, and verdicts.
pub struct Checks {
    sink: Sender<CheckEvent>,
    next: u64,
    states: BTreeMap<Name, State>,
    waiting: Vec<(u64, Name)>,
    running: BTreeMap<u64, (Name, Box<dyn Running>, u64)>,
}

impl Checks {
    pub fn new(sink: Sender<CheckEvent>) -> Checks {
        Checks { sink, next: 0, states: BTreeMap::new(), waiting: Vec::new(), running: BTreeMap::new() }
    }

    /// Stops all checks.
    pub fn stop_all(&mut self) {
        self.waiting.clear();
        for (_, running, _) in self.running.values_mut() {
            running.stop();
        }
    }
}

fn token(number: u64) -> String {
    format!("check-{number}")
}

/// Check number of a progress token.
pub fn number_of_token(token: &str) -> Option<u64> {
    token.strip_prefix("check-")?.parse().ok()
}

/// Assertions of a script with their identities.
fn named(script: &Script) -> Vec<(Name, Assertion)> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let name = |assertion: Assertion| {
        let count = seen.entry(assertion.text.clone()).or_default();
        *count += 1;
        ((script.path(0).to_owned(), assertion.text.clone(), *count), assertion)
    };
    script.session.assertions().into_iter().map(name).collect()
}

/// Digest of the texts of a script.
fn digest(script: &Script) -> u64 {
    let mut hasher = DefaultHasher::new();
    script.session.source_map().files().iter().for_each(|file| file.text.hash(&mut hasher));
    hasher.finish()
}

impl Server<'_> {
    /// Code lens above each assertion.
    pub fn lenses(&mut self, params: InText) -> Answer<Vec<CodeLens>> {
        let target = self.text_target(&params.text_document);
        let script = &target.script;
        let now = digest(script);
        let lens = |(name, assertion): (Name, Assertion)| {
            let uri = uri_of(script.path(0));
            let arguments = Some(vec![uri.0.into(), assertion.index.into()]);
            let (title, command) = match self.checks.states.get(&name) {
                None => ("▷ check".to_owned(), "tracehound.check"),
                Some(State::Waiting) => ("… waiting · cancel".to_owned(), "tracehound.cancel"),
                Some(State::Running { reached }) => (format!("… checking{reached} · cancel"), "tracehound.cancel"),
                Some(State::Decided { verdict, detail, digest }) => {
                    let mark = match verdict.as_str() {
                        "holds" => "✓",
                        "fails" => "✗",
                        _ => "?",
                    };
                    let stale = if *digest == now { "" } else { " (before the last change)" };
                    let first = detail.lines().next().unwrap_or_default();
                    (format!("{mark} {verdict} {first}{stale} · check again"), "tracehound.check")
                }
            };
            let range = script.range(first_line(script, assertion.span), self.encoding);
            let command = Command { title, tooltip: None, command: command.to_owned(), arguments };
            CodeLens { range, command: Some(command), data: None }
        };
        let here = named(script).into_iter().filter(|(_, assertion)| script.file_of(assertion.span) == target.file);
        Ok(here.map(lens).collect())
    }

    /// Verdicts of the assertions of a text as diagnostics, for editors without code lenses.
    pub fn verdict_problems(&self, script: &Script, file: usize) -> Vec<lsp::Diagnostic> {
        if self.checks.states.is_empty() {
            return Vec::new();
        }
        let now = digest(script);
        let mut problems = Vec::new();
        for (name, assertion) in named(script) {
            let Some(State::Decided { verdict, detail, digest }) = self.checks.states.get(&name) else { continue };
            if *digest != now || script.file_of(assertion.span) != file {
                continue;
            }
            problems.push(lsp::Diagnostic {
                range: script.range(first_line(script, assertion.span), self.encoding),
                severity: Some(match verdict.as_str() {
                    "holds" => DiagnosticSeverity::Information,
                    "fails" => DiagnosticSeverity::Error,
                    _ => DiagnosticSeverity::Warning,
                }),
                code: Some(format!("verdict::{verdict}").into()),
                source: Some("tracehound".to_owned()),
                message: format!("{verdict} {detail}").into(),
                ..lsp::Diagnostic::default()
            });
        }
        problems
    }

    pub fn execute(&mut self, params: ExecuteCommandParams) -> Answer<Value> {
        let arguments = params.arguments.unwrap_or_default();
        let uri = arguments.first().and_then(Value::as_str).ok_or_else(|| Refused::because("which text?"))?;
        let path = path_of(&Uri::from(uri));
        let (script, _) = self.scripts.first(&self.texts, &path);
        let wanted = arguments.get(1).and_then(Value::as_u64);
        let all = named(&script);
        let meant = all.into_iter().filter(|(_, assertion)| wanted.is_none_or(|index| index == assertion.index as u64));
        let meant: Vec<Name> = meant.map(|(name, _)| name).collect();
        if meant.is_empty() {
            return Err(Refused::because("there is no such assertion"));
        }
        match params.command.as_str() {
            "tracehound.check" | "tracehound.checkAll" => {
                if script.session.has_errors() {
                    return Err(Refused::because("the script has errors: nothing can be decided"));
                }
                meant.into_iter().for_each(|name| self.queue(name));
                self.start_checks();
            }
            "tracehound.cancel" => meant.iter().for_each(|name| self.cancel(name)),
            command => return Err(Refused::because(format!("there is no command `{command}`"))),
        }
        self.refresh_lenses();
        Ok(Value::Null)
    }

    fn queue(&mut self, name: Name) {
        let is_busy = matches!(self.checks.states.get(&name), Some(State::Waiting | State::Running { .. }));
        if is_busy || self.checks.waiting.len() >= MAX_WAITING_CHECKS {
            return;
        }
        self.checks.next += 1;
        self.checks.states.insert(name.clone(), State::Waiting);
        self.checks.waiting.push((self.checks.next, name));
    }

    fn cancel(&mut self, name: &Name) {
        self.checks.waiting.retain(|(_, waiting)| waiting != name);
        let running = self.checks.running.iter().find(|(_, (running, ..))| running == name).map(|(number, _)| *number);
        match running {
            Some(number) => self.stop_check(number),
            None => _ = self.checks.states.remove(name),
        }
    }

    /// Stops a running check.
    pub fn stop_check(&mut self, number: u64) {
        if let Some((name, running, _)) = self.checks.running.get_mut(&number) {
            running.stop();
            self.checks.states.remove(name);
        }
    }

    /// Starts waiting checks up to the limit on parallel ones.
    fn start_checks(&mut self) {
        while self.checks.running.len() < MAX_RUNNING_CHECKS && !self.checks.waiting.is_empty() {
            let (number, name) = self.checks.waiting.remove(0);
            let (script, _) = self.scripts.first(&self.texts, &name.0);
            let assertion = named(&script).into_iter().find(|(known, _)| *known == name);
            let Some((_, assertion)) = assertion.filter(|_| script.path(0) == name.0) else {
                // An edit has removed the assertion meanwhile.
                self.checks.states.remove(&name);
                continue;
            };
            let texts = self.texts.all().iter().map(|(path, text)| (path.clone(), text.text.clone())).collect();
            let check = Check { number, script: name.0.clone(), texts, assertion: assertion.index };
            match self.texts.world().check(&check, self.checks.sink.clone()) {
                Ok(running) => {
                    let state = State::Running { reached: String::new() };
                    self.checks.states.insert(name.clone(), state);
                    self.begin_progress(number, &assertion.text);
                    self.checks.running.insert(number, (name, running, digest(&script)));
                }
                Err(why) => self.decide(&name, "unknown", why, 0),
            }
        }
    }

    /// Handles an event of a check.
    pub fn handle_event(&mut self, update: &CheckEvent) {
        let Some(line) = &update.line else {
            self.end_check(update.number);
            return;
        };
        let Ok(event) = serde_json::from_str::<Value>(line) else { return };
        let Some((name, _, digest)) = self.checks.running.get(&update.number) else { return };
        let (name, digest) = (name.clone(), *digest);
        match event["event"].as_str() {
            Some("progress") => {
                let reached = format!(" {} states", event["states"]);
                let report = WorkDoneProgressReport { message: Some(reached.clone()), ..Default::default() };
                self.report_progress(update.number, report);
                if let Some(State::Running { reached: known }) = self.checks.states.get_mut(&name) {
                    *known = reached;
                }
            }
            Some("verdict") => {
                let verdict = event["verdict"].as_str().unwrap_or("unknown").to_owned();
                self.decide(&name, &verdict, detail(&event), digest);
            }
            _ => {}
        }
    }

    fn decide(&mut self, name: &Name, verdict: &str, detail: String, digest: u64) {
        let state = State::Decided { verdict: verdict.to_owned(), detail, digest };
        self.checks.states.insert(name.clone(), state);
        self.refresh_lenses();
        self.dirty.insert(name.0.clone());
    }

    fn end_check(&mut self, number: u64) {
        if let Some((name, _, digest)) = self.checks.running.remove(&number) {
            if matches!(self.checks.states.get(&name), Some(State::Running { .. })) {
                // A cancelled check has no status any more.
                self.decide(&name, "unknown", "(the check ended without an answer)".to_owned(), digest);
            }
            self.report_progress(number, WorkDoneProgressEnd::default());
            self.refresh_lenses();
        }
        self.start_checks();
    }

    fn begin_progress(&mut self, number: u64, text: &str) {
        if self.abilities.shows_progress {
            let params = WorkDoneProgressCreateParams { token: token(number).into() };
            self.ask("window/workDoneProgress/create", params);
            let (title, message) = ("checking".to_owned(), Some(text.to_owned()));
            let begin = WorkDoneProgressBegin { title, message, cancellable: Some(true), ..Default::default() };
            self.report_progress(number, begin);
        }
    }

    fn report_progress(&self, number: u64, value: impl Serialize) {
        if self.abilities.shows_progress {
            let value = serde_json::to_value(value).unwrap_or_default();
            self.notify("$/progress", ProgressParams { token: token(number).into(), value });
        }
    }

    fn refresh_lenses(&mut self) {
        if self.abilities.refreshes_lenses {
            self.ask("workspace/codeLens/refresh", Value::Null);
        }
    }
}

/// First line of an assertion.
fn first_line(script: &Script, span: Span) -> Span {
    let text = script.session.source_map().text(span);
    let length = text.find(['\r', '\n']).unwrap_or(text.len());
    Span::new(span.start, span.start + length as u32)
}

/// Details of a verdict event.
fn detail(event: &Value) -> String {
    let stats = &event["stats"];
    let mut numbers = Vec::new();
    if let Some(states) = stats["states"].as_u64() {
        numbers.push(format!("{states} states"));
    }
    if let Some(seconds) = stats["seconds"].as_f64() {
        numbers.push(format!("{seconds:.3} s"));
    }
    let mut text = if numbers.is_empty() { String::new() } else { format!("({})", numbers.join(", ")) };
    let reason = event["reason"].as_str().or_else(|| event["reason"]["text"].as_str());
    if let Some(reason) = reason {
        text = format!("{reason} {text}");
    }
    let events = |key: &str| -> Option<String> {
        let all = event["counterexample"][key].as_array()?;
        let shown: Vec<&str> = all.iter().filter_map(Value::as_str).take(MAX_LINE_EVENTS).collect();
        let more = if all.len() > MAX_LINE_EVENTS { ", ..." } else { "" };
        Some(format!("<{}{more}>", shown.join(", ")))
    };
    if let Some(trace) = events("trace") {
        text = format!("{text}\nafter {trace}");
    }
    if let Some(cycle) = events("loop") {
        text = format!("{text}\nfor ever {cycle}");
    }
    text
}
