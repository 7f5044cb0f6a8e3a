//! Testers as text.

use super::DeltaAutomaton;
use std::fmt::Write;

/// What a tester is written with.
struct Names<'a> {
    tester: &'a str,
    events: &'a [String],
    alphabet: &'a str,
    success: String,
    deadlock: String,
    ko: String,
}

impl DeltaAutomaton {
    /// The process of an automaton, and two refinements of its composition with a system. If both fail, no trace of the system is
    /// accepted. The first one holds if an infinite trace is, provided that the system has finitely many states; the second
    /// one holds if a trace is after which the system is stuck.
    ///
    /// The names of the processes begin with `tester`. The events are written as in `names`, and `alphabet` is an expression for the
    /// set of all of them. [`write_channels`] writes what several testers of the same system share.
    pub fn write_cspm(&self, tester: &str, names: &[String], system: &str, alphabet: &str) -> String {
        let [success, deadlock, ko] = ["success", "deadlock", "ko"].map(|word| fresh(word, names));
        let names = Names { tester, events: names, alphabet, success, deadlock, ko };
        let mut text = String::new();
        self.write(&mut text, &names, system).expect("strings take everything");
        text
    }

    fn write(&self, text: &mut String, names: &Names, system: &str) -> std::fmt::Result {
        let Names { tester, alphabet, success, deadlock, ko, .. } = names;
        writeln!(text, "{tester} = {tester}_0")?;
        for state in 0..self.n_states() as u32 {
            writeln!(text, "{tester}_{state} = {}", self.body(names, state))?;
        }
        writeln!(text, "{tester}_DEADLOCK = [] e : {alphabet} @ e -> {ko} -> STOP\n")?;
        writeln!(text, "-- Holds if an infinite trace is accepted.")?;
        writeln!(text, "{tester}_SUCCESS = {success} -> {tester}_SUCCESS")?;
        let tested = format!("({system} [| {alphabet} |] {tester})");
        writeln!(text, "assert {tested} \\ union({alphabet}, {{{deadlock}, {ko}}}) [T= {tester}_SUCCESS\n")?;
        writeln!(text, "-- Holds if a trace is accepted after which nothing more is possible.")?;
        writeln!(text, "{tester}_STUCK = {deadlock} -> STOP")?;
        writeln!(text, "assert {tested} \\ union({alphabet}, {{{success}}}) [F= {tester}_STUCK")
    }

    /// What the process of a state does.
    fn body(&self, names: &Names, state: u32) -> String {
        let branches: Vec<String> = self
            .by_targets(state)
            .into_iter()
            .flat_map(|(events, targets)| branches(names, &events, &targets))
            .collect();
        let events = match &branches[..] {
            [] => "STOP".to_string(),
            [only] => only.clone(),
            _ if self.is_accepting(state) => format!("({})", branches.join(" [] ")),
            _ => branches.join(" [] "),
        };
        let moves = if self.is_accepting(state) { format!("{} -> {events}", names.success) } else { events };
        match (self.is_monitor(state), branches.is_empty()) {
            (false, _) => moves,
            (true, true) => format!("{} -> {}_DEADLOCK", names.deadlock, names.tester),
            (true, false) => format!("{moves} [] {} -> {}_DEADLOCK", names.deadlock, names.tester),
        }
    }

    /// The events of a state, those together that lead to the same states.
    fn by_targets(&self, state: u32) -> Vec<(Vec<u32>, Vec<u32>)> {
        let mut groups: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for edges in self.edges(state).chunk_by(|one, two| one.0 == two.0) {
            let targets: Vec<u32> = edges.iter().map(|edge| edge.1).collect();
            match groups.iter_mut().find(|group| group.1 == targets) {
                Some(group) => group.0.push(edges[0].0),
                None => groups.push((vec![edges[0].0], targets)),
            }
        }
        groups
    }
}

/// The channels of all testers of systems with these events.
pub fn write_channels(names: &[String]) -> String {
    let channels = ["success", "deadlock", "ko"].map(|word| fresh(word, names));
    format!("channel {}\n", channels.join(", "))
}

/// A branch for each target of some events.
fn branches(names: &Names, events: &[u32], targets: &[u32]) -> Vec<String> {
    let branch = |target: &u32| match events {
        [event] => format!("{} -> {}_{target}", names.events[*event as usize], names.tester),
        _ => format!("([] e : {} @ e -> {}_{target})", set(names, events), names.tester),
    };
    targets.iter().map(branch).collect()
}

/// A set of events, as what it has or as what it lacks, whichever is shorter.
fn set(names: &Names, events: &[u32]) -> String {
    let list = |events: &[u32]| {
        let names: Vec<&str> = events.iter().map(|&event| names.events[event as usize].as_str()).collect();
        format!("{{{}}}", names.join(", "))
    };
    let others: Vec<u32> = (0..names.events.len() as u32).filter(|event| !events.contains(event)).collect();
    match others.len() {
        0 => names.alphabet.to_string(),
        n if n < events.len() => format!("diff({}, {})", names.alphabet, list(&others)),
        _ => list(events),
    }
}

/// A name that no event begins with.
fn fresh(word: &str, names: &[String]) -> String {
    let mut fresh = word.to_string();
    while names.iter().any(|name| name.starts_with(&fresh)) {
        fresh.push('_');
    }
    fresh
}
