//! Images of inhibitors under automorphisms.

use super::automorphism::Automorphism;
use super::exact::images_of_parts;
use model::network::{Inhibitor, Network, Way};
use std::borrow::Cow;
use std::collections::HashMap;

/// A numbering of the inhibitors of a network up to equivalence.
pub(super) struct Meanings {
    known: HashMap<Vec<Meaning>, u32>,
    /// The number of each inhibitor.
    own: Vec<u32>,
}

/// The participants of an alternative, and the numbers of its own inhibitors.
type Meaning = (Vec<[u32; 2]>, Vec<u32>);

impl Meanings {
    pub(super) fn of(network: &Network) -> Meanings {
        let mut meanings = Meanings { known: HashMap::new(), own: Vec::new() };
        for obstacle in &network.obstacles {
            let next = meanings.known.len() as u32;
            let meaning = meaning(obstacle, &Automorphism::default(), &meanings.own);
            meanings.own.push(*meanings.known.entry(meaning).or_insert(next));
        }
        meanings
    }

    /// The numbers of all inhibitors.
    pub(super) fn own(&self) -> &[u32] {
        &self.own
    }

    /// The numbers of their images; none if one of these is no inhibitor of the network.
    ///
    /// By induction, an image is active in the image of a configuration exactly if the inhibitor is active in the
    /// configuration.
    pub(super) fn images(&self, obstacles: &[Inhibitor], automorphism: &Automorphism) -> Option<Cow<'_, [u32]>> {
        let moves = |way: &Way| way.parts.iter().any(|part| automorphism.move_of(part.0.0).is_some());
        if !obstacles.iter().flat_map(|obstacle| &obstacle.ways).any(moves) {
            return Some(Cow::Borrowed(&self.own));
        }
        let mut images = Vec::with_capacity(obstacles.len());
        for obstacle in obstacles {
            images.push(*self.known.get(&meaning(obstacle, automorphism, &images))?);
        }
        Some(Cow::Owned(images))
    }
}

/// The image of an inhibitor, given the numbers of the earlier ones.
fn meaning(obstacle: &Inhibitor, automorphism: &Automorphism, before: &[u32]) -> Vec<Meaning> {
    let way = |way: &Way| {
        let mut unless: Vec<u32> = way.unless.iter().map(|other| before[other.index()]).collect();
        unless.sort_unstable();
        unless.dedup();
        (images_of_parts(&way.parts, automorphism), unless)
    };
    let mut ways: Vec<Meaning> = obstacle.ways.iter().map(way).collect();
    ways.sort_unstable();
    ways.dedup();
    ways
}
