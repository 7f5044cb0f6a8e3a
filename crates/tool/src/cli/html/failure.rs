//! Explanation of a failed assertion: in words, as a table, as a chart, as a graph, and in the lines of the scripts.

use super::page::{self, Page, escape};
use super::{Checked, Extent, scripts};
use crate::cli::check::Answered;
use crate::cli::{chart, verdict};
use analysis::check::{Counterexample, Step, Verdict};
use limits::display::report::{MAX_COLUMNS, MAX_LINES};
use source::Span;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

/// Part of a line, and the numbers of the steps that are located there.
type Mark = (Range<usize>, Vec<usize>);

/// HTML anchor of an assertion's explanation.
pub fn anchor(number: usize, index: usize) -> String {
    format!("s{}a{index}", number + 1)
}

/// Writes the section of an assertion that has a counterexample or an unknown verdict.
pub fn write(page: &mut Page, checked: &Checked<'_>, number: usize, answered: &Answered, extent: Extent) {
    let found = answered.checked.counterexample.as_ref();
    let detail = match &answered.checked.verdict {
        Verdict::Unknown(reason, detail) => Some(format!("{}: {detail}", reason.name())),
        Verdict::Error(diagnostic) => Some(diagnostic.title.clone()),
        Verdict::Holds | Verdict::Fails => None,
    };
    if found.is_none() && detail.is_none() {
        return;
    }
    let assertion = &answered.assertion;
    let (word, sign) = (page::word(&answered.checked.verdict), page::sign(&answered.checked.verdict));
    page.line(&format!(
        "<section id=\"{}\"><h2><span class=\"{word}\">{sign} {word}</span> {}. <code>{}</code></h2>",
        anchor(number, assertion.index),
        assertion.index,
        escape(&assertion.text)
    ));
    page.line(&format!("<p class=\"pale\">{}</p>", scripts::link(checked, number, assertion.span)));
    if let Some(detail) = detail {
        page.line(&format!("<p>{}</p>", escape(&detail)));
    }
    for hint in &answered.hints {
        page.line(&format!("<p>would help: {}</p>", escape(hint)));
    }
    if let Some(found) = found {
        page.line(&format!("<pre>{}</pre>", escape(&verdict::reasons(assertion, found).join("\n"))));
        write_chart(page, answered, found, extent);
        write_tables(page, found, extent);
        write_lines(page, checked, number, found);
        let graph = checked.graphs.iter().find(|(index, _)| *index == assertion.index).filter(|_| extent.has_graphs);
        if let Some((_, svg)) = graph {
            page.line(&format!("<div class=\"scroll\">\n{svg}</div>"));
        }
    }
    page.line("</section>");
}

fn write_chart(page: &mut Page, answered: &Answered, found: &Counterexample, extent: Extent) {
    let mut chart = chart::of_steps(found);
    chart.title.clone_from(&answered.assertion.text);
    let n_more = chart.steps.len().saturating_sub(extent.max_steps);
    if n_more > 0 {
        chart.steps.drain(..n_more);
        chart.repeated_from = chart.repeated_from.map(|start| start.saturating_sub(n_more));
        chart.sealed = chart.sealed.and_then(|place| place.checked_sub(n_more));
        for truth in &mut chart.truths {
            truth.at_start = None;
            truth.values.drain(..n_more);
        }
        page.line(&format!(
            "<p class=\"note\">{n_more} earlier steps are omitted; steps are counted from the first one.</p>"
        ));
    }
    if !chart.steps.is_empty() {
        page.line(&format!("<div class=\"scroll\">\n{}</div>", chart.svg()));
    }
}

/// Writes the visible steps as a table, and all steps in a collapsed section.
fn write_tables(page: &mut Page, found: &Counterexample, extent: Extent) {
    let first = found.steps.len().saturating_sub(extent.max_steps);
    let all: Vec<usize> = (first..found.steps.len()).collect();
    let seen: Vec<usize> = all.iter().copied().filter(|&place| found.steps[place].is_visible).collect();
    if all.is_empty() {
        return;
    }
    let n_silent = all.len() - seen.len();
    if n_silent == 0 {
        write_table(page, found, &all);
        return;
    }
    if !seen.is_empty() {
        write_table(page, found, &seen);
    }
    page.line(&format!("<details><summary>with {n_silent} silent steps</summary>"));
    write_table(page, found, &all);
    page.line("</details>");
}

fn write_table(page: &mut Page, found: &Counterexample, places: &[usize]) {
    let takes = |component: usize| {
        let parts = places.iter().flat_map(|&place| &found.steps[place].parts);
        parts.into_iter().any(|part| part.component == component)
    };
    let columns: Vec<usize> =
        (0..found.components.len()).filter(|&component| takes(component)).take(MAX_COLUMNS).collect();
    let has_allowed = !found.allowed.is_empty();
    let mut head = String::from("<tr><th scope=\"col\">step</th><th scope=\"col\">event</th>");
    for &column in &columns {
        let _ = write!(head, "<th scope=\"col\">{}</th>", escape(&found.components[column].name));
    }
    if has_allowed {
        head.push_str("<th scope=\"col\">the specification allows</th>");
    }
    page.line(&format!("<div class=\"scroll\"><table class=\"steps\"><thead>{head}</tr></thead><tbody>"));
    for &place in places {
        page.line(&row(found, place, &columns, has_allowed));
    }
    page.line("</tbody></table></div>");
}

fn row(found: &Counterexample, place: usize, columns: &[usize], has_allowed: bool) -> String {
    let step = &found.steps[place];
    let repeats = found.repeated_from().is_some_and(|start| place >= start);
    let class = if step.is_visible { "" } else { " class=\"silent\"" };
    let number = format!("{}{}", place + 1, if repeats { " ↻" } else { "" });
    let mut text = format!("<tr{class}><td class=\"n\">{number}</td><td><code>{}</code></td>", escape(&name(step)));
    for &column in columns {
        let own = step.parts.iter().filter(|part| part.component == column).map(|part| part.event.as_str());
        let _ = write!(text, "<td><code>{}</code></td>", escape(&own.collect::<Vec<_>>().join(" ")));
    }
    if has_allowed {
        let allowed = found.allowed.get(place).map_or(String::new(), verdict::list);
        let _ = write!(text, "<td><code>{}</code></td>", escape(&allowed));
    }
    text.push_str("</tr>");
    text
}

fn name(step: &Step) -> String {
    match step.hidden() {
        Some(hidden) => format!("τ ({hidden})"),
        None if !step.is_visible => "τ".to_owned(),
        None => step.event.clone(),
    }
}

/// Writes the source lines of the steps, with the parts of each step marked and numbered.
fn write_lines(page: &mut Page, checked: &Checked<'_>, number: usize, found: &Counterexample) {
    let mut taken: BTreeMap<Span, Vec<usize>> = BTreeMap::new();
    for (place, step) in found.steps.iter().enumerate() {
        for span in step.parts.iter().filter_map(|part| part.taken) {
            let numbers = taken.entry(span).or_default();
            if numbers.last() != Some(&(place + 1)) {
                numbers.push(place + 1);
            }
        }
    }
    let map = checked.session.source_map();
    let mut lines: BTreeMap<(usize, usize), Vec<Mark>> = BTreeMap::new();
    for (span, numbers) in taken {
        let file = map.files().iter().position(|file| file.span().touches(span.start)).unwrap_or(0);
        let source = &map.files()[file];
        let line = source.line_at((span.start - source.start) as usize);
        let range = source.line_range(line);
        let column = |offset: u32| ((offset - source.start) as usize).clamp(range.start, range.end) - range.start;
        lines.entry((file, line)).or_default().push((column(span.start)..column(span.end), numbers));
    }
    if lines.is_empty() {
        return;
    }
    page.line("<pre>");
    for (&(file, line), marks) in lines.iter().take(MAX_LINES) {
        let source = &map.files()[file];
        let text = &source.text[source.line_range(line)];
        let start = Span::new(source.start + source.line_range(line).start as u32, source.start);
        let link = scripts::link(checked, number, Span::new(start.start, start.start));
        page.line(&format!("<span class=\"pale\">{link}</span>  {}", marked(text, marks)));
    }
    page.line("</pre>");
}

/// Line of source text with highlighted parts.
fn marked(text: &str, marks: &[(Range<usize>, Vec<usize>)]) -> String {
    let mut written = String::new();
    let mut done = 0;
    for (range, numbers) in marks {
        if range.start < done || range.end < range.start {
            continue;
        }
        let shown: Vec<String> = numbers.iter().take(4).map(usize::to_string).collect();
        let more = if numbers.len() > 4 { "…" } else { "" };
        let _ = write!(
            written,
            "{}<mark>{}</mark><sup>{}{more}</sup>",
            escape(&text[done..range.start]),
            escape(&text[range.clone()]),
            shown.join(","),
        );
        done = range.end;
    }
    written + &escape(&text[done..])
}
