//! Declarations.

use super::store::{Node, Ty};
use super::{Checker, Why, errors};
use crate::syntax::*;
use source::Span;

impl Checker<'_> {
    pub(super) fn check_decl(&mut self, id: DeclId) {
        self.failed = false;
        let resolved = self.resolved;
        match resolved.ast.decl(id) {
            Decl::Function { equations, .. } => self.check_function(id, equations),
            Decl::Pattern(pat, value) => self.check_binding(id, *pat, *value),
            Decl::Channel { fields, .. } => self.check_channel(id, *fields),
            Decl::Datatype { clauses, .. } => self.check_datatype(id, clauses),
            Decl::Subtype { clauses, .. } => self.check_subtype(id, clauses),
            Decl::Nametype(_, value) => self.check_nametype(id, *value),
            Decl::Assert(assertion) => self.check_assertion(assertion),
            Decl::Timed { function, .. } => self.check_timed(id, *function),
            Decl::Print(value, _) => {
                self.infer(*value);
                self.settle_expr(*value);
            }
            Decl::Error => {
                for &name in self.bound_names(id) {
                    self.forget(name);
                }
            }
            Decl::Annotation { .. } | Decl::Import { .. } | Decl::Module { .. } | Decl::Instance { .. } => {}
        }
        if self.failed {
            for &name in self.bound_names(id) {
                match self.annotations.get(&name) {
                    Some(_) if matches!(resolved.ast.decl(id), Decl::Function { .. } | Decl::Pattern(..)) => {}
                    _ => self.forget(name),
                }
            }
        }
        self.failed = false;
    }

    fn check_assertion(&mut self, assertion: &Assertion) {
        if let Some(events) = assertion.tau_priority {
            self.expect_events(events, "`tau priority` is over a set of events");
        }
        match &assertion.property {
            Property::Error => {}
            &Property::Refinement { specification, implementation, .. } => {
                self.expect_process(specification, "refinement compares processes");
                self.expect_process(implementation, "refinement compares processes");
            }
            &Property::DeadlockFree(process, _)
            | &Property::DivergenceFree(process, _)
            | &Property::Deterministic(process, _) => {
                self.expect_process(process, "an assertion is about a process");
            }
            Property::Temporal { process, fragments, .. } => {
                self.expect_process(*process, "an assertion is about a process");
                fragments.iter().for_each(|fragment| self.check_fragment(fragment));
            }
            Property::HasTrace { process, trace, .. } => {
                self.expect_process(*process, "an assertion is about a process");
                for &event in trace {
                    self.expect(event, Ty::EVENT, Why::Operator("a trace consists of events"));
                }
            }
        }
    }

    fn check_fragment(&mut self, fragment: &Fragment) {
        let (needed, reason) = match fragment.kind {
            FragmentKind::Value => {
                self.infer(fragment.expr);
                return;
            }
            FragmentKind::Predicate => (Ty::BOOL, "a predicate is true or false"),
            FragmentKind::Set => {
                let element = self.solver.any();
                (self.solver.store.add(Node::Set(element)), "the values come from a set")
            }
        };
        let arguments: Vec<Ty> = (0..fragment.n_variables).map(|_| self.solver.any()).collect();
        let needed = match arguments.is_empty() {
            true => needed,
            false => self.solver.store.function(&arguments, needed),
        };
        self.expect(fragment.expr, needed, Why::Operator(reason));
    }

    fn check_timed(&mut self, id: DeclId, function: Option<ExprId>) {
        if let Some(&tock) = self.resolved.decl_names(id).first() {
            let t = self.type_of_use(tock);
            if self.solver.equate(Ty::EVENT, t).is_err() {
                let text = self.show(t);
                let section = self.resolved.ast.decl_span(id);
                let span = Span::new(section.start, section.start + "Timed".len() as u32);
                let diagnostic = errors::tock_type(self.resolved.name(tock).span, &text, span);
                self.report(diagnostic);
            }
        }
        if let Some(function) = function {
            let needed = self.solver.store.function(&[Ty::EVENT], Ty::INT);
            self.expect(function, needed, Why::Operator("`Timed` takes the duration of each event"));
        }
    }
}
