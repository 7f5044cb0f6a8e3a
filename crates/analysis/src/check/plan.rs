//! What will be done about an assertion, and with how large things.
//!
//! A plan is made by doing what comes before the search: processes are evaluated, compressed and compiled. Nothing is done
//! twice, because the checker keeps all of it.

use super::assertion::Claimed;
use super::checker::{Checker, Failed};
use super::system::Effort;
use super::temporal;
use check::Claim;
use lts::Lts;
use process::compile::{Compiled, Fidelity};

/// Where the text of a compressed process is cut.
const LONGEST_NAME: usize = 60;

/// How an assertion will be decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The specification of a refinement, its states merged where they mean the same.
    pub specification: Option<Size>,
    /// What is searched; nothing if it came to no end. Deciding the assertion tells why.
    pub system: Option<System>,
    /// What was compressed for it, in the order in which it was done. What an earlier assertion needed is not done again.
    pub compressions: Vec<Compressed>,
}

/// How large a transition system is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Its states.
    pub n_states: usize,
    /// Its steps.
    pub n_transitions: usize,
}

/// The form in which a process is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum System {
    /// Machines side by side.
    Network {
        /// How many machines.
        n_machines: usize,
        /// In how many ways they can move together, in all modes.
        n_rules: usize,
        /// How many arrangements of machines there are.
        n_modes: usize,
    },
    /// Its structure changes in many ways as it runs: each state is a term, unless a network is found with more effort.
    Terms,
}

/// A compression that was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compressed {
    /// The process, as text that may be cut.
    pub process: String,
    /// Its operand.
    pub before: Size,
    /// What is left of it.
    pub after: Size,
}

impl Checker<'_> {
    /// Prepares to decide the assertion with this number, from 1.
    pub fn plan(&mut self, index: usize) -> Plan {
        let n_done = self.library.done().len();
        let (specification, system) = self.prepare(index).map_or((None, None), |(spec, system)| (spec, Some(system)));
        let done = self.library.done()[n_done..].to_vec();
        let compressions = done.iter().map(|compressed| Compressed {
            process: self.evaluator.term_text(&mut self.terms, compressed.term, LONGEST_NAME),
            before: Size { n_states: compressed.n_states_before, n_transitions: compressed.n_transitions_before },
            after: Size::of(&compressed.lts),
        });
        Plan { specification, compressions: compressions.collect(), system }
    }

    fn prepare(&mut self, index: usize) -> Result<(Option<Size>, System), Failed> {
        let claimed = self.claimed(self.assertion(index))?;
        let (specification, term, fidelity) = match &claimed {
            Claimed::Temporal(term, question) => (None, *term, temporal::fidelity(question)),
            _ => {
                let (term, claim) = self.claim(&claimed)?;
                let size = match &claim {
                    Claim::Refines(spec, _) => Some(Size::of(spec)),
                    _ => None,
                };
                (size, term, Fidelity::Model(claim.decisive_model()))
            }
        };
        let network = self.network(term, fidelity, Effort::Little)?;
        Ok((specification, network.map_or(System::Terms, |compiled| System::of(&compiled))))
    }
}

impl Size {
    fn of(lts: &Lts) -> Size {
        Size { n_states: lts.n_states(), n_transitions: lts.n_transitions() }
    }
}

impl System {
    fn of(compiled: &Compiled) -> System {
        let network = &compiled.network;
        System::Network {
            n_machines: network.machines.len(),
            n_rules: network.modes.iter().map(|mode| mode.rules.len()).sum(),
            n_modes: network.modes.len(),
        }
    }
}
