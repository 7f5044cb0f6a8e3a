//! Partial order reduction: of steps that commute, only some are taken.
//!
//! In each state a *stubborn set* of rules is looked for: rules such that whatever the others do, for however long, the
//! first step by one of the set could as well have been taken at once. If nobody sees its steps, taking these alone
//! loses no order that matters. That is decided for a state by itself, whoever looks at it and when, so the reduced
//! space is a space like any other: what is said about its runs, up to steps that nobody sees, is true of the whole
//! one.
//!
//! - What depends on what is known machine by machine: actions that always commute in a machine ([`commute`]), actions
//!   of a state ([`offers`]).
//! - A step that is left out may not be left out for ever, unless that does no harm ([`Proviso`]). Each machine's
//!   states have ranks, and a reduced step must go down in the first machine that it moves, so there is no cycle of
//!   reduced steps ([`ranks`]).
//! - Steps that are seen, and steps that change the mode, are never taken alone. Neither are those that may go wrong:
//!   whether they do is seen by everybody.
//! - Commands have to do with each other if one writes what the other reads or writes. A guard that is false becomes
//!   true by nothing but commands that write what it reads.

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

/// How the steps of a network are reduced.
#[derive(Debug)]
pub struct PartialOrder {
    machines: Vec<Arc<Offers>>,
    modes: Vec<Rules>,
    proviso: Proviso,
}

/// Whether steps may be put off for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proviso {
    /// They may: what is asked is not changed by that, or there is no cycle of unseen steps at all.
    None,
    /// They may not: round every cycle some state has all its steps.
    Ranks,
}

/// Whether a step is taken depends on which others are possible: no two of them commute for sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HasPriority;

impl PartialOrder {
    /// Reduces a network for somebody who does not see steps with certain labels.
    ///
    /// # Errors
    /// If some steps give way to others.
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

    /// Whether steps may be put off for ever.
    pub fn proviso(&self) -> Proviso {
        self.proviso
    }

    /// Calls `take` with rules whose steps are enough, and says so; or says that all steps are needed. Given are the
    /// local states of all machines, and what the command of a rule comes to.
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
