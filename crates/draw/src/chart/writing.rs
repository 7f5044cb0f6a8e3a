//! A chart as text.

use super::{Chart, Shown, letter};
use crate::text::{count, cut};
use limits::display::charts::{LONGEST_WRITTEN_EVENT, LONGEST_WRITTEN_NAME};
use std::fmt::Write;

impl Chart {
    /// Chart as text, as wide as it needs to be.
    pub fn text(&self) -> String {
        let shown = self.shown();
        let names: Vec<String> = shown
            .columns
            .iter()
            .map(|&component| cut(&self.components[component].name, LONGEST_WRITTEN_NAME))
            .collect();
        let widths: Vec<usize> = names.iter().map(|name| name.chars().count() + 2).collect();
        let events =
            self.steps[shown.first..].iter().map(|step| cut(&step.name(), LONGEST_WRITTEN_EVENT).chars().count());
        let grid = Grid { event: events.max().unwrap_or(0).max("waits for".len()), widths };
        let mut text = String::new();
        if shown.first > 0 {
            let _ = writeln!(text, "... {} before", count(shown.first, "step"));
        }
        grid.write_heads(&mut text, self, &names);
        self.write_start(&mut text, &shown, &grid);
        for place in shown.first..self.steps.len() {
            if self.repeated_from == Some(place) {
                grid.write_frame(&mut text, "┌", " for ever ");
            }
            grid.write_step(&mut text, self, &shown, place);
        }
        if self.repeated_from.is_some() {
            grid.write_frame(&mut text, "└", "");
        }
        self.write_end(&mut text, &shown, &grid);
        text
    }

    /// Writes the values before the first step, if they are shown.
    fn write_start(&self, text: &mut String, shown: &Shown, grid: &Grid) {
        if !self.has_start(shown) {
            return;
        }
        let mut line = format!("     {:<width$} ", "start", width = grid.event);
        line.push_str(&" ".repeat(grid.widths.iter().sum()));
        for (number, truth) in self.truths.iter().enumerate() {
            let sign = truth.at_start.map_or(" ", |value| if value { "●" } else { "·" });
            let _ = write!(line, " {sign:<width$}", width = letter(number).chars().count().max(2));
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }

    fn write_end(&self, text: &mut String, shown: &Shown, grid: &Grid) {
        if self.truths.iter().any(|truth| truth.values.get(self.steps.len()).is_some_and(Option::is_some)) {
            let mut line = format!("     {:<width$} ", "end", width = grid.event);
            line.push_str(&" ".repeat(grid.widths.iter().sum()));
            self.write_truths(&mut line, self.steps.len());
            let _ = writeln!(text, "{}", line.trim_end());
        }
        for &column in &shown.columns {
            let component = &self.components[column];
            if let Some(waits) = &component.waits {
                let _ =
                    writeln!(text, "     {} waits for {}", cut(&component.name, LONGEST_WRITTEN_NAME), cut(waits, 60));
            }
        }
        for (place, truth) in self.truths.iter().enumerate() {
            let _ = writeln!(text, "     {}: {}", letter(place), truth.formula);
        }
        for remark in self.remarks(shown) {
            let _ = writeln!(text, "     {remark}");
        }
    }

    /// Writes the truth values at a position.
    fn write_truths(&self, line: &mut String, place: usize) {
        for (number, truth) in self.truths.iter().enumerate() {
            let is_sealed = number == 0 && self.sealed == Some(place);
            let sign = match truth.values.get(place).copied().flatten() {
                Some(true) => "●",
                Some(false) if is_sealed => "○",
                Some(false) => "·",
                None => " ",
            };
            let _ = write!(line, " {sign:<width$}", width = letter(number).chars().count().max(2));
        }
    }
}

/// Column widths.
struct Grid {
    event: usize,
    widths: Vec<usize>,
}

impl Grid {
    fn write_heads(&self, text: &mut String, chart: &Chart, names: &[String]) {
        let mut line = format!("     {:width$} ", "", width = self.event);
        for (name, &width) in names.iter().zip(&self.widths) {
            let _ = write!(line, "{name:^width$}");
        }
        for place in 0..chart.truths.len() {
            let _ = write!(line, " {:<2}", letter(place));
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }

    fn write_step(&self, text: &mut String, chart: &Chart, shown: &Shown, place: usize) {
        let step = &chart.steps[place];
        let side = if chart.repeats(place) { "│" } else { " " };
        let name = cut(&step.name(), LONGEST_WRITTEN_EVENT);
        let mut line = format!("{side}{:>3} {name:<width$} ", place + 1, width = self.event);
        let takes = |column: &usize| step.parts.iter().any(|(component, _)| component == column);
        let first = shown.columns.iter().position(takes);
        let last = shown.columns.iter().rposition(takes);
        for (number, (column, &width)) in shown.columns.iter().zip(&self.widths).enumerate() {
            let is_in =
                |place: usize| first.is_some_and(|first| first <= place) && last.is_some_and(|last| place < last);
            let bar = if step.is_silent { '╌' } else { '─' };
            let before = if number > 0 && is_in(number - 1) { bar } else { ' ' };
            let after = if is_in(number) { bar } else { ' ' };
            let sign = match takes(column) {
                true => '●',
                false if is_in(number) => '┼',
                false => '│',
            };
            // As in `{:^width$}`, an odd blank goes to the right.
            let left = (width - 1) / 2;
            line.extend(std::iter::repeat_n(before, left));
            line.push(sign);
            line.extend(std::iter::repeat_n(after, width - 1 - left));
        }
        chart.write_truths(&mut line, place);
        let _ = writeln!(text, "{}", line.trim_end());
    }

    fn write_frame(&self, text: &mut String, corner: &str, word: &str) {
        let width = 4 + self.event + self.widths.iter().sum::<usize>();
        let rest = width.saturating_sub(word.chars().count());
        let _ = writeln!(text, "{corner}─{word}{}", "─".repeat(rest));
    }
}
