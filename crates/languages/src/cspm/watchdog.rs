//! Watchdogs of specifications as CSPM, for FDR.
//!
//! A watchdog is a plain system: each state becomes a process of its own. Where it goes round silently to keep others
//! from being stuck, the process has an event of its own instead, `idle`, which the implementation does not share. The
//! termination of a process is not visible, so one that does is followed by an event, `terminated`, of which the
//! watchdog is reported.
//!
//! In failures the watchdog gives the alarm together with the implementation, which it interrupts: else one that
//! diverges after it did something wrong would keep all from being stuck.

use super::outline::processes;
use super::script::CspmScript;
use super::tester::set;
use cspm::builtins::Builtin;
use cspm::resolve::NameKind;
use frontend::{Assertion, Script, WatchdogToWrite};
use hashbrown::HashSet;
use lts::{Label, StateId, Transition};
use source::Span;
use std::fmt::Write;

/// A script that includes another one by a path, with the watchdogs and the assertions that they decide.
pub(super) fn script(script: &CspmScript, include: &str, watchdogs: &[WatchdogToWrite<'_>]) -> Result<String, String> {
    let assertions = script.assertions();
    let words = ["alarm", "idle", "terminated", "WATCHDOG"].map(|word| script.fresh(word));
    let [alarm, idle, terminated, prefix] = &words;
    let mut text = format!("include \"{include}\"\n\nchannel {alarm}, {idle}, {terminated}\n");
    for watchdog in watchdogs {
        if script.asserted().nth(watchdog.index - 1).is_some_and(|assertion| assertion.tau_priority.is_some()) {
            return Err("the assertion compares silent steps with events, and a watchdog hides all of them".to_owned());
        }
        let (_, process) =
            script.asserted().nth(watchdog.index - 1).map_or((None, None), |asserted| processes(&asserted.property));
        if process.is_some_and(|process| needs_all_events(script, script.resolved.ast.expr_span(process))) {
            return Err(format!("the implementation depends on `Events`, to which `{alarm}` would belong as well"));
        }
        let name = if watchdogs.len() == 1 { prefix.clone() } else { format!("{prefix}{}", watchdog.index) };
        let assertion = &assertions[watchdog.index - 1];
        Written::new(watchdog, [alarm, idle, terminated], name)
            .write(&mut text, assertion)
            .expect("strings take everything");
    }
    Ok(text)
}

/// Whether `Events` stands in a part of a script, or in a definition that it uses, however indirectly.
fn needs_all_events(script: &CspmScript, part: Span) -> bool {
    let resolved = &script.resolved;
    let (mut seen, mut todo) = (HashSet::new(), vec![part]);
    while let Some(part) = todo.pop() {
        let is_inside = |span: &Span| part.start <= span.start && span.end <= part.end;
        for (_, name) in resolved.uses.iter().filter(|(span, _)| is_inside(span)) {
            match resolved.name(*name).kind {
                NameKind::Builtin(Builtin::Events) => return true,
                NameKind::Builtin(_) | NameKind::Parameter | NameKind::TypeVariable => {}
                NameKind::Channel(decl)
                | NameKind::Constructor(decl)
                | NameKind::Datatype(decl)
                | NameKind::Subtype(decl)
                | NameKind::Nametype(decl)
                | NameKind::Function(decl)
                | NameKind::Value(decl) => {
                    let span = resolved.ast.decl_span(decl);
                    if seen.insert(span) {
                        todo.push(span);
                    }
                }
            }
        }
    }
    false
}

struct Written<'a> {
    watchdog: &'a WatchdogToWrite<'a>,
    alarm: &'a str,
    idle: &'a str,
    terminated: &'a str,
    /// The name of the watchdog, and the prefix of the names of its states.
    name: String,
    /// The name of the set of all its events.
    alphabet: String,
    /// The names of these events.
    names: Vec<String>,
}

impl<'a> Written<'a> {
    fn new(watchdog: &'a WatchdogToWrite<'a>, [alarm, idle, terminated]: [&'a str; 3], name: String) -> Written<'a> {
        let event = |(label, text): &(Label, String)| if *label == Label::TICK { terminated } else { text }.to_owned();
        let names = watchdog.events.iter().map(event).collect();
        Written { watchdog, alarm, idle, terminated, alphabet: format!("{name}_EVENTS"), name, names }
    }

    fn write(&self, text: &mut String, assertion: &Assertion) -> std::fmt::Result {
        let Written { alarm, alphabet, name, terminated, .. } = self;
        let system = self.watchdog.system;
        writeln!(text, "\n-- {}\n{alphabet} = {{{}}}", assertion.text, self.names.join(", "))?;
        writeln!(text, "{name} = {}", self.process(system.initial()))?;
        for state in self.reached() {
            writeln!(text, "{} = {}", self.process(state), self.body(state))?;
        }
        let not = if assertion.negated { "not " } else { "" };
        let mut watched = format!("({})", assertion.sides.process);
        if self.watchdog.events.iter().any(|(label, _)| *label == Label::TICK) {
            watched = format!("({watched} ; {terminated} -> STOP)");
        }
        if self.watchdog.watches_refusals {
            let shared = format!("union({alphabet}, {{{alarm}}})");
            let whole = format!("(({watched} /\\ {alarm} -> STOP) [| {shared} |] {name}) \\ {alphabet}");
            writeln!(text, "assert {not}{whole} :[deadlock free [F]]")
        } else {
            writeln!(text, "assert {not}STOP [T= ({watched} [| {alphabet} |] {name}) \\ {alphabet}")
        }
    }

    /// The states that the watchdog may be in, in ascending order.
    fn reached(&self) -> Vec<StateId> {
        let system = self.watchdog.system;
        let (mut is_reached, mut todo) = (vec![false; system.n_states()], vec![system.initial()]);
        while let Some(state) = todo.pop() {
            if !std::mem::replace(&mut is_reached[state.index()], true) {
                todo.extend(
                    system.transitions(state).iter().filter(|step| self.is_shared(step.label)).map(|step| step.target),
                );
            }
        }
        system.states().filter(|state| is_reached[state.index()]).collect()
    }

    /// Whether a step is one that is taken: others have events that the implementation never does.
    fn is_shared(&self, label: Label) -> bool {
        label == Label::TAU || label == self.watchdog.alarm || self.place(label).is_some()
    }

    fn place(&self, label: Label) -> Option<u32> {
        let place = self.watchdog.events.binary_search_by_key(&label, |(event, _)| *event);
        place.ok().map(|place| place as u32)
    }

    fn process(&self, state: StateId) -> String {
        format!("{}_{}", self.name, state.0)
    }

    /// The body of the process of a state.
    fn body(&self, state: StateId) -> String {
        let Written { watchdog, alarm, idle, .. } = self;
        let mut branches = Vec::new();
        for (events, target) in self.by_target(state) {
            let target = self.process(target);
            branches.push(match events[..] {
                [event] => format!("{} -> {target}", self.names[event as usize]),
                _ => format!("([] e : {} @ e -> {target})", set(&self.alphabet, &self.names, &events)),
            });
        }
        let steps = watchdog.system.transitions(state);
        for step in steps.iter().filter(|step| step.label == watchdog.alarm) {
            branches.push(format!("{alarm} -> {}", self.process(step.target)));
        }
        let silent = steps.iter().filter(|step| step.label == Label::TAU);
        let (rounds, decisions): (Vec<&Transition>, Vec<&Transition>) = silent.partition(|step| step.target == state);
        branches.extend(rounds.iter().map(|_| format!("{idle} -> {}", self.process(state))));
        let events = if branches.is_empty() { "STOP".to_owned() } else { branches.join(" [] ") };
        if decisions.is_empty() {
            return events;
        }
        let decided: Vec<String> = decisions.iter().map(|step| self.process(step.target)).collect();
        format!("({events}) |~| {}", decided.join(" |~| "))
    }

    /// The events of a state, those together that lead to the same one.
    fn by_target(&self, state: StateId) -> Vec<(Vec<u32>, StateId)> {
        let mut groups: Vec<(Vec<u32>, StateId)> = Vec::new();
        for step in self.watchdog.system.transitions(state) {
            let Some(event) = self.place(step.label) else { continue };
            match groups.iter_mut().find(|group| group.1 == step.target) {
                Some(group) => group.0.push(event),
                None => groups.push((vec![event], step.target)),
            }
        }
        groups
    }
}
