//! Text to tree.
//!
//! Precedence climbing over the table of the dialect, with the pending operators on a stack of our own instead of the
//! machine's: no nesting is too deep to be read. After each operand the operators before it are applied, since they
//! bind tightest; then the next operator decides how many of the waiting ones are applied first.

use super::cursor::{Cursor, Read};
use super::dialect::{Dialect, Grouping};
use super::precedence::Mixes;
use super::token::{Token, binary_word};
use super::tree::{Atom, Binary, Builder, Domain, Form, Named, NodeId, Quantifier, Text, Unary};
use super::{errors, event::EventPattern};
pub use limits::input::formulas::MAX_DEPTH;
use source::{Diagnostic, Span};

/// Linear or branching time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Time {
    Linear,
    Branching,
}

/// An operator that waits for its operand.
#[derive(Debug)]
pub(crate) enum Frame {
    Prefix(Unary, Span),
    Infix(Binary, NodeId),
    /// `EX`, with the step it must take.
    PathPrefix(Quantifier, Unary, Option<EventPattern>, Span),
    /// `E`, waiting for its left operand.
    Path(Quantifier, Span),
    /// `E f U`, waiting for the right one.
    PathInfix(Quantifier, Binary, NodeId, Span),
    Bracket(Bracket),
    /// `#x.({p} &`
    Quantifier(Quantifier, Vec<Text>, Domain, Span),
    /// `forall x:T @`, which reaches as far as it can.
    OpenQuantifier(Quantifier, Text, Text, Span),
    /// A premise and its arrow, which reach as far as they can.
    Premise(NodeId),
}

/// Brackets and what they hold so far: one formula, a chain, or the arguments of a named pattern.
#[derive(Debug)]
pub(crate) struct Bracket {
    pub named: Option<Named>,
    /// The opening bracket, with the name before it.
    pub open: Span,
    pub parts: Vec<NodeId>,
    /// Whether the part being read stands behind `without`.
    pub without: bool,
}

pub(crate) struct Parser<'a> {
    pub cursor: Cursor<'a>,
    pub dialect: Dialect,
    pub time: Time,
    pub stack: Vec<Frame>,
    pub tree: Builder,
    facts: Vec<Facts>,
    mixes: Mixes,
}

/// Facts about a node while its context is parsed.
#[derive(Clone, Copy, Debug)]
struct Facts {
    depth: u32,
    /// Whether it holds a fairness condition.
    is_fair: bool,
    /// The brackets around it.
    brackets: Option<Span>,
}

/// How it goes on behind an operand.
enum Step {
    /// With another operand.
    Operand,
    /// With what stands behind this larger one.
    Behind(NodeId),
    /// Not at all: this is everything.
    Done(NodeId),
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, base: u32, dialect: Dialect, time: Time) -> Parser<'a> {
        Parser {
            cursor: Cursor::new(text, base),
            dialect,
            time,
            stack: Vec::new(),
            tree: Builder::default(),
            facts: Vec::new(),
            mixes: Mixes::default(),
        }
    }

    /// Reads the whole text.
    pub fn run(&mut self) -> Read<NodeId> {
        loop {
            let Some(mut operand) = self.operand()? else { continue };
            loop {
                operand = self.apply_prefixes(operand)?;
                match self.behind(operand)? {
                    Step::Operand => break,
                    Step::Behind(larger) => operand = larger,
                    Step::Done(all) => return Ok(all),
                }
            }
        }
    }

    /// Formulas that other tools parse differently.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.mixes.warnings(self.dialect)
    }

    /// Adds a node; refuses one that is too deep.
    pub fn add(&mut self, form: Form, span: Span) -> Read<NodeId> {
        let (mut depth, mut is_fair) = (0, matches!(form, Form::Fair(..)));
        for operand in form.operands() {
            let facts = self.facts[operand.index()];
            depth = depth.max(facts.depth + 1);
            is_fair |= facts.is_fair;
            let is_argument = matches!(form, Form::Named(..));
            if !is_argument {
                self.check_is_formula(operand)?;
            }
        }
        if depth > MAX_DEPTH {
            return Err(errors::too_deep(MAX_DEPTH, span).into());
        }
        self.facts.push(Facts { depth, is_fair, brackets: None });
        Ok(self.tree.add(form, span))
    }

    /// Refuses chains and numbers where a formula must stand.
    fn check_is_formula(&self, id: NodeId) -> Read<()> {
        let node = &self.tree.nodes[id.index()];
        match node.form {
            Form::Chain { .. } => Err(errors::chain_alone(node.span).into()),
            Form::Number(_) => Err(errors::number_alone(node.span).into()),
            _ => Ok(()),
        }
    }

    /// Where a node stands, with the brackets around it.
    pub fn span(&self, id: NodeId) -> Span {
        self.facts[id.index()].brackets.unwrap_or(self.tree.nodes[id.index()].span)
    }

    fn apply_prefixes(&mut self, mut operand: NodeId) -> Read<NodeId> {
        loop {
            let span = self.span(operand);
            let (form, start) = match self.stack.pop() {
                Some(Frame::Prefix(operator, start)) => (Form::Unary(operator, operand), start),
                Some(Frame::PathPrefix(paths, operator, step, start)) => {
                    (Form::PathUnary { paths, operator, step, operand }, start)
                }
                Some(Frame::PathInfix(paths, operator, left, start)) => {
                    (Form::PathBinary { paths, operator, left, right: operand }, start)
                }
                other => {
                    self.stack.extend(other);
                    return Ok(operand);
                }
            };
            operand = self.add(form, start.to(span))?;
        }
    }

    /// The operator between operands at the cursor.
    fn binary(&self) -> Option<Binary> {
        match self.cursor.token() {
            Token::Word if self.dialect == Dialect::Pat && self.cursor.word() == "xor" => Some(Binary::Xor),
            Token::Word => binary_word(self.cursor.word()),
            token => token.binary(),
        }
    }

    fn behind(&mut self, operand: NodeId) -> Read<Step> {
        if let Some(&Frame::Path(paths, span)) = self.stack.last() {
            self.stack.pop();
            return self.path_infix(paths, span, operand);
        }
        if let Some(operator) = self.binary() {
            return self.infix(operator, operand);
        }
        match self.cursor.token() {
            Token::Close | Token::Comma | Token::End => self.close(operand),
            Token::Word if self.cursor.word() == "without" => self.close(operand),
            _ => Err(self.unexpected_behind(operand).into()),
        }
    }

    fn path_infix(&mut self, paths: Quantifier, span: Span, left: NodeId) -> Read<Step> {
        let Some(operator @ (Binary::Until | Binary::Release)) = self.binary() else {
            return Err(errors::path_needs_until(span, self.cursor.gap()).into());
        };
        self.cursor.bump();
        self.stack.push(Frame::PathInfix(paths, operator, left, span));
        Ok(Step::Operand)
    }

    /// Steps over an operator, after applying the waiting ones that bind tighter.
    fn infix(&mut self, operator: Binary, operand: NodeId) -> Read<Step> {
        if self.time == Time::Branching && operator.is_temporal() {
            return Err(errors::not_branching(self.cursor.word(), self.cursor.span()).into());
        }
        let mut left = operand;
        while let Some(&Frame::Infix(waiting, first)) = self.stack.last() {
            match self.dialect.table().grouping(waiting, operator) {
                Grouping::Left => {
                    self.stack.pop();
                    left = self.join(waiting, first, left)?;
                }
                Grouping::Right => break,
                Grouping::Refused => return Err(errors::chained(self.cursor.word(), self.cursor.span()).into()),
            }
        }
        self.cursor.bump();
        // A premise is claimed of everything behind its arrow, whatever the table says of arrows.
        let is_whole = !matches!(self.stack.last(), Some(Frame::Infix(..)));
        self.stack.push(match operator {
            Binary::Implies if is_whole && self.facts[left.index()].is_fair => Frame::Premise(left),
            _ => Frame::Infix(operator, left),
        });
        Ok(Step::Operand)
    }

    /// Applies an operator, and remembers where other tools would have grouped otherwise.
    fn join(&mut self, operator: Binary, left: NodeId, right: NodeId) -> Read<NodeId> {
        let span = self.span(left).to(self.span(right));
        if let Some(inner) = self.open_operator(left) {
            self.mixes.note(inner, operator, Grouping::Left, span);
        }
        if let Some(inner) = self.open_operator(right) {
            self.mixes.note(operator, inner, Grouping::Right, span);
        }
        self.add(Form::Binary(operator, left, right), span)
    }

    /// The operator of a node that no brackets enclose.
    fn open_operator(&self, id: NodeId) -> Option<Binary> {
        match self.tree.nodes[id.index()].form {
            Form::Binary(operator, ..) if self.facts[id.index()].brackets.is_none() => Some(operator),
            _ => None,
        }
    }

    /// Applies what waits, up to what the token at the cursor closes or continues.
    fn close(&mut self, operand: NodeId) -> Read<Step> {
        let mut operand = operand;
        loop {
            operand = match self.stack.pop() {
                Some(Frame::Infix(operator, left)) => self.join(operator, left, operand)?,
                Some(Frame::Premise(premise)) => {
                    let span = self.span(premise).to(self.span(operand));
                    self.add(Form::Binary(Binary::Implies, premise, operand), span)?
                }
                Some(Frame::OpenQuantifier(quantifier, variable, domain, start)) => {
                    let (variables, domain) = (vec![variable], Domain::Type(domain));
                    let span = start.to(self.span(operand));
                    self.add(Form::Quantified { quantifier, variables, domain, body: operand }, span)?
                }
                Some(frame) => return self.close_frame(frame, operand),
                None if self.cursor.token() == Token::End => {
                    self.check_is_formula(operand)?;
                    return Ok(Step::Done(operand));
                }
                None => return Err(errors::nothing_to_close(self.cursor.word(), self.cursor.span()).into()),
            };
            // What reached as far as it could is an operand of the operators before it.
            operand = self.apply_prefixes(operand)?;
        }
    }

    fn close_frame(&mut self, frame: Frame, operand: NodeId) -> Read<Step> {
        let token = self.cursor.token();
        match frame {
            Frame::Bracket(bracket) if token == Token::Close => self.close_bracket(bracket, operand).map(Step::Behind),
            Frame::Bracket(bracket) => self.continue_bracket(bracket, operand),
            Frame::Quantifier(quantifier, variables, domain, open) if token == Token::Close => {
                let close = self.cursor.bump();
                let form = Form::Quantified { quantifier, variables, domain, body: operand };
                self.add(form, open.to(close)).map(Step::Behind)
            }
            Frame::Quantifier(_, _, _, open) => Err(errors::unclosed_formula(open, self.cursor.gap()).into()),
            _ => unreachable!("the other frames are applied before"),
        }
    }

    /// Steps over a comma or `without`.
    fn continue_bracket(&mut self, mut bracket: Bracket, operand: NodeId) -> Read<Step> {
        let is_without = self.cursor.token() == Token::Word;
        let takes_without = matches!(bracket.named, None | Some(Named::Seq));
        if bracket.without || self.cursor.token() == Token::End || is_without && !takes_without {
            return Err(errors::unclosed_formula(bracket.open, self.cursor.gap()).into());
        }
        self.cursor.bump();
        bracket.parts.push(operand);
        bracket.without = is_without;
        self.stack.push(Frame::Bracket(bracket));
        Ok(Step::Operand)
    }

    /// Steps over the closing bracket.
    fn close_bracket(&mut self, bracket: Bracket, operand: NodeId) -> Read<NodeId> {
        let Bracket { named, open, mut parts, without } = bracket;
        let span = open.to(self.cursor.bump());
        let is_chain = matches!(self.tree.nodes[operand.index()].form, Form::Chain { .. });
        if parts.is_empty() && named.is_none() {
            self.facts[operand.index()].brackets = Some(span);
            return Ok(operand);
        }
        let without = without.then_some(operand);
        if without.is_none() {
            parts.push(operand);
        }
        match named {
            None => self.add(Form::Chain { parts, without }, span),
            Some(Named::Seq) if !is_chain => {
                let chain = self.add(Form::Chain { parts, without }, span)?;
                self.call(Named::Seq, vec![chain], span)
            }
            Some(named) => self.call(named, parts, span),
        }
    }

    /// A named pattern with all its arguments.
    fn call(&mut self, named: Named, arguments: Vec<NodeId>, span: Span) -> Read<NodeId> {
        let forms: Vec<&Form> = arguments.iter().map(|argument| &self.tree.nodes[argument.index()].form).collect();
        if !named.takes(&forms) {
            return Err(errors::arguments(named, span).into());
        }
        self.add(Form::Named(named, arguments), span)
    }

    /// An arrow that is longer than the one of formulas, if it is next, and that one.
    fn long_arrow(&self) -> Option<(&'static str, &'static str)> {
        let rest = &self.cursor.text()[self.cursor.start()..];
        [("==>", "=>"), ("<==>", "<=>")].into_iter().find(|(long, _)| rest.starts_with(long))
    }

    fn unexpected_behind(&self, operand: NodeId) -> Diagnostic {
        let (token, span) = (self.cursor.token(), self.cursor.span());
        match token {
            Token::Unknown => errors::unknown_character(self.cursor.word(), span),
            Token::Compare if let Some((long, short)) = self.long_arrow() => {
                let start = self.cursor.start();
                errors::long_arrow(long, short, self.cursor.place(start, start + long.len()))
            }
            Token::Compare | Token::Arithmetic | Token::Star => {
                let is_prefixed = matches!(self.tree.nodes[operand.index()].form, Form::Unary(..));
                errors::loose_condition(self.dialect, is_prefixed, self.span(operand), span)
            }
            Token::Word if self.is_definition(operand) => errors::definition(self.span(operand)),
            _ if let Some(quantifier) = self.path_quantifier(operand) => {
                errors::not_linear(quantifier, self.span(operand))
            }
            _ => errors::missing_operator(self.cursor.word(), self.span(operand), span),
        }
    }

    /// An operand that is `A` or `E`, as CTL would have it before a formula.
    fn path_quantifier(&self, operand: NodeId) -> Option<&str> {
        let Form::Atom(Atom::Bare(EventPattern::Event(event))) = &self.tree.nodes[operand.index()].form else {
            return None;
        };
        Some(event.name.text.as_str()).filter(|name| ["A", "E"].contains(name))
    }

    /// Whether an operand is the word before a definition in the pattern language of `ProB`.
    fn is_definition(&self, operand: NodeId) -> bool {
        let Form::Atom(Atom::Bare(EventPattern::Event(event))) = &self.tree.nodes[operand.index()].form else {
            return false;
        };
        let is_first = event.name.span.start == self.cursor.place(0, 0).start;
        is_first && ["def", "var", "num", "seq", "count"].contains(&event.name.text.as_str())
    }
}
