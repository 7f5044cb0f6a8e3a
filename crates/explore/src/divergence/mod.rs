//! Divergence: going on silently for ever.
//!
//! In a finite system that is a cycle of silent steps. Often there is a simple reason why there can be none. Around a
//! cycle of the network, each machine that moves goes around a cycle of its own, by edges that silent rules use. Edges
//! on no such cycle can be left out, then rules that need them, then further edges, and if nothing remains there is no
//! divergence ([`may_diverge`]).
//!
//! Otherwise the states met by a search are looked at one by one, in the order of their depth, by a depth-first search
//! of silent steps ([`first_divergence`]). A state that has been left behind does not diverge, so the first state from
//! which a cycle is found is one with the least depth.

mod cycle;
mod structure;

pub(crate) use cycle::first_divergence;
pub(crate) use structure::may_diverge;
