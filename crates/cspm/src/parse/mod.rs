//! Recursive-descent parser with error recovery.
//!
//! A malformed declaration is reported once and keeps its name and its well-formed parts; parsing resumes at the next
//! declaration. Expressions are parsed by precedence climbing ([`expression`]). Patterns are parsed as expressions and
//! converted ([`pattern`]), because only the token after them distinguishes the two.

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

/// An error that was reported; the rest of the declaration is skipped.
#[derive(Debug)]
pub(crate) struct Damage;

/// The result of a parsing function.
pub(crate) type Parsed<T> = Result<T, Damage>;

pub(crate) struct Parser<'a> {
    cursor: Cursor<'a>,
    ast: Ast,
    diagnostics: Vec<Diagnostic>,
    nesting: u32,
    /// The number of open sequences inside the innermost bracket. If there are any, `>` closes one.
    open_sequences: u32,
    /// The index of the last `>` that closed a sequence, for messages about the tokens after it.
    last_close: usize,
    /// `_` and `@@` in expressions; those not converted to patterns by the end of a declaration are reported.
    pattern_only: Vec<ExprId>,
    /// Set after the first `let` without `within`: from then on a line at the margin ends a `let`.
    margin_ends_let: bool,
    /// Inside a `Timed` section, where some operators have no meaning.
    timed: bool,
}

/// Parses a script with all included files. `extra` is an expression that is added as a last `print`.
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

/// Parses a type annotation; `text` must be well-formed.
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
        // A second error at the same token is a consequence of the first.
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
