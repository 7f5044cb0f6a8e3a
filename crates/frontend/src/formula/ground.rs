//! Formulas without variables.
//!
//! Quantifiers become conjunctions and disjunctions over their values. So do variables that events bind, over the
//! values of the events that occur: `A(x) => f(x)` is the conjunction of all its instances, because a position has one
//! event and all instances but one are true there; `A(x) & f(x)` is a disjunction for the same reason. Where events
//! were not all met, one more instance stands for the values of the others: nothing is known of it, but that it decides
//! nothing where those events do not occur.

use super::errors;
use super::vocabulary::{Answer, Bound, Environment, Vocabulary};
use hashbrown::{HashMap, HashSet};
use limits::input::formulas::{MAX_INSTANCES, MAX_NESTING, MAX_NODES};
use ltl::syntax::{Atom, Binary, Binder, EventPattern, Form, Formula, NodeId, Quantifier, StateWord, Text, Unary};
use property::{Fact, Labels};
use source::Span;

/// The number of a node.
pub(super) type GroundId = usize;

/// A formula about facts. Operands come before what uses them.
#[derive(Debug)]
pub(super) enum Ground {
    Constant(bool),
    Fact(Fact),
    Not(GroundId),
    /// All of these, or else one of these.
    Join(bool, Vec<GroundId>),
    Unary(Unary, GroundId),
    Binary(Binary, GroundId, GroundId),
    PathUnary(Quantifier, Unary, Option<Labels>, GroundId),
    PathBinary(Quantifier, Binary, GroundId, GroundId),
}

/// Makes ground formulas.
pub(super) struct Grounder<'q, V: Vocabulary> {
    pub formula: &'q Formula,
    pub binders: &'q [Binder],
    pub vocabulary: &'q mut V,
    pub nodes: Vec<Ground>,
    /// Where nodes were written, as far as no values were filled in.
    pub places: HashMap<GroundId, Span>,
    written: HashSet<NodeId>,
    n_instances: usize,
    environment: Environment<V::Value>,
}

impl<'q, V: Vocabulary> Grounder<'q, V> {
    pub fn new(formula: &'q Formula, binders: &'q [Binder], written: HashSet<NodeId>, vocabulary: &'q mut V) -> Self {
        Grounder {
            formula,
            binders,
            vocabulary,
            nodes: Vec::new(),
            places: HashMap::new(),
            written,
            n_instances: 0,
            environment: Environment::default(),
        }
    }

    /// The body of the formula.
    pub fn body(&mut self) -> Answer<GroundId> {
        self.ground(self.formula.body, 0)
    }

    fn add(&mut self, node: Ground) -> GroundId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The instance of a node in the environment at hand. So many of its binders have their values already.
    fn ground(&mut self, root: NodeId, n_bound: usize) -> Answer<GroundId> {
        if let Some(binder) = self.binders.iter().filter(|binder| binder.at == root).nth(n_bound) {
            return self.instances_of_binder(root, binder, n_bound);
        }
        if let Form::Quantified { quantifier, .. } = self.formula.form(root) {
            return self.instances_of_quantifier(root, *quantifier);
        }
        // Depth first, without recursion except where variables get values.
        let mut open = vec![(root, false)];
        let mut done: Vec<GroundId> = Vec::new();
        while let Some((id, has_operands)) = open.pop() {
            let form = self.formula.form(id);
            let is_bound_here = id != root && self.binders.iter().any(|binder| binder.at == id);
            if is_bound_here || matches!(form, Form::Quantified { .. }) {
                let instance = self.ground(id, 0)?;
                done.push(instance);
                continue;
            }
            let operands = form.operands();
            if !has_operands && !operands.is_empty() {
                open.push((id, true));
                open.extend(operands.iter().rev().map(|&operand| (operand, false)));
                continue;
            }
            let operands = done.split_off(done.len() - operands.len());
            let node = self.node(id, &operands)?;
            if self.environment.is_empty() && self.written.contains(&id) {
                self.places.insert(node, self.formula.node(id).span);
            }
            done.push(node);
        }
        Ok(done.pop().expect("the root is done"))
    }

    fn instances_of_binder(&mut self, root: NodeId, binder: &'q Binder, n_bound: usize) -> Answer<GroundId> {
        let formula = self.formula;
        let Some(event) = formula.form(binder.atom).patterns().first().and_then(|pattern| pattern.events().first())
        else {
            return self.ground(root, n_bound + 1);
        };
        let matches = self.vocabulary.matches(event, &[], &self.environment)?;
        let mut valuations: Vec<Bound<V::Value>> = matches.into_iter().map(|(_, bound)| bound).collect();
        for valuation in &mut valuations {
            valuation.retain(|(name, _)| binder.variables.contains(name));
        }
        valuations.sort();
        valuations.dedup();
        let is_conjunction = !matches!(formula.form(root), Form::Binary(Binary::And, ..));
        let span = formula.node(binder.atom).span;
        let instances = self.instances(valuations, is_conjunction, span, |this| this.ground(root, n_bound + 1))?;
        let others = self.other_instances(is_conjunction);
        let all: Vec<GroundId> = instances.into_iter().chain(others).collect();
        Ok(self.join(is_conjunction, all))
    }

    /// The instances of a variable for the events that were not met, if there may be such: as one that could be true or
    /// false where such an event occurs, and elsewhere is what a conjunction, or a disjunction, does not see.
    fn other_instances(&mut self, is_conjunction: bool) -> Option<GroundId> {
        let unmet = self.vocabulary.unmet()?;
        let decides = self.add(Ground::Fact(Fact::Takes([unmet].into_iter().collect())));
        Some(if is_conjunction { self.add(Ground::Not(decides)) } else { decides })
    }

    fn instances_of_quantifier(&mut self, root: NodeId, quantifier: Quantifier) -> Answer<GroundId> {
        let formula = self.formula;
        let Form::Quantified { variables, domain, body, .. } = formula.form(root) else {
            unreachable!("called for quantifiers only");
        };
        let span = formula.node(root).span;
        let mut valuations: Vec<Bound<V::Value>> = vec![Vec::new()];
        for conjunct in domain.conjuncts(variables) {
            valuations = self.restrict(valuations, conjunct.variable.as_ref(), &conjunct.text, span)?;
        }
        let is_conjunction = quantifier == Quantifier::ForAll;
        let instances = self.instances(valuations, is_conjunction, span, |this| this.ground(*body, 0))?;
        Ok(instances.unwrap_or_else(|| self.add(Ground::Constant(is_conjunction))))
    }

    /// Gives a variable all values of a set, or keeps what satisfies a predicate.
    fn restrict(
        &mut self,
        valuations: Vec<Bound<V::Value>>,
        variable: Option<&String>,
        text: &Text,
        span: Span,
    ) -> Answer<Vec<Bound<V::Value>>> {
        let mut next = Vec::new();
        for valuation in valuations {
            let length = self.environment.len();
            self.environment.extend(valuation.clone());
            match variable {
                None => next.extend(self.vocabulary.is_true(text, &self.environment)?.then_some(valuation)),
                Some(variable) => {
                    for value in self.vocabulary.elements(text, &self.environment)? {
                        if next.len() >= MAX_INSTANCES {
                            return Err(errors::too_many_instances(MAX_INSTANCES, span).into());
                        }
                        let mut longer = valuation.clone();
                        longer.push((variable.clone(), value));
                        next.push(longer);
                    }
                }
            }
            self.environment.truncate(length);
        }
        Ok(next)
    }

    /// All instances, joined; None if there are none.
    fn instances(
        &mut self,
        valuations: Vec<Bound<V::Value>>,
        is_conjunction: bool,
        span: Span,
        mut instance: impl FnMut(&mut Self) -> Answer<GroundId>,
    ) -> Answer<Option<GroundId>> {
        self.n_instances += valuations.len();
        if self.n_instances > MAX_INSTANCES {
            return Err(errors::too_many_instances(MAX_INSTANCES, span).into());
        }
        let length = self.environment.len();
        if length > MAX_NESTING {
            return Err(errors::too_many_variables(MAX_NESTING, span).into());
        }
        let mut all = Vec::with_capacity(valuations.len());
        for valuation in valuations {
            self.environment.extend(valuation);
            let outcome = instance(self);
            self.environment.truncate(length);
            all.push(outcome?);
            if self.nodes.len() > MAX_NODES {
                return Err(errors::too_many_instances(MAX_INSTANCES, span).into());
            }
        }
        Ok((!all.is_empty()).then(|| self.join(is_conjunction, all)))
    }

    /// One node, its operands being done.
    fn node(&mut self, id: NodeId, operands: &[GroundId]) -> Answer<GroundId> {
        let form = self.formula.form(id);
        Ok(match (form, operands) {
            (Form::Constant(truth), _) => self.add(Ground::Constant(*truth)),
            (Form::Atom(atom), _) => self.atom(id, atom)?,
            (Form::Unary(Unary::Not, _), &[operand]) => self.add(Ground::Not(operand)),
            (Form::Unary(operator, _), &[operand]) => self.add(Ground::Unary(*operator, operand)),
            (Form::Binary(Binary::And, ..), _) => self.join(true, operands.to_vec()),
            (Form::Binary(Binary::Or, ..), _) => self.join(false, operands.to_vec()),
            (Form::Binary(operator, ..), &[left, right]) => self.add(Ground::Binary(*operator, left, right)),
            (Form::PathUnary { paths, operator, step, .. }, &[operand]) => {
                let step = match step {
                    Some(pattern) => Some(self.labels(pattern, &[])?),
                    None => None,
                };
                self.add(Ground::PathUnary(*paths, *operator, step, operand))
            }
            (Form::PathBinary { paths, operator, .. }, &[left, right]) => {
                self.add(Ground::PathBinary(*paths, *operator, left, right))
            }
            _ => unreachable!("premises stand apart, and named patterns are replaced"),
        })
    }

    fn labels(&mut self, pattern: &EventPattern, bound: &[String]) -> Answer<Labels> {
        self.vocabulary.labels(pattern, bound, &self.environment)
    }

    fn atom(&mut self, id: NodeId, atom: &Atom) -> Answer<GroundId> {
        Ok(match atom {
            Atom::Step(pattern) => {
                // What it binds has values by now, and it speaks of these.
                let binder = self.binders.iter().find(|binder| binder.atom == id);
                let labels = self.labels(pattern, binder.map_or(&[], |binder| &binder.variables))?;
                self.fact(Fact::Takes(labels))
            }
            Atom::Enabled(pattern) | Atom::Available(pattern) => {
                let labels = self.labels(pattern, &[])?;
                self.fact(Fact::Enables(labels))
            }
            Atom::WeaklyEnabled(pattern) => {
                let labels = self.labels(pattern, &[])?;
                self.fact(Fact::EnablesSilently(labels))
            }
            Atom::DeadlockOf(patterns) => {
                let enabled = self.enabled(patterns)?;
                let some = self.join(false, enabled);
                self.add(Ground::Not(some))
            }
            Atom::Deterministic(patterns) => {
                let enabled = self.enabled(patterns)?;
                self.at_most_one(&enabled)
            }
            Atom::Controller(patterns) => {
                let enabled = self.enabled(patterns)?;
                let at_most_one = self.at_most_one(&enabled);
                let some = self.join(false, enabled);
                self.join(true, vec![at_most_one, some])
            }
            Atom::State(word) => self.state(*word),
            Atom::Predicate(text) => {
                if let Some(fact) = self.vocabulary.fact(text)? {
                    return Ok(self.fact(fact));
                }
                let truth = self.vocabulary.is_true(text, &self.environment)?;
                self.add(Ground::Constant(truth))
            }
            Atom::Bare(_) | Atom::Change(..) => unreachable!("names are settled, and states have no variables"),
        })
    }

    fn state(&mut self, word: StateWord) -> GroundId {
        self.add(Ground::Fact(match word {
            StateWord::Deadlock => Fact::Stuck,
            StateWord::Sink => Fact::Sink,
            StateWord::NonDet => Fact::Branches,
            StateWord::Current => Fact::Initial,
            StateWord::Terminated => Fact::Terminated,
            StateWord::Goal | StateWord::Error | StateWord::DetOutput => unreachable!("refused when it was read"),
        }))
    }

    fn enabled(&mut self, patterns: &[EventPattern]) -> Answer<Vec<GroundId>> {
        let mut all = Vec::new();
        for pattern in patterns {
            let labels = self.labels(pattern, &[])?;
            all.push(self.fact(Fact::Enables(labels)));
        }
        Ok(all)
    }

    fn at_most_one(&mut self, facts: &[GroundId]) -> GroundId {
        let mut pairs = Vec::new();
        for (index, &first) in facts.iter().enumerate() {
            for &second in &facts[index + 1..] {
                let both = self.join(true, vec![first, second]);
                pairs.push(self.add(Ground::Not(both)));
            }
        }
        self.join(true, pairs)
    }

    /// A fact; one about no labels is never so.
    fn fact(&mut self, fact: Fact) -> GroundId {
        let is_void = match &fact {
            Fact::Takes(labels) | Fact::Enables(labels) | Fact::EnablesSilently(labels) => {
                labels.iter().next().is_none()
            }
            _ => false,
        };
        self.add(if is_void { Ground::Constant(false) } else { Ground::Fact(fact) })
    }

    /// Joins operands, and those that speak of labels into one fact about all of them: `[a] or [b]` is `[{a, b}]`.
    fn join(&mut self, is_conjunction: bool, operands: Vec<GroundId>) -> GroundId {
        let mut labels: [Vec<lts::Label>; 3] = Default::default();
        let mut n_merged = [0; 3];
        let mut rest = Vec::new();
        for operand in &operands {
            let fact = match (&self.nodes[*operand], is_conjunction) {
                (Ground::Fact(fact), false) => Some(fact),
                (Ground::Not(inner), true) => match &self.nodes[*inner] {
                    Ground::Fact(fact) => Some(fact),
                    _ => None,
                },
                _ => None,
            };
            match fact.and_then(kind_of) {
                Some((kind, found)) => {
                    labels[kind].extend(found.iter());
                    n_merged[kind] += 1;
                }
                None => rest.push(*operand),
            }
        }
        if n_merged.iter().all(|&n| n < 2) {
            return self.add(Ground::Join(is_conjunction, operands));
        }
        for (kind, labels) in labels.into_iter().enumerate().filter(|(kind, _)| n_merged[*kind] > 0) {
            let fact = [Fact::Takes, Fact::Enables, Fact::EnablesSilently][kind](labels.into_iter().collect());
            let mut merged = self.add(Ground::Fact(fact));
            if is_conjunction {
                merged = self.add(Ground::Not(merged));
            }
            rest.push(merged);
        }
        if rest.len() == 1 { rest[0] } else { self.add(Ground::Join(is_conjunction, rest)) }
    }
}

fn kind_of(fact: &Fact) -> Option<(usize, &Labels)> {
    match fact {
        Fact::Takes(labels) => Some((0, labels)),
        Fact::Enables(labels) => Some((1, labels)),
        Fact::EnablesSilently(labels) => Some((2, labels)),
        _ => None,
    }
}
