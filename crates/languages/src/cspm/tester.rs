//! Testers of formulas as CSPM, for FDR.

use frontend::Tester;
use ltl::tester::DeltaAutomaton;
use std::fmt::Write;

/// A script that includes another and has, for each automaton, a process and two refinements of its composition with a
/// process of that script. If both fail, no trace of the process is accepted. The first one holds if an infinite trace
/// is, provided that the process has finitely many states; the second one holds if a trace is after which it is stuck.
/// `fresh` makes names that no name of the included script begins with.
pub(super) fn script(tester: &Tester<'_>, fresh: impl Fn(&str) -> String) -> String {
    let events = tester.events;
    let [prefix, success, deadlock, ko] = ["TESTER", "success", "deadlock", "ko"].map(fresh);
    let alphabet = format!("{prefix}_EVENTS");
    let mut text = format!("-- {}\ninclude \"{}\"\n\n", tester.formula, tester.include);
    let _ = writeln!(text, "channel {success}, {deadlock}, {ko}");
    let _ = writeln!(text, "{alphabet} = {{{}}}\n", events.join(", "));
    for (number, automaton) in tester.automata.iter().enumerate() {
        let name = if tester.automata.len() == 1 { prefix.clone() } else { format!("{prefix}{}", number + 1) };
        let names =
            Names { tester: &name, alphabet: &alphabet, events, success: &success, deadlock: &deadlock, ko: &ko };
        Written { automaton, names }
            .write(&mut text, &format!("({})", tester.process))
            .expect("strings take everything");
        text.push('\n');
    }
    text
}

/// Context for writing a tester.
struct Names<'a> {
    tester: &'a str,
    /// The set of all events.
    alphabet: &'a str,
    events: &'a [String],
    success: &'a str,
    deadlock: &'a str,
    ko: &'a str,
}

/// An automaton as a process.
struct Written<'a> {
    automaton: &'a DeltaAutomaton,
    names: Names<'a>,
}

impl Written<'_> {
    fn write(&self, text: &mut String, system: &str) -> std::fmt::Result {
        let Names { tester, alphabet, success, deadlock, ko, .. } = self.names;
        writeln!(text, "{tester} = {tester}_0")?;
        for state in 0..self.automaton.n_states() as u32 {
            writeln!(text, "{tester}_{state} = {}", self.body(state))?;
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

    /// The body of the process of a state.
    fn body(&self, state: u32) -> String {
        let Names { tester, success, deadlock, .. } = self.names;
        let groups = self.by_targets(state).into_iter();
        let branches: Vec<String> = groups.flat_map(|(events, targets)| self.branches(&events, &targets)).collect();
        let is_accepting = self.automaton.is_accepting(state);
        let events = match &branches[..] {
            [] => "STOP".to_owned(),
            [only] => only.clone(),
            _ if is_accepting => format!("({})", branches.join(" [] ")),
            _ => branches.join(" [] "),
        };
        let moves = if is_accepting { format!("{success} -> {events}") } else { events };
        match (self.automaton.is_monitor(state), branches.is_empty()) {
            (false, _) => moves,
            (true, true) => format!("{deadlock} -> {tester}_DEADLOCK"),
            (true, false) => format!("{moves} [] {deadlock} -> {tester}_DEADLOCK"),
        }
    }

    /// The events of a state, those together that lead to the same states.
    fn by_targets(&self, state: u32) -> Vec<(Vec<u32>, Vec<u32>)> {
        let mut groups: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for edges in self.automaton.edges(state).chunk_by(|one, two| one.0 == two.0) {
            let targets: Vec<u32> = edges.iter().map(|edge| edge.1).collect();
            match groups.iter_mut().find(|group| group.1 == targets) {
                Some(group) => group.0.push(edges[0].0),
                None => groups.push((vec![edges[0].0], targets)),
            }
        }
        groups
    }

    /// A branch for each target of some events.
    fn branches(&self, events: &[u32], targets: &[u32]) -> Vec<String> {
        let Names { tester, alphabet, events: names, .. } = self.names;
        let branch = |target: &u32| match events {
            [event] => format!("{} -> {tester}_{target}", names[*event as usize]),
            _ => format!("([] e : {} @ e -> {tester}_{target})", set(alphabet, names, events)),
        };
        targets.iter().map(branch).collect()
    }
}

/// A set of events, as what it has or as what it lacks, whichever is shorter.
pub(super) fn set(alphabet: &str, names: &[String], events: &[u32]) -> String {
    let list = |events: &[u32]| {
        let names: Vec<&str> = events.iter().map(|&event| names[event as usize].as_str()).collect();
        format!("{{{}}}", names.join(", "))
    };
    let others: Vec<u32> = (0..names.len() as u32).filter(|event| !events.contains(event)).collect();
    match others.len() {
        0 => alphabet.to_owned(),
        n if n < events.len() => format!("diff({alphabet}, {})", list(&others)),
        _ => list(events),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ltl::automaton::{Limits, translate, with_end};
    use ltl::logic::{Atom, Formula, Store};
    use ltl::tester::delta_automaton;

    /// The tester for a formula about as many events as there are names, by their numbers.
    fn text(names: &[&str], formula: impl Fn(&mut Store) -> Formula) -> String {
        let events: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let (mut store, end) = (Store::default(), Atom(names.len() as u32));
        let formula = formula(&mut store);
        let negation = store.not(formula);
        let negation = with_end(&mut store, negation, end);
        let automaton = translate(&mut store, negation, Limits::default()).expect("small formulas have small automata");
        let letters: Vec<u64> = (0..names.len()).map(|event| 1 << event).collect();
        let automata = [delta_automaton(&automaton, &letters, 1 << end.0)];
        let tester =
            Tester { formula: "FORMULA", include: "P.csp", process: "P", events: &events, automata: &automata };
        script(&tester, |word| if names.contains(&word) { format!("{word}_") } else { word.to_owned() })
    }

    #[test]
    fn testers_are_written() {
        let expected = "\
-- FORMULA
include \"P.csp\"

channel success, deadlock, ko
TESTER_EVENTS = {a, b, c, d}

TESTER = TESTER_0
TESTER_0 = success -> ([] e : diff(TESTER_EVENTS, {b}) @ e -> TESTER_0) [] deadlock -> TESTER_DEADLOCK
TESTER_DEADLOCK = [] e : TESTER_EVENTS @ e -> ko -> STOP

-- Holds if an infinite trace is accepted.
TESTER_SUCCESS = success -> TESTER_SUCCESS
assert ((P) [| TESTER_EVENTS |] TESTER) \\ union(TESTER_EVENTS, {deadlock, ko}) [T= TESTER_SUCCESS

-- Holds if a trace is accepted after which nothing more is possible.
TESTER_STUCK = deadlock -> STOP
assert ((P) [| TESTER_EVENTS |] TESTER) \\ union(TESTER_EVENTS, {success}) [F= TESTER_STUCK

";
        let names = ["a", "b", "c", "d"];
        let b_sometime = |store: &mut Store| {
            let b = store.atom(Atom(1));
            store.finally(b)
        };
        assert_eq!(text(&names, b_sometime), expected);
        let truth = text(&names, |_| Formula::TRUE);
        assert!(truth.contains("TESTER_0 = STOP\n"), "{truth}");
        let something = text(&names, |store| store.next(Formula::TRUE));
        assert!(something.contains("TESTER_0 = deadlock -> TESTER_DEADLOCK\n"), "{something}");
    }

    #[test]
    fn new_events_have_new_names() {
        let text = text(&["success", "TESTER"], |store| store.atom(Atom(0)));
        assert!(text.contains("channel success_, deadlock, ko\n"), "{text}");
        assert!(text.contains("TESTER__SUCCESS = success_ -> TESTER__SUCCESS\n"), "{text}");
    }
}
