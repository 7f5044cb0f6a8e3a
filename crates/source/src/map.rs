//! Where the texts of a run lie in the common range of offsets.

use std::ops::Range;

/// A range of bytes in the common offsets of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to `end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest range that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty range just before this one.
    pub fn at_start(self) -> Span {
        Span { start: self.start, end: self.start }
    }

    /// The empty range just after this one.
    pub fn at_end(self) -> Span {
        Span { start: self.end, end: self.end }
    }

    /// Whether `offset` lies in the range or directly behind it, as a cursor would.
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }
}

/// A place as people count it: lines and columns from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// The outside world as far as reading scripts goes. Implemented by the binary on the disk and by tests in memory.
pub trait Files {
    /// Reads the file at `path`; the error is a phrase that completes "cannot read PATH: ...".
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;
}

/// One text with its place in the common offsets.
#[derive(Debug)]
pub struct SourceFile {
    /// The path as the user would write it.
    pub path: String,
    /// The text itself.
    pub text: String,
    /// Offset of the first byte of `text`.
    pub start: u32,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// The part of the common offsets that this text takes.
    pub fn span(&self) -> Span {
        Span { start: self.start, end: self.start + self.text.len() as u32 }
    }

    /// The line, from 1, in which the byte at `offset` of the text lies.
    pub fn line_at(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start as usize <= offset)
    }

    /// Where a line (from 1) lies in the text, without its line end; empty behind the last line.
    pub fn line_range(&self, line: usize) -> Range<usize> {
        let bound = |line: usize| self.line_starts.get(line).map_or(self.text.len(), |&start| start as usize);
        let (start, end) = (bound(line.saturating_sub(1)), bound(line));
        start..start + self.text[start..end].trim_end_matches(['\r', '\n']).len()
    }

    fn local(&self, span: Span) -> Range<usize> {
        let clamp = |offset: u32| (offset.saturating_sub(self.start) as usize).min(self.text.len());
        clamp(span.start)..clamp(span.end)
    }
}

/// Every text of a run, in the order in which it was added.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without texts.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a text behind all others and returns the range it takes.
    ///
    /// Returns `None` when the common offsets are used up (4 GiB in all).
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> Option<Span> {
        let text = text.into();
        // One byte is left free between files, so that the empty span at an end belongs to exactly one file.
        let start = self.files.last().map_or(0, |last| last.span().end + 1);
        let end = u64::from(start) + text.len() as u64;
        if end >= u64::from(u32::MAX) {
            return None;
        }
        let line_starts = std::iter::once(0).chain(line_ends(&text)).collect();
        self.files.push(SourceFile { path: path.into(), text, start, line_starts });
        Some(Span { start, end: end as u32 })
    }

    /// The texts, in the order they were added.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The file in which `span` lies.
    ///
    /// # Panics
    /// When the map is empty.
    pub fn file_of(&self, span: Span) -> &SourceFile {
        let after = self.files.partition_point(|file| file.start <= span.start);
        &self.files[after.saturating_sub(1)]
    }

    /// The text under `span`.
    pub fn text(&self, span: Span) -> &str {
        let file = self.file_of(span);
        file.text.get(file.local(span)).unwrap_or("")
    }

    /// Line and column of the first character of `span`.
    pub fn position(&self, span: Span) -> Position {
        let file = self.file_of(span);
        let offset = file.local(span).start;
        let line = file.line_at(offset);
        let line_start = file.line_starts[line - 1] as usize;
        let column = file.text.get(line_start..offset).map_or(0, |before| before.chars().count());
        Position { line: line as u32, column: column as u32 + 1 }
    }

    /// How many bytes of its line stand before `span`.
    pub fn indentation(&self, span: Span) -> u32 {
        let file = self.file_of(span);
        let offset = file.local(span).start as u32;
        let line = file.line_starts.partition_point(|&start| start <= offset);
        offset - file.line_starts[line - 1]
    }

    /// The offset of a place in a file, whose lines and columns count from 1, columns in characters.
    pub fn offset(&self, path: &str, line: usize, column: usize) -> Option<u32> {
        let file = self.files.iter().find(|file| file.path == path)?;
        let range = file.line_range(line);
        let text = &file.text[range.clone()];
        let within = text.char_indices().nth(column.checked_sub(1)?).map_or(text.len(), |(at, _)| at);
        Some(file.start + (range.start + within) as u32)
    }

    /// Where `span` lies inside the text of its file.
    pub fn range_in_file(&self, span: Span) -> Range<usize> {
        self.file_of(span).local(span)
    }
}

/// Offsets just behind every line end; a lone CR counts as one, as on old Macs.
fn line_ends(text: &str) -> impl Iterator<Item = u32> + '_ {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().filter_map(move |(i, &byte)| match byte {
        b'\n' => Some(i as u32 + 1),
        b'\r' if bytes.get(i + 1) != Some(&b'\n') => Some(i as u32 + 1),
        _ => None,
    })
}
