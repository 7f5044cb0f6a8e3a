//! The waist of the hourglass: what front ends produce and engines consume.
//!
//! So far it holds the numbering of visible events, which every language and every engine shares.

mod events;

pub use events::{EventId, EventSet, EventTable};
