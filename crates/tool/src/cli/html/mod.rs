//! `check --report`: all results as one page.
//!
//! The page is self-contained: no script, no font, no network. Its readers did not run the command, so it states the
//! command, the scripts and the date, the assertions with their verdicts, the reasons for failures, and the source of
//! the scripts, so that places can be looked up.

mod failure;
pub mod graphs;
mod page;
mod scripts;
mod when;

use super::check::Answered;
use analysis::{Print, Session};
use limits::display::charts::FEWER_STEPS;
use limits::display::report::MAX_REPORT_BYTES;
use page::{Page, escape};

/// Results of a script.
pub struct Checked<'a> {
    /// File name of the script.
    pub file: &'a str,
    /// Session that opened it.
    pub session: &'a Session,
    /// Values that it prints.
    pub prints: &'a [Print],
    /// Verdicts of its assertions.
    pub answers: &'a [Answered],
    /// JSON document with the results.
    pub document: String,
    /// Graphs of failed assertions that are small enough to help; by assertion number.
    pub graphs: Vec<(usize, String)>,
}

/// Level of detail.
#[derive(Clone, Copy)]
struct Extent {
    max_steps: usize,
    has_graphs: bool,
    has_data: bool,
    has_scripts: bool,
}

/// Page with the results of all scripts.
pub fn report(command: &str, checked: &[Checked<'_>]) -> String {
    let all = Extent { max_steps: usize::MAX, has_graphs: true, has_data: true, has_scripts: true };
    let shorter = Extent { max_steps: FEWER_STEPS, ..all };
    let extents = [
        (all, ""),
        (shorter, "Long runs are shown from their end only."),
        (Extent { has_data: false, ..shorter }, "Long runs are shown from their end only, and the data are omitted."),
        (
            Extent { has_data: false, has_graphs: false, has_scripts: false, ..shorter },
            "Long runs are shown from their end only; graphs, scripts and data are omitted.",
        ),
    ];
    let mut text = String::new();
    for (extent, note) in extents {
        let note = if note.is_empty() { String::new() } else { format!("{note} This report would be too large else.") };
        text = written(command, checked, extent, &note);
        if text.len() <= MAX_REPORT_BYTES {
            return text;
        }
    }
    // With thousands of assertions the table is worth more than the details that follow it.
    let end = (0..=MAX_REPORT_BYTES.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text.truncate(end);
    text.push_str("\n<p>The rest is omitted: this report would be too large.</p></main></body></html>\n");
    text
}

fn written(command: &str, checked: &[Checked<'_>], extent: Extent, note: &str) -> String {
    let names: Vec<&str> = checked.iter().map(|checked| checked.file).collect();
    let mut page = Page::new(&format!("{}: what was checked", names.join(", ")));
    page.line(&format!("<h1>{}</h1>", escape(&names.join(", "))));
    if !note.is_empty() {
        page.line(&format!("<p class=\"note\">{}</p>", escape(note)));
    }
    write_summary(&mut page, command, checked);
    for (number, one) in checked.iter().enumerate() {
        write_verdicts(&mut page, one, number, checked.len() > 1);
    }
    for (number, one) in checked.iter().enumerate() {
        for answered in one.answers {
            failure::write(&mut page, one, number, answered, extent);
        }
    }
    if extent.has_scripts {
        for (number, one) in checked.iter().enumerate() {
            scripts::write(&mut page, one, number);
        }
    }
    if extent.has_data {
        for one in checked {
            page.data(&one.document);
        }
    }
    page.finish()
}

/// Writes the command, and a summary of the results in one line.
fn write_summary(page: &mut Page, command: &str, checked: &[Checked<'_>]) {
    let answers: Vec<&Answered> = checked.iter().flat_map(|one| one.answers).collect();
    let count = |word: &str| answers.iter().filter(|answered| page::word(&answered.checked.verdict) == word).count();
    let parts = [("holds", "hold"), ("fails", "fail"), ("unknown", "unknown"), ("error", "with errors")];
    let said: Vec<String> = parts
        .iter()
        .filter(|(word, _)| count(word) > 0)
        .map(|(word, said)| format!("<span class=\"{word}\">{} {said}</span>", count(word)))
        .collect();
    let said = if said.is_empty() { "nothing was decided".to_owned() } else { said.join(", ") };
    page.line(&format!("<p class=\"sum\">{said}</p>"));
    let n_cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let machine = format!("{} on {}, {n_cores} cores", std::env::consts::OS, std::env::consts::ARCH);
    let rows = [
        ("command", format!("<code>{}</code>", escape(command))),
        ("version", wire::TOOL.to_owned()),
        ("machine", escape(&machine)),
        ("date", when::now()),
    ];
    page.line("<table class=\"about\">");
    for (name, value) in rows {
        page.line(&format!("<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>"));
    }
    page.line("</table>");
}

/// The table of verdicts.
fn write_verdicts(page: &mut Page, checked: &Checked<'_>, number: usize, is_one_of_many: bool) {
    if is_one_of_many {
        page.line(&format!("<h2>{}</h2>", escape(checked.file)));
    }
    if checked.session.has_errors() {
        page.line("<p class=\"error\">The script has errors; nothing was decided.</p>");
    }
    page.line("<table class=\"verdicts\"><thead><tr><th scope=\"col\">#</th><th scope=\"col\">verdict</th>");
    page.line("<th scope=\"col\">assertion</th><th scope=\"col\">line</th><th scope=\"col\">states</th>");
    page.line("<th scope=\"col\">steps</th><th scope=\"col\">seconds</th></tr></thead><tbody>");
    for answered in checked.answers {
        let (word, sign) = (page::word(&answered.checked.verdict), page::sign(&answered.checked.verdict));
        let index = answered.assertion.index;
        let has_more = answered.checked.counterexample.is_some();
        let verdict_text = match has_more {
            true => format!("<a href=\"#{}\">{sign} {word}</a>", failure::anchor(number, index)),
            false => format!("{sign} {word}"),
        };
        let statistics = &answered.checked.statistics;
        let counted = |n: u64| if n > 0 { n.to_string() } else { String::new() };
        page.line(&format!(
            "<tr><td>{index}</td><td class=\"{word}\">{verdict_text}</td><td><code>{}</code></td><td>{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{:.3}</td></tr>",
            escape(&answered.assertion.text),
            scripts::link(checked, number, answered.assertion.span),
            counted(statistics.n_states),
            counted(statistics.n_transitions),
            answered.seconds,
        ));
    }
    page.line("</tbody></table>");
    for print in checked.prints {
        if let Ok(value) = &print.value {
            page.line(&format!("<p>print <code>{}</code>: <code>{}</code></p>", escape(&print.text), escape(value)));
        }
    }
}
