//! The rules of a shape: machines, relabeling, and parallel operands.

use super::leaf::done_action;
use super::open::OPEN;
use super::shape::{Depth, Plan, Shape, ShapeId};
use super::team_actions::TeamAction;
use super::{CompileContext, CompileError, Compiler};
use crate::{HIDDEN, Label, Relation, Takers, TeamId, Term, TermId, Termination};
use hashbrown::{HashMap, HashSet};
use model::network::{Action, InhibitorId, MachineId};
use model::{EventId, EventSet};
use std::rc::Rc;
use std::sync::Arc;

/// The rules of a shape.
#[derive(Debug)]
pub(super) struct Part {
    /// Sorted by what they show.
    pub(super) rules: Vec<PartRule>,
    pub(super) end: End,
}

#[derive(Clone, Debug)]
pub(super) struct PartRule {
    pub(super) parts: Vec<(MachineId, Action)>,
    pub(super) shows: Label,
    /// The successor of the shape, if it does not stay.
    pub(super) then: Option<Rc<Plan>>,
    /// Which components of the shape take it; the whole, if that does not matter.
    pub(super) team: TeamId,
    /// Its inhibitors, in order.
    pub(super) unless: Vec<InhibitorId>,
}

/// How a shape takes part in the termination of the parallel operator around it.
#[derive(Debug)]
pub(super) enum End {
    /// By these actions of its machines, which are possible when it has terminated.
    Done(Vec<(MachineId, Action)>),
    /// Not as long as it has this shape: termination makes another one of it.
    Later,
    /// It has terminated.
    Over,
}

/// An operator applied to the shapes of its started operands.
pub(super) struct Applied<'a> {
    pub(super) term: TermId,
    pub(super) shapes: &'a [ShapeId],
    pub(super) parts: &'a [Rc<Part>],
}

impl Applied<'_> {
    /// The successor of the whole when these operands change; None if none does.
    pub(super) fn changed<'p>(&self, changes: impl Iterator<Item = (usize, &'p Rc<Plan>)>) -> Option<Rc<Plan>> {
        let mut operands: Option<Vec<Rc<Plan>>> = None;
        for (operand, plan) in changes {
            let operands =
                operands.get_or_insert_with(|| self.shapes.iter().map(|&shape| Rc::new(Plan::Keep(shape))).collect());
            operands[operand] = plan.clone();
        }
        operands.map(|operands| Rc::new(Plan::Operator(self.term, operands)))
    }

    /// A rule of one operand as a rule of the whole, which stays around it.
    pub(super) fn pass(&self, operand: usize, rule: &PartRule) -> PartRule {
        let then = self.changed(rule.then.iter().map(|plan| (operand, plan)));
        PartRule { then, ..rule.clone() }
    }

    /// A rule of one operand of a parallel operator, taken by a team of the whole: termination is unseen, and leaves
    /// the operand terminated.
    fn pass_beside(&self, operand: usize, rule: &PartRule, team: TeamId) -> PartRule {
        if rule.shows != Label::TICK {
            return PartRule { team, ..self.pass(operand, rule) };
        }
        let over = Rc::new(Plan::Over);
        let then = match self.parts[operand].end {
            End::Done(_) => None,
            End::Later | End::Over => self.changed([(operand, &over)].into_iter()),
        };
        PartRule { shows: Label::TAU, then, team, ..rule.clone() }
    }
}

/// How many operands take an event together.
enum Sharing {
    NoProgress,
    All(usize),
}

/// One of the rules that are taken together, with its operand.
type Offer<'a> = (usize, &'a PartRule);

impl Compiler<'_, '_> {
    /// The rules of a shape.
    pub(super) fn part(&mut self, shape: ShapeId) -> Result<Rc<Part>, CompileError> {
        let mut open = vec![shape];
        while let Some(&shape) = open.last() {
            if self.parts.contains_key(&shape) {
                open.pop();
                continue;
            }
            let part = match self.shape(shape) {
                Shape::Leaf(machine, depth) => self.machine_part(machine, depth)?,
                Shape::Over => Part { rules: Vec::new(), end: End::Over },
                Shape::Operator(term, depth, operands) => {
                    let missing = operands.iter().filter(|operand| !self.parts.contains_key(*operand));
                    let n_open = open.len();
                    open.extend(missing);
                    if open.len() > n_open {
                        continue;
                    }
                    let parts: Vec<Rc<Part>> = operands.iter().map(|operand| self.parts[operand].clone()).collect();
                    let applied = Applied { term, shapes: &operands, parts: &parts };
                    self.within(depth, |compiler| compiler.apply(&applied))?
                }
            };
            self.parts.insert(shape, Rc::new(part));
            open.pop();
        }
        Ok(self.parts[&shape].clone())
    }

    /// A rule for each label of a machine.
    fn machine_part(&mut self, id: MachineId, depth: Depth) -> Result<Part, CompileError> {
        let machine = &self.leaves[id.index()].as_ref().expect("shapes are made of leaves").machine;
        let mut actions = HashSet::new();
        for state in machine.states() {
            actions.extend(machine.edges(state).iter().map(|edge| edge.action));
        }
        let rule = |action: Action| {
            if action == OPEN {
                let parts = vec![(id, OPEN)];
                return Some(PartRule {
                    parts,
                    shows: Label::TAU,
                    then: None,
                    team: TeamId::WHOLE,
                    unless: Vec::new(),
                });
            }
            let TeamAction { label, team } = self.team_actions.team_action(action)?;
            Some(PartRule { parts: vec![(id, action)], shows: label, then: None, team, unless: Vec::new() })
        };
        let mut rules: Vec<PartRule> = actions.into_iter().filter_map(rule).collect();
        rules.sort_unstable_by_key(|rule| (rule.shows, rule.parts[0].1));
        self.count_rules(rules.len())?;
        let terminates = depth.n_parallel > 0 && rules.iter().any(|rule| rule.shows == Label::TICK);
        let end = if terminates { End::Done(vec![(id, done_action(0))]) } else { End::Later };
        Ok(Part { rules, end })
    }

    fn apply(&mut self, applied: &Applied<'_>) -> Result<Part, CompileError> {
        self.ask()?;
        let mut part = match self.context.terms.get(applied.term).clone() {
            Term::Interleave(_) => self.join(applied, |_| Sharing::NoProgress),
            Term::Parallel(_, events) => {
                let n = applied.parts.len();
                self.join(applied, |event| if contains(&events, event) { Sharing::All(n) } else { Sharing::NoProgress })
            }
            Term::AlphaParallel(operands) => self.join_alphabets(applied, &operands),
            Term::Link(_, ties, _) => self.link(applied, &ties),
            Term::Hide(_, events) => self.relabel(applied, |event, out| {
                out.push(if contains(&events, event) { Label::TAU } else { event.label() })
            }),
            Term::Project(_, events) => self.relabel(applied, |event, out| {
                out.push(if contains(&events, event) { event.label() } else { Label::TAU })
            }),
            Term::Rename(_, relation) => self.relabel(applied, |event, out| images(&relation, event, out)),
            ref operator if operator.is_priority() => self.prioritize(applied, operator),
            Term::Compressed(..) => self.relabel(applied, |event, out| out.push(event.label())),
            _ => self.apply_passing(applied),
        }?;
        part.rules.sort_by_key(|rule| rule.shows);
        Ok(part)
    }

    /// Applies a relabeling to the rules of one operand.
    fn relabel(
        &mut self,
        applied: &Applied<'_>,
        shown_as: impl Fn(EventId, &mut Vec<Label>),
    ) -> Result<Part, CompileError> {
        let operand = &applied.parts[0];
        let mut rules = Vec::with_capacity(operand.rules.len());
        let mut labels = Vec::new();
        for rule in &operand.rules {
            let passed = applied.pass(0, rule);
            let Some(event) = EventId::of(rule.shows) else {
                rules.push(passed);
                continue;
            };
            labels.clear();
            shown_as(event, &mut labels);
            self.count_rules(labels.len().saturating_sub(1))?;
            rules.extend(labels.iter().map(|&label| PartRule { shows: label, ..passed.clone() }));
        }
        let end = match &operand.end {
            End::Done(done) => End::Done(done.clone()),
            // What was terminated below is terminated here: hiding and renaming see no difference.
            End::Later | End::Over => End::Later,
        };
        Ok(Part { rules, end })
    }

    fn join_alphabets(
        &mut self,
        applied: &Applied<'_>,
        alphabets: &Arc<[(TermId, EventSet)]>,
    ) -> Result<Part, CompileError> {
        let within = |(part, (_, alphabet)): (&Rc<Part>, &(TermId, EventSet))| {
            let is_allowed = |rule: &&PartRule| EventId::of(rule.shows).is_none_or(|event| contains(alphabet, event));
            let end = match &part.end {
                End::Done(done) => End::Done(done.clone()),
                End::Later => End::Later,
                End::Over => End::Over,
            };
            Rc::new(Part { rules: part.rules.iter().filter(is_allowed).cloned().collect(), end })
        };
        let parts: Vec<Rc<Part>> = applied.parts.iter().zip(alphabets.iter()).map(within).collect();
        let owners = owners(&parts, alphabets);
        let applied = Applied { parts: &parts, ..*applied };
        self.join(&applied, |event| Sharing::All(owners.get(&event).copied().unwrap_or(1)))
    }

    /// Parallel operands; `sharing` says how many must take an event together.
    fn join(&mut self, applied: &Applied<'_>, sharing: impl Fn(EventId) -> Sharing) -> Result<Part, CompileError> {
        let mut rules = Vec::new();
        // For each shared event, what each of its takers has to offer, in the order of the operands.
        let mut shared: HashMap<Label, Vec<Vec<Offer<'_>>>> = HashMap::new();
        let mut order: Vec<(Label, usize)> = Vec::new();
        for (operand, part) in applied.parts.iter().enumerate() {
            let mut last = None;
            for rule in &part.rules {
                if self.waits_for_all(rule) {
                    continue;
                }
                match EventId::of(rule.shows).map(&sharing) {
                    None | Some(Sharing::NoProgress | Sharing::All(1)) => {
                        let team = self.team(applied, &[(operand, rule)]);
                        rules.push(applied.pass_beside(operand, rule, team));
                    }
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
                        offers.last_mut().expect("a place was just made").push((operand, rule));
                    }
                }
            }
        }
        self.count_rules(rules.len())?;
        for (label, n_takers) in order {
            let offers = &shared[&label];
            if offers.len() == n_takers {
                self.combine(applied, offers, label, &mut rules)?;
            }
        }
        let end = self.end(applied, &mut rules)?;
        Ok(Part { rules, end })
    }

    /// Whether a rule of an operand happens together with those of all others: termination does below a priority.
    fn waits_for_all(&self, rule: &PartRule) -> bool {
        rule.shows == Label::TICK && self.context.termination() == Termination::Together
    }

    /// One rule for each way to take one offer from each taker.
    pub(super) fn combine<'r>(
        &mut self,
        applied: &Applied<'_>,
        offers: &[Vec<Offer<'r>>],
        label: Label,
        rules: &mut Vec<PartRule>,
    ) -> Result<(), CompileError> {
        let n_ways = offers.iter().fold(1usize, |n, offer| n.saturating_mul(offer.len()));
        self.count_rules(n_ways)?;
        let mut ways: Vec<Vec<Offer<'r>>> = vec![Vec::new()];
        for offer in offers {
            let extended = |way: &Vec<Offer<'r>>| -> Vec<Vec<Offer<'r>>> {
                offer.iter().map(|&taken| [way.as_slice(), &[taken]].concat()).collect()
            };
            ways = ways.iter().flat_map(extended).collect();
        }
        rules.extend(ways.into_iter().map(|way| {
            PartRule {
                parts: self.all_parts(&way),
                shows: label,
                then: applied
                    .changed(way.iter().filter_map(|&(operand, rule)| rule.then.as_ref().map(|plan| (operand, plan)))),
                team: self.team(applied, &way),
                unless: all_obstacles(&way),
            }
        }));
        Ok(())
    }

    /// The machines and actions of rules taken together. Operands that act without a machine share the one that is
    /// always ready.
    fn all_parts(&self, way: &[Offer<'_>]) -> Vec<(MachineId, Action)> {
        let mut parts: Vec<(MachineId, Action)> = Vec::new();
        for &part in way.iter().flat_map(|(_, rule)| &rule.parts) {
            if Some(part.0) != self.control || !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts
    }

    /// The team that takes these rules together, as in the steps of terms.
    fn team(&mut self, applied: &Applied<'_>, way: &[Offer<'_>]) -> TeamId {
        let CompileContext { table, terms, preserved, .. } = &mut *self.context;
        if preserved.takers() == Takers::Ignored {
            return TeamId::WHOLE;
        }
        if terms.get(applied.term).is_parallel() {
            let members: Vec<(u32, TeamId)> = way.iter().map(|(operand, rule)| (*operand as u32, rule.team)).collect();
            table.team(&members)
        } else {
            table.all_teams(way.iter().map(|(_, rule)| rule.team))
        }
    }

    /// Adds the termination of a parallel operator, which takes all its operands.
    fn end(&mut self, applied: &Applied<'_>, rules: &mut Vec<PartRule>) -> Result<End, CompileError> {
        match self.context.termination() {
            Termination::Apart => Ok(self.end_apart(applied, rules)),
            Termination::Together => self.end_together(applied, rules),
        }
    }

    /// All operands terminate in one step.
    fn end_together(&mut self, applied: &Applied<'_>, rules: &mut Vec<PartRule>) -> Result<End, CompileError> {
        let mut offers: Vec<Vec<Offer<'_>>> = Vec::new();
        for (operand, part) in applied.parts.iter().enumerate() {
            let ticks = part.rules.iter().filter(|rule| rule.shows == Label::TICK);
            offers.push(ticks.map(|rule| (operand, rule)).collect());
        }
        let first = rules.len();
        self.combine(applied, &offers, Label::TICK, rules)?;
        for rule in &mut rules[first..] {
            rule.then = Some(Rc::new(Plan::Over));
        }
        Ok(End::Later)
    }

    /// The whole terminates when all operands have.
    fn end_apart(&mut self, applied: &Applied<'_>, rules: &mut Vec<PartRule>) -> End {
        let mut parts = Vec::new();
        let mut are_machines = true;
        for part in applied.parts {
            match &part.end {
                End::Done(done) => parts.extend(done),
                End::Over => are_machines = false,
                End::Later => return End::Later,
            }
        }
        let next = parts.iter().map(|&(machine, Action(action))| (machine, Action(action - 1))).collect();
        if parts.is_empty() {
            parts.push(self.control());
        }
        let then = (!are_machines).then(|| Rc::new(Plan::Over));
        rules.push(PartRule { parts, shows: Label::TICK, then, team: TeamId::WHOLE, unless: Vec::new() });
        if are_machines { End::Done(next) } else { End::Later }
    }

    /// `left [a <-> b] right`: linked events happen together, unseen, and never alone.
    fn link(&mut self, applied: &Applied<'_>, ties: &Relation) -> Result<Part, CompileError> {
        let mut rules = Vec::new();
        for &(a, b) in ties.iter() {
            let of = |operand: usize, event: EventId| -> Vec<Offer<'_>> {
                let (all, label) = (&applied.parts[operand].rules, event.label());
                let start = all.partition_point(|rule| rule.shows < label);
                let end = all.partition_point(|rule| rule.shows <= label);
                all[start..end].iter().map(|rule| (operand, rule)).collect()
            };
            self.combine(applied, &[of(0, a), of(1, b)], Label::TAU, &mut rules)?;
        }
        let left: HashSet<EventId> = ties.iter().map(|&(event, _)| event).collect();
        let right: HashSet<EventId> = ties.iter().map(|&(_, event)| event).collect();
        for (operand, linked) in [left, right].iter().enumerate() {
            let is_free = |rule: &&PartRule| EventId::of(rule.shows).is_none_or(|event| !linked.contains(&event));
            for rule in applied.parts[operand].rules.iter().filter(is_free) {
                if !self.waits_for_all(rule) {
                    let team = self.team(applied, &[(operand, rule)]);
                    rules.push(applied.pass_beside(operand, rule, team));
                }
            }
        }
        self.count_rules(rules.len())?;
        let end = self.end(applied, &mut rules)?;
        Ok(Part { rules, end })
    }
}

/// The inhibitors of several rules.
fn all_obstacles(way: &[Offer<'_>]) -> Vec<InhibitorId> {
    let mut unless: Vec<InhibitorId> = way.iter().flat_map(|(_, rule)| &rule.unless).copied().collect();
    unless.sort_unstable();
    unless.dedup();
    unless
}

pub(super) fn contains(events: &EventSet, event: EventId) -> bool {
    events.binary_search(&event).is_ok()
}

/// The events related to an event; itself if there are none.
fn images(relation: &Relation, event: EventId, out: &mut Vec<Label>) {
    let start = relation.partition_point(|&(from, _)| from < event);
    let images = relation[start..].iter().take_while(|&&(from, _)| from == event);
    let images = images.map(|&(_, to)| if to == HIDDEN { Label::TAU } else { to.label() });
    let before = out.len();
    out.extend(images);
    if out.len() == before {
        out.push(event.label());
    }
}

/// For each event that some operand can do, how many alphabets it is in.
fn owners(parts: &[Rc<Part>], alphabets: &[(TermId, EventSet)]) -> HashMap<EventId, usize> {
    let rules = parts.iter().flat_map(|part| &part.rules);
    let mut owners: HashMap<EventId, usize> = rules.filter_map(|rule| Some((EventId::of(rule.shows)?, 0))).collect();
    for (_, alphabet) in alphabets {
        for event in alphabet.iter() {
            if let Some(count) = owners.get_mut(event) {
                *count += 1;
            }
        }
    }
    owners
}
