//! Source texts, places in them, and what there is to say about those places.
//!
//! All texts of one run share a single range of byte offsets, so a [`Span`] is two numbers and still knows its file:
//! [`SourceMap`] finds it again. A [`Diagnostic`] is data (a stable code, the fact, labelled places, help); the
//! rendering in [`render`] is the only place that turns one into text.

mod decode;
mod diagnostic;
mod map;
pub mod render;
pub mod suggest;

pub use decode::{Decoded, NotText, decode};
pub use diagnostic::{Diagnostic, Edit, Fix, Label, Phase, Severity};
pub use map::{Files, Position, SourceFile, SourceMap, Span};
