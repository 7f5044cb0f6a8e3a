//! Dependency graph of declarations.
//!
//! The declarations of a block (the script, a module, a `let`) may use each other in any order. A definition is
//! generalised after all definitions that it is mutually recursive with, so blocks are checked by strongly connected
//! components in reverse topological order. One traversal of the tree collects the uses of all blocks: a use of a name
//! belongs to the enclosing declaration in the block that binds the name.

use crate::resolve::{NameId, PatName, Resolved};
use crate::syntax::parts::{Part, for_parts, for_sub_patterns};
use crate::syntax::*;
use std::convert::Infallible;

/// The uses between declarations of the same block, in compressed rows.
pub(super) struct Uses {
    /// The used declarations, grouped by user.
    used: Vec<DeclId>,
    /// The start of each group; one more than there are declarations.
    starts: Vec<u32>,
}

impl Uses {
    pub fn of(resolved: &Resolved) -> Uses {
        let mut walk = Walk {
            resolved,
            pending: Vec::new(),
            enclosing: Vec::new(),
            binder: vec![None; resolved.names.len()],
            depth: vec![0; resolved.ast.n_decls()],
            edges: Vec::new(),
        };
        for block in std::iter::once(&resolved.program).chain(&resolved.templates) {
            walk.block(block);
        }
        let mut edges = walk.edges;
        edges.sort_unstable();
        edges.dedup();
        let starts = (0..=resolved.ast.n_decls() as u32)
            .scan(0, |at, decl| {
                while edges.get(*at).is_some_and(|&(user, _)| user.0 < decl) {
                    *at += 1;
                }
                Some(*at as u32)
            })
            .collect();
        Uses { used: edges.into_iter().map(|(_, used)| used).collect(), starts }
    }

    fn used_by(&self, user: DeclId) -> &[DeclId] {
        &self.used[self.starts[user.index()] as usize..self.starts[user.index() + 1] as usize]
    }

    /// The strongly connected components of a block, each in source order, dependencies first.
    pub fn components(&self, block: &[DeclId], scratch: &mut Scratch) -> Vec<Vec<DeclId>> {
        if let [single] = block {
            return vec![vec![*single]];
        }
        let Scratch { search, position } = scratch;
        let n_decls = block.iter().map(|decl| decl.index() + 1).max().unwrap_or(0);
        position.resize(position.len().max(n_decls), 0);
        for (place, decl) in block.iter().enumerate() {
            position[decl.index()] = place as u32;
        }
        search.begin(block.iter().map(|decl| decl.0));
        let mut components = Vec::new();
        for root in block {
            let add_used = |user, used: &mut Vec<u32>| {
                used.extend(self.used_by(DeclId(user)).iter().map(|decl| decl.0));
                Ok(())
            };
            let Ok(()) = search.visit::<Infallible>(root.0, add_used, |component| {
                let mut decls: Vec<DeclId> = component.nodes.iter().map(|&decl| DeclId(decl)).collect();
                decls.sort_unstable_by_key(|decl| position[decl.index()]);
                components.push(decls);
            });
        }
        components
    }
}

/// Reusable tables of the search for components.
#[derive(Default)]
pub(super) struct Scratch {
    search: graphs::Search,
    /// The position of each declaration in its block.
    position: Vec<u32>,
}

/// A block with `Timed` sections flattened; the section itself precedes its declarations.
pub(super) fn flatten(ast: &Ast, block: &[DeclId]) -> Vec<DeclId> {
    let mut flat = Vec::with_capacity(block.len());
    let mut pending: Vec<DeclId> = block.iter().rev().copied().collect();
    while let Some(decl) = pending.pop() {
        flat.push(decl);
        if let Decl::Timed { declarations, .. } = ast.decl(decl) {
            pending.extend(declarations.iter().rev());
        }
    }
    flat
}

enum Step {
    Expr(ExprId),
    Pat(PatId),
    Type(TypeId),
    Decl(DeclId),
    Leave,
}

struct Walk<'a> {
    resolved: &'a Resolved,
    pending: Vec<Step>,
    /// The enclosing declarations, outermost first.
    enclosing: Vec<DeclId>,
    binder: Vec<Option<DeclId>>,
    depth: Vec<u32>,
    edges: Vec<(DeclId, DeclId)>,
}

impl Walk<'_> {
    fn block(&mut self, block: &[DeclId]) {
        self.declarations(block);
        while let Some(step) = self.pending.pop() {
            match step {
                Step::Expr(id) => self.expr(id),
                Step::Pat(id) => self.pat(id),
                Step::Type(id) => self.type_expr(id),
                Step::Decl(id) => {
                    self.enclosing.push(id);
                    self.pending.push(Step::Leave);
                    self.decl(id);
                }
                Step::Leave => {
                    self.enclosing.pop();
                }
            }
        }
    }

    fn declarations(&mut self, block: &[DeclId]) {
        let depth = self.enclosing.len() as u32;
        for decl in flatten(&self.resolved.ast, block) {
            self.depth[decl.index()] = depth;
            self.pending.push(Step::Decl(decl));
            let names = match self.resolved.ast.decl(decl) {
                // They refer to names that other declarations bind.
                Decl::Annotation { .. } | Decl::Import { .. } | Decl::Timed { .. } => &[],
                Decl::Subtype { .. } => self.resolved.decl_names(decl).get(..1).unwrap_or(&[]),
                _ => self.resolved.decl_names(decl),
            };
            for name in names {
                self.binder[name.index()] = Some(decl);
            }
        }
    }

    fn used(&mut self, name: NameId) {
        if let Some(binder) = self.binder[name.index()]
            && let Some(&user) = self.enclosing.get(self.depth[binder.index()] as usize)
        {
            self.edges.push((user, binder));
        }
    }

    fn expr(&mut self, id: ExprId) {
        let resolved = self.resolved;
        match resolved.ast.expr(id) {
            Expr::Name(_) => {
                if let Some(name) = resolved.expr_name(id) {
                    self.used(name);
                }
            }
            Expr::Let(declarations, body) => {
                self.declarations(declarations);
                self.pending.push(Step::Expr(*body));
            }
            expr => for_parts(expr, &mut |part| {
                self.pending.push(match part {
                    Part::Expr(id) => Step::Expr(id),
                    Part::Pat(id) => Step::Pat(id),
                })
            }),
        }
    }

    fn pat(&mut self, id: PatId) {
        let resolved = self.resolved;
        match resolved.ast.pat(id) {
            Pat::Name(_) => {
                if let Some(PatName::Matches(name)) = resolved.pat_name(id) {
                    self.used(name);
                }
            }
            pat => for_sub_patterns(pat, |id| self.pending.push(Step::Pat(id))),
        }
    }

    fn type_expr(&mut self, id: TypeId) {
        let resolved = self.resolved;
        let mut push = |id: TypeId| self.pending.push(Step::Type(id));
        match resolved.ast.type_expr(id) {
            TypeExpr::Error => {}
            TypeExpr::Name(_) => {
                if let Some(name) = resolved.type_name(id) {
                    self.used(name);
                }
            }
            TypeExpr::Set(t) | TypeExpr::Seq(t) => push(*t),
            TypeExpr::Map(a, b) | TypeExpr::Dot(a, b) | TypeExpr::Dotable(a, b) | TypeExpr::Extendable(a, b) => {
                push(*a);
                push(*b);
            }
            TypeExpr::Tuple(items) => items.iter().copied().for_each(push),
            TypeExpr::Function(arguments, result) => arguments.iter().chain([result]).copied().for_each(push),
        }
    }

    fn decl(&mut self, id: DeclId) {
        let resolved = self.resolved;
        match resolved.ast.decl(id) {
            Decl::Function { equations, .. } => {
                for equation in equations {
                    self.pending.push(Step::Expr(equation.body));
                    self.pending.extend(equation.groups.iter().flatten().map(|&pat| Step::Pat(pat)));
                }
            }
            Decl::Pattern(pat, value) => self.pending.extend([Step::Pat(*pat), Step::Expr(*value)]),
            Decl::Channel { fields, .. } => self.pending.extend(fields.map(Step::Expr)),
            Decl::Datatype { clauses, .. } => {
                self.pending.extend(clauses.iter().filter_map(|clause| clause.fields).map(Step::Expr));
            }
            Decl::Subtype { clauses, .. } => {
                self.pending.extend(clauses.iter().filter_map(|clause| clause.fields).map(Step::Expr));
                for &constructor in resolved.decl_names(id).iter().skip(1) {
                    self.used(constructor);
                }
            }
            Decl::Nametype(_, value) | Decl::Print(value, _) => self.pending.push(Step::Expr(*value)),
            Decl::Assert(assertion) => {
                self.pending.extend(assertion.expressions().into_iter().map(Step::Expr));
            }
            Decl::Timed { function, .. } => {
                self.pending.extend(function.map(Step::Expr));
                for &tock in resolved.decl_names(id) {
                    self.used(tock);
                }
            }
            Decl::Annotation { scheme, .. } => {
                // The uses of the annotation are uses of the definition.
                let binder = resolved.decl_names(id).iter().find_map(|name| self.binder[name.index()]);
                if let (Some(binder), Some(enclosing)) = (binder, self.enclosing.last_mut()) {
                    *enclosing = binder;
                }
                self.pending.push(Step::Type(scheme.body));
            }
            Decl::Error | Decl::Import { .. } | Decl::Module { .. } | Decl::Instance { .. } => {}
        }
    }
}
