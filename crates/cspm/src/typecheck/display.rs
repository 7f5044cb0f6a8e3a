//! Display of types in the notation of annotations.

use super::constraint::Constraints;
use super::store::{Node, Store, Ty};
use crate::resolve::{NameId, Resolved};
use hashbrown::HashMap;
use limits::display::names::LONGEST_TYPE;

/// Precedence levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    /// `a -> b`.
    Function,
    /// `a => b`.
    Dotable,
    /// `a.b`.
    Dot,
    Atom,
}

/// Prints types, with consistent names of variables.
pub(super) struct Printer<'a> {
    store: &'a Store,
    resolved: &'a Resolved,
    limit: usize,
    letters: HashMap<Ty, String>,
    constrained: Vec<(String, Constraints)>,
}

impl<'a> Printer<'a> {
    pub fn new(store: &'a Store, resolved: &'a Resolved) -> Printer<'a> {
        Printer { store, resolved, limit: LONGEST_TYPE, letters: HashMap::new(), constrained: Vec::new() }
    }

    /// The type without constraints.
    pub fn show(&mut self, t: Ty) -> String {
        let mut out = String::new();
        self.write(&mut out, t, Binding::Function);
        out
    }

    /// The type, truncated to about `limit` characters.
    pub fn show_short(&mut self, t: Ty, limit: usize) -> String {
        let before = std::mem::replace(&mut self.limit, limit);
        let text = self.show(t);
        self.limit = before;
        text
    }

    /// The type preceded by the constraints of its variables.
    pub fn show_scheme(&mut self, t: Ty) -> String {
        self.constrained.clear();
        let body = self.show(t);
        let constraints: Vec<String> = self
            .constrained
            .iter()
            .flat_map(|(letter, constraints)| constraints.iter().map(move |c| format!("{} {letter}", c.name())))
            .collect();
        match constraints.as_slice() {
            [] => body,
            [single] => format!("{single} => {body}"),
            several => format!("({}) => {body}", several.join(", ")),
        }
    }

    fn write(&mut self, out: &mut String, t: Ty, around: Binding) {
        if out.len() >= self.limit {
            if !out.ends_with('…') {
                out.push('…');
            }
            return;
        }
        crate::stack::grow(|| self.write_node(out, t, around));
    }

    fn write_node(&mut self, out: &mut String, t: Ty, around: Binding) {
        match self.store.view(t) {
            Node::Link(_) | Node::Error | Node::NoFields => out.push('_'),
            Node::Var { constraints, .. } => self.write_variable(out, t, constraints, None),
            Node::Rigid { constraints, name, .. } => self.write_variable(out, t, constraints, Some(name)),
            Node::Int => out.push_str("Int"),
            Node::Bool => out.push_str("Bool"),
            Node::Char => out.push_str("Char"),
            Node::Proc => out.push_str("Proc"),
            Node::Event => out.push_str("Event"),
            Node::Datatype(name) => out.push_str(&self.resolved.name(name).qualified),
            Node::Set(item) => self.write_all(out, "{", &[item], "}"),
            Node::Seq(item) => self.write_all(out, "<", &[item], ">"),
            Node::Tuple(items) => self.write_all(out, "(", self.store.list(items), ")"),
            Node::Map(key, value) => {
                out.push_str("(| ");
                self.write(out, key, Binding::Dot);
                out.push_str(" => ");
                self.write(out, value, Binding::Dot);
                out.push_str(" |)");
            }
            Node::Function(arguments, result) => self.wrapped(out, around > Binding::Function, |printer, out| {
                printer.write_all(out, "(", printer.store.list(arguments), ") -> ");
                printer.write(out, result, Binding::Function);
            }),
            Node::Dot(..) => {
                let items = self.dot_items(t);
                self.wrapped(out, around > Binding::Dot && items.len() > 1, |printer, out| {
                    for (i, &item) in items.iter().enumerate() {
                        if out.ends_with('…') {
                            break;
                        }
                        if i > 0 {
                            out.push('.');
                        }
                        printer.write(out, item, if items.len() > 1 { Binding::Atom } else { around });
                    }
                });
            }
            Node::Dotable(field, rest) => self.write_arrow(out, field, " => ", rest, around),
            Node::Extendable(fields, result) => match self.store.view(fields) {
                Node::Dotable(field, more) => self.wrapped(out, around > Binding::Dotable, |printer, out| {
                    printer.write(out, field, Binding::Dot);
                    out.push_str(" => ");
                    printer.write_open(out, more, result);
                }),
                _ => self.write_arrow(out, fields, " =>* ", result, around),
            },
        }
    }

    /// `more =>* result`, where `more` may be partially solved.
    fn write_open(&mut self, out: &mut String, more: Ty, result: Ty) {
        match self.store.view(more) {
            Node::NoFields => self.write(out, result, Binding::Dotable),
            Node::Dotable(field, more) => {
                self.write(out, field, Binding::Dot);
                out.push_str(" => ");
                crate::stack::grow(|| self.write_open(out, more, result));
            }
            _ => self.write_arrow(out, more, " =>* ", result, Binding::Function),
        }
    }

    fn write_arrow(&mut self, out: &mut String, left: Ty, arrow: &str, right: Ty, around: Binding) {
        self.wrapped(out, around > Binding::Dotable, |printer, out| {
            printer.write(out, left, Binding::Dot);
            out.push_str(arrow);
            printer.write(out, right, Binding::Dotable);
        });
    }

    fn write_all(&mut self, out: &mut String, open: &str, items: &[Ty], close: &str) {
        out.push_str(open);
        for (i, &item) in items.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            if out.len() >= self.limit {
                out.push('…');
                break;
            }
            self.write(out, item, Binding::Function);
        }
        out.push_str(close);
    }

    fn wrapped(&mut self, out: &mut String, parentheses: bool, write: impl FnOnce(&mut Printer<'a>, &mut String)) {
        if parentheses {
            out.push('(');
        }
        write(self, out);
        if parentheses {
            out.push(')');
        }
    }

    fn write_variable(&mut self, out: &mut String, t: Ty, constraints: Constraints, name: Option<NameId>) {
        let mut root = t;
        while let Node::Link(next) = self.store.node_at(root) {
            root = next;
        }
        let known = self.letters.get(&root).cloned();
        let letter = known.unwrap_or_else(|| {
            let letter = name.map_or_else(|| self.fresh_letter(), |name| self.resolved.text(name).to_owned());
            self.letters.insert(root, letter.clone());
            letter
        });
        if constraints != Constraints::NONE && !self.constrained.iter().any(|(known, _)| *known == letter) {
            self.constrained.push((letter.clone(), constraints));
        }
        out.push_str(&letter);
    }

    fn fresh_letter(&self) -> String {
        let candidate = |i: usize| {
            let letter = char::from(b'a' + (i % 26) as u8);
            if i < 26 { letter.to_string() } else { format!("{letter}{}", i / 26) }
        };
        (0..).map(candidate).find(|letter| !self.letters.values().any(|used| used == letter)).unwrap_or_default()
    }

    /// The components of a dotted type; a channel or constructor with exactly its fields is displayed as its result.
    fn dot_items(&self, t: Ty) -> Vec<Ty> {
        let mut items = Vec::new();
        let mut pending = vec![t];
        while let Some(t) = pending.pop() {
            match self.store.view(t) {
                Node::Dot(left, right) => pending.extend([right, left]),
                _ => items.push(t),
            }
            if items.len() > self.limit {
                return items;
            }
        }
        let Some((&head, mut given)) = items.split_first() else { return items };
        let mut result = head;
        while let (Node::Dotable(_, rest), [first, others @ ..]) = (self.store.view(result), given) {
            if matches!(self.store.view(*first), Node::Dotable(..) | Node::Extendable(..)) {
                return items;
            }
            result = rest;
            given = others;
        }
        if given.is_empty() { vec![result] } else { items }
    }
}
