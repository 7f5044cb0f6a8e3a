//! Detection of foreign notation: that of textbooks, other tools and other languages.
//!
//! For `P || Q` or `(a -> P | b -> Q)`, a message such as "expected `)`" does not help. At a syntax error, the tokens
//! around the cursor are compared with known foreign notation; the message names the construct and its CSPM form.

mod errors;

use super::{Damage, Parsed, Parser};
use crate::lex::TokenKind::{self, *};
use crate::syntax::{BinaryOp, Expr, ExprId};
use limits::effort::cspm_checks::MAX_LET_DISTANCE;
use source::{Diagnostic, Span, suggest};

/// Keywords for which misspellings are detected.
const KEYWORDS: [(&str, TokenKind); 9] = [
    ("channel", Channel),
    ("datatype", Datatype),
    ("subtype", Subtype),
    ("nametype", Nametype),
    ("external", External),
    ("transparent", Transparent),
    ("assert", Assert),
    ("print", Print),
    ("module", Module),
];

/// Keywords of other languages, with the corresponding token; `None` if CSPM needs none.
const ELSEWHERE: [(&str, Option<TokenKind>); 12] = [
    ("event", Some(Channel)),
    ("events", Some(Channel)),
    ("chan", Some(Channel)),
    ("channels", Some(Channel)),
    ("alphabet", Some(Channel)),
    ("data", Some(Datatype)),
    ("type", Some(Datatype)),
    ("check", Some(Assert)),
    ("process", None),
    ("proc", None),
    ("const", None),
    ("def", None),
];

impl Parser<'_> {
    /// The diagnostic of foreign notation at the cursor.
    pub(super) fn foreign_notation(&self) -> Option<Diagnostic> {
        let span = self.cursor.span();
        let before = self.cursor.text(self.cursor.previous_span());
        match self.cursor.peek() {
            DoubleBar => Some(errors::bare_parallel(self.left_name(), self.name_at(1), span)),
            Bar if self.cursor.kind_at(1) == BracketOpen => Some(self.bar_and_bracket(span)),
            Bar if before.ends_with(|c: char| c.is_alphanumeric() || ")]}>'_".contains(c)) => {
                Some(errors::bar_as_choice(span))
            }
            FatArrow => Some(errors::fat_arrow(span)),
            Greater if before == "-" => Some(errors::split_operator("->", self.cursor.previous_span().to(span))),
            BracketClose if before == "[" => Some(errors::split_operator("[]", self.cursor.previous_span().to(span))),
            Equals if before == "[" => {
                Some(errors::refinement_without_model(self.cursor.previous_span().to(span), self.name_at(1)))
            }
            Equals if before == ":" => Some(errors::assignment(self.cursor.previous_span().to(span))),
            Equals if self.declares_channel() => Some(errors::channel_equals(before, span)),
            Divide if before == r"\" => Some(errors::not_an_operator(r"\/", self.cursor.previous_span().to(span))),
            Divide if before == "/" => Some(errors::foreign_comment(self.cursor.previous_span().to(span))),
            Guard if before == "&" => Some(errors::not_an_operator("&&", self.cursor.previous_span().to(span))),
            EmptySeq => Some(errors::foreign_operator("<>", "!=", span)),
            Ident if self.cursor.text(span) == "mod" => Some(errors::foreign_operator("mod", "%", span)),
            Ident if self.cursor.text(span) == "div" => Some(errors::foreign_operator("div", "/", span)),
            Ident if self.cursor.text(span) == "in" && self.is_in_let() => Some(errors::let_in(span)),
            Ident if matches!(before, "mu" | "rec") => {
                Some(errors::fixed_point(self.cursor.text(span), self.cursor.previous_span().to(span)))
            }
            _ => None,
        }
    }

    /// The diagnostic of foreign notation inside of brackets. A `|` is legal in those of a collection.
    pub(super) fn foreign_notation_within(&self, open: &str) -> Option<Diagnostic> {
        let is_collection = matches!(open, "{" | "{|" | "<" | "(|");
        match self.cursor.peek() {
            Bar if is_collection => None,
            Colon if open == "(" && self.cursor.kind_at(1).begins_operand() => {
                Some(errors::choice_from_set(self.left_name().unwrap_or("x"), self.cursor.span()))
            }
            _ => self.foreign_notation(),
        }
    }

    /// Whether a `let` is open; otherwise `in` may be the name of a channel.
    fn is_in_let(&self) -> bool {
        let before = (0..self.cursor.index())
            .rev()
            .take(MAX_LET_DISTANCE)
            .map(|index| self.cursor.text(self.cursor.span_of(index)));
        before.take_while(|word| *word != "within").any(|word| word == "let")
    }

    /// Whether the previous token is the first name after `channel`.
    fn declares_channel(&self) -> bool {
        let index = self.cursor.index();
        index >= 2 && self.cursor.text(self.cursor.span_of(index - 2)) == "channel"
    }

    /// The previous token, if it is a name.
    fn left_name(&self) -> Option<&str> {
        let text = self.cursor.text(self.cursor.previous_span());
        text.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(text)
    }

    /// The `n`th token after the cursor, if it is a name.
    fn name_at(&self, n: usize) -> Option<&str> {
        let is_name = self.cursor.kind_at(n) == Ident && !self.cursor.separated_at(n);
        is_name.then(|| self.cursor.text(self.cursor.span_of(self.cursor.index() + n)))
    }

    /// The diagnostic of `P |[A]| Q`.
    fn bar_and_bracket(&self, span: Span) -> Diagnostic {
        let first = self.cursor.index() + 2;
        let mut n = 2;
        while !matches!(self.cursor.kind_at(n), BracketClose | Boundary | End) && !self.cursor.separated_at(n) {
            n += 1;
        }
        let last = self.cursor.span_of(self.cursor.index() + n - 1);
        let inside = if n > 2 { self.cursor.text(self.cursor.span_of(first).to(last)) } else { "A" };
        errors::bar_and_bracket(&as_set(inside), span.to(self.cursor.span_of(first - 1)))
    }

    /// Reports events after `[|` without the braces of a set: `[| a, b |]`.
    pub(super) fn report_listed_events(&mut self, first: ExprId) -> Damage {
        let start = self.cursor.span_of(self.cursor.index());
        while !matches!(self.cursor.peek(), ParallelClose | Boundary | End) && !self.cursor.separated() {
            self.cursor.bump();
        }
        let list = self.ast.expr_span(first).to(self.cursor.previous_span());
        let is_closed = self.cursor.peek() == ParallelClose && list.end > start.start;
        let text = if is_closed { self.cursor.text(list) } else { "a, b" };
        let diagnostic = errors::listed_events(&as_set(text), list);
        self.report(diagnostic)
    }

    /// Reports a renaming without `<-` whose events are clear: `[[new/old]]`, `[[old -> new]]`.
    pub(super) fn report_foreign_renaming(&mut self, pair: ExprId) -> Option<Damage> {
        let (old, new) = match *self.ast.expr(pair) {
            Expr::Binary(BinaryOp::Divide, new, old) => (old, new),
            Expr::Prefix { event, process, .. } => (event, process),
            _ => return None,
        };
        let text = |expr: ExprId| self.cursor.text(self.ast.expr_span(expr));
        let diagnostic = errors::foreign_renaming(text(old), text(new), self.ast.expr_span(pair));
        Some(self.report(diagnostic))
    }

    /// Reports `P[a <- b]`.
    pub(super) fn report_single_brackets(&mut self, first: ExprId) -> Damage {
        let old = self.cursor.text(self.ast.expr_span(first));
        let diagnostic = errors::single_brackets(old, self.name_at(1).unwrap_or("NEW"), self.cursor.span());
        self.report(diagnostic)
    }

    /// Whether an expression is the first word of a property: `P [deadlock free]`.
    pub(super) fn names_property(&self, first: ExprId) -> bool {
        let text = self.cursor.text(self.ast.expr_span(first));
        ["deadlock", "divergence", "livelock", "deterministic", "has"].contains(&text)
    }

    /// Reports a property without the colon before its bracket.
    pub(super) fn report_property_without_colon(&mut self, first: ExprId) -> Damage {
        let span = self.ast.expr_span(first);
        let mut words = vec![self.cursor.text(span)];
        while self.cursor.peek() == Ident {
            let word = self.cursor.bump();
            words.push(self.cursor.text(word));
        }
        let diagnostic = errors::property_without_colon(&words.join(" "), span.to(self.cursor.previous_span()));
        self.report(diagnostic)
    }

    /// Consumes a misspelled or foreign keyword, and returns the intended one: `chanel a`, `process P = ...`. No
    /// declaration begins with two names, so this is unambiguous.
    pub(super) fn mistaken_keyword(&mut self) -> Option<Parsed<Option<TokenKind>>> {
        let next = self.name_at(1)?;
        if self.cursor.peek() != Ident {
            return None;
        }
        let span = self.cursor.span();
        let word = self.cursor.text(span);
        let near = suggest::nearest(word, KEYWORDS.iter().map(|(name, _)| *name));
        let named = |name: &str| KEYWORDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        let meant = match ELSEWHERE.iter().find(|(known, _)| *known == word) {
            Some((_, meant)) => *meant,
            None => Some(named(near?)?),
        };
        let keyword = KEYWORDS.iter().find(|(_, kind)| Some(*kind) == meant).map(|(name, _)| *name);
        let diagnostic = errors::unknown_keyword(word, keyword, next, span);
        self.report(diagnostic);
        if meant.is_none() {
            self.cursor.bump();
        }
        Some(Ok(meant))
    }

    /// The diagnostic of a definition with an operator other than `=`: `P := Q`, `P == Q`.
    pub(super) fn foreign_definition(&self, left: ExprId) -> Option<Diagnostic> {
        let span = self.cursor.span();
        match self.ast.expr(self.leftmost(left)) {
            _ if self.cursor.peek() == Colon && self.cursor.kind_at(1) == Equals => {
                Some(errors::assignment(span.to(self.cursor.span_of(self.cursor.index() + 1))))
            }
            Expr::Binary(BinaryOp::Equal, name, value) => {
                let between = Span::new(self.ast.expr_span(*name).end, self.ast.expr_span(*value).start);
                let offset = self.cursor.text(between).find("==").unwrap_or(0) as u32;
                let sign = Span::new(between.start + offset, between.start + offset + 2);
                Some(errors::double_equals(self.cursor.text(self.ast.expr_span(*name)), sign))
            }
            _ => None,
        }
    }

    /// The leftmost operand of an expression, up to a comparison.
    fn leftmost(&self, expr: ExprId) -> ExprId {
        let mut at = expr;
        loop {
            at = match self.ast.expr(at) {
                Expr::Prefix { event: left, .. } | Expr::Process(_, left, _) | Expr::Hide(left, _) => *left,
                _ => return at,
            };
        }
    }
}

/// A list of events as a set of all events of the named channels.
fn as_set(text: &str) -> String {
    let text = text.trim();
    if text.starts_with('{') { text.to_owned() } else { format!("{{|{text}|}}") }
}
