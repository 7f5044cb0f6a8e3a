//! Testers as text.

use super::DeltaAutomaton;
use std::fmt::Write;

/// What a tester is written with.
struct Names<'a> {
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
    /// The events are written as in `names`, and `alphabet` is an expression for the set of all of them.
    pub fn write_cspm(&self, names: &[String], system: &str, alphabet: &str) -> String {
        let fresh = |word: &str| fresh(word, names);
        let (success, deadlock, ko) = (fresh("success"), fresh("deadlock"), fresh("ko"));
        let names = Names { events: names, alphabet, success, deadlock, ko };
        let mut text = String::new();
        self.write(&mut text, &names, system).expect("strings take everything");
        text
    }

    fn write(&self, text: &mut String, names: &Names, system: &str) -> std::fmt::Result {
        let Names { alphabet, success, deadlock, ko, .. } = names;
        writeln!(text, "channel {success}, {deadlock}, {ko}\n")?;
        writeln!(text, "TESTER = TESTER_0")?;
        for state in 0..self.n_states() as u32 {
            writeln!(text, "TESTER_{state} = {}", self.body(names, state))?;
        }
        writeln!(text, "TESTER_DEADLOCK = [] e : {alphabet} @ e -> {ko} -> STOP\n")?;
        writeln!(text, "-- Holds if an infinite trace is accepted.")?;
        writeln!(text, "TESTER_SUCCESS = {success} -> TESTER_SUCCESS")?;
        let tested = format!("({system} [| {alphabet} |] TESTER)");
        writeln!(text, "assert {tested} \\ union({alphabet}, {{{deadlock}, {ko}}}) [T= TESTER_SUCCESS\n")?;
        writeln!(text, "-- Holds if a trace is accepted after which nothing more is possible.")?;
        writeln!(text, "TESTER_STUCK = {deadlock} -> STOP")?;
        writeln!(text, "assert {tested} \\ union({alphabet}, {{{success}}}) [F= TESTER_STUCK")
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
            (true, true) => format!("{} -> TESTER_DEADLOCK", names.deadlock),
            (true, false) => format!("{moves} [] {} -> TESTER_DEADLOCK", names.deadlock),
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

/// A branch for each target of some events.
fn branches(names: &Names, events: &[u32], targets: &[u32]) -> Vec<String> {
    let branch = |target: &u32| match events {
        [event] => format!("{} -> TESTER_{target}", names.events[*event as usize]),
        _ => format!("([] e : {} @ e -> TESTER_{target})", set(names, events)),
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
