//! Lazily compiled networks.
//!
//! A network is searched with its machines as far as they are compiled. When the search occupies uncompiled states of a
//! machine, these are compiled, with as many more near them as the machine has occupied states, and the search
//! continues ([`decide::decide_lazily`]).
//!
//! A search that compares states or looks for loops starts over instead. It compiles all uncompiled states that are
//! reachable within a bound that doubles each time, so that the repeated work is at most a constant factor.

use super::checker::Checker;
use super::decided::Decided;
use super::failed::Failed;
use decide::{Claim, LazyAnswer, LazyNetwork};
use explore::Occupied;
use frontend::{Asserted, Effort, Fidelity, Lowered, State};
use limits::effort::forms::FIRST_STATES;
use model::network::Configuration;

impl Checker<'_> {
    /// Decides a claim on a lazily compiled network. None if there is no such network, or it cannot be extended far
    /// enough.
    pub(super) fn decide_on_demand(
        &mut self,
        asserted: &Asserted,
        process: State,
        claim: &Claim,
    ) -> Result<Option<Decided>, Failed> {
        let fidelity = Fidelity::of_runs(claim.decisive_model());
        let Some(mut lowered) = self.network(process, fidelity, Effort::OnDemand)? else { return Ok(None) };
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        let answer = decide::decide_lazily(claim, open_network(&lowered), &limits, &*progress, |occupied| {
            if !self.semantics.grow(lowered.id, fidelity, occupied, &*progress)? {
                return Ok(None);
            }
            match self.network(process, fidelity, Effort::OnDemand)? {
                None => Ok::<_, Failed>(None),
                Some(grown) => {
                    lowered = grown;
                    Ok(Some(open_network(&lowered)))
                }
            }
        })?;
        match answer {
            LazyAnswer::Decided(answer) => self.decided_on_network(asserted, process, &lowered, answer),
            LazyAnswer::NoMore => Ok(None),
            LazyAnswer::NotSearched => self.grow_until_decided(process, fidelity, |checker, lowered| {
                checker.decide_network(asserted, process, lowered, claim, u64::MAX)
            }),
        }
    }

    /// Decides a property on larger and larger parts of a network, while the verdict depends on uncompiled states.
    pub(super) fn grow_until_decided<T>(
        &mut self,
        process: State,
        fidelity: Fidelity,
        mut ask: impl FnMut(&mut Self, &Lowered) -> Result<Option<T>, Failed>,
    ) -> Result<Option<T>, Failed> {
        let mut n_looked_at = FIRST_STATES;
        loop {
            let Some(lowered) = self.network(process, fidelity, Effort::OnDemand)? else { return Ok(None) };
            match ask(self, &lowered) {
                Err(Failed::Open(met)) => {
                    let Some(occupied) = self.occupied(&lowered, met.as_ref(), n_looked_at) else { return Ok(None) };
                    if n_looked_at > self.options.limits.max_states
                        && occupied.iter().all(|machine| machine.open.is_empty())
                    {
                        return Ok(None);
                    }
                    let progress = self.options.progress.clone();
                    if !self.semantics.grow(lowered.id, fidelity, &occupied, &*progress)? {
                        return Ok(None);
                    }
                    n_looked_at = n_looked_at.saturating_mul(2);
                }
                decided => return decided,
            }
        }
    }

    /// The uncompiled states that are reachable within a bound, and those of a configuration.
    fn occupied(&self, lowered: &Lowered, met: Option<&Configuration>, max_states: u64) -> Option<Vec<Occupied>> {
        let limits = self.options.limits.with_budget(max_states);
        let mut occupied = explore::occupied(&lowered.network, &lowered.open, &limits, &*self.options.progress).ok()?;
        for (machine, (_, open)) in occupied.iter_mut().zip(lowered.open.iter()) {
            let local = met.map(|met| met.locals[machine.machine.index()]);
            machine.open.extend(local.filter(|local| open.contains(local) && !machine.open.contains(local)));
        }
        Some(occupied)
    }
}

fn open_network(lowered: &Lowered) -> LazyNetwork {
    LazyNetwork { network: lowered.network.clone(), open: lowered.open.clone() }
}
