//! Indentation of lines.

use crate::INDENT;
use crate::lines::{Line, Lines, advance, is_comment};
use frontend::layout::{Piece, Role};
use std::collections::HashMap;

/// Result of the indentation pass.
pub struct Placed {
    pub starts: Vec<usize>,
}

/// Declaration: its column in the source, and its new column.
#[derive(Clone, Copy)]
struct Declaration {
    was: usize,
    is: usize,
}

/// Open bracket or block.
enum Open {
    Bracket,
    Block {
        /// Margin of its declarations, once there is one.
        margin: Option<usize>,
        /// Declaration that contains it.
        outer: Declaration,
    },
}

struct Placer<'a> {
    lines: &'a Lines,
    pieces: &'a [Piece],
    open: Vec<Open>,
    declaration: Declaration,
    /// New columns of the columns of the declaration.
    moved: HashMap<usize, usize>,
    /// Old and new column of the comment on the previous line.
    moved_comment: Option<(usize, usize)>,
    /// For each token, the first one from it on that is not a comment.
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
                placer.process(number, column);
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
    /// New column of a line.
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

    /// Processes a token that is not the first of its line.
    fn process(&mut self, number: usize, column: usize) {
        self.enter(number);
        self.settle(number, column);
    }

    /// Closes the brackets and blocks that a token ends, before it is placed.
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

    /// Opens the bracket or block that a token begins, once it is placed.
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

    /// Whether a declaration begins with a token.
    fn begins(&self, number: usize) -> bool {
        self.pieces[number].begins && !matches!(self.open.last(), Some(Open::Bracket))
    }

    /// Column of a declaration.
    fn margin(&self, number: usize) -> usize {
        match self.open.last() {
            Some(Open::Block { margin: Some(margin), .. }) => *margin,
            Some(Open::Block { outer, .. }) => self.shifted(number, *outer, outer.is + INDENT),
            _ => 0,
        }
    }

    /// Column of a continuation line.
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

    /// Column of a comment line: that of the comment line above it, or that of the code that follows.
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
    /// Formatted text.
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
