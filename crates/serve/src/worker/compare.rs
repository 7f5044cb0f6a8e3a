//! Comparison of two processes of a script: refinement in both directions, with counterexamples.

use super::game::{self, Kind, Round};
use super::{Environment, Question, document, error_text, first_error, options};
use analysis::check::{Checker, Verdict};
use analysis::{Assertion, Label, Model, Session, StateId, TransitionSystem};
use limits::effort::workbench::MAX_STATES;
use serde_json::{Value, json};
use source::Files;
use std::collections::{BTreeMap, HashMap};

/// Decides refinement both ways in one model, by two assertions appended to the script.
pub fn compare(environment: &dyn Environment, question: &Question) -> Result<Value, String> {
    let (Some(left), Some(right)) = (question.text("left"), question.text("right")) else {
        return Err("two processes are compared: name both".to_owned());
    };
    let model = question.text("model").unwrap_or("FD");
    if let Some(kind) = kind_named(model) {
        return bisimulation(environment, question, (left, right), kind, model);
    }
    if !["T", "F", "FD"].contains(&model) {
        return Err(format!("there is no model {model}"));
    }
    let files = environment.files(question.texts.clone())?;
    let language = question.open_sound(environment, None)?.language().name();
    let text = files.read(&question.file)?;
    let longer = format!("{}\n{}", String::from_utf8_lossy(&text), both_ways(language, left, right, model));
    let covered = Covered { files: &*files, texts: BTreeMap::from([(question.file.clone(), longer)]) };
    let session = Session::open(&covered, &question.file, None);
    if let Some(error) = first_error(&session) {
        return Err(error);
    }
    let assertions = session.assertions();
    let [.., first, second] = &assertions[..] else { return Err("these are not two processes".to_owned()) };
    let mut checker = Checker::new(&session, options(environment, MAX_STATES));
    let answers = [first, second].map(|one| answer(environment, &session, &mut checker, one));
    let answers: Result<Vec<Value>, String> = answers.into_iter().collect();
    Ok(json!({ "left": left, "right": right, "model": model, "answers": answers? }))
}

fn kind_named(name: &str) -> Option<Kind> {
    match name {
        "strong" => Some(Kind::Strong),
        "weak" => Some(Kind::Weak),
        _ => None,
    }
}

/// Decides bisimilarity.
fn bisimulation(
    environment: &dyn Environment,
    question: &Question,
    (left, right): (&str, &str),
    kind: Kind,
    model: &str,
) -> Result<Value, String> {
    let start = environment.seconds();
    let system = |process: &str| -> Result<TransitionSystem, String> {
        let session = question.open_sound(environment, Some(process))?;
        let mut checker = Checker::new(&session, options(environment, game::MAX_GAME_STATES as u64));
        checker.graph(None, Model::FailuresDivergences).map_err(|error| error_text(&session, &error))
    };
    let systems = [system(left)?, system(right)?];
    let (both, names, starts) = side_by_side(&systems);
    let rounds = game::difference(&both, starts[0], starts[1], kind)?;
    let round = |round: &Round| {
        let event = names.iter().find(|(_, label)| **label == round.label).map_or("tau", |(name, _)| name.as_str());
        json!({ "by": if round.is_right { right } else { left }, "event": event, "answered": round.is_answered })
    };
    Ok(json!({
        "left": left,
        "right": right,
        "model": model,
        "answers": [],
        "rounds": rounds.iter().map(round).collect::<Vec<Value>>(),
        "states": systems.map(|system| system.n_states()),
        "seconds": environment.seconds() - start,
    }))
}

/// Disjoint union of two systems, with labels identified by name, and the initial state of each.
fn side_by_side(systems: &[TransitionSystem; 2]) -> (analysis::Lts, HashMap<String, Label>, [StateId; 2]) {
    let mut names: HashMap<String, Label> = HashMap::new();
    let mut builder = lts::Builder::new();
    let mut offset = 0;
    let mut starts = [StateId(0); 2];
    for (system, start) in systems.iter().zip(&mut starts) {
        let lts = system.lts();
        *start = StateId(offset + lts.initial().0);
        for state in lts.states() {
            builder.add_state(StateId(offset + state.0));
            for step in lts.transitions(state) {
                let label = if step.label.is_visible() && step.label != Label::TICK {
                    let next = Label(names.len() as u32 + 2);
                    *names.entry(system.label_name(step.label).to_owned()).or_insert(next)
                } else {
                    step.label
                };
                builder.add(StateId(offset + state.0), label, StateId(offset + step.target.0));
            }
        }
        offset += lts.n_states() as u32;
    }
    names.insert("tick".to_owned(), Label::TICK);
    (builder.finish(starts[0]), names, starts)
}

/// Refinement assertions in both directions, in the syntax of a language.
fn both_ways(language: &str, left: &str, right: &str, model: &str) -> String {
    let one = |allowed: &str, does: &str| match language {
        "csp-sharp" => {
            let mark = if model == "T" { String::new() } else { format!("<{model}>") };
            format!("#assert {does} refines{mark} {allowed};\n")
        }
        "network" => format!("assert {allowed} [{model}= {does}\n"),
        _ => format!("assert ({allowed}) [{model}= ({does})\n"),
    };
    one(left, right) + &one(right, left)
}

fn answer(
    environment: &dyn Environment,
    session: &Session,
    checker: &mut Checker<'_>,
    assertion: &Assertion,
) -> Result<Value, String> {
    environment.budget();
    let start = environment.seconds();
    let checked = checker.check(assertion.index);
    if let Verdict::Error(error) = &checked.verdict {
        return Err(super::error_text(session, error));
    }
    let answer = wire::Answer {
        assertion,
        checked: &checked,
        hints: &[],
        engine: "explicit",
        tried: Vec::new(),
        seconds: environment.seconds() - start,
        peak_memory_bytes: 0,
    };
    let mut answered = document(&wire::Assertion::new(session, answer))?;
    answered["process"] = json!(assertion.sides.process);
    answered["specification"] = json!(assertion.sides.specification);
    Ok(answered)
}

/// File system with text appended to one file.
struct Covered<'a> {
    files: &'a dyn Files,
    texts: BTreeMap<String, String>,
}

impl Files for Covered<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.texts.get(path).map_or_else(|| self.files.read(path), |text| Ok(text.clone().into_bytes()))
    }
}
