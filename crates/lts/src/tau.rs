//! Silent steps: their strongly connected components, and the states that can go on silently for ever.
//!
//! Tarjan's algorithm finds the components, with a stack of its own instead of recursion. Components are numbered in the
//! order in which they are completed, so silent steps between components always lead to a smaller number: a single pass
//! over the components in ascending order sees all silent successors before their source.

use crate::interner::number;
use crate::{Lts, StateId, Stop, Watch};
use fixedbitset::FixedBitSet;

/// The strongly connected components of silent steps.
#[derive(Clone, Debug)]
pub struct Components {
    of_state: Vec<u32>,
    n_components: usize,
}

impl Components {
    /// The components of a system.
    pub fn of(lts: &Lts, watch: &mut Watch<'_>) -> Result<Components, Stop> {
        watch.start();
        let mut search = Tarjan::new(lts);
        for state in lts.states() {
            watch.tick(1)?;
            search.visit(state, watch)?;
        }
        Ok(Components { of_state: search.component, n_components: search.n_components as usize })
    }

    /// How many components there are; they are numbered below this.
    pub fn n_components(&self) -> usize {
        self.n_components
    }

    /// The component of a state. A silent step never leads to a larger number.
    pub fn component(&self, state: StateId) -> u32 {
        self.of_state[state.index()]
    }

    /// The states ordered by component, and where each component begins, with one more entry for the end.
    pub(crate) fn members(&self) -> (Vec<StateId>, Vec<u32>) {
        let (places, starts) = crate::builder::counting_sort(&self.of_state, self.n_components);
        let mut members = vec![StateId(0); places.len()];
        for (state, &place) in places.iter().enumerate() {
            members[place as usize] = StateId(number(state));
        }
        (members, starts)
    }

    /// The components in which a run can stay for ever: those with a silent step inside or an explicit divergence.
    pub(crate) fn cyclic(&self, lts: &Lts) -> FixedBitSet {
        let mut cyclic = FixedBitSet::with_capacity(self.n_components);
        for state in lts.states() {
            let component = self.component(state);
            let stays = |&target: &StateId| self.component(target) == component;
            if lts.is_explicitly_divergent(state) || lts.silent(state).iter().any(|step| stays(&step.target)) {
                cyclic.insert(component as usize);
            }
        }
        cyclic
    }
}

/// The states that can diverge: by silent steps they reach a silent cycle or an explicit divergence.
#[derive(Clone, Debug)]
pub struct Divergences {
    states: FixedBitSet,
}

impl Divergences {
    /// The divergences of a system.
    pub fn of(lts: &Lts, watch: &mut Watch<'_>) -> Result<Divergences, Stop> {
        let components = Components::of(lts, watch)?;
        let mut divergent = components.cyclic(lts);
        if divergent.is_clear() {
            return Ok(Divergences { states: FixedBitSet::new() });
        }
        let (members, _) = components.members();
        let mut states = FixedBitSet::with_capacity(lts.n_states());
        for &state in &members {
            let component = components.component(state) as usize;
            let leads_there = |target| divergent.contains(components.component(target) as usize);
            if lts.silent(state).iter().any(|step| leads_there(step.target)) {
                divergent.insert(component);
            }
        }
        for state in lts.states() {
            states.set(state.index(), divergent.contains(components.component(state) as usize));
        }
        Ok(Divergences { states })
    }

    /// Whether the state can diverge.
    pub fn contains(&self, state: StateId) -> bool {
        self.states.contains(state.index())
    }

    /// Whether no state can diverge.
    pub fn is_empty(&self) -> bool {
        self.states.is_clear()
    }
}

const UNSEEN: u32 = u32::MAX;

struct Tarjan<'a> {
    lts: &'a Lts,
    /// When a state on the stack was entered, lowered to that of the earliest state it reaches.
    low: Vec<u32>,
    component: Vec<u32>,
    n_components: u32,
    n_entered: u32,
    /// Entered states whose component is not complete.
    open: Vec<StateId>,
    /// The path of the search, with the number of silent steps already followed.
    path: Vec<Frame>,
}

struct Frame {
    state: StateId,
    entered: u32,
    n_followed: u32,
}

impl<'a> Tarjan<'a> {
    fn new(lts: &'a Lts) -> Tarjan<'a> {
        Tarjan {
            lts,
            low: vec![UNSEEN; lts.n_states()],
            component: vec![UNSEEN; lts.n_states()],
            n_components: 0,
            n_entered: 0,
            open: Vec::new(),
            path: Vec::new(),
        }
    }

    fn visit(&mut self, root: StateId, watch: &mut Watch<'_>) -> Result<(), Stop> {
        if self.low[root.index()] == UNSEEN {
            self.enter(root);
        }
        while let Some(frame) = self.path.last_mut() {
            watch.tick(1)?;
            let state = frame.state;
            let next = self.lts.transitions(state).get(frame.n_followed as usize);
            match next.filter(|step| !step.label.is_visible()) {
                Some(step) => {
                    frame.n_followed += 1;
                    let target = step.target.index();
                    if self.low[target] == UNSEEN {
                        self.enter(step.target);
                    } else if self.component[target] == UNSEEN {
                        self.low[state.index()] = self.low[state.index()].min(self.low[target]);
                    }
                }
                None => self.leave(),
            }
        }
        Ok(())
    }

    fn enter(&mut self, state: StateId) {
        self.low[state.index()] = self.n_entered;
        let is_stable = self.lts.transitions(state).first().is_none_or(|first| first.label.is_visible());
        if is_stable {
            self.component[state.index()] = self.n_components;
            self.n_components += 1;
        } else {
            self.open.push(state);
            self.path.push(Frame { state, entered: self.n_entered, n_followed: 0 });
        }
        self.n_entered += 1;
    }

    /// Ends the last state of the path, and its component if it was the first one entered of it.
    fn leave(&mut self) {
        let Some(Frame { state, entered, .. }) = self.path.pop() else { return };
        let low = self.low[state.index()];
        if low == entered {
            while let Some(member) = self.open.pop() {
                self.component[member.index()] = self.n_components;
                if member == state {
                    break;
                }
            }
            self.n_components += 1;
        } else if let Some(parent) = self.path.last() {
            let parent = parent.state.index();
            self.low[parent] = self.low[parent].min(low);
        }
    }
}
