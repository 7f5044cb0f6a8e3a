//! Searches that are suspended while a network is compiled further.

use crate::check::Searching;
use crate::translation::{Layout, Translation};
use crate::width::TooWide;

/// A suspended search, without its network.
pub struct SuspendedSearch {
    pub(crate) layout: Layout,
    pub(crate) search: Box<dyn Searching>,
    pub(crate) n_before_cycles: u64,
}

impl SuspendedSearch {
    /// The search in the layout of a network that has grown.
    pub(crate) fn continued(self, layout: &Layout) -> Result<Box<dyn Searching>, TooWide> {
        match Translation::between(&self.layout, layout) {
            None => Ok(self.search),
            Some(translation) => self.search.translated(&translation, layout.n_words),
        }
    }
}
