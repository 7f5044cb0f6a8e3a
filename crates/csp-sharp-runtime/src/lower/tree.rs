//! The static part of a process: compositions, and the operators around them.

use super::NotLowered;
use super::channels::Messages;
use super::compose::{self, Joint};
use super::moves::Move;
use crate::code::{Hiding, Term, TermId};
use crate::run::System;
use model::network::{Action, MachineId};

/// The participating machines of a joint move, with their actions.
pub(super) type Parts = Vec<(MachineId, Action)>;

/// Static operators with machines at the leaves.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Leaf(usize),
    /// A composition, with the number of its family if it synchronizes.
    Composition(Option<u32>, Vec<Tree>),
    Hide(Hiding, TermId, Box<Tree>),
    Atomic(Box<Tree>),
    Watched(Box<Tree>),
}

impl Tree {
    /// The tree of a term. The terms that become machines are appended to `leaves`.
    pub(super) fn of(system: &System, term: TermId, leaves: &mut Vec<TermId>) -> Tree {
        let inside = |next: TermId, leaves: &mut Vec<TermId>| Box::new(Tree::of(system, next, leaves));
        match system.code().terms.get(term) {
            Term::Watched(next) => Tree::Watched(inside(*next, leaves)),
            Term::Hide(hiding, next) => Tree::Hide(hiding.clone(), term, inside(*next, leaves)),
            Term::Atomic(next) => Tree::Atomic(inside(*next, leaves)),
            Term::Interleave(all) => {
                Tree::Composition(None, all.iter().map(|&part| Tree::of(system, part, leaves)).collect())
            }
            Term::Parallel(family, all) => {
                Tree::Composition(Some(*family), all.iter().map(|&part| Tree::of(system, part, leaves)).collect())
            }
            _ => {
                leaves.push(term);
                Tree::Leaf(leaves.len() - 1)
            }
        }
    }

    /// The term of the tree for given terms of the leaves.
    pub(super) fn term(&self, system: &mut System, leaves: &[TermId]) -> TermId {
        // Termination is distributed: all components terminate together.
        if leaves.iter().all(|&leaf| leaf == system.finished()) {
            return system.finished();
        }
        self.inside(system, leaves)
    }

    fn inside(&self, system: &mut System, leaves: &[TermId]) -> TermId {
        let term = match self {
            Tree::Leaf(number) => return leaves[*number],
            Tree::Composition(family, children) => {
                let parts = children.iter().map(|child| child.inside(system, leaves)).collect();
                family.map_or_else(
                    || Term::Interleave(Clone::clone(&parts)),
                    |family| Term::Parallel(family, Clone::clone(&parts)),
                )
            }
            Tree::Hide(hiding, _, next) => Term::Hide(hiding.clone(), next.inside(system, leaves)),
            Tree::Atomic(next) => Term::Atomic(next.inside(system, leaves)),
            Tree::Watched(next) => Term::Watched(next.inside(system, leaves)),
        };
        system.add(term, leaves[0])
    }

    /// The joint moves of the machines.
    pub(super) fn moves(
        &self,
        system: &mut System,
        messages: &[Messages],
        leaves: &[Vec<Move<Parts>>],
    ) -> Result<Vec<Move<Parts>>, NotLowered> {
        match self {
            Tree::Leaf(number) => Ok(leaves[*number].clone()),
            Tree::Composition(family, children) => {
                let children = children.iter().map(|child| child.moves(system, messages, leaves));
                let children = children.collect::<Result<Vec<_>, _>>()?;
                let children: Vec<&[Move<Parts>]> = children.iter().map(Vec::as_slice).collect();
                compose::compose(system, messages, *family, &children, &mut |_, joint| {
                    let (Joint::Moves(parts) | Joint::Ends(parts)) = joint;
                    parts.iter().flat_map(|(_, parts)| parts.iter().copied()).collect()
                })
            }
            Tree::Hide(hiding, at, next) => {
                let inside = next.moves(system, messages, leaves)?;
                inside.iter().map(|next| compose::hidden(system, hiding, *at, next)).collect()
            }
            Tree::Atomic(next) => {
                let mut inside = next.moves(system, messages, leaves)?;
                inside.iter_mut().for_each(|next| next.is_atomic = true);
                Ok(inside)
            }
            Tree::Watched(next) => {
                let inside = next.moves(system, messages, leaves)?;
                Ok(inside.iter().map(|next| compose::watched(system, next)).collect())
            }
        }
    }
}
