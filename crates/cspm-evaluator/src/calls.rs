//! Named processes, left folded.
//!
//! A call of a named process is a number: the same for the same definition with the same values of its arguments and
//! of the local variables it uses. Values that the definition never looks at are left out, so they cannot tell two
//! states apart. The search that follows opens a call when it gets there, through [`process::Unfold`].

use super::Evaluator;
use super::code::{Call, Function, FunctionId};
use super::runtime_error::Eval;
use super::value::Value;
use cspm::syntax::ExprId;
use hashbrown::HashTable;
use process::{CallId, FailureId, Term, TermId, Terms, Unfold};
use source::{Diagnostic, Span};
use std::hash::BuildHasher;
use std::rc::Rc;

/// All calls met so far, each once.
#[derive(Debug, Default)]
pub struct Calls {
    calls: Vec<(FunctionId, Box<[Value]>)>,
    by_identity: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
}

impl Calls {
    fn intern(&mut self, function: FunctionId, args: Box<[Value]>) -> CallId {
        let Calls { calls, by_identity, hasher } = self;
        let hash = hasher.hash_one((function, &args));
        let same = |&known: &u32| {
            let (known_function, known_args) = &calls[known as usize];
            *known_function == function && *known_args == args
        };
        if let Some(&known) = by_identity.find(hash, same) {
            return CallId(known);
        }
        let number = calls.len() as u32;
        calls.push((function, args));
        by_identity.insert_unique(hash, number, |&known| {
            let (function, args) = &calls[known as usize];
            hasher.hash_one((*function, args))
        });
        CallId(number)
    }
}

impl Evaluator<'_> {
    /// A call of a function that yields a process.
    pub(super) fn process_call(&mut self, call: &Call, base: usize) -> Eval {
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            args.push(self.arg(arg, base)?);
        }
        let code = self.program.code(call.function);
        self.folded_call(&code, args, call.site)
    }

    /// The call with these arguments and captured values, as a process.
    pub(super) fn folded_call(&mut self, code: &Rc<Function>, args: Vec<Value>, site: ExprId) -> Eval {
        let Some(function) = code.id else {
            unreachable!("only definitions yield folded processes");
        };
        let mut identity = Vec::with_capacity(args.len());
        for (arg, matters) in args.into_iter().zip(&code.matters) {
            identity.push(if *matters { self.deep(arg, site)? } else { Value::Hole });
        }
        let call = self.calls.intern(function, identity.into());
        Ok(self.term(Term::Call(call)))
    }

    /// The body of a call.
    fn open(&mut self, call: CallId) -> Eval<TermId> {
        let (function, args) = self.calls.calls[call.0 as usize].clone();
        let code = self.program.code(function);
        let base = self.stack.len();
        self.stack.extend(args.iter().cloned());
        let value = self.with_room(|this| this.run(&code, base, None))?;
        self.expect_process(value)
    }

    /// `f(1,2)` with what is known of the arguments; those that are not there are written as `absent`.
    pub(super) fn call_sketch(&mut self, function: &Function, args: &[Value], absent: &str) -> String {
        let mut text = function.name.to_string();
        let mut args = args.iter();
        for &size in &function.groups {
            let group: Vec<String> = args.by_ref().take(size).map(|arg| self.argument_text(arg, absent)).collect();
            text.push_str(&format!("({})", group.join(",")));
        }
        let captured: Vec<String> = function
            .captures
            .iter()
            .zip(args)
            .map(|((_, name), value)| format!("{name}={}", self.brief(value)))
            .collect();
        if !captured.is_empty() {
            text.push_str(&format!("[{}]", captured.join(",")));
        }
        text
    }
}

impl Evaluator<'_> {
    fn argument_text(&mut self, arg: &Value, absent: &str) -> String {
        match arg {
            Value::Hole => absent.to_owned(),
            arg => self.brief(arg),
        }
    }
}

impl Unfold for Evaluator<'_> {
    fn unfold(&mut self, terms: &mut Terms, call: CallId) -> Result<TermId, Box<Diagnostic>> {
        self.with_terms(terms, |this| this.open(call))
    }

    fn call_text(&mut self, call: CallId) -> String {
        let (function, args) = self.calls.calls[call.0 as usize].clone();
        let code = self.program.code(function);
        self.call_sketch(&code, &args, "_")
    }

    fn call_span(&self, call: CallId) -> Span {
        let (function, _) = &self.calls.calls[call.0 as usize];
        self.program.span_of(*function)
    }

    fn failure(&self, failure: FailureId) -> &Diagnostic {
        &self.failures[failure.0 as usize]
    }

    fn may_go_on(&mut self) -> Result<(), Box<Diagnostic>> {
        match self.look() {
            Some(interrupt) => {
                let failed = self.stop(interrupt);
                Err(self.report(failed))
            }
            None => Ok(()),
        }
    }
}
