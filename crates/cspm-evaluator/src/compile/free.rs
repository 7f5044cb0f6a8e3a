//! Which variables an expression needs from outside.
//!
//! Every binding has a number of its own, so the answer is simply the names used minus the names bound, collected in
//! one walk. A local function counts as the variables that it needs in turn, which is what lets local functions run
//! without a closure: a call hands over its variables as extra arguments.

use super::{Program, Section, Var};
use cspm::resolve::{NameId, NameKind, PatName, Resolved};
use cspm::stack;
use cspm::syntax::parts::{Part, for_parts};
use cspm::syntax::{Decl, DeclId, Expr, ExprId, Field, Pat, PatId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Names used and bound in some piece of a script.
#[derive(Default)]
pub struct Names {
    /// Local names used.
    pub used: BTreeSet<NameId>,
    bound: BTreeSet<NameId>,
}

impl Names {
    /// Those that come from outside.
    pub fn free(&self) -> impl Iterator<Item = NameId> + '_ {
        self.used.difference(&self.bound).copied()
    }
}

impl Program<'_> {
    /// The names in an expression.
    pub fn names_in(&self, expr: ExprId) -> Names {
        let mut walk = Walk { resolved: self.resolved, program: self, names: Names::default(), itself: None };
        walk.expr(expr);
        walk.names
    }

    /// The names that an expression needs from outside. Remembered: what a chain of prefixes or a nest of lets needs is
    /// asked for at each of its levels.
    pub fn free_in(&self, expr: ExprId) -> Rc<[NameId]> {
        if let Some(known) = self.free_names.borrow().get(&expr) {
            return known.clone();
        }
        let free: Rc<[NameId]> = self.names_in(expr).free().collect();
        self.free_names.borrow_mut().insert(expr, free.clone());
        free
    }

    /// The names in a declaration.
    pub fn names_in_decl(&self, decl: DeclId) -> Names {
        let mut walk = Walk { resolved: self.resolved, program: self, names: Names::default(), itself: None };
        walk.decl(decl);
        walk.names
    }

    /// The names that the equations of a function use, not counting arguments of calls of itself that do not matter.
    pub fn names_used(&self, decl: DeclId, matters: &[bool]) -> BTreeSet<NameId> {
        let itself = self.resolved.decl_names(decl).first().map(|&name| (name, matters));
        let mut walk = Walk { resolved: self.resolved, program: self, names: Names::default(), itself };
        walk.decl(decl);
        walk.names.used
    }

    /// The names bound by a pattern, in source order.
    pub fn bound_by(&self, pat: PatId) -> Vec<NameId> {
        let mut names = Vec::new();
        self.collect_bound(pat, &mut names);
        names
    }

    fn collect_bound(&self, pat: PatId, names: &mut Vec<NameId>) {
        stack::grow(|| match self.resolved.ast.pat(pat) {
            Pat::Name(_) => {
                if let Some(PatName::Binds(name)) = self.resolved.pat_name(pat) {
                    names.push(name);
                }
            }
            Pat::Paren(inner) => self.collect_bound(*inner, names),
            Pat::Tuple(parts) | Pat::Seq(parts) | Pat::Set(parts) => {
                parts.iter().for_each(|&part| self.collect_bound(part, names));
            }
            Pat::Concat(left, right) | Pat::Dot(left, right) | Pat::Both(left, right) => {
                self.collect_bound(*left, names);
                self.collect_bound(*right, names);
            }
            Pat::Error | Pat::Wildcard | Pat::Int(_) | Pat::Bool(_) | Pat::Char(_) | Pat::String(_) => {}
        });
    }

    /// Replaces names by the slots they live in: a local function stands for what it needs, a name bound by the
    /// pattern of a local declaration for itself.
    pub fn variables_of(&self, names: impl Iterator<Item = NameId>, into: &mut BTreeSet<Var>) {
        for name in names {
            match self.function_of.get(&Var::Name(name)) {
                Some(&function) => into.extend(self.entry(function).lifted.iter().copied()),
                None => {
                    into.insert(Var::Name(name));
                }
            }
        }
    }

    /// The free names of the duration function of a timed section.
    pub fn section_names(&self, section: Option<&Section>) -> Option<Names> {
        Some(self.names_in(section?.duration?))
    }
}

struct Walk<'w, 'a> {
    resolved: &'a Resolved,
    program: &'w Program<'a>,
    names: Names,
    /// A function and which arguments of its calls count; all calls count fully if absent.
    itself: Option<(NameId, &'w [bool])>,
}

impl Walk<'_, '_> {
    fn used(&mut self, name: NameId) {
        let kind = self.resolved.name(name).kind;
        let can_be_local = matches!(kind, NameKind::Function(_) | NameKind::Value(_) | NameKind::Parameter);
        if can_be_local && !self.program.is_global(name) {
            self.names.used.insert(name);
        }
    }

    fn pattern(&mut self, pat: PatId) {
        self.names.bound.extend(self.program.bound_by(pat));
    }

    fn decl(&mut self, decl: DeclId) {
        match self.resolved.ast.decl(decl) {
            Decl::Function { equations, .. } => {
                self.names.bound.extend(self.resolved.decl_names(decl));
                for equation in equations {
                    equation.groups.iter().flatten().for_each(|&pat| self.pattern(pat));
                    self.expr(equation.body);
                }
            }
            Decl::Pattern(pat, value) => {
                self.pattern(*pat);
                self.expr(*value);
            }
            Decl::Timed { function, declarations } => {
                function.iter().for_each(|&function| self.expr(function));
                declarations.iter().for_each(|&decl| self.decl(decl));
            }
            _ => {}
        }
    }

    fn exprs(&mut self, exprs: &[ExprId]) {
        exprs.iter().for_each(|&expr| self.expr(expr));
    }

    /// An expression whose free names are worth remembering, because they are asked for again and again.
    fn remembered(&mut self, expr: ExprId) {
        match self.itself {
            Some(_) => self.expr(expr),
            None => self.names.used.extend(self.program.free_in(expr).iter()),
        }
    }

    fn expr(&mut self, expr: ExprId) {
        stack::grow(|| self.expr_here(expr));
    }

    fn expr_here(&mut self, expr: ExprId) {
        let resolved = self.resolved;
        match resolved.ast.expr(expr) {
            Expr::Name(_) => {
                if let Some(name) = resolved.expr_name(expr) {
                    self.used(name);
                }
            }
            Expr::Call(function, arguments) => match self.itself {
                Some((name, matters))
                    if resolved.expr_name(*function) == Some(name) && matters.len() == arguments.len() =>
                {
                    let count = arguments.iter().zip(matters).filter(|(_, matters)| **matters);
                    count.for_each(|(&argument, _)| self.expr(argument));
                }
                _ => {
                    self.expr(*function);
                    self.exprs(arguments);
                }
            },
            Expr::Let(decls, body) => {
                decls.iter().for_each(|&decl| self.decl(decl));
                self.remembered(*body);
            }
            Expr::Prefix { event, fields, process } => {
                self.expr(*event);
                for field in fields {
                    match *field {
                        Field::Output(value) => self.expr(value),
                        Field::Input(pat, set) | Field::NondetInput(pat, set) => {
                            self.pattern(pat);
                            set.iter().for_each(|&set| self.expr(set));
                        }
                    }
                }
                self.remembered(*process);
            }
            expr => for_parts(expr, &mut |part| match part {
                Part::Expr(part) => self.expr(part),
                Part::Pat(pat) => self.pattern(pat),
            }),
        }
    }
}
