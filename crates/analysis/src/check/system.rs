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

/// States of a machine that is not decomposed although it could be; more when decomposing leads nowhere.
const SMALL: usize = 2_000;
const LARGER: usize = 200_000;
/// States of one machine; what is larger is walked as far as needed.
const MAX_MACHINE: usize = 4_000_000;
const MAX_SELECTED: usize = 50_000;
const MAX_RULES: usize = 20_000_000;
const MAX_MODES: usize = 10_000;

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
    pub(super) fn network(&mut self, term: TermId, model: Model) -> Result<Option<Rc<Compiled>>, Failed> {
        if let Some(known) = self.networks.get(&(term, model)) {
            return Ok(known.clone());
        }
        let network = self.new_network(term, model)?.map(Rc::new);
        self.networks.insert((term, model), network.clone());
        Ok(network)
    }

    fn new_network(&mut self, term: TermId, model: Model) -> Result<Option<Compiled>, Failed> {
        for max_small_states in [SMALL, LARGER] {
            match self.compile(term, model, max_small_states) {
                Ok(compiled) => return Ok(Some(compiled)),
                Err((CompileError::Canceled, why)) => return Err(Failed::Stopped(why)),
                Err((CompileError::Stopped(_, stop), why)) => return Err(Failed::from_stop(stop, why, &self.options)),
                Err((CompileError::TooManyModes, _)) => {}
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    fn compile(
        &mut self,
        term: TermId,
        model: Model,
        max_small_states: usize,
    ) -> Result<Compiled, (CompileError, Interrupt)> {
        let asking = Asking::new(&self.options);
        let limits = CompileLimits {
            max_small_states,
            max_machine_states: usize::try_from(self.options.max_states).unwrap_or(usize::MAX).min(MAX_MACHINE),
            max_selected_states: MAX_SELECTED,
            max_rules: MAX_RULES,
            max_modes: MAX_MODES,
            search: self.options.search_limits(),
        };
        let mut workshop = Workshop {
            table: &mut self.table,
            terms: &mut self.terms,
            unfold: &mut self.evaluator,
            library: &mut self.library,
            limits,
            fidelity: Fidelity::Model(model),
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
    fn explicit(&mut self, term: TermId, model: Model) -> Result<Lts, Failed> {
        match self.network(term, model)? {
            None => self.walk(term),
            Some(compiled) => {
                let asking = Asking::new(&self.options);
                let explicit = explore::to_lts(&compiled.network, &self.options.search_limits(), &asking);
                match explicit {
                    Ok(explicit) => Ok(explicit.lts),
                    Err(NotExplicit::Stopped(stop)) => Err(Failed::from_stop(stop, asking.why(), &self.options)),
                    Err(NotExplicit::TooWide(_)) => self.walk(term),
                }
            }
        }
    }

    /// The same, term by term.
    fn walk(&mut self, term: TermId) -> Result<Lts, Failed> {
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
