//! Maps from the states of a system to those of a smaller one.

use crate::{Lts, StateId};

/// A partial function from the states of one system to those of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateMap {
    images: Vec<u32>,
}

impl StateMap {
    /// Marks a state that has no image: it is unreachable, or was removed.
    pub(crate) const NONE: u32 = u32::MAX;

    pub(crate) fn from_images(images: Vec<u32>) -> StateMap {
        StateMap { images }
    }

    /// The image of a state, if it has one.
    pub fn get(&self, state: StateId) -> Option<StateId> {
        self.images.get(state.index()).filter(|&&image| image != StateMap::NONE).map(|&image| StateId(image))
    }

    /// The composition: this map, then another one.
    pub fn then(mut self, next: &StateMap) -> StateMap {
        for image in &mut self.images {
            if *image != StateMap::NONE {
                *image = next.images[*image as usize];
            }
        }
        self
    }
}

/// A system made from another one, with the images of the old states.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The new system, its states numbered breadth first from the initial one.
    pub lts: Lts,
    /// From the states of the old system to those of the new one.
    pub map: StateMap,
}

impl Reduced {
    /// Composes the map after `earlier`.
    pub(crate) fn after(self, earlier: StateMap) -> Reduced {
        Reduced { map: earlier.then(&self.map), lts: self.lts }
    }
}
