//! Pictures: transition systems as layered graphs, runs as message sequence charts.
//!
//! All functions map data to text. The same data gives the same bytes on every machine; there is no input and no
//! output, so that the command line, reports and web pages show the same pictures.
//!
//! The layer of a state is its breadth-first depth. So a step leads to the next layer, stays in its own, or goes back;
//! none skips a layer, and the height of a state in the picture is the length of a shortest run to it ([`graph`]).

pub mod chart;
pub mod graph;
mod svg;
mod text;
