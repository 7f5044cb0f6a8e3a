//! Values on demand.
//!
//! The functional part of a script is evaluated by need: a constant when it is first used and then never again, an
//! argument when a function looks at it. [`compile`] turns definitions into closures as they are called, which `frames`
//! runs. A process expression evaluates to a term of the `process` crate: the operators applied to terms, events as
//! numbers, calls of named processes left folded.
//!
//! Errors are found where they happen and reported with the calls that led there. A continuation that fails becomes a
//! term that says so, because the process may never get there.

mod active_domains;
mod apply;
mod arithmetic;
mod ask;
mod builtins;
mod calls;
mod code;
mod compare;
mod compile;
mod comprehension;
mod constants;
mod deep;
mod dots;
mod dump;
mod errors;
mod frames;
mod heads;
mod lazy;
mod map;
mod matching;
mod numbers;
mod order;
mod origins;
mod pieces;
mod prefix;
mod process;
mod process_code;
mod radix;
mod room;
mod run;
mod runtime_error;
mod seq;
mod set;
mod sharing;
mod show;
mod speculation;
mod thunks;
mod ties;
mod tree;
mod value;
mod variables;
mod watch;
mod word;

use ::process::{CallId, Term, TermId, Terms, Unfold};
use active_domains::ActiveDomains;
pub use active_domains::Occurring;
use calls::Calls;
use code::Function;
use compare::Equalities;
use compile::Program;
use constants::Constant;
use cspm::resolve::Resolved;
use cspm::syntax::{DeclId, ExprId};
use cspm::typecheck::Types;
use deep::Deepened;
use hashbrown::HashMap;
use heads::Head;
use limits::input::cspm::MAX_CALL_CHAIN;
use model::{EventId, EventSet, EventTable};
use numbers::EventNumbers;
use origins::Origins;
use pieces::Piece;
pub use progress::Interrupt;
use runtime_error::{Eval, Failed, RuntimeError};
use set::Set;
use source::{Diagnostic, Span};
use speculation::Speculation;
use std::rc::Rc;
pub use value::Value;
use watch::Watch;

/// How far an evaluation may go.
pub struct Limits {
    /// Memory for calls nested in each other.
    pub stack_bytes: usize,
    /// Asked every few thousand steps.
    pub interrupt: Box<dyn FnMut() -> Option<Interrupt>>,
}

impl Limits {
    /// A gigabyte of stack, and no other limit.
    pub fn generous() -> Limits {
        Limits { stack_bytes: 1 << 30, interrupt: Box::new(|| None) }
    }
}

/// Evaluates expressions of one script.
///
/// Terms refer to each other by numbers, so all calls must be given the same [`Terms`].
pub struct Evaluator<'a> {
    program: Program<'a>,
    /// Memory for calls nested in each other.
    stack_bytes: usize,
    /// Tells when to stop.
    watch: Watch,
    /// Values found equal by the current comparison.
    equalities: Equalities,
    /// Parts visited by the current deep evaluation.
    deepened: Deepened,
    /// The expression being evaluated, for messages without a better place.
    here: Span,
    stack: Vec<Value>,
    /// Room for numbers that selections collect.
    numbers: Vec<i64>,
    /// The elements that the innermost function under speculation has yielded.
    piece: Option<Piece>,
    /// Why the current computation failed.
    fault: Option<Box<RuntimeError>>,
    /// Why an evaluation was interrupted, until the caller takes the reason.
    interrupt: Option<Interrupt>,
    /// The function of a tail call that is due, and where the call stands.
    next: Option<(Rc<Function>, ExprId)>,
    /// Below this address the current machine stack is used up.
    stack_end: usize,
    n_segments: usize,
    steps_left: u32,
    speculation: Speculation,
    globals: Vec<Constant>,
    wholes: HashMap<DeclId, Constant>,
    heads: Vec<Head>,
    events_set: Option<Rc<Set>>,
    active_domains: ActiveDomains,
    terms: Terms,
    events: EventTable,
    event_numbers: EventNumbers,
    calls: Calls,
    failures: Vec<Diagnostic>,
    /// Where prefixes are written.
    origins: Origins,
    /// Processes whose text gets longer than this are cut.
    longest_text: usize,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that has not evaluated anything yet.
    pub fn new(resolved: &'a Resolved, types: &'a Types, limits: Limits) -> Evaluator<'a> {
        Evaluator {
            program: Program::new(resolved, types),
            stack_bytes: limits.stack_bytes,
            watch: Watch::new(limits.interrupt),
            equalities: Equalities::default(),
            deepened: Deepened::default(),
            here: Span::default(),
            stack: Vec::new(),
            numbers: Vec::new(),
            piece: None,
            fault: None,
            interrupt: None,
            next: None,
            stack_end: 0,
            n_segments: 0,
            steps_left: 1,
            speculation: Speculation::default(),
            globals: vec![Constant::Unknown; resolved.names.len()],
            wholes: HashMap::new(),
            heads: vec![Head::Unknown; resolved.names.len()],
            events_set: None,
            active_domains: ActiveDomains::default(),
            terms: Terms::default(),
            events: EventTable::default(),
            event_numbers: EventNumbers::default(),
            calls: Calls::default(),
            failures: Vec::new(),
            origins: Origins::default(),
            longest_text: show::MAX_SHOWN_BYTES,
        }
    }

    /// The value of an expression that stands at the top of the script, outside of all definitions.
    pub fn value(&mut self, terms: &mut Terms, expr: ExprId) -> Result<Value, Box<Diagnostic>> {
        self.here = self.span(expr);
        self.with_terms(terms, |this| {
            let value = this.outside(expr)?;
            this.deep(value, expr)
        })
    }

    /// The process that such an expression stands for.
    pub fn process(&mut self, terms: &mut Terms, expr: ExprId) -> Result<TermId, Box<Diagnostic>> {
        self.here = self.span(expr);
        self.with_terms(terms, |this| {
            let value = this.outside(expr)?;
            this.expect_process(value)
        })
    }

    /// The events that such an expression, of a set, stands for.
    pub fn event_set_of(&mut self, terms: &mut Terms, expr: ExprId) -> Result<EventSet, Box<Diagnostic>> {
        self.here = self.span(expr);
        self.with_terms(terms, |this| {
            let value = this.outside(expr)?;
            this.events_of(value, expr)
        })
    }

    /// The event that such an expression stands for.
    pub fn event(&mut self, terms: &mut Terms, expr: ExprId) -> Result<EventId, Box<Diagnostic>> {
        self.here = self.span(expr);
        self.with_terms(terms, |this| {
            let value = this.outside(expr)?;
            this.event_of(value, expr)
        })
    }

    /// The value of an expression outside of all definitions, in the timed section it stands in.
    fn outside(&mut self, expr: ExprId) -> Eval {
        let section = self.program.section_of_asserted(expr);
        self.at_top(expr, section)
    }

    /// A value as text of the language. A process is shown with calls opened once.
    pub fn show(&mut self, terms: &mut Terms, value: &Value) -> Result<String, Box<Diagnostic>> {
        let opened = match value {
            Value::Proc(term) => Value::process(self.opened(terms, term.get())?),
            other => other.clone(),
        };
        self.with_terms(terms, |this| this.show_text(&opened))
    }

    /// A process in the notation of the language, calls as calls, cut where it gets longer than about `longest` bytes.
    pub fn term_text(&mut self, terms: &mut Terms, term: TermId, longest: usize) -> String {
        self.write_within(terms, longest, |this| this.term_name(term))
    }

    /// A call as the user would write it, its process arguments included.
    pub fn call_name(&mut self, terms: &mut Terms, call: CallId, longest: usize) -> String {
        self.write_within(terms, longest, |this| this.call_text(call))
    }

    fn write_within(&mut self, terms: &mut Terms, longest: usize, write: impl FnOnce(&mut Self) -> String) -> String {
        let before = std::mem::replace(&mut self.longest_text, longest);
        std::mem::swap(&mut self.terms, terms);
        let text = write(self);
        std::mem::swap(&mut self.terms, terms);
        self.longest_text = before;
        text
    }

    /// The term behind calls of calls.
    fn opened(&mut self, terms: &mut Terms, term: TermId) -> Result<TermId, Box<Diagnostic>> {
        let mut current = term;
        for _ in 0..MAX_CALL_CHAIN {
            let Term::Call(call) = *terms.get(current) else { break };
            current = self.unfold(terms, call)?;
        }
        Ok(current)
    }

    /// The events met so far, with their numbers.
    pub fn events(&self) -> &EventTable {
        &self.events
    }

    /// Takes the reason for which an evaluation was interrupted, if one was since the last call.
    pub fn take_interrupt(&mut self) -> Option<Interrupt> {
        self.interrupt.take()
    }

    /// Works on the caller's terms, and cleans up after a failure.
    fn with_terms<R>(
        &mut self,
        terms: &mut Terms,
        work: impl FnOnce(&mut Self) -> Eval<R>,
    ) -> Result<R, Box<Diagnostic>> {
        std::mem::swap(&mut self.terms, terms);
        let height = self.stack.len();
        self.find_stack_end();
        let outcome = work(self);
        self.stack.truncate(height);
        self.next = None;
        self.piece = None;
        self.speculation = Speculation::default();
        self.equalities = Equalities::default();
        self.deepened = Deepened::default();
        std::mem::swap(&mut self.terms, terms);
        outcome.map_err(|failed| self.report(failed))
    }

    fn resolved(&self) -> &'a Resolved {
        self.program.resolved
    }

    fn span(&self, expr: ExprId) -> Span {
        self.program.resolved.ast.expr_span(expr)
    }

    #[cold]
    #[inline(never)]
    fn confused(&mut self, expected: &str, found: &Value) -> Failed {
        let found = self.brief(found);
        self.inconsistent(self.here, format!("expected {expected}, found `{found}`"))
    }
}
