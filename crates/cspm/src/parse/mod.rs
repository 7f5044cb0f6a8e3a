//! Tokens to a tree, by recursive descent.
//!
//! The parser never gives up: a damaged declaration is reported once, keeps its name and what could be read of it, and
//! the next declaration starts afresh. Expressions are read by precedence climbing ([`expression`]); patterns are read as
//! expressions first and converted ([`pattern`]), because only the token behind them tells which they were.

mod annotations;
mod assertion;
mod cursor;
mod declaration;
mod errors;
mod expect;
mod expression;
mod foreign;
mod literal;
mod pattern;
mod process;
mod temporal;
mod types;

use limits::display::diagnostics::MAX_DIAGNOSTICS;
pub(crate) use limits::input::cspm::MAX_NESTING;
pub use temporal::parse_fragment;

use crate::lex;
use crate::syntax::{Ast, DeclId, ExprId, TypeScheme};
use cursor::Cursor;
use source::{Diagnostic, Files, SourceMap, Span};

/// Marks that something was reported and the rest of the declaration is lost.
#[derive(Debug)]
pub(crate) struct Damage;

/// What a parsing function returns.
pub(crate) type Parsed<T> = Result<T, Damage>;

pub(crate) struct Parser<'a> {
    cursor: Cursor<'a>,
    ast: Ast,
    diagnostics: Vec<Diagnostic>,
    nesting: u32,
    /// Sequences opened by `<` and not closed yet inside the innermost bracket: while there are any, `>` closes one.
    open_sequences: u32,
    /// The token index of the last `>` that closed a sequence, to explain what follows it.
    last_close: usize,
    /// `_` and `@@` read as expressions; those not turned into patterns by the end of a declaration are reported.
    pattern_only: Vec<ExprId>,
    /// Set once a `let` ran away for want of `within`: from then on a line at the margin ends a `let`.
    margin_ends_let: bool,
    /// Inside a `Timed` section, where some operators have no meaning.
    timed: bool,
}

/// Reads a script with all its includes. `extra` is an expression that is added as a last `print`.
pub fn parse_script(files: &dyn Files, root: &str, map: &mut SourceMap, extra: Option<&str>) -> (Ast, Vec<Diagnostic>) {
    let mut tokens = lex::lex_script(files, root, map);
    let mut diagnostics = std::mem::take(&mut tokens.diagnostics);
    let mut parser = Parser::new(map, &tokens.tokens, Ast::default());
    parser.parse_file();
    parser.add_pragmas(map, &tokens);
    parser.ast.incomplete |= tokens.incomplete;
    diagnostics.append(&mut parser.diagnostics);
    let mut ast = parser.ast;
    if let Some(text) = extra {
        let tokens = lex::lex_fragment("<expression>", text, map);
        diagnostics.extend(tokens.diagnostics);
        let mut parser = Parser::new(map, &tokens.tokens, ast);
        parser.parse_extra(text);
        diagnostics.append(&mut parser.diagnostics);
        ast = parser.ast;
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    (ast, diagnostics)
}

/// Reads a type as annotations write it; `text` must be well-formed, as the built-ins' types are.
pub fn parse_builtin_scheme(ast: &mut Ast, text: &str) -> TypeScheme {
    let mut map = SourceMap::new();
    let tokens = lex::lex_fragment("<built-in>", text, &mut map);
    let mut parser = Parser::new(&map, &tokens.tokens, std::mem::take(ast));
    let scheme = parser.parse_type_scheme();
    *ast = parser.ast;
    scheme.unwrap_or_else(|Damage| panic!("the built-in type `{text}` does not parse"))
}

impl<'a> Parser<'a> {
    fn new(map: &'a SourceMap, tokens: &'a [lex::Token], ast: Ast) -> Parser<'a> {
        Parser {
            cursor: Cursor::new(map, tokens),
            ast,
            diagnostics: Vec::new(),
            nesting: 0,
            open_sequences: 0,
            last_close: usize::MAX,
            pattern_only: Vec::new(),
            margin_ends_let: false,
            timed: false,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Damage {
        // A second complaint about the same token is a consequence of the first.
        let is_echo = self.diagnostics.last().is_some_and(|last| last.primary.span == diagnostic.primary.span);
        if self.diagnostics.len() < MAX_DIAGNOSTICS && !is_echo {
            self.diagnostics.push(diagnostic);
        }
        Damage
    }

    fn add_decl(&mut self, decl: crate::syntax::Decl, span: Span) -> DeclId {
        self.ast.add_decl(decl, span)
    }
}
