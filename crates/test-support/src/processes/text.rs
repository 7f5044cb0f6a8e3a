//! Terms as text, in the usual ASCII notation of CSP where there is one.
//!
//! Printing uses an explicit stack and a depth limit, beyond which it writes `...`. Operands that are not single words
//! are parenthesized, so that the text does not depend on precedences.

use model::{EventId, EventTable};
use process::{HIDDEN, Relation, Term, TermId, Terms, Unfold};

/// Printer of terms.
pub struct Printer<'a> {
    /// Store of terms.
    pub terms: &'a Terms,
    /// Names of events.
    pub events: &'a EventTable,
    /// Names of calls.
    pub unfold: &'a mut dyn Unfold,
    /// Limit on the depth of operators.
    pub max_depth: usize,
}

/// Work item of the printer.
enum Piece {
    Text(String),
    Term(TermId, usize, Wrap),
}

/// Whether an operand is parenthesized.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrap {
    Never,
    UnlessAtom,
    UnlessPrefix,
}

impl Printer<'_> {
    /// Term as text.
    pub fn print(&mut self, term: TermId) -> String {
        let mut out = String::new();
        let mut stack = vec![Piece::Term(term, 0, Wrap::Never)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Term(term, depth, wrap) => {
                    let mut pieces = self.pieces(term, depth, wrap);
                    pieces.reverse();
                    stack.append(&mut pieces);
                }
            }
        }
        out
    }

    fn pieces(&mut self, id: TermId, depth: usize, wrap: Wrap) -> Vec<Piece> {
        let mut line = Line { pieces: Vec::new(), depth: depth + 1 };
        let terms = self.terms;
        let term = terms.get(id);
        if !term.operands().is_empty() && depth >= self.max_depth {
            line.text("...");
            return line.pieces;
        }
        let wrapped = match wrap {
            Wrap::Never => false,
            Wrap::UnlessAtom => !is_atom(term),
            Wrap::UnlessPrefix => !is_atom(term) && !matches!(term, Term::Prefix(..) | Term::PrefixAny(..)),
        };
        if wrapped {
            line.text("(");
        }
        self.write(term, &mut line);
        if wrapped {
            line.text(")");
        }
        line.pieces
    }

    fn write(&mut self, term: &Term, line: &mut Line) {
        match term {
            Term::Stop => line.text("STOP"),
            Term::Skip => line.text("SKIP"),
            Term::Div => line.text("DIV"),
            Term::Omega => line.text("OMEGA"),
            Term::Chaos(events) => line.text(format!("CHAOS({})", self.set(events))),
            Term::Run(events) => line.text(format!("RUN({})", self.set(events))),
            Term::Call(call) => line.text(self.unfold.call_text(*call)),
            Term::Failed(_) => line.text("<failed>"),
            Term::Prefix(event, next) => {
                line.text(format!("{} -> ", self.events.text(*event)));
                line.term(*next, Wrap::UnlessPrefix);
            }
            Term::PrefixAny(events, next) => {
                line.text(format!("?e:{} -> ", self.set(events)));
                line.term(*next, Wrap::UnlessPrefix);
            }
            Term::ExternalChoice(operands) => line.chain(operands, "[]"),
            Term::InternalChoice(operands) => line.chain(operands, "|~|"),
            Term::Interleave(operands) => line.chain(operands, "|||"),
            Term::Parallel(operands, events) => line.chain(operands, &format!("[|{}|]", self.set(events))),
            Term::SyncChoice(operands, events) => line.chain(operands, &format!("[+{}+]", self.set(events))),
            Term::AlphaParallel(operands) => self.write_alpha_parallel(operands, line),
            Term::SlidingChoice(left, right) => line.chain(&[*left, *right], "[>"),
            Term::Sequential(left, right) => line.chain(&[*left, *right], ";"),
            Term::Interrupt(left, right) => line.chain(&[*left, *right], "/\\"),
            Term::Exception(left, events, right) => {
                line.chain(&[*left, *right], &format!("[|{}|>", self.set(events)));
            }
            Term::Link(left, relation, right) => {
                line.chain(&[*left, *right], &format!("[{}]", self.pairs(relation, "<->")));
            }
            Term::SyncInterrupt(left, events, right) => {
                line.chain(&[*left, *right], &format!("/+{}+\\", self.set(events)));
            }
            Term::Hide(operand, events) => line.suffix(*operand, format!(" \\ {}", self.set(events))),
            Term::Project(operand, events) => line.suffix(*operand, format!(" |\\ {}", self.set(events))),
            Term::Rename(operand, relation) => {
                line.suffix(*operand, format!("[[{}]]", self.pairs(relation, " <- ")));
            }
            Term::Prioritise(operand, levels) => {
                let levels: Vec<String> = levels.iter().map(|set| self.set(set)).collect();
                line.apply("prioritise", *operand, format!(", <{}>", levels.join(", ")));
            }
            Term::PrioritiseBy(operand, order) => {
                let pairs: Vec<String> = order.above.iter().map(|&pair| self.tuple(pair)).collect();
                let rest =
                    format!(", {}, {{{}}}, {}", self.set(&order.events), pairs.join(", "), self.set(&order.maximal));
                line.apply("prioritisepo", *operand, rest);
            }
            Term::Buffer(n, relation) => line.text(format!("BUFFER({n}, {})", self.tuples(relation))),
            Term::WeakBuffer(n, full, relation) => {
                let full = self.events.text(*full);
                line.text(format!("WEAK_BUFFER({n}, {full}, {})", self.tuples(relation)));
            }
            Term::SignalBuffer(n, full, empty, relation) => {
                let (full, empty) = (self.events.text(*full), self.events.text(*empty));
                line.text(format!("SIGNAL_BUFFER({n}, {full}, {empty}, {})", self.tuples(relation)));
            }
            Term::Holding(buffer, owed) => {
                line.term(*buffer, Wrap::Never);
                line.text(format!(" holding <{}>", self.names(owed)));
            }
            Term::Loop(operand) => line.apply("loop", *operand, String::new()),
            Term::Compressed(compression, operand) => line.apply(compression.name(), *operand, String::new()),
            Term::TraceWatchdog(operand, events, alarm) => {
                let rest = format!(", {}, {}", self.set(events), self.events.text(*alarm));
                line.apply("trace_watchdog", *operand, rest);
            }
            Term::FailureWatchdog(operand, events, alarm) => {
                let rest = format!(", {}, {}", self.set(events), self.events.text(*alarm));
                line.apply("failure_watchdog", *operand, rest);
            }
        }
    }

    /// Alphabetized parallel: two components enclose their alphabets; otherwise each is followed by its own.
    fn write_alpha_parallel(&self, operands: &[(TermId, model::EventSet)], line: &mut Line) {
        if let [(left, a), (right, b)] = operands {
            return line.chain(&[*left, *right], &format!("[{}||{}]", self.set(a), self.set(b)));
        }
        line.text("|| <");
        for (position, (operand, alphabet)) in operands.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            line.text(format!("{separator}[{}] ", self.set(alphabet)));
            line.term(*operand, Wrap::UnlessAtom);
        }
        line.text(">");
    }

    fn names(&self, events: &[EventId]) -> String {
        let names: Vec<&str> = events.iter().map(|&event| self.events.text(event)).collect();
        names.join(", ")
    }

    fn set(&self, events: &[EventId]) -> String {
        format!("{{{}}}", self.names(events))
    }

    fn pairs(&self, relation: &Relation, arrow: &str) -> String {
        let image = |event| if event == HIDDEN { "tau" } else { self.events.text(event) };
        let texts: Vec<String> =
            relation.iter().map(|&(a, b)| format!("{}{arrow}{}", self.events.text(a), image(b))).collect();
        texts.join(", ")
    }

    fn tuple(&self, (a, b): (EventId, EventId)) -> String {
        format!("({}, {})", self.events.text(a), self.events.text(b))
    }

    fn tuples(&self, relation: &Relation) -> String {
        let texts: Vec<String> = relation.iter().map(|&pair| self.tuple(pair)).collect();
        format!("{{{}}}", texts.join(", "))
    }
}

/// Pieces of one operator.
struct Line {
    pieces: Vec<Piece>,
    depth: usize,
}

impl Line {
    fn text(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Text(text.into()));
    }

    fn term(&mut self, term: TermId, wrap: Wrap) {
        self.pieces.push(Piece::Term(term, self.depth, wrap));
    }

    fn chain(&mut self, operands: &[TermId], operator: &str) {
        match operands {
            [_, _, ..] => {}
            _ => self.text(format!("{operator} <")),
        }
        for (position, &operand) in operands.iter().enumerate() {
            if position > 0 {
                self.text(format!(" {operator} "));
            }
            self.term(operand, Wrap::UnlessAtom);
        }
        if operands.len() < 2 {
            self.text(">");
        }
    }

    fn suffix(&mut self, operand: TermId, suffix: String) {
        self.term(operand, Wrap::UnlessAtom);
        self.text(suffix);
    }

    fn apply(&mut self, function: &str, operand: TermId, rest: String) {
        self.text(format!("{function}("));
        self.term(operand, Wrap::Never);
        self.text(format!("{rest})"));
    }
}

/// Whether a term is printed as one word.
fn is_atom(term: &Term) -> bool {
    let is_leaf = term.operands().is_empty();
    is_leaf
        || matches!(
            term,
            Term::Prioritise(..)
                | Term::PrioritiseBy(..)
                | Term::Loop(_)
                | Term::Compressed(..)
                | Term::TraceWatchdog(..)
                | Term::FailureWatchdog(..)
        )
}
