//! Transition systems as layered graphs.
//!
//! Layers are breadth-first depths ([`layers`]). Within a layer, states are ordered by the barycenters of their
//! neighbors, and moved towards them without changing the order ([`spots`]). Steps between the same two states are one
//! edge ([`edges`]); labels are placed where they overlap least ([`names`]).

mod curves;
mod edges;
mod layers;
mod names;
mod picture;
mod spots;
mod tree;

pub use crate::svg::Point;
pub use curves::Curve;
pub use edges::Edge;
pub use limits::display::graphs::{MAX_BYTES, MAX_EDGES, MAX_OVERVIEW_STATES, MAX_STATES};

use lts::{Label, Lts, StateId, Transition};

/// System to be drawn.
#[derive(Clone, Copy)]
pub struct Graph<'a> {
    /// Title of the picture.
    pub title: &'a str,
    /// Transition system.
    pub lts: &'a Lts,
    /// Names of labels.
    pub label_name: &'a dyn Fn(Label) -> String,
    /// Names of states, if known.
    pub names: Option<&'a [String]>,
    /// Number of original states in each state, if the system is a quotient.
    pub sizes: Option<&'a [usize]>,
    /// Highlighted run, from the initial state: the state before each step, and the step.
    pub way: &'a [(StateId, Transition)],
    /// States with steps that are not drawn.
    pub frontier: &'a [StateId],
}

/// Error for a system that is too large for a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// Number of states.
    pub n_states: usize,
    /// Number of pairs of states with steps between them.
    pub n_edges: usize,
}

/// Layout of a system.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
    /// Position of each state; `None` for unreachable ones.
    pub spots: Vec<Option<Point>>,
    /// Breadth-first depth of each state.
    pub depths: Vec<Option<usize>>,
    /// Edges, by source, then by target.
    pub edges: Vec<Edge>,
}

impl Layout {
    /// Computes the layout of a system with at most this many states; large systems get no labels.
    ///
    /// # Errors
    /// When there are too many states or edges.
    pub fn new(graph: &Graph<'_>, max_states: usize) -> Result<Layout, TooLarge> {
        let depths = layers::depths(graph.lts);
        let n_states = depths.iter().flatten().count();
        let mut edges = edges::merged(graph, &depths);
        let is_read = n_states <= MAX_STATES && edges.len() <= MAX_EDGES;
        if n_states > max_states.min(MAX_OVERVIEW_STATES) || max_states <= MAX_STATES && edges.len() > MAX_EDGES {
            return Err(TooLarge { n_states, n_edges: edges.len() });
        }
        let widest = edges.iter().map(|edge| crate::svg::text_width(&edge.name)).fold(0.0, f64::max);
        let gaps = if is_read { spots::Gaps::for_names(widest) } else { spots::Gaps::SMALL };
        let rows = layers::rows(graph.lts, &depths, &edges);
        let spots = spots::place(&rows, &edges, &depths, gaps);
        curves::bend(&mut edges, &spots, &depths);
        if is_read {
            names::place(&mut edges, &spots);
        }
        let mut layout = Layout { width: 0.0, height: 0.0, spots, depths, edges };
        layout.move_into_sight();
        Ok(layout)
    }

    /// Translates the picture to nonnegative coordinates, and measures it.
    fn move_into_sight(&mut self) {
        const MARGIN: f64 = 16.0;
        const TOP: f64 = 46.0;
        let states = self.spots.iter().flatten().map(|&spot| (spot, RADIUS + 2.0, RADIUS + 2.0));
        let lines = self.edges.iter().flat_map(|edge| edge.curve.points()).map(|point| (point, 1.0, 1.0));
        let names = self.edges.iter().filter_map(|edge| Some((edge.name_at?, edge.name_width() / 2.0, 8.0)));
        let (mut low, mut high) = (Point::new(f64::MAX, f64::MAX), Point::new(f64::MIN, f64::MIN));
        for (point, x, y) in states.chain(lines).chain(names) {
            low = Point::new(low.x.min(point.x - x), low.y.min(point.y - y));
            high = Point::new(high.x.max(point.x + x), high.y.max(point.y + y));
        }
        // The offsets are integers, so that coordinates keep their fractions.
        let by = Point::new(MARGIN - low.x.floor(), TOP - low.y.floor());
        let moved = |point: &mut Point| *point = Point::new(point.x + by.x, point.y + by.y);
        self.spots.iter_mut().flatten().for_each(moved);
        for edge in &mut self.edges {
            edge.curve.points_mut().for_each(moved);
            edge.name_at.iter_mut().for_each(moved);
        }
        self.width = high.x + by.x + MARGIN;
        self.height = high.y + by.y + MARGIN;
    }
}

/// Radius of a state.
pub const RADIUS: f64 = 11.0;
