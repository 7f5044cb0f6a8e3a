//! Type annotations: each must annotate a definition of its block, at most once.

use super::{Parser, errors};
use crate::syntax::{Decl, DeclId, Ident, Pat, Symbol};
use hashbrown::{HashMap, HashSet};

impl Parser<'_> {
    pub(super) fn check_annotations(&mut self, decls: &[DeclId]) {
        let is_annotation = |&decl: &DeclId| matches!(self.ast.decl(decl), Decl::Annotation { .. });
        if !decls.iter().any(is_annotation) {
            return;
        }
        let mut annotated: HashMap<Symbol, (Ident, DeclId)> = HashMap::new();
        let mut problems = Vec::new();
        for &decl in decls {
            if let Decl::Annotation { names, .. } = self.ast.decl(decl) {
                for &name in names {
                    if let Some((first, _)) = annotated.insert(name.symbol, (name, decl)) {
                        problems.push(errors::second_annotation(
                            self.ast.symbols.text(name.symbol),
                            name.span,
                            first.span,
                        ));
                    }
                }
            }
        }
        let mut defined = HashSet::new();
        self.collect_annotatable(decls, &mut defined);
        for (name, _) in annotated.values() {
            // A malformed block may have lost the definition.
            if !defined.contains(&name.symbol) && !self.ast.incomplete {
                problems.push(errors::unused_annotation(self.ast.symbols.text(name.symbol), name.span));
            }
        }
        for &decl in decls {
            if let Decl::Channel { names, .. } = self.ast.decl(decl) {
                let mut annotations = names.iter().filter_map(|name| annotated.get(&name.symbol));
                if let Some((first, annotation)) = annotations.next()
                    && let Some((second, _)) = annotations.find(|(_, other)| other != annotation)
                {
                    problems.push(errors::channels_annotated_apart(second.span, first.span));
                }
            }
        }
        problems.sort_by_key(|diagnostic| diagnostic.primary.span.start);
        for problem in problems {
            self.report(problem);
        }
    }

    /// The names of a block that may be annotated.
    fn collect_annotatable(&self, decls: &[DeclId], defined: &mut HashSet<Symbol>) {
        for &decl in decls {
            match self.ast.decl(decl) {
                Decl::Function { name, .. } | Decl::Nametype(name, _) => _ = defined.insert(name.symbol),
                Decl::Pattern(pattern, _) => {
                    if let Pat::Name(path) = self.ast.pat(*pattern) {
                        defined.insert(path[0].symbol);
                    }
                }
                Decl::Channel { names, .. } => defined.extend(names.iter().map(|name| name.symbol)),
                Decl::Datatype { name, clauses } => {
                    defined.insert(name.symbol);
                    defined.extend(clauses.iter().map(|clause| clause.name.symbol));
                }
                Decl::Timed { declarations, .. } => self.collect_annotatable(declarations, defined),
                _ => {}
            }
        }
    }
}
