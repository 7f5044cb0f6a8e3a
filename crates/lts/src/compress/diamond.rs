//! Diamond compression: elimination of silent steps. Roscoe, Gardiner, Goldsmith, Hulance, Jackson and Scattergood
//! (1995), *Hierarchical compression for model-checking CSP, or how to check 10^20 dining philosophers for deadlock*.
//!
//! A state of the result represents a state of the system together with all that silent steps reach from it: it has all
//! their visible steps, their minimal acceptances as explicit ones, and diverges if one of them does. Only the initial
//! state and targets of visible steps are needed. States that are delay bisimilar are merged first; the remaining
//! silent steps are followed once for each kept state.

use crate::acceptance::Antichain;
use crate::interner::number;
use crate::{Builder, Lts, Reduced, StateId, StateMap, Stop, Watch, bisimulation};
use fixedbitset::FixedBitSet;

/// A system without silent steps that has the same traces, failures and divergences. States that are not targets of
/// visible steps have no image.
pub fn diamond(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    Ok(diamond_within(lts, usize::MAX, watch)?.expect("there is time for everything"))
}

/// [`diamond`], unless the silent successors of all kept states are more than `max_followed` together.
pub(super) fn diamond_within(lts: &Lts, max_followed: usize, watch: &mut Watch<'_>) -> Result<Option<Reduced>, Stop> {
    let merged = bisimulation::delay(lts, watch)?;
    watch.start();
    let mut construction = Construction::new(&merged.lts);
    let mut n_followed = 0;
    while construction.fill_next() {
        watch.tick(construction.closure.len())?;
        n_followed += construction.closure.len();
        if n_followed > max_followed {
            return Ok(None);
        }
    }
    let images = StateMap::from_images(construction.image_of);
    let tau_free = construction.builder.finish(StateId(0));
    let smallest = bisimulation::strong(&tau_free, watch)?;
    Ok(Some(smallest.after(merged.map.then(&images))))
}

struct Construction<'a> {
    lts: &'a Lts,
    builder: Builder,
    image_of: Vec<u32>,
    kept: Vec<StateId>,
    n_filled: usize,
    closure: Vec<StateId>,
    is_member: FixedBitSet,
    acceptances: Antichain,
}

impl<'a> Construction<'a> {
    fn new(lts: &'a Lts) -> Construction<'a> {
        let mut image_of = vec![StateMap::NONE; lts.n_states()];
        image_of[lts.initial().index()] = 0;
        Construction {
            lts,
            builder: Builder::new(),
            image_of,
            kept: vec![lts.initial()],
            n_filled: 0,
            closure: Vec::new(),
            is_member: FixedBitSet::with_capacity(lts.n_states()),
            acceptances: Antichain::default(),
        }
    }

    /// Gives the next kept state the behavior of its silent successors; returns whether there was one.
    fn fill_next(&mut self) -> bool {
        let Some(&start) = self.kept.get(self.n_filled) else { return false };
        let state = StateId(number(self.n_filled));
        self.n_filled += 1;
        self.builder.add_state(state);
        self.close(start);
        self.acceptances.clear();
        for &member in &self.closure {
            self.acceptances.add_state(self.lts, member);
            if self.lts.is_explicitly_divergent(member) {
                self.builder.mark_divergent(state);
            }
        }
        self.builder.set_antichain(state, &self.acceptances);
        for place in 0..self.closure.len() {
            let visible = self.lts.visible(self.closure[place]);
            for step in visible {
                let target = self.keep(step.target);
                self.builder.add(state, step.label, target);
            }
        }
        true
    }

    fn keep(&mut self, state: StateId) -> StateId {
        let image = &mut self.image_of[state.index()];
        if *image == StateMap::NONE {
            *image = number(self.kept.len());
            self.kept.push(state);
        }
        StateId(*image)
    }

    fn close(&mut self, start: StateId) {
        for state in self.closure.drain(..) {
            self.is_member.set(state.index(), false);
        }
        self.is_member.insert(start.index());
        self.closure.push(start);
        let mut next = 0;
        while let Some(&state) = self.closure.get(next) {
            next += 1;
            for step in self.lts.silent(state) {
                if !self.is_member.put(step.target.index()) {
                    self.closure.push(step.target);
                }
            }
        }
    }
}
