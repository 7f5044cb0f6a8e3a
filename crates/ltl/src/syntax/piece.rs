//! Pieces of text that the language of the model parses.
//!
//! Names of events, values of fields, predicates and types stay text in a formula. Here they are all in one list, each
//! with the variables of the formula that it uses, so that whoever knows the model can read them before anything else
//! is done.

use super::binding::Visible;
use super::event::{EventPattern, Mark};
use super::tree::{Atom, Domain, Form, Formula, Text};
use source::Span;

/// A text for the model's language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The text.
    pub text: Text,
    /// Its constraint.
    pub kind: PieceKind,
    /// The variables of the formula in it, each where it is bound.
    pub variables: Vec<Text>,
}

/// The syntactic category of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// The name of an event, or of a property of states.
    Name,
    /// A value of a field.
    Value,
    /// True or false.
    Predicate,
    /// A set of values.
    Set,
}

/// A part of the predicate that gives the values of quantified variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conjunct {
    /// The variable whose values come from a set, as in `x:S`.
    pub variable: Option<String>,
    /// The set, or the predicate.
    pub text: Text,
}

impl Piece {
    /// Whether it is a value of a field that is just a variable: the model's language has nothing to say about it.
    pub fn is_variable(&self) -> bool {
        self.kind == PieceKind::Value && matches!(&self.variables[..], [variable] if variable.text == self.text.text)
    }
}

impl Formula {
    /// All texts for the model's language, in the order of the nodes.
    pub fn pieces(&self) -> Vec<Piece> {
        let visible = Visible::of(self);
        let mut pieces = Vec::new();
        for id in self.ids() {
            let own: &[Text] = match self.form(id) {
                Form::Quantified { variables, .. } => variables,
                _ => &[],
            };
            for (text, kind) in texts(self.form(id)) {
                let mut variables: Vec<Text> = Vec::new();
                for name in names_in(&text.text) {
                    // What gives a variable its values cannot use it.
                    let own = own.iter().find(|own| kind == PieceKind::Predicate && own.text == name);
                    let found = own.or_else(|| visible.find(id, name));
                    if kind != PieceKind::Name && variables.iter().all(|known| known.text != name) {
                        variables.extend(found.cloned());
                    }
                }
                pieces.push(Piece { text, kind, variables });
            }
        }
        pieces
    }
}

impl Domain {
    /// The sets and predicates that a domain is made of: `x:S & x > 1` has two.
    pub fn conjuncts(&self, variables: &[Text]) -> Vec<Conjunct> {
        match self {
            Domain::Type(text) => vec![Conjunct { variable: Some(variables[0].text.clone()), text: text.clone() }],
            Domain::Predicate(text) => {
                split_conjunction(text).into_iter().map(|part| conjunct(part, variables)).collect()
            }
        }
    }
}

fn conjunct(part: Text, variables: &[Text]) -> Conjunct {
    let set = part.text.split_once(':').filter(|(name, _)| variables.iter().any(|known| known.text == name.trim()));
    match set {
        Some((name, _)) => {
            let variable = Some(name.trim().to_owned());
            Conjunct { variable, text: piece_of(&part, name.len() + 1, part.text.len()) }
        }
        None => Conjunct { variable: None, text: part },
    }
}

/// The parts of a text between `&`, `and` and `∧` outside of all brackets.
fn split_conjunction(text: &Text) -> Vec<Text> {
    let bytes = text.text.as_bytes();
    let (mut parts, mut start, mut depth, mut at) = (Vec::new(), 0, 0_usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'&' if depth == 0 => {
                parts.push(piece_of(text, start, at));
                at += usize::from(bytes.get(at + 1) == Some(&b'&'));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(piece_of(text, start, bytes.len()));
    parts
}

/// A piece of a text without the blanks around it.
fn piece_of(text: &Text, start: usize, end: usize) -> Text {
    let piece = &text.text[start..end];
    let start = text.span.start + (start + piece.len() - piece.trim_start().len()) as u32;
    let piece = piece.trim().to_owned();
    let end = start + piece.len() as u32;
    Text { text: piece, span: Span::new(start, end) }
}

/// The texts of a node.
pub(crate) fn texts(form: &Form) -> Vec<(Text, PieceKind)> {
    let mut texts: Vec<(Text, PieceKind)> = Vec::new();
    for event in form.patterns().iter().flat_map(EventPattern::events) {
        texts.push((event.name.clone(), PieceKind::Name));
        for field in &event.fields {
            if field.mark != Mark::Input {
                texts.extend(field.value.text().map(|text| (text.clone(), PieceKind::Value)));
            }
            texts.extend(field.within.iter().map(|text| (text.clone(), PieceKind::Set)));
        }
    }
    match form {
        Form::Atom(Atom::Predicate(text)) => texts.push((text.clone(), PieceKind::Predicate)),
        Form::Quantified { variables, domain, .. } => {
            for Conjunct { variable, text } in domain.conjuncts(variables) {
                let kind = if variable.is_some() { PieceKind::Set } else { PieceKind::Predicate };
                texts.push((text, kind));
            }
        }
        _ => {}
    }
    texts
}

/// The names in a text.
pub(crate) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    text.split(move |c: char| !is_part(c)).filter(|name| !name.is_empty())
}
