//! Declarations and blocks.

use super::{Damage, Parsed, Parser, errors};
use crate::lex::TokenKind::{self, *};
use crate::syntax::{Clause, Decl, DeclId, Equation, Expr, ExprId, Ident, ImportKeyword, Pat, Path};
use source::Span;

/// The context of a block, which restricts its declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub place: Place,
    /// Inside a `Timed` section.
    pub timed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Top,
    Module,
    Let,
}

impl Block {
    /// Whether `kind` closes the block.
    fn ends_at(self, kind: TokenKind) -> bool {
        match kind {
            End => true,
            Within => self.place == Place::Let,
            Exports | EndModule => self.place == Place::Module,
            BraceClose => self.timed,
            _ => false,
        }
    }

    /// The name of the context for messages, if it does not allow the declaration.
    fn refuses(self, decl: &Decl) -> Option<&'static str> {
        let in_let = matches!(
            decl,
            Decl::Channel { .. }
                | Decl::Datatype { .. }
                | Decl::Subtype { .. }
                | Decl::Nametype(..)
                | Decl::Assert(_)
                | Decl::Print(..)
                | Decl::Module { .. }
                | Decl::Instance { .. }
        );
        match (self.place, decl) {
            (Place::Let, _) if in_let => Some("a `let`"),
            (Place::Module, Decl::Assert(_) | Decl::Print(..)) => Some("a module"),
            (_, Decl::Print(..)) if self.timed => Some("a `Timed` section"),
            _ => None,
        }
    }
}

/// Equations of one function, collected up to the next declaration.
struct Pending {
    name: Ident,
    equations: Vec<Equation>,
    span: Span,
}

/// A parsed declaration or equation.
enum Item {
    Decl(DeclId),
    Equation(Ident, Equation),
    /// A malformed declaration without a name, which was reported.
    Nothing,
}

/// The lost part of a malformed definition.
enum LostPart {
    /// All but the name.
    Body,
    Everything,
}

impl Parser<'_> {
    pub(super) fn parse_file(&mut self) {
        self.ast.top = self.parse_block(Block { place: Place::Top, timed: false });
    }

    /// Parses the whole text as an expression to print.
    pub(super) fn parse_extra(&mut self, text: &str) {
        let span = self.cursor.span();
        if let Ok(expr) = self.parse_all() {
            let decl = self.add_decl(Decl::Print(expr, text.into()), span);
            self.ast.top.push(decl);
        }
    }

    /// Parses the whole text as an expression.
    pub(super) fn parse_all(&mut self) -> Parsed<ExprId> {
        let expr = self.parse_expr().and_then(|expr| match self.cursor.peek() {
            End => Ok(expr),
            _ => Err(self.unexpected("the end of the expression")),
        });
        self.report_pattern_forms();
        expr
    }

    /// Parses declarations up to the token that closes the block.
    pub(super) fn parse_block(&mut self, block: Block) -> Vec<DeclId> {
        let mut decls = Vec::new();
        let mut pending: Option<Pending> = None;
        loop {
            while self.cursor.peek() == Boundary {
                // Equations in different files are different definitions.
                flush(self, &mut pending, &mut decls);
                self.cursor.bump();
            }
            if block.ends_at(self.cursor.peek()) || self.let_ran_away(block) {
                break;
            }
            let start = self.cursor.index();
            let indentation = self.cursor.indentation();
            match self.parse_item(block) {
                Ok(Item::Equation(name, equation)) => collect(self, &mut pending, &mut decls, name, equation),
                Ok(Item::Decl(decl)) => {
                    flush(self, &mut pending, &mut decls);
                    self.check_allowed(decl, block);
                    decls.push(decl);
                }
                Ok(Item::Nothing) => flush(self, &mut pending, &mut decls),
                Err(Damage) => {
                    flush(self, &mut pending, &mut decls);
                    self.ast.incomplete = true;
                }
            }
            self.report_pattern_forms();
            self.end_declaration(block, start, indentation);
            if start == self.cursor.index() {
                self.cursor.bump();
                self.skip_damage(indentation);
            }
        }
        flush(self, &mut pending, &mut decls);
        self.check_annotations(&decls);
        decls
    }

    /// Whether a line at the margin indicates that the `within` of a `let` is missing: always after the first such
    /// `let`, else if the line begins a declaration that a `let` does not allow.
    fn let_ran_away(&self, block: Block) -> bool {
        let kind = self.cursor.peek();
        let foreign = kind.is_declarator() && !matches!(kind, External | Transparent | Timed);
        block.place == Place::Let && (foreign || self.margin_ends_let) && self.cursor.indentation() == 0
    }

    /// Checks that the next declaration is separated from this one; otherwise the rest is skipped.
    fn end_declaration(&mut self, block: Block, start: usize, indentation: u32) {
        let kind = self.cursor.peek();
        let closes_property =
            start < self.cursor.index() && self.cursor.text(self.cursor.previous_span()).ends_with([']', ':']);
        if self.cursor.separated()
            || kind == Boundary
            || block.ends_at(kind)
            || closes_property && starts_declaration(kind)
        {
            return;
        }
        if self.diagnostics_since(start) {
            self.skip_damage(indentation);
            return;
        }
        if kind == Equals && self.reread_swallowed_line(start, indentation) {
            return;
        }
        self.unexpected("the end of the declaration");
        self.skip_damage(indentation);
    }

    /// Recovery at a `=` where a declaration should have ended: an incomplete line may have consumed the one below it.
    /// It reports the incomplete line, and parses the one below again.
    fn reread_swallowed_line(&mut self, start: usize, indentation: u32) -> bool {
        let at_cursor = self.cursor.index();
        for index in (start + 1..at_cursor).rev() {
            self.cursor.rewind(index);
            if !self.cursor.begins_line() {
                continue;
            }
            if self.cursor.indentation() <= indentation && self.cursor.peek() == Ident {
                let unfinished = self.cursor.previous_span();
                let text = self.cursor.text(unfinished);
                self.report(errors::unfinished_line(text, unfinished));
                return true;
            }
            break;
        }
        self.cursor.rewind(at_cursor);
        false
    }

    /// Whether an error was reported at or after the token with index `start`.
    fn diagnostics_since(&self, start: usize) -> bool {
        let from = self.cursor.span_of(start).start;
        self.diagnostics.last().is_some_and(|diagnostic| diagnostic.primary.span.end >= from)
    }

    /// Skips a malformed declaration with an indentation, up to a possible start of the next one.
    fn skip_damage(&mut self, indentation: u32) {
        loop {
            let kind = self.cursor.peek();
            // A token that requires a continuation suppresses the line end before the next declaration.
            let begins_line = self.cursor.separated() || starts_declaration(kind) && self.cursor.begins_line();
            let stands_alone = begins_line && self.cursor.indentation() <= indentation;
            let keyword = begins_line && kind.is_declarator();
            if matches!(kind, End | Boundary | Within | Exports | EndModule) || stands_alone || keyword {
                return;
            }
            self.cursor.bump();
        }
    }

    fn parse_item(&mut self, block: Block) -> Parsed<Item> {
        let start = self.cursor.span();
        let keyword = match self.mistaken_keyword() {
            None => self.cursor.peek(),
            Some(meant) => meant?.unwrap_or(self.cursor.peek()),
        };
        let decl = match keyword {
            Channel => self.parse_channel(),
            Datatype | Subtype => self.parse_datatype(),
            Nametype => self.parse_nametype(),
            External | Transparent => self.parse_import(),
            Assert => self.parse_assert(),
            Module => self.parse_module(),
            Instance => self.parse_instance(),
            Timed => self.parse_timed(block),
            Print => self.parse_print(),
            _ if self.at_annotation() => self.parse_annotation(),
            _ => return self.parse_definition(block),
        }?;
        let span = start.to(self.cursor.previous_span());
        Ok(Item::Decl(self.add_decl(decl, span)))
    }

    fn check_allowed(&mut self, decl: DeclId, block: Block) {
        if let Some(place) = block.refuses(self.ast.decl(decl)) {
            let span = self.ast.decl_span(decl);
            let keyword = self.cursor.text(span).split_whitespace().next().unwrap_or("");
            let keyword_span = Span::new(span.start, span.start + keyword.len() as u32);
            self.report(errors::misplaced_declaration(keyword, place, keyword_span));
            *self.ast.decl_mut(decl) = Decl::Error;
            self.ast.incomplete = true;
        }
    }

    /// `pattern = value` or an equation of a function.
    fn parse_definition(&mut self, block: Block) -> Parsed<Item> {
        let start = self.cursor.span();
        if !self.cursor.peek().begins_operand() {
            return Err(self.stray());
        }
        let name = (self.cursor.peek() == Ident).then(|| self.ident_at_cursor());
        let left = match self.parse_left_side(block) {
            Ok(left) => left,
            Err(LostPart::Body) => return self.salvage(name).ok_or(Damage),
            Err(LostPart::Everything) => return Ok(Item::Nothing),
        };
        let body = self.parse_expr().unwrap_or_else(|Damage| self.error_expr(self.cursor.span()));
        let span = start.to(self.ast.expr_span(body));
        Ok(match self.function_head(left) {
            Some((name, groups)) => {
                let groups = groups.into_iter().map(|group| self.patterns_of(&group)).collect();
                Item::Equation(name, Equation { groups, body, span })
            }
            None => {
                let pattern = self.pattern_of(left);
                Item::Decl(self.add_decl(Decl::Pattern(pattern, body), span))
            }
        })
    }

    /// An error for a token that begins no declaration.
    fn stray(&mut self) -> Damage {
        let span = self.cursor.span();
        match self.cursor.peek() {
            // The lexer reported it.
            Unknown => Damage,
            kind => {
                let text = self.cursor.text(span);
                self.report(errors::stray(kind, text, span))
            }
        }
    }

    /// The left side of a definition and its `=`.
    fn parse_left_side(&mut self, block: Block) -> Result<ExprId, LostPart> {
        let left = self.parse_expr().map_err(|Damage| LostPart::Body)?;
        if self.cursor.peek() == Equals {
            self.cursor.bump();
            return Ok(left);
        }
        let span = self.ast.expr_span(left);
        if block.place == Place::Let && (self.cursor.separated() || !self.cursor.peek().begins_operand()) {
            self.report(errors::missing_within(span));
            return Err(LostPart::Everything);
        }
        if let Some(diagnostic) = self.foreign_definition(left) {
            self.report(diagnostic);
            return Err(LostPart::Body);
        }
        let found = self.found();
        self.report_at_cursor(|place| errors::not_a_declaration(span, &found, place));
        // Malformed text such as `P STOP` still determines a name; `a -> STOP` defines nothing.
        let names_something = matches!(self.ast.expr(left), Expr::Name(_) | Expr::Call(..));
        Err(if names_something { LostPart::Body } else { LostPart::Everything })
    }

    /// Declares the name of a malformed definition, so that its uses are not reported as well.
    fn salvage(&mut self, name: Option<Ident>) -> Option<Item> {
        let name = name?;
        let pattern = self.ast.add_pat(Pat::Name([name].into()), name.span);
        let body = self.error_expr(name.span);
        Some(Item::Decl(self.add_decl(Decl::Pattern(pattern, body), name.span)))
    }

    /// Splits `f(x)(y)` into the name and its argument groups.
    fn function_head(&self, left: ExprId) -> Option<(Ident, Vec<Box<[ExprId]>>)> {
        let mut groups = Vec::new();
        let mut at = left;
        while let Expr::Call(callee, arguments) = self.ast.expr(at) {
            groups.push(arguments.clone());
            at = *callee;
        }
        groups.reverse();
        match self.ast.expr(at) {
            Expr::Name(path) if path.len() == 1 && !groups.is_empty() => Some((path[0], groups)),
            _ => None,
        }
    }

    fn parse_channel(&mut self) -> Parsed<Decl> {
        self.cursor.bump();
        let names = self.parse_names("a channel name")?;
        let fields = self.parse_optional_fields(Colon);
        Ok(Decl::Channel { names, fields })
    }

    /// The fields after `separator`, if there are any; malformed fields do not prevent the declaration of the names.
    fn parse_optional_fields(&mut self, separator: TokenKind) -> Option<ExprId> {
        (self.cursor.peek() == separator).then(|| {
            self.cursor.bump();
            self.parse_expr().unwrap_or_else(|Damage| self.error_expr(self.cursor.span()))
        })
    }

    fn parse_datatype(&mut self) -> Parsed<Decl> {
        let keyword = self.cursor.bump();
        let is_subtype = self.cursor.text(keyword).starts_with("sub");
        let name = self.parse_ident("a name for the type")?;
        self.expect(Equals, "`=`")?;
        let mut clauses = Vec::new();
        loop {
            let name = self.parse_ident("a constructor")?;
            let fields = self.parse_optional_fields(Dot);
            clauses.push(Clause { name, fields });
            if self.cursor.peek() != Bar {
                break;
            }
            self.cursor.bump();
        }
        let clauses = clauses.into();
        Ok(if is_subtype { Decl::Subtype { name, clauses } } else { Decl::Datatype { name, clauses } })
    }

    fn parse_nametype(&mut self) -> Parsed<Decl> {
        self.cursor.bump();
        let name = self.parse_ident("a name for the type")?;
        self.expect(Equals, "`=`")?;
        let body = self.parse_expr().unwrap_or_else(|Damage| self.error_expr(self.cursor.span()));
        Ok(Decl::Nametype(name, body))
    }

    fn parse_import(&mut self) -> Parsed<Decl> {
        let keyword = if self.cursor.peek() == External { ImportKeyword::External } else { ImportKeyword::Transparent };
        self.cursor.bump();
        Ok(Decl::Import { keyword, names: self.parse_names("the name of a built-in function")? })
    }

    fn parse_module(&mut self) -> Parsed<Decl> {
        let keyword = self.cursor.bump();
        let name = self.parse_ident("a name for the module")?;
        let mut parameters = Box::default();
        if self.cursor.peek() == ParenOpen && !self.cursor.separated() {
            let arguments = self.parse_module_arguments("module", name)?;
            parameters = self.patterns_of(&arguments);
        }
        let block = Block { place: Place::Module, timed: false };
        let private = self.parse_block(block).into();
        if self.cursor.peek() != Exports {
            self.report(errors::module_without("exports", keyword, self.cursor.span()));
            if self.cursor.peek() != EndModule {
                return Err(Damage);
            }
            // With an unknown list of exports, exporting everything avoids follow-up errors.
            self.cursor.bump();
            return Ok(Decl::Module { name, parameters, private: Box::default(), exports: private });
        }
        self.cursor.bump();
        let exports = self.parse_block(block).into();
        if self.cursor.peek() != EndModule {
            return Err(self.report(errors::module_without("endmodule", keyword, self.cursor.span())));
        }
        self.cursor.bump();
        Ok(Decl::Module { name, parameters, private, exports })
    }

    fn parse_module_arguments(&mut self, what: &str, name: Ident) -> Parsed<Box<[ExprId]>> {
        let open = self.cursor.span();
        let arguments = self.parse_arguments()?;
        if arguments.is_empty() {
            let name = self.ast.symbols.text(name.symbol);
            let span = open.to(self.cursor.previous_span());
            self.report(errors::empty_module_arguments(what, name, span));
        }
        Ok(arguments)
    }

    fn parse_instance(&mut self) -> Parsed<Decl> {
        self.cursor.bump();
        let name = self.parse_ident("a name for the instance")?;
        self.expect(Equals, "`=`")?;
        let module = self.parse_path("the name of a module")?;
        let mut arguments = Box::default();
        if self.cursor.peek() == ParenOpen && !self.cursor.separated() {
            arguments = self.parse_module_arguments("instance", *module.last().expect("a path has a last part"))?;
        }
        Ok(Decl::Instance { name, module, arguments })
    }

    fn parse_timed(&mut self, block: Block) -> Parsed<Decl> {
        self.cursor.bump();
        let mut function = None;
        if self.cursor.peek() == ParenOpen {
            let open = self.cursor.bump();
            function = Some(self.inside_brackets(|parser| parser.parse_expr())?);
            self.close(ParenClose, ")", "(", open)?;
        }
        let open = self.cursor.span();
        self.expect(BraceOpen, "`{` and the declarations of the section")?;
        let outside = std::mem::replace(&mut self.timed, true);
        let declarations = self.parse_block(Block { timed: true, ..block }).into();
        self.timed = outside;
        self.close(BraceClose, "}", "{", open)?;
        Ok(Decl::Timed { function, declarations })
    }

    fn parse_print(&mut self) -> Parsed<Decl> {
        self.cursor.bump();
        let start = self.cursor.span();
        let expr = self.parse_expr()?;
        if !matches!(self.cursor.peek(), Boundary | End) {
            return Err(self.unexpected("the end of the line"));
        }
        let text = self.cursor.text(start.to(self.cursor.previous_span()));
        Ok(Decl::Print(expr, text.into()))
    }

    fn parse_names(&mut self, what: &str) -> Parsed<Box<[Ident]>> {
        let mut names = vec![self.parse_ident(what)?];
        while self.cursor.peek() == Comma {
            self.cursor.bump();
            names.push(self.parse_ident(what)?);
        }
        Ok(names.into())
    }

    pub(super) fn parse_ident(&mut self, what: &str) -> Parsed<Ident> {
        if self.cursor.peek() != Ident {
            return Err(self.unexpected(what));
        }
        let ident = self.ident_at_cursor();
        self.cursor.bump();
        Ok(ident)
    }

    pub(super) fn ident_at_cursor(&mut self) -> Ident {
        let span = self.cursor.span();
        Ident { symbol: self.ast.symbols.intern(self.cursor.text(span)), span }
    }

    /// `x` or `M::x`.
    pub(super) fn parse_path(&mut self, what: &str) -> Parsed<Path> {
        let first = self.parse_ident(what)?;
        if self.cursor.peek() != ScopeColons {
            return Ok([first].into());
        }
        let mut path = vec![first];
        while self.cursor.peek() == ScopeColons {
            self.cursor.bump();
            path.push(self.parse_ident("a name inside the module")?);
        }
        Ok(path.into())
    }
}

/// Adds an equation to the pending function, or begins a new one.
fn collect(
    parser: &mut Parser,
    pending: &mut Option<Pending>,
    decls: &mut Vec<DeclId>,
    name: Ident,
    equation: Equation,
) {
    match pending {
        Some(known) if known.name.symbol == name.symbol => {
            known.span = known.span.to(equation.span);
            known.equations.push(equation);
        }
        _ => {
            flush(parser, pending, decls);
            *pending = Some(Pending { name, span: equation.span, equations: vec![equation] });
        }
    }
}

fn flush(parser: &mut Parser, pending: &mut Option<Pending>, decls: &mut Vec<DeclId>) {
    if let Some(Pending { name, equations, span }) = pending.take() {
        decls.push(parser.add_decl(Decl::Function { name, equations: equations.into() }, span));
    }
}

fn starts_declaration(kind: TokenKind) -> bool {
    kind == Ident || kind.is_declarator()
}
