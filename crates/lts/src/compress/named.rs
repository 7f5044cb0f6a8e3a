//! Compressions by name, and what each of them does.

use crate::{Lts, Model, Stop, Watch, bisimulation, compress, draw, normal};

/// Functions on processes that change the machine rather than the behavior.
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
    /// The function by which scripts ask for it.
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

    /// Whether it chooses among behaviors, so that the result need not mean the same.
    pub fn selects(self) -> bool {
        matches!(self, Compression::Chase | Compression::ChaseNoCache | Compression::Deter)
    }

    /// What is left of a system, its explicit acceptances drawn as silent choices. What it preserves depends on the
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
            // Silent steps that are left out, and nodes, forget what is seen beyond failures.
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
