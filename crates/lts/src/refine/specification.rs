//! Specifications, prepared for several refinement checks.

use crate::normal::{Room, normal_within, prepare};
use crate::{Lts, Model, Stop, Watch};
use std::sync::{Arc, OnceLock};

/// A specification in some model. Equivalent states are merged, so that its normal form, which is computed on demand,
/// has small nodes.
#[derive(Clone, Debug)]
pub struct Specification {
    system: Lts,
    model: Model,
    /// None if it would be too large.
    normal_form: OnceLock<Option<Arc<Lts>>>,
}

impl Specification {
    /// A specification that allows the behaviors of a system in the model.
    ///
    /// # Errors
    /// When the watch ends it.
    pub fn new(system: Lts, model: Model, watch: &mut Watch<'_>) -> Result<Specification, Stop> {
        let system = match prepare(&system, model, watch)? {
            std::borrow::Cow::Owned(merged) => merged,
            std::borrow::Cow::Borrowed(_) => system,
        };
        Ok(Specification { system, model, normal_form: OnceLock::new() })
    }

    /// An equivalent system, which need not be deterministic.
    pub fn system(&self) -> &Lts {
        &self.system
    }

    /// The semantic model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The normal form, unless it would be too large; only the bounds of the first call count.
    ///
    /// # Errors
    /// When the watch ends it.
    ///
    /// # Panics
    /// When the model tests refusals: no single node follows an event there.
    pub fn normal_form(&self, room: Room, watch: &mut Watch<'_>) -> Result<Option<Arc<Lts>>, Stop> {
        if let Some(known) = self.normal_form.get() {
            return Ok(known.clone());
        }
        let form = normal_within(&self.system, self.model, room, watch)?.map(Arc::new);
        Ok(self.normal_form.get_or_init(|| form).clone())
    }
}
