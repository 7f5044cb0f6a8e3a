//! SVG output: numbers, escaped text, and the style that all pictures share.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Point of a picture.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// Distance to the right.
    pub x: f64,
    /// Distance down.
    pub y: f64,
}

impl Point {
    /// Point with these coordinates.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// Point at a fraction of the way to another one.
    pub(crate) fn toward(self, other: Point, part: f64) -> Point {
        Point::new(self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part)
    }

    pub(crate) fn distance(self, other: Point) -> f64 {
        let (x, y) = (other.x - self.x, other.y - self.y);
        (x * x + y * y).sqrt()
    }
}

/// Colors of events, for light and dark mode: each is legible on its background, and neighbors differ in lightness,
/// too.
const EVENT_COLORS: [(&str, &str); 8] = [
    ("#0b5cad", "#7ab8ff"),
    ("#a63a00", "#ffab70"),
    ("#1a6b2b", "#7ee09a"),
    ("#8a1c7c", "#f39be6"),
    ("#6b5200", "#e6c84f"),
    ("#00666b", "#5fd7dc"),
    ("#b3123f", "#ff94ac"),
    ("#4b3fb5", "#b8b0ff"),
];

/// Approximate width of a character, as fonts differ.
pub(crate) const CHAR_WIDTH: f64 = 7.0;

/// Approximate width of a text.
pub(crate) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHAR_WIDTH
}

/// Colors of channels, in the order of their first occurrence.
#[derive(Default)]
pub(crate) struct Colors {
    channels: BTreeMap<String, usize>,
}

impl Colors {
    pub(crate) fn of(&mut self, event: &str) -> usize {
        let channel = event.split('.').next().unwrap_or_default();
        let next = self.channels.len() % EVENT_COLORS.len();
        *self.channels.entry(channel.to_owned()).or_insert(next)
    }
}

/// Number with one decimal digit, if it needs it.
pub(crate) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let (sign, tenths) = if tenths < 0 { ("-", -tenths) } else { ("", tenths) };
    match tenths % 10 {
        0 => format!("{sign}{}", tenths / 10),
        digit => format!("{sign}{}.{digit}", tenths / 10),
    }
}

/// Text with the special characters of XML escaped, and forbidden characters replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(' '),
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Text truncated to a number of characters.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(longest.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// SVG document under construction.
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// Document of this size with this title; the rules style elements that only this kind of picture has.
    pub(crate) fn new(width: f64, height: f64, title: &str, rules: &Rules) -> Svg {
        let (width, height) = (number(width.ceil()), number(height.ceil()));
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\">\n<title>{}</title>\n<style>\n",
            escape(title)
        );
        text.push_str(&style(rules));
        let _ =
            write!(text, "</style>\n<g class=\"th\">\n<rect class=\"back\" width=\"{width}\" height=\"{height}\"/>\n");
        Svg { text }
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, element: &str) {
        self.text.push_str(element);
        self.text.push('\n');
    }

    /// Adds a text element.
    pub(crate) fn words(&mut self, at: Point, class: &str, text: &str) {
        let (x, y) = (number(at.x), number(at.y));
        let _ = writeln!(self.text, "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>", escape(text));
    }

    /// Completes the document.
    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</g>\n</svg>\n");
        self.text
    }
}

/// Style rules: common, for light mode, and for dark mode. All are scoped to this project's pictures.
pub(crate) struct Rules {
    pub(crate) always: &'static [(&'static str, &'static str)],
    pub(crate) light: &'static [(&'static str, &'static str)],
    pub(crate) dark: &'static [(&'static str, &'static str)],
}

const ALWAYS: &[(&str, &str)] = &[
    ("text", "font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:11.5px"),
    ("path,line", "fill:none"),
    (".m", "text-anchor:middle"),
    (".e", "text-anchor:end"),
    (".halo", "paint-order:stroke;stroke-width:3.5px;stroke-linejoin:round"),
    (".head", "font-size:13px"),
];
const LIGHT: &[(&str, &str)] = &[
    (".back", "fill:#ffffff"),
    ("text", "fill:#1b1f24"),
    (".pale", "fill:#5c6570"),
    (".halo", "stroke:#ffffff"),
    (".bad", "fill:#b3123f"),
];
const DARK: &[(&str, &str)] = &[
    (".back", "fill:#14171c"),
    ("text", "fill:#e6e9ee"),
    (".pale", "fill:#9aa4b1"),
    (".halo", "stroke:#14171c"),
    (".bad", "fill:#ff94ac"),
];

fn style(rules: &Rules) -> String {
    let mut text = String::new();
    write_rules(&mut text, ALWAYS.iter().chain(rules.always).copied());
    write_rules(&mut text, LIGHT.iter().chain(rules.light).copied());
    write_colors(&mut text, |(light, _)| light);
    text.push_str("@media (prefers-color-scheme:dark){\n");
    write_rules(&mut text, DARK.iter().chain(rules.dark).copied());
    write_colors(&mut text, |(_, dark)| dark);
    text.push_str("}\n");
    text
}

fn write_rules(text: &mut String, rules: impl Iterator<Item = (&'static str, &'static str)>) {
    for (what, how) in rules {
        let what: Vec<String> = what.split(',').map(|one| format!(".th {one}")).collect();
        let _ = writeln!(text, "{}{{{how}}}", what.join(","));
    }
}

/// Writes the color classes of events by number: `s` for strokes, `f` for fills.
fn write_colors(text: &mut String, choose: impl Fn((&'static str, &'static str)) -> &'static str) {
    for (place, &pair) in EVENT_COLORS.iter().enumerate() {
        let color = choose(pair);
        let _ = writeln!(text, ".th .s{place}{{stroke:{color}}}.th .f{place}{{fill:{color}}}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let values = [0.0, -0.04, 1.0, 1.25, -1.25, 12.34, 1e6];
        assert_eq!(values.map(number), ["0", "0", "1", "1.3", "-1.3", "12.3", "1000000"]);
    }

    #[test]
    fn names_do_no_harm() {
        assert_eq!(escape("a<b>&\"'\u{0}\u{1b}\n"), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}\u{fffd} ");
    }

    /// Contrast ratio of two colors, as defined by WCAG.
    fn contrast(one: &str, other: &str) -> f64 {
        let lightness = |color: &str| {
            let channel = |place: usize| {
                let value = f64::from(u8::from_str_radix(&color[place..place + 2], 16).unwrap()) / 255.0;
                if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
        };
        let (one, other) = (lightness(one) + 0.05, lightness(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn colors_are_legible_on_their_background() {
        for (light, dark) in EVENT_COLORS.into_iter().chain([("#1b1f24", "#e6e9ee"), ("#5c6570", "#9aa4b1")]) {
            assert!(contrast(light, "#ffffff") >= 4.5, "{light}: {}", contrast(light, "#ffffff"));
            assert!(contrast(dark, "#14171c") >= 4.5, "{dark}: {}", contrast(dark, "#14171c"));
        }
    }
}
