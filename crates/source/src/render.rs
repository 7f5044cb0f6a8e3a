//! Diagnostics as text for people.
//!
//! The drawing is done by `annotate-snippets`. It is never shown a whole file: [`excerpt`] cuts out the lines that
//! carry labels and shortens long ones, so that the cost of a message depends on its labels and not on the size of the
//! script. The columns in headings are always those of the real text.

mod excerpt;

use crate::{Diagnostic, Position, Severity, SourceMap};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use excerpt::{Excerpt, cut_excerpts};
use limits::display::excerpts::RENDERED_WIDTH;
use std::borrow::Cow;

/// The diagnostic as plain text, ending with a line end.
pub fn plain(map: &SourceMap, diagnostic: &Diagnostic) -> String {
    draw(&Renderer::plain().term_width(RENDERED_WIDTH), map, diagnostic)
}

/// The diagnostic with ANSI colors, ending with a line end.
pub fn colored(map: &SourceMap, diagnostic: &Diagnostic) -> String {
    draw(&Renderer::styled().term_width(RENDERED_WIDTH), map, diagnostic)
}

fn draw(renderer: &Renderer, map: &SourceMap, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(one_line(&diagnostic.title)).id(diagnostic.code);
    let excerpts = cut_excerpts(map, diagnostic);
    let mut group = Group::with_title(title).elements(excerpts.iter().map(snippet));
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(printable(note)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    let mut text = renderer.render(&[group]);
    text.push('\n');
    correct_columns(text, map, &excerpts)
}

fn snippet<'a>(excerpt: &'a Excerpt<'a>) -> Snippet<'a, Annotation<'a>> {
    let annotations = excerpt.marks.iter().map(|mark| {
        let kind = if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let label = (!mark.label.text.is_empty()).then(|| one_line(&mark.label.text));
        kind.span(mark.range.clone()).label(label)
    });
    let path = one_line(excerpt.path);
    Snippet::source(&excerpt.text).path(path).line_start(excerpt.first_line).annotations(annotations)
}

/// Replaces the columns that the renderer counted in shortened lines by those of the real lines.
fn correct_columns(mut text: String, map: &SourceMap, excerpts: &[Excerpt]) -> String {
    for excerpt in excerpts {
        let path = one_line(excerpt.path);
        for mark in &excerpt.marks {
            let Position { line, column } = map.position(mark.label.span);
            let shown = excerpt.column_of(mark);
            if shown != column as usize {
                text = text.replace(&format!("{path}:{line}:{shown}\n"), &format!("{path}:{line}:{column}\n"));
            }
        }
    }
    text
}

/// Text with its control characters spelled out: scripts may contain terminal commands, even in strings.
fn printable(text: &str) -> Cow<'_, str> {
    spell_out(text, |c| c.is_control() && c != '\n')
}

/// The same, for places that have room for one line only.
fn one_line(text: &str) -> Cow<'_, str> {
    spell_out(text, char::is_control)
}

fn spell_out(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_bad) {
        return Cow::Borrowed(text);
    }
    let spell = |c: char| if is_bad(c) { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(spell).collect())
}
