//! Systems made of terms.

use super::checker::{Checker, Failed};
use cspm::evaluate::Interrupt;
use explore::{NotExplicit, Progress, Statistics, Stop};
use lts::refine::{self, Ended};
use lts::{Lts, Model, Watch, bisimulation};
use process::compile::{self, CompileError, CompileLimits, Compiled, Fidelity, Workshop};
use process::{TermId, Walk};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Mutex;

/// How hard to try to make a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Give up soon: the process may have no end, and a counterexample near its beginning.
    Little,
    /// Give up only when there is no hope.
    Full,
}

impl Effort {
    fn limits(self, search: explore::Limits) -> CompileLimits {
        match self {
            Effort::Little => CompileLimits {
                max_small_states: 2_000,
                max_machine_states: 50_000,
                max_selected_states: 20_000,
                max_compressed_states: 1_000_000,
                max_rules: 1_000_000,
                max_modes: 2_000,
                search,
            },
            Effort::Full => CompileLimits {
                max_small_states: 200_000,
                max_machine_states: 4_000_000,
                max_selected_states: 50_000,
                max_compressed_states: u64::MAX,
                max_rules: 6_000_000,
                max_modes: 10_000,
                search,
            },
        }
    }
}

/// Asks the outside whether to go on, and remembers why not.
pub(super) struct Asking<'a> {
    pub(super) checker: &'a super::Options,
    why: Mutex<Option<Interrupt>>,
}

impl<'a> Asking<'a> {
    pub(super) fn new(checker: &'a super::Options) -> Asking<'a> {
        Asking { checker, why: Mutex::new(None) }
    }

    /// Why to stop, asked once more.
    pub(super) fn ask_again(&self) -> Interrupt {
        self.checker.control.stop().unwrap_or(Interrupt::Request)
    }

    /// Why the answer was no.
    pub(super) fn why(&self) -> Interrupt {
        self.why.lock().expect("nobody panics while asking").unwrap_or(Interrupt::Request)
    }
}

impl Progress for Asking<'_> {
    fn tick(&self, statistics: &Statistics) -> ControlFlow<()> {
        match self.checker.control.go_on(statistics) {
            None => ControlFlow::Continue(()),
            why => {
                *self.why.lock().expect("nobody panics while asking") = why;
                ControlFlow::Break(())
            }
        }
    }
}

impl Checker<'_> {
    /// The network of a term, if its structure is static enough.
    pub(super) fn network(
        &mut self,
        term: TermId,
        fidelity: Fidelity,
        effort: Effort,
    ) -> Result<Option<Rc<Compiled>>, Failed> {
        match self.networks.get(&(term, fidelity)) {
            Some((known, tried)) if *tried == effort || *tried == Effort::Full => return Ok(known.clone()),
            Some((Some(known), _)) if !known.has_given_up => return Ok(Some(known.clone())),
            _ => {}
        }
        let network = match self.compile(term, fidelity, effort) {
            Ok(compiled) => Some(Rc::new(compiled)),
            Err((CompileError::Canceled, why)) => return Err(Failed::Stopped(why)),
            Err((CompileError::Stopped(_, stop), why)) => return Err(Failed::from_stop(stop, why, &self.options)),
            Err(_) => None,
        };
        self.networks.insert((term, fidelity), (network.clone(), effort));
        Ok(network)
    }

    fn compile(
        &mut self,
        term: TermId,
        fidelity: Fidelity,
        effort: Effort,
    ) -> Result<Compiled, (CompileError, Interrupt)> {
        let asking = Asking::new(&self.options);
        let mut limits = effort.limits(self.options.search_limits());
        let most = usize::try_from(self.options.max_states).unwrap_or(usize::MAX);
        limits.max_machine_states = limits.max_machine_states.min(most);
        let mut workshop = Workshop {
            table: &mut self.table,
            terms: &mut self.terms,
            unfold: &mut self.evaluator,
            library: &mut self.library,
            limits,
            fidelity,
            progress: &asking,
        };
        compile::compile(&mut workshop, term).map_err(|error| (error, asking.why()))
    }

    /// A specification, with states merged that mean the same.
    pub(super) fn specification(&mut self, term: TermId, model: Model) -> Result<Rc<Lts>, Failed> {
        if let Some(known) = self.specifications.get(&(term, model)) {
            return Ok(known.clone());
        }
        let lts = self.explicit(term, model)?;
        let asking = Asking::new(&self.options);
        let mut report = |_| asking.tick(&Statistics::default());
        let merged = if lts.is_deterministic() {
            lts
        } else {
            let merged = bisimulation::delay(&lts, &mut Watch::new(&mut report));
            merged.map_err(|_| Failed::Stopped(asking.why()))?.lts
        };
        let merged = Rc::new(merged);
        self.specifications.insert((term, model), merged.clone());
        Ok(merged)
    }

    /// All that a term can reach.
    pub(super) fn explicit(&mut self, term: TermId, model: Model) -> Result<Lts, Failed> {
        match self.network(term, Fidelity::Model(model), Effort::Full)? {
            None => self.walk(term),
            Some(compiled) => {
                let asking = Asking::new(&self.options);
                let explicit = explore::to_lts(&compiled.network, &self.options.search_limits(), &asking);
                match explicit {
                    Ok(explicit) => Ok(explicit.lts),
                    Err(NotExplicit::Stopped(stop)) => Err(Failed::from_stop(stop, asking.why(), &self.options)),
                    Err(NotExplicit::TooWide(_)) => self.walk(term),
                    Err(NotExplicit::Failed(_)) => unreachable!("processes have no variables"),
                }
            }
        }
    }

    /// The same, term by term.
    pub(super) fn walk(&mut self, term: TermId) -> Result<Lts, Failed> {
        let asking = Asking::new(&self.options);
        let mut report = |_| asking.tick(&Statistics::default());
        let max_states = usize::try_from(self.options.max_states).unwrap_or(usize::MAX);
        let mut watch = Watch::new(&mut report).with_max_states(max_states);
        let mut walk = Walk::new(&mut self.table, &mut self.terms, &mut self.evaluator, term);
        let written = refine::write_down(&mut walk, &mut watch);
        let (is_full, why) = (watch.is_full(), asking.why());
        written.map_err(|ended| match ended {
            Ended::Failed((_, error)) => self.failed_step(&error),
            Ended::Stopped if is_full => Failed::from_stop(Stop::MaxStates, why, &self.options),
            Ended::Stopped => Failed::Stopped(why),
        })
    }
}
