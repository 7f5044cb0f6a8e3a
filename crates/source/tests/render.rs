//! What people see of a diagnostic, shape by shape; the outputs are in `render/`.

use source::{Diagnostic, Phase, SourceMap, Span, render};
use std::path::Path;
use std::time::{Duration, Instant};
use test_support::golden;

fn script(text: &str) -> SourceMap {
    let mut map = SourceMap::new();
    map.add("buffer.csp", text).unwrap();
    map
}

/// The first occurrence of `part` in any file.
fn find(map: &SourceMap, part: &str) -> Span {
    let file = map.files().iter().find(|file| file.text.contains(part)).unwrap();
    let start = file.start + file.text.find(part).unwrap() as u32;
    Span::new(start, start + part.len() as u32)
}

fn error(span: Span, title: &str) -> Diagnostic {
    Diagnostic::error(Phase::Types, "cspm::test", span, title)
}

#[track_caller]
fn shows(name: &str, map: &SourceMap, diagnostic: &Diagnostic) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render");
    golden::check(&folder.join(name).with_extension("txt"), &render::plain(map, diagnostic));
}

#[test]
fn labels_notes_and_help() {
    let map = script("channel left : T.T\n\n\n\n\n\n\n\n\nCOPY = left?x!y!0 -> right!x -> COPY\n");
    let diagnostic = error(find(&map, "!0"), "`left` carries 2 fields, but 3 are given")
        .label("there is no third field")
        .also(find(&map, "left"), "declared with 2 fields")
        .with_note("a channel carries the fields of its declaration\nin their order")
        .help("remove `!0`, or declare `channel left : T.T.T`");
    shows("labels-notes-and-help", &map, &diagnostic);
}

#[test]
fn warnings_and_notes() {
    let map = script("x = 1\n");
    let warning = Diagnostic::warning(Phase::Names, "cspm::test", find(&map, "x"), "a warning");
    let note = Diagnostic::note(Phase::Names, "cspm::test", find(&map, "1"), "a note").label("here");
    shows("warning", &map, &warning);
    shows("note", &map, &note);
}

#[test]
fn another_file() {
    let mut map = script("include \"types.csp\"\nP = left!0 -> STOP\n");
    map.add("types.csp", "\n\nchannel left : Bool\n").unwrap();
    let diagnostic = error(find(&map, "0"), "`0` is not a `Bool`").also(find(&map, "Bool"), "declared here");
    shows("another-file", &map, &diagnostic);
}

#[test]
fn tabs_and_wide_characters() {
    let map = script("\tP = \"猫é\"\t-> x\n");
    shows("tabs-and-wide-characters", &map, &error(find(&map, "x"), "column 14").label("here"));
}

#[test]
fn carriage_returns() {
    let dos = script("a = 1\r\nb = 2\r\nc = 3\r\n");
    shows("line-ends", &dos, &error(find(&dos, "b"), "second line").also(find(&dos, "3"), "third line"));
    let mac = script("a = 1\rb = 2\rc = 3\r");
    shows("line-ends", &mac, &error(find(&mac, "b"), "second line").also(find(&mac, "3"), "third line"));
}

#[test]
fn end_of_file() {
    let map = script("P = (a -> STOP\n");
    let end = Span::new(15, 15);
    shows("end-of-file", &map, &error(end, "a bracket is open").label("here").also(find(&map, "("), "opened"));
    let map = script("P = (");
    shows("end-of-file-in-line", &map, &error(Span::new(5, 5), "an expression is missing").label("here"));
}

#[test]
fn a_file_without_text_shows_no_lines() {
    shows("without-text", &script(""), &error(Span::default(), "cannot read `buffer.csp`").help("check the name"));
    shows(
        "without-text",
        &SourceMap::new(),
        &error(Span::default(), "cannot read `buffer.csp`").help("check the name"),
    );
}

#[test]
fn several_lines() {
    let map = script("P =\n  a ->\n  b ->\n  STOP\nQ = P\n");
    shows("several-lines", &map, &error(find(&map, "a ->\n  b ->\n  STOP"), "too many lines").label("all of this"));
    let map = script(&format!("x = <{}>\n", "1,\n".repeat(1000)));
    shows("too-many-lines", &map, &error(map.files()[0].span(), "a long story").label("starts here"));
}

#[test]
fn a_label_ends_at_its_line_end() {
    let map = script("a\nb\n");
    shows("through-line-end", &map, &error(Span::new(0, 2), "first line").label("here"));
}

#[test]
fn long_lines_are_cut_around_their_labels() {
    let text = format!("S = {{{} wrong, {} }}\n", "1234567890,".repeat(50_000), "0,".repeat(50_000));
    let map = script(&text);
    let diagnostic = error(find(&map, "wrong"), "unknown name").label("here").also(find(&map, "S"), "in this set");
    shows("long-line", &map, &diagnostic);
    assert!(render::colored(&map, &diagnostic).contains("buffer.csp:1:550007\n"));
}

#[test]
fn far_labels_come_in_two_excerpts() {
    let map = script(&format!("first = 1\n{}last = 1\n", "x = 1\n".repeat(5000)));
    shows("far-labels", &map, &error(find(&map, "last"), "defined twice").also(find(&map, "first"), "first here"));
}

#[test]
fn control_characters_are_spelled_out() {
    let map = script("x = \"\u{1b}[31m\"\n");
    let diagnostic = error(find(&map, "x"), "a \u{1b}[31m title\nin two lines").with_note("a\u{7} note\nhere");
    shows("control-characters", &map, &diagnostic);
}

#[test]
fn spans_that_fit_nothing_are_survived() {
    let map = script("é = 1\n");
    for (start, end) in [(1, 1), (1, 2), (5, 2), (100, 200), (0, 4_000_000_000)] {
        assert!(render::plain(&map, &error(Span::new(start, end), "odd").label("odd")).contains("odd"));
    }
}

#[test]
fn many_messages_about_a_large_file_are_quick() {
    let map = script(&"ABC = left?x -> right!x -> ABC\n".repeat(60_000));
    let start = Instant::now();
    for i in 0..500 {
        let span = Span::new(i * 3000, i * 3000 + 5);
        render::plain(&map, &error(span, "somewhere").label("here").also(Span::new(i, i + 1), "and there"));
    }
    assert!(start.elapsed() < Duration::from_secs(5), "took {:?}", start.elapsed());
}
