//! Curves of edges.

use super::{Edge, Point, RADIUS};

/// Length of an arrowhead.
const HEAD: f64 = 7.0;

/// Cubic Bézier curve from one state to another, up to the tip of its arrow.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Curve {
    /// Start point.
    pub start: Point,
    /// Control points.
    pub bends: [Point; 2],
    /// End point.
    pub end: Point,
}

impl Curve {
    pub(super) fn points(&self) -> [Point; 4] {
        // Control points are off the curve, which comes three quarters of the way to them.
        [self.start, self.at(0.25), self.at(0.75), self.end]
    }

    pub(super) fn points_mut(&mut self) -> impl Iterator<Item = &mut Point> {
        let Curve { start, bends: [first, second], end } = self;
        [start, first, second, end].into_iter()
    }

    /// Point at a parameter of the curve.
    pub fn at(&self, part: f64) -> Point {
        let (start, [first, second], end) = (self.start, self.bends, self.end);
        let (a, b, c) = (start.toward(first, part), first.toward(second, part), second.toward(end, part));
        a.toward(b, part).toward(b.toward(c, part), part)
    }

    /// Vertical deviation of a curve whose ends have the same height.
    pub(super) fn bow(&self) -> Option<f64> {
        ((self.start.y - self.end.y).abs() < 1.0).then(|| self.bends[0].y - self.start.y)
    }

    /// Corners of the arrowhead.
    pub fn head(&self) -> [Point; 3] {
        let back = self.at(0.94);
        let length = back.distance(self.end).max(0.01);
        let along = Point::new((self.end.x - back.x) / length, (self.end.y - back.y) / length);
        let base = Point::new(self.end.x - along.x * HEAD, self.end.y - along.y * HEAD);
        let aside = Point::new(-along.y * HEAD * 0.45, along.x * HEAD * 0.45);
        [self.end, Point::new(base.x + aside.x, base.y + aside.y), Point::new(base.x - aside.x, base.y - aside.y)]
    }
}

/// Assigns a curve to each edge.
pub(super) fn bend(edges: &mut [Edge], spots: &[Option<Point>], depths: &[Option<usize>]) {
    let (mut left, mut right) = (f64::MAX, f64::MIN);
    for spot in spots.iter().flatten() {
        left = left.min(spot.x);
        right = right.max(spot.x);
    }
    let middle = (left + right) / 2.0;
    for edge in edges {
        let (Some(from), Some(to)) = (spots[edge.source.index()], spots[edge.target.index()]) else { continue };
        let (depth, next) = (depths[edge.source.index()].unwrap_or(0), depths[edge.target.index()].unwrap_or(0));
        edge.curve = match () {
            () if edge.source == edge.target => round(from),
            () if next > depth => down(from, to),
            () if from.y == to.y => along(from, to),
            () => back(from, to, middle),
        };
    }
}

/// Curve to a state in a lower layer.
fn down(from: Point, to: Point) -> Curve {
    let drop = to.y - from.y;
    let start = border(from, Point::new(from.x + (to.x - from.x) * 0.3, to.y));
    let end = border(to, Point::new(to.x + (from.x - to.x) * 0.3, from.y));
    let bends = [Point::new(start.x, from.y + drop * 0.45), Point::new(end.x, to.y - drop * 0.45)];
    Curve { start, bends, end }
}

/// Curve to a state in the same row: to the right it passes below, to the left above.
fn along(from: Point, to: Point) -> Curve {
    let width = (to.x - from.x).abs();
    let height = (14.0 + width * 0.14).min(44.0);
    let by = if to.x > from.x { height } else { -height };
    let third = (to.x - from.x) * 0.25;
    let bends = [Point::new(from.x + third, from.y + by), Point::new(to.x - third, to.y + by)];
    Curve { start: border(from, bends[0]), bends, end: border(to, bends[1]) }
}

/// Curve to a state in a higher layer, on the side that is nearer to the border of the picture.
fn back(from: Point, to: Point, middle: f64) -> Curve {
    let side = if (from.x + to.x) / 2.0 < middle - 1.0 { -1.0 } else { 1.0 };
    let height = (from.y - to.y).abs();
    let out = 22.0 + height * 0.22;
    let edge = if side > 0.0 { from.x.max(to.x) } else { from.x.min(to.x) };
    // Ends that are far apart already distinguish the curve from a downward one.
    let reach = |x: f64| x + (edge - x) * 0.35 + side * out;
    let bends = [Point::new(reach(from.x), from.y - height * 0.2), Point::new(reach(to.x), to.y + height * 0.2)];
    Curve { start: border(from, bends[0]), bends, end: border(to, bends[1]) }
}

/// Self-loop, on the right of the state.
fn round(at: Point) -> Curve {
    let bends = [Point::new(at.x + 34.0, at.y - 26.0), Point::new(at.x + 38.0, at.y + 12.0)];
    Curve { start: border(at, bends[0]), bends, end: border(at, bends[1]) }
}

/// Intersection of a state's outline with the line from its center to a point.
fn border(state: Point, toward: Point) -> Point {
    let distance = state.distance(toward).max(0.01);
    state.toward(toward, (RADIUS + 1.0) / distance)
}
