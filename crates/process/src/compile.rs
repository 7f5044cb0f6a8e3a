//! Terms to networks: the static parallel structure of a process as rules, what lies below it as machines.
//!
//! Parallel operators, hiding and renaming at the top of a term keep their place whatever its operands do, so they are
//! compiled away: each operand below them becomes an explicit machine, and the operators become rules that say which
//! actions of which machines happen together and what is seen of them. Rules are built bottom up. A machine alone has a
//! rule for each of its labels; hiding and renaming change what rules show; a parallel operator joins the rules of its
//! operands on shared events and keeps the others.
//!
//! Termination is distributed: the `✓` of an operand is a `τ` of the whole that leaves the operand terminated, and when
//! all operands are, the whole does `✓`. A terminated machine therefore has one more action, *done*, for each parallel
//! operator around it, from the innermost outwards, and the `✓` of the operator is the done of all machines below it.
//!
//! Structure that is not static (recursion through a parallel operator, a choice of parallel processes) ends up inside a
//! machine, which is always right and sometimes large.

use crate::{CallId, Label, Relation, StepError, StepTable, Stop, Term, TermId, Terms, Unfold, explore};
use hashbrown::{HashMap, HashSet};
use lts::Label as Seen;
use model::network::{Action, Configuration, Edge, LocalState, Machine, MachineId, Mode, Network, Rule};
use model::{EventId, EventSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A network with what its numbers stand for.
#[derive(Debug)]
pub struct Compiled {
    /// The network; it has one mode.
    pub network: Network,
    /// For each machine, the term of each of its states. The states behind these are those of a machine that has
    /// terminated.
    pub terms: Vec<Arc<[TermId]>>,
}

/// What compiling may use.
#[derive(Clone, Copy, Debug)]
pub struct CompileLimits {
    /// States of one machine.
    pub max_machine_states: usize,
    /// Rules of the network.
    pub max_rules: usize,
}

/// Why a term has no network.
#[derive(Debug)]
pub enum CompileError {
    /// This operand has more states than one machine may have.
    MachineTooLarge(TermId),
    /// There are more rules than allowed.
    TooManyRules,
    /// Somebody asked to stop.
    Canceled,
    /// This term has no steps to tell.
    Step(TermId, StepError),
}

/// The label of an event in networks and transition systems.
pub fn seen(label: Label) -> Seen {
    match label {
        Label::Tau => Seen::TAU,
        Label::Tick => Seen::TICK,
        Label::Event(event) => Seen(event.0 + 2),
    }
}

/// The event behind a label, if it is one.
pub fn event_of(label: Seen) -> Option<EventId> {
    label.0.checked_sub(2).map(EventId)
}

/// Compiles a term.
///
/// `progress` is asked from time to time whether to go on.
pub fn compile(
    table: &mut StepTable,
    terms: &mut Terms,
    unfold: &mut dyn Unfold,
    root: TermId,
    limits: &CompileLimits,
    progress: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Compiled, CompileError> {
    let mut compiler = Compiler {
        table,
        terms,
        unfold,
        limits,
        progress,
        machines: Vec::new(),
        machine_terms: Vec::new(),
        known: HashMap::new(),
        n_rules: 0,
    };
    let part = compiler.compile_structure(root)?;
    let locals = vec![LocalState(0); compiler.machines.len()];
    let rules = part.rules.into_iter().map(|rule| Rule { parts: rule.parts.into(), shows: rule.shows, jump: None });
    let network = Network {
        machines: compiler.machines,
        modes: vec![Mode { rules: rules.collect() }],
        initial: Configuration { locals, ..Configuration::default() },
    };
    Ok(Compiled { network, terms: compiler.machine_terms })
}

struct Compiler<'a> {
    table: &'a mut StepTable,
    terms: &'a mut Terms,
    unfold: &'a mut dyn Unfold,
    limits: &'a CompileLimits,
    progress: &'a mut dyn FnMut() -> ControlFlow<()>,
    machines: Vec<Arc<Machine>>,
    machine_terms: Vec<Arc<[TermId]>>,
    /// Machines by their term and the number of parallel operators around them.
    known: HashMap<(TermId, u32), Explored>,
    n_rules: usize,
}

/// A machine with the terms of its states.
type Explored = (Arc<Machine>, Arc<[TermId]>);

/// A compiled part of the structure.
struct Part {
    /// Sorted by what they show.
    rules: Vec<PartRule>,
    /// The machines below, each with the action by which it takes part in the next joint termination.
    done: Vec<(MachineId, Action)>,
}

#[derive(Clone)]
struct PartRule {
    parts: Vec<(MachineId, Action)>,
    shows: Seen,
}

/// What is left to do, last first: terms to look at, and operators that wait for their operands.
enum Task {
    Visit(TermId, u32),
    Leave(CallId),
    Apply(TermId, usize),
}

/// The action of a terminated machine for the `n`-th parallel operator around it.
fn done_action(n: u32) -> Action {
    Action(u32::MAX - n)
}

impl Compiler<'_> {
    /// Walks the static structure with an explicit stack: its depth is the user's.
    fn compile_structure(&mut self, root: TermId) -> Result<Part, CompileError> {
        let mut tasks = vec![Task::Visit(root, 0)];
        let mut finished: Vec<Part> = Vec::new();
        let mut open_calls: HashSet<CallId> = HashSet::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(term, depth) => self.visit(term, depth, &mut tasks, &mut finished, &mut open_calls)?,
                Task::Leave(call) => _ = open_calls.remove(&call),
                Task::Apply(term, n) => {
                    let operands = finished.split_off(finished.len() - n);
                    let part = self.apply(term, operands)?;
                    finished.push(part);
                }
            }
        }
        Ok(finished.pop().expect("the root is finished last"))
    }

    fn visit(
        &mut self,
        term: TermId,
        depth: u32,
        tasks: &mut Vec<Task>,
        finished: &mut Vec<Part>,
        open_calls: &mut HashSet<CallId>,
    ) -> Result<(), CompileError> {
        let mut visit_all = |operands: Vec<TermId>, depth: u32| {
            tasks.push(Task::Apply(term, operands.len()));
            tasks.extend(operands.into_iter().rev().map(|operand| Task::Visit(operand, depth)));
        };
        match self.terms.get(term).clone() {
            Term::Interleave(operands) | Term::Parallel(operands, _) if !operands.is_empty() => {
                visit_all(operands.to_vec(), depth + 1);
            }
            Term::AlphaParallel(operands) if !operands.is_empty() => {
                visit_all(operands.iter().map(|&(operand, _)| operand).collect(), depth + 1);
            }
            Term::Link(left, _, right) => visit_all(vec![left, right], depth + 1),
            Term::Hide(operand, _) | Term::Project(operand, _) | Term::Rename(operand, _) => {
                visit_all(vec![operand], depth);
            }
            // A call that opens itself is no static structure; as a machine it is explored, or found unguarded.
            Term::Call(call) if open_calls.insert(call) => {
                let body = match self.table.body(call) {
                    Some(body) => body,
                    None => self
                        .unfold
                        .unfold(self.terms, call)
                        .map_err(|diagnostic| CompileError::Step(term, StepError::Evaluation(diagnostic)))?,
                };
                if self.is_structure(body) {
                    tasks.push(Task::Leave(call));
                    tasks.push(Task::Visit(body, depth));
                } else {
                    open_calls.remove(&call);
                    finished.push(self.machine(term, depth)?);
                }
            }
            _ => finished.push(self.machine(term, depth)?),
        }
        Ok(())
    }

    fn is_structure(&self, term: TermId) -> bool {
        matches!(
            self.terms.get(term),
            Term::Interleave(_)
                | Term::Parallel(..)
                | Term::AlphaParallel(_)
                | Term::Link(..)
                | Term::Hide(..)
                | Term::Project(..)
                | Term::Rename(..)
                | Term::Call(_)
        )
    }

    /// A term as a machine of its own, with a rule for each of its labels.
    fn machine(&mut self, term: TermId, depth: u32) -> Result<Part, CompileError> {
        let (machine, terms) = match self.known.get(&(term, depth)) {
            Some(known) => known.clone(),
            None => {
                let made = self.explore_machine(term, depth)?;
                self.known.insert((term, depth), made.clone());
                made
            }
        };
        let id = MachineId(self.machines.len() as u32);
        let mut actions: Vec<Action> = terms.iter().enumerate().fold(Vec::new(), |mut actions, (state, _)| {
            let edges = machine.edges(LocalState(state as u32));
            actions.extend(edges.iter().map(|edge| edge.action));
            if actions.len() > 4096 {
                actions.sort_unstable();
                actions.dedup();
            }
            actions
        });
        actions.retain(|&action| action.0 <= u32::MAX / 2);
        actions.sort_unstable();
        actions.dedup();
        let rules: Vec<PartRule> =
            actions.iter().map(|&action| PartRule { parts: vec![(id, action)], shows: Seen(action.0) }).collect();
        self.machines.push(machine);
        self.machine_terms.push(terms);
        self.count_rules(rules.len())?;
        Ok(Part { rules, done: vec![(id, done_action(0))] })
    }

    fn explore_machine(&mut self, term: TermId, depth: u32) -> Result<Explored, CompileError> {
        let max_states = self.limits.max_machine_states;
        let mut keep_on = |_: &crate::Lts| (self.progress)();
        let explored = explore(self.table, self.terms, self.unfold, term, max_states, &mut keep_on);
        let lts = explored.map_err(|unfinished| match unfinished.reason {
            Stop::StateLimit => CompileError::MachineTooLarge(term),
            Stop::Canceled => CompileError::Canceled,
            Stop::Error(state, error) => CompileError::Step(unfinished.lts.states[state], error),
        })?;
        let n_states = lts.n_states() as u32;
        let edge = |edge: &crate::Edge| Edge { action: Action(seen(edge.label).0), target: LocalState(edge.target) };
        let mut states: Vec<Vec<Edge>> =
            (0..lts.n_states()).map(|state| lts.edges(state).iter().map(edge).collect()).collect();
        // Behind the terminated state, one more for each joint termination it will take part in.
        let omega = lts.states.iter().position(|&state| *self.terms.get(state) == Term::Omega);
        if let Some(omega) = omega {
            for n in 0..depth {
                let next = LocalState(n_states + n);
                let from = if n == 0 { omega } else { (n_states + n - 1) as usize };
                states.push(Vec::new());
                states[from].push(Edge { action: done_action(n), target: next });
            }
        }
        Ok((Arc::new(Machine::new(states)), lts.states.into()))
    }

    fn count_rules(&mut self, n: usize) -> Result<(), CompileError> {
        self.n_rules += n;
        if self.n_rules > self.limits.max_rules { Err(CompileError::TooManyRules) } else { Ok(()) }
    }

    /// Applies the operator of a term to its compiled operands.
    fn apply(&mut self, term: TermId, mut operands: Vec<Part>) -> Result<Part, CompileError> {
        if (self.progress)().is_break() {
            return Err(CompileError::Canceled);
        }
        match self.terms.get(term).clone() {
            Term::Interleave(_) => self.join(operands, |_| Sharing::Nobody),
            Term::Parallel(_, events) => {
                let n = operands.len();
                self.join(operands, |event| if contains(&events, event) { Sharing::All(n) } else { Sharing::Nobody })
            }
            Term::AlphaParallel(alphabets) => {
                for (part, (_, alphabet)) in operands.iter_mut().zip(alphabets.iter()) {
                    part.rules.retain(|rule| event_of(rule.shows).is_none_or(|event| contains(alphabet, event)));
                }
                let owners = owners(&operands, &alphabets);
                self.join(operands, |event| Sharing::All(owners.get(&event).copied().unwrap_or(1)))
            }
            Term::Link(_, ties, _) => self.link(operands, &ties),
            Term::Hide(_, events) => {
                let hidden = |event| contains(&events, event);
                self.relabel(operands, |event, out| {
                    out.push(if hidden(event) { Label::Tau } else { Label::Event(event) })
                })
            }
            Term::Project(_, events) => {
                let kept = |event| contains(&events, event);
                self.relabel(operands, |event, out| {
                    out.push(if kept(event) { Label::Event(event) } else { Label::Tau })
                })
            }
            Term::Rename(_, relation) => self.relabel(operands, |event, out| images(&relation, event, out)),
            _ => unreachable!("only structure waits for operands"),
        }
    }

    /// What one operand shows, shown differently.
    fn relabel(
        &mut self,
        operands: Vec<Part>,
        shown_as: impl Fn(EventId, &mut Vec<Label>),
    ) -> Result<Part, CompileError> {
        let Part { rules: old, done } = operands.into_iter().next().expect("hiding and renaming have an operand");
        let mut rules = Vec::with_capacity(old.len());
        let mut labels = Vec::new();
        for rule in old {
            let Some(event) = event_of(rule.shows) else {
                rules.push(rule);
                continue;
            };
            labels.clear();
            shown_as(event, &mut labels);
            self.count_rules(labels.len().saturating_sub(1))?;
            rules.extend(labels.iter().map(|&label| PartRule { parts: rule.parts.clone(), shows: seen(label) }));
        }
        rules.sort_by_key(|rule| rule.shows);
        Ok(Part { rules, done })
    }

    /// Operands side by side; `sharing` tells how many must take an event together.
    fn join(&mut self, operands: Vec<Part>, sharing: impl Fn(EventId) -> Sharing) -> Result<Part, CompileError> {
        let mut rules = Vec::new();
        // For each shared event, what each of its takers has to offer, in the order of the operands.
        let mut shared: HashMap<Seen, Vec<Vec<PartRule>>> = HashMap::new();
        let mut order: Vec<(Seen, usize)> = Vec::new();
        let mut done = Vec::new();
        for part in operands {
            done.extend(part.done);
            let mut last = None;
            for rule in part.rules {
                match event_of(rule.shows).map(&sharing) {
                    None => rules.push(PartRule { shows: Seen::TAU, ..rule }),
                    Some(Sharing::Nobody | Sharing::All(1)) => rules.push(rule),
                    Some(Sharing::All(n)) => {
                        let offers = shared.entry(rule.shows).or_default();
                        if offers.is_empty() {
                            order.push((rule.shows, n));
                        }
                        // Rules are sorted by what they show, so those of one operand come in a row.
                        if last != Some(rule.shows) {
                            offers.push(Vec::new());
                        }
                        last = Some(rule.shows);
                        offers.last_mut().expect("a place was just made").push(rule);
                    }
                }
            }
        }
        for (label, n_takers) in order {
            let offers = &shared[&label];
            if offers.len() == n_takers {
                self.combine(offers, label, &mut rules)?;
            }
        }
        rules.push(PartRule { parts: done.clone(), shows: Seen::TICK });
        rules.sort_by_key(|rule| rule.shows);
        Ok(Part { rules, done: next_done(done) })
    }

    /// One rule for each way to take one offer from each taker.
    fn combine(
        &mut self,
        offers: &[Vec<PartRule>],
        label: Seen,
        rules: &mut Vec<PartRule>,
    ) -> Result<(), CompileError> {
        let mut combined: Vec<Vec<(MachineId, Action)>> = vec![Vec::new()];
        for offer in offers {
            let n = combined.len().saturating_mul(offer.len());
            if n > self.limits.max_rules {
                return Err(CompileError::TooManyRules);
            }
            let extended = |parts: &Vec<(MachineId, Action)>| {
                let parts = parts.clone();
                offer.iter().map(move |rule| [parts.as_slice(), &rule.parts].concat())
            };
            combined = combined.iter().flat_map(extended).collect();
        }
        self.count_rules(combined.len())?;
        rules.extend(combined.into_iter().map(|parts| PartRule { parts, shows: label }));
        Ok(())
    }

    /// `left [a <-> b] right`: linked events happen together, unseen, and never alone.
    fn link(&mut self, operands: Vec<Part>, ties: &Relation) -> Result<Part, CompileError> {
        let mut sides = operands.into_iter();
        let (left, right) = (sides.next().expect("a link has two sides"), sides.next().expect("a link has two sides"));
        let left_events: HashSet<EventId> = ties.iter().map(|&(event, _)| event).collect();
        let right_events: HashSet<EventId> = ties.iter().map(|&(_, event)| event).collect();
        let mut rules = Vec::new();
        for &(a, b) in ties.iter() {
            let of = |part: &Part, event: EventId| {
                let label = seen(Label::Event(event));
                let start = part.rules.partition_point(|rule| rule.shows < label);
                let end = part.rules.partition_point(|rule| rule.shows <= label);
                part.rules[start..end].to_vec()
            };
            self.combine(&[of(&left, a), of(&right, b)], Seen::TAU, &mut rules)?;
        }
        let done: Vec<_> = left.done.iter().chain(&right.done).copied().collect();
        for (part, linked) in [(left, left_events), (right, right_events)] {
            for rule in part.rules {
                match event_of(rule.shows) {
                    None => rules.push(PartRule { shows: Seen::TAU, ..rule }),
                    Some(event) if linked.contains(&event) => {}
                    Some(_) => rules.push(rule),
                }
            }
        }
        rules.push(PartRule { parts: done.clone(), shows: Seen::TICK });
        rules.sort_by_key(|rule| rule.shows);
        Ok(Part { rules, done: next_done(done) })
    }
}

/// How many operands take an event together.
enum Sharing {
    Nobody,
    All(usize),
}

/// After a joint termination, the machines wait for the next one.
fn next_done(done: Vec<(MachineId, Action)>) -> Vec<(MachineId, Action)> {
    done.into_iter().map(|(machine, Action(action))| (machine, Action(action - 1))).collect()
}

fn contains(events: &EventSet, event: EventId) -> bool {
    events.binary_search(&event).is_ok()
}

/// The events related to an event; itself if there are none.
fn images(relation: &Relation, event: EventId, out: &mut Vec<Label>) {
    let start = relation.partition_point(|&(from, _)| from < event);
    let images = relation[start..].iter().take_while(|&&(from, _)| from == event).map(|&(_, to)| Label::Event(to));
    let before = out.len();
    out.extend(images);
    if out.len() == before {
        out.push(Label::Event(event));
    }
}

/// For each event that some operand can do, how many alphabets it is in.
fn owners(operands: &[Part], alphabets: &[(TermId, EventSet)]) -> HashMap<EventId, usize> {
    let rules = operands.iter().flat_map(|part| &part.rules);
    let mut owners: HashMap<EventId, usize> = rules.filter_map(|rule| Some((event_of(rule.shows)?, 0))).collect();
    for (_, alphabet) in alphabets {
        for event in alphabet.iter() {
            if let Some(count) = owners.get_mut(event) {
                *count += 1;
            }
        }
    }
    owners
}
