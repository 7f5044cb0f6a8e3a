//! Rules to instances, and where these are filed.

use super::groups::{GROUP, Groups};
use super::instance::{Command, Draft, Instances, Kind};
use super::ways::{Way, Ways};
use super::{Anchor, CompiledMode, Filed, NO_PROGRAM, NetworkSpace, obstacles};
use crate::data::program::Program;
use crate::data::table::{self, Case, Ending};
use crate::data::translate;
use crate::packed::Field;
use model::network::{ModeId, Rule, RuleId};

/// A rule is kept whole where it has more instances than this for one local state of its anchor.
const MAX_PER_STATE: usize = 64;
/// How many instances a network may have before further rules are kept whole.
const MAX_INSTANCES: usize = 1 << 20;
/// The instances of a machine are filed under its local states if there are more than this, and tested together with
/// those of other machines otherwise.
const MAX_GROUPED: usize = 4 * GROUP;
/// How many groups one mode may have: each is looked at in every state.
const MAX_GROUPS: usize = 512;
/// Instances are filed under the values of a cell only if it does not have more than these.
const MAX_FILED: u64 = 1 << 12;

/// Compiles the rules of all modes that are possible.
pub(super) fn compile(space: &NetworkSpace<'_>, is_possible: &[Vec<bool>]) -> Vec<CompiledMode> {
    let ways = Ways::of(space.network, &space.locals);
    let mut n_left = MAX_INSTANCES;
    let modes = (0..).map(ModeId).zip(is_possible);
    modes.map(|(mode, is_possible)| ModeCompiler::new(space, &ways, mode).run(is_possible, &mut n_left)).collect()
}

struct ModeCompiler<'a> {
    space: &'a NetworkSpace<'a>,
    ways: &'a Ways,
    mode: ModeId,
    instances: Instances,
    /// Where each instance is to be filed; the state is missing if it does not matter.
    expanded: Vec<Entry>,
    /// Where rules are to be filed that are kept whole.
    whole: Vec<Entry>,
    draft: Draft,
    programs: Vec<Program>,
    program_of_rule: Vec<u32>,
}

/// Something to be filed under a value of a field.
#[derive(Clone, Copy)]
struct Entry {
    /// A machine, or behind all machines a cell, or behind these nothing.
    holder: u32,
    /// A local state of the machine, or a value of the cell; missing if it does not matter.
    state: Option<u32>,
    /// The number of an instance, or of a rule.
    number: u32,
}

impl Entry {
    fn anchor(&self) -> (u32, Option<u32>) {
        (self.holder, self.state)
    }
}

/// What is known of the command of a rule.
struct Cases {
    program: u32,
    /// One for each combination of values in which it does something, if these are few.
    known: Option<Vec<Case>>,
    /// One for all of them.
    open: Option<Case>,
}

impl Cases {
    /// Without a command, everything is fine.
    fn none() -> Cases {
        Cases { program: NO_PROGRAM, known: Some(vec![Case::default()]), open: None }
    }

    /// As many cases as fit.
    fn at_most(&self, n: usize) -> &[Case] {
        match &self.known {
            Some(known) if known.len() <= n => known,
            _ if self.program == NO_PROGRAM => self.known.as_deref().unwrap_or_default(),
            _ => self.open.as_slice(),
        }
    }
}

impl<'a> ModeCompiler<'a> {
    fn new(space: &'a NetworkSpace<'a>, ways: &'a Ways, mode: ModeId) -> ModeCompiler<'a> {
        // Most rules have one instance, or few.
        let n_rules = space.network.modes[mode.index()].rules.len().min(MAX_INSTANCES);
        let (instances, expanded) = (Instances::with_capacity(n_rules), Vec::with_capacity(n_rules));
        let (whole, draft) = (Vec::new(), Draft::default());
        let (programs, program_of_rule) = (Vec::new(), Vec::new());
        ModeCompiler { space, ways, mode, instances, expanded, whole, draft, programs, program_of_rule }
    }

    fn run(mut self, is_possible: &[bool], n_left: &mut usize) -> CompiledMode {
        let rules = &self.space.network.modes[self.mode.index()].rules;
        let mut choices: Vec<&[Way]> = Vec::new();
        for (number, rule) in rules.iter().enumerate().filter(|(number, _)| is_possible[*number]) {
            choices.clear();
            let mut least = f32::INFINITY;
            let mut anchor = 0;
            for (place, &(machine, action)) in rule.parts.iter().enumerate() {
                let (ways, share) = self.ways.by(machine.index(), action);
                choices.push(ways);
                // The participant that can take part in the fewest of its states is asked first.
                if share < least {
                    (least, anchor) = (share, place);
                }
            }
            if choices.iter().all(|ways| !ways.is_empty()) {
                let cases = self.cases(number, rule);
                if choices.is_empty() {
                    self.file_command(number as u32, rule, &cases, n_left);
                } else {
                    self.expand(number as u32, rule, &cases, &mut choices, anchor, n_left);
                }
            }
        }
        CompiledMode { obstacles: obstacles::compile(self.space, self.mode, is_possible), ..self.file() }
    }

    /// Compiles the command of a rule.
    fn cases(&mut self, number: usize, rule: &Rule) -> Cases {
        let Some(command) = &rule.command else { return Cases::none() };
        let space = self.space;
        let program = translate(&space.network.data, &space.cells, command);
        let known = table::cases(&program, &space.cells, space.n_words);
        let open = table::open_case(&program, &space.cells);
        let n_rules = space.network.modes[self.mode.index()].rules.len();
        self.program_of_rule.resize(n_rules, NO_PROGRAM);
        self.program_of_rule[number] = self.programs.len() as u32;
        self.programs.push(program);
        Cases { program: self.programs.len() as u32 - 1, known, open }
    }

    /// Adds the instances of a rule in which nobody takes part.
    fn file_command(&mut self, number: u32, rule: &Rule, cases: &Cases, n_left: &mut usize) {
        let known = cases.at_most(*n_left);
        *n_left = n_left.saturating_sub(known.len());
        let anchor = self.anchor_cell(known);
        for case in known {
            let value = |cell: u32| case.tests.iter().find(|test| test.0 == cell).map(|test| test.1);
            let (holder, state) = match anchor {
                Some(cell) => (self.space.fields.len() as u32 + cell, value(cell)),
                None => (self.n_holders() - 1, None),
            };
            self.instantiate((number, rule), &[], case, cases.program, (holder, state));
        }
    }

    /// The cell that has the fewest of its values in some cases, if there is one that all of them ask for.
    fn anchor_cell(&self, cases: &[Case]) -> Option<u32> {
        let n_values = |cell: u32| self.space.cells.get(cell).n_values();
        let is_asked = |cell: u32| cases.iter().all(|case| case.tests.iter().any(|test| test.0 == cell));
        let share = |cell: u32| {
            let mut values: Vec<u32> =
                cases.iter().flat_map(|case| &case.tests).filter(|test| test.0 == cell).map(|test| test.1).collect();
            values.sort_unstable();
            values.dedup();
            values.len() as f64 / n_values(cell) as f64
        };
        let tested = cases.first()?.tests.iter().map(|test| test.0);
        let usable = tested.filter(|&cell| n_values(cell) <= MAX_FILED && is_asked(cell));
        usable.map(|cell| (share(cell), cell)).min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, cell)| cell)
    }

    /// Everything that something can be filed under: machines, cells, nothing.
    fn n_holders(&self) -> u32 {
        (self.space.fields.len() + self.space.cells.len()) as u32 + 1
    }

    /// How many values a machine or a cell has, if something is filed under it, and where they are.
    fn values(&self, holder: usize) -> (usize, Field) {
        match self.space.locals.get(holder) {
            Some(locals) => (locals.n_values() as usize, self.space.fields[holder]),
            None => {
                let cell = self.space.cells.get((holder - self.space.fields.len()) as u32);
                (cell.n_values() as usize, cell.field().expect("it is tested"))
            }
        }
    }

    /// Expands a rule for each state of its anchor, or keeps it whole there.
    fn expand(
        &mut self,
        number: u32,
        rule: &Rule,
        cases: &Cases,
        choices: &mut [&'a [Way]],
        anchor: usize,
        n_left: &mut usize,
    ) {
        let machine = rule.parts[anchor].0;
        for ways in choices[anchor].chunk_by(|a, b| a.source == b.source) {
            choices[anchor] = ways;
            let n = choices.iter().fold(1usize, |n, ways| n.saturating_mul(ways.len()));
            let most = MAX_PER_STATE.min(*n_left);
            if n <= most {
                let known = cases.at_most(most / n);
                *n_left -= (n * known.len()).min(*n_left);
                for case in known {
                    self.instantiate((number, rule), choices, case, cases.program, (machine.0, ways[0].source));
                }
            } else {
                let n_states = self.space.locals[machine.index()].n_values();
                let states = ways[0].source.map_or(0..n_states, |state| state..state + 1);
                self.whole.extend(states.map(|state| Entry { holder: machine.0, state: Some(state), number }));
            }
        }
    }

    /// Adds an instance for each choice of a way for each participant, in one case of the command.
    fn instantiate(
        &mut self,
        (number, rule): (u32, &Rule),
        choices: &[&[Way]],
        case: &Case,
        program: u32,
        (holder, state): (u32, Option<u32>),
    ) {
        let command = match case.ending {
            Ending::Known => Command::None,
            Ending::Failed => Command::Fail,
            Ending::Open => Command::Run(program),
        };
        let kind = Kind { label: rule.shows, rule: RuleId(number), command };
        let n = choices.iter().map(|ways| ways.len()).product();
        for mut number in 0..n {
            self.draft.clear();
            for (&(machine, _), ways) in rule.parts.iter().zip(choices) {
                let way = ways[number % ways.len()];
                number /= ways.len();
                let field = self.space.fields[machine.index()];
                way.source.into_iter().for_each(|source| self.draft.test(field, source));
                way.target.into_iter().for_each(|target| self.draft.assign(field, target));
            }
            for &(cell, value) in &case.tests {
                let field = self.space.cells.get(cell).field();
                field.into_iter().for_each(|field| self.draft.test(field, value));
            }
            case.sets.iter().for_each(|&(field, value)| self.draft.assign(field, value));
            if let Some(jump) = &rule.jump {
                // The mode is what the instance is filed under; it is tested by nobody, only changed.
                if jump.mode != self.mode {
                    self.draft.assign(self.space.mode_field, jump.mode.0);
                }
                for &(machine, local) in &jump.resets {
                    let value = self.space.locals[machine.index()].value(local).expect("the rule is possible");
                    self.draft.assign(self.space.fields[machine.index()], value);
                }
            }
            let number = self.instances.add(&self.draft, kind);
            self.expanded.push(Entry { holder, state, number });
        }
    }

    fn file(mut self) -> CompiledMode {
        let mut entries = std::mem::take(&mut self.expanded);
        let n_grouped = self.divide(&mut entries);
        let (grouped, anchored) = entries.split_at_mut(n_grouped);
        // Instances that look at the same bits belong together. All sorting here is stable and keeps the order of rules.
        grouped.sort_by_cached_key(|entry| self.instances.first_bit(entry.number));
        anchored.sort_by_key(Entry::anchor);
        self.whole.sort_by_key(Entry::anchor);
        let anchors = self.anchors(n_grouped as u32, anchored);
        let instances = self.instances.in_order(entries.iter().map(|entry| entry.number));
        let groups = Groups::new(&instances, n_grouped, self.space.n_words);
        let whole = self.whole.iter().map(|entry| entry.number).collect();
        let ModeCompiler { programs, program_of_rule, .. } = self;
        CompiledMode { instances, groups, anchors, whole, programs, program_of_rule, ..CompiledMode::default() }
    }

    /// Puts instances that are tested together before those under anchors; returns how many the former are.
    fn divide(&self, entries: &mut [Entry]) -> usize {
        let mut n_of_holder = vec![0; self.n_holders() as usize];
        entries.iter().for_each(|entry| n_of_holder[entry.holder as usize] += 1);
        let mut n_left = MAX_GROUPS * GROUP;
        // Those with few instances first.
        let mut holders: Vec<usize> = (0..n_of_holder.len()).collect();
        holders.sort_by_key(|&holder| n_of_holder[holder]);
        let mut is_grouped = vec![false; n_of_holder.len()];
        for holder in holders {
            let n = n_of_holder[holder];
            is_grouped[holder] = n <= MAX_GROUPED.min(n_left);
            n_left -= if is_grouped[holder] { n } else { 0 };
        }
        let is_anchored = |entry: &Entry| entry.state.is_some() && !is_grouped[entry.holder as usize];
        entries.sort_by_key(is_anchored);
        entries.partition_point(|entry| !is_anchored(entry))
    }

    /// Files what is sorted by machine and state; `first` is the number of the first instance.
    fn anchors(&self, first: u32, anchored: &[Entry]) -> Vec<Anchor> {
        let mut filed: Vec<Vec<Filed>> = vec![Vec::new(); self.n_holders() as usize];
        for holder in anchored.iter().chain(&self.whole).map(|entry| entry.holder as usize) {
            filed[holder].resize(self.values(holder).0, Filed::default());
        }
        let mut file = |entries: &[Entry], mut next: u32, put: fn(&mut Filed, (u32, u32))| {
            for entries in entries.chunk_by(|a, b| a.anchor() == b.anchor()) {
                let end = next + entries.len() as u32;
                let state = entries[0].state.expect("what is filed under anchors has a state");
                put(&mut filed[entries[0].holder as usize][state as usize], (next, end));
                next = end;
            }
        };
        file(anchored, first, |filed, range| filed.instances = range);
        file(&self.whole, 0, |filed, range| filed.whole = range);
        let filed = filed.into_iter().enumerate().filter(|(_, filed)| !filed.is_empty());
        filed.map(|(holder, filed)| Anchor { field: self.values(holder).1, filed }).collect()
    }
}
