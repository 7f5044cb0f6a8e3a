//! Names to definitions.

mod names;

pub use names::{Name, NameId, NameKind, PatName, Resolved};
