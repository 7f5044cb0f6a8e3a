//! Networks in their text format, as the engines see them.

use super::checker::Checker;
use super::failed::Failed;
use decide::Claim;
use frontend::{Asserted, Effort, Fidelity, State};
use languages::{NetworkToWrite, network_name, write_networks};
use lts::Model;
use model::network::MachineId;
use source::{Diagnostic, Span};

impl Checker<'_> {
    /// The network of the session's process. Compressions of the script preserve the behavior that the model sees.
    ///
    /// # Errors
    /// When the process cannot be evaluated, a limit is reached, or it has no network.
    pub fn network_text(&mut self, model: Model) -> Result<String, Box<Diagnostic>> {
        let added = self.session.script.prints().last().map(|print| (print.span, print.text.clone()));
        let (span, name) = added.unwrap_or((Span::default(), "PROCESS".to_owned()));
        let written = self.semantics.added_process().map_err(Failed::from);
        let written = written.and_then(|process| self.named_network(process, Fidelity::Model(model), &name));
        let written = written.map_err(|failed| self.diagnose(failed, span))?;
        Ok(write_networks(self.semantics.events(), &[written], &[]))
    }

    /// The networks of an assertion, with the assertion itself. Formulas are left out, as they speak of names of the
    /// script.
    ///
    /// # Errors
    /// When a process cannot be evaluated, a limit is reached, or it has no network.
    pub fn assertion_text(&mut self, index: usize) -> Result<String, Box<Diagnostic>> {
        let span = self.session.assertions()[index - 1].span;
        self.assertion_as_networks(index).map_err(|failed| self.diagnose(failed, span))
    }

    fn assertion_as_networks(&mut self, index: usize) -> Result<String, Failed> {
        let asserted = super::linearizable::compared(self.semantics.asserted(index)?);
        let not = if self.session.assertions()[index - 1].negated { "not " } else { "" };
        let (mut networks, mut assertions) = (Vec::new(), Vec::new());
        if let Asserted::Satisfies(process, question) = &asserted {
            networks.push(self.named_network(*process, super::temporal::fidelity(question), IMPLEMENTATION)?);
            return Ok(write_networks(self.semantics.events(), &networks, &assertions));
        }
        let (process, model, text) = match &asserted {
            Asserted::Refines { specification, implementation, model } => {
                networks.push(self.named_network(*specification, Fidelity::Model(*model), SPECIFICATION)?);
                (*implementation, *model, format!("{SPECIFICATION} [{}= {IMPLEMENTATION}", model.name()))
            }
            _ => {
                let (process, claim) = self.claim(&asserted)?;
                (process, claim.decisive_model(), self.claim_text(&claim))
            }
        };
        networks.push(self.named_network(process, Fidelity::of_runs(model), IMPLEMENTATION)?);
        assertions.push(format!("{not}{text}"));
        Ok(write_networks(self.semantics.events(), &networks, &assertions))
    }

    fn named_network(&mut self, process: State, fidelity: Fidelity, name: &str) -> Result<NetworkToWrite, Failed> {
        let lowered = match self.network(process, fidelity, Effort::Little)? {
            Some(lowered) => lowered,
            None => self.network(process, fidelity, Effort::Full)?.ok_or_else(|| {
                Failed::unsupported("the process has no network: its structure changes in ever new ways as it runs")
            })?,
        };
        let mut machines = Vec::with_capacity(lowered.network.machines.len());
        for machine in (0..lowered.network.machines.len() as u32).map(MachineId) {
            let component = self.semantics.machine(lowered.id, machine);
            machines.push(component.map_or((format!("M{}", machine.0), None), |component| {
                let place = component.place.map(|span| {
                    let map = self.session.source_map();
                    let position = map.position(span);
                    format!("{}:{}:{}", map.file_of(span).path, position.line, position.column)
                });
                (component.name, place)
            }));
        }
        Ok(NetworkToWrite { name: name.to_owned(), network: lowered.network, machines })
    }

    fn claim_text(&self, claim: &Claim) -> String {
        match claim {
            Claim::Refines(_) => unreachable!("a refinement is about two networks"),
            Claim::DeadlockFree(model) => format!("{IMPLEMENTATION} :[deadlock free [{}]]", model.name()),
            Claim::DivergenceFree => format!("{IMPLEMENTATION} :[divergence free]"),
            Claim::Deterministic(model) => format!("{IMPLEMENTATION} :[deterministic [{}]]", model.name()),
            Claim::HasTrace(trace, model) => {
                let events: Vec<String> = trace.iter().map(|&label| network_name(&self.label_text(label))).collect();
                format!("{IMPLEMENTATION} :[has trace [{}]]: <{}>", model.name(), events.join(", "))
            }
        }
    }
}

const SPECIFICATION: &str = "SPECIFICATION";
const IMPLEMENTATION: &str = "IMPLEMENTATION";
