//! The alphabet of a system.

use lts::Label;

/// The labels of a system, as far as they are known.
#[derive(Clone, Debug)]
pub struct Occurring {
    /// Labels that occur or may occur, each once.
    pub labels: Vec<Label>,
    /// Whether there are no others.
    pub are_all: bool,
}
