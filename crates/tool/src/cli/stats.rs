//! Plans and statistics of decisions.

use super::args::Engine;
use super::check::Answered;
use super::report::count;
use super::verdict::shortened;
use crate::memory;
use crate::progress::{bytes, number};
use crate::tries::Tried;
use analysis::check::{Plan, Reduced, Role, Row, Size, System};
use analysis::{Assertion, Kind, Outcome};
use limits::display::names::LONGEST_PROCESS;
use std::fmt::Write;

/// Plan for an assertion, in a few sentences.
pub fn plan_text(assertion: &Assertion, plan: &Plan, engine: Engine, n_workers: usize) -> String {
    let mut text = format!("plan    {}\n", assertion.text);
    for compressed in &plan.compressions {
        let (before, after) = (pair(compressed.before), pair(compressed.after));
        let process = shortened(&compressed.process, LONGEST_PROCESS);
        let _ = writeln!(text, "        {process} was compressed from {before} to {after}");
    }
    if let Some(specification) = plan.specification {
        let size = size(specification);
        let _ = writeln!(text, "        the specification has {size}; its normal form is computed");
    }
    let compares_runs = matches!(assertion.kind, Kind::Deterministic(_) | Kind::HasTrace(_));
    let Some(planned) = &plan.system else {
        return text + "        it cannot be prepared further; the answer says why\n";
    };
    let (how, engine) = match (planned, description(engine)) {
        (System::Network { .. }, Some((how, engine))) => (how.to_owned(), engine),
        _ => (search_text(planned, compares_runs, n_workers), "explicit"),
    };
    let _ = writeln!(text, "        the process is {}", system(planned));
    let _ = writeln!(text, "        {how} (engine: {engine})");
    text.push_str(&schedule_text(&plan.schedule));
    text
}

/// Description and name of an engine that does not search states.
fn description(engine: Engine) -> Option<(&'static str, &'static str)> {
    match engine {
        Engine::Auto | Engine::Explicit | Engine::Zones => None,
        Engine::Watchdog => {
            Some(("its components are composed and minimised, with a watchdog for the specification", "watchdog"))
        }
        Engine::Bmc => Some(("bounded model checking with a SAT solver", "bmc")),
        Engine::Induction => Some(("k-induction with a SAT solver", "induction")),
        Engine::Pdr => Some(("property directed reachability with a SAT solver", "pdr")),
    }
}

/// Description of the state search.
fn search_text(planned: &System, compares_runs: bool, n_workers: usize) -> String {
    match planned {
        System::Network { .. } if compares_runs => {
            "its states are explored on the fly on one thread, because runs are compared".to_owned()
        }
        System::Network { .. } => format!("its states are searched breadth first on {}", count(n_workers, "thread")),
        System::Terms => {
            "some of its states are explored on the fly first; if that is inconclusive, a network is compiled with all effort".to_owned()
        }
    }
}

/// Rows of the schedule after the main one: when each starts, and with which share.
fn schedule_text(rows: &[Row]) -> String {
    let mut text = String::new();
    for Row { engine, role, after, share, budget: _ } in rows.iter().skip(1) {
        let part = |parts: u64| if parts == 1 { "as much work".to_owned() } else { format!("1/{parts} of the work") };
        let how = match role {
            Role::Main => continue,
            Role::Rival => "replaces the search if it reaches the same depth with less work".to_owned(),
            Role::Trial => format!("interleaved, {} at first, {} later", part(share.early), part(share.late)),
            Role::TrialOnWideFrontier => format!("interleaved while the frontier is wide, {}", part(share.early)),
            Role::TrialWhilePreparing => format!("interleaved with compilation, {}", part(share.early)),
            Role::Parallel => "in parallel".to_owned(),
        };
        let _ = writeln!(text, "        after {} units of work: {} ({how})", number(*after), engine.name());
    }
    text
}

/// Engines that ran, in the order in which they ended.
pub fn tries_text(answered: &Answered) -> String {
    let mut text = format!("tried   {}\n", answered.assertion.text);
    if answered.tried.is_empty() {
        return String::new();
    }
    for Tried { attempt, .. } in &answered.tried {
        let outcome = match attempt.outcome {
            Outcome::Decided => "decided it",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Overtaken => "another engine was faster",
        };
        let mut parts = vec![outcome.to_owned()];
        parts.extend((!attempt.how.is_empty()).then(|| format!("order: {}", attempt.how)));
        parts.extend((attempt.n_states > 0).then(|| plural(attempt.n_states as usize, "state")));
        let pieces: Vec<String> = attempt.pieces.chunk_by(|one, other| one == other).map(pieces_text).collect();
        parts.extend((!pieces.is_empty()).then(|| format!("pieces: {}", pieces.join(", "))));
        let _ = writeln!(text, "        {:<12} {}", attempt.way, parts.join("; "));
    }
    let times = answered.tried.iter().map(|tried| format!("{} {:.3} s", tried.attempt.way, tried.seconds));
    let _ = writeln!(text, "        time         {}", times.collect::<Vec<_>>().join(", "));
    text
}

/// Sizes of the products that were built one after the other.
fn pieces_text(equal: &[(u64, u64)]) -> String {
    let (before, after) = equal[0];
    let times = if equal.len() > 1 { format!(" ({} times)", equal.len()) } else { String::new() };
    format!("{} -> {}{times}", number(before), number(after))
}

/// Statistics of a decision.
pub fn text(answered: &Answered) -> String {
    let Answered { assertion, checked, plan, preparation, seconds, .. } = answered;
    let statistics = &checked.statistics;
    let mut text = format!("stats   {}\n", assertion.text);
    for compressed in plan.iter().flat_map(|plan| &plan.compressions) {
        let (before, after) = (pair(compressed.before), pair(compressed.after));
        let process = shortened(&compressed.process, LONGEST_PROCESS);
        let _ = writeln!(text, "        compressed   {process}: {before} -> {after}");
    }
    if let Some(plan) = plan
        && let Some(planned) = &plan.system
    {
        let specification = plan.specification.map(|spec| format!("; specification: {}", size(spec)));
        let _ = writeln!(text, "        system       {}{}", system(planned), specification.unwrap_or_default());
    }
    if let Some(composed) = statistics.composed {
        let (before, after) = (count(composed.n_before, "machine"), count(composed.n_after, "machine"));
        let largest = count(composed.n_largest, "state");
        let _ = writeln!(text, "        composed     {before} to {after}, the largest with {largest}");
    }
    if let Some(reduced) = reduced(statistics.reduced) {
        let _ = writeln!(text, "        reduced      {reduced}");
    }
    let mut searched = vec![count(statistics.n_states as usize, "state")];
    if statistics.n_transitions > 0 {
        searched.push(count(statistics.n_transitions as usize, "step"));
    }
    searched.extend(statistics.depth.map(|depth| format!("depth {depth}")));
    searched.extend(statistics.n_spec_states.map(|n| format!("normal form with {}", count(n as usize, "node"))));
    let _ = writeln!(text, "        searched     {}", searched.join(", "));
    let search = seconds - preparation;
    let _ = writeln!(text, "        time         {preparation:.3} s to prepare, {search:.3} s to decide");
    let _ = writeln!(text, "        memory       {} at most so far", bytes(memory::peak()));
    text
}

/// Reductions that were applied, in words.
fn reduced(reduced: Reduced) -> Option<String> {
    let Reduced::By { partial_order, n_symmetries } = reduced else { return None };
    let order = partial_order.then(|| "partial order".to_owned());
    let symmetries = match n_symmetries {
        0..=1 => None,
        // The count saturates there.
        u64::MAX => Some(format!("more than {} symmetries", u64::MAX)),
        n_symmetries => Some(format!("{n_symmetries} symmetries")),
    };
    Some(order.into_iter().chain(symmetries).collect::<Vec<_>>().join(" and "))
}

fn system(system: &System) -> String {
    match system {
        System::Network { n_machines, n_rules, n_modes } => format!(
            "a network of {} with {} in {}",
            count(*n_machines, "machine"),
            count(*n_rules, "rule"),
            count(*n_modes, "mode")
        ),
        System::Terms => "process terms, explored on the fly".to_owned(),
    }
}

fn size(size: Size) -> String {
    format!("{} and {}", plural(size.n_states, "state"), plural(size.n_transitions, "step"))
}

fn pair((n_states, n_transitions): (usize, usize)) -> String {
    size(Size { n_states, n_transitions })
}

fn plural(n: usize, word: &str) -> String {
    format!("{} {word}{}", number(n as u64), if n == 1 { "" } else { "s" })
}
