//! A graph as SVG.

use super::{Edge, Graph, Layout, MAX_BYTES, MAX_STATES, RADIUS, TooLarge};
use crate::svg::{Point, Rules, Svg, escape, number};
use crate::text::count;
use lts::StateId;
use std::fmt::Write;

const RULES: Rules = Rules {
    always: &[
        (".state", "stroke-width:1.4px"),
        (".edge", "stroke-width:1.3px"),
        (".silent", "stroke-dasharray:4 3"),
        (".way", "stroke-width:3px"),
        (".on", "stroke-width:3px"),
        (".frontier", "stroke-dasharray:3 3"),
        (".stuck", "stroke-width:2.6px"),
        (".number", "font-size:10px"),
        (".size", "font-size:9px"),
    ],
    light: &[
        (".state", "fill:#f3f5f8;stroke:#5c6570"),
        (".first", "fill:#1b1f24;stroke:#1b1f24"),
        (".first+text", "fill:#ffffff"),
        (".stuck", "stroke:#b3123f"),
        (".on", "stroke:#b3123f;fill:#ffe9ee"),
        (".first.on", "fill:#1b1f24"),
        (".edge,.silent,.start", "stroke:#5c6570"),
        (".tip", "fill:#5c6570"),
        (".way", "stroke:#b3123f"),
        (".tip.red", "fill:#b3123f"),
    ],
    dark: &[
        (".state", "fill:#222831;stroke:#9aa4b1"),
        (".first", "fill:#e6e9ee;stroke:#e6e9ee"),
        (".first+text", "fill:#14171c"),
        (".stuck", "stroke:#ff94ac"),
        (".on", "stroke:#ff94ac;fill:#3b1420"),
        (".first.on", "fill:#e6e9ee"),
        (".edge,.silent,.start", "stroke:#9aa4b1"),
        (".tip", "fill:#9aa4b1"),
        (".way", "stroke:#ff94ac"),
        (".tip.red", "fill:#ff94ac"),
    ],
};

impl Graph<'_> {
    /// Graph as SVG, if it has at most this many states.
    ///
    /// # Errors
    /// When there are too many states or edges.
    pub fn svg(&self, max_states: usize) -> Result<String, TooLarge> {
        let layout = Layout::new(self, max_states)?;
        let svg = self.picture(&layout);
        let n_states = layout.spots.iter().flatten().count();
        if svg.len() > MAX_BYTES { Err(TooLarge { n_states, n_edges: layout.edges.len() }) } else { Ok(svg) }
    }

    fn picture(&self, layout: &Layout) -> String {
        let n_states = layout.spots.iter().flatten().count();
        let title = format!("{}: {}, {}", self.title, count(n_states, "state"), count(layout.edges.len(), "edge"));
        let width = layout.width.max(crate::svg::text_width(&title) * 1.15 + 32.0);
        let mut svg = Svg::new(width, layout.height, &title, &RULES);
        svg.words(Point::new(12.0, 20.0), "head", &title);
        let on_way: Vec<bool> = self.on_way();
        // The highlighted run is drawn last, so that nothing covers it.
        for is_way in [false, true] {
            for edge in layout.edges.iter().filter(|edge| edge.numbers.is_empty() != is_way) {
                svg.line(&line(edge));
            }
        }
        for (place, spot) in layout.spots.iter().enumerate() {
            if let Some(spot) = spot {
                let state = StateId(place as u32);
                svg.line(&self.state(state, *spot, n_states, on_way[place], layout.depths[place].unwrap_or(0)));
            }
        }
        for edge in &layout.edges {
            if let Some(at) = edge.name_at {
                let color = match edge.color {
                    _ if !edge.numbers.is_empty() => " bad".to_owned(),
                    Some(color) => format!(" f{color}"),
                    None => String::new(),
                };
                svg.words(Point::new(at.x, at.y + 4.0), &format!("m halo{color}"), &edge.name);
            }
        }
        svg.finish()
    }

    fn on_way(&self) -> Vec<bool> {
        let mut on_way = vec![false; self.lts.n_states()];
        for (state, step) in self.way {
            on_way[state.index()] = true;
            on_way[step.target.index()] = true;
        }
        on_way
    }

    fn state(&self, state: StateId, at: Point, n_states: usize, is_on_way: bool, depth: usize) -> String {
        let is_stuck = self.lts.transitions(state).is_empty() && !self.lts.is_explicitly_divergent(state);
        let is_first = state == self.lts.initial();
        let is_frontier = self.frontier.contains(&state);
        let classes = [
            ("state", true),
            ("first", is_first),
            ("frontier", is_frontier),
            ("stuck", is_stuck && !is_frontier),
            ("on", is_on_way),
        ];
        let class: Vec<&str> = classes.iter().filter(|(_, is_so)| *is_so).map(|(class, _)| *class).collect();
        let (x, y) = (number(at.x), number(at.y));
        let has_names = n_states <= MAX_STATES;
        let about = self.about(state, has_names, is_stuck && !is_frontier, depth);
        let mut text = format!("<g><title>{}</title>", escape(&about));
        let radius = if has_names { RADIUS } else { RADIUS / 2.0 };
        let _ = write!(text, "<circle class=\"{}\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", class.join(" "), number(radius));
        if has_names {
            let _ = write!(text, "<text class=\"m number\" x=\"{x}\" y=\"{}\">{}</text>", number(at.y + 3.5), state.0);
        }
        if let Some(size) = self.sizes.and_then(|sizes| sizes.get(state.index())).filter(|&&size| size > 1) {
            let (x, y) = (number(at.x + RADIUS), number(at.y + RADIUS + 5.0));
            let _ = write!(text, "<text class=\"size pale halo\" x=\"{x}\" y=\"{y}\">×{size}</text>");
        }
        text.push_str("</g>");
        text
    }

    /// Tooltip of a state. State names are optional: thousands of long ones would be most of the picture.
    fn about(&self, state: StateId, has_names: bool, is_stuck: bool, depth: usize) -> String {
        let mut text = format!("state {}", state.0);
        let names = self.names.filter(|_| has_names);
        if let Some(name) = names.and_then(|names| names.get(state.index())) {
            let _ = write!(text, ": {name}");
        }
        let _ = write!(
            text,
            " ({}",
            if depth == 0 { "the start".to_owned() } else { count(depth, "step") + " from the start" }
        );
        if let Some(&size) = self.sizes.and_then(|sizes| sizes.get(state.index())) {
            let _ = write!(text, ", stands for {}", count(size, "state"));
        }
        text.push_str(if is_stuck { ", no steps)" } else { ")" });
        text
    }
}

fn line(edge: &Edge) -> String {
    let point = |point: Point| format!("{},{}", number(point.x), number(point.y));
    let [first, second] = edge.curve.bends;
    let path = format!("M{}C{} {} {}", point(edge.curve.start), point(first), point(second), point(edge.curve.end));
    let is_way = !edge.numbers.is_empty();
    let color =
        |letter: &str| edge.color.filter(|_| !is_way).map(|color| format!(" {letter}{color}")).unwrap_or_default();
    let class = if edge.is_silent { "edge silent" } else { "edge" };
    let way = if is_way { " way" } else { "" };
    let tip = edge.curve.head().map(point).join(" ");
    let red = if is_way { " red" } else { "" };
    let about = format!("{} → {}: {}", edge.source.0, edge.target.0, edge.labels.join(", "));
    format!(
        "<g><title>{}</title><path class=\"{class}{way}{}\" d=\"{path}\"/><polygon class=\"tip{red}{}\" points=\"{tip}\"/></g>",
        escape(&about),
        color("s"),
        color("f"),
    )
}
