//! Partial-order reduction by stubborn sets: Valmari (1991), *Stubborn sets for reduced state space generation*.
//!
//! In each state the reduction selects a *stubborn set* of rules: whatever sequence of other rules is taken, the first
//! step by a rule of the set could have been taken at once. If the steps of the set are invisible, the other enabled
//! rules need not be taken in this state. The selection depends on the state alone, not on the search, so the reduced
//! space is a space like any other. Its runs have the same stuttering-invariant properties as those of the full space.
//!
//! - Dependencies are computed for each machine: actions that always commute in it ([`commute`]), and actions of a
//!   state ([`offers`]).
//! - The cycle proviso excludes that a step is deferred for ever, where the property requires that ([`Proviso`]). Each
//!   local state has a rank, and a reduced step must decrease the rank of the first machine that it moves, so there is
//!   no cycle of reduced steps ([`ranks`]).
//! - Visible steps and steps that change the mode are never taken alone. Steps that may fail are visible to every
//!   observer.
//! - Commands are dependent if one writes a variable that the other reads or writes. Only commands that write a
//!   variable of a false guard can make the guard true.

mod commute;
mod offers;
mod ranks;
mod stubborn;

use crate::data::program::Effect;
use lts::Label;
use model::network::{ModeId, Network};
use offers::Offers;
use std::sync::Arc;
use stubborn::Rules;

/// Partial-order reduction of the steps of a network.
#[derive(Debug)]
pub struct PartialOrder {
    machines: Vec<Arc<Offers>>,
    modes: Vec<Rules>,
    proviso: Proviso,
}

/// The cycle proviso: whether steps may be deferred for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proviso {
    /// Deferral is allowed: it preserves the property, or there is no cycle of invisible steps.
    None,
    /// Deferral is excluded: every cycle has a fully expanded state.
    Ranks,
}

/// The network has priorities, so a step may be enabled or not depending on all others: no two commute for certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HasPriority;

impl PartialOrder {
    /// A reduction for an observer that does not see steps with certain labels.
    ///
    /// # Errors
    /// If the network has priorities.
    pub fn new(
        network: &Network,
        is_unseen: &dyn Fn(Label) -> bool,
        proviso: Proviso,
    ) -> Result<PartialOrder, HasPriority> {
        if network.has_priorities() {
            return Err(HasPriority);
        }
        let (machines, order) = offers::of_network(network, is_unseen);
        let rules = |mode| Rules::new(network, mode, (&machines, &order), is_unseen, proviso);
        let modes = network.modes.iter().map(rules).collect();
        Ok(PartialOrder { machines, modes, proviso })
    }

    /// The cycle proviso.
    pub fn proviso(&self) -> Proviso {
        self.proviso
    }

    /// Calls `take` with the enabled rules of a stubborn set and returns true; false if all steps are needed. `values`
    /// are the local states of all machines, `judge` evaluates the command of a rule.
    pub(crate) fn reduce(
        &self,
        mode: ModeId,
        locals: &[u32],
        judge: &mut dyn FnMut(u32) -> Effect,
        take: &mut dyn FnMut(u32),
    ) -> bool {
        stubborn::with_scratch(|scratch| {
            let is_reduced = self.modes[mode.index()].choose(&self.machines, locals, judge, scratch);
            if is_reduced {
                scratch.chosen().iter().for_each(|&rule| take(rule));
            }
            is_reduced
        })
    }
}
