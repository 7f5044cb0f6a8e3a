//! Partial evaluation of programs (N. D. Jones, C. K. Gomard and P. Sestoft, "Partial Evaluation and Automatic Program
//! Generation", 1993).
//!
//! The captured values are constants, and often local variables are, too: loops over them are unrolled, and conditions
//! on them decided. So most array indices of the residual program are constant. The remaining local variables become
//! step-local variables of the network.

use super::{Limit, NotLowered};
use crate::code::{Code, Expr, ExprId, Place, ProgramId, Statement};
use hashbrown::HashSet;
use limits::effort::csp_sharp_lowering::{MAX_STATEMENTS, MAX_UNROLLED};

/// The residual program for constant arguments.
pub(super) fn residual(
    code: &mut Code,
    program: ProgramId,
    arguments: &[ExprId],
) -> Result<Vec<Statement>, NotLowered> {
    let program = code.programs[program.0 as usize].clone();
    let zero = code.exprs.int(0);
    let mut known = vec![Some(zero); program.n_locals];
    for (&input, &argument) in program.inputs.iter().zip(arguments) {
        known[input as usize] = Some(argument);
    }
    let mut unrolling = Unrolling { code, known, n_statements: 0, n_rounds: 0 };
    let mut left = Vec::new();
    unrolling.all(&program.statements, &mut left)?;
    Ok(left)
}

struct Unrolling<'c> {
    code: &'c mut Code,
    /// The values of local variables that are static.
    known: Vec<Option<ExprId>>,
    n_statements: usize,
    n_rounds: usize,
}

impl Unrolling<'_> {
    fn all(&mut self, statements: &[Statement], left: &mut Vec<Statement>) -> Result<(), NotLowered> {
        statements.iter().try_for_each(|statement| self.one(statement, left))
    }

    fn emit(&mut self, statement: Statement, left: &mut Vec<Statement>) -> Result<(), NotLowered> {
        self.n_statements += 1;
        if self.n_statements > MAX_STATEMENTS {
            return Err(NotLowered::Large(Limit::Program));
        }
        left.push(statement);
        Ok(())
    }

    fn one(&mut self, statement: &Statement, left: &mut Vec<Statement>) -> Result<(), NotLowered> {
        match statement {
            Statement::Assign(Place::Local(local), value, span) => {
                let value = self.replace(*value);
                let is_known = self.code.exprs.value(value).is_some();
                self.known[*local as usize] = is_known.then_some(value);
                if !is_known {
                    self.emit(Statement::Assign(Place::Local(*local), value, *span), left)?;
                }
                Ok(())
            }
            Statement::Assign(place, value, span) => {
                let value = self.replace(*value);
                let place = match place {
                    Place::Element(array, indices) => {
                        Place::Element(*array, indices.iter().map(|&index| self.replace(index)).collect())
                    }
                    other => other.clone(),
                };
                self.emit(Statement::Assign(place, value, *span), left)
            }
            Statement::Fill(array, values, span) => {
                let values = values.iter().map(|&value| self.replace(value)).collect();
                self.emit(Statement::Fill(*array, values, *span), left)
            }
            Statement::CopyArray(..) => self.emit(statement.clone(), left),
            Statement::Evaluate(expr) => {
                let expr = self.replace(*expr);
                match self.code.exprs.value(expr) {
                    Some(_) => Ok(()),
                    None => self.emit(Statement::Evaluate(expr), left),
                }
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.replace(*condition);
                match self.code.exprs.value(condition) {
                    Some(0) => self.all(otherwise, left),
                    Some(_) => self.all(then, left),
                    None => {
                        self.settle(&[then, otherwise], left)?;
                        let (mut one, mut other) = (Vec::new(), Vec::new());
                        let before = self.known.clone();
                        self.all(then, &mut one)?;
                        self.store(&before, &mut one)?;
                        self.known.clone_from(&before);
                        self.all(otherwise, &mut other)?;
                        self.store(&before, &mut other)?;
                        self.known = before;
                        self.emit(Statement::If(condition, one, other), left)
                    }
                }
            }
            Statement::While(condition, body, span) => loop {
                let now = self.replace(*condition);
                match self.code.exprs.value(now) {
                    Some(0) => return Ok(()),
                    Some(_) => {
                        self.n_rounds += 1;
                        if self.n_rounds > MAX_UNROLLED {
                            return Err(NotLowered::Large(Limit::Program));
                        }
                        self.all(body, left)?;
                    }
                    None => {
                        self.settle(&[body], left)?;
                        let condition = self.replace(*condition);
                        let mut inside = Vec::new();
                        let before = self.known.clone();
                        self.all(body, &mut inside)?;
                        self.store(&before, &mut inside)?;
                        self.known = before;
                        return self.emit(Statement::While(condition, inside, *span), left);
                    }
                }
            },
            Statement::Change(..) | Statement::Replace(..) => Err(NotLowered::Object),
            Statement::Forbidden(..) => Err(NotLowered::Failing),
        }
    }

    /// Stores the static values of local variables that some statements change; they are dynamic from then on.
    fn settle(&mut self, parts: &[&Vec<Statement>], left: &mut Vec<Statement>) -> Result<(), NotLowered> {
        let mut changed = HashSet::new();
        parts.iter().for_each(|part| changed_locals(part, &mut changed));
        let mut changed: Vec<u32> = changed.into_iter().collect();
        changed.sort_unstable();
        for local in changed {
            if let Some(value) = self.known[local as usize].take() {
                let span = self.code.exprs.span(value);
                self.emit(Statement::Assign(Place::Local(local), value, span), left)?;
            }
        }
        Ok(())
    }

    /// At the end of a branch, stores the values of local variables that are static only there.
    fn store(&mut self, before: &[Option<ExprId>], left: &mut Vec<Statement>) -> Result<(), NotLowered> {
        for (local, known) in before.iter().enumerate() {
            if let (None, Some(value)) = (known, self.known[local]) {
                let span = self.code.exprs.span(value);
                self.emit(Statement::Assign(Place::Local(local as u32), value, span), left)?;
            }
        }
        Ok(())
    }

    /// Substitutes the values of static local variables.
    fn replace(&mut self, id: ExprId) -> ExprId {
        let replaced = match self.code.exprs.get(id).clone() {
            Expr::Local(local) => return self.known[local as usize].unwrap_or(id),
            other => other.map(|operand| self.replace(operand)),
        };
        let (span, ty) = (self.code.exprs.span(id), self.code.exprs.ty(id));
        self.code.exprs.add(replaced, span, ty)
    }
}

fn changed_locals(statements: &[Statement], changed: &mut HashSet<u32>) {
    for statement in statements {
        match statement {
            Statement::Assign(Place::Local(local), ..) => _ = changed.insert(*local),
            Statement::If(_, then, otherwise) => {
                changed_locals(then, changed);
                changed_locals(otherwise, changed);
            }
            Statement::While(_, body, _) => changed_locals(body, changed),
            _ => {}
        }
    }
}
