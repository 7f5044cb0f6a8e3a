//! A chart as SVG.

use super::{Chart, Shown, Step, letter};
use crate::svg::{Colors, Point, Rules, Svg, escape, number, shortened, text_width};
use crate::text::count;
use limits::display::charts::{LONGEST_DRAWN_EVENT, LONGEST_DRAWN_NAME, LONGEST_DRAWN_WAIT};

const ROW: f64 = 28.0;
const MARGIN: f64 = 16.0;
/// Top of the lifelines.
const TOP: f64 = 74.0;
/// Width of a column with truth values.
const TRUTH: f64 = 26.0;

const RULES: Rules = Rules {
    always: &[
        (".life", "stroke-width:1.2px"),
        (".bar", "stroke-width:2.4px"),
        (".dash", "stroke-dasharray:5 3"),
        (".box", "stroke-width:1.2px"),
        (".frame", "fill:none;stroke-width:1.4px;stroke-dasharray:7 4"),
        (".dot", "stroke:none"),
        (".open", "stroke-width:1.4px"),
        (".own", "font-size:10px"),
        (".number", "font-size:10px"),
    ],
    light: &[
        (".life", "stroke:#b5bdc8"),
        (".box", "fill:#f3f5f8;stroke:#5c6570"),
        (".grey", "stroke:#5c6570"),
        (".dot.grey", "fill:#5c6570"),
        (".frame", "stroke:#8a1c7c"),
        (".loop", "fill:#8a1c7c"),
        (".open", "fill:#ffffff;stroke:#5c6570"),
        (".open.red", "stroke:#b3123f;fill:#ffe9ee"),
    ],
    dark: &[
        (".life", "stroke:#4a5462"),
        (".box", "fill:#222831;stroke:#9aa4b1"),
        (".grey", "stroke:#9aa4b1"),
        (".dot.grey", "fill:#9aa4b1"),
        (".frame", "stroke:#f39be6"),
        (".loop", "fill:#f39be6"),
        (".open", "fill:#14171c;stroke:#9aa4b1"),
        (".open.red", "stroke:#ff94ac;fill:#3b1420"),
    ],
};

/// Coordinates of the parts of a chart.
struct Places {
    /// Centers of the columns.
    columns: Vec<f64>,
    /// Left edge of the truth values.
    truths: f64,
    width: f64,
    /// Bottom of the lifelines.
    bottom: f64,
    height: f64,
}

impl Chart {
    /// Chart as SVG.
    pub fn svg(&self) -> String {
        let shown = self.shown();
        let remarks = self.remarks(&shown);
        let places = self.places(&shown, &remarks);
        let about = format!("{}: a run of {}", self.title, count(self.steps.len(), "step"));
        let mut svg = Svg::new(places.width, places.height, &about, &RULES);
        svg.words(Point::new(12.0, 20.0), "head", &self.title);
        if shown.first > 0 {
            let words = format!("… {} before", count(shown.first, "step"));
            svg.words(Point::new(12.0, 36.0), "pale", &words);
        }
        self.draw_lifelines(&mut svg, &shown, &places);
        self.draw_frame(&mut svg, &shown, &places);
        let mut colors = Colors::default();
        for place in shown.first..self.steps.len() {
            self.draw_step(&mut svg, &shown, &places, &mut colors, place);
        }
        self.draw_truths(&mut svg, &shown, &places);
        self.draw_waits(&mut svg, &shown, &places);
        let below = places.height - MARGIN - (remarks.len() + self.truths.len()) as f64 * 17.0;
        let legend =
            self.truths.iter().enumerate().map(|(place, truth)| format!("{}: {}", letter(place), truth.formula));
        for (place, words) in legend.chain(remarks).enumerate() {
            svg.words(Point::new(12.0, below + (place + 1) as f64 * 17.0 - 4.0), "", &words);
        }
        svg.finish()
    }

    fn places(&self, shown: &Shown, remarks: &[String]) -> Places {
        let name = |step: &Step| text_width(&shortened(&step.name(), LONGEST_DRAWN_EVENT));
        let left = self.steps[shown.first..].iter().map(name).fold(60.0, f64::max) + MARGIN + 44.0;
        let mut at = left + 12.0;
        let mut columns = Vec::new();
        for &column in &shown.columns {
            let component = &self.components[column];
            let name = text_width(&shortened(&component.name, LONGEST_DRAWN_NAME)) + 14.0;
            let waits = component.waits.as_ref().map_or(0.0, |waits| text_width(&shortened(waits, LONGEST_DRAWN_WAIT)));
            let width = name.max(waits).max(64.0) + 14.0;
            columns.push(at + width / 2.0);
            at += width;
        }
        let truths = at + 14.0;
        let width = truths + self.truths.len() as f64 * TRUTH + MARGIN;
        let words =
            remarks.iter().chain(self.truths.iter().map(|truth| &truth.formula)).map(|words| text_width(words) + 30.0);
        let title = text_width(&self.title) * 1.15;
        let width = words.fold(width.max(title + 30.0), |widest, words| widest.max(words + MARGIN));
        let has_end = usize::from(self.has_end());
        let bottom = self.top(shown) + (self.steps.len() - shown.first + has_end) as f64 * ROW + 22.0;
        let waits = if self.components.iter().any(|component| component.waits.is_some()) { 40.0 } else { 6.0 };
        let height = bottom + waits + (remarks.len() + self.truths.len()) as f64 * 17.0 + MARGIN;
        Places { columns, truths, width, bottom, height }
    }

    /// Whether a subformula has a value after the last step.
    fn has_end(&self) -> bool {
        self.truths.iter().any(|truth| truth.values.get(self.steps.len()).is_some_and(Option::is_some))
    }

    fn draw_lifelines(&self, svg: &mut Svg, shown: &Shown, places: &Places) {
        for (&x, &column) in places.columns.iter().zip(&shown.columns) {
            let component = &self.components[column];
            let name = shortened(&component.name, LONGEST_DRAWN_NAME);
            let width = text_width(&name) + 14.0;
            let (at, end) = (number(x), number(places.bottom));
            svg.line(&format!("<line class=\"life\" x1=\"{at}\" y1=\"58\" x2=\"{at}\" y2=\"{end}\"/>"));
            svg.line(&format!(
                "<g><title>{}</title><rect class=\"box\" x=\"{}\" y=\"36\" width=\"{}\" height=\"22\" rx=\"3\"/>\
                 <text class=\"m\" x=\"{at}\" y=\"51\">{}</text></g>",
                escape(&component.name),
                number(x - width / 2.0),
                number(width),
                escape(&name),
            ));
        }
    }

    /// Draws the frame around the loop.
    fn draw_frame(&self, svg: &mut Svg, shown: &Shown, places: &Places) {
        let Some(start) = self.repeated_from else { return };
        let top = self.top(shown) + start.saturating_sub(shown.first) as f64 * ROW - 11.0;
        let bottom = self.top(shown) + (self.steps.len() - shown.first) as f64 * ROW - 13.0;
        let right = places.truths + self.truths.len() as f64 * TRUTH - 4.0;
        svg.line(&format!(
            "<rect class=\"frame\" x=\"6\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
            number(top),
            number(right - 2.0),
            number((bottom - top).max(ROW - 4.0)),
        ));
        svg.words(Point::new(12.0, bottom.max(top + ROW - 4.0) + 13.0), "loop number halo", "for ever");
    }

    fn draw_step(&self, svg: &mut Svg, shown: &Shown, places: &Places, colors: &mut Colors, place: usize) {
        let step = &self.steps[place];
        let y = self.top(shown) + (place - shown.first) as f64 * ROW;
        let color = if step.is_silent { None } else { Some(colors.of(&step.event)) };
        let (stroke, fill) = match color {
            Some(color) => (format!("s{color}"), format!("f{color}")),
            None => ("grey".to_owned(), "grey".to_owned()),
        };
        let dash = if step.is_silent { " dash" } else { "" };
        let spots: Vec<(f64, &str)> = shown
            .columns
            .iter()
            .zip(&places.columns)
            .filter_map(|(column, &x)| {
                let part = step.parts.iter().find(|(component, _)| component == column)?;
                Some((x, part.1.as_str()))
            })
            .collect();
        let about = self.about(place);
        let mut text = format!("<g><title>{}</title>", escape(&about));
        if let (Some((first, _)), Some((last, _))) = (spots.first(), spots.last()) {
            let (first, last, y) = (number(*first), number(*last), number(y));
            text.push_str(&format!(
                "<line class=\"bar {stroke}{dash}\" x1=\"{first}\" y1=\"{y}\" x2=\"{last}\" y2=\"{y}\"/>"
            ));
        }
        let shown_name = step.hidden.as_ref().unwrap_or(&step.event);
        for (x, own) in &spots {
            let (at, up) = (number(*x), number(y));
            text.push_str(&format!("<circle class=\"dot {fill}\" cx=\"{at}\" cy=\"{up}\" r=\"5\"/>"));
            if *own != shown_name.as_str() && *own != "tau" {
                let (at, up) = (number(x + 8.0), number(y - 4.0));
                let own = escape(&shortened(own, 16));
                text.push_str(&format!("<text class=\"own pale halo\" x=\"{at}\" y=\"{up}\">{own}</text>"));
            }
        }
        text.push_str("</g>");
        svg.line(&text);
        svg.words(Point::new(38.0, y + 4.0), "e pale number", &(place + 1).to_string());
        let name_class = if step.is_silent { "pale halo".to_owned() } else { format!("halo {fill}") };
        svg.words(Point::new(46.0, y + 4.0), &name_class, &shortened(&step.name(), LONGEST_DRAWN_EVENT));
    }

    fn about(&self, place: usize) -> String {
        let step = &self.steps[place];
        let names = step.parts.iter().map(|(component, own)| {
            let name = &self.components[*component].name;
            if *own == step.event { name.clone() } else { format!("{name} by {own}") }
        });
        let names: Vec<String> = names.collect();
        let by = if names.is_empty() { String::new() } else { format!(", by {}", names.join(" and ")) };
        let again = if self.repeats(place) { ", again and again" } else { "" };
        format!("step {}: {}{by}{again}", place + 1, step.name())
    }

    /// Vertical position of the first step: below the initial position, if a subformula has a value there.
    fn top(&self, shown: &Shown) -> f64 {
        if self.has_start(shown) { TOP + ROW } else { TOP }
    }

    /// Draws the values before the first step.
    fn draw_start(&self, svg: &mut Svg, shown: &Shown, places: &Places) {
        if !self.has_start(shown) {
            return;
        }
        svg.words(Point::new(46.0, TOP + 4.0), "pale", "start");
        for (number_of, truth) in self.truths.iter().enumerate() {
            let Some(value) = truth.at_start else { continue };
            let (at, up) = (number(places.truths + (number_of as f64 + 0.5) * TRUTH), number(TOP));
            let (class, size) = if value { ("dot grey", 5) } else { ("open", 4) };
            let about = escape(&format!("{} is {value} here", truth.formula));
            svg.line(&format!(
                "<g><title>{about}</title><circle class=\"{class}\" cx=\"{at}\" cy=\"{up}\" r=\"{size}\"/></g>"
            ));
        }
    }

    fn draw_truths(&self, svg: &mut Svg, shown: &Shown, places: &Places) {
        for (number_of, truth) in self.truths.iter().enumerate() {
            let x = places.truths + (number_of as f64 + 0.5) * TRUTH;
            let (at, name) = (number(x), escape(&letter(number_of)));
            svg.line(&format!(
                "<g><title>{}</title><text class=\"m\" x=\"{at}\" y=\"51\">{name}</text></g>",
                escape(&truth.formula)
            ));
            for place in shown.first..=self.steps.len() {
                let Some(value) = truth.values.get(place).copied().flatten() else { continue };
                let y = self.top(shown) + (place - shown.first) as f64 * ROW;
                let is_sealed = number_of == 0 && self.sealed == Some(place);
                let about = format!("{} is {value} here", truth.formula);
                let sign = match value {
                    true => format!("<circle class=\"dot grey\" cx=\"{at}\" cy=\"{}\" r=\"5\"/>", number(y)),
                    false => {
                        let red = if is_sealed { " red" } else { "" };
                        format!("<circle class=\"open{red}\" cx=\"{at}\" cy=\"{}\" r=\"4\"/>", number(y))
                    }
                };
                svg.line(&format!("<g><title>{}</title>{sign}</g>", escape(&about)));
            }
        }
        self.draw_start(svg, shown, places);
        if self.has_end() {
            let y = self.top(shown) + (self.steps.len() - shown.first) as f64 * ROW;
            svg.words(Point::new(46.0, y + 4.0), "pale", "end");
        }
    }

    fn draw_waits(&self, svg: &mut Svg, shown: &Shown, places: &Places) {
        for (&x, &column) in places.columns.iter().zip(&shown.columns) {
            let Some(waits) = &self.components[column].waits else { continue };
            let class = if self.circle.contains(&column) { "m bad" } else { "m pale" };
            let (at, first, second) = (number(x), number(places.bottom + 14.0), number(places.bottom + 29.0));
            svg.line(&format!(
                "<g><title>{} waits for {}</title><text class=\"m pale own\" x=\"{at}\" y=\"{first}\">waits for</text>\
                 <text class=\"{class}\" x=\"{at}\" y=\"{second}\">{}</text></g>",
                escape(&self.components[column].name),
                escape(waits),
                escape(&shortened(waits, LONGEST_DRAWN_WAIT)),
            ));
        }
    }
}
