//! Constants of the script: evaluated when first needed, once.

use super::runtime_error::{Eval, Failed, RuntimeError};
use super::set::{Datatype, Form, Set};
use super::value::Value;
use super::{Evaluator, errors};
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::{Decl, DeclId, ExprId};
use std::rc::Rc;

/// A constant as far as it is known.
#[derive(Clone, Debug, Default)]
pub enum Constant {
    /// Never needed so far.
    #[default]
    Unknown,
    /// Being computed right now.
    Running,
    /// Computed.
    Known(Value),
    /// Tried and failed.
    Failed(Box<RuntimeError>),
}

impl Evaluator<'_> {
    /// The value of a constant if it was computed already.
    pub(super) fn known_global(&self, name: NameId) -> Option<&Value> {
        match &self.globals[name.index()] {
            Constant::Known(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant.
    pub(super) fn global(&mut self, name: NameId, site: ExprId) -> Eval {
        match &self.globals[name.index()] {
            Constant::Known(value) => return Ok(value.clone()),
            Constant::Failed(fault) => {
                let fault = fault.clone();
                return Err(self.fail_again(fault));
            }
            Constant::Running => {
                let defined = self.resolved().name(name).span;
                return Err(self.fail(errors::constant_needs_itself(
                    self.span(site),
                    self.resolved().text(name),
                    defined,
                )));
            }
            Constant::Unknown => {}
        }
        self.globals[name.index()] = Constant::Running;
        let outcome = self.with_room(|this| this.compute_global(name));
        self.globals[name.index()] = self.settled(&outcome);
        outcome
    }

    fn compute_global(&mut self, name: NameId) -> Eval {
        match self.resolved().name(name).kind {
            NameKind::Value(decl) => self.compute_value(name, decl),
            NameKind::Datatype(decl) => {
                let constructors = self.resolved().decl_names(decl)[1..].into();
                Ok(Value::set(Set::new(Form::Datatype(Rc::new(Datatype::new(name, constructors))))))
            }
            NameKind::Subtype(decl) => self.subtype(decl).map(Value::Set),
            NameKind::Nametype(decl) => self.nametype(name, decl).map(Value::Set),
            kind => unreachable!("not a constant: {kind:?}"),
        }
    }

    fn compute_value(&mut self, name: NameId, decl: DeclId) -> Eval {
        let Decl::Pattern(pat, value) = self.resolved().ast.decl(decl) else {
            unreachable!("values are bound by patterns");
        };
        let (pat, value) = (*pat, *value);
        if self.program.is_plain(pat) {
            let section = self.program.section_of(decl);
            return self.at_top(value, section);
        }
        let whole = self.whole(decl)?;
        let selection = self.program.selection(decl, pat, name);
        let base = self.stack.len();
        self.stack.push(whole);
        self.run(&selection, base, None)
    }

    /// The value of an expression outside of all functions.
    pub(super) fn at_top(&mut self, expr: ExprId, section: Option<Rc<super::compile::Section>>) -> Eval {
        let function = self.program.expression(expr, section);
        let base = self.stack.len();
        self.run(&function, base, None)
    }

    /// The whole value of a declaration that binds parts of it.
    pub(super) fn whole(&mut self, decl: DeclId) -> Eval {
        match self.wholes.get(&decl) {
            Some(Constant::Known(value)) => return Ok(value.clone()),
            Some(Constant::Failed(fault)) => {
                let fault = fault.clone();
                return Err(self.fail_again(fault));
            }
            Some(Constant::Running) => {
                return Err(self.fail(errors::needs_itself(self.resolved().ast.decl_span(decl))));
            }
            Some(Constant::Unknown) | None => {}
        }
        let Decl::Pattern(_, value) = self.resolved().ast.decl(decl) else {
            unreachable!("only patterns bind parts");
        };
        let (value, section) = (*value, self.program.section_of(decl));
        self.wholes.insert(decl, Constant::Running);
        let outcome = self.with_room(|this| this.at_top(value, section));
        let settled = self.settled(&outcome);
        self.wholes.insert(decl, settled);
        outcome
    }

    fn settled(&self, outcome: &Eval) -> Constant {
        match outcome {
            Ok(value) => Constant::Known(value.clone()),
            // After a limit the next attempt may have more room.
            Err(Failed) if self.is_at_limit() || self.is_aborting() => Constant::Unknown,
            Err(Failed) => Constant::Failed(self.failure_at_hand()),
        }
    }
}
