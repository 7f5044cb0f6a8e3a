//! Rules of a network from the moves of its machines.

use super::atomic;
use super::channels::Messages;
use super::lift::Lowering;
use super::machine::ExploredMachine;
use super::moves::{Condition, Effect, Move, Sort, Symbolic};
use super::range::Ranges;
use super::translate::{Translator, fixed_cell};
use super::tree::{Parts, Tree};
use super::variables::Homes;
use super::{NotLowered, Programs};
use crate::code::{Code, Expr, ExprId, Exprs, Place, Statement as Source, Type};
use hashbrown::HashMap;
use limits::effort::csp_sharp_lowering::MAX_RULES;
use model::data::{BinaryOperator, Command, Data, Expression, ExpressionId, Statement};
use model::network::{Configuration, Edge, InhibitorId, LocalState, Machine, Mode, ModeId, Network, ProcessId, Rule};
use model::participants::Participants;
use source::Span;
use std::sync::Arc;

/// Assumes conditions.
pub(super) fn assume(ranges: &mut Ranges<'_>, conditions: &[Condition]) {
    for condition in conditions {
        match condition {
            Condition::True(expr) => ranges.assume(*expr, true),
            Condition::False(expr) => ranges.assume(*expr, false),
            Condition::Is(expr, value) => ranges.assume_is(*expr, *value),
            Condition::Room(_) | Condition::First(..) | Condition::Wrong | Condition::Never => {}
        }
    }
}

/// Whether a move is a step of the whole process: unmatched offers and inputs are not.
pub(super) fn is_rule(next: &Move<Parts>) -> bool {
    !matches!(next.sort, Sort::Offer(..) | Sort::Input(..))
}

/// The network of machines with these moves.
pub(super) fn network(
    symbolic: Symbolic<'_>,
    tree: Tree,
    explored: Vec<ExploredMachine>,
    moves: &[Move<Parts>],
    programs: &Programs,
    wanted: &[ExprId],
) -> Result<Lowering, NotLowered> {
    let moves: Vec<&Move<Parts>> = moves.iter().filter(|next| is_rule(next)).collect();
    if moves.len() > MAX_RULES {
        return Err(NotLowered::Large(super::Limit::Moves));
    }
    let Used { is_indexed, n_locals, .. } = Used::of(symbolic.code(), &moves, programs, wanted)?;
    let mut data = Data::default();
    let (homes, initial) = Homes::new(&symbolic, &is_indexed, n_locals, &mut data);
    let messages = messages_by_buffer(&symbolic);
    let get_messages = |buffer: u32| messages[buffer as usize];
    let (mut rules, mut participants, mut processes) = (Vec::new(), Vec::new(), Processes::default());
    let mut marks = Vec::new();
    let mut conditions = Vec::new();
    let obstacle;
    {
        let code = symbolic.code();
        let mut translator = Translator { code, data: &mut data, homes: &homes, messages: &get_messages };
        obstacle = atomic::inhibitor(&moves, &mut |next| Ok(guard(&symbolic, &mut translator, next)?.0))?;
        for next in &moves {
            let command = command(&symbolic, &mut translator, next, programs)?;
            let taking_part = processes.numbers(symbolic.system.participants_paths(next.participants));
            let mut rule = Rule { command, ..Rule::new(next.change.clone(), next.label) };
            if obstacle.is_some() && !next.is_atomic && next.sort != Sort::Fault {
                // Faults are detected before priorities are applied.
                let watched = [&next.conditions[..], &[Condition::Never]].concat();
                if symbolic.conditions_may_fail(&next.conditions) {
                    let watched = Move { conditions: watched, effects: Vec::new(), ..(*next).clone() };
                    let command = self::command(&symbolic, &mut translator, &watched, programs)?;
                    rules.push(Rule { command, ..Rule::new(next.change.clone(), next.label) });
                    participants.push(taking_part.clone());
                    marks.push(symbolic.system.participants_marks(next.participants));
                }
                if may_fail(&symbolic, next, programs) {
                    return Err(NotLowered::Failing);
                }
                rule.unless = [InhibitorId(0)].into();
            }
            rules.push(rule);
            participants.push(taking_part);
            marks.push(symbolic.system.participants_marks(next.participants));
        }
        for &condition in wanted {
            conditions.extend(translated(&symbolic, &mut translator, condition).map(|explored| (condition, explored)));
        }
    }
    let locals = vec![LocalState(0); explored.len()];
    let machine = |edges: Vec<Vec<Edge>>| Arc::new(Machine::new(edges));
    let (terms, machines) = explored.into_iter().map(|explored| (explored.terms, machine(explored.edges))).unzip();
    let kept = messages.iter().map(|messages| messages.all.clone()).collect();
    let has_groups = symbolic.has_groups;
    let network = Network {
        machines,
        modes: vec![Mode { rules }],
        initial: Configuration { mode: ModeId(0), locals, data: initial.into() },
        priority: None,
        obstacles: obstacle.into_iter().collect(),
        data,
    };
    if !network.validate().is_empty() {
        return Err(NotLowered::Wrong);
    }
    let participants = (!has_groups).then(|| Arc::new(Participants::new(vec![participants]).with_marks(vec![marks])));
    let processes = processes.paths.into();
    Ok(Lowering { network: Arc::new(network), conditions, participants, processes, tree, terms, homes, messages: kept })
}

/// Translates a condition that never faults.
fn translated(symbolic: &Symbolic<'_>, translator: &mut Translator<'_>, condition: ExprId) -> Option<ExpressionId> {
    let ranges = symbolic.ranges();
    if ranges.of(condition).may_fail {
        return None;
    }
    match symbolic.code().exprs.ty(condition) {
        Type::Number => translator.number(&ranges, condition).ok(),
        Type::Boolean | Type::Unknown => translator.truth(&ranges, condition, true).ok(),
    }
}

/// Whether a program of a move may fault.
pub(super) fn may_fail<T>(symbolic: &Symbolic<'_>, next: &Move<T>, programs: &Programs) -> bool {
    let mut ranges = symbolic.ranges();
    assume(&mut ranges, &next.conditions);
    for effect in &next.effects {
        if let Effect::Run(program, arguments) = effect
            && let Some(program) = programs.get(&(*program, arguments.clone()))
        {
            ranges.run(program, &mut |_, _| {});
        }
    }
    ranges.may_fail
}

/// The messages of each buffer.
fn messages_by_buffer<'m>(symbolic: &'m Symbolic<'_>) -> Vec<&'m Messages> {
    let code = symbolic.code();
    let mut all: Vec<&Messages> = Vec::new();
    for (number, channel) in (0..).zip(&code.channels).filter(|(_, channel)| channel.capacity > 0) {
        for index in 0..channel.count.unwrap_or(1) {
            let messages = &symbolic.messages[symbolic.channel_number(number, index) as usize];
            let buffer = (channel.buffer + index) as usize;
            if all.len() <= buffer {
                all.resize(buffer + 1, messages);
            }
            all[buffer] = messages;
        }
    }
    all
}

/// Numbers of processes, by their positions.
#[derive(Default)]
struct Processes {
    paths: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, ProcessId>,
}

impl Processes {
    fn numbers(&mut self, participants: &[Vec<u32>]) -> Arc<[ProcessId]> {
        let whole = [Vec::new()];
        let participants = if participants.is_empty() { &whole[..] } else { participants };
        let mut numbers: Vec<ProcessId> = participants
            .iter()
            .map(|path| {
                *self.numbers.entry_ref(path).or_insert_with(|| {
                    self.paths.push(path.clone());
                    ProcessId(self.paths.len() as u32 - 1)
                })
            })
            .collect();
        numbers.sort_unstable();
        numbers.into()
    }
}

/// The guard of a move, and the ranges of variables under it.
fn guard<'r>(
    symbolic: &'r Symbolic<'_>,
    translator: &mut Translator<'_>,
    next: &Move<Parts>,
) -> Result<(Option<ExpressionId>, Ranges<'r>), NotLowered> {
    let mut ranges = symbolic.ranges();
    let mut guard: Option<ExpressionId> = None;
    for condition in &next.conditions {
        let asked = translator.condition(&ranges, condition)?;
        guard = Some(match guard {
            None => asked,
            Some(before) => {
                translator.data.expressions.add(Expression::Binary(BinaryOperator::And, before, asked), Span::default())
            }
        });
        assume(&mut ranges, std::slice::from_ref(condition));
    }
    Ok((guard, ranges))
}

/// The command of a move.
fn command(
    symbolic: &Symbolic<'_>,
    translator: &mut Translator<'_>,
    next: &Move<Parts>,
    programs: &Programs,
) -> Result<Option<Box<Command>>, NotLowered> {
    let (guard, mut ranges) = guard(symbolic, translator, next)?;
    let mut statements: Vec<Statement> = Vec::new();
    let origin = Span::default();
    for effect in &next.effects {
        match effect {
            Effect::Put(buffer, message) => {
                let queue = translator.homes.buffer(*buffer);
                let message = translator.data.expressions.add(Expression::Integer((*message).into()), origin);
                statements.push(Statement::Enqueue { queue, message: [message].into(), origin });
            }
            Effect::Take(buffer) => {
                let queue = translator.homes.buffer(*buffer);
                statements.push(Statement::Dequeue { queue, origin });
            }
            Effect::Run(program, arguments) => {
                let program = programs.get(&(*program, arguments.clone())).ok_or(NotLowered::Wrong)?;
                translator.statements(&mut ranges, program, &mut statements)?;
            }
        }
    }
    if guard.is_none() && statements.is_empty() {
        return Ok(None);
    }
    Ok(Some(Box::new(Command { guard, statements: statements.into() })))
}

/// Usage of variables.
struct Used<'c> {
    code: &'c Code,
    /// Whether an array is accessed at indices that are not constant.
    is_indexed: Vec<bool>,
    n_locals: usize,
}

impl<'c> Used<'c> {
    fn of(
        code: &'c Code,
        moves: &[&Move<Parts>],
        programs: &Programs,
        wanted: &[ExprId],
    ) -> Result<Used<'c>, NotLowered> {
        let mut used = Used { code, is_indexed: vec![false; code.variables.len()], n_locals: 0 };
        for next in moves {
            next.conditions.iter().for_each(|condition| used.condition(condition));
        }
        for ((program, _), statements) in programs {
            used.n_locals = used.n_locals.max(code.programs[program.0 as usize].n_locals);
            used.statements(statements)?;
        }
        wanted.iter().for_each(|&condition| used.expression(condition));
        Ok(used)
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::True(expr) | Condition::False(expr) | Condition::Is(expr, _) => self.expression(*expr),
            Condition::Room(_) | Condition::First(..) | Condition::Wrong | Condition::Never => {}
        }
    }

    fn expression(&mut self, id: ExprId) {
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            let expr = self.code.exprs.get(next);
            if let Expr::Element(array, indices) = expr {
                self.is_indexed[array.0 as usize] |= fixed_cell(self.code, *array, indices).is_none();
            }
            open.extend(Exprs::operands(expr));
        }
    }

    fn statements(&mut self, statements: &[Source]) -> Result<(), NotLowered> {
        for statement in statements {
            match statement {
                Source::Assign(place, value, _) => {
                    self.expression(*value);
                    match place {
                        Place::Local(_) => {}
                        Place::Variable(variable) => self.change(*variable)?,
                        Place::Element(array, indices) => {
                            self.change(*array)?;
                            indices.iter().for_each(|&index| self.expression(index));
                            self.is_indexed[array.0 as usize] |= fixed_cell(self.code, *array, indices).is_none();
                        }
                    }
                }
                Source::Fill(array, values, _) => {
                    self.change(*array)?;
                    values.iter().for_each(|&value| self.expression(value));
                }
                Source::CopyArray(to, _) => self.change(*to)?,
                Source::If(condition, then, otherwise) => {
                    self.expression(*condition);
                    self.statements(then)?;
                    self.statements(otherwise)?;
                }
                Source::While(condition, body, _) => {
                    self.expression(*condition);
                    self.statements(body)?;
                }
                Source::Evaluate(expr) => self.expression(*expr),
                Source::Change(..) | Source::Replace(..) | Source::Forbidden(..) => return Err(NotLowered::Object),
            }
        }
        Ok(())
    }

    fn change(&self, variable: crate::code::VariableId) -> Result<(), NotLowered> {
        if self.code.variables[variable.0 as usize].hidden { Err(NotLowered::Hidden) } else { Ok(()) }
    }
}
