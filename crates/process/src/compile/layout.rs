//! Numbers that stay when a network is made again.
//!
//! A network with open machines is made again when these have grown. A search goes on in it where it was in the one
//! before, if what has a number there keeps it: machines, modes, and the local states of machines ([`super::open`]).
//! New ones are numbered behind them.

use super::shape::{Depth, ShapeId, Shapes};
use super::{CompileError, Compiler, Preserved};
use crate::TermId;
use hashbrown::HashMap;
use model::network::MachineId;

/// How networks with open machines were made.
#[derive(Debug, Default)]
pub(super) struct Layouts(HashMap<(TermId, Preserved), Layout>);

/// Numbers of modes and machines of a network.
#[derive(Debug)]
pub(super) struct Layout {
    shapes: Shapes,
    modes: Vec<ShapeId>,
    slots: HashMap<(TermId, Depth), Vec<MachineId>>,
    control: Option<MachineId>,
    n_machines: usize,
}

impl Compiler<'_, '_> {
    /// How the network of a term was made before, if its machines are open.
    pub(super) fn open_layout(&mut self, root: TermId) -> Option<Layout> {
        self.context.limits.n_first_states?;
        self.context.library.layouts.0.remove(&(root, self.context.preserved))
    }

    /// Makes the machines of a layout under their numbers; returns its modes.
    pub(super) fn lay_out_as(&mut self, layout: Layout) -> Result<Vec<ShapeId>, CompileError> {
        let Layout { shapes, modes, slots, control, n_machines } = layout;
        let mut made: Vec<Option<(TermId, Depth)>> = vec![None; n_machines];
        for (leaf, machines) in &slots {
            machines.iter().for_each(|machine| made[machine.index()] = Some(*leaf));
        }
        for leaf in made {
            let leaf = match leaf {
                Some((term, depth)) => Some(self.within(depth, |compiler| compiler.leaf(term, depth))?),
                None => None,
            };
            leaf.iter().try_for_each(|leaf| self.count_machine(leaf))?;
            self.leaves.push(leaf);
        }
        (self.shapes, self.slots, self.control) = (shapes, slots, control);
        Ok(modes)
    }

    /// Remembers how a network with open machines was made.
    pub(super) fn keep_layout(&mut self, root: TermId, modes: &[ShapeId]) {
        if self.context.limits.n_first_states.is_some() {
            let layout = Layout {
                shapes: self.shapes.clone(),
                modes: modes.to_vec(),
                slots: self.slots.clone(),
                control: self.control,
                n_machines: self.leaves.len(),
            };
            self.context.library.layouts.0.insert((root, self.context.preserved), layout);
        }
    }
}
