//! Reading operands: constants, atoms, and what opens something larger.

use super::cursor::Read;
use super::dialect::Dialect;
use super::errors;
use super::event::{Event, EventPattern};
use super::parser::{Bracket, Frame, Parser, Time};
use super::read_event::{bare_pattern, enclosed_pattern, pattern_list};
use super::token::{
    Glued, Token, binary_word, change_word, every_fairness_word, fairness_word, glued, named_word, state_word,
    unary_word,
};
use super::tree::{Atom, Fair, Form, NodeId, Quantifier, Text, Unary};
use source::Span;

/// Whether a word is an operator of branching time: one that begins with a quantifier over paths.
fn is_path_word(word: &str) -> bool {
    matches!(word, "AG" | "AF" | "AX" | "EG" | "EF" | "EX")
}

impl Parser<'_> {
    /// Reads an operand; `None` when something larger was opened that needs an operand itself.
    pub(super) fn operand(&mut self) -> Read<Option<NodeId>> {
        if let Some(quantifier) = self.symbolic_quantifier() {
            return self.quantified(quantifier);
        }
        match self.cursor.token() {
            Token::Word => self.word(),
            Token::Open => {
                let open = self.cursor.bump();
                self.stack.push(Frame::Bracket(Bracket { named: None, open, parts: Vec::new(), without: false }));
                Ok(None)
            }
            Token::BracketOpen => self.atom_in_brackets(Atom::Step).map(Some),
            Token::BraceOpen => self.braces().map(Some),
            Token::Number | Token::Arithmetic => self.number().map(Some),
            Token::Unknown if self.dialect == Dialect::Pat && self.cursor.word() == "\"" => self.quoted().map(Some),
            token => match token.unary() {
                Some(operator) => self.prefix(operator),
                None => Err(self.missing_operand().into()),
            },
        }
    }

    /// Steps over an operator before its operand.
    fn prefix(&mut self, operator: Unary) -> Read<Option<NodeId>> {
        if self.time == Time::Branching && operator != Unary::Not {
            return Err(errors::not_branching(self.cursor.word(), self.cursor.span()).into());
        }
        let span = self.cursor.bump();
        self.stack.push(Frame::Prefix(operator, span));
        Ok(None)
    }

    fn word(&mut self) -> Read<Option<NodeId>> {
        let word = self.cursor.word();
        let opens = matches!(self.cursor.second(), Token::Open | Token::Unit);
        if self.time == Time::Branching && self.path_word(word)? {
            return Ok(None);
        }
        if let Some(operator) = unary_word(word).filter(|_| !self.may_be_name(word) || self.operand_follows()) {
            return self.prefix(operator);
        }
        if let (true, Some(named)) = (opens, named_word(word)) {
            let open = self.cursor.bump().to(self.cursor.span());
            if self.cursor.token() == Token::Unit {
                return Err(errors::arguments(named, open).into());
            }
            self.cursor.bump();
            let bracket = Bracket { named: Some(named), open, parts: Vec::new(), without: false };
            self.stack.push(Frame::Bracket(bracket));
            return Ok(None);
        }
        match word {
            "forall" => return self.typed_quantifier(Quantifier::ForAll),
            "exists" => return self.typed_quantifier(Quantifier::Exists),
            "true" | "false" => {
                let span = self.cursor.bump();
                return self.add(Form::Constant(word == "true"), span).map(Some);
            }
            _ => {}
        }
        if let Some(atom) = self.keyword(word, opens)? {
            return Ok(Some(atom));
        }
        if binary_word(word).is_some() && !self.may_be_name(word) {
            return Err(self.missing_operand().into());
        }
        if self.time == Time::Linear && is_path_word(word) && self.operand_follows() {
            return Err(errors::not_linear(word, self.cursor.span()).into());
        }
        if let Some(glued) = glued(word).filter(|glued| glued.has_operand || self.operand_follows()) {
            return self.glued(&glued);
        }
        self.bare().map(Some)
    }

    /// Whether a word that is an operator elsewhere may be the name of an event: PAT has no operators that are long
    /// words. Those that formulas are shown with stay operators.
    fn may_be_name(&self, word: &str) -> bool {
        self.dialect == Dialect::Pat && word.len() > 2 && word != "not"
    }

    /// Whether an operand follows this word; a word of operators is a name where none does.
    fn operand_follows(&self) -> bool {
        let ahead = self.cursor.ahead();
        match ahead.token() {
            Token::Word => binary_word(ahead.word()).is_none() && ahead.word() != "without",
            Token::Number | Token::Open | Token::BracketOpen | Token::BraceOpen | Token::Hash | Token::ForAll => true,
            token => token.unary().is_some(),
        }
    }

    /// Steps over all operators of a word at once.
    fn glued(&mut self, glued: &Glued) -> Read<Option<NodeId>> {
        let start = self.cursor.start();
        let end = start + glued.operators.len();
        if self.time == Time::Branching {
            return Err(errors::not_branching(glued.operators, self.cursor.place(start, end)).into());
        }
        for offset in start..end {
            let letter = &self.cursor.text()[offset..offset + 1];
            let operator = unary_word(letter).expect("glue is made of operators");
            self.stack.push(Frame::Prefix(operator, self.cursor.place(offset, offset + 1)));
        }
        self.cursor.go_to(end);
        Ok(None)
    }

    /// `EX`, `AG`, `E`: pushes a frame if the word is one of these.
    fn path_word(&mut self, word: &str) -> Read<bool> {
        let paths = match word.as_bytes().first() {
            Some(b'E') => Quantifier::Exists,
            Some(b'A') => Quantifier::ForAll,
            _ => return Ok(false),
        };
        let operator = match &word[1..] {
            "" => None,
            "X" => Some(Unary::Next),
            "F" => Some(Unary::Finally),
            "G" => Some(Unary::Globally),
            _ => return Ok(false),
        };
        let span = self.cursor.bump();
        let Some(operator) = operator else {
            self.stack.push(Frame::Path(paths, span));
            return Ok(true);
        };
        let has_step = operator == Unary::Next && self.cursor.token() == Token::BracketOpen && self.step_follows();
        let step = if has_step { Some(self.pattern_in_brackets()?) } else { None };
        self.stack.push(Frame::PathPrefix(paths, operator, step, span));
        Ok(true)
    }

    /// Whether `[op]` behind `EX` is followed by an operand, rather than being one.
    fn step_follows(&self) -> bool {
        let mut ahead = self.cursor.clone();
        if ahead.enclosed().is_err() {
            return true;
        }
        match ahead.token() {
            Token::Word => binary_word(ahead.word()).is_none(),
            Token::Open | Token::BracketOpen | Token::BraceOpen | Token::Not | Token::Number => true,
            _ => false,
        }
    }

    /// Words with a meaning of their own.
    fn keyword(&mut self, word: &str, opens: bool) -> Read<Option<NodeId>> {
        let start = self.cursor.span();
        let is_starred = self.cursor.second() == Token::Star && self.cursor.ahead().second() == Token::Open;
        let form = match word {
            "e" | "enabled" if is_starred => {
                self.cursor.bump();
                Form::Atom(Atom::WeaklyEnabled(self.behind_word()?))
            }
            "e" | "enabled" if opens => Form::Atom(Atom::Enabled(self.behind_word()?)),
            "Av" | "available" if opens => Form::Atom(Atom::Available(self.behind_word()?)),
            "deadlock" if opens => Form::Atom(Atom::DeadlockOf(self.list_behind_word()?)),
            "deterministic" if opens => Form::Atom(Atom::Deterministic(self.list_behind_word()?)),
            "controller" if opens => Form::Atom(Atom::Controller(self.list_behind_word()?)),
            _ => match self.other_keyword(word, opens)? {
                Some(form) => form,
                None => return Ok(None),
            },
        };
        let end = self.cursor.gap();
        self.add(form, start.to(end)).map(Some)
    }

    fn other_keyword(&mut self, word: &str, opens: bool) -> Read<Option<Form>> {
        if let (true, Some(strength)) = (opens, fairness_word(word)) {
            return Ok(Some(Form::Fair(strength, Fair::Matching(self.behind_word()?))));
        }
        if let Some(strength) = every_fairness_word(word) {
            self.cursor.bump();
            return Ok(Some(Form::Fair(strength, Fair::Every)));
        }
        if let (true, Some(change)) = (opens, change_word(word)) {
            let text = self.braces_behind_word(word)?;
            return Ok(Some(Form::Atom(Atom::Change(change, text))));
        }
        if let Some(state) = state_word(word).filter(|&state| self.dialect.knows(state)) {
            self.cursor.bump();
            return Ok(Some(Form::Atom(Atom::State(state))));
        }
        Ok(None)
    }

    /// Steps over a word and the pattern in brackets behind it.
    fn behind_word(&mut self) -> Read<EventPattern> {
        self.cursor.bump();
        self.pattern_in_brackets()
    }

    fn list_behind_word(&mut self) -> Read<Vec<EventPattern>> {
        let word = self.cursor.bump();
        let whole = word.to(self.cursor.span());
        let (start, end) = self.cursor.enclosed()?;
        if self.cursor.piece(start, end).text.is_empty() {
            return Err(errors::empty_list(whole).into());
        }
        pattern_list(&self.cursor, start, end)
    }

    /// `({..})` behind a word.
    fn braces_behind_word(&mut self, word: &str) -> Read<Text> {
        self.cursor.bump();
        let (start, end) = self.cursor.enclosed()?;
        let inside = self.cursor.piece(start, end);
        let braces = inside.text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        if braces.is_none() {
            return Err(errors::braces_needed(word, &inside).into());
        }
        let (start, end) = (inside.span.start + 1, inside.span.end - 1);
        let base = self.cursor.place(0, 0).start;
        Ok(self.cursor.piece((start - base) as usize, (end - base) as usize))
    }

    fn pattern_in_brackets(&mut self) -> Read<EventPattern> {
        let (start, end) = self.cursor.enclosed()?;
        enclosed_pattern(&self.cursor, start, end)
    }

    fn atom_in_brackets(&mut self, atom: fn(EventPattern) -> Atom) -> Read<NodeId> {
        let open = self.cursor.span();
        let pattern = self.pattern_in_brackets()?;
        let end = self.cursor.gap();
        self.add(Form::Atom(atom(pattern)), open.to(end))
    }

    /// `{p}`: a predicate, or a set of events.
    fn braces(&mut self) -> Read<NodeId> {
        let open = self.cursor.span();
        let begins_set = self.cursor.text()[self.cursor.start()..].starts_with("{|");
        let atom = if begins_set || self.dialect.braces_hold_events() {
            Atom::Bare(bare_pattern(&mut self.cursor)?)
        } else {
            let (start, end) = self.cursor.enclosed()?;
            Atom::Predicate(self.cursor.piece(start, end))
        };
        let end = self.cursor.gap();
        self.add(Form::Atom(atom), open.to(end))
    }

    /// A number: an argument, or the beginning of a condition.
    fn number(&mut self) -> Read<NodeId> {
        let is_argument = matches!(self.cursor.second(), Token::Close | Token::Comma);
        if let (true, Ok(number)) = (is_argument, self.cursor.word().parse()) {
            let span = self.cursor.bump();
            return self.add(Form::Number(number), span);
        }
        if !self.dialect.has_bare_conditions() {
            return Err(self.missing_operand().into());
        }
        self.condition(self.cursor.start())
    }

    /// A name without brackets, perhaps with fields, or a condition that begins with one.
    fn bare(&mut self) -> Read<NodeId> {
        let start = self.cursor.start();
        let pattern = bare_pattern(&mut self.cursor)?;
        let compares = matches!(self.cursor.token(), Token::Compare | Token::Arithmetic | Token::Star);
        if compares && self.dialect.has_bare_conditions() {
            return self.condition(start);
        }
        let span = self.cursor.place(start, self.cursor.previous_end());
        self.add(Form::Atom(Atom::Bare(pattern)), span)
    }

    /// `"c!1.2"`: an event as it is told.
    fn quoted(&mut self) -> Read<NodeId> {
        let start = self.cursor.start();
        let Some(length) = self.cursor.text()[start + 1..].find('"') else {
            return Err(errors::unclosed("\"", self.cursor.place(start, start + 1)).into());
        };
        let end = start + length + 2;
        let name = self.cursor.piece(start, end);
        self.cursor.go_to(end);
        let span = name.span;
        let event = Event { name, fields: Vec::new(), results: Vec::new() };
        self.add(Form::Atom(Atom::Bare(EventPattern::Event(event))), span)
    }

    /// Steps over the rest of a condition such as `x + 1 == y`, which began at `start`.
    fn condition(&mut self, start: usize) -> Read<NodeId> {
        let mut compares = false;
        loop {
            match self.cursor.token() {
                Token::Compare => compares = true,
                Token::Number | Token::Arithmetic | Token::Star | Token::Dot => {}
                Token::Word if binary_word(self.cursor.word()).is_none() => {}
                Token::Open | Token::BracketOpen => {
                    self.cursor.enclosed()?;
                    continue;
                }
                _ => break,
            }
            self.cursor.bump();
        }
        let text = self.cursor.piece(start, self.cursor.previous_end());
        let span = text.span;
        if !compares {
            return Err(errors::not_a_condition(&text).into());
        }
        if let Some(&Frame::Prefix(_, operator)) = self.stack.last() {
            return Err(errors::loose_condition(self.dialect, true, operator.to(span), span).into());
        }
        self.add(Form::Atom(Atom::Predicate(text)), span)
    }

    fn missing_operand(&self) -> source::Diagnostic {
        let (token, word) = (self.cursor.token(), self.cursor.word());
        match token {
            Token::Unknown => errors::unknown_character(word, self.cursor.span()),
            Token::End if self.cursor.text().trim().is_empty() => errors::no_formula(self.cursor.gap()),
            Token::End => errors::missing_operand("the end", None, self.pending(), self.cursor.gap()),
            _ => {
                let is_word = token == Token::Word;
                let found = format!("`{word}`");
                errors::missing_operand(&found, is_word.then_some(word), self.pending(), self.cursor.span())
            }
        }
    }

    /// The operator that waits for the operand being read.
    fn pending(&self) -> Option<Span> {
        match self.stack.last() {
            Some(Frame::Prefix(_, span) | Frame::PathPrefix(_, _, _, span) | Frame::Path(_, span)) => Some(*span),
            _ => None,
        }
    }
}
