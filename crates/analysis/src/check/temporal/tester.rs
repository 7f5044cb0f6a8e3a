//! Testers: formulas as processes, for other tools and as an independent oracle (Leuschel, Massart and Currie, 2001,
//! "How to make FDR spin").

use super::super::checker::Checker;
use super::fidelity;
use frontend::formula::{Lowered, Occurring, Question};
use frontend::{Asserted, Effort, Failure, State, Tester};
use ltl::tester::delta_automaton;
use lts::Label;
use temporal::{Fact, FiniteRuns, Property, View, product};

impl Checker<'_> {
    /// A script that includes this one by the given path and has, for each part of the formula of an assertion, a
    /// process and two refinements: the formula holds iff all of them fail.
    ///
    /// # Errors
    /// The reason why there is no tester.
    pub fn tester(&mut self, index: usize, include: &str) -> Result<String, String> {
        let asserted = self.semantics.asserted(index).map_err(|failure| match failure {
            Failure::Error(problem) => problem.title,
            Failure::Stopped(_) => "a limit was reached".to_owned(),
            Failure::Beyond(why) => why,
        })?;
        let Asserted::Satisfies(process, question) = asserted else { return Err("there is no formula".to_owned()) };
        if question.rules.view != View::Trace || question.rules.finite_runs != FiniteRuns::Maximal {
            return Err("a tester sees traces only: it needs --view trace and --finite-runs maximal".to_owned());
        }
        let system = self.session.assertions()[index - 1].sides.process.clone();
        let occurring = Occurring { labels: self.visible_labels(process, &question)?, are_all: true };
        let lowered = self.semantics.lower_formula(&question, &occurring, &[]);
        let Lowered::Linear(properties) = lowered.map_err(|problem| problem.title)? else {
            return Err("there are no testers for branching time".to_owned());
        };
        let events: Vec<Label> = occurring.labels.into_iter().filter(|&label| label > Label::TICK).collect();
        let names: Vec<String> = events.iter().map(|&event| self.label_text(event)).collect();
        let automata = properties.iter().map(|(property, _)| automaton(property, &question, &events));
        let automata = automata.collect::<Result<Vec<_>, _>>()?;
        let tester = Tester {
            formula: &question.formula.to_string(),
            include,
            process: &system,
            events: &names,
            automata: &automata,
        };
        let text = self.session.script.tester(&tester);
        text.ok_or_else(|| "there are no testers in the language of this script".to_owned())
    }

    /// The labels of all steps of a process.
    fn visible_labels(&mut self, process: State, question: &Question) -> Result<Vec<Label>, String> {
        let unknown = || "the events of the process were not found out".to_owned();
        let lowered = self.network(process, fidelity(question), Effort::Full).map_err(|_| unknown())?;
        let lowered = lowered.ok_or_else(unknown)?;
        let rules = lowered.network.modes.iter().flat_map(|mode| &mode.rules);
        let mut labels: Vec<Label> = rules.map(|rule| rule.shows).collect();
        labels.sort_unstable();
        labels.dedup();
        Ok(labels)
    }
}

fn automaton(
    property: &Property,
    question: &Question,
    events: &[Label],
) -> Result<ltl::tester::DeltaAutomaton, String> {
    if !property.fairness.is_none() {
        return Err("there are no testers for fairness".to_owned());
    }
    if property.facts.contains(&Fact::Terminated) {
        return Err("a tester does not tell termination from a deadlock".to_owned());
    }
    let automaton = product::automaton_against(property, &question.rules);
    let automaton =
        automaton.map_err(|_| "there are no testers for the past, nor for very large formulas".to_owned())?;
    let letter = |is_true: &dyn Fn(&Fact) -> bool| {
        property.facts.iter().enumerate().fold(0, |bits, (number, fact)| bits | u64::from(is_true(fact)) << number)
    };
    let of_event = |&event: &Label| letter(&|fact| matches!(fact, Fact::Takes(labels) if labels.contains(event)));
    let end = letter(&|fact| *fact == Fact::Stuck) | 1 << property.facts.len();
    Ok(delta_automaton(&automaton, &events.iter().map(of_event).collect::<Vec<_>>(), end))
}
