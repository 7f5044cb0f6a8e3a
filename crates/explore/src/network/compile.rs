//! Compilation of rules to instances and their indices.

use super::forks::{Fields, Filing, Forks};
use super::groups::{GROUP, Groups};
use super::instance::{Command, Draft, Instances, Kind};
use super::local_edges::{LocalEdge, LocalEdges};
use super::unexpanded::{UnexpandedRule, UnexpandedRules};
use super::{CompiledMode, NO_PROGRAM, NetworkSpace, obstacles};
use crate::data::decide::{self, Case, CaseOutcome};
use crate::data::program::Program;
use crate::data::translate;
use crate::interruption::{Effort, Interruption};
use crate::packed::Field;
use limits::effort::instances::{MAX_CASES, MAX_FILED, MAX_GROUPS, MAX_INSTANCES, WORK_PER_PART};
use model::network::{ModeId, Rule, RuleId};
use progress::Interrupt;

/// Thresholds between the representations of rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// The instances of a machine are indexed by its local state if there are more than this, and tested in groups with
    /// those of other machines otherwise.
    pub(super) max_grouped: usize,
    /// A rule stays unexpanded if it has more instances than this for one local state of its anchor.
    pub(super) max_per_state: usize,
    /// The number of words of the tables for unexpanded rules.
    pub(super) max_tables: usize,
}

impl Sizes {
    pub(super) const USUAL: Sizes = Sizes { max_grouped: 4 * GROUP, max_per_state: 64, max_tables: 1 << 20 };
}

/// Compiles the rules of all modes that are possible.
///
/// # Errors
/// If it is cancelled.
pub(super) fn compile(
    space: &NetworkSpace<'_>,
    is_possible: &[Vec<bool>],
    sizes: Sizes,
    interruption: &Interruption<'_>,
) -> Result<Vec<CompiledMode>, Interrupt> {
    let mut effort = Effort::default();
    let local_edges = LocalEdges::of(space.network, &space.locals);
    let mut n_left = MAX_INSTANCES;
    let modes = (0..).map(ModeId).zip(is_possible);
    let compiler = |mode| ModeCompiler::new(space, &local_edges, mode, sizes);
    modes
        .map(|(mode, is_possible)| {
            compiler(mode).run(is_possible, &mut n_left, &mut |work| interruption.keep_on(&mut effort, work))
        })
        .collect()
}

struct ModeCompiler<'a> {
    space: &'a NetworkSpace<'a>,
    local_edges: &'a LocalEdges,
    mode: ModeId,
    sizes: Sizes,
    instances: Instances,
    /// The index entry of each instance.
    expanded: Vec<Entry>,
    unexpanded: Vec<UnexpandedRule>,
    draft: Draft,
    programs: Vec<Program>,
    program_of_rule: Vec<u32>,
}

/// An entry of the index by the value of a field.
#[derive(Clone, Copy)]
struct Entry {
    /// The number of a machine; the numbers after the machines are those of cells, and the last one has no field.
    holder: u32,
    /// A local state of the machine, or a value of the cell; none if the entry belongs to every value.
    state: Option<u32>,
    /// The number of an instance, or of a rule.
    number: u32,
}

impl Entry {
    fn anchor(&self) -> (u32, Option<u32>) {
        (self.holder, self.state)
    }
}

/// The command of a rule as a case distinction.
struct Cases<'a> {
    command: Option<&'a model::data::Command>,
    program: u32,
    /// The computed distinctions, each with its bound on the number of cases.
    known: Vec<(usize, Vec<Case>)>,
}

impl<'a> ModeCompiler<'a> {
    fn new(space: &'a NetworkSpace<'a>, local_edges: &'a LocalEdges, mode: ModeId, sizes: Sizes) -> ModeCompiler<'a> {
        // Most rules have few instances.
        let n_rules = space.network.modes[mode.index()].rules.len().min(MAX_INSTANCES);
        let (instances, expanded) = (Instances::with_capacity(n_rules), Vec::with_capacity(n_rules));
        let (unexpanded, draft) = (Vec::new(), Draft::default());
        let (programs, program_of_rule) = (Vec::new(), Vec::new());
        ModeCompiler {
            space,
            local_edges,
            mode,
            sizes,
            instances,
            expanded,
            unexpanded,
            draft,
            programs,
            program_of_rule,
        }
    }

    fn run(
        mut self,
        is_possible: &[bool],
        n_left: &mut usize,
        keep_on: &mut dyn FnMut(u64) -> Result<(), Interrupt>,
    ) -> Result<CompiledMode, Interrupt> {
        let rules = &self.space.network.modes[self.mode.index()].rules;
        let mut choices: Vec<&[LocalEdge]> = Vec::new();
        for (number, rule) in rules.iter().enumerate().filter(|(number, _)| is_possible[*number]) {
            choices.clear();
            let mut least = f32::INFINITY;
            let mut anchor = 0;
            for (place, &(machine, action)) in rule.parts.iter().enumerate() {
                let (local_edges, share) = self.local_edges.by(machine.index(), action);
                choices.push(local_edges);
                // The participant that is ready in the smallest share of its states is the anchor.
                if share < least {
                    (least, anchor) = (share, place);
                }
            }
            let n_before = self.instances.len();
            if choices.iter().all(|local_edges| !local_edges.is_empty()) {
                let mut cases = self.cases(number, rule);
                if choices.is_empty() {
                    self.file_command(number as u32, rule, &mut cases, n_left);
                } else {
                    self.expand(number as u32, rule, &mut cases, &mut choices, anchor, n_left);
                }
            }
            let n_instances = 1 + self.instances.len() - n_before;
            keep_on(WORK_PER_PART * (n_instances * (1 + rule.parts.len())) as u64)?;
        }
        Ok(CompiledMode { obstacles: obstacles::compile(self.space, self.mode, is_possible), ..self.file() })
    }

    /// Compiles the command of a rule.
    fn cases<'r>(&mut self, number: usize, rule: &'r Rule) -> Cases<'r> {
        // Without a command, a single case has no effect.
        let Some(command) = &rule.command else {
            return Cases { command: None, program: NO_PROGRAM, known: vec![(0, vec![Case::default()])] };
        };
        let space = self.space;
        let program = translate(&space.network.data, &space.cells, command);
        let n_rules = space.network.modes[self.mode.index()].rules.len();
        self.program_of_rule.resize(n_rules, NO_PROGRAM);
        self.program_of_rule[number] = self.programs.len() as u32;
        self.programs.push(program);
        Cases { command: Some(command), program: self.programs.len() as u32 - 1, known: Vec::new() }
    }

    /// The distinction of a command in at most `most` cases.
    fn at_most<'c>(&self, most: usize, cases: &'c mut Cases<'_>) -> &'c [Case] {
        let enough = cases.known.iter().position(|(limit, known)| known.len() <= most && most <= *limit || *limit == 0);
        let place = enough.unwrap_or_else(|| {
            let command = cases.command.expect("without one, everything is known");
            cases.known.push((most, decide::cases(&self.space.network.data, &self.space.cells, command, most)));
            cases.known.len() - 1
        });
        &cases.known[place].1
    }

    /// Adds the instances of a rule without participants.
    fn file_command(&mut self, number: u32, rule: &Rule, cases: &mut Cases<'_>, n_left: &mut usize) {
        let known = self.at_most(MAX_CASES.min(*n_left).max(1), cases);
        *n_left = n_left.saturating_sub(known.len());
        let (anchor, nothing) = (self.anchor_cell(known), self.n_holders() - 1);
        let (known, program) = (known.to_vec(), cases.program);
        for case in known {
            let Some(cell) = anchor else {
                self.instantiate((number, rule), &[], &case, program, (nothing, None));
                continue;
            };
            let place = case.tests.iter().position(|test| test.0 == cell).expect("all of them ask for it");
            for &value in &case.tests[place].1 {
                let mut case = case.clone();
                case.tests[place].1 = vec![value];
                let holder = self.space.fields.len() as u32 + cell;
                self.instantiate((number, rule), &[], &case, program, (holder, Some(value)));
            }
        }
    }

    /// The cell tested by all cases of which they allow the smallest share of values, if there is one.
    fn anchor_cell(&self, cases: &[Case]) -> Option<u32> {
        let n_values = |cell: u32| self.space.cells.get(cell).n_values();
        let is_tested = |cell: u32| cases.iter().all(|case| case.tests.iter().any(|test| test.0 == cell));
        let share = |cell: u32| {
            let tests = cases.iter().flat_map(|case| &case.tests).filter(|test| test.0 == cell);
            let mut values: Vec<u32> = tests.flat_map(|test| test.1.iter().copied()).collect();
            values.sort_unstable();
            values.dedup();
            values.len() as f64 / n_values(cell) as f64
        };
        let tested = cases.first()?.tests.iter().map(|test| test.0);
        let usable = tested.filter(|&cell| n_values(cell) <= MAX_FILED && is_tested(cell));
        usable.map(|cell| (share(cell), cell)).min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, cell)| cell)
    }

    /// The number of holders of index entries: machines, cells, and the one without a field.
    fn n_holders(&self) -> u32 {
        (self.space.fields.len() + self.space.cells.len()) as u32 + 1
    }

    /// The number of values of an indexed machine or cell, and its field.
    fn values(&self, holder: usize) -> (usize, Field) {
        match self.space.locals.get(holder) {
            Some(locals) => (locals.n_values() as usize, self.space.fields[holder]),
            None => {
                let cell = self.space.cells.get((holder - self.space.fields.len()) as u32);
                (cell.n_values() as usize, cell.field().expect("it is tested"))
            }
        }
    }

    /// Expands a rule for each state of its anchor, or keeps it unexpanded.
    fn expand(
        &mut self,
        number: u32,
        rule: &Rule,
        cases: &mut Cases<'_>,
        choices: &mut [&'a [LocalEdge]],
        anchor: usize,
        n_left: &mut usize,
    ) {
        let edges_of_anchor = choices[anchor];
        let by_state = || edges_of_anchor.chunk_by(|a, b| a.source == b.source);
        let n_of_others = choices.iter().enumerate().filter(|(place, _)| *place != anchor);
        let n_of_others = n_of_others.fold(1usize, |n, (_, local_edges)| n.saturating_mul(local_edges.len()));
        let most = by_state().map(<[LocalEdge]>::len).max().unwrap_or(0).saturating_mul(n_of_others);
        if most > self.sizes.max_per_state || edges_of_anchor.len().saturating_mul(n_of_others) > *n_left {
            self.unexpanded.push(UnexpandedRule { number, anchor: rule.parts[anchor] });
            return;
        }
        let machine = rule.parts[anchor].0;
        for local_edges in by_state() {
            choices[anchor] = local_edges;
            let n = local_edges.len() * n_of_others;
            let program = cases.program;
            let known = self.at_most((MAX_CASES.min(*n_left) / n).max(1), cases).to_vec();
            *n_left -= (n * known.len()).min(*n_left);
            for case in &known {
                self.instantiate((number, rule), choices, case, program, (machine.0, local_edges[0].source));
            }
        }
    }

    /// Adds an instance for each choice of an edge for each participant, in one case of the command.
    fn instantiate(
        &mut self,
        (number, rule): (u32, &Rule),
        choices: &[&[LocalEdge]],
        case: &Case,
        program: u32,
        (holder, state): (u32, Option<u32>),
    ) {
        let command = match case.ending {
            CaseOutcome::Known => self.instances.add_moves(&case.moves),
            CaseOutcome::Failed => Command::Fail,
            CaseOutcome::Open => Command::Run(program),
        };
        let kind = Kind { label: rule.shows, rule: RuleId(number), command };
        let n = choices.iter().map(|local_edges| local_edges.len()).product();
        for mut number in 0..n {
            self.draft.clear();
            for (&(machine, _), local_edges) in rule.parts.iter().zip(choices) {
                let local_edge = local_edges[number % local_edges.len()];
                number /= local_edges.len();
                let field = self.space.fields[machine.index()];
                local_edge.source.into_iter().for_each(|source| self.draft.test(field, source));
                local_edge.target.into_iter().for_each(|target| self.draft.assign(field, target));
            }
            for (cell, values) in &case.tests {
                let field = self.space.cells.get(*cell).field();
                field.into_iter().for_each(|field| self.draft.test_among(field, values));
            }
            case.sets.iter().for_each(|&(field, value)| self.draft.assign(field, value));
            case.moves.iter().for_each(|moved| self.draft.assign(moved.to, 0));
            if let Some(jump) = &rule.jump {
                // Instances belong to a mode, so they assign its field without a test.
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
        let (grouped, filed) = entries.split_at_mut(n_grouped);
        // Instances that test the same bits form groups. All sorting is stable here and preserves the order of rules.
        grouped.sort_by_cached_key(|entry| self.instances.first_bit(entry.number));
        filed.sort_by_key(Entry::anchor);
        let mut instances = std::mem::take(&mut self.instances);
        let (forks, order) = self.forks(&mut instances, n_grouped as u32, filed);
        let instances = instances.in_order(grouped.iter().map(|entry| entry.number).chain(order));
        let groups = Groups::new(&instances, n_grouped, self.space.n_words);
        let ModeCompiler { programs, program_of_rule, unexpanded, .. } = self;
        let unexpanded = UnexpandedRules::new(self.space, self.mode, unexpanded, self.sizes.max_tables);
        CompiledMode { instances, groups, forks, unexpanded, programs, program_of_rule, ..CompiledMode::default() }
    }

    /// Moves grouped instances before indexed ones; returns the number of the former.
    fn divide(&self, entries: &mut [Entry]) -> usize {
        let mut n_of_holder = vec![0; self.n_holders() as usize];
        entries.iter().for_each(|entry| n_of_holder[entry.holder as usize] += 1);
        let mut n_left = MAX_GROUPS * GROUP;
        // The holders with the fewest instances join the groups first.
        let mut holders: Vec<usize> = (0..n_of_holder.len()).collect();
        holders.sort_by_key(|&holder| n_of_holder[holder]);
        let mut is_grouped = vec![false; n_of_holder.len()];
        for holder in holders {
            let n = n_of_holder[holder];
            is_grouped[holder] = n <= self.sizes.max_grouped.min(n_left);
            n_left -= if is_grouped[holder] { n } else { 0 };
        }
        let is_filed = |entry: &Entry| {
            entry.state.is_some() && !is_grouped[entry.holder as usize]
                || !Groups::admit(&self.instances, entry.number as usize)
        };
        entries.sort_by_key(is_filed);
        entries.partition_point(|entry| !is_filed(entry))
    }

    /// Indexes entries that are sorted by holder and state; `first` is the number of the first instance.
    fn forks(&self, instances: &mut Instances, first: u32, filed: &[Entry]) -> (Forks, Vec<u32>) {
        let machines = self.space.fields.iter().zip(&self.space.locals);
        let machines = machines.map(|(field, locals)| (*field, u64::from(locals.n_values())));
        let cells = (0..self.space.cells.len() as u32).map(|cell| self.space.cells.get(cell));
        let cells = cells.filter_map(|cell| Some((cell.field()?, cell.n_values())));
        let fields = Fields::new(self.space.n_words, machines.chain(cells));
        let mut filing = Filing::new(&fields, instances, first);
        for entries in filed.chunk_by(|a, b| a.holder == b.holder && a.state.is_some() == b.state.is_some()) {
            // Entries for every value have a field without bits.
            let nothing = (1, Field { word: 0, shift: 0, width: 0 });
            let (n_values, field) = entries[0].state.map_or(nothing, |_| self.values(entries[0].holder as usize));
            let lists = entries.chunk_by(|a, b| a.state == b.state).map(|entries| {
                let numbers: Vec<u32> = entries.iter().map(|entry| entry.number).collect();
                (entries[0].state.unwrap_or(0), numbers)
            });
            filing.add_root(field, n_values, lists);
        }
        filing.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::program::Effect;
    use model::network::{Configuration, Network};
    use progress::NoProgress;
    use std::collections::BTreeSet;
    use test_support::data::{Taste, random_network_with_data, random_network_with_wide_data};
    use test_support::mutate::{Random, seed};

    /// The number of words, sufficient for all random networks of these tests.
    const W: usize = 8;

    fn near(network: &Network, most: usize) -> BTreeSet<Configuration> {
        let mut visited = BTreeSet::from([network.initial.clone()]);
        let mut open = vec![network.initial.clone()];
        while let Some(next) = open.pop().filter(|_| visited.len() < most) {
            let targets = network.steps(&next).into_iter().map(|step| step.target);
            open.extend(targets.filter(|target| visited.insert(target.clone())));
        }
        visited
    }

    /// Further states at the boundaries of cases: for each case an allowed state, in which one value is changed by one
    /// with probability one half.
    fn boundary_states(
        random: &mut Random,
        space: &NetworkSpace<'_>,
        cases: &[Case],
        states: &[[u64; W]],
    ) -> Vec<[u64; W]> {
        let put = |words: &mut [u64; W], cell: u32, value: u32| {
            space.cells.get(cell).field().into_iter().for_each(|field| field.set(words, value));
        };
        let mut found = Vec::new();
        for case in cases {
            let mut words = *random.pick(states);
            case.tests.iter().for_each(|(cell, values)| put(&mut words, *cell, *random.pick(values)));
            if space.cells.len() > 0 && random.below(2) == 0 {
                let cell = random.below(space.cells.len()) as u32;
                let n_values = space.cells.get(cell).n_values() as usize;
                put(&mut words, cell, random.below(n_values) as u32);
            }
            found.push(words);
        }
        found
    }

    /// The number of cases that test a large domain and have a known effect.
    fn n_of_many(space: &NetworkSpace<'_>, cases: &[Case]) -> usize {
        let is_one_of_many =
            |(cell, values): &(u32, Vec<u32>)| values.len() == 1 && space.cells.get(*cell).n_values() > 256;
        let has_known_effect = |case: &&Case| case.ending != CaseOutcome::Open && case.tests.iter().any(is_one_of_many);
        cases.iter().filter(has_known_effect).count()
    }

    /// The effect of the matching case in a state; none if the program has to be executed.
    fn effect_by_cases(
        cells: &crate::data::cells::Cells,
        cases: &[Case],
        words: &[u64; W],
    ) -> Option<(Effect, [u64; W])> {
        let allows = |(cell, values): &(u32, Vec<u32>)| {
            cells.get(*cell).field().is_none_or(|field| values.contains(&field.get(words)))
        };
        let mut possible = cases.iter().filter(|case| case.tests.iter().all(allows));
        let Some(case) = possible.next() else { return Some((Effect::Refused, *words)) };
        assert!(possible.next().is_none(), "two cases for one state");
        let mut after = *words;
        let mut put = |field: Field, value: u32| {
            let word = &mut after[field.word as usize];
            *word = *word & !field.mask() | field.place(value);
        };
        case.sets.iter().for_each(|&(field, value)| put(field, value));
        case.moves.iter().for_each(|moved| put(moved.to, moved.from.get(words).wrapping_add(moved.more)));
        match case.ending {
            CaseOutcome::Known => Some((Effect::Done, after)),
            CaseOutcome::Failed => Some((Effect::Failed, *words)),
            CaseOutcome::Open => None,
        }
    }

    #[test]
    fn cases_agree_with_programs() {
        let mut random = Random::new(seed());
        let (mut counts, mut n_open, mut n_of_many) = ([0; 3], 0, 0);
        for round in 0..800 {
            let taste = Taste { risk: 2 + random.below(12), is_plain: random.below(3) == 0 };
            let network = match random.below(2) {
                0 => random_network_with_wide_data(&mut random, taste),
                _ => random_network_with_data(&mut random, taste),
            };
            let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
            let states: Vec<[u64; W]> = near(&network, 60)
                .iter()
                .map(|configuration| {
                    let mut words = [0; W];
                    space.pack(configuration, &mut words);
                    words
                })
                .collect();
            // Writes of unreachable rules are not part of the states.
            let possible = super::super::trim::trim(&network, &Interruption::new(&NoProgress))
                .expect("it is never cancelled")
                .rules
                .concat();
            let rules = network.modes.iter().flat_map(|mode| &mode.rules).zip(possible).filter(|(_, is)| *is);
            for command in rules.filter_map(|(rule, _)| rule.command.as_deref()) {
                let program = translate(&network.data, &space.cells, command);
                let most = *random.pick(&[1, 2, 3, 8, 64, MAX_CASES]);
                let cases = decide::cases(&network.data, &space.cells, command, most);
                assert!(cases.len() <= most.max(1), "TEST_SEED={} round {round}: {} cases", seed(), cases.len());
                n_of_many += self::n_of_many(&space, &cases);
                let others = boundary_states(&mut random, &space, &cases, &states);
                for words in states.iter().chain(&others) {
                    let mut after = *words;
                    let mut registers = space.cells.between_steps().to_vec();
                    let effect = program.run(&space.cells, &mut after, &mut registers);
                    let after = if effect == Effect::Done { after } else { *words };
                    let Some(effect_by_cases) = effect_by_cases(&space.cells, &cases, words) else {
                        n_open += 1;
                        continue;
                    };
                    counts[effect as usize] += 1;
                    assert_eq!(effect_by_cases, (effect, after), "TEST_SEED={} round {round}: {command:?}", seed());
                }
            }
        }
        let is_rich = counts.iter().all(|&count| count > 300) && n_open > 300 && n_of_many > 50;
        assert!(is_rich, "too plain: {counts:?} {n_open} {n_of_many}");
    }
}
