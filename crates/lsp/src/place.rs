//! Positions of the protocol: lines and columns from 0, columns in UTF-16 units unless the editor prefers bytes.

use gen_lsp_types::{Position, Range};

/// Unit of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Utf8,
    Utf16,
}

/// Line starts of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub fn of(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let is_end = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let ends = (0..bytes.len()).filter(is_end).map(|at| at + 1);
        Lines { starts: std::iter::once(0).chain(ends).collect() }
    }

    /// Start of a line; the end of the text for lines beyond the last.
    pub fn start(&self, text: &str, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(text.len())
    }

    /// Line of a byte, from 0.
    pub fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// Byte offset of a position, clamped to the end of its line and of the text.
    pub fn offset(&self, text: &str, at: Position, encoding: Encoding) -> usize {
        let line = at.line as usize;
        if line >= self.starts.len() {
            return text.len();
        }
        let range = self.start(text, line)..self.start(text, line + 1);
        let content = text[range.clone()].trim_end_matches(['\r', '\n']);
        let mut units = 0;
        for (at_byte, c) in content.char_indices() {
            let width = match encoding {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
            if units + width > at.character as usize {
                return range.start + at_byte;
            }
            units += width;
        }
        range.start + content.len()
    }

    /// Position of a byte offset.
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_at(offset);
        let before = &text[self.starts[line]..offset];
        let character = match encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.encode_utf16().count(),
        };
        Position { line: line as u32, character: character as u32 }
    }

    pub fn range(&self, text: &str, range: std::ops::Range<usize>, encoding: Encoding) -> Range {
        Range { start: self.position(text, range.start, encoding), end: self.position(text, range.end, encoding) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units() {
        let text = "a\r\n🂡é=x\rlast";
        let lines = Lines::of(text);
        assert_eq!(lines.starts.len(), 3);
        for (offset, line, utf16) in [(0, 0, 0), (3, 1, 0), (7, 1, 2), (9, 1, 3), (10, 1, 4), (12, 2, 0), (16, 2, 4)] {
            let place = Position { line, character: utf16 };
            assert_eq!(lines.position(text, offset, Encoding::Utf16), place, "{offset}");
            assert_eq!(lines.offset(text, place, Encoding::Utf16), offset, "{place:?}");
        }
        let inside = Position { line: 1, character: 1 };
        assert_eq!(lines.offset(text, inside, Encoding::Utf16), 3, "half a character is none");
        assert_eq!(lines.offset(text, Position { line: 0, character: 99 }, Encoding::Utf16), 1);
        assert_eq!(lines.offset(text, Position { line: 9, character: 0 }, Encoding::Utf16), text.len());
        assert_eq!(lines.position(text, 9, Encoding::Utf8), Position { line: 1, character: 6 });
    }
}
