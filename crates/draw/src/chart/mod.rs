//! Runs as charts: a line for each component, steps from above, a bar between those who take a step together.
//!
//! Steps that nobody sees are dashed; those that repeat for ever are framed; at the end stands who waits for what. Where a formula is
//! about the run, what is true of its parts stands beside the steps.

pub use limits::display::charts::MAX_STEPS;
use limits::display::components::MAX_ROWS;

mod picture;
mod writing;

/// A run to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What is wrong with it, in a few lines.
    pub ending: Vec<String>,
    /// Who takes part.
    pub components: Vec<Lifeline>,
    /// What happens.
    pub steps: Vec<Step>,
    /// Where the steps begin that are repeated for ever.
    pub repeated_from: Option<usize>,
    /// What is true beside each step.
    pub truths: Vec<Truth>,
    /// The step beside which a formula becomes false however the run goes on; the number of steps if that is at the end.
    pub sealed: Option<usize>,
    /// Components that wait for one another, each for the next and the last for the first.
    pub circle: Vec<usize>,
}

/// A component in time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lifeline {
    /// What it is called.
    pub name: String,
    /// What it waits for at the end.
    pub waits: Option<String>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// What it shows.
    pub event: String,
    /// The event behind it, if it is silent and one is hidden.
    pub hidden: Option<String>,
    /// Whether nobody sees it.
    pub is_silent: bool,
    /// Who takes part, each with its own event.
    pub parts: Vec<(usize, String)>,
}

impl Step {
    /// What is written beside it.
    fn name(&self) -> String {
        match &self.hidden {
            Some(hidden) => format!("τ ({hidden})"),
            None if self.is_silent => "τ".to_owned(),
            None => self.event.clone(),
        }
    }
}

/// A part of a formula, and where it is true: for each step, and behind the last one. Nothing where it is not asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Truth {
    /// The part.
    pub formula: String,
    /// What it is before the first step, where that belongs to no step.
    pub at_start: Option<bool>,
    /// What it is at each place.
    pub values: Vec<Option<bool>>,
}

/// What is shown of a chart.
struct Shown {
    /// The components, by number.
    columns: Vec<usize>,
    /// How many components are left out.
    n_others: usize,
    /// The first step.
    first: usize,
}

impl Chart {
    fn shown(&self) -> Shown {
        let first = self.steps.len().saturating_sub(MAX_STEPS);
        let mut is_used = vec![false; self.components.len()];
        for (component, _) in self.steps[first..].iter().flat_map(|step| &step.parts) {
            is_used[*component] = true;
        }
        for &component in &self.circle {
            is_used[component] = true;
        }
        let all: Vec<usize> = (0..self.components.len()).collect();
        let columns: Vec<usize> = if self.components.len() <= MAX_ROWS {
            all
        } else {
            all.into_iter().filter(|&component| is_used[component]).collect()
        };
        Shown { n_others: self.components.len() - columns.len(), columns, first }
    }

    /// Whether what is true before the first step is shown.
    fn has_start(&self, shown: &Shown) -> bool {
        shown.first == 0 && self.truths.iter().any(|truth| truth.at_start.is_some())
    }

    /// Whether a step is one of those that repeat.
    fn repeats(&self, step: usize) -> bool {
        self.repeated_from.is_some_and(|start| step >= start)
    }

    /// Who waits for whom in a circle, in words.
    fn circle_text(&self) -> Option<String> {
        let names: Vec<&str> = self.circle.iter().map(|&component| self.components[component].name.as_str()).collect();
        let first = names.first()?;
        Some(format!("in a circle, each waits for the next: {} → {first}", names.join(" → ")))
    }

    /// What is written below the chart.
    fn remarks(&self, shown: &Shown) -> Vec<String> {
        let mut remarks = self.ending.clone();
        remarks.extend(self.circle_text());
        if shown.n_others > 0 {
            remarks.push(format!("{} do nothing here", crate::text::count(shown.n_others, "other component")));
        }
        remarks
    }
}

/// Letters for parts of a formula, whose names are long.
fn letter(place: usize) -> String {
    let letters = ["p", "q", "r", "s", "t", "u", "v", "w"];
    match place / letters.len() {
        0 => letters[place].to_owned(),
        round => format!("{}{round}", letters[place % letters.len()]),
    }
}
