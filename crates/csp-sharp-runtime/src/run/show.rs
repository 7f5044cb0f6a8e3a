//! Display of states.

use super::data::content;
use super::{State, System, message};
use crate::code::{Bound, IfKind, Unary};
use crate::code::{
    ChannelRef, Class, DefinitionId, DynamicId, DynamicKind, EventRef, Expr, ExprId, MANY, Pattern, Query, Term,
    TermId, Timer, Type,
};
use crate::dbm::Dbm;
use limits::effort::processes::MAX_COMPONENT_DEPTH;
use model::process::Component;
use num_rational::Ratio;
use source::Span;

impl System {
    /// The variables, buffers and objects of a state, with their values.
    pub fn variables(&self, state: State) -> Vec<(String, String)> {
        let (_, data) = self.states[state.0 as usize];
        let cells = self.rows.get(data.0);
        let scalar =
            |ty: Type, value: i32| if ty == Type::Boolean { (value != 0).to_string() } else { value.to_string() };
        let mut all = Vec::new();
        for variable in self.code.variables.iter().filter(|variable| !variable.is_made()) {
            let values = &cells[variable.offset..variable.offset + variable.n_cells()];
            let text = match variable.dims.is_empty() {
                true => scalar(variable.ty, values[0]),
                false => listed(values.iter().map(|&value| scalar(variable.ty, value)), '[', ']'),
            };
            all.push((variable.name.to_string(), text));
        }
        for (number, dynamic) in self.code.dynamics.iter().enumerate() {
            let content = &cells[content(&self.code, &cells, DynamicId(number as u32))];
            let text = match dynamic.kind {
                DynamicKind::Buffer => messages(content),
                DynamicKind::Object(Class::HashTable) => {
                    listed(content.chunks(2).map(|pair| format!("{}: {}", pair[0], pair[1])), '{', '}')
                }
                DynamicKind::Object(Class::DifferenceBounds) => Dbm::from_cells(content).text(),
                DynamicKind::Object(Class::Set) => listed(content.iter().map(i32::to_string), '{', '}'),
                DynamicKind::Object(_) => listed(content.iter().map(i32::to_string), '[', ']'),
            };
            all.push((dynamic.name.to_string(), text));
        }
        all
    }

    /// The process of a state, truncated to a length.
    pub fn text(&self, state: State, longest: usize) -> String {
        self.term_text(self.states[state.0 as usize].0, longest)
    }

    /// The text of a term, truncated to a length.
    pub fn term_text(&self, term: TermId, longest: usize) -> String {
        let mut writer = Writer { system: self, text: String::new(), longest };
        writer.term(term, 0);
        let Writer { mut text, .. } = writer;
        if let Some((end, _)) = text.char_indices().nth(longest) {
            text.truncate(end);
            text.push_str("...");
        }
        text
    }

    /// The components of a state: the components of nested compositions, or the whole.
    pub fn components(&self, state: State, most: usize) -> Vec<Component> {
        let mut found = Vec::new();
        let mut open = vec![(Vec::new(), self.states[state.0 as usize].0)];
        while let Some((path, term)) = open.pop() {
            let at = |place: u32| [&path[..], &[place]].concat();
            match self.composition(term).filter(|_| path.len() < MAX_COMPONENT_DEPTH) {
                Some(Term::Interleave(all) | Term::Parallel(_, all)) => {
                    open.extend(all.iter().enumerate().rev().map(|(place, &member)| (at(place as u32), member)));
                }
                Some(Term::Group(members) | Term::Crowd(_, members)) => {
                    open.extend(members.iter().rev().map(|&(member, _)| (at(member.0), member)));
                }
                _ => found.push(Component {
                    path,
                    name: self.term_text(term, 200),
                    place: self.place_of(term),
                    state: None,
                }),
            }
            if found.len() >= most {
                break;
            }
        }
        found
    }

    /// The outermost composition, behind calls and hiding.
    pub(super) fn composition(&self, term: TermId) -> Option<&Term> {
        let mut term = term;
        for _ in 0..100 {
            term = match self.code.terms.get(term) {
                Term::Hide(_, next)
                | Term::Watched(next)
                | Term::Atomic(next)
                | Term::Active(next)
                | Term::Bounded(_, _, next)
                | Term::Expiring(_, _, next, _)
                | Term::Sequence(next, _) => *next,
                Term::Call(definition, arguments) => *self.bodies.get(&(*definition, arguments.clone()))?,
                other @ (Term::Interleave(_) | Term::Parallel(..) | Term::Group(_) | Term::Crowd(..)) => {
                    return Some(other);
                }
                _ => return None,
            };
        }
        None
    }

    /// The span of the definition that a term calls, or of the term.
    pub(super) fn place_of(&self, term: TermId) -> Option<Span> {
        let span = match self.code.terms.get(term) {
            Term::Call(definition, _) => self.code.definitions[definition.0 as usize].span,
            _ => self.code.terms.span(term),
        };
        (span != Span::default()).then_some(span)
    }
}

fn listed(parts: impl Iterator<Item = String>, open: char, close: char) -> String {
    format!("{open}{}{close}", parts.collect::<Vec<_>>().join(", "))
}

fn messages(content: &[i32]) -> String {
    let mut all = Vec::new();
    let mut at = 1;
    for _ in 0..content[0] {
        let length = content[at] as usize;
        let fields = message::fields(&content[at + 1..at + 1 + length]);
        let fields: Vec<String> = fields.map(|field| field.to_string()).collect();
        all.push(fields.join("."));
        at += 1 + length;
    }
    format!("<{}>", all.join(", "))
}

struct Writer<'s> {
    system: &'s System,
    text: String,
    longest: usize,
}

impl Writer<'_> {
    fn is_full(&self) -> bool {
        self.text.len() > self.longest
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Operands with an infix operator, in parentheses unless at the outermost level.
    fn between(&mut self, parts: &[TermId], sign: &str, depth: usize) {
        if depth > 0 {
            self.put("(");
        }
        for (place, &part) in parts.iter().enumerate() {
            if place > 0 {
                self.put(sign);
            }
            if self.is_full() {
                break;
            }
            self.term(part, depth + 1);
        }
        if depth > 0 {
            self.put(")");
        }
    }

    /// Timed operators.
    fn timed(&mut self, id: TermId, depth: usize) {
        let code = &self.system.code;
        match code.terms.get(id) {
            Term::Wait(timer) => {
                self.put("Wait");
                self.timer(*timer, code.exprs.value(timer.low) != code.exprs.value(timer.high));
            }
            Term::Expiring(expiry, timer, first, second) => {
                self.put("(");
                self.term(*first, depth + 1);
                self.put(&format!(" {}", expiry.word()));
                self.timer(*timer, false);
                self.put(" ");
                self.term(*second, depth + 1);
                self.put(")");
            }
            Term::Bounded(bound, timer, inside) => {
                self.put("(");
                self.term(*inside, depth + 1);
                self.put(&format!(") {}", bound.word()));
                self.timer(*timer, *bound == Bound::Within && code.exprs.value(timer.low) != Some(0));
            }
            _ => {}
        }
    }

    fn call(&mut self, definition: DefinitionId, arguments: &[ExprId]) {
        self.put(&self.system.code.definitions[definition.0 as usize].name.clone());
        self.put("(");
        for (place, &argument) in arguments.iter().enumerate() {
            self.put(if place > 0 { ", " } else { "" });
            self.expr(argument);
        }
        self.put(")");
    }

    fn term(&mut self, id: TermId, depth: usize) {
        if self.is_full() || depth > 50 {
            return;
        }
        let code = &self.system.code;
        match code.terms.get(id) {
            Term::Stop => self.put("Stop"),
            Term::Skip => self.put("Skip"),
            Term::Finished => self.put("(terminated)"),
            Term::Event(event, attached, next) => {
                self.event(event);
                self.put(if attached.is_some() { "{..} -> " } else { " -> " });
                self.term(*next, depth + 1);
            }
            Term::Silent(attached, next) => {
                self.put(if attached.is_some() { "tau{..} -> " } else { "tau -> " });
                self.term(*next, depth + 1);
            }
            Term::Send(channel, values, _, next) => {
                self.channel(*channel);
                self.put("!");
                self.fields(values);
                self.put(" -> ");
                self.term(*next, depth + 1);
            }
            Term::Receive(channel, _, patterns, _, next) => {
                self.channel(*channel);
                self.patterns(patterns);
                self.put(" -> ");
                self.term(*next, depth + 1);
            }
            Term::Guard(condition, next) => {
                self.put("[");
                self.expr(*condition);
                self.put("] ");
                self.term(*next, depth + 1);
            }
            Term::If(kind, condition, then, otherwise) => {
                self.conditional(*kind, *condition, [*then, *otherwise], depth)
            }
            Term::Case(..) => self.put("case {..}"),
            Term::Sequence(first, second) => self.between(&[*first, *second], "; ", depth),
            Term::Choice(all) => self.between(all, " [] ", depth),
            Term::External(all) => self.between(all, " [*] ", depth),
            Term::Internal(all) => self.between(all, " <> ", depth),
            Term::Interleave(all) => self.between(all, " ||| ", depth),
            Term::Parallel(_, all) => self.between(all, " || ", depth),
            Term::Interrupt(left, right) => self.between(&[*left, *right], " interrupt ", depth),
            Term::Group(members) => self.copies(members, None, depth),
            Term::Crowd(most, members) => self.copies(members, Some(*most), depth),
            Term::Hide(_, inside) => {
                self.term(*inside, depth + 1);
                self.put(" \\ {..}");
            }
            Term::Atomic(inside) | Term::Active(inside) => {
                self.put("atomic {");
                self.term(*inside, depth + 1);
                self.put("}");
            }
            Term::Wait(_) | Term::Expiring(..) | Term::Bounded(..) => self.timed(id, depth),
            Term::Watched(inside) | Term::Marked(_, inside) => self.term(*inside, depth),
            Term::Assert(condition) => {
                self.put("assert(");
                self.expr(*condition);
                self.put(")");
            }
            Term::Call(definition, arguments) => self.call(*definition, arguments),
            Term::AnyNumber(body) => {
                self.put("|||{..}@");
                self.term(*body, depth + 1);
            }
            Term::Indexed(_, _, body) | Term::Copies(_, body) => {
                self.put("..@");
                self.term(*body, depth + 1);
            }
        }
    }

    /// A time, or an interval. `waituntil` has a lower bound, all others an upper one.
    fn timer(&mut self, timer: Timer, has_two: bool) {
        let exprs = &self.system.code.exprs;
        let is_lower = exprs.value(timer.high) == Some(0);
        let only = if is_lower { timer.low } else { timer.high };
        self.put("[");
        if has_two {
            self.time(timer.low);
            self.put(",");
        }
        self.time(if has_two { timer.high } else { only });
        self.put("]");
    }

    /// A time in units, possibly as a fraction.
    fn time(&mut self, time: ExprId) {
        let code = &self.system.code;
        match code.exprs.value(time) {
            Some(value) => self.put(&Ratio::new(value, code.parts.0).to_string()),
            None => self.expr(code.written_time(time)),
        }
    }

    /// Counted copies. "Many" is displayed as the least possible number.
    fn copies(&mut self, members: &[(TermId, u32)], most: Option<u32>, depth: usize) {
        for (place, &(member, count)) in members.iter().enumerate() {
            self.put(if place > 0 { " ||| " } else { "" });
            match most.filter(|_| count == MANY) {
                Some(most) => self.put(&format!("|||{{{}..}}@", most + 1)),
                None => self.put(&format!("|||{{{count}}}@")),
            }
            self.term(member, depth + 1);
        }
    }

    fn conditional(&mut self, kind: IfKind, condition: ExprId, [then, otherwise]: [TermId; 2], depth: usize) {
        self.put(match kind {
            IfKind::Step => "if (",
            IfKind::Atomic => "ifa (",
            IfKind::Blocking => "ifb (",
        });
        self.expr(condition);
        self.put(") {");
        self.term(then, depth + 1);
        self.put("} else {");
        self.term(otherwise, depth + 1);
        self.put("}");
    }

    fn channel(&mut self, channel: ChannelRef) {
        self.put(&self.system.code.channels[channel.channel as usize].name.clone());
        if let Some(index) = channel.index {
            self.put("[");
            self.expr(index);
            self.put("]");
        }
    }

    fn patterns(&mut self, patterns: &[Pattern]) {
        for (place, pattern) in patterns.iter().enumerate() {
            self.put(if place > 0 { "." } else { "?" });
            match pattern {
                Pattern::Bind(slot) => self.put(&format!("x{}", slot.0)),
                Pattern::Match(expr) => self.expr(*expr),
            }
        }
    }

    fn event(&mut self, event: &EventRef) {
        self.put(&self.system.code.names[event.name.0 as usize].clone());
        if !event.fields.is_empty() {
            self.put(".");
            self.fields(&event.fields);
        }
    }

    fn fields(&mut self, fields: &[ExprId]) {
        for (place, &field) in fields.iter().enumerate() {
            if place > 0 {
                self.put(".");
            }
            self.expr(field);
        }
    }

    fn expr(&mut self, id: ExprId) {
        if self.is_full() {
            return;
        }
        let code = &self.system.code;
        match code.exprs.get(id) {
            Expr::Int(value) => self.put(&value.to_string()),
            Expr::Bool(value) => self.put(&value.to_string()),
            Expr::Parameter(slot) => self.put(&format!("x{}", slot.0)),
            Expr::Opaque => self.put("?"),
            Expr::Local(local) => self.put(&format!("local{local}")),
            Expr::Variable(id) => self.put(&code.variables[id.0 as usize].name.clone()),
            Expr::Element(array, indices) => {
                self.put(&code.variables[array.0 as usize].name.clone());
                for &index in indices.iter() {
                    self.put("[");
                    self.expr(index);
                    self.put("]");
                }
            }
            Expr::Unary(operator, operand) => {
                self.put(if *operator == Unary::Not { "!" } else { "-" });
                self.expr(*operand);
            }
            Expr::Binary(operator, left, right) => {
                self.put("(");
                self.expr(*left);
                self.put(&format!(" {} ", operator.sign()));
                self.expr(*right);
                self.put(")");
            }
            Expr::Query(query, channel, _) => {
                let word = match query {
                    Query::Full => "cfull",
                    Query::Empty => "cempty",
                    Query::Count => "ccount",
                    Query::Size => "csize",
                    Query::Peek => "cpeek",
                };
                self.put(&format!("call({word}, {})", code.channels[*channel as usize].name));
            }
            Expr::Ask(_, object, _) | Expr::Compare(_, object, _) => {
                self.put(&format!("{}.(..)", code.dynamics[object.0 as usize].name));
            }
            Expr::Function(..) | Expr::Whole(..) => self.put("call(..)"),
            Expr::Counter(number) => {
                self.put("#");
                self.term(code.counted[*number as usize], 0);
            }
            Expr::Contents(id) => self.put(&code.variables[id.0 as usize].name.clone()),
            Expr::Array(values) => self.put(&message::Field::Array(values).to_string()),
            Expr::Record(items) => {
                self.put("[");
                for (place, &item) in items.iter().enumerate() {
                    self.put(if place > 0 { "," } else { "" });
                    self.expr(item);
                }
                self.put("]");
            }
            Expr::At(array, index) => {
                self.expr(*array);
                self.put("[");
                self.expr(*index);
                self.put("]");
            }
        }
    }
}
