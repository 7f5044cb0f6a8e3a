//! Which variables will be needed for certain.
//!
//! A function is strict in an argument if every run that ends with a value looks at the argument. Such an argument may
//! be computed before the call, which spares the thunk and keeps loops with accumulators from piling up delayed work.
//! The analysis goes over the tree; a recursive function is first assumed to be strict in everything, and the
//! assumption is weakened until it confirms itself. Functions that call each other in a circle are not followed around
//! it.

use super::{Program, Source, Strictness};
use crate::code::{FunctionId, Yields};
use cspm::builtins::Builtin;
use cspm::resolve::{NameId, NameKind, PatName};
use cspm::stack;
use cspm::syntax::{BinaryOp, Decl, DeclId, Expr, ExprId, Pat, PatId, Statement};
use cspm::typecheck::TypeShape;
use limits::effort::evaluator::MAX_DEMAND_DEPTH;
use std::collections::BTreeSet;

/// How much of the value of an expression is certainly forced.
///
/// A function that threads several results through its recursion hands them on in tuples, and is strict in none of
/// them if only the tuple is asked for. So a function is analyzed and compiled apart for calls whose result is taken
/// apart at once: there the parts are computed before the tuple is made, and what is handed on need not be delayed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Asked {
    /// The value, but of a tuple perhaps no part.
    Whole,
    /// The value, and if it is a tuple, all parts of it.
    Parts,
}

/// Demand: variables that an expression certainly forces.
#[derive(Clone, Debug)]
pub enum Demand {
    /// It never yields a value, so anything may be said of it.
    Everything,
    /// These variables.
    Names(BTreeSet<NameId>),
}

impl Demand {
    fn nothing() -> Demand {
        Demand::Names(BTreeSet::new())
    }

    fn and(self, other: Demand) -> Demand {
        match (self, other) {
            (Demand::Names(mut names), Demand::Names(more)) => {
                names.extend(more);
                Demand::Names(names)
            }
            _ => Demand::Everything,
        }
    }

    fn or(self, other: Demand) -> Demand {
        match (self, other) {
            (Demand::Everything, demand) | (demand, Demand::Everything) => demand,
            (Demand::Names(names), Demand::Names(others)) => Demand::Names(&names & &others),
        }
    }

    /// Whether `name` is certainly forced.
    pub fn includes(&self, name: NameId) -> bool {
        match self {
            Demand::Everything => true,
            Demand::Names(names) => names.contains(&name),
        }
    }
}

impl Program<'_> {
    /// For each argument of a function, whether it is certainly needed.
    pub fn strict_arguments(&mut self, function: FunctionId) -> Box<[bool]> {
        let entry = &mut self.functions[function.0 as usize];
        match &entry.strictness {
            Strictness::Known(strict) => return strict.clone(),
            Strictness::Assumed(strict) => return strict.clone(),
            Strictness::Unknown => {}
        }
        let Source::Equations(decl, _) = entry.source else { return Box::default() };
        let Decl::Function { equations, .. } = self.resolved.ast.decl(decl) else { return Box::default() };
        let n_arguments = equations.first().map_or(0, |equation| equation.groups.iter().map(|group| group.len()).sum());
        if equations.iter().any(|equation| equation.groups.iter().flatten().count() != n_arguments) {
            return vec![false; n_arguments].into();
        }
        let mut assumed: Box<[bool]> = vec![true; n_arguments].into();
        loop {
            let outer = self.analyzing.replace(function);
            self.functions[function.0 as usize].strictness = Strictness::Assumed(assumed.clone());
            let found = stack::grow(|| self.strict_once(function, decl, n_arguments));
            self.analyzing = outer;
            if found == assumed {
                self.functions[function.0 as usize].strictness = Strictness::Known(found.clone());
                return found;
            }
            assumed = found;
        }
    }

    fn strict_once(&mut self, function: FunctionId, decl: DeclId, n_arguments: usize) -> Box<[bool]> {
        let resolved = self.resolved;
        let Decl::Function { equations, .. } = resolved.ast.decl(decl) else { return Box::default() };
        // From the last equation to the first: what is needed if all before it failed to match. None means that
        // nothing is left to try, which is an error and so needs everything.
        let mut needed: Option<Vec<bool>> = None;
        let asked = self.entry(function).asked;
        for equation in equations.iter().rev() {
            let patterns: Vec<PatId> = equation.groups.iter().flatten().copied().collect();
            let body = self.demand(equation.body, asked);
            let mut here: Vec<bool> =
                patterns.iter().map(|&pat| self.bound_variable(pat).is_some_and(|name| body.includes(name))).collect();
            for (index, &pat) in patterns.iter().enumerate().rev() {
                if self.is_irrefutable(pat) {
                    continue;
                }
                if let Some(needed) = &needed {
                    here.iter_mut().zip(needed).for_each(|(here, &otherwise)| *here &= otherwise);
                }
                here[index] = true;
            }
            needed = Some(here);
        }
        needed.unwrap_or_else(|| vec![false; n_arguments]).into()
    }

    /// The function as it is compiled for calls of which so much is asked.
    pub fn variant(&mut self, function: FunctionId, asked: Asked) -> FunctionId {
        let entry = self.entry(function);
        let Source::Equations(decl, _) = entry.source else { return function };
        if asked == entry.asked || entry.yields == Yields::Process || !self.yields_tuple(decl) {
            return function;
        }
        if let Some(&known) = self.variants.get(&function) {
            return known;
        }
        let (source, lifted, section) = (entry.source, entry.lifted.clone(), entry.section.clone());
        let variant = self.add_entry(source, lifted, section);
        self.functions[variant.0 as usize].asked = Asked::Parts;
        self.variants.insert(function, variant);
        variant
    }

    fn yields_tuple(&self, decl: DeclId) -> bool {
        let body = self.equations(decl).first().map(|equation| equation.body);
        let ty = body.and_then(|body| self.types.of_expr(body));
        ty.is_some_and(|ty| matches!(self.types.shape(ty), TypeShape::Tuple(_)))
    }

    fn bound_variable(&self, pat: PatId) -> Option<NameId> {
        match self.resolved.ast.pat(pat) {
            Pat::Paren(inner) => self.bound_variable(*inner),
            Pat::Name(_) => match self.resolved.pat_name(pat) {
                Some(PatName::Binds(name)) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_irrefutable(&self, pat: PatId) -> bool {
        match self.resolved.ast.pat(pat) {
            Pat::Paren(inner) => self.is_irrefutable(*inner),
            Pat::Wildcard => true,
            Pat::Name(_) => matches!(self.resolved.pat_name(pat), Some(PatName::Binds(_))),
            _ => false,
        }
    }

    /// The demand of an expression, to a depth of a few levels: it is computed at every level of a
    /// nest, and knowing less is always right.
    pub fn demand(&mut self, expr: ExprId, asked: Asked) -> Demand {
        if self.demand_depth == MAX_DEMAND_DEPTH {
            return Demand::nothing();
        }
        self.demand_depth += 1;
        let demand = stack::grow(|| self.demand_here(expr, asked));
        self.demand_depth -= 1;
        demand
    }

    fn demand_all(&mut self, exprs: impl IntoIterator<Item = ExprId>) -> Demand {
        exprs.into_iter().fold(Demand::nothing(), |demand, expr| demand.and(self.demand(expr, Asked::Whole)))
    }

    fn demand_here(&mut self, expr: ExprId, asked: Asked) -> Demand {
        let resolved = self.resolved;
        match resolved.ast.expr(expr) {
            Expr::Name(_) => match resolved.expr_name(expr) {
                Some(name) if matches!(resolved.name(name).kind, NameKind::Parameter | NameKind::Value(_)) => {
                    Demand::Names(BTreeSet::from([name]))
                }
                _ => Demand::nothing(),
            },
            Expr::Paren(inner) => self.demand(*inner, asked),
            Expr::Unary(_, inner) => self.demand(*inner, Asked::Whole),
            Expr::If(condition, then, otherwise) => {
                let branches = self.demand(*then, asked).or(self.demand(*otherwise, asked));
                self.demand(*condition, Asked::Whole).and(branches)
            }
            Expr::Tuple(parts) if asked == Asked::Parts => self.demand_all(parts.iter().copied()),
            Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Concat, left, _) => self.demand(*left, Asked::Whole),
            Expr::Binary(_, left, right) | Expr::Dot(left, right) => self.demand_all([*left, *right]),
            Expr::Set(parts) | Expr::EnumSet(parts) => self.demand_all(parts.iter().copied()),
            Expr::Map(entries) => self.demand_all(entries.iter().map(|entry| entry.0)),
            Expr::Range { from, to, statements, .. } if statements.is_empty() => {
                self.demand_all(std::iter::once(*from).chain(*to))
            }
            Expr::Range { statements, .. } | Expr::Comprehension { statements, .. } => {
                self.demand_statements(statements)
            }
            Expr::Call(function, arguments) => self.demand_call(*function, arguments, asked),
            Expr::Let(decls, body) => self.demand_let(decls, *body, asked),
            Expr::Guard(condition, _) => self.demand(*condition, Asked::Whole),
            _ => Demand::nothing(),
        }
    }

    /// The demand of a `let`, its own constants included: one that is needed needs its parts.
    pub fn demand_let(&mut self, decls: &[DeclId], body: ExprId, asked: Asked) -> Demand {
        let resolved = self.resolved;
        let mut demand = self.demand(body, asked);
        // Definitions may come in any order; two rounds find nearly everything.
        for _ in 0..2 {
            for &decl in decls {
                let Decl::Pattern(pat, value) = resolved.ast.decl(decl) else { continue };
                let Demand::Names(names) = &demand else { return demand };
                if resolved.decl_names(decl).iter().any(|name| names.contains(name)) {
                    let asked = self.asked_of(*pat, &demand);
                    demand = demand.and(self.demand(*value, asked));
                }
            }
        }
        demand
    }

    /// The demand of a declaration on its value if its names are needed as `demand` says.
    pub fn asked_of(&self, pat: PatId, demand: &Demand) -> Asked {
        let is_needed = |&part: &PatId| self.bound_variable(part).is_some_and(|name| demand.includes(name));
        match self.resolved.ast.pat(pat) {
            Pat::Paren(inner) => self.asked_of(*inner, demand),
            Pat::Tuple(parts) if parts.iter().all(is_needed) => Asked::Parts,
            _ => Asked::Whole,
        }
    }

    fn demand_statements(&mut self, statements: &[Statement]) -> Demand {
        match statements.first() {
            Some(Statement::Generator(_, source)) => self.demand(*source, Asked::Whole),
            Some(Statement::Filter(condition)) => self.demand(*condition, Asked::Whole),
            None => Demand::nothing(),
        }
    }

    fn demand_call(&mut self, function: ExprId, arguments: &[ExprId], asked: Asked) -> Demand {
        let resolved = self.resolved;
        let mut callee = function;
        while let Expr::Paren(inner) = resolved.ast.expr(callee) {
            callee = *inner;
        }
        let Expr::Name(_) = resolved.ast.expr(callee) else { return self.demand(callee, Asked::Whole) };
        let Some(name) = resolved.expr_name(callee) else { return Demand::nothing() };
        match resolved.name(name).kind {
            NameKind::Builtin(Builtin::Error) => Demand::Everything,
            NameKind::Builtin(builtin) => {
                let strict = arguments.iter().enumerate().filter(|(index, _)| builtin_is_strict(builtin, *index));
                self.demand_all(strict.map(|(_, &argument)| argument))
            }
            NameKind::Function(decl) => {
                let Some(id) = self.function_id(name) else { return Demand::nothing() };
                let single_group = matches!(resolved.ast.decl(decl), Decl::Function { equations, .. }
                    if equations.first().is_some_and(|equation| equation.groups.len() == 1));
                if !single_group || self.entry(id).yields == Yields::Process {
                    return Demand::nothing();
                }
                let id = self.variant(id, asked);
                let strict = self.assumed_strict(id);
                let needed: Vec<ExprId> = arguments
                    .iter()
                    .zip(strict.iter())
                    .filter(|(_, strict)| **strict)
                    .map(|(&argument, _)| argument)
                    .collect();
                self.demand_all(needed)
            }
            _ => Demand::Names(BTreeSet::from([name])),
        }
    }

    /// Strictness of a callee; of functions further out that are being analyzed nothing is assumed.
    fn assumed_strict(&mut self, function: FunctionId) -> Box<[bool]> {
        let in_progress = matches!(self.entry(function).strictness, Strictness::Assumed(_));
        if in_progress && self.analyzing != Some(function) {
            return Box::default();
        }
        self.strict_arguments(function)
    }
}

/// Whether a predefined function looks at its argument whatever happens.
pub fn builtin_is_strict(builtin: Builtin, argument: usize) -> bool {
    builtin != Builtin::MapUpdate || argument < 2
}
