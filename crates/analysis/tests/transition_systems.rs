//! Transition systems of the processes in the examples: written, read again and compared with what compressions make of
//! them, and with what somebody does who steps through the process.

use analysis::Limits;
use analysis::check::{Checker, Method, Options, Verdict, refine};
use analysis::{Compression, Model, NoProgress, Notation, Session, Simulator};
use std::path::Path;
use std::sync::Arc;
use test_support::files::{FolderFiles, files_below};
use test_support::mutate::{Random, seed};

const MAX_STATES: u64 = 1500;
const MAX_STEPS: usize = 40;

fn options() -> Options {
    Options {
        progress: Arc::new(NoProgress),
        method: Method::Auto,
        limits: Limits::of_workers(1).with_max_states(MAX_STATES),
        reduce: None,
    }
}

/// The system of a process as Aldebaran text, unless it is large.
fn text(session: &Session, compression: Option<Compression>, model: Model) -> Option<Vec<u8>> {
    let system = Checker::new(session, options()).transition_system(compression, model).ok()?;
    let mut text = Vec::new();
    system.write(Notation::Aldebaran, &mut text).expect("a vector takes everything");
    Some(text)
}

#[track_caller]
fn refines(what: &str, spec: &[u8], implementation: &[u8], model: Model) {
    let options = Options { limits: Limits::of_workers(1).with_max_states(u64::MAX), ..options() };
    let checked = refine(spec, implementation, model, &options).expect("what was written can be read");
    assert!(matches!(checked.verdict, Verdict::Holds), "{what}: {checked:?}");
}

/// Calls `look` with each process of the examples that has no parameters; how many there are.
fn for_each_process(mut look: impl FnMut(&str, &Session) -> bool) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = FolderFiles::new(&folder);
    let mut n_looked = 0;
    for script in files_below(&folder, "csp") {
        let name = script.file_name().expect("a script has a name").to_string_lossy().into_owned();
        for process in Session::open(&files, &name, None).processes() {
            let session = Session::open_with_process(&files, &name, None, &process);
            n_looked += usize::from(look(&format!("{process} of {name}"), &session));
        }
    }
    n_looked
}

#[test]
fn compressions_keep_what_their_model_sees() {
    let all_see = [
        Compression::SBisim,
        Compression::DBisim,
        Compression::WBisim,
        Compression::TauLoopFactor,
        Compression::Diamond,
    ];
    let by_model = [Compression::Normal, Compression::ModelCompress];
    let n_compared = for_each_process(|name, session| {
        let Some(plain) = text(session, None, Model::FailuresDivergences) else { return false };
        let models = [Model::Traces, Model::Failures, Model::FailuresDivergences];
        let pairs = all_see.iter().map(|&compression| (compression, Model::FailuresDivergences));
        let pairs = pairs.chain(by_model.iter().flat_map(|&c| models.iter().map(move |&model| (c, model))));
        for (compression, model) in pairs {
            let small = text(session, Some(compression), model).expect("it only gets smaller");
            let what = format!("{name} by {compression:?} for {model:?}");
            refines(&what, &plain, &small, model);
            refines(&what, &small, &plain, model);
        }
        true
    });
    assert!(n_compared > 50, "only {n_compared} processes: are they still found?");
}

#[test]
fn what_somebody_does_is_a_trace_of_the_system() {
    let mut random = Random::new(seed());
    let n_walked = for_each_process(|name, session| {
        let Some(plain) = text(session, None, Model::FailuresDivergences) else { return false };
        let mut simulator = Simulator::new(session, Arc::new(NoProgress)).expect("the process has a system");
        let mut events = Vec::new();
        for _ in 0..MAX_STEPS {
            if random.below(5) == 0 {
                simulator.toggle_folding();
            }
            let moves = simulator.moves().expect("the process has a system");
            if moves.is_empty() {
                break;
            }
            let chosen = moves[random.below(moves.len())].clone();
            events.extend(chosen.is_visible.then(|| chosen.event.clone()));
            simulator.take(chosen);
        }
        let steps = events.iter().enumerate().map(|(place, event)| format!("({place},\"{event}\",{})\n", place + 1));
        let n_events = events.len();
        let chain = format!("des (0,{n_events},{})\n{}", n_events + 1, steps.collect::<String>());
        refines(&format!("{name} after {events:?}, seed {}", seed()), &plain, chain.as_bytes(), Model::Traces);
        true
    });
    assert!(n_walked > 50, "only {n_walked} processes: are they still found?");
}
