//! Explicit types: annotations in scripts, and the table of built-ins.

use super::constraint::{Constraint, Constraints};
use super::solve::Solver;
use super::store::{Node, Ty};
use super::{Checker, errors};
use crate::parse::parse_builtin_scheme;
use crate::resolve::{NameId, NameKind};
use crate::syntax::{Ast, Ident, Symbol, Symbols, TypeExpr, TypeId, TypeScheme};

/// The type of an annotation.
pub(super) struct Annotated {
    pub ty: Ty,
    /// Its variables, which are in scope in annotations inside the definition.
    pub variables: Vec<(Symbol, Ty)>,
}

/// The annotation that is being translated.
#[derive(Default)]
pub(super) struct Scheme {
    constraints: Vec<(Ident, Constraint)>,
    variables: Vec<(Symbol, Ty)>,
}

impl Checker<'_> {
    /// Translates an annotation. Its variables are rigid, and shared with an enclosing annotation.
    pub(super) fn annotated_type(&mut self, scheme: &TypeScheme) -> Annotated {
        let resolved = self.resolved;
        self.scheme.constraints = scheme
            .constraints
            .iter()
            .filter_map(|&(constraint, variable)| {
                let named = Constraint::from_name(resolved.ast.symbols.text(constraint.symbol))?;
                Some((variable, named))
            })
            .collect();
        self.scheme.variables.clear();
        let ty = read_type(self, &resolved.ast, scheme.body);
        let variables = std::mem::take(&mut self.scheme.variables);
        for (variable, constraint) in std::mem::take(&mut self.scheme.constraints) {
            if !variables.iter().any(|&(symbol, _)| symbol == variable.symbol) {
                let text = resolved.ast.symbols.text(variable.symbol);
                self.report(errors::unused_constraint(variable.span, constraint.name(), text));
            }
        }
        Annotated { ty, variables }
    }

    fn type_variable(&mut self, name: NameId) -> Ty {
        let symbol = self.resolved.name(name).symbol;
        let outer = self.rigid_scope.iter().rev().find(|(known, _)| *known == symbol).map(|&(_, rigid)| rigid);
        let rigid = match outer {
            Some(rigid) if self.adds_constraint_to_outer(symbol, rigid) => Ty::ERROR,
            Some(rigid) => rigid,
            None if self.names[name.index()].ty != Ty::NONE => self.names[name.index()].ty,
            None => {
                let of_variable = self.scheme.constraints.iter().filter(|(variable, _)| variable.symbol == symbol);
                let constraints = of_variable.fold(Constraints::NONE, |all, &(_, constraint)| all.with(constraint));
                self.solver.store.add(Node::Rigid { level: self.solver.level, constraints, name })
            }
        };
        self.names[name.index()].ty = rigid;
        if !self.scheme.variables.contains(&(symbol, rigid)) {
            self.scheme.variables.push((symbol, rigid));
        }
        rigid
    }

    /// Reports a constraint that an inner annotation adds to a variable of an outer one.
    fn adds_constraint_to_outer(&mut self, symbol: Symbol, rigid: Ty) -> bool {
        let Node::Rigid { constraints, name: outer, .. } = self.solver.store.node(rigid) else { return false };
        let required = self.scheme.constraints.iter();
        let missing = required.copied().find(|(variable, c)| variable.symbol == symbol && !constraints.imply(*c));
        if let Some((variable, constraint)) = missing {
            let text = self.resolved.ast.symbols.text(symbol);
            let outer = self.resolved.name(outer).span;
            self.report(errors::constraint_on_outer(variable.span, constraint.name(), text, outer));
        }
        missing.is_some()
    }
}

fn basic_type(text: &str) -> Option<Ty> {
    match text {
        "Int" => Some(Ty::INT),
        "Bool" => Some(Ty::BOOL),
        "Char" => Some(Ty::CHAR),
        "Proc" => Some(Ty::PROC),
        "Event" => Some(Ty::EVENT),
        _ => None,
    }
}

/// Interpretation of names in an explicit type.
trait TypeNames {
    fn solver(&mut self) -> &mut Solver;

    fn named(&mut self, id: TypeId, path: &[Ident]) -> Ty;

    /// Reports that the left operand of `=>*` is not a type variable.
    fn not_a_variable(&mut self, _id: TypeId) {}
}

impl TypeNames for Checker<'_> {
    fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    fn named(&mut self, id: TypeId, path: &[Ident]) -> Ty {
        let resolved = self.resolved;
        match (resolved.type_name(id), path) {
            (Some(name), _) if resolved.name(name).kind == NameKind::TypeVariable => self.type_variable(name),
            (Some(name), _) => self.solver.store.add(Node::Datatype(name)),
            (None, [single]) => basic_type(resolved.ast.symbols.text(single.symbol)).unwrap_or(Ty::ERROR),
            (None, _) => Ty::ERROR,
        }
    }

    fn not_a_variable(&mut self, id: TypeId) {
        self.report(errors::extendable_without_variable(self.resolved.ast.type_span(id)));
    }
}

fn read_type(names: &mut impl TypeNames, ast: &Ast, id: TypeId) -> Ty {
    crate::stack::grow(|| read_node(names, ast, id))
}

fn read_node(names: &mut impl TypeNames, ast: &Ast, id: TypeId) -> Ty {
    let node = match ast.type_expr(id) {
        TypeExpr::Error => return Ty::ERROR,
        TypeExpr::Name(path) => return names.named(id, path),
        &TypeExpr::Set(item) => Node::Set(read_type(names, ast, item)),
        &TypeExpr::Seq(item) => Node::Seq(read_type(names, ast, item)),
        &TypeExpr::Map(key, value) => Node::Map(read_type(names, ast, key), read_type(names, ast, value)),
        &TypeExpr::Dot(left, right) => Node::Dot(read_type(names, ast, left), read_type(names, ast, right)),
        &TypeExpr::Dotable(field, rest) => Node::Dotable(read_type(names, ast, field), read_type(names, ast, rest)),
        TypeExpr::Tuple(items) => {
            let items: Vec<Ty> = items.iter().map(|&item| read_type(names, ast, item)).collect();
            return names.solver().store.tuple(&items);
        }
        TypeExpr::Function(arguments, result) => {
            let arguments: Vec<Ty> = arguments.iter().map(|&argument| read_type(names, ast, argument)).collect();
            let result = read_type(names, ast, *result);
            return names.solver().store.function(&arguments, result);
        }
        &TypeExpr::Extendable(fields, result) => {
            let variable = read_type(names, ast, fields);
            let result = read_type(names, ast, result);
            match names.solver().store.node(variable) {
                Node::Var { .. } | Node::Rigid { .. } => Node::Extendable(variable, result),
                Node::Error => return Ty::ERROR,
                _ => {
                    names.not_a_variable(fields);
                    return Ty::ERROR;
                }
            }
        }
    };
    names.solver().store.add(node)
}

/// The type of a built-in, and its quantified variables.
pub(super) fn builtin_type(solver: &mut Solver, scheme: &str) -> (Ty, Vec<Ty>) {
    let mut ast = Ast::default();
    let scheme = parse_builtin_scheme(&mut ast, scheme);
    let mut names = BuiltinNames { solver, symbols: &ast.symbols, variables: Vec::new() };
    let t = read_type(&mut names, &ast, scheme.body);
    for &(constraint, variable) in &scheme.constraints {
        if let Some(constraint) = Constraint::from_name(ast.symbols.text(constraint.symbol)) {
            let variable = names.variable(variable.symbol);
            // A constraint on a variable cannot fail.
            let _ = names.solver.require(constraint, variable);
        }
    }
    (t, names.variables.into_iter().map(|(_, variable)| variable).collect())
}

/// Interpretation for built-ins: every name that is not a basic type is a variable.
struct BuiltinNames<'a> {
    solver: &'a mut Solver,
    symbols: &'a Symbols,
    variables: Vec<(Symbol, Ty)>,
}

impl BuiltinNames<'_> {
    fn variable(&mut self, symbol: Symbol) -> Ty {
        if let Some(&(_, known)) = self.variables.iter().find(|(known, _)| *known == symbol) {
            return known;
        }
        let variable = self.solver.any();
        self.variables.push((symbol, variable));
        variable
    }
}

impl TypeNames for BuiltinNames<'_> {
    fn solver(&mut self) -> &mut Solver {
        self.solver
    }

    fn named(&mut self, _id: TypeId, path: &[Ident]) -> Ty {
        let [.., last] = path else { return Ty::ERROR };
        basic_type(self.symbols.text(last.symbol)).unwrap_or_else(|| self.variable(last.symbol))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::Builtin;

    #[test]
    fn every_builtin_has_a_readable_type() {
        let mut solver = Solver::new(usize::MAX);
        for &builtin in Builtin::ALL {
            let (t, variables) = builtin_type(&mut solver, builtin.scheme());
            let letters = builtin.scheme().split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() == 1);
            let distinct: std::collections::BTreeSet<&str> = letters.collect();
            assert_eq!(variables.len(), distinct.len(), "{}", builtin.name());
            assert_ne!(solver.store.node(t), Node::Error, "{}", builtin.name());
        }
    }
}
