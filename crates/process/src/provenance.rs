//! Participation of components in steps.
//!
//! A component is an operand of a parallel operator that has no parallel operator in it, known by the positions that
//! lead to it. It may take part by an event that is renamed or hidden further out; what counts here is what it does
//! itself.

use crate::table::Place;
use crate::{CallId, Label, StepTable, Term, TermId, Terms};
use limits::effort::machines::MAX_PROVENANCE_DEPTH;

/// The part of one component in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// Positions in nested parallel operators, from the outermost.
    pub path: Vec<u32>,
    /// The component's label: its own event, or the one behind it if that is hidden inside of it.
    pub label: Label,
    /// The definitions the component is in, from the outermost, as far as the step has opened them.
    pub calls: Vec<CallId>,
    /// The innermost part of the component that takes the step: a prefix, say.
    pub term: TermId,
}

/// A component of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Positions in nested parallel operators, from the outermost.
    pub path: Vec<u32>,
    /// Its current term.
    pub term: TermId,
    /// The definitions it is in, from the outermost, as far as they were opened.
    pub calls: Vec<CallId>,
}

/// A step of a term that is still to be divided.
struct Division {
    path: Vec<u32>,
    place: Place,
    step: usize,
    calls: Vec<CallId>,
    /// The label of the step at the border of the component.
    label: Option<Label>,
}

impl StepTable {
    /// Divides a step of a term, whose steps must have been computed, among its components. Not more than `most`.
    pub fn shares(&self, terms: &Terms, term: TermId, step: usize, most: usize) -> Vec<Share> {
        let mut shares = Vec::new();
        let place = self.place(term);
        let mut open = vec![Division { path: Vec::new(), place, step, calls: Vec::new(), label: None }];
        while let Some(mut division) = open.pop() {
            if shares.len() >= most {
                break;
            }
            self.open_calls(terms, &mut division);
            let step = self.known(division.place)[division.step];
            let parts = self.parts(&step);
            let operator = terms.get(division.place.term);
            let termination = division.place.below(terms);
            let mut started = Vec::new();
            operator.push_started(&mut started);
            if operator.is_parallel() && !parts.is_empty() {
                open.extend(parts.iter().rev().map(|part| Division {
                    path: [division.path.as_slice(), &[part.operand]].concat(),
                    place: Place { term: started[part.operand as usize], termination },
                    step: part.step as usize,
                    calls: Vec::new(),
                    label: None,
                }));
            } else if let [part] = parts {
                // A label that is hidden here is that of the operand.
                let border = division.label.or((step.label != Label::TAU).then_some(step.label));
                let place = Place { term: started[part.operand as usize], termination };
                open.push(Division { place, step: part.step as usize, label: border, ..division });
            } else {
                let label = division.label.unwrap_or(step.label);
                let term = division.place.term;
                shares.push(Share { path: division.path, label, calls: division.calls, term });
            }
        }
        shares
    }

    /// Goes on to what calls and compressions stand for.
    fn open_calls(&self, terms: &Terms, division: &mut Division) {
        loop {
            match terms.get(division.place.term) {
                Term::Call(call) => {
                    let Some(body) = self.body(*call) else { return };
                    division.calls.push(*call);
                    division.place.term = body;
                }
                Term::Compressed(compression, operand) if !compression.selects() => division.place.term = *operand,
                _ => return,
            }
        }
    }

    /// The components of a term; calls are opened as far as their steps were computed. Not more than `most`.
    pub fn components(&self, terms: &Terms, term: TermId, most: usize) -> Vec<Component> {
        let mut components = Vec::new();
        let whole = Component { path: Vec::new(), term, calls: Vec::new() };
        // Beside each component, how far it was opened.
        let mut open = vec![(whole, term)];
        while let Some((mut component, opened)) = open.pop() {
            if components.len() >= most {
                break;
            }
            let operator = terms.get(opened);
            let mut started = Vec::new();
            operator.push_started(&mut started);
            match (operator, started.as_slice()) {
                (Term::Call(call), _) => match self.body(*call) {
                    Some(body) => {
                        component.calls.push(*call);
                        open.push((component, body));
                    }
                    None => components.push(component),
                },
                (operator, [_, ..]) if operator.is_parallel() => {
                    let operand = |(position, &term): (usize, &TermId)| {
                        let path = [component.path.as_slice(), &[position as u32]].concat();
                        (Component { path, term, calls: Vec::new() }, term)
                    };
                    open.extend(started.iter().enumerate().map(operand).rev());
                }
                (Term::Compressed(..), &[operand]) => open.push((component, operand)),
                (_, &[operand]) if self.is_structured(terms, operand) => open.push((component, operand)),
                _ => components.push(component),
            }
        }
        components
    }

    /// The component at some positions, if the term has one there. Where operands are alternatives of one component, it
    /// is that of the first that has one. Calls are opened as far as their steps were computed.
    pub fn component_at(&self, terms: &Terms, term: TermId, path: &[u32]) -> Option<Component> {
        let whole = Component { path: Vec::new(), term, calls: Vec::new() };
        let mut open = vec![(whole, term)];
        while let Some((mut component, opened)) = open.pop() {
            let operator = terms.get(opened);
            if let Term::Call(call) = operator
                && let Some(body) = self.body(*call)
            {
                component.calls.push(*call);
                open.push((component, body));
                continue;
            }
            let Some(&position) = path.get(component.path.len()) else { return Some(component) };
            let mut started = Vec::new();
            operator.push_started(&mut started);
            if operator.is_parallel() {
                let path = path[..=component.path.len()].to_vec();
                let operand = started.get(position as usize);
                open.extend(operand.map(|&term| (Component { path, term, calls: Vec::new() }, term)));
            } else {
                open.extend(started.iter().rev().map(|&operand| (component.clone(), operand)));
            }
        }
        None
    }

    /// Whether there is a parallel operator behind calls and operators with one started operand.
    fn is_structured(&self, terms: &Terms, term: TermId) -> bool {
        let mut term = term;
        for _ in 0..MAX_PROVENANCE_DEPTH {
            let operator = terms.get(term);
            let mut started = Vec::new();
            operator.push_started(&mut started);
            match operator {
                _ if operator.is_parallel() => return true,
                Term::Call(call) => match self.body(*call) {
                    Some(body) => term = body,
                    None => return false,
                },
                _ => match started.as_slice() {
                    [operand] => term = *operand,
                    _ => return false,
                },
            }
        }
        false
    }
}
