//! Transition systems as graphs in layers.
//!
//! Layers are breadth-first depths ([`layers`]). Within a layer, states are ordered by the middle of their neighbors, and pulled towards
//! them without changing the order ([`spots`]). Steps between the same two states are one edge ([`edges`]); their names are put
//! where least is in the way ([`names`]).

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

/// A system to be drawn.
#[derive(Clone, Copy)]
pub struct Graph<'a> {
    /// What it is called.
    pub title: &'a str,
    /// The system.
    pub lts: &'a Lts,
    /// What labels are called.
    pub label_name: &'a dyn Fn(Label) -> String,
    /// What states are, if somebody knows.
    pub names: Option<&'a [String]>,
    /// How many states of another system each state stands for, if it was made of one.
    pub sizes: Option<&'a [usize]>,
    /// A run to be shown, from the initial state: the state before each step, and the step.
    pub way: &'a [(StateId, Transition)],
    /// States that have steps which are not drawn.
    pub frontier: &'a [StateId],
}

/// That a system has too much to be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// How many states it has.
    pub n_states: usize,
    /// How many pairs of states have steps between them.
    pub n_edges: usize,
}

/// A system with a place for everything.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// Where each state stands; nothing for those that cannot be reached.
    pub spots: Vec<Option<Point>>,
    /// How many steps each state is from the start.
    pub depths: Vec<Option<usize>>,
    /// The edges, by source, then by target.
    pub edges: Vec<Edge>,
}

impl Layout {
    /// Finds a place for everything, if there are no more states than these; names are left out of what is too large to be read.
    ///
    /// # Errors
    /// When there is too much to be looked at.
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

    /// Moves everything so that nothing lies outside, and measures it.
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
        // A row of dots would be finer than a pen: places are whole tenths.
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

/// How large a state is drawn.
pub const RADIUS: f64 = 11.0;
