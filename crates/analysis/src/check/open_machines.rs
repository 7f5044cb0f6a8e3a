//! Claims about processes with machines that are made while they are needed.
//!
//! A network is searched with the machines as far as they are. If that meets states of a machine that are not made yet, they are made, with as many
//! more near them as the machine had occupied, and the search goes on where it was ([`decide::decide_lazily`]).
//!
//! Where states are compared with each other, or loops are looked for, it begins again instead. Then all open states are looked for that the
//! network gets to, within a bound that doubles each time; so what is searched again costs no more, in the end, than the last search by a factor.

use super::Checked;
use super::checker::Checker;
use super::failed::Failed;
use decide::{Claim, LazyAnswer, LazyNetwork};
use explore::Occupied;
use frontend::{Asserted, Effort, Fidelity, Lowered, State};
use limits::effort::forms::FIRST_STATES;
use model::network::Configuration;

impl Checker<'_> {
    /// Decides a claim on a network with open machines. Nothing if there is no such network, or not enough of it can be made.
    pub(super) fn decide_on_demand(
        &mut self,
        asserted: &Asserted,
        process: State,
        claim: &Claim,
    ) -> Result<Option<Checked>, Failed> {
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
            LazyAnswer::Decided(answer) => self.conclude(asserted, process, &lowered, answer),
            LazyAnswer::NoMore => Ok(None),
            LazyAnswer::NotSearched => self.grow_until_decided(process, fidelity, |checker, lowered| {
                checker.decide_network(asserted, process, lowered, claim, u64::MAX)
            }),
        }
    }

    /// Asks about a network again and again, while the answer is that something is open.
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

    /// The open states that the network gets to within so many states, and those of a configuration in any case.
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
