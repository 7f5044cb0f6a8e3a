//! Names in patterns: constructors match, other names bind.

use super::walk::Target;
use super::{NameId, NameKind, PatName, Resolver, errors, set};
use crate::stack;
use crate::syntax::{Ident, Pat, PatId, Symbol};
use hashbrown::HashMap;
use limits::effort::evaluator::LINEAR_NAMES;

/// The names bound by one list of patterns, in order.
#[derive(Default)]
pub(super) struct Bound {
    pub names: Vec<(Symbol, NameId)>,
    /// An index by symbol, built once linear search is too slow.
    index: HashMap<Symbol, NameId>,
}

impl Bound {
    /// Adds a name and returns the one bound to the same symbol before.
    fn push(&mut self, symbol: Symbol, name: NameId) -> Option<NameId> {
        let earlier = if self.names.len() < LINEAR_NAMES {
            self.names.iter().find(|(other, _)| *other == symbol).map(|&(_, name)| name)
        } else {
            if self.index.is_empty() {
                self.index = self.names.iter().copied().collect();
            }
            self.index.insert(symbol, name)
        };
        self.names.push((symbol, name));
        earlier
    }
}

impl Resolver {
    /// Numbers the names that a pattern binds, and appends them to `bound`; duplicates in one list are reported. The
    /// names are not yet in scope.
    pub(super) fn bind_pattern(&mut self, id: PatId, kind: NameKind, bound: &mut Bound) {
        match self.out.ast.pat(id).clone() {
            Pat::Name(path) => self.settle_name(id, &path, kind, bound),
            Pat::Paren(inner) => stack::grow(|| self.bind_pattern(inner, kind, bound)),
            Pat::Tuple(items) | Pat::Seq(items) | Pat::Set(items) => {
                for &item in &items {
                    stack::grow(|| self.bind_pattern(item, kind, bound));
                }
            }
            Pat::Concat(left, right) | Pat::Dot(left, right) | Pat::Both(left, right) => {
                stack::grow(|| self.bind_pattern(left, kind, bound));
                stack::grow(|| self.bind_pattern(right, kind, bound));
            }
            Pat::Error | Pat::Wildcard | Pat::Int(_) | Pat::Bool(_) | Pat::Char(_) | Pat::String(_) => {}
        }
    }

    fn settle_name(&mut self, id: PatId, path: &[Ident], kind: NameKind, bound: &mut Bound) {
        if let [ident] = *path {
            match self.scope.value(ident.symbol) {
                Some(name) if self.is_matched(name) => self.match_name(id, ident, name),
                _ => self.bind_name(id, ident, kind, bound),
            }
            return;
        }
        let last = path[path.len() - 1];
        match self.lookup(path) {
            Target::Value(name) if self.is_matched(name) => self.match_name(id, last, name),
            Target::Value(_) => {
                let text = self.path_text(path);
                self.diagnostics.push(errors::qualified_pattern(&text, self.out.ast.pat_span(id)));
            }
            Target::Unknown => {}
        }
    }

    fn is_matched(&self, name: NameId) -> bool {
        matches!(self.out.name(name).kind, NameKind::Channel(_) | NameKind::Constructor(_))
    }

    fn match_name(&mut self, id: PatId, ident: Ident, name: NameId) {
        self.note_use(ident.span, name);
        set(&mut self.out.pat_names, id.index(), Some(PatName::Matches(name)));
    }

    pub(super) fn bind_name(&mut self, id: PatId, ident: Ident, kind: NameKind, bound: &mut Bound) {
        let name = self.add_name(ident, kind, "");
        // In an incomplete script, duplicates may be constructors whose declaration is missing.
        if let Some(first) = bound.push(ident.symbol, name)
            && !self.out.ast.incomplete
        {
            let text = self.symbol_text(ident.symbol).to_owned();
            let first = self.out.name(first).span;
            self.diagnostics.push(errors::bound_twice(&text, ident.span, first));
        }
        set(&mut self.out.pat_names, id.index(), Some(PatName::Binds(name)));
    }

    /// Binds the names of a pattern, and makes them visible.
    pub(super) fn bind_in_scope(&mut self, id: PatId, bound: &mut Bound) {
        let first = bound.names.len();
        self.bind_pattern(id, NameKind::Parameter, bound);
        for &(symbol, name) in &bound.names[first..] {
            self.scope.bind(symbol, name);
        }
    }
}
