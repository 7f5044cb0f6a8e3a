//! Options of a formula: its dialect and the runs it is about.

use super::errors;
use ltl::syntax::Dialect;
use property::{Condition, Divergence, FiniteRuns, Notion, ReductionKind, Rules, Termination, View};
use source::{Diagnostic, Span};

/// Options of a formula; None stands for the default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Choices {
    /// Whose rules it is read by.
    pub dialect: Option<Dialect>,
    /// The view: the meaning of a position of a run.
    pub view: Option<View>,
    /// The treatment of finite runs.
    pub finite_runs: Option<FiniteRuns>,
    /// The treatment of divergence.
    pub divergence: Option<Divergence>,
    /// The treatment of termination.
    pub termination: Option<Termination>,
    /// Which runs are fair.
    pub fairness: Option<Fair>,
    /// Whether runs count that take infinitely many steps in bounded time.
    pub zeno: Option<Zeno>,
    /// The reduction that is allowed.
    pub reduce: Option<Reduce>,
}

/// Whether Zeno runs count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Zeno {
    /// They are runs like others.
    Counted,
    /// They are ignored. Finite runs are not.
    Excluded,
}

/// How a system is made smaller for a claim or a formula that cannot see it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reduce {
    /// Not at all.
    None,
    /// By whatever pays, if anything does. For formulas nothing is tried yet unless it is named.
    Auto,
    /// By leaving out orders of steps.
    PartialOrder,
    /// By taking states for each other in which only the roles of components are exchanged.
    Symmetry,
}

impl Reduce {
    /// The reduction, if one is named.
    pub fn kind(self) -> Option<ReductionKind> {
        match self {
            Reduce::None | Reduce::Auto => None,
            Reduce::PartialOrder => Some(ReductionKind::PartialOrder),
            Reduce::Symmetry => Some(ReductionKind::Symmetry),
        }
    }
}

/// Notions of fairness that need no formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fair {
    /// All runs.
    None,
    /// Weak fairness of events.
    EventWeak,
    /// Strong fairness of events.
    EventStrong,
    /// Weak fairness of processes.
    ProcessWeak,
    /// Strong fairness of processes.
    ProcessStrong,
    /// Strong fairness of every single step.
    Global,
    /// Events that the script marks, as it marks them.
    Annotated,
}

impl Fair {
    /// The fairness it demands of a run.
    pub fn condition(self) -> Option<Condition> {
        self.notion().map(Notion::condition)
    }

    /// As those who decide know it.
    pub fn notion(self) -> Option<Notion> {
        Some(match self {
            Fair::None => return None,
            Fair::EventWeak => Notion::EventWeak,
            Fair::EventStrong => Notion::EventStrong,
            Fair::ProcessWeak => Notion::ProcessWeak,
            Fair::ProcessStrong => Notion::ProcessStrong,
            Fair::Global => Notion::Global,
            Fair::Annotated => Notion::Annotated,
        })
    }
}

/// A choice as it is written with an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The chosen options with their places.
    pub name: (String, Span),
    /// The word for the choice, and where it stands.
    pub value: (String, Span),
}

impl Choices {
    /// Makes one choice by its name and the word for it, as assertions and command lines write them.
    ///
    /// # Errors
    /// The words that would do: names if the name is unknown, otherwise values.
    pub fn choose(&mut self, name: &str, value: &str) -> Result<(), String> {
        fn pick<T: Copy>(place: &mut Option<T>, words: &[(&str, T)], value: &str) -> Result<(), String> {
            *place = words.iter().find(|(word, _)| *word == value).map(|(_, choice)| *choice);
            match place {
                Some(_) => Ok(()),
                None => Err(listed(words.iter().map(|(word, _)| *word))),
            }
        }
        match name {
            "dialect" => pick(&mut self.dialect, DIALECTS, value),
            "view" => pick(&mut self.view, VIEWS, value),
            "finite-runs" => pick(&mut self.finite_runs, FINITE_RUNS, value),
            "divergence" => pick(&mut self.divergence, DIVERGENCE, value),
            "termination" => pick(&mut self.termination, TERMINATION, value),
            "fair" | "fairness" => pick(&mut self.fairness, FAIRNESS, value),
            "zeno" => pick(&mut self.zeno, ZENO, value),
            "reduce" => pick(&mut self.reduce, REDUCE, value),
            _ => Err(listed(NAMES.iter().copied())),
        }
    }

    /// The words that there are for a choice, none for an unknown name.
    pub fn words(name: &str) -> Vec<&'static str> {
        fn all<T>(words: &'static [(&'static str, T)]) -> Vec<&'static str> {
            words.iter().map(|(word, _)| *word).collect()
        }
        match name {
            "dialect" => all(DIALECTS),
            "view" => all(VIEWS),
            "finite-runs" => all(FINITE_RUNS),
            "divergence" => all(DIVERGENCE),
            "termination" => all(TERMINATION),
            "fair" | "fairness" => all(FAIRNESS),
            "zeno" => all(ZENO),
            "reduce" => all(REDUCE),
            _ => Vec::new(),
        }
    }

    /// The choices in the options of an assertion.
    pub(super) fn of_options(options: &[Setting]) -> Result<Choices, Vec<Diagnostic>> {
        let mut choices = Choices::default();
        let mut diagnostics = Vec::new();
        for (index, Setting { name, value }) in options.iter().enumerate() {
            if let Err(words) = choices.choose(&name.0, &value.0) {
                let is_name = NAMES.contains(&name.0.as_str()) || name.0 == "fairness";
                let (text, span) = if is_name { value } else { name };
                diagnostics.push(errors::unknown_choice(text, is_name.then_some(name.0.as_str()), &words, *span));
            }
            if options[..index].iter().any(|earlier| earlier.name.0 == name.0) {
                diagnostics.push(errors::repeated_choice(&name.0, name.1));
            }
        }
        if diagnostics.is_empty() { Ok(choices) } else { Err(diagnostics) }
    }

    /// These choices, and those of others where nothing is chosen here.
    pub fn or(self, others: Choices) -> Choices {
        Choices {
            dialect: self.dialect.or(others.dialect),
            view: self.view.or(others.view),
            finite_runs: self.finite_runs.or(others.finite_runs),
            divergence: self.divergence.or(others.divergence),
            termination: self.termination.or(others.termination),
            fairness: self.fairness.or(others.fairness),
            zeno: self.zeno.or(others.zeno),
            reduce: self.reduce.or(others.reduce),
        }
    }

    /// The choices for a formula of branching time, with remarks about options without meaning there.
    pub(super) fn for_branching(mut self) -> (Choices, Vec<&'static str>) {
        let mut remarks = Vec::new();
        if self.fairness.take().and_then(Fair::condition).is_some() {
            remarks.push("CTL knows no fairness, so `--fairness` does not count for this formula");
        }
        if self.zeno.take() == Some(Zeno::Excluded) {
            remarks.push("CTL is about states, so `--zeno` does not count for this formula");
        }
        if self.view.take() == Some(View::Trace) {
            remarks.push("CTL is about states, so `--view` does not count for this formula");
        }
        if self.finite_runs.take().is_some_and(|rule| rule != FiniteRuns::Maximal) {
            remarks.push("CTL takes runs that end as they are, so `--finite-runs` does not count for this formula");
        }
        (self, remarks)
    }

    /// The rules, given the view and the dialect of the formula.
    pub(super) fn rules(self, view: View, dialect: Dialect) -> Rules {
        let usual = Rules::of(view);
        // Spin and PAT let the last state go on.
        let finite_runs = match dialect {
            Dialect::Spin | Dialect::SpinCommand | Dialect::Pat => FiniteRuns::Stutter,
            Dialect::ProB | Dialect::Csp => usual.finite_runs,
        };
        Rules {
            view,
            finite_runs: self.finite_runs.unwrap_or(finite_runs),
            divergence: self.divergence.unwrap_or(usual.divergence),
            termination: self.termination.unwrap_or(usual.termination),
        }
    }
}

const NAMES: &[&str] = &["dialect", "view", "finite-runs", "divergence", "termination", "fair", "zeno", "reduce"];
const DIALECTS: &[(&str, Dialect)] = &[
    ("csp", Dialect::Csp),
    ("prob", Dialect::ProB),
    ("spin", Dialect::Spin),
    ("spin-command", Dialect::SpinCommand),
    ("pat", Dialect::Pat),
];
const VIEWS: &[(&str, View)] = &[("trace", View::Trace), ("step", View::Step)];
const FINITE_RUNS: &[(&str, FiniteRuns)] =
    &[("maximal", FiniteRuns::Maximal), ("stutter", FiniteRuns::Stutter), ("ignore", FiniteRuns::Ignore)];
const DIVERGENCE: &[(&str, Divergence)] = &[
    ("report", Divergence::Report),
    ("ignore", Divergence::Ignore),
    ("as-deadlock", Divergence::AsDeadlock),
    ("error", Divergence::Error),
];
const TERMINATION: &[(&str, Termination)] = &[("as-deadlock", Termination::AsDeadlock), ("event", Termination::Event)];
const FAIRNESS: &[(&str, Fair)] = &[
    ("none", Fair::None),
    ("event-weak", Fair::EventWeak),
    ("WEF", Fair::EventWeak),
    ("event-strong", Fair::EventStrong),
    ("SEF", Fair::EventStrong),
    ("process-weak", Fair::ProcessWeak),
    ("process-strong", Fair::ProcessStrong),
    ("global", Fair::Global),
    ("annotated", Fair::Annotated),
];
const ZENO: &[(&str, Zeno)] = &[("counted", Zeno::Counted), ("excluded", Zeno::Excluded)];
const REDUCE: &[(&str, Reduce)] = &[
    ("none", Reduce::None),
    ("auto", Reduce::Auto),
    ("partial-order", Reduce::PartialOrder),
    ("symmetry", Reduce::Symmetry),
];

fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
