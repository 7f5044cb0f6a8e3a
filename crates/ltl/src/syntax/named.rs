//! Expansion of named patterns (Dwyer, Avrunin and Corbett, 1999, "Patterns in property specifications for finite-state
//! verification").
//!
//! The scopes are those of Dwyer, Avrunin and Corbett, for any body rather than for a fixed list: a scope that ends is
//! the part of the run before `r`, and the body is rewritten to speak of that part only. There `G f` becomes `f W r`
//! and `F f` becomes `not r U (f & not r)`; for the classical bodies this gives the classical formulas.

use super::cursor::Read;
use super::errors;
use super::tree::{Binary, Builder, Form, Formula, Named, Node, NodeId, Unary};
use limits::input::formulas::{MAX_COUNT, MAX_EXPANDED_NODES};
use source::{Diagnostic, Span};

impl Named {
    /// Whether it can be applied to these arguments.
    pub(crate) fn takes(self, arguments: &[&Form]) -> bool {
        let is_formula = |form: &Form| !matches!(form, Form::Chain { .. } | Form::Number(_));
        let formulas = |forms: &[&Form]| forms.iter().all(|form| is_formula(form));
        match (self, arguments) {
            (Named::Absence | Named::Universality | Named::Existence, [one]) => is_formula(one),
            (Named::Existence, [one, Form::Number(count)]) => is_formula(one) && *count <= MAX_COUNT,
            (Named::Response, [Form::Chain { .. }, one]) | (Named::Precedence, [one, Form::Chain { .. }]) => {
                is_formula(one)
            }
            (Named::Response | Named::Precedence | Named::Before | Named::After, [_, _]) => formulas(arguments),
            (Named::Between | Named::AfterUntil, [_, _, _]) => formulas(arguments),
            (Named::Seq, [Form::Chain { .. }]) => true,
            _ => false,
        }
    }
}

/// Scopes that end, around operators that look back: past what a scope cuts off.
pub(crate) fn check(formula: &Formula) -> Option<Diagnostic> {
    let mut looks_back = Vec::with_capacity(formula.nodes.len());
    for node in &formula.nodes {
        let operands = node.form.operands();
        let below = operands.iter().any(|operand| looks_back[operand.index()]);
        looks_back.push(below || is_past(&node.form));
        if let (Form::Named(Named::Before | Named::Between | Named::AfterUntil, _), Some(body)) =
            (&node.form, operands.last())
            && looks_back[body.index()]
        {
            return Some(errors::past_in_scope(formula.node(*body).span, node.span));
        }
    }
    None
}

fn is_past(form: &Form) -> bool {
    use Unary::{Historically, Once, WeakYesterday, Yesterday};
    matches!(
        form,
        Form::Unary(Yesterday | WeakYesterday | Once | Historically, _)
            | Form::Binary(Binary::Since | Binary::WeakSince | Binary::Trigger, ..)
    )
}

impl Formula {
    /// The formula with operators in place of named patterns.
    ///
    /// # Errors
    /// When scopes in scopes make it enormous.
    pub fn expand(&self) -> Result<Formula, Box<Diagnostic>> {
        let mut expander = Expander { tree: Builder::default(), span: Span::default() };
        let mut expanded: Vec<NodeId> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            expander.span = node.span;
            let of = |id: &NodeId| expanded[id.index()];
            let result = match &node.form {
                Form::Named(Named::Existence, arguments) if arguments.len() == 2 => {
                    let Form::Number(count) = *self.form(arguments[1]) else {
                        unreachable!("the second argument is a number")
                    };
                    expander.at_most(of(&arguments[0]), count)
                }
                Form::Named(Named::Precedence, arguments) => {
                    let is_chain = matches!(self.form(arguments[1]), Form::Chain { .. });
                    expander.precedence(of(&arguments[0]), of(&arguments[1]), is_chain)
                }
                Form::Named(named, arguments) => {
                    let arguments: Vec<NodeId> = arguments.iter().map(of).collect();
                    expander.named(*named, &arguments)
                }
                Form::Chain { parts, without } => {
                    let parts: Vec<NodeId> = parts.iter().map(of).collect();
                    expander.chain(&parts, without.as_ref().map(of))
                }
                form => expander.tree.add(form.map(|operand| of(&operand)), node.span),
            };
            expanded.push(result);
        }
        self.unshared(&expander.tree.nodes, &expanded)
    }

    /// A formula in which every node has one use.
    fn unshared(&self, nodes: &[Node], expanded: &[NodeId]) -> Read<Formula> {
        let mut tree = Builder::default();
        let mut copy = |id: NodeId| unshare(&mut tree, nodes, expanded[id.index()]);
        let premise = self.premise.map(&mut copy).transpose()?;
        let body = copy(self.body)?;
        Ok(Formula { dialect: self.dialect, nodes: tree.nodes, premise, body })
    }
}

/// Copies what lies below `root`, once for each use.
fn unshare(tree: &mut Builder, nodes: &[Node], root: NodeId) -> Read<NodeId> {
    let mut open = vec![(root, false)];
    let mut done: Vec<NodeId> = Vec::new();
    while let Some((id, has_operands)) = open.pop() {
        let node = &nodes[id.index()];
        let operands = node.form.operands();
        if !has_operands {
            open.push((id, true));
            open.extend(operands.iter().rev().map(|&operand| (operand, false)));
            continue;
        }
        if tree.nodes.len() >= MAX_EXPANDED_NODES {
            return Err(errors::too_large(MAX_EXPANDED_NODES, node.span).into());
        }
        let mut copies = done.split_off(done.len() - operands.len()).into_iter();
        let form = node.form.map(|_| copies.next().expect("every operand was copied"));
        done.push(tree.add(form, node.span));
    }
    Ok(done.pop().expect("the root was copied"))
}

/// Builds formulas in which nodes may have several uses.
struct Expander {
    tree: Builder,
    /// The place of what is expanded.
    span: Span,
}

impl Expander {
    fn unary(&mut self, operator: Unary, operand: NodeId) -> NodeId {
        self.tree.add(Form::Unary(operator, operand), self.span)
    }

    fn binary(&mut self, left: NodeId, operator: Binary, right: NodeId) -> NodeId {
        self.tree.add(Form::Binary(operator, left, right), self.span)
    }

    fn not(&mut self, operand: NodeId) -> NodeId {
        self.unary(Unary::Not, operand)
    }

    fn named(&mut self, named: Named, arguments: &[NodeId]) -> NodeId {
        match (named, arguments) {
            (Named::Absence, &[p]) => {
                let never = self.not(p);
                self.unary(Unary::Globally, never)
            }
            (Named::Universality, &[p]) => self.unary(Unary::Globally, p),
            (Named::Existence, &[p]) => self.unary(Unary::Finally, p),
            (Named::Response, &[s, p]) => {
                let answer = self.unary(Unary::Finally, s);
                let each = self.binary(p, Binary::Implies, answer);
                self.unary(Unary::Globally, each)
            }
            (Named::Before, &[r, f]) => {
                let limited = self.limited(f, r);
                let ends = self.unary(Unary::Finally, r);
                self.binary(ends, Binary::Implies, limited)
            }
            (Named::After, &[q, f]) => {
                let not_yet = self.not(q);
                let from_here = self.binary(q, Binary::And, f);
                self.binary(not_yet, Binary::WeakUntil, from_here)
            }
            (Named::Between, &[q, r, f]) => {
                let ends = self.unary(Unary::Finally, r);
                self.segments(q, r, f, Some(ends))
            }
            (Named::AfterUntil, &[q, r, f]) => self.segments(q, r, f, None),
            (_, &[chain]) => chain,
            _ => unreachable!("the parser checks the arguments"),
        }
    }

    /// `f` in every part of a run from `q` to `r`.
    fn segments(&mut self, q: NodeId, r: NodeId, f: NodeId, ends: Option<NodeId>) -> NodeId {
        let is_open = self.not(r);
        let mut begins = self.binary(q, Binary::And, is_open);
        if let Some(ends) = ends {
            begins = self.binary(begins, Binary::And, ends);
        }
        let limited = self.limited(f, r);
        let each = self.binary(begins, Binary::Implies, limited);
        self.unary(Unary::Globally, each)
    }

    fn precedence(&mut self, s: NodeId, p: NodeId, is_chain: bool) -> NodeId {
        let not_yet = self.not(p);
        if !is_chain {
            return self.binary(not_yet, Binary::WeakUntil, s);
        }
        let occurs = self.unary(Unary::Finally, p);
        let after = self.binary(not_yet, Binary::Until, s);
        self.binary(occurs, Binary::Implies, after)
    }

    /// At most `count` positions satisfy `p`: there is no chain of one more.
    fn at_most(&mut self, p: NodeId, count: u32) -> NodeId {
        let chain = self.chain(&vec![p; count as usize + 1], None);
        let occurs = self.unary(Unary::Finally, chain);
        self.not(occurs)
    }

    /// The parts one after the other, the first one here.
    fn chain(&mut self, parts: &[NodeId], without: Option<NodeId>) -> NodeId {
        let (&last, before) = parts.split_last().expect("a chain has parts");
        let meanwhile = without.map(|without| self.not(without));
        let mut chain = last;
        for &part in before.iter().rev() {
            let later = match meanwhile {
                None => self.unary(Unary::Finally, chain),
                Some(meanwhile) => self.binary(meanwhile, Binary::Until, chain),
            };
            let next = self.unary(Unary::Next, later);
            chain = self.binary(part, Binary::And, next);
        }
        chain
    }

    /// `f` relativized to the part of the run before the next `r`.
    fn limited(&mut self, f: NodeId, r: NodeId) -> NodeId {
        let is_open = self.not(r);
        let mut limited: Vec<Option<NodeId>> = vec![None; f.index() + 1];
        let mut is_needed = vec![false; f.index() + 1];
        is_needed[f.index()] = true;
        for index in (0..=f.index()).rev() {
            if is_needed[index] {
                let operands = self.tree.nodes[index].form.operands();
                operands.iter().for_each(|operand| is_needed[operand.index()] = true);
            }
        }
        for index in (0..=f.index()).filter(|&index| is_needed[index]) {
            let form =
                self.tree.nodes[index].form.map(|operand| limited[operand.index()].expect("operands come first"));
            limited[index] = Some(self.limit(form, r, is_open));
        }
        limited[f.index()].expect("the body is needed")
    }

    /// Cuts one operator off at `r`; its operands are cut already.
    fn limit(&mut self, form: Form, r: NodeId, is_open: NodeId) -> NodeId {
        match form {
            Form::Unary(Unary::Next, f) => {
                let inside = self.binary(is_open, Binary::And, f);
                self.unary(Unary::Next, inside)
            }
            Form::Unary(Unary::WeakNext, f) => {
                let inside = self.binary(r, Binary::Or, f);
                self.unary(Unary::WeakNext, inside)
            }
            Form::Unary(Unary::Finally, f) => self.before_end(is_open, f, is_open),
            Form::Unary(Unary::Globally, f) => self.binary(f, Binary::WeakUntil, r),
            Form::Binary(Binary::Until, f, g) => {
                let meanwhile = self.binary(f, Binary::And, is_open);
                self.before_end(meanwhile, g, is_open)
            }
            Form::Binary(Binary::StrongRelease, f, g) => {
                let meanwhile = self.binary(g, Binary::And, is_open);
                let both = self.binary(f, Binary::And, g);
                self.before_end(meanwhile, both, is_open)
            }
            Form::Binary(Binary::WeakUntil, f, g) => {
                let end = self.binary(g, Binary::Or, r);
                self.binary(f, Binary::WeakUntil, end)
            }
            Form::Binary(Binary::Release, f, g) => {
                let both = self.binary(f, Binary::And, g);
                let end = self.binary(both, Binary::Or, r);
                self.binary(g, Binary::WeakUntil, end)
            }
            Form::Binary(Binary::LeadsTo, f, g) => {
                let answer = self.before_end(is_open, g, is_open);
                let each = self.binary(f, Binary::Implies, answer);
                self.binary(each, Binary::WeakUntil, r)
            }
            form => self.tree.add(form, self.span),
        }
    }

    /// `meanwhile U (f & not r)`.
    fn before_end(&mut self, meanwhile: NodeId, f: NodeId, is_open: NodeId) -> NodeId {
        let inside = self.binary(f, Binary::And, is_open);
        self.binary(meanwhile, Binary::Until, inside)
    }
}
