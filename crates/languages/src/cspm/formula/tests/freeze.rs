//! Variables and quantifiers, compared with their definitions: random formulas on random traces that end.
//!
//! The reader here takes a variable's value from the event at hand and carries it along; it makes no instances.

use super::{Bench, ask};
use frontend::formula::Lowered;
use frontend::formula::{Choices, Logic};
use ltl::logic::{Atom, Letter, Word};
use lts::Label;
use property::{Fact, Property};
use test_support::mutate::{Random, seed};

const SCRIPT: &str = "
channel c : {0..2}.{0..2}
channel d : {0..2}
P = c?x?y -> P [] d?x -> P
";

/// The condition on a field of an event.
#[derive(Clone, Copy)]
enum Part {
    Any,
    Constant(i64),
    Variable(usize),
    Binder(usize),
}

/// A formula as this test sees it. Variables are numbers.
enum Tree {
    Event(&'static str, Vec<Part>),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Quantified(&'static str, usize, i64, Box<Tree>),
}

/// An event of a trace.
type Event = (&'static str, Vec<i64>);

/// Values of variables.
type Values = Vec<Option<i64>>;

struct Maker<'a> {
    random: &'a mut Random,
    n_variables: usize,
}

impl Maker<'_> {
    fn tree(&mut self, size: usize, scope: &[usize]) -> Tree {
        if size <= 1 {
            return self.event(scope, &mut Vec::new(), false);
        }
        let rest = size - 1;
        match self.random.below(10) {
            0..3 => {
                let operator = *self.random.pick(&["not", "X", "Xw", "F", "G", "Y", "O", "H"]);
                Tree::Unary(operator, Box::new(self.tree(rest, scope)))
            }
            3 => {
                let (variable, limit) = (self.fresh(), self.random.below(3) as i64);
                let body = self.tree(rest, &[scope, &[variable]].concat());
                Tree::Quantified(self.random.pick::<&str>(&["forall", "exists"]), variable, limit, Box::new(body))
            }
            4..8 => {
                let mut bound = Vec::new();
                let left = self.binding(rest / 3, scope, &mut bound);
                let right = self.tree(rest - rest / 3, &[scope, &bound].concat());
                let operator = *self.random.pick(&["=>", "=>", "&", "~>"]);
                Tree::Binary(operator, Box::new(left), Box::new(right))
            }
            _ => {
                let operator = *self.random.pick(&["or", "U", "W", "R", "S"]);
                let left = 1 + self.random.below(rest);
                let (left, right) = (self.tree(left, scope), self.tree(rest.saturating_sub(left).max(1), scope));
                Tree::Binary(operator, Box::new(left), Box::new(right))
            }
        }
    }

    /// Events that bind variables, joined by `&` with others that may use them.
    fn binding(&mut self, size: usize, scope: &[usize], bound: &mut Vec<usize>) -> Tree {
        let event = self.event(scope, bound, true);
        if size <= 1 {
            return event;
        }
        let other = self.tree(size - 1, &[scope, &bound[..]].concat());
        Tree::Binary("&", Box::new(event), Box::new(other))
    }

    fn event(&mut self, scope: &[usize], bound: &mut Vec<usize>, may_bind: bool) -> Tree {
        let channel = *self.random.pick(&["c", "d"]);
        let n_fields = self.random.below(if channel == "c" { 3 } else { 2 });
        let mut part = || match self.random.below(5) {
            0 => Part::Any,
            1 => Part::Constant(self.random.below(3) as i64),
            2 | 3 if may_bind => {
                self.n_variables += 1;
                bound.push(self.n_variables - 1);
                Part::Binder(self.n_variables - 1)
            }
            _ if scope.is_empty() => Part::Any,
            _ => Part::Variable(*self.random.pick(scope)),
        };
        let parts = (0..n_fields).map(|_| part()).collect();
        Tree::Event(channel, parts)
    }

    fn fresh(&mut self) -> usize {
        self.n_variables += 1;
        self.n_variables - 1
    }
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Tree::Event(channel, parts) => {
                let parts = parts.iter().map(|part| match part {
                    Part::Any => "._".to_owned(),
                    Part::Constant(value) => format!(".{value}"),
                    Part::Variable(variable) => format!("!(0+v{variable})"),
                    Part::Binder(variable) => format!("?v{variable}"),
                });
                format!("[{channel}{}]", parts.collect::<String>())
            }
            Tree::Unary(operator, operand) => format!("{operator} ({})", operand.text()),
            Tree::Binary(operator, left, right) => format!("({}) {operator} ({})", left.text(), right.text()),
            Tree::Quantified(word, variable, limit, body) => {
                format!("({word} v{variable}:{{0..{limit}}} @ ({}))", body.text())
            }
        }
    }

    fn holds(&self, trace: &[Event], at: usize, values: &mut Values) -> bool {
        let before = values.clone();
        let truth = self.matches(trace, at, values);
        *values = before;
        truth
    }

    /// Evaluates a condition, and keeps the values that events bind.
    fn matches(&self, trace: &[Event], at: usize, values: &mut Values) -> bool {
        let last = trace.len();
        match self {
            Tree::Event(channel, parts) => {
                let Some((found, fields)) = trace.get(at).filter(|(found, _)| found == channel) else { return false };
                debug_assert_eq!(found, channel);
                parts.iter().zip(fields).all(|(part, field)| match part {
                    Part::Any => true,
                    Part::Constant(value) => value == field,
                    Part::Variable(variable) => values[*variable] == Some(*field),
                    Part::Binder(variable) => {
                        values[*variable] = Some(*field);
                        true
                    }
                })
            }
            Tree::Unary(operator, f) => match *operator {
                "not" => !f.holds(trace, at, values),
                "X" => at < last && f.holds(trace, at + 1, values),
                "Xw" => at == last || f.holds(trace, at + 1, values),
                "F" => (at..=last).any(|at| f.holds(trace, at, values)),
                "G" => (at..=last).all(|at| f.holds(trace, at, values)),
                "Y" => at > 0 && f.holds(trace, at - 1, values),
                "O" => (0..=at).any(|at| f.holds(trace, at, values)),
                _ => (0..=at).all(|at| f.holds(trace, at, values)),
            },
            Tree::Binary("&", f, g) => f.matches(trace, at, values) && g.matches(trace, at, values),
            Tree::Binary("=>", f, g) => !f.matches(trace, at, values) || g.holds(trace, at, values),
            Tree::Binary("~>", f, g) => (at..=last).all(|at| {
                let mut inner = values.clone();
                !f.matches(trace, at, &mut inner) || (at..=last).any(|at| g.holds(trace, at, &mut inner))
            }),
            Tree::Binary("or", f, g) => f.holds(trace, at, values) || g.holds(trace, at, values),
            Tree::Binary("S", f, g) => {
                (0..=at).any(|k| g.holds(trace, k, values) && (k + 1..=at).all(|at| f.holds(trace, at, values)))
            }
            Tree::Binary("U", f, g) => until(f, g, trace, at, values),
            Tree::Binary("W", f, g) => {
                (at..=last).all(|at| f.holds(trace, at, values)) || until(f, g, trace, at, values)
            }
            Tree::Binary(_, f, g) => {
                (at..=last).all(|k| g.holds(trace, k, values) || (at..k).any(|at| f.holds(trace, at, values)))
            }
            Tree::Quantified(word, variable, limit, body) => {
                let mut with = |value: i64| {
                    let mut inner = values.clone();
                    inner[*variable] = Some(value);
                    body.holds(trace, at, &mut inner)
                };
                if *word == "forall" { (0..=*limit).all(&mut with) } else { (0..=*limit).any(&mut with) }
            }
        }
    }
}

fn until(f: &Tree, g: &Tree, trace: &[Event], at: usize, values: &mut Values) -> bool {
    (at..=trace.len()).any(|k| g.holds(trace, k, values) && (at..k).all(|at| f.holds(trace, at, values)))
}

fn random_trace(random: &mut Random) -> Vec<Event> {
    let event = |random: &mut Random| {
        let channel = *random.pick(&["c", "c", "d"]);
        let n_fields = if channel == "c" { 2 } else { 1 };
        (channel, (0..n_fields).map(|_| random.below(3) as i64).collect())
    };
    (0..random.below(5)).map(|_| event(random)).collect()
}

#[test]
fn instances_mean_what_variables_mean() {
    let mut random = Random::new(seed());
    let mut trees = Vec::new();
    let mut n_variables = 0;
    for _ in 0..150 {
        let size = 2 + random.below(9);
        let mut maker = Maker { random: &mut random, n_variables };
        let tree = maker.tree(size, &[]);
        n_variables = maker.n_variables;
        trees.push(tree);
    }
    let texts: Vec<String> = trees.iter().map(Tree::text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let session = ask(SCRIPT, "P", Logic::Ltl, &texts, Choices::default());
    let mut bench = Bench::new(&session);
    let formulas = bench.formulas();
    let cspm::syntax::Property::Temporal { process, .. } = formulas[0] else { panic!("it is about a formula") };
    let system = bench.system(*process);
    let mut n_true = [0, 0];
    for ((tree, text), asserted) in trees.iter().zip(&texts).zip(formulas) {
        let question = bench.question(asserted).unwrap_or_else(|diagnostics| bench.show(&diagnostics));
        let Lowered::Linear(properties) = bench.lower(&question, &system) else { panic!("it is linear") };
        for _ in 0..20 {
            let trace = random_trace(&mut random);
            let labels: Vec<Label> = trace.iter().map(|event| bench.label(event)).collect();
            let expected = tree.holds(&trace, 0, &mut vec![None; n_variables]);
            let found = properties.iter().all(|(property, _)| satisfies(property, &labels));
            assert_eq!(found, expected, "{text} on {trace:?} (seed {})", seed());
            n_true[usize::from(expected)] += 1;
        }
    }
    assert!(n_true.iter().all(|&n| n > 500), "too much is false or true: {n_true:?}");
}

/// Whether a trace that ends satisfies a property.
fn satisfies(property: &Property, labels: &[Label]) -> bool {
    let letter = |at: usize| -> Letter {
        let is_true = |fact: &Fact| match fact {
            Fact::Takes(set) => labels.get(at).is_some_and(|&label| set.contains(label)),
            other => panic!("{other:?} is about states"),
        };
        let facts = property.facts.iter().enumerate().filter(|(_, fact)| is_true(fact));
        facts.map(|(number, _)| Atom(number as u32)).collect()
    };
    let word = Word { prefix: (0..=labels.len()).map(letter).collect(), cycle: Vec::new() };
    word.satisfies(&property.store, property.formula)
}

impl Bench<'_> {
    /// The label of an event that was met.
    fn label(&mut self, (channel, fields): &Event) -> Label {
        let name = fields.iter().fold((*channel).to_owned(), |name, field| format!("{name}.{field}"));
        let event = self.semantics.evaluator.events().find(&name);
        event.expect("the system has all events").label()
    }
}
