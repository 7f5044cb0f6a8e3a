//! Machines: states and their edges.

use super::{Damage, Parsed, Parser, errors};
use crate::lex::TokenKind::*;
use crate::syntax::{EdgeSyntax, MachineSyntax, StateSyntax};

impl Parser<'_> {
    /// `machine NAME like OTHER at STATE from "..."`, and the states on the following lines.
    pub(super) fn machine(&mut self) -> Parsed<()> {
        let start = self.cursor.bump();
        let name = self.ident("the name of a machine")?;
        let (states, edges) = (Vec::new(), Vec::new());
        let mut machine =
            MachineSyntax { name, like: None, at: None, place: None, states, edges, span: start, is_damaged: false };
        if self.machine_head(&mut machine).and_then(|()| self.end_of_line()).is_err() {
            machine.is_damaged = true;
            self.skip_line();
        }
        self.states(&mut machine);
        machine.span = start.to(self.cursor.previous_span());
        self.add(|network| network.machines.push(machine));
        Ok(())
    }

    fn machine_head(&mut self, machine: &mut MachineSyntax) -> Parsed<()> {
        if self.take(Like).is_some() {
            machine.like = Some(self.ident("the name of a machine")?);
        }
        if self.take(At).is_some() {
            machine.at = Some(self.state("a state")?);
        }
        machine.place = self.place()?;
        Ok(())
    }

    /// The lines of a machine.
    fn states(&mut self, machine: &mut MachineSyntax) {
        while self.cursor.peek() == LineEnd && !self.cursor.kind_at(1).begins_declaration() {
            self.cursor.bump();
            if self.state_line(machine).and_then(|()| self.end_of_line()).is_err() {
                machine.is_damaged = true;
                self.skip_line();
            }
        }
    }

    /// `STATE: edges`, or further edges of the previous state.
    fn state_line(&mut self, machine: &mut MachineSyntax) -> Parsed<()> {
        if self.cursor.kind_at(1) == Colon {
            self.begin_state(machine)?;
            if matches!(self.cursor.peek(), LineEnd | End) {
                return Ok(());
            }
        }
        loop {
            if machine.states.is_empty() {
                let (found, span) = (self.found(), self.cursor.span());
                return Err(self.report(errors::edge_without_state(&found, span)));
            }
            let action = self.label("a state such as `idle:`, or a step such as `a -> busy`")?;
            self.expect(Arrow, "`->` and a state, or `:` behind the name of a state")?;
            let target = self.state("the state that this leads to")?;
            machine.edges.push(EdgeSyntax { action, target });
            if let Some(last) = machine.states.last_mut() {
                last.end = machine.edges.len();
            }
            if self.take(Comma).is_none() {
                return Ok(());
            }
        }
    }

    fn begin_state(&mut self, machine: &mut MachineSyntax) -> Result<(), Damage> {
        let is_number = self.cursor.peek() == Number;
        let name = self.state("the name of a state")?;
        self.cursor.bump();
        machine.states.push(StateSyntax { name, is_number, end: machine.edges.len() });
        Ok(())
    }
}
