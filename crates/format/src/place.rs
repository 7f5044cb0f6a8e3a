//! Where lines begin.

use crate::INDENT;
use crate::lines::{Line, Lines, advance, is_comment};
use frontend::layout::{Piece, Role};
use std::collections::HashMap;

/// Where each line begins.
pub struct Placed {
    pub starts: Vec<usize>,
}

/// A declaration: where it began, and where it begins now.
#[derive(Clone, Copy)]
struct Declaration {
    was: usize,
    is: usize,
}

/// Something open.
enum Open {
    Bracket,
    Block {
        /// The margin of its declarations, once there is one.
        margin: Option<usize>,
        /// The declaration that it is part of.
        outer: Declaration,
    },
}

struct Placer<'a> {
    lines: &'a Lines,
    pieces: &'a [Piece],
    open: Vec<Open>,
    declaration: Declaration,
    /// Where what stood in a column of the declaration stands now.
    moved: HashMap<usize, usize>,
    /// The same for comments on the line before.
    moved_comment: Option<(usize, usize)>,
    /// For each piece the first from it on that is no comment.
    code_from: Vec<Option<usize>>,
}

pub fn place(text: &str, pieces: &[Piece], lines: &Lines, gaps: &[usize]) -> Placed {
    let declaration = Declaration { was: 0, is: 0 };
    let mut placer = Placer {
        lines,
        pieces,
        open: Vec::new(),
        declaration,
        moved: HashMap::new(),
        moved_comment: None,
        code_from: code_from(pieces),
    };
    let mut starts = Vec::with_capacity(lines.lines.len());
    for line in &lines.lines {
        let start = placer.start(line);
        starts.push(start);
        let mut column = start;
        let mut comment = None;
        for number in line.pieces.clone() {
            if number > line.pieces.start {
                column += gaps[number];
                placer.meet(number, column);
            }
            if is_comment(&pieces[number]) {
                comment = Some((lines.columns[number], column));
            } else {
                placer.moved.insert(lines.columns[number], column);
            }
            column = advance(column, &text[pieces[number].range.clone()]);
        }
        placer.moved_comment = comment;
    }
    Placed { starts }
}

fn code_from(pieces: &[Piece]) -> Vec<Option<usize>> {
    let mut found = None;
    let mut code_from: Vec<Option<usize>> = (0..pieces.len())
        .rev()
        .map(|number| {
            found = if is_comment(&pieces[number]) { found } else { Some(number) };
            found
        })
        .collect();
    code_from.reverse();
    code_from
}

impl Placer<'_> {
    /// Where a line begins.
    fn start(&mut self, line: &Line) -> usize {
        let number = line.pieces.start;
        if is_comment(&self.pieces[number]) {
            return self.comment_start(line, number);
        }
        self.enter(number);
        let start = if self.begins(number) { self.margin(number) } else { self.continued(number) };
        self.settle(number, start);
        start
    }

    /// Meets a piece that is not the first of its line.
    fn meet(&mut self, number: usize, column: usize) {
        self.enter(number);
        self.settle(number, column);
    }

    /// Closes what a piece closes, before it gets its place.
    fn enter(&mut self, number: usize) {
        match self.pieces[number].role {
            Role::Close => {
                if matches!(self.open.last(), Some(Open::Bracket)) {
                    self.open.pop();
                }
            }
            Role::BlockClose => {
                let block = self.open.iter().rposition(|open| matches!(open, Open::Block { .. }));
                if let Some(block) = block {
                    if let Open::Block { outer, .. } = self.open[block] {
                        self.declaration = outer;
                    }
                    self.open.truncate(block);
                }
            }
            Role::BlockMiddle => {
                if let Some(Open::Block { outer, .. }) = self.open.last() {
                    self.declaration = *outer;
                }
            }
            Role::Plain | Role::Open | Role::BlockOpen => {}
        }
    }

    /// Opens what a piece opens, once it has its place.
    fn settle(&mut self, number: usize, column: usize) {
        if self.begins(number) {
            self.declaration = Declaration { was: self.lines.columns[number], is: column };
            match self.open.last_mut() {
                Some(Open::Block { margin, .. }) => _ = margin.get_or_insert(column),
                _ => self.moved.clear(),
            }
        }
        match self.pieces[number].role {
            Role::Open => self.open.push(Open::Bracket),
            Role::BlockOpen => self.open.push(Open::Block { margin: None, outer: self.declaration }),
            Role::Plain | Role::Close | Role::BlockMiddle | Role::BlockClose => {}
        }
    }

    /// Whether a declaration begins with a piece.
    fn begins(&self, number: usize) -> bool {
        self.pieces[number].begins && !matches!(self.open.last(), Some(Open::Bracket))
    }

    /// Where a declaration begins.
    fn margin(&self, number: usize) -> usize {
        match self.open.last() {
            Some(Open::Block { margin: Some(margin), .. }) => *margin,
            Some(Open::Block { outer, .. }) => self.shifted(number, *outer, outer.is + INDENT),
            _ => 0,
        }
    }

    /// Where a line begins that continues a declaration.
    fn continued(&self, number: usize) -> usize {
        let may_return = matches!(self.pieces[number].role, Role::Close | Role::BlockMiddle | Role::BlockClose);
        if may_return && self.lines.columns[number] <= self.declaration.was {
            return self.declaration.is;
        }
        let least = self.declaration.is + if may_return { 0 } else { INDENT };
        self.shifted(number, self.declaration, least)
    }

    fn shifted(&self, number: usize, declaration: Declaration, least: usize) -> usize {
        let was = self.lines.columns[number];
        if let Some(&is) = self.moved.get(&was)
            && is >= least
        {
            return is;
        }
        (declaration.is + was.saturating_sub(declaration.was)).max(least)
    }

    /// Where a line begins that begins with a comment: below the comment above it, or above what follows.
    fn comment_start(&mut self, line: &Line, number: usize) -> usize {
        let was = self.lines.columns[number];
        if let Some((above, is)) = self.moved_comment
            && above == was
            && !line.follows_blank
        {
            return is;
        }
        let Some(next) = self.code_from[number] else {
            return if was == 0 { 0 } else { self.shifted(number, self.declaration, 0) };
        };
        if self.lines.columns[next] >= was && self.begins(next) {
            return self.margin(next);
        }
        self.shifted(number, self.declaration, self.declaration.is.min(was))
    }
}

impl Placed {
    /// The text with lines and gaps as they should be.
    pub fn write(&self, text: &str, pieces: &[Piece], lines: &Lines, gaps: &[usize]) -> String {
        let mut out = String::with_capacity(text.len());
        for (line, &start) in lines.lines.iter().zip(&self.starts) {
            if line.follows_blank {
                out += lines.line_end;
            }
            out.extend(std::iter::repeat_n(' ', start));
            for number in line.pieces.clone() {
                let gap = if number > line.pieces.start { gaps[number] } else { 0 };
                out.extend(std::iter::repeat_n(' ', gap));
                out += &text[pieces[number].range.clone()];
            }
            out += lines.line_end;
        }
        out
    }
}
