//! Small systems and properties, parsed from text.
//!
//! A system is a list of steps such as `0 a 1, 1 tau 0`; the source of the first one is the initial state. The state
//! `?` is open. In formulas `{0 1}` is true in these states.

use ltl::logic::{self, Store, branching};
use ltl::syntax::{
    Atom, Binary, Dialect, EventPattern, Fair, Form, Formula, NodeId, Quantifier, StateWord, Unary, parse_ctl,
    parse_ltl,
};
use lts::{Builder, Label, Labels as Names, StateId};
use temporal::{Condition, Fact, Fairness, Labels, Property, Strength, Structure, ctl};

/// A small system whose states and labels have names.
pub struct Toy {
    pub structure: Structure,
    pub labels: Names,
    states: Names,
}

impl Toy {
    pub fn new(text: &str) -> Toy {
        let (mut labels, mut states) = (Names::new(), Names::new());
        let mut builder = Builder::new();
        for step in text.split(',') {
            let words: Vec<&str> = step.split_whitespace().collect();
            let [source, label, target] = words[..] else { panic!("`{step}` is no step") };
            let label = match label {
                "tick" => Label::TICK,
                _ => labels.intern(label),
            };
            builder.add(number(&mut states, source), label, number(&mut states, target));
        }
        let open = states.find("?").map(|state| state.index() - 2).into_iter().collect();
        Toy { structure: Structure::partly_known(&builder.finish(StateId(0)), open), labels, states }
    }

    pub fn label(&self, name: &str) -> Option<Label> {
        self.labels.find(name)
    }

    /// A formula of linear time about this system.
    pub fn property(&self, text: &str) -> Property {
        let parsed = parse_ltl(text, 0, Dialect::ProB);
        let formula = parsed.formula.unwrap_or_else(|| panic!("`{text}`: {:?}", parsed.diagnostics));
        let mut reader = Reader { toy: self, formula: &formula, facts: Vec::new() };
        let mut store = Store::default();
        let read = reader.linear(&mut store, formula.body);
        let fairness = match formula.premise {
            Some(premise) => Fairness { alternatives: reader.premise(premise) },
            None => Fairness::default(),
        };
        Property { store, formula: read, facts: reader.facts, fairness }
    }

    /// A formula of branching time about this system.
    pub fn branching(&self, text: &str) -> ctl::Property {
        let parsed = parse_ctl(text, 0, Dialect::ProB);
        let formula = parsed.formula.unwrap_or_else(|| panic!("`{text}`: {:?}", parsed.diagnostics));
        let mut reader = Reader { toy: self, formula: &formula, facts: Vec::new() };
        let mut store = branching::Store::default();
        let read = reader.branching(&mut store, formula.body);
        ctl::Property { store, formula: read, facts: reader.facts }
    }
}

/// The number of a state; the first two names are reserved for the labels that always exist.
fn number(states: &mut Names, name: &str) -> StateId {
    StateId(states.intern(name).0 - 2)
}

struct Reader<'a> {
    toy: &'a Toy,
    formula: &'a Formula,
    facts: Vec<Fact>,
}

impl Reader<'_> {
    fn labels(&self, pattern: &EventPattern) -> Labels {
        let events = pattern.events().iter().filter_map(|event| self.toy.label(&event.name.text));
        let special = match pattern {
            EventPattern::Tau => Some(Label::TAU),
            EventPattern::Tick => Some(Label::TICK),
            _ => None,
        };
        events.chain(special).collect()
    }

    fn atom(&mut self, atom: &Atom) -> logic::Atom {
        let fact = match atom {
            Atom::Step(pattern) | Atom::Bare(pattern) => Fact::Takes(self.labels(pattern)),
            Atom::Enabled(pattern) => Fact::Enables(self.labels(pattern)),
            Atom::WeaklyEnabled(pattern) => Fact::EnablesSilently(self.labels(pattern)),
            Atom::State(StateWord::Deadlock) => Fact::Stuck,
            Atom::State(StateWord::Sink) => Fact::Sink,
            Atom::State(StateWord::Terminated) => Fact::Terminated,
            Atom::Predicate(names) => {
                let state = |name| self.toy.states.find(name).unwrap_or_else(|| panic!("no state is called `{name}`"));
                Fact::Among(names.text.split_whitespace().map(|name| state(name).index() - 2).collect())
            }
            other => panic!("{other:?} is not for small systems"),
        };
        self.facts.push(fact);
        logic::Atom(self.facts.len() as u32 - 1)
    }

    fn linear(&mut self, store: &mut Store, node: NodeId) -> logic::Formula {
        let formula = self.formula;
        match formula.form(node) {
            Form::Constant(true) => logic::Formula::TRUE,
            Form::Constant(false) => logic::Formula::FALSE,
            Form::Atom(atom) => {
                let atom = self.atom(atom);
                store.atom(atom)
            }
            Form::Unary(operator, operand) => {
                let operand = self.linear(store, *operand);
                match operator {
                    Unary::Not => store.not(operand),
                    Unary::Next => store.next(operand),
                    Unary::WeakNext => store.weak_next(operand),
                    Unary::Finally => store.finally(operand),
                    Unary::Globally => store.globally(operand),
                    Unary::Yesterday => store.yesterday(operand),
                    Unary::WeakYesterday => store.weak_yesterday(operand),
                    Unary::Once => store.once(operand),
                    Unary::Historically => store.historically(operand),
                }
            }
            Form::Binary(operator, left, right) => {
                let (left, right) = (self.linear(store, *left), self.linear(store, *right));
                match operator {
                    Binary::And => store.and([left, right]),
                    Binary::Or => store.or([left, right]),
                    Binary::Implies => store.implies(left, right),
                    Binary::Equivalent => store.equivalent(left, right),
                    Binary::Xor => unreachable!("no formula here is PAT's"),
                    Binary::Until => store.until(left, right),
                    Binary::WeakUntil => store.weak_until(left, right),
                    Binary::Release => store.release(left, right),
                    Binary::StrongRelease => store.strong_release(left, right),
                    Binary::Since => store.since(left, right),
                    Binary::WeakSince => store.weak_since(left, right),
                    Binary::Trigger => store.trigger(left, right),
                    Binary::LeadsTo => panic!("written otherwise here"),
                }
            }
            other => panic!("{other:?} is not for small systems"),
        }
    }

    /// The alternatives of a premise.
    fn premise(&self, node: NodeId) -> Vec<Vec<Condition>> {
        match self.formula.form(node) {
            Form::Fair(strength, fair) => {
                let strength = match strength {
                    ltl::syntax::Strength::Weak => Strength::Weak,
                    ltl::syntax::Strength::Strong => Strength::Strong,
                    ltl::syntax::Strength::Unconditional => Strength::Unconditional,
                };
                vec![vec![match fair {
                    Fair::Every => Condition::EachLabel(strength),
                    Fair::Matching(pattern) => Condition::Labels(strength, self.labels(pattern)),
                }]]
            }
            Form::Binary(Binary::Or, left, right) => [self.premise(*left), self.premise(*right)].concat(),
            Form::Binary(Binary::And, left, right) => {
                let (left, right) = (self.premise(*left), self.premise(*right));
                left.iter().flat_map(|left| right.iter().map(|right| [&left[..], right].concat())).collect()
            }
            other => panic!("{other:?} is no premise"),
        }
    }

    fn branching(&mut self, store: &mut branching::Store, node: NodeId) -> branching::Formula {
        let formula = self.formula;
        match formula.form(node) {
            Form::Constant(true) => branching::Formula::TRUE,
            Form::Constant(false) => branching::Formula::FALSE,
            Form::Atom(atom) => {
                let atom = self.atom(atom);
                store.atom(atom)
            }
            Form::Unary(Unary::Not, operand) => {
                let operand = self.branching(store, *operand);
                store.not(operand)
            }
            Form::Binary(operator, left, right) => {
                let (left, right) = (self.branching(store, *left), self.branching(store, *right));
                match operator {
                    Binary::And => store.and(left, right),
                    Binary::Or => store.or(left, right),
                    Binary::Implies => store.implies(left, right),
                    other => panic!("{other:?} is not for small systems"),
                }
            }
            Form::PathUnary { paths, operator, step, operand } => {
                let operand = self.branching(store, *operand);
                let step = step.as_ref().map(|step| self.atom(&Atom::Step(step.clone())));
                let fails = store.not(operand);
                let for_some = *paths == Quantifier::Exists;
                match (operator, for_some) {
                    (Unary::Next, true) => store.exists_next(step, operand),
                    (Unary::Next, false) => store.forall_next(step, operand),
                    (Unary::Finally, true) => store.exists_until(branching::Formula::TRUE, operand),
                    (Unary::Finally, false) => store.forall_until(branching::Formula::TRUE, operand),
                    (Unary::Globally, true) => store.exists_globally(operand),
                    (Unary::Globally, false) => {
                        let can_fail = store.exists_until(branching::Formula::TRUE, fails);
                        store.not(can_fail)
                    }
                    other => panic!("{other:?} is not for small systems"),
                }
            }
            other => panic!("{other:?} is not for small systems"),
        }
    }
}
