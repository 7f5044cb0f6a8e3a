//! Decides the assertions of a script from a program, and walks its counterexamples event by event:
//! `cargo run -p tracehound-analysis --example decide`.

use analysis::check::{Checker, Options, Verdict};
use analysis::{Session, Texts};

const SCRIPT: &str = "
channel coin, tea, coffee
GREEDY = coin -> (tea -> GREEDY |~| coin -> GREEDY)
HONEST = coin -> (tea -> HONEST [] coffee -> HONEST)
assert HONEST [T= GREEDY
assert GREEDY :[deadlock free [F]]
";

#[allow(clippy::print_stdout)]
fn main() {
    let session = Session::open(&Texts::of("vending.csp", SCRIPT), "vending.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let mut checker = Checker::new(&session, Options::default());
    for assertion in session.assertions() {
        let checked = checker.check(assertion.index);
        let verdict = match checked.verdict {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Unknown(..) | Verdict::Error(_) => "is not decided",
        };
        println!("{} {verdict}", assertion.text);
        for step in checked.counterexample.iter().flat_map(|run| &run.steps) {
            match step.event_id {
                Some(event) => println!("  event {}: {}", event.0, checker.events().text(event)),
                None => println!("  {}", step.event),
            }
        }
    }
}
