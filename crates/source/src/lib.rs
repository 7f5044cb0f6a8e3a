//! Source texts, spans and diagnostics.
//!
//! All texts of a run share a single range of byte offsets, so a [`Span`] is two numbers and still determines its file:
//! [`SourceMap`] finds it. A [`Diagnostic`] is data (a stable code, the fact, labelled places, suggestions); [`render`]
//! is the only place that turns it into text.

mod decode;
mod diagnostic;
mod map;
pub mod render;
pub mod suggest;

pub use decode::{Decoded, NotText, decode};
pub use diagnostic::{Diagnostic, Edit, Fix, Label, Phase, Severity};
pub use map::{Files, Position, SourceFile, SourceMap, Span};
