//! The Aldebaran format, which most tools for transition systems support.
//!
//! ```text
//! des (0,3,2)
//! (0,"coin",1)
//! (1,tau,1)
//! (1,"tea",0)
//! ```
//!
//! The header has the initial state and the numbers of steps and states; each further line is one step. Tools differ in
//! spaces, in quotes around labels and in the name of the silent step (`tau` or `i`); all of these are accepted. The
//! labels `tick` and `✓` are successful termination. The writer uses the dialect above, with `tick`.

mod line;
mod read;
mod recent;
mod word;
mod write;

pub use read::{Expected, ReadError, Reader, read};
pub use write::write;
