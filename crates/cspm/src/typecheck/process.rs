//! Process expressions.

use super::constraint::Constraint;
use super::store::{Node, Ty};
use super::{Checker, Place, Why};
use crate::syntax::*;

impl Checker<'_> {
    pub(super) fn infer_process(&mut self, expr: &Expr) {
        match expr {
            Expr::Prefix { event, fields, process } => {
                self.check_prefix(*event, fields);
                self.expect_process(*process, "a prefix `->` goes on as a process");
            }
            &Expr::Guard(condition, process) => {
                self.expect(condition, Ty::BOOL, Why::Operator("a guard `&` is a condition"));
                self.expect_process(process, "a guard `&` allows a process");
            }
            &Expr::Process(op, left, right) => {
                let reason = operator_reason(op);
                self.expect_process(left, reason);
                self.expect_process(right, reason);
            }
            &Expr::Hide(process, events) => {
                self.expect_process(process, "`\\` hides events of a process");
                self.expect_events(events, "`\\` hides a set of events");
            }
            &Expr::Project(process, events) => {
                self.expect_process(process, "`|\\` keeps events of a process");
                self.expect_events(events, "`|\\` keeps a set of events");
            }
            &Expr::WithSet { op, left, events, right } => {
                let (on_processes, on_events) = reasons_with_set(op);
                self.expect_process(left, on_processes);
                self.expect_process(right, on_processes);
                self.expect_events(events, on_events);
            }
            &Expr::AlphaParallel { left, left_alphabet, right_alphabet, right } => {
                self.expect_process(left, "`[ || ]` runs processes");
                self.expect_process(right, "`[ || ]` runs processes");
                self.expect_events(left_alphabet, "`[ || ]` names two sets of events");
                self.expect_events(right_alphabet, "`[ || ]` names two sets of events");
            }
            Expr::Link { left, ties, right } => {
                self.expect_process(*left, "`[ <-> ]` links processes");
                self.expect_process(*right, "`[ <-> ]` links processes");
                self.check_ties(ties, "`<->` links events");
            }
            Expr::Rename { process, ties } => {
                self.expect_process(*process, "`[[ ]]` renames events of a process");
                self.check_ties(ties, "`<-` renames events");
            }
            Expr::Replicated { op, statements, process } => self.check_replicated(op, statements, *process),
            _ => {}
        }
    }

    pub(super) fn expect_process(&mut self, id: ExprId, reason: &'static str) {
        self.expect(id, Ty::PROC, Why::Operator(reason));
    }

    pub(super) fn expect_events(&mut self, id: ExprId, reason: &'static str) {
        self.expect(id, Ty::EVENT_SET, Why::Operator(reason));
    }

    fn check_replicated(&mut self, op: &ReplicatedOp, statements: &[Statement], process: ExprId) {
        match *op {
            ReplicatedOp::Parallel(events) => self.expect_events(events, "`[| |]` names a set of events"),
            ReplicatedOp::SyncChoice(events) => self.expect_events(events, "`[+ +]` names a set of events"),
            _ => {}
        }
        let draws_from = match op {
            ReplicatedOp::Sequential | ReplicatedOp::Link(_) => Collection::Seq,
            _ => Collection::Set,
        };
        self.check_statements(draws_from, statements);
        match op {
            &ReplicatedOp::AlphaParallel(alphabet) => {
                self.expect_events(alphabet, "`||` needs the alphabet of each process");
            }
            ReplicatedOp::Link(ties) => self.check_ties(ties, "`<->` links events"),
            _ => {}
        }
        self.expect_process(process, "a replicated operator combines processes");
    }

    /// The left side may miss fields; the right side must miss the same ones.
    fn check_ties(&mut self, ties: &Ties, reason: &'static str) {
        self.check_statements(Collection::Set, &ties.statements);
        let sides: Vec<Ty> = ties
            .pairs
            .iter()
            .map(|&(left, _)| {
                let channel = self.solver.extendable(Ty::EVENT);
                self.expect(left, channel, Why::Operator(reason))
            })
            .collect();
        for (&(left, right), side) in ties.pairs.iter().zip(sides) {
            self.expect(right, side, Why::Tie(left));
        }
    }

    /// Checks that the event of a prefix, dotted with its fields, is an event.
    fn check_prefix(&mut self, event: ExprId, fields: &[Field]) {
        if fields.is_empty() {
            self.expect(event, Ty::EVENT, Why::Operator("a prefix `->` starts with an event"));
            return;
        }
        let head = self.infer(event);
        let fields_types: Vec<Ty> = fields.iter().map(|&field| self.check_field(field)).collect();
        let fields_type = self.solver.store.dots(&fields_types);
        let whole = self.solver.store.add(Node::Dot(head, fields_type));
        if let Err(clash) = self.solver.equate(Ty::EVENT, whole) {
            self.bad_prefix(event, fields, &fields_types, clash);
            for field in fields {
                if let Field::Input(pat, _) | Field::NondetInput(pat, _) = *field {
                    self.silence_pat(pat);
                }
            }
        }
    }

    fn check_field(&mut self, field: Field) -> Ty {
        match field {
            Field::Output(value) => self.infer(value),
            Field::Input(pat, set) | Field::NondetInput(pat, set) => {
                let set = set.map(|set| (set, self.infer(set)));
                let t = self.infer_pat(pat);
                if let Some((set, actual)) = set {
                    let expected = self.solver.store.add(Node::Set(t));
                    if let Err(clash) = self.solver.equate(expected, actual) {
                        self.mismatch(Place::Expr(set), expected, actual, Why::InputSet(pat), clash);
                        self.silence_pat(pat);
                        return Ty::ERROR;
                    }
                }
                if let Err(clash) = self.solver.require(Constraint::Complete, t) {
                    let why = Why::Operator("an input receives complete values");
                    self.mismatch(Place::Pat(pat), t, t, why, clash);
                    return Ty::ERROR;
                }
                t
            }
        }
    }
}

fn operator_reason(op: ProcessOp) -> &'static str {
    match op {
        ProcessOp::ExternalChoice => "`[]` chooses between processes",
        ProcessOp::InternalChoice => "`|~|` chooses between processes",
        ProcessOp::Interleave => "`|||` runs processes",
        ProcessOp::Sequential => "`;` runs processes in turn",
        ProcessOp::Interrupt => "`/\\` interrupts a process by a process",
        ProcessOp::SlidingChoice => "`[>` chooses between processes",
    }
}

/// The reasons why the operands of an operator with a set are processes, and why the set is one of events.
fn reasons_with_set(op: SetOp) -> (&'static str, &'static str) {
    match op {
        SetOp::Parallel => ("`[| |]` runs processes", "`[| |]` names a set of events"),
        SetOp::Exception => ("`[| |>` runs processes", "`[| |>` names a set of events"),
        SetOp::SyncChoice => ("`[+ +]` chooses between processes", "`[+ +]` names a set of events"),
        SetOp::SyncInterrupt => ("`/+ +\\` runs processes", "`/+ +\\` names a set of events"),
    }
}
