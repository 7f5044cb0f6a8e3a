//! From the resolved tree to code.
//!
//! Definitions are compiled one by one, when they are first called, so a large script costs only what is used of it.
//! Local functions become ordinary ones that take the variables they need from outside as extra arguments; only
//! delayed expressions and lambdas capture variables, and those copy them into a frame of their own. Names are looked
//! up here for the last time.

mod argument;
mod call;
mod closures;
mod equations;
mod expression;
mod free;
mod last_use;
mod lets;
mod pattern;
mod process;
mod strict;
mod timed;
mod uses;

use limits::effort::evaluator::STACK_CHECK_DEPTH;
pub use strict::{Asked, builtin_is_strict};

use super::code::Select;
use super::code::{Function, FunctionId, Op, Slot, Yields};
use cspm::resolve::{NameId, NameKind, PatName, Resolved};
use cspm::syntax::{Decl, DeclId, Equation, Expr, ExprId, Pat, PatId};
use cspm::typecheck::{TypeShape, Types};
use expression::Position;
use hashbrown::HashMap;
use source::Span;
use std::cell::RefCell;
use std::rc::Rc;

/// Something that has a slot in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Var {
    /// A name.
    Name(NameId),
    /// The whole value of a declaration whose pattern binds parts of it.
    Whole(DeclId),
    /// An argument of the function whose pattern binds parts of it.
    Argument(Slot),
}

/// The timed section that a piece of script stands in.
#[derive(Debug)]
pub struct Section {
    /// Its `tock`.
    pub tock: NameId,
    /// How long each event takes; one `tock` if absent.
    pub duration: Option<ExprId>,
}

/// Where the code of a function comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// Equations.
    Equations(DeclId, NameId),
    /// A constant whose value is a process.
    Constant(NameId, ExprId),
    /// A process that a pattern takes out of a larger value.
    Part(NameId, DeclId),
    /// A prefix in a timed section, which waits by calling itself.
    TimedPrefix(ExprId),
    /// The continuation of an input, opened when a search gets there.
    Continuation(ExprId),
    /// `STOP` in a timed section.
    TimedStop(NameId),
    /// `SKIP` in a timed section.
    TimedSkip(NameId),
}

/// A function as far as it is known.
#[derive(Debug)]
pub struct Entry {
    /// Where its code comes from.
    pub source: Source,
    /// The variables it needs from outside, handed over behind its arguments.
    pub lifted: Rc<[Var]>,
    /// The timed section it stands in.
    pub section: Option<Rc<Section>>,
    /// Whether it yields a process.
    pub yields: Yields,
    /// The definition of which it is only the rest.
    pub part_of: Option<FunctionId>,
    /// How much of its result is forced.
    asked: Asked,
    strictness: Strictness,
}

impl Entry {
    /// Whether it is only a part of a definition.
    fn is_part(&self) -> bool {
        matches!(self.source, Source::TimedPrefix(_) | Source::Continuation(_))
    }
}

/// Strictness of a function in its arguments.
#[derive(Debug)]
enum Strictness {
    Unknown,
    Assumed(Box<[bool]>),
    Known(Box<[bool]>),
}

/// The script with everything found out about its functions.
pub struct Program<'a> {
    /// The script.
    pub resolved: &'a Resolved,
    types: &'a Types,
    globals: Vec<bool>,
    sections: HashMap<DeclId, Rc<Section>>,
    /// The sections around the expressions of assertions.
    sections_of_asserted: HashMap<ExprId, Rc<Section>>,
    functions: Vec<Entry>,
    codes: Vec<Option<Rc<Function>>>,
    function_of: HashMap<Var, FunctionId>,
    /// Functions compiled apart for calls whose result is taken apart.
    variants: HashMap<FunctionId, FunctionId>,
    /// The functions made for prefixes of timed sections and for what follows inputs.
    parts: HashMap<ExprId, FunctionId>,
    timed_constants: HashMap<(NameId, bool), FunctionId>,
    analyzing: Option<FunctionId>,
    free_names: RefCell<HashMap<ExprId, Rc<[NameId]>>>,
    demand_depth: u32,
}

impl<'a> Program<'a> {
    /// A script of which nothing is compiled yet.
    pub fn new(resolved: &'a Resolved, types: &'a Types) -> Program<'a> {
        let mut program = Program {
            resolved,
            types,
            globals: vec![false; resolved.names.len()],
            sections: HashMap::new(),
            sections_of_asserted: HashMap::new(),
            functions: Vec::new(),
            codes: Vec::new(),
            function_of: HashMap::new(),
            variants: HashMap::new(),
            parts: HashMap::new(),
            timed_constants: HashMap::new(),
            analyzing: None,
            free_names: RefCell::default(),
            demand_depth: 0,
        };
        program.note_globals(&resolved.program, None);
        program
    }

    fn note_globals(&mut self, decls: &[DeclId], section: Option<&Rc<Section>>) {
        for &decl in decls {
            for name in self.resolved.decl_names(decl) {
                self.globals[name.index()] = true;
            }
            if let Some(section) = section {
                self.sections.insert(decl, section.clone());
            }
            match (self.resolved.ast.decl(decl), section) {
                (Decl::Timed { function, declarations }, _) => {
                    let section = self.section(decl, *function);
                    self.note_globals(declarations, section.as_ref());
                }
                (Decl::Assert(assertion), Some(section)) => {
                    let asserted = assertion.expressions().into_iter().map(|expr| (expr, section.clone()));
                    self.sections_of_asserted.extend(asserted);
                }
                _ => {}
            }
        }
    }

    /// Whether a name is defined at the top, in a module or predefined.
    pub fn is_global(&self, name: NameId) -> bool {
        self.globals[name.index()]
    }

    /// The name of a part of a definition: the parts of `P` are `P~1`, `P~2` and so on.
    fn part_name(&self, part: FunctionId) -> String {
        let whole = self.entry(part).part_of;
        let earlier =
            self.functions[..part.0 as usize].iter().filter(|entry| entry.is_part() && entry.part_of == whole);
        let number = earlier.count() + 1;
        match whole.map(|whole| self.entry(whole).source) {
            Some(Source::Equations(_, name) | Source::Constant(name, _) | Source::Part(name, _)) => {
                format!("{}~{number}", self.resolved.name(name).qualified)
            }
            _ => format!("~{number}"),
        }
    }

    /// The section around a declaration at the top.
    pub fn section_of(&self, decl: DeclId) -> Option<Rc<Section>> {
        self.sections.get(&decl).cloned()
    }

    /// The section around an expression of an assertion.
    pub fn section_of_asserted(&self, expr: ExprId) -> Option<Rc<Section>> {
        self.sections_of_asserted.get(&expr).cloned()
    }

    /// Properties of a function.
    pub fn entry(&self, function: FunctionId) -> &Entry {
        &self.functions[function.0 as usize]
    }

    /// The function behind a name, if it is one: defined by equations, or a constant whose value is a process.
    pub fn function_id(&mut self, name: NameId) -> Option<FunctionId> {
        if let Some(&known) = self.function_of.get(&Var::Name(name)) {
            return Some(known);
        }
        if !self.is_global(name) {
            return None;
        }
        let (NameKind::Function(decl) | NameKind::Value(decl)) = self.resolved.name(name).kind else { return None };
        let source = self.source_of(name, decl)?;
        let section = self.section_of(decl);
        Some(self.add_function(Var::Name(name), source, Rc::default(), section))
    }

    /// The kind of function that a declaration makes of a name; None if it is an ordinary constant.
    fn source_of(&self, name: NameId, decl: DeclId) -> Option<Source> {
        match self.resolved.ast.decl(decl) {
            Decl::Function { .. } => Some(Source::Equations(decl, name)),
            Decl::Pattern(pat, value) => match self.plain_variable(*pat) {
                Some(_) => self.types.is_process(*value).then_some(Source::Constant(name, *value)),
                None => self.is_process_name(name).then_some(Source::Part(name, decl)),
            },
            _ => None,
        }
    }

    /// Whether an expression is a process.
    fn is_process(&self, expr: ExprId) -> bool {
        self.types.is_process(expr)
    }

    /// Whether an expression is a number for certain.
    fn is_number(&self, expr: ExprId) -> bool {
        self.types.of_expr(expr).is_some_and(|ty| self.types.shape(ty) == TypeShape::Int)
    }

    fn is_process_name(&self, name: NameId) -> bool {
        self.types.of_name(name).is_some_and(|ty| self.types.shape(ty) == TypeShape::Proc)
    }

    fn add_function(
        &mut self,
        var: Var,
        source: Source,
        lifted: Rc<[Var]>,
        section: Option<Rc<Section>>,
    ) -> FunctionId {
        let id = self.add_entry(source, lifted, section);
        self.function_of.insert(var, id);
        id
    }

    fn add_entry(&mut self, source: Source, lifted: Rc<[Var]>, section: Option<Rc<Section>>) -> FunctionId {
        let yields = match source {
            Source::Equations(decl, _) => match self.equations(decl).first() {
                Some(equation) if self.types.is_process(equation.body) => Yields::Process,
                _ => Yields::Value,
            },
            _ => Yields::Process,
        };
        let id = FunctionId(self.functions.len() as u32);
        let (asked, strictness) = (Asked::Whole, Strictness::Unknown);
        self.functions.push(Entry { source, lifted, section, yields, part_of: None, asked, strictness });
        id
    }

    fn equations(&self, decl: DeclId) -> &'a [Equation] {
        match self.resolved.ast.decl(decl) {
            Decl::Function { equations, .. } => equations,
            _ => &[],
        }
    }

    /// The name that a pattern consists of.
    fn plain_variable(&self, pat: PatId) -> Option<NameId> {
        match self.resolved.ast.pat(pat) {
            Pat::Paren(inner) => self.plain_variable(*inner),
            Pat::Name(_) => match self.resolved.pat_name(pat) {
                Some(PatName::Binds(name)) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a pattern is just a name.
    pub fn is_plain(&self, pat: PatId) -> bool {
        self.plain_variable(pat).is_some()
    }

    /// All channels, in the order of their declarations.
    pub fn channels(&self) -> Vec<NameId> {
        let names = self.resolved.names.iter().enumerate();
        let channels = names.filter(|(index, name)| self.globals[*index] && matches!(name.kind, NameKind::Channel(_)));
        channels.map(|(index, _)| NameId(index as u32)).collect()
    }

    /// Where a function is defined.
    pub fn span_of(&self, function: FunctionId) -> Span {
        match self.entry(function).source {
            Source::Equations(_, name) | Source::Constant(name, _) | Source::Part(name, _) => {
                self.resolved.name(name).span
            }
            Source::TimedPrefix(expr) | Source::Continuation(expr) => self.resolved.ast.expr_span(expr),
            Source::TimedStop(tock) | Source::TimedSkip(tock) => self.resolved.name(tock).span,
        }
    }

    /// The code of a function, compiled on first use.
    #[inline(always)]
    pub fn code(&mut self, function: FunctionId) -> Rc<Function> {
        match self.codes.get(function.0 as usize) {
            Some(Some(code)) => code.clone(),
            _ => self.compile(function),
        }
    }

    #[inline(never)]
    fn compile(&mut self, function: FunctionId) -> Rc<Function> {
        let code = Rc::new(Compiler::new(self).function(function));
        let index = function.0 as usize;
        if self.codes.len() <= index {
            self.codes.resize(index + 1, None);
        }
        self.codes[index] = Some(code.clone());
        code
    }

    /// An expression at the top, outside of any function, as a function without arguments.
    pub fn expression(&mut self, expr: ExprId, section: Option<Rc<Section>>) -> Rc<Function> {
        let span = self.resolved.ast.expr_span(expr);
        let mut compiler = Compiler::new(self);
        compiler.section = section;
        let body = compiler.tail(expr);
        Rc::new(compiler.finish("", span, body))
    }

    /// The part of a constant's value that its pattern binds to `name`.
    pub fn selection(&mut self, decl: DeclId, pat: PatId, name: NameId) -> Rc<Function> {
        let span = self.resolved.ast.pat_span(pat);
        let mut compiler = Compiler::new(self);
        let whole = compiler.bind(Var::Whole(decl));
        let pattern = compiler.pattern(pat);
        let slot = compiler.slot(Var::Name(name));
        let body = Op::Select(Box::new(Select { value: Op::Local(whole), pattern, slot, site: span }));
        Rc::new(compiler.finish("", span, body))
    }

    /// The sizes of the groups of arguments of a function.
    fn groups(&self, function: FunctionId) -> Box<[usize]> {
        let first = match self.entry(function).source {
            Source::Equations(decl, _) => self.equations(decl).first(),
            _ => None,
        };
        first.map_or_else(Box::default, |equation| equation.groups.iter().map(|group| group.len()).collect())
    }

    /// For each argument of a function, then each variable it takes along: whether it can make a difference.
    pub fn matters(&self, function: FunctionId) -> Vec<bool> {
        let entry = self.entry(function);
        let mut matters = match entry.source {
            Source::Equations(decl, _) => self.arguments_that_matter(decl),
            _ => Vec::new(),
        };
        matters.extend(std::iter::repeat_n(true, entry.lifted.len()));
        matters
    }

    fn arguments_that_matter(&self, decl: DeclId) -> Vec<bool> {
        let equations = self.equations(decl);
        let n_arguments = equations.first().map_or(0, |equation| equation.groups.iter().map(|group| group.len()).sum());
        // What a function only hands on to itself does not matter; assume so until something else is found.
        let mut matters = vec![false; n_arguments];
        loop {
            let used = self.names_used(decl, &matters);
            let before = matters.clone();
            for equation in equations {
                for (matters, &pat) in matters.iter_mut().zip(equation.groups.iter().flatten()) {
                    *matters |= match (self.plain_variable(pat), self.resolved.ast.pat(pat)) {
                        (Some(name), _) => used.contains(&name),
                        (None, pat) => !matches!(pat, Pat::Wildcard),
                    };
                }
            }
            if matters == before {
                return matters;
            }
        }
    }

    fn text(&self, var: Var) -> Box<str> {
        match var {
            Var::Name(name) => self.resolved.text(name).into(),
            Var::Whole(_) | Var::Argument(_) => "_".into(),
        }
    }
}

/// The slots of what a function takes along from outside, with names.
type Captures = Box<[(Slot, Box<str>)]>;

/// Compiles one function with all that is delayed in it.
struct Compiler<'p, 'a> {
    program: &'p mut Program<'a>,
    resolved: &'a Resolved,
    section: Option<Rc<Section>>,
    /// The frame in the making, last, with those of the functions around it.
    frames: Vec<Frame>,
    /// How deep the current expression is nested.
    depth: usize,
    /// The function being compiled.
    current: Option<FunctionId>,
    /// The arguments of the current equation that were taken apart into first element and rest.
    wholes: Vec<WholeArgument>,
}

/// An argument that matched `<head>^tail`. Where the body puts the two together again, it means the argument.
struct WholeArgument {
    head: Slot,
    tail: Slot,
    argument: Slot,
    is_used: bool,
}

#[derive(Default)]
struct Frame {
    slots: HashMap<Var, Slot>,
    /// Variables taken along: slot outside, slot inside, name.
    captures: Vec<(Slot, Slot, Box<str>)>,
    n_slots: Slot,
}

impl<'p, 'a> Compiler<'p, 'a> {
    fn new(program: &'p mut Program<'a>) -> Compiler<'p, 'a> {
        let resolved = program.resolved;
        Compiler {
            program,
            resolved,
            section: None,
            frames: vec![Frame::default()],
            depth: 0,
            current: None,
            wholes: Vec::new(),
        }
    }

    fn frame(&mut self) -> &mut Frame {
        // There is always the frame of the function itself.
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn new_slot(&mut self) -> Slot {
        let frame = self.frame();
        frame.n_slots += 1;
        frame.n_slots - 1
    }

    fn bind(&mut self, var: Var) -> Slot {
        let slot = self.new_slot();
        self.frame().slots.insert(var, slot);
        slot
    }

    /// The slot of a variable, taken along from outside where needed.
    fn slot(&mut self, var: Var) -> Slot {
        self.slot_in(self.frames.len() - 1, var)
    }

    fn slot_in(&mut self, index: usize, var: Var) -> Slot {
        if let Some(&slot) = self.frames[index].slots.get(&var) {
            return slot;
        }
        assert!(index > 0, "the variable {var:?} is not in scope");
        let outside = self.slot_in(index - 1, var);
        let name = self.program.text(var);
        let frame = &mut self.frames[index];
        let inside = frame.n_slots;
        frame.n_slots += 1;
        frame.slots.insert(var, inside);
        frame.captures.push((outside, inside, name));
        inside
    }

    fn function(mut self, id: FunctionId) -> Function {
        let entry = self.program.entry(id);
        let (yields, is_part) = (entry.yields, entry.is_part());
        let matters = self.program.matters(id).into();
        let groups = self.program.groups(id);
        let (captures, (name, span, body)) = self.definition(id, groups.iter().sum());
        let function = self.finish(&name, span, body);
        Function { groups, captures, matters, yields, is_part, ..function }
    }

    /// The tree of a function, with its name and place, and what it takes along from outside.
    fn definition(&mut self, id: FunctionId, n_arguments: usize) -> (Captures, (String, Span, Op)) {
        self.current = Some(id);
        let entry = self.program.entry(id);
        let (source, lifted) = (entry.source, entry.lifted.clone());
        self.section = entry.section.clone();
        self.frame().n_slots = n_arguments as Slot;
        let captures = lifted.iter().map(|&var| (self.bind(var), self.program.text(var))).collect();
        (captures, self.source(id, source, n_arguments))
    }

    fn source(&mut self, id: FunctionId, source: Source, n_arguments: usize) -> (String, Span, Op) {
        let resolved = self.resolved;
        match source {
            Source::Equations(decl, name) => {
                let position = Position { is_tail: true, asked: self.program.entry(id).asked };
                let body = self.equations(decl, name, n_arguments, position);
                (resolved.name(name).qualified.to_string(), resolved.name(name).span, body)
            }
            Source::Constant(name, value) => {
                (resolved.name(name).qualified.to_string(), resolved.name(name).span, self.tail(value))
            }
            Source::Part(name, decl) => {
                (resolved.name(name).qualified.to_string(), resolved.name(name).span, self.part(name, decl))
            }
            Source::TimedPrefix(expr) => {
                (self.program.part_name(id), resolved.ast.expr_span(expr), self.timed_prefix_body(id, expr))
            }
            Source::Continuation(expr) => (self.program.part_name(id), resolved.ast.expr_span(expr), self.tail(expr)),
            Source::TimedStop(tock) => ("TSTOP".to_string(), Span::default(), self.timed_stop_body(id, tock)),
            Source::TimedSkip(tock) => ("TSKIP".to_string(), Span::default(), self.timed_skip_body(id, tock)),
        }
    }

    fn part(&mut self, name: NameId, decl: DeclId) -> Op {
        let Decl::Pattern(pat, _) = self.resolved.ast.decl(decl) else {
            unreachable!("only patterns have parts");
        };
        let whole = if self.program.is_global(name) { Op::Whole(decl) } else { Op::Local(self.slot(Var::Whole(decl))) };
        let pattern = self.pattern(*pat);
        let slot = self.slot(Var::Name(name));
        Op::Select(Box::new(Select { value: whole, pattern, slot, site: self.resolved.ast.pat_span(*pat) }))
    }

    /// Closes the frame of the function itself.
    fn finish(mut self, name: &str, span: Span, mut body: Op) -> Function {
        let frame = self.frames.remove(0);
        last_use::mark_function(&mut body, frame.n_slots);
        let id = self.current;
        packed(frame, id, name, span, body)
    }

    fn span(&self, expr: ExprId) -> Span {
        self.resolved.ast.expr_span(expr)
    }

    fn strip(&self, mut expr: ExprId) -> ExprId {
        while let Expr::Paren(inner) = self.resolved.ast.expr(expr) {
            expr = *inner;
        }
        expr
    }
}

/// Marks last uses and packs the frame of something without a number up.
fn finish_frame(frame: Frame, span: Span, mut body: Op) -> Function {
    last_use::mark_function(&mut body, frame.n_slots);
    packed(frame, None, "", span, body)
}

fn packed(frame: Frame, id: Option<FunctionId>, name: &str, span: Span, body: Op) -> Function {
    let (code, n_slots) = closures::body(body, id, frame.n_slots);
    let captures: Captures = frame.captures.into_iter().map(|(_, slot, name)| (slot, name)).collect();
    Function {
        name: name.into(),
        span,
        id,
        is_part: false,
        groups: Box::default(),
        matters: vec![true; captures.len()].into(),
        captures,
        n_slots: n_slots as usize,
        n_variables: frame.n_slots as usize,
        yields: Yields::Value,
        code,
    }
}
