//! Admissible positions of parameterized replication.
//!
//! `|||{..}@P` denotes a family over all numbers of copies, so it must be present initially, and its termination must
//! not be awaited: it is a whole process, or an operand of hiding or `|||`. A definition that begins with a family may
//! be called in such positions only.

use super::{Global, Resolver};
use crate::errors::{self, IN_COPIES};
use crate::syntax::{Declaration, Name, Operator, Process, ProcessKind};
use csp_sharp_runtime::code::DefinitionId;

/// A subprocess, with the reason why it must not be a family, if there is one.
type Subprocess<'p> = (&'p Process, Option<&'static str>);

const CHOICE: Option<&str> = Some("below a choice");
const PARALLEL: Option<&str> = Some("below `||`, where alphabets meet");

impl Resolver<'_> {
    /// Finds the definitions that begin with a family, and refuses families in other positions.
    pub(super) fn find_families(&mut self, declarations: &[Declaration]) {
        let processes = declarations.iter().filter_map(|declaration| match declaration {
            Declaration::Process(definition) => Some((self.definition(&definition.name)?, &definition.body)),
            _ => None,
        });
        let processes: Vec<(DefinitionId, &Process)> = processes.collect();
        loop {
            let is_new = |(id, body): &&(DefinitionId, &Process)| {
                !self.out.code.definitions[id.0 as usize].is_any_number && self.begins_with_any_number(body)
            };
            let Some(&(found, _)) = processes.iter().find(is_new) else { break };
            self.code().definitions[found.0 as usize].is_any_number = true;
        }
        processes.into_iter().for_each(|(_, body)| self.check_families(body));
    }

    /// Refuses families in inadmissible positions of a process.
    pub(super) fn check_families(&mut self, process: &Process) {
        let mut open: Vec<Subprocess<'_>> = vec![(process, None)];
        while let Some((process, below)) = open.pop() {
            if let Some(below) = below
                && self.is_any_number(process)
            {
                self.report(errors::any_number(below, process.span));
            }
            push_subprocesses(process, below, &mut open);
        }
    }

    /// Refuses a specification that begins with a family.
    pub(super) fn refuse_family(&mut self, name: &Name, span: source::Span) {
        if self.is_called_any_number(name) {
            self.report(errors::any_number("in a specification", span));
        }
    }

    fn definition(&self, name: &Name) -> Option<DefinitionId> {
        match self.globals.get(&name.text)? {
            (Global::Process(id), _) => Some(*id),
            _ => None,
        }
    }

    fn is_called_any_number(&self, name: &Name) -> bool {
        self.definition(name).is_some_and(|id| self.out.code.definitions[id.0 as usize].is_any_number)
    }

    fn is_any_number(&self, process: &Process) -> bool {
        match &process.kind {
            ProcessKind::Grouped(None, _) => true,
            ProcessKind::Reference(name, _) => self.is_called_any_number(name),
            _ => false,
        }
    }

    /// Whether a process has a family in an admissible position.
    fn begins_with_any_number(&self, process: &Process) -> bool {
        let mut open: Vec<Subprocess<'_>> = vec![(process, None)];
        while let Some((process, below)) = open.pop() {
            if below.is_none() {
                if self.is_any_number(process) {
                    return true;
                }
                push_subprocesses(process, below, &mut open);
            }
        }
        false
    }
}

/// Pushes the direct subprocesses of a process.
fn push_subprocesses<'p>(process: &'p Process, below: Option<&'static str>, open: &mut Vec<Subprocess<'p>>) {
    let mut all = |processes: &'p [Process], below| open.extend(processes.iter().map(|process| (process, below)));
    match &process.kind {
        ProcessKind::Error
        | ProcessKind::Stop
        | ProcessKind::Skip
        | ProcessKind::Assert(_)
        | ProcessKind::Wait(_)
        | ProcessKind::Reference(..) => {}
        ProcessKind::Hide(inside, _) | ProcessKind::Marked(_, inside) => open.push((inside, below)),
        ProcessKind::Several(Operator::Interleave, parts) => all(parts, below),
        ProcessKind::Several(Operator::Parallel, parts) => all(parts, PARALLEL),
        ProcessKind::Several(_, parts) => all(parts, CHOICE),
        ProcessKind::Indexed(Operator::Interleave, _, body) => open.push((body, below)),
        ProcessKind::Indexed(Operator::Parallel, _, body) => open.push((body, PARALLEL)),
        ProcessKind::Indexed(_, _, body) => open.push((body, CHOICE)),
        ProcessKind::Prefix(_, _, next) | ProcessKind::Send(_, _, _, next) | ProcessKind::Receive(_, _, _, _, next) => {
            open.push((next, Some("behind an event")))
        }
        ProcessKind::Guard(_, next) => open.push((next, Some("behind a guard"))),
        ProcessKind::If(_, _, then, otherwise) => {
            open.push((then, CHOICE));
            open.extend(otherwise.iter().map(|otherwise| (&**otherwise, CHOICE)));
        }
        ProcessKind::Case(branches, default) => {
            open.extend(branches.iter().map(|(_, branch)| (branch, CHOICE)));
            open.extend(default.iter().map(|default| (&**default, CHOICE)));
        }
        ProcessKind::Sequence(parts) => all(parts, Some("in a sequence, where its end is waited for")),
        ProcessKind::Interrupt(left, right) => {
            open.extend([left, right].map(|operand| (&**operand, Some("below an interrupt"))));
        }
        ProcessKind::Atomic(inside) => open.push((inside, Some("inside of `atomic`"))),
        // The timed dialect refuses families altogether.
        ProcessKind::Urgent(inside) | ProcessKind::Bounded(_, inside, _) => open.push((inside, below)),
        ProcessKind::Expiring(_, first, _, second) => open.extend([first, second].map(|operand| (&**operand, below))),
        ProcessKind::Grouped(_, body) => open.push((body, Some(IN_COPIES))),
    }
}
