//! Declarations.

use super::{Parser, Read};
use crate::errors;
use crate::lex::{Token, TokenKind};
use crate::syntax::{Declaration, MacroBody, Name, ProcessDefinition, Range, VariableDeclaration};

impl Parser<'_> {
    /// All well-formed declarations; errors are reported.
    pub(super) fn script(&mut self) -> Vec<Declaration> {
        let mut all = Vec::new();
        while !self.is(TokenKind::End) {
            let start = self.next;
            self.depth = 0;
            match self.declaration() {
                Ok(declaration) => all.extend(declaration),
                Err(problem) => {
                    // The lexer reported stray characters.
                    if !self.is(TokenKind::Stray) {
                        self.diagnostics.push(*problem);
                    }
                    all.extend(self.damaged(start));
                    self.recover(start);
                }
            }
        }
        all
    }

    /// The name that a malformed declaration, which begins at a token, would declare.
    fn damaged(&self, start: usize) -> Option<Declaration> {
        let token = |place: usize| self.tokens[(start + place).min(self.tokens.len() - 1)];
        let text = |place: usize| self.map.text(token(place).span);
        let named = match text(0) {
            "var" | "hvar" | "channel" => 1,
            "#" if text(1) == "define" => 2,
            _ if matches!(token(1).kind, TokenKind::Becomes | TokenKind::Open) => 0,
            _ => return None,
        };
        let is_name = token(named).kind == TokenKind::Word;
        is_name.then(|| Declaration::Damaged(Name { text: text(named).into(), span: token(named).span }))
    }

    /// Error recovery: skips to the end of the declaration that began at a token.
    fn recover(&mut self, start: usize) {
        if self.next == start {
            self.bump();
        }
        let mut depth = self.tokens[start..self.next].iter().fold(0_usize, |depth, token| match token.kind {
            TokenKind::BraceOpen => depth + 1,
            TokenKind::BraceClose => depth.saturating_sub(1),
            _ => depth,
        });
        // If only the terminator is missing, the next declaration begins here, on a line of its own.
        let line = |token: Token| self.map.position(token.span).line;
        let begins_line = line(self.tokens[self.next - 1]) < line(self.token(0));
        if depth == 0 && begins_line && self.begins_declaration(0) {
            return;
        }
        while !self.is(TokenKind::End) {
            match self.kind() {
                TokenKind::BraceOpen => depth += 1,
                TokenKind::BraceClose => depth = depth.saturating_sub(1),
                TokenKind::Hash if self.begins_directive() => return,
                TokenKind::Semicolon if depth == 0 || self.begins_declaration(1) => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    fn begins_directive(&self) -> bool {
        matches!(self.text_at(1), "assert" | "define" | "import" | "include" | "alphabet" | "object")
    }

    /// Whether a declaration without `#` begins at a token.
    pub(super) fn begins_declaration(&self, ahead: usize) -> bool {
        if self.token(ahead).kind != TokenKind::Word {
            return matches!(self.token(ahead).kind, TokenKind::Hash | TokenKind::End);
        }
        match self.text_at(ahead) {
            "var" | "hvar" | "enum" | "channel" => return true,
            _ => {}
        }
        match self.token(ahead + 1).kind {
            TokenKind::Becomes => true,
            TokenKind::Open => {
                let mut depth = 0_usize;
                for further in ahead + 1.. {
                    match self.token(further).kind {
                        TokenKind::Open => depth += 1,
                        TokenKind::Close if depth == 1 => return self.token(further + 1).kind == TokenKind::Becomes,
                        TokenKind::Close => depth -= 1,
                        TokenKind::Semicolon | TokenKind::End | TokenKind::Arrow => return false,
                        _ => {}
                    }
                }
                false
            }
            _ => false,
        }
    }

    fn declaration(&mut self) -> Read<Option<Declaration>> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(None);
        }
        if self.eat(TokenKind::Hash) {
            return self.directive().map(Some);
        }
        let declaration = match self.text() {
            "var" | "hvar" => self.variable()?,
            "enum" => {
                self.bump();
                self.expect(TokenKind::BraceOpen, "`{`")?;
                let names = self.separated(TokenKind::Comma, |this| this.name("a name"))?;
                self.expect(TokenKind::BraceClose, "`,` or `}`")?;
                Declaration::Enum(names)
            }
            "channel" => {
                self.bump();
                let name = self.name("the name of a channel")?;
                let count = match self.eat(TokenKind::BracketOpen) {
                    true => {
                        let count = self.sum()?;
                        self.expect(TokenKind::BracketClose, "`]`")?;
                        Some(count)
                    }
                    false => None,
                };
                let capacity = self.sum()?;
                Declaration::Channel { name, count, capacity }
            }
            _ => self.definition()?,
        };
        self.end_of_declaration()?;
        Ok(Some(declaration))
    }

    fn end_of_declaration(&mut self) -> Read<()> {
        self.expect(TokenKind::Semicolon, "`;`").map(|_| ())
    }

    fn directive(&mut self) -> Read<Declaration> {
        let declaration = match self.text() {
            "import" => {
                self.bump();
                let mut library = self.library()?;
                library.text = library.text.trim_matches('"').into();
                Declaration::Import(library)
            }
            "define" => {
                self.bump();
                self.macro_definition()?
            }
            "alphabet" => {
                self.bump();
                let name = self.name("the name of a process")?;
                Declaration::Alphabet(name, self.event_sets()?)
            }
            "assert" => {
                self.bump();
                Declaration::Assertion(self.assertion()?)
            }
            "object" => {
                self.bump();
                Declaration::Object(self.object()?)
            }
            _ => return Err(self.unexpected("`define`, `assert`, `alphabet`, `object`, `include` or `import`")),
        };
        self.end_of_declaration()?;
        Ok(declaration)
    }

    fn library(&mut self) -> Read<Name> {
        if !self.is(TokenKind::Text) {
            return Err(self.unexpected("a library in quotes"));
        }
        Ok(self.any_word())
    }

    fn macro_definition(&mut self) -> Read<Declaration> {
        let name = self.name("a name")?;
        if self.eat(TokenKind::Hash) {
            let (process, arguments) = self.reference()?;
            return Ok(Declaration::Macro {
                name,
                parameters: Vec::new(),
                body: MacroBody::Counter(process, arguments),
            });
        }
        let parameters = self.macro_parameters()?;
        let body = match self.kind() {
            TokenKind::BraceOpen => MacroBody::Block(self.block()?),
            _ => MacroBody::Expression(self.expression()?),
        };
        Ok(Declaration::Macro { name, parameters, body })
    }

    /// `(x, y)` before the body of a macro. Parentheses that no body follows are themselves the body.
    fn macro_parameters(&mut self) -> Read<Vec<Name>> {
        let mut ahead = 1;
        if !self.is(TokenKind::Open) {
            return Ok(Vec::new());
        }
        loop {
            if self.token(ahead).kind != TokenKind::Word {
                return Ok(Vec::new());
            }
            match self.token(ahead + 1).kind {
                TokenKind::Comma => ahead += 2,
                TokenKind::Close => break,
                _ => return Ok(Vec::new()),
            }
        }
        if !self.begins_body(ahead + 2) {
            return Ok(Vec::new());
        }
        self.bump();
        let names = self.separated(TokenKind::Comma, |this| this.name("a parameter"))?;
        self.expect(TokenKind::Close, "`)`")?;
        Ok(names)
    }

    /// Whether the body of a macro begins here, as opposed to the continuation of an expression.
    fn begins_body(&self, ahead: usize) -> bool {
        // `|| i:{0..2}@...` begins a body, and `|| x` continues one.
        let is_indexed =
            self.token(ahead + 1).kind == TokenKind::Word && self.token(ahead + 2).kind == TokenKind::Colon;
        match self.token(ahead).kind {
            TokenKind::BraceOpen | TokenKind::Number | TokenKind::Open | TokenKind::Bang => true,
            TokenKind::Word if self.text_at(ahead) == "xor" => is_indexed,
            TokenKind::Word => true,
            TokenKind::Bars | TokenKind::And => is_indexed,
            _ => false,
        }
    }

    fn variable(&mut self) -> Read<Declaration> {
        let hidden = self.text() == "hvar";
        self.bump();
        let class = match self.eat(TokenKind::Less) {
            true => {
                let class = self.name("the name of a class")?;
                self.expect(TokenKind::Greater, "`>`")?;
                Some(class)
            }
            false => None,
        };
        let name = self.name("the name of a variable")?;
        let dims = self.indices()?;
        let range = self.range()?;
        let (mut value, mut any) = (None, None);
        if self.eat(TokenKind::Becomes) {
            match self.kind() {
                TokenKind::Star => any = Some(self.bump().span),
                TokenKind::BracketOpen => value = Some(self.record()?),
                _ => value = Some(self.expression()?),
            }
        }
        Ok(Declaration::Variable(VariableDeclaration { name, class, dims, range, value, any, hidden }))
    }

    /// `:{0..3}`, with optional bounds.
    fn range(&mut self) -> Read<Option<Range>> {
        if !self.eat(TokenKind::Colon) {
            return Ok(None);
        }
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let low = if self.is(TokenKind::Dots) { None } else { Some(self.sum()?) };
        self.expect(TokenKind::Dots, "`..`")?;
        let high = if self.is(TokenKind::BraceClose) { None } else { Some(self.sum()?) };
        self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(Some(Range { low, high }))
    }

    fn definition(&mut self) -> Read<Declaration> {
        if !self.is(TokenKind::Word) {
            return Err(self.unexpected("a declaration"));
        }
        let name = self.name("a declaration")?;
        let mut parameters = Vec::new();
        if self.eat(TokenKind::Open) && !self.eat(TokenKind::Close) {
            parameters = self.separated(TokenKind::Comma, |this| {
                let name = this.name("a parameter")?;
                Ok((name, this.range()?))
            })?;
            self.expect(TokenKind::Close, "`,` or `)`")?;
        }
        if !self.is(TokenKind::Becomes) {
            return Err(errors::not_a_declaration(&name.text, name.span, self.span()).into());
        }
        self.bump();
        let body = self.process()?;
        Ok(Declaration::Process(ProcessDefinition { name, parameters, body }))
    }
}
