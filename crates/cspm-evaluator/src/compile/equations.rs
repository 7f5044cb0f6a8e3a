//! Equations, and arguments that they take apart.

use super::super::code::{Arg, Binding, Equation as CodeEquation, Let, Match, Op, Pattern, Slot};
use super::expression::Position;
use super::{Compiler, Var, WholeArgument, last_use};
use cspm::resolve::NameId;
use cspm::syntax::{DeclId, PatId};
use limits::effort::evaluator::MAX_BRANCH_DEPTH;

impl Compiler<'_, '_> {
    pub(super) fn equations(&mut self, decl: DeclId, name: NameId, n_arguments: usize, position: Position) -> Op {
        let mut equations = Vec::new();
        for equation in self.program.equations(decl) {
            let patterns = equation.groups.iter().flatten().take(n_arguments).enumerate();
            let patterns: Box<[Pattern]> =
                patterns.map(|(index, &pat)| self.argument_pattern(index as Slot, pat)).collect();
            let wholes = std::mem::replace(&mut self.wholes, wholes_of(&patterns));
            for whole in &self.wholes {
                self.frames[0].slots.insert(Var::Argument(whole.argument), whole.argument);
            }
            let body = self.expr(equation.body, position);
            let wholes = std::mem::replace(&mut self.wholes, wholes);
            let (patterns, body) = self.rests(take_apart(patterns, &wholes), body, &wholes);
            let always = patterns.iter().all(|pattern| matches!(pattern, Pattern::Any));
            if always && equations.is_empty() {
                return body;
            }
            equations.push(CodeEquation { patterns: looked_at(patterns), body });
            if always {
                break;
            }
        }
        let defined = self.resolved.name(name);
        let (name, span) = (defined.qualified.clone(), defined.span);
        let n_equations = equations.len();
        Op::Match(Box::new(Match { equations: equations.into(), n_equations, n_arguments, name, span }))
    }

    /// Where an argument is used again as it was, what follows its first element is found where it is needed: often
    /// only one of the two is, and the argument can be changed in place.
    fn rests(&mut self, mut patterns: Box<[Pattern]>, mut body: Op, wholes: &[WholeArgument]) -> (Box<[Pattern]>, Op) {
        let n_slots = self.frame().n_slots;
        for whole in wholes.iter().filter(|whole| whole.is_used) {
            let Pattern::Affixes { middle, .. } = &mut patterns[whole.argument as usize] else { continue };
            **middle = Pattern::Any;
            body = bind_rest(body, whole, n_slots, 0);
        }
        (patterns, body)
    }

    /// A pattern for an argument, which has a slot already: a plain name just takes the slot over.
    pub(super) fn argument_pattern(&mut self, slot: Slot, pat: PatId) -> Pattern {
        match self.program.plain_variable(pat) {
            Some(name) => {
                self.frame().slots.insert(Var::Name(name), slot);
                Pattern::Any
            }
            None => self.pattern(pat),
        }
    }
}

/// The arguments that patterns of the form `<x>^xs` take apart.
fn wholes_of(patterns: &[Pattern]) -> Vec<WholeArgument> {
    let whole = |(argument, pattern): (Slot, &Pattern)| match pattern {
        Pattern::Affixes { prefix, middle, suffix } if suffix.is_empty() => match (&**prefix, &**middle) {
            ([Pattern::Bind(head)], Pattern::Bind(tail)) => {
                Some(WholeArgument { head: *head, tail: *tail, argument, is_used: false })
            }
            _ => None,
        },
        _ => None,
    };
    (0..).zip(patterns).filter_map(whole).collect()
}

/// Lets the last pattern that can fail take its argument apart in place, if it is of the form `<x>^xs` or `<x,y>^xs`:
/// when it has matched, so has the equation, and the argument is not used again.
fn take_apart(mut patterns: Box<[Pattern]>, wholes: &[WholeArgument]) -> Box<[Pattern]> {
    let last = patterns.iter_mut().enumerate().rev().find(|(_, pattern)| !pattern.is_irrefutable());
    let Some((slot, last)) = last else { return patterns };
    if wholes.iter().any(|whole| whole.argument as usize == slot && whole.is_used) {
        return patterns;
    }
    if let Pattern::Affixes { prefix, middle, suffix } = last
        && suffix.is_empty()
        && middle.is_irrefutable()
        && prefix.len() == 1
        && prefix[0].cannot_fail()
    {
        let head = std::mem::replace(&mut prefix[0], Pattern::Any);
        let tail = std::mem::replace(&mut **middle, Pattern::Any);
        *last = Pattern::Uncons(Box::new((head, tail)));
    }
    patterns
}

/// Binds what follows the first element of an argument, in the branches that need it.
fn bind_rest(mut op: Op, whole: &WholeArgument, n_slots: Slot, depth: usize) -> Op {
    if !last_use::uses(&mut op, whole.tail, n_slots) {
        return op;
    }
    let is_for_branches = match &mut op {
        Op::If(parts) => depth < MAX_BRANCH_DEPTH && !last_use::uses(&mut parts.0, whole.tail, n_slots),
        _ => false,
    };
    match op {
        Op::If(parts) if is_for_branches => {
            let (condition, then, otherwise) = *parts;
            let branch = |op: Op| bind_rest(op, whole, n_slots, depth + 1);
            Op::If(Box::new((condition, branch(then), branch(otherwise))))
        }
        body => {
            let binding = Binding::Plain(whole.tail, Arg::Rest(whole.argument, false));
            Op::Let(Box::new(Let { bindings: Box::new([binding]), body }))
        }
    }
}

/// Leaves out the patterns that match anything.
pub(super) fn looked_at(patterns: Box<[Pattern]>) -> Box<[(Slot, Pattern)]> {
    let numbered = (0..).zip(patterns);
    numbered.filter(|(_, pattern)| !matches!(pattern, Pattern::Any)).collect()
}
