//! Modes and their rules.

use super::{Parsed, Parser, errors};
use crate::lex::TokenKind::*;
use crate::syntax::{JumpSyntax, ModeSyntax, PartSyntax, ResetSyntax, RuleSyntax};

impl Parser<'_> {
    /// `mode NAME from "..."`, and the rules on the following lines.
    pub(super) fn mode(&mut self) -> Parsed<()> {
        let start = self.cursor.bump();
        let name = self.ident("the name of a mode")?;
        let mut mode = ModeSyntax { name, place: None, rules: Vec::new(), span: start };
        match self.place().and_then(|place| self.end_of_line().map(|()| place)) {
            Ok(place) => mode.place = place,
            Err(_) => self.skip_line(),
        }
        while self.cursor.peek() == LineEnd && !self.cursor.kind_at(1).begins_declaration() {
            self.cursor.bump();
            match self.rule().and_then(|rule| self.end_of_line().map(|()| rule)) {
                Ok(rule) => mode.rules.push(rule),
                Err(_) => self.skip_line(),
            }
        }
        mode.span = start.to(self.cursor.previous_span());
        self.add(|network| network.modes.push(mode));
        Ok(())
    }

    /// `LABEL by MACHINE:ACTION when EXPRESSION unless OBSTACLES do STATEMENTS goto MODE reset MACHINE at STATE from
    /// "..."`
    fn rule(&mut self) -> Parsed<RuleSyntax> {
        let shows = self.label("a rule, which begins with an event, `tau` or `tick`")?;
        let parts = match self.take(By) {
            Some(_) => self.list(Self::part)?,
            None => Vec::new(),
        };
        let guard = self.when()?;
        let unless = self.unless()?;
        let statements = match self.take(Do) {
            Some(_) => Some(self.statements()?),
            None => None,
        };
        let jump = match self.take(Goto) {
            Some(_) => Some(self.jump()?),
            None => None,
        };
        let place = self.place()?;
        if matches!(self.cursor.peek(), By | When | Unless | Do | Goto | Reset) {
            let span = self.cursor.span();
            let word = self.cursor.text(span);
            return Err(self.report(errors::clause_order(word, jump.is_some(), span)));
        }
        let span = shows.span.to(self.cursor.previous_span());
        Ok(RuleSyntax { shows, parts, guard, unless, statements, jump, place, span })
    }

    pub(super) fn part(&mut self) -> Parsed<PartSyntax> {
        let machine = self.ident("the name of a machine")?;
        let action = match self.take(Colon) {
            Some(_) => Some(self.label("an action of the machine")?),
            None => None,
        };
        Ok(PartSyntax { machine, action })
    }

    fn jump(&mut self) -> Parsed<JumpSyntax> {
        let mode = self.ident("the name of a mode")?;
        let resets = match self.take(Reset) {
            Some(_) => self.list(Self::reset)?,
            None => Vec::new(),
        };
        Ok(JumpSyntax { mode, resets })
    }

    fn reset(&mut self) -> Parsed<ResetSyntax> {
        let machine = self.ident("the name of a machine")?;
        let state = match self.take(At) {
            Some(_) => Some(self.state("a state of the machine")?),
            None => None,
        };
        Ok(ResetSyntax { machine, state })
    }
}
