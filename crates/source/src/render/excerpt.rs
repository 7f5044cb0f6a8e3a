//! The few lines of a script that a diagnostic needs.
//!
//! Labels are gathered by file and nearness; each gathering becomes one excerpt with the lines that carry its labels.
//! Lines far from any label are left empty (the renderer folds them), long lines keep only what is around the ends of
//! their labels, and a label over many lines is shown at its first line only.

use crate::{Diagnostic, Label, SourceFile, SourceMap};
use limits::display::excerpts::{FAR_LINES, LONG_LINE, MARGIN, MAX_GAP, MAX_LABEL_LINES};
use std::ops::Range;

const ELLIPSIS: &str = "...";

/// A piece of one file with marks on it.
pub(super) struct Excerpt<'a> {
    pub path: &'a str,
    pub first_line: usize,
    pub text: String,
    /// Never empty.
    pub marks: Vec<Mark<'a>>,
}

impl Excerpt<'_> {
    /// The column, in characters from 1, at which a mark starts in the text of the excerpt.
    pub fn column_of(&self, mark: &Mark) -> usize {
        let before = &self.text[..mark.range.start];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        before[line_start..].chars().count() + 1
    }
}

/// A label with its place in the text of the excerpt.
pub(super) struct Mark<'a> {
    pub label: &'a Label,
    pub is_primary: bool,
    pub range: Range<usize>,
}

/// The excerpts of a diagnostic, the one with the primary label first. A file without text gives none: there is
/// nothing to look at.
pub(super) fn cut_excerpts<'a>(map: &'a SourceMap, diagnostic: &'a Diagnostic) -> Vec<Excerpt<'a>> {
    if map.files().is_empty() {
        return Vec::new();
    }
    let mut gatherings: Vec<Gathering> = Vec::new();
    let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
    for (i, label) in labels.enumerate() {
        let place = Place::of(map, label, i == 0);
        if place.file.text.is_empty() {
            continue;
        }
        match gatherings.iter_mut().find(|gathering| gathering.is_near(&place)) {
            Some(gathering) => gathering.add(place),
            None => gatherings.push(Gathering { file: place.file, lines: place.lines(), places: vec![place] }),
        }
    }
    gatherings.into_iter().map(Gathering::cut).collect()
}

/// A label with its place in its file, bounded to a few lines.
struct Place<'a> {
    label: &'a Label,
    is_primary: bool,
    file: &'a SourceFile,
    range: Range<usize>,
}

impl<'a> Place<'a> {
    fn of(map: &'a SourceMap, label: &'a Label, is_primary: bool) -> Place<'a> {
        let file = map.file_of(label.span);
        let range = map.range_in_file(label.span);
        let start = file.text.floor_char_boundary(range.start);
        let mut end = file.text.ceil_char_boundary(range.end.max(start));
        let first_line = file.line_range(file.line_at(start));
        let last_line = file.line_at(end);
        if last_line - file.line_at(start) >= MAX_LABEL_LINES {
            end = first_line.end;
        } else if file.line_range(last_line).start == end && end > start {
            // The label ends with a line end: nothing of the next line belongs to it.
            end = file.line_range(last_line - 1).end;
        }
        Place { label, is_primary, file, range: start..end.max(start) }
    }

    fn lines(&self) -> Range<usize> {
        self.file.line_at(self.range.start)..self.file.line_at(self.range.end) + 1
    }
}

/// Labels near each other in one file, and the lines they span.
struct Gathering<'a> {
    file: &'a SourceFile,
    lines: Range<usize>,
    places: Vec<Place<'a>>,
}

impl<'a> Gathering<'a> {
    fn is_near(&self, place: &Place) -> bool {
        let lines = place.lines();
        self.file.start == place.file.start
            && lines.start < self.lines.end + FAR_LINES
            && self.lines.start < lines.end + FAR_LINES
    }

    fn add(&mut self, place: Place<'a>) {
        let lines = place.lines();
        self.lines = self.lines.start.min(lines.start)..self.lines.end.max(lines.end);
        self.places.push(place);
    }

    fn cut(self) -> Excerpt<'a> {
        let mut cutting = Cutting { text: String::new(), kept: Vec::new() };
        for line in self.lines.clone() {
            if self.shows(line) {
                let range = self.file.line_range(line);
                let ends = self.places.iter().flat_map(|place| [place.range.start, place.range.end]);
                cutting.keep_line(&self.file.text, range.clone(), ends.filter(|end| touches(&range, *end)));
            }
            cutting.text.push('\n');
        }
        let marks = self.places.into_iter().map(|place| Mark {
            label: place.label,
            is_primary: place.is_primary,
            range: cutting.position(place.range.start)..cutting.position(place.range.end),
        });
        let marks = marks.collect();
        Excerpt { path: &self.file.path, first_line: self.lines.start, text: cutting.text, marks }
    }

    fn shows(&self, line: usize) -> bool {
        self.places.iter().any(|place| {
            let lines = place.lines();
            lines.start <= line + MAX_GAP && line < lines.end + MAX_GAP
        })
    }
}

/// The text of an excerpt as it grows, and where its pieces come from.
struct Cutting {
    text: String,
    /// Range in the file and the place of its first byte in `text`; in order.
    kept: Vec<(Range<usize>, usize)>,
}

impl Cutting {
    /// Keeps the line at `range`; of a long one only what lies around `ends`, or its beginning.
    fn keep_line(&mut self, text: &str, range: Range<usize>, ends: impl Iterator<Item = usize>) {
        if range.len() <= LONG_LINE {
            return self.keep(text, range);
        }
        let mut shown = range.start;
        for piece in pieces_around(&range, ends) {
            let piece = text.floor_char_boundary(piece.start)..text.ceil_char_boundary(piece.end);
            if piece.start > shown {
                self.text.push_str(ELLIPSIS);
            }
            shown = piece.end;
            self.keep(text, piece);
        }
        if shown < range.end {
            self.text.push_str(ELLIPSIS);
        }
    }

    fn keep(&mut self, text: &str, range: Range<usize>) {
        self.kept.push((range.clone(), self.text.len()));
        self.text.push_str(&text[range]);
    }

    /// Where the byte at `offset` of the file lies in the excerpt.
    fn position(&self, offset: usize) -> usize {
        let after = self.kept.partition_point(|(range, _)| range.start <= offset);
        self.kept
            .get(after.saturating_sub(1))
            .map_or(0, |(range, at)| at + offset.clamp(range.start, range.end) - range.start)
    }
}

/// The parts of a long line around the given offsets, in order and merged where they overlap.
fn pieces_around(line: &Range<usize>, ends: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let around = |end: usize| end.saturating_sub(MARGIN).max(line.start)..(end + MARGIN).min(line.end);
    let mut pieces: Vec<Range<usize>> = ends.map(around).collect();
    if pieces.is_empty() {
        pieces.push(line.start..line.start + MARGIN.min(line.len()));
    }
    pieces.sort_by_key(|piece| piece.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if piece.start <= last.end + ELLIPSIS.len() => last.end = last.end.max(piece.end),
            _ => merged.push(piece),
        }
    }
    merged
}

fn touches(range: &Range<usize>, offset: usize) -> bool {
    range.start <= offset && offset <= range.end
}
