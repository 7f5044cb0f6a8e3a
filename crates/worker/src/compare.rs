//! Two processes of a script, compared: which of them is allowed by the other, and where they differ.

use crate::{Question, Surroundings, document, first_error, options};
use analysis::check::{Checker, Verdict};
use analysis::{Assertion, Session};
use serde_json::{Value, json};
use source::Files;
use std::collections::BTreeMap;

/// Nobody waits for more states than these in front of a page.
const MAX_STATES: u64 = 2_000_000;

/// Decides refinement both ways in one model. The script is read with two more assertions behind its own.
pub fn compare(surroundings: &dyn Surroundings, question: &Question) -> Result<Value, String> {
    let (Some(left), Some(right)) = (question.text("left"), question.text("right")) else {
        return Err("two processes are compared: name both".to_owned());
    };
    let model = question.text("model").unwrap_or("FD");
    if !["T", "F", "FD"].contains(&model) {
        return Err(format!("there is no model {model}"));
    }
    let files = surroundings.files(question.texts.clone())?;
    let language = question.open_sound(surroundings, None)?.language().name();
    let text = files.read(&question.file)?;
    let longer = format!("{}\n{}", String::from_utf8_lossy(&text), both_ways(language, left, right, model));
    let covered = Covered { files: &*files, texts: BTreeMap::from([(question.file.clone(), longer)]) };
    let session = Session::open(&covered, &question.file, None);
    if let Some(error) = first_error(&session) {
        return Err(error);
    }
    let assertions = session.assertions();
    let [.., first, second] = &assertions[..] else { return Err("these are not two processes".to_owned()) };
    let mut checker = Checker::new(&session, options(surroundings, MAX_STATES));
    let answers = [first, second].map(|one| answer(surroundings, &session, &mut checker, one));
    let answers: Result<Vec<Value>, String> = answers.into_iter().collect();
    Ok(json!({ "left": left, "right": right, "model": model, "answers": answers? }))
}

/// One assertion each way, in the words of a language.
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
    surroundings: &dyn Surroundings,
    session: &Session,
    checker: &mut Checker<'_>,
    assertion: &Assertion,
) -> Result<Value, String> {
    surroundings.budget();
    let start = surroundings.seconds();
    let checked = checker.check(assertion.index);
    if let Verdict::Error(error) = &checked.verdict {
        return Err(crate::error_text(session, error));
    }
    let answer = wire::Answer {
        assertion,
        checked: &checked,
        hints: &[],
        engine: "explicit",
        tried: Vec::new(),
        seconds: surroundings.seconds() - start,
        peak_memory_bytes: 0,
    };
    let mut told = document(&wire::Assertion::new(session, answer))?;
    told["process"] = json!(assertion.sides.process);
    told["specification"] = json!(assertion.sides.specification);
    Ok(told)
}

/// Files of which one is longer than it is.
struct Covered<'a> {
    files: &'a dyn Files,
    texts: BTreeMap<String, String>,
}

impl Files for Covered<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.texts.get(path).map_or_else(|| self.files.read(path), |text| Ok(text.clone().into_bytes()))
    }
}
