//! How a formula was read: ProB's notation, with all brackets that could be missed.

use super::event::{Event, EventPattern, Field, Mark, Value};
use super::tree::{
    Atom, Binary, Change, Domain, Fair, Form, Formula, Named, NodeId, Quantifier, StateWord, Strength, Unary,
};
use std::fmt::{self, Display, Formatter, Write};

/// The rest of the output, on an explicit stack, since formulas may be deep.
enum Task {
    Text(String),
    Node(NodeId),
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(premise) = self.premise {
            self.write(premise, f)?;
            f.write_str(" => ")?;
            return self.run(self.closed(self.body), f);
        }
        self.write(self.body, f)
    }
}

impl Formula {
    /// Writes the part below one node.
    pub fn write(&self, root: NodeId, out: &mut impl Write) -> fmt::Result {
        self.run(vec![Task::Node(root)], out)
    }

    /// The text of the part below one node.
    pub fn text_of(&self, root: NodeId) -> String {
        let mut text = String::new();
        self.write(root, &mut text).expect("a string takes everything");
        text
    }

    fn run(&self, mut tasks: Vec<Task>, out: &mut impl Write) -> fmt::Result {
        tasks.reverse();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => out.write_str(&text)?,
                Task::Node(id) => tasks.extend(self.parts(id).into_iter().rev()),
            }
        }
        Ok(())
    }

    /// The text of a node.
    fn parts(&self, id: NodeId) -> Vec<Task> {
        match self.form(id) {
            Form::Constant(value) => vec![text(value)],
            Form::Number(number) => vec![text(number)],
            Form::Atom(atom) => vec![text(atom)],
            Form::Fair(strength, fair) => vec![Task::Text(fairness(*strength, fair))],
            Form::Unary(operator, operand) => self.prefixed(operator.sign().to_owned(), *operand),
            Form::PathUnary { paths, operator, step, operand } => {
                let step = step.as_ref().map_or(String::new(), |step| format!("[{step}]"));
                self.prefixed(format!("{}{}{step}", paths.letter(), operator.sign()), *operand)
            }
            Form::Binary(operator, left, right) => self.between(*left, *operator, *right),
            Form::PathBinary { paths, operator, left, right } => {
                let mut parts = vec![text(&format!("{} ", paths.letter()))];
                parts.extend(self.between(*left, *operator, *right));
                parts
            }
            Form::Quantified { quantifier, variables, domain, body } => {
                let names: Vec<&str> = variables.iter().map(|variable| variable.text.as_str()).collect();
                self.quantified(*quantifier, &names.join(","), domain, *body)
            }
            Form::Named(named, arguments) => {
                let mut parts = vec![text(&format!("{}(", named.word()))];
                parts.extend(self.list(arguments));
                parts.push(text(")"));
                parts
            }
            Form::Chain { parts: members, without } => self.chain(members, *without),
        }
    }

    fn prefixed(&self, sign: String, operand: NodeId) -> Vec<Task> {
        let mut parts = vec![Task::Text(sign)];
        if self.is_simple(operand) {
            parts.extend([text(" "), Task::Node(operand)]);
        } else {
            parts.extend(bracketed(operand));
        }
        parts
    }

    fn between(&self, left: NodeId, operator: Binary, right: NodeId) -> Vec<Task> {
        let is_temporal = operator.is_temporal();
        // `not a U b` is easily misread.
        let operand = |id: NodeId| match self.form(id) {
            Form::Unary(..) | Form::PathUnary { .. } if is_temporal => bracketed(id).into(),
            _ => self.closed(id),
        };
        let mut parts: Vec<Task> = operand(left);
        parts.push(text(&format!(" {} ", operator.sign())));
        parts.extend(operand(right));
        parts
    }

    fn quantified(&self, quantifier: Quantifier, names: &str, domain: &Domain, body: NodeId) -> Vec<Task> {
        let (sign, word, join) = match quantifier {
            Quantifier::Exists => ("#", "exists", "&"),
            Quantifier::ForAll => ("!", "forall", "=>"),
        };
        match domain {
            Domain::Type(domain) => {
                let mut parts = vec![text(&format!("{word} {names}:{} @ ", domain.text))];
                parts.extend(self.closed(body));
                parts
            }
            Domain::Predicate(predicate) => {
                let mut parts = vec![text(&format!("{sign}{names}.({{{}}} {join} ", predicate.text))];
                parts.extend(self.closed(body));
                parts.push(text(")"));
                parts
            }
        }
    }

    fn list(&self, members: &[NodeId]) -> Vec<Task> {
        let mut parts = Vec::new();
        for (index, &member) in members.iter().enumerate() {
            if index > 0 {
                parts.push(text(", "));
            }
            parts.push(Task::Node(member));
        }
        parts
    }

    fn chain(&self, members: &[NodeId], without: Option<NodeId>) -> Vec<Task> {
        let mut parts = vec![text("(")];
        parts.extend(self.list(members));
        if let Some(without) = without {
            parts.extend([text(" without "), Task::Node(without)]);
        }
        parts.push(text(")"));
        parts
    }

    /// An operand of an operator between two.
    fn closed(&self, id: NodeId) -> Vec<Task> {
        let is_open = match self.form(id) {
            Form::Binary(..) | Form::PathBinary { .. } => true,
            Form::Quantified { domain, .. } => matches!(domain, Domain::Type(_)),
            _ => false,
        };
        if is_open { bracketed(id).into() } else { vec![Task::Node(id)] }
    }

    /// Whether a formula needs no brackets behind an operator.
    fn is_simple(&self, id: NodeId) -> bool {
        matches!(self.form(id), Form::Constant(_) | Form::Atom(_) | Form::Fair(..) | Form::Named(..))
    }
}

fn text(text: &(impl ToString + ?Sized)) -> Task {
    Task::Text(text.to_string())
}

fn bracketed(id: NodeId) -> [Task; 3] {
    [text("("), Task::Node(id), text(")")]
}

fn fairness(strength: Strength, fair: &Fair) -> String {
    match (strength, fair) {
        (Strength::Weak, Fair::Every) => "WEF".to_owned(),
        (Strength::Strong, Fair::Every) => "SEF".to_owned(),
        (Strength::Weak, Fair::Matching(pattern)) => format!("WF({pattern})"),
        (Strength::Strong, Fair::Matching(pattern)) => format!("SF({pattern})"),
        (Strength::Unconditional, Fair::Matching(pattern)) => format!("UF({pattern})"),
        (Strength::Unconditional, Fair::Every) => unreachable!("no word asks for every event whatever is possible"),
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Step(pattern) => write!(f, "[{pattern}]"),
            Atom::Bare(pattern) => write!(f, "{pattern}"),
            Atom::Enabled(pattern) => write!(f, "e({pattern})"),
            Atom::WeaklyEnabled(pattern) => write!(f, "e*({pattern})"),
            Atom::Available(pattern) => write!(f, "Av({pattern})"),
            Atom::DeadlockOf(patterns) => write_call(f, "deadlock", patterns),
            Atom::Deterministic(patterns) => write_call(f, "deterministic", patterns),
            Atom::Controller(patterns) => write_call(f, "controller", patterns),
            Atom::State(word) => f.write_str(word.word()),
            // A brace and a bar together would begin a set of events.
            Atom::Predicate(predicate) if predicate.text.starts_with('|') => write!(f, "{{ {}}}", predicate.text),
            Atom::Predicate(predicate) => write!(f, "{{{}}}", predicate.text),
            Atom::Change(change, expression) => write!(f, "{}({{{}}})", change.word(), expression.text),
        }
    }
}

impl Display for EventPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            EventPattern::Tau => f.write_str("tau"),
            EventPattern::Tick => f.write_str("tick"),
            EventPattern::Event(event) => write!(f, "{event}"),
            EventPattern::Set(events) => {
                f.write_str("{|")?;
                write_list(f, events)?;
                f.write_str("|}")
            }
        }
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.results.is_empty() {
            write_list(f, &self.results)?;
            f.write_str(" <-- ")?;
        }
        f.write_str(&self.name.text)?;
        let is_argument = |field: &&Field| field.mark == Mark::Argument;
        for Field { mark, value, within } in self.fields.iter().filter(|field| !is_argument(field)) {
            write!(f, "{}{value}", mark.sign())?;
            if let Some(within) = within {
                write!(f, ":{}", within.text)?;
            }
        }
        let arguments: Vec<&Value> = self.fields.iter().filter(is_argument).map(|field| &field.value).collect();
        if arguments.is_empty() { Ok(()) } else { write_call(f, "", &arguments) }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().map_or("_", |text| text.text.as_str()))
    }
}

fn write_call(f: &mut Formatter<'_>, word: &str, members: &[impl Display]) -> fmt::Result {
    write!(f, "{word}(")?;
    write_list(f, members)?;
    f.write_str(")")
}

fn write_list(f: &mut Formatter<'_>, members: &[impl Display]) -> fmt::Result {
    for (index, member) in members.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        write!(f, "{comma}{member}")?;
    }
    Ok(())
}

impl Mark {
    fn sign(self) -> &'static str {
        match self {
            Mark::Dot => ".",
            Mark::Input => "?",
            Mark::Output => "!",
            Mark::Argument => "",
        }
    }
}

impl Quantifier {
    fn letter(self) -> char {
        match self {
            Quantifier::Exists => 'E',
            Quantifier::ForAll => 'A',
        }
    }
}

impl Unary {
    /// The operator as it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Unary::Not => "not",
            Unary::Next => "X",
            Unary::WeakNext => "Xw",
            Unary::Finally => "F",
            Unary::Globally => "G",
            Unary::Yesterday => "Y",
            Unary::WeakYesterday => "Yw",
            Unary::Once => "O",
            Unary::Historically => "H",
        }
    }
}

impl Binary {
    /// Whether it speaks of other positions.
    pub(crate) fn is_temporal(self) -> bool {
        !matches!(self, Binary::And | Binary::Or | Binary::Implies | Binary::Equivalent | Binary::Xor)
    }

    /// The operator as it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Binary::And => "&",
            Binary::Or => "or",
            Binary::Implies => "=>",
            Binary::Equivalent => "<=>",
            Binary::Xor => "xor",
            Binary::Until => "U",
            Binary::WeakUntil => "W",
            Binary::Release => "R",
            Binary::StrongRelease => "M",
            Binary::Since => "S",
            Binary::WeakSince => "B",
            Binary::Trigger => "T",
            Binary::LeadsTo => "~>",
        }
    }
}

impl StateWord {
    fn word(self) -> &'static str {
        match self {
            StateWord::Deadlock => "deadlock",
            StateWord::Sink => "sink",
            StateWord::Goal => "goal",
            StateWord::Error => "error",
            StateWord::DetOutput => "det_output",
            StateWord::NonDet => "non_det",
            StateWord::Current => "current",
            StateWord::Terminated => "terminated",
        }
    }
}

impl Change {
    fn word(self) -> &'static str {
        match self {
            Change::BeforeAfter => "BA",
            Change::Unchanged => "unchanged",
            Change::Changed => "changed",
            Change::Increasing => "increasing",
            Change::Decreasing => "decreasing",
        }
    }
}

impl Named {
    /// The name as it is written.
    pub fn word(self) -> &'static str {
        match self {
            Named::Absence => "absence",
            Named::Universality => "universality",
            Named::Existence => "existence",
            Named::Response => "response",
            Named::Precedence => "precedence",
            Named::Before => "before",
            Named::After => "after",
            Named::Between => "between",
            Named::AfterUntil => "after_until",
            Named::Seq => "seq",
        }
    }
}
