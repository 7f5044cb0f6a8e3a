//! Placement of edge labels: on their curves, with the least overlap.

use super::{Edge, Point, RADIUS};
use std::collections::HashMap;

/// Curve parameters at which a label may be placed, the best first.
const PARTS: [f64; 7] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78];
/// Half of the height of a label.
const HALF_HEIGHT: f64 = 7.0;
/// Cell size of the grid that finds nearby areas.
const SQUARE: f64 = 64.0;

/// Covered rectangle.
#[derive(Clone, Copy)]
struct Area {
    low: Point,
    high: Point,
}

impl Area {
    fn around(middle: Point, x: f64, y: f64) -> Area {
        Area { low: Point::new(middle.x - x, middle.y - y), high: Point::new(middle.x + x, middle.y + y) }
    }

    fn overlap(&self, other: &Area) -> f64 {
        let x = self.high.x.min(other.high.x) - self.low.x.max(other.low.x);
        let y = self.high.y.min(other.high.y) - self.low.y.max(other.low.y);
        if x > 0.0 && y > 0.0 { x * y } else { 0.0 }
    }

    fn squares(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let square = |at: f64| (at / SQUARE).floor() as i64;
        let (left, right) = (square(self.low.x), square(self.high.x));
        let (top, bottom) = (square(self.low.y), square(self.high.y));
        (left..=right).flat_map(move |x| (top..=bottom).map(move |y| (x, y)))
    }
}

/// All covered rectangles.
#[derive(Default)]
struct Covered {
    areas: Vec<Area>,
    by_square: HashMap<(i64, i64), Vec<usize>>,
}

impl Covered {
    fn add(&mut self, area: Area) {
        for square in area.squares() {
            self.by_square.entry(square).or_default().push(self.areas.len());
        }
        self.areas.push(area);
    }

    /// Overlap of a rectangle with the covered ones.
    fn overlap(&self, area: &Area) -> f64 {
        let mut near: Vec<usize> =
            area.squares().filter_map(|square| self.by_square.get(&square)).flatten().copied().collect();
        near.sort_unstable();
        near.dedup();
        near.into_iter().map(|place| self.areas[place].overlap(area)).sum()
    }
}

/// Places each label, those of the highlighted run first, because readers look for them.
pub(super) fn place(edges: &mut [Edge], spots: &[Option<Point>]) {
    let mut covered = Covered::default();
    for spot in spots.iter().flatten() {
        covered.add(Area::around(*spot, RADIUS, RADIUS));
    }
    let mut order: Vec<usize> = (0..edges.len()).filter(|&place| !edges[place].name.is_empty()).collect();
    order.sort_by_key(|&place| (edges[place].numbers.is_empty(), place));
    for place in order {
        let edge = &edges[place];
        let half_width = edge.name_width() / 2.0;
        let parts: &[f64] = if edge.source == edge.target { &PARTS[..3] } else { &PARTS };
        let spot = |&part: &f64| {
            let on_line = edge.curve.at(part);
            match edge.curve.bow() {
                _ if edge.source == edge.target => Point::new(on_line.x + half_width + 3.0, on_line.y),
                // A label on a horizontal curve would be crossed out.
                Some(bow) => Point::new(on_line.x, on_line.y + if bow > 0.0 { 8.0 } else { -7.0 }),
                None => on_line,
            }
        };
        let cost = |(place, &at): (usize, &Point)| {
            covered.overlap(&Area::around(at, half_width + 1.0, HALF_HEIGHT)) + place as f64 * 4.0
        };
        let spots: Vec<Point> = parts.iter().map(spot).collect();
        let costs: Vec<f64> = spots.iter().enumerate().map(cost).collect();
        let best = (0..spots.len()).min_by(|&left, &right| costs[left].total_cmp(&costs[right])).unwrap_or(0);
        covered.add(Area::around(spots[best], half_width, HALF_HEIGHT));
        edges[place].name_at = Some(spots[best]);
    }
}
