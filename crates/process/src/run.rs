//! Runs of terms: what happened step by step, on the simplest interpreter there is.

use crate::compile::Compiled;
use crate::{StepError, StepTable, Term, TermId, Terms, Unfold};
use hashbrown::HashSet;
use limits::effort::machines::MAX_OPENED_CALLS;
use lts::Label;
use model::network::Configuration;

/// A run of a term.
pub type Run = lts::Run<TermId>;

/// Interpreter of terms.
pub struct Interpreter<'a> {
    /// The steps of terms.
    pub table: &'a mut StepTable,
    /// The terms.
    pub terms: &'a mut Terms,
    /// Opens calls.
    pub unfold: &'a mut dyn Unfold,
}

impl Interpreter<'_> {
    /// The run of a term along these labels and terms; None if there is none.
    pub fn follow(
        &mut self,
        start: TermId,
        path: impl Iterator<Item = (Label, TermId)>,
    ) -> Result<Option<Run>, StepError> {
        let mut run = Run { start, steps: Vec::new() };
        for (label, expected) in path {
            let steps = self.table.steps(self.terms, self.unfold, run.end())?;
            let candidates: Vec<(usize, TermId)> = steps
                .iter()
                .enumerate()
                .filter(|(_, step)| step.label == label)
                .map(|(index, step)| (index, step.target))
                .collect();
            let exact = candidates.iter().copied().find(|&(_, target)| target == expected);
            let mut alike = || candidates.iter().copied().find(|&(_, target)| self.is_same(target, expected));
            // States after termination are not compared.
            let any = || candidates.first().copied().filter(|_| label == Label::TICK);
            match exact.or_else(&mut alike).or_else(any) {
                Some(step) => run.steps.push(step),
                None => return Ok(None),
            }
        }
        Ok(Some(run))
    }

    /// The run of a term along a run of its network; None if states of the network stand for no terms.
    pub fn lift(
        &mut self,
        start: TermId,
        compiled: &Compiled,
        path: &[(Label, Configuration)],
    ) -> Result<Option<Run>, StepError> {
        let mut terms = Vec::with_capacity(path.len());
        for (label, configuration) in path {
            match compiled.term(self.terms, configuration) {
                Some(term) => terms.push((*label, term)),
                None => return Ok(None),
            }
        }
        self.follow(start, terms.into_iter())
    }

    /// The labels of all steps of a term.
    pub fn labels(&mut self, term: TermId) -> Result<Vec<Label>, StepError> {
        let steps = self.table.steps(self.terms, self.unfold, term)?;
        let mut labels: Vec<Label> = steps.iter().map(|step| step.label).collect();
        labels.sort_unstable();
        labels.dedup();
        Ok(labels)
    }

    /// Whether two terms are the same but for calls that are opened in one of them, and compressions, which have the
    /// steps of their operands.
    pub fn is_same(&mut self, left: TermId, right: TermId) -> bool {
        let mut open = vec![(left, right)];
        // Terms that share operands, or call each other, lead to the same pairs again and again.
        let mut met = HashSet::new();
        while let Some((left, right)) = open.pop() {
            if left == right || !met.insert((left, right)) {
                continue;
            }
            let (left, right) = (self.with_opened_operand(left), self.with_opened_operand(right));
            let (a, b) = (self.terms.get(left), self.terms.get(right));
            match (a, b) {
                _ if left == right => {}
                (Term::Call(call), _) => match self.table.body(*call) {
                    Some(body) => open.push((body, right)),
                    None => return false,
                },
                (_, Term::Call(call)) => match self.table.body(*call) {
                    Some(body) => open.push((left, body)),
                    None => return false,
                },
                (Term::Compressed(compression, operand), _) if !compression.selects() => open.push((*operand, right)),
                (_, Term::Compressed(compression, operand)) if !compression.selects() => open.push((left, *operand)),
                (Term::Loop(operand), Term::Sequential(first, next)) if *next == left => open.push((*operand, *first)),
                (Term::Sequential(first, next), Term::Loop(operand)) if *next == right => open.push((*first, *operand)),
                (Term::Loop(operand), _) if self.is_endless(*operand) => open.push((*operand, right)),
                (_, Term::Loop(operand)) if self.is_endless(*operand) => open.push((left, *operand)),
                _ => {
                    let (ours, theirs) = (a.operands(), b.operands());
                    if ours.len() != theirs.len() || a.with_operands(&theirs) != *b {
                        return false;
                    }
                    open.extend(ours.into_iter().zip(theirs));
                }
            }
        }
        true
    }

    /// Whether a term cannot terminate, as far as the calls it stands for were opened.
    fn is_endless(&self, term: TermId) -> bool {
        let mut term = term;
        for _ in 0..100 {
            term = match self.terms.get(term) {
                Term::Call(call) => match self.table.body(*call) {
                    Some(body) => body,
                    None => return false,
                },
                Term::Compressed(compression, operand) if !compression.selects() => *operand,
                _ => return !self.terms.may_terminate(term),
            };
        }
        false
    }

    /// Opens calls below operators with laws, as far as the calls were opened before, and simplifies.
    fn with_opened_operand(&mut self, term: TermId) -> TermId {
        let mut around = Vec::new();
        let mut inner = term;
        for _ in 0..MAX_OPENED_CALLS {
            inner = match self.terms.get(inner) {
                operator if operator.has_laws() => {
                    around.push(inner);
                    operator.operands()[0]
                }
                _ if around.is_empty() => break,
                Term::Call(call) => match self.table.body(*call) {
                    Some(body) => body,
                    None => break,
                },
                Term::Compressed(_, operand) => *operand,
                _ => break,
            };
        }
        for &operator in around.iter().rev() {
            let operator = self.terms.get(operator);
            let mut operands = operator.operands();
            operands[0] = inner;
            let rebuilt = operator.with_operands(&operands);
            inner = self.terms.intern(rebuilt);
        }
        inner
    }
}
