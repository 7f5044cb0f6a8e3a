//! Orbits of a group as a union-find structure: Tarjan (1975), *Efficiency of a good but not linear set union
//! algorithm*.

/// A partition of numbers; the representative of a class is its smallest member.
#[derive(Clone)]
pub(super) struct Orbits {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Orbits {
    /// The partition into singletons.
    pub(super) fn new(n: u32) -> Orbits {
        Orbits { parent: (0..n).collect(), size: vec![1; n as usize] }
    }

    /// The smallest member of an orbit.
    pub(super) fn smallest(&mut self, mut point: u32) -> u32 {
        while self.parent[point as usize] != point {
            let above = self.parent[self.parent[point as usize] as usize];
            self.parent[point as usize] = above;
            point = above;
        }
        point
    }

    /// The number of members of the orbit of a point.
    pub(super) fn size(&mut self, point: u32) -> u32 {
        let smallest = self.smallest(point);
        self.size[smallest as usize]
    }

    /// Unites two orbits.
    pub(super) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.smallest(one), self.smallest(other));
        if one != other {
            let (low, high) = (one.min(other), one.max(other));
            self.parent[high as usize] = low;
            self.size[low as usize] += self.size[high as usize];
        }
    }
}
