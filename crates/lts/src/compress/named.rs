//! Compressions by name.

use crate::{Lts, Model, Stop, Watch, bisimulation, compress, draw, normal};

/// A function on processes that changes the transition system, usually without changing the behavior.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Compression {
    Normal,
    LazyNorm,
    Explicate,
    LazyEnumerate,
    Diamond,
    SBisim,
    WBisim,
    DBisim,
    TauLoopFactor,
    ModelCompress,
    Chase,
    ChaseNoCache,
    Deter,
}

impl Compression {
    /// Its name in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Normal => "normal",
            Compression::LazyNorm => "lazynorm",
            Compression::Explicate => "explicate",
            Compression::LazyEnumerate => "lazyenumerate",
            Compression::Diamond => "diamond",
            Compression::SBisim => "sbisim",
            Compression::WBisim => "wbisim",
            Compression::DBisim => "dbisim",
            Compression::TauLoopFactor => "tau_loop_factor",
            Compression::ModelCompress => "model_compress",
            Compression::Chase => "chase",
            Compression::ChaseNoCache => "chase_nocache",
            Compression::Deter => "deter",
        }
    }

    /// All of them.
    pub const ALL: [Compression; 13] = [
        Compression::Normal,
        Compression::LazyNorm,
        Compression::Explicate,
        Compression::LazyEnumerate,
        Compression::Diamond,
        Compression::SBisim,
        Compression::WBisim,
        Compression::DBisim,
        Compression::TauLoopFactor,
        Compression::ModelCompress,
        Compression::Chase,
        Compression::ChaseNoCache,
        Compression::Deter,
    ];

    /// Whether it resolves choices, so that the result need not be equivalent.
    pub fn selects(self) -> bool {
        matches!(self, Compression::Chase | Compression::ChaseNoCache | Compression::Deter)
    }

    /// The compressed system, with explicit acceptances drawn as silent choices. The preserved behavior depends on the
    /// model.
    ///
    /// # Errors
    /// When the watch ends it.
    pub fn apply(self, lts: Lts, model: Model, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
        let reduced = match self {
            Compression::SBisim => bisimulation::strong(&lts, watch)?.lts,
            Compression::DBisim => bisimulation::delay(&lts, watch)?.lts,
            Compression::WBisim => bisimulation::weak(&lts, watch)?.lts,
            Compression::TauLoopFactor => compress::tau_loop_factor(&lts, watch)?.lts,
            // Elimination of silent steps and normal forms do not preserve models finer than failures.
            Compression::Diamond if model.sees_revivals() => bisimulation::weak(&lts, watch)?.lts,
            Compression::Normal | Compression::LazyNorm if model.tests_refusals() => {
                bisimulation::weak(&lts, watch)?.lts
            }
            Compression::Diamond => compress::diamond(&lts, watch)?.lts,
            Compression::Chase | Compression::ChaseNoCache => compress::chase(&lts, watch)?.lts,
            Compression::Deter => compress::deter(&lts, watch)?.lts,
            Compression::Normal | Compression::LazyNorm => normal::normal(&lts, model, watch)?,
            Compression::ModelCompress => compress::model_compress(&lts, model, watch)?,
            Compression::Explicate | Compression::LazyEnumerate => return Ok(lts),
        };
        draw(&reduced, watch)
    }
}
