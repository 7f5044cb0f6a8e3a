//! The header, and declarations.

use super::{Damage, Parsed, Parser, VERSION, errors};
use crate::lex::TokenKind::*;
use crate::syntax::{ActionSyntax, ClassSyntax, DefinitionSyntax, NetworkSyntax};
use source::Span;

impl Parser<'_> {
    /// `tracehound network 1`
    pub(super) fn header(&mut self) -> Parsed<()> {
        let start = self.cursor.span();
        let is_header =
            self.cursor.peek() == Name && self.cursor.text(start) == "tracehound" && self.cursor.kind_at(1) == Network;
        if self.cursor.peek() == Nothing {
            return Err(Damage);
        }
        if !is_header {
            return Err(self.report(errors::missing_header(start)));
        }
        self.cursor.bump();
        self.cursor.bump();
        let version = self.integer("the version of the language, `1`")?;
        if version.value != VERSION {
            return Err(self.report(errors::unknown_version(version.value, VERSION, version.span)));
        }
        if self.end_of_line().is_err() {
            self.skip_line();
        }
        Ok(())
    }

    pub(super) fn declarations(&mut self) {
        while self.cursor.peek() != End {
            if self.take(LineEnd).is_some() {
                continue;
            }
            if self.declaration().and_then(|()| self.end_of_line()).is_err() {
                self.skip_line();
            }
        }
    }

    fn declaration(&mut self) -> Parsed<()> {
        match self.cursor.peek() {
            Event => {
                let events = self.events();
                self.file.has_lost_events |= events.is_err();
                events
            }
            Network => self.open_network(),
            Assert => self.assertion(),
            kind if !kind.begins_declaration() => {
                let (found, span) = (self.found(), self.cursor.span());
                if matches!(kind, Unknown | UnclosedText) {
                    return Err(Damage);
                }
                Err(self.report(errors::not_a_declaration(&found, span)))
            }
            _ if self.network.is_none() => {
                let span = self.cursor.span();
                let word = self.cursor.text(span);
                Err(self.report(errors::outside_of_networks(word, span)))
            }
            Var | Temporary => self.variable(),
            Define => self.definition(),
            Actions => self.actions(),
            Machine => self.machine(),
            Inhibitor => self.obstacle(),
            Mode => self.mode(),
            Start => self.start(),
            Priority => self.priority(),
            _ => {
                let span = self.cursor.span();
                Err(self.report(errors::class_without_priority(span)))
            }
        }
    }

    /// Adds a part to the current network, and extends its span.
    pub(super) fn add(&mut self, add: impl FnOnce(&mut NetworkSyntax)) {
        let end = self.cursor.previous_span();
        if let Some(network) = &mut self.network {
            network.span = network.span.to(end);
            add(network);
        }
    }

    fn events(&mut self) -> Parsed<()> {
        self.cursor.bump();
        loop {
            let event = self.ident("the name of an event")?;
            self.file.events.push(event);
            if self.take(Comma).is_none() {
                return Ok(());
            }
        }
    }

    fn open_network(&mut self) -> Parsed<()> {
        self.close_network();
        let start = self.cursor.bump();
        let name = match self.ident("the name of a network") {
            Ok(name) => name,
            Err(Damage) => {
                // An anonymous network holds its parts, so that these are not reported as well.
                let symbol = self.symbols.intern("");
                self.network = Some(empty_network(crate::symbols::Ident { symbol, span: start }, start));
                self.add(|network| network.is_damaged = true);
                return Err(Damage);
            }
        };
        self.network = Some(empty_network(name, start.to(name.span)));
        let place = self.place()?;
        self.add(|network| network.place = place);
        Ok(())
    }

    pub(super) fn close_network(&mut self) {
        self.file.networks.extend(self.network.take());
    }

    fn definition(&mut self) -> Parsed<()> {
        let start = self.cursor.bump();
        let name = self.ident("the name of an expression")?;
        self.expect(Equals, "`=` and an expression")?;
        let value = self.tree()?;
        let span = start.to(self.cursor.previous_span());
        self.add(|network| network.definitions.push(DefinitionSyntax { name, value, span }));
        Ok(())
    }

    fn actions(&mut self) -> Parsed<()> {
        self.cursor.bump();
        let actions = self.list(|parser| {
            let name = parser.ident("the name of an action")?;
            let number = match parser.take(Equals) {
                Some(_) => Some(parser.integer("the number of the action")?),
                None => None,
            };
            Ok(ActionSyntax { name, number })
        })?;
        self.add(|network| network.actions.extend(actions));
        Ok(())
    }

    fn start(&mut self) -> Parsed<()> {
        let word = self.cursor.bump();
        let mode = self.ident("the name of a mode")?;
        if let Some(first) = self.network.as_ref().and_then(|network| network.start) {
            return Err(self.report(errors::repeated("start", word, first.span)));
        }
        self.add(|network| network.start = Some(mode));
        Ok(())
    }

    fn priority(&mut self) -> Parsed<()> {
        self.cursor.bump();
        self.end_of_line()?;
        self.add(|network| _ = network.priority.get_or_insert_default());
        while self.cursor.peek() == LineEnd && self.cursor.kind_at(1) == Class {
            self.cursor.bump();
            match self.class().and_then(|class| self.end_of_line().map(|()| class)) {
                Ok(class) => self.add(|network| network.priority.get_or_insert_default().push(class)),
                Err(Damage) => self.skip_line(),
            }
        }
        Ok(())
    }

    /// `class NAME: labels yields to NAMES`
    fn class(&mut self) -> Parsed<ClassSyntax> {
        self.cursor.bump();
        let name = self.ident("the name of a class")?;
        self.expect(Colon, "`:` and the events of the class")?;
        let labels = match self.cursor.peek() {
            Yields | LineEnd | End => Vec::new(),
            _ => self.list(|parser| parser.label("an event, `tau` or `tick`"))?,
        };
        let yields_to = match self.take(Yields) {
            Some(_) => {
                self.word("to", "`to` and the names of classes")?;
                self.list(|parser| parser.ident("the name of a class"))?
            }
            None => Vec::new(),
        };
        Ok(ClassSyntax { name, labels, yields_to })
    }

    /// Consumes a contextual keyword.
    pub(super) fn word(&mut self, word: &str, what: &str) -> Parsed<Span> {
        let is_here = self.cursor.peek() == Name && self.cursor.text(self.cursor.span()) == word;
        if is_here { Ok(self.cursor.bump()) } else { Err(self.unexpected(what)) }
    }
}

fn empty_network(name: crate::symbols::Ident, span: Span) -> NetworkSyntax {
    NetworkSyntax {
        name,
        place: None,
        span,
        variables: Vec::new(),
        definitions: Vec::new(),
        actions: Vec::new(),
        machines: Vec::new(),
        obstacles: Vec::new(),
        modes: Vec::new(),
        priority: None,
        start: None,
        is_damaged: false,
    }
}
