//! Runs as message sequence charts: a lifeline for each component, steps from the top down, a bar between the
//! participants of a step.
//!
//! Internal steps are dashed; the loop is framed; the end shows which component waits for which. For a violated
//! formula, the truth values of its subformulas stand beside the steps.

pub use limits::display::charts::MAX_STEPS;
use limits::display::components::MAX_ROWS;

mod picture;
mod writing;

/// Chart of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chart {
    /// Title of the chart.
    pub title: String,
    /// Description of the violation, in a few lines.
    pub ending: Vec<String>,
    /// Components that participate.
    pub components: Vec<Lifeline>,
    /// Steps of the run.
    pub steps: Vec<Step>,
    /// First step of the loop.
    pub repeated_from: Option<usize>,
    /// Truth values of subformulas.
    pub truths: Vec<Truth>,
    /// Step at which the run becomes a bad prefix: every continuation violates the formula; the number of steps if that
    /// is the last state.
    pub sealed: Option<usize>,
    /// Cycle of waiting components: each waits for the next, and the last for the first.
    pub circle: Vec<usize>,
}

/// Lifeline of a component.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lifeline {
    /// Name of the component.
    pub name: String,
    /// Events that it waits for at the end.
    pub waits: Option<String>,
}

/// Step of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// Event of the step.
    pub event: String,
    /// Hidden event, if the step is internal because of hiding.
    pub hidden: Option<String>,
    /// Whether the step is internal.
    pub is_silent: bool,
    /// Participating components, each with its own event.
    pub parts: Vec<(usize, String)>,
}

impl Step {
    /// Label of the step.
    fn name(&self) -> String {
        match &self.hidden {
            Some(hidden) => format!("τ ({hidden})"),
            None if self.is_silent => "τ".to_owned(),
            None => self.event.clone(),
        }
    }
}

/// Subformula with its value at each step and after the last one; `None` where it is not evaluated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Truth {
    /// Subformula as text.
    pub formula: String,
    /// Value before the first step, where no step shows it.
    pub at_start: Option<bool>,
    /// Value at each position.
    pub values: Vec<Option<bool>>,
}

/// Part of a chart that is shown.
struct Shown {
    /// Components, by number.
    columns: Vec<usize>,
    /// Number of omitted components.
    n_others: usize,
    /// First step.
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

    /// Whether values before the first step are shown.
    fn has_start(&self, shown: &Shown) -> bool {
        shown.first == 0 && self.truths.iter().any(|truth| truth.at_start.is_some())
    }

    /// Whether a step is in the loop.
    fn repeats(&self, step: usize) -> bool {
        self.repeated_from.is_some_and(|start| step >= start)
    }

    /// Cycle of waiting components, in words.
    fn circle_text(&self) -> Option<String> {
        let names: Vec<&str> = self.circle.iter().map(|&component| self.components[component].name.as_str()).collect();
        let first = names.first()?;
        Some(format!("in a circle, each waits for the next: {} → {first}", names.join(" → ")))
    }

    /// Remarks below the chart.
    fn remarks(&self, shown: &Shown) -> Vec<String> {
        let mut remarks = self.ending.clone();
        remarks.extend(self.circle_text());
        if shown.n_others > 0 {
            remarks.push(format!("{} do nothing here", crate::text::count(shown.n_others, "other component")));
        }
        remarks
    }
}

/// Letter that abbreviates a subformula.
fn letter(place: usize) -> String {
    let letters = ["p", "q", "r", "s", "t", "u", "v", "w"];
    match place / letters.len() {
        0 => letters[place].to_owned(),
        round => format!("{}{round}", letters[place % letters.len()]),
    }
}
