//! Pictures: transition systems as graphs in layers, runs as charts of components in time.
//!
//! Everything here is a function from data to text. The same data gives the same bytes, on every machine; nothing is read and nothing is
//! written, so that the command line, reports and web pages show the same pictures.
//!
//! A state stands in the layer that is as many steps from the start as a shortest run to it. So a step leads to the next layer, stays in
//! its own, or goes back; none jumps over a layer, and the depth of a state in the picture means something ([`graph`]).

pub mod chart;
pub mod graph;
mod svg;
mod text;
