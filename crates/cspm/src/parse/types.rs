//! Types of annotations.

use super::{Parsed, Parser, errors};
use crate::lex::TokenKind::*;
use crate::stack;
use crate::syntax::{Decl, Ident, TypeExpr, TypeId, TypeScheme};

/// The constraints on type variables.
pub(crate) const CONSTRAINTS: [&str; 6] = ["Eq", "Ord", "Set", "Complete", "Inputable", "Yieldable"];

impl Parser<'_> {
    /// Whether `name, name :: type` begins at the cursor.
    pub(super) fn at_annotation(&self) -> bool {
        let mut n = 0;
        while self.cursor.kind_at(n) == Ident {
            match self.cursor.kind_at(n + 1) {
                TypeColons => return true,
                Comma => n += 2,
                _ => return false,
            }
        }
        false
    }

    pub(super) fn parse_annotation(&mut self) -> Parsed<Decl> {
        let mut names = vec![self.parse_ident("a name")?];
        while self.cursor.peek() == Comma {
            self.cursor.bump();
            names.push(self.parse_ident("a name")?);
        }
        self.expect(TypeColons, "`::` and a type")?;
        Ok(Decl::Annotation { names: names.into(), scheme: self.parse_type_scheme()? })
    }

    /// `type`, `Eq a => type` or `(Eq a, Set b) => type`.
    pub(super) fn parse_type_scheme(&mut self) -> Parsed<TypeScheme> {
        let constraints = match (self.cursor.peek(), self.cursor.kind_at(1), self.cursor.kind_at(2)) {
            (Ident, Ident, _) if !self.cursor.separated_at(1) => vec![self.parse_constraint()?],
            (ParenOpen, Ident, Ident) => self.parse_constraints()?,
            _ => Vec::new(),
        };
        if !constraints.is_empty() {
            self.expect(FatArrow, "`=>` and a type")?;
        }
        Ok(TypeScheme { constraints: constraints.into(), body: self.parse_type()? })
    }

    fn parse_constraints(&mut self) -> Parsed<Vec<(Ident, Ident)>> {
        let open = self.cursor.bump();
        let mut constraints = vec![self.parse_constraint()?];
        while self.cursor.peek() == Comma {
            self.cursor.bump();
            constraints.push(self.parse_constraint()?);
        }
        self.close(ParenClose, ")", "(", open)?;
        Ok(constraints)
    }

    fn parse_constraint(&mut self) -> Parsed<(Ident, Ident)> {
        let class = self.parse_ident("a constraint")?;
        let text = self.ast.symbols.text(class.symbol);
        if !CONSTRAINTS.contains(&text) {
            let diagnostic = errors::unknown_constraint(text, &CONSTRAINTS, class.span);
            return Err(self.report(diagnostic));
        }
        Ok((class, self.parse_ident("a type variable")?))
    }

    /// `a => b` and `a =>* b` are right-associative and bind looser than dots.
    fn parse_type(&mut self) -> Parsed<TypeId> {
        if self.nesting >= super::MAX_NESTING {
            return Err(self.report(errors::too_deep(self.cursor.span())));
        }
        self.nesting += 1;
        let result = stack::grow(|| self.parse_type_here());
        self.nesting -= 1;
        result
    }

    fn parse_type_here(&mut self) -> Parsed<TypeId> {
        let start = self.cursor.span();
        let left = self.parse_dotted_type()?;
        let dotable = match self.cursor.peek() {
            FatArrow => TypeExpr::Dotable,
            FatArrowStar => TypeExpr::Extendable,
            Arrow => {
                let text = self.cursor.text(start.to(self.cursor.previous_span()));
                return Err(self.report_at_cursor(|span| errors::bare_function_argument(text, span)));
            }
            _ => return Ok(left),
        };
        self.cursor.bump();
        let right = self.parse_type()?;
        let span = start.to(self.ast.type_span(right));
        Ok(self.ast.add_type(dotable(left, right), span))
    }

    fn parse_dotted_type(&mut self) -> Parsed<TypeId> {
        let start = self.cursor.span();
        let left = self.parse_simple_type()?;
        if self.cursor.peek() != Dot {
            return Ok(left);
        }
        self.cursor.bump();
        let right = stack::grow(|| self.parse_dotted_type())?;
        let span = start.to(self.ast.type_span(right));
        Ok(self.ast.add_type(TypeExpr::Dot(left, right), span))
    }

    fn parse_simple_type(&mut self) -> Parsed<TypeId> {
        let start = self.cursor.span();
        let ty = match self.cursor.peek() {
            Ident => TypeExpr::Name(self.parse_path("a type")?),
            BraceOpen => {
                self.cursor.bump();
                let item = self.parse_type()?;
                self.close(BraceClose, "}", "{", start)?;
                TypeExpr::Set(item)
            }
            Less => {
                self.cursor.bump();
                let item = self.parse_type()?;
                self.close(Greater, ">", "<", start)?;
                TypeExpr::Seq(item)
            }
            MapOpen => {
                self.cursor.bump();
                let key = self.parse_dotted_type()?;
                self.expect(FatArrow, "`=>` and a type")?;
                let value = self.parse_type()?;
                self.close(MapClose, "|)", "(|", start)?;
                TypeExpr::Map(key, value)
            }
            ParenOpen => return self.parse_parenthesized_type(),
            _ => return Err(self.unexpected("a type")),
        };
        let span = start.to(self.cursor.previous_span());
        Ok(self.ast.add_type(ty, span))
    }

    /// `(a)`, `(a, b)`, `(a, b) -> c`.
    fn parse_parenthesized_type(&mut self) -> Parsed<TypeId> {
        let start = self.cursor.bump();
        let mut items = Vec::new();
        while self.cursor.peek() != ParenClose {
            items.push(self.parse_type()?);
            if self.cursor.peek() != Comma {
                break;
            }
            self.cursor.bump();
        }
        self.close(ParenClose, ")", "(", start)?;
        if self.cursor.peek() == Arrow {
            self.cursor.bump();
            let result = self.parse_type()?;
            let span = start.to(self.ast.type_span(result));
            return Ok(self.ast.add_type(TypeExpr::Function(items.into(), result), span));
        }
        let span = start.to(self.cursor.previous_span());
        match items.as_slice() {
            [] => Err(self.unexpected("`->` and the type of the result")),
            &[item] => Ok(item),
            _ => Ok(self.ast.add_type(TypeExpr::Tuple(items.into()), span)),
        }
    }
}
