//! Values as text, in the notation of the language.

use super::order::forced_elements;
use super::runtime_error::{Eval, Failed};
use super::seq::Seq;
use super::set::{self, Form, Set, SetFault, Shape};
use super::value::{Callee, Value};
use super::{Evaluator, errors};
use cspm::stack;
use limits::display::names::LONGEST_NAME;
use limits::display::values::{MAX_LISTED, MAX_RANGE_NUMBERS};
pub(super) use limits::input::cspm::MAX_SHOWN_BYTES;
use std::fmt::Write;
use std::rc::Rc;

/// Purposes of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The user, or the script: it must be complete.
    Value,
    /// The reader of a message, who needs its beginning only.
    Message,
}

/// Text that stops growing at a limit.
struct Text {
    text: String,
    purpose: Purpose,
    /// The text is long enough.
    is_stopped: bool,
}

impl Text {
    fn new(purpose: Purpose) -> Text {
        Text { text: String::new(), purpose, is_stopped: false }
    }

    fn is_full(&self) -> bool {
        let limit = if self.purpose == Purpose::Message { LONGEST_NAME } else { MAX_SHOWN_BYTES };
        self.is_stopped || self.text.len() > limit
    }

    fn push(&mut self, part: &str) {
        self.text.push_str(part);
    }
}

impl Evaluator<'_> {
    /// The whole value, which must be fully evaluated, as the language writes it.
    pub(super) fn show_text(&mut self, value: &Value) -> Eval<String> {
        let mut out = Text::new(Purpose::Value);
        self.write(value, &mut out);
        match out.is_full() {
            _ if out.is_stopped => Err(Failed),
            true => Err(self.fail(errors::text_too_long(self.here, MAX_SHOWN_BYTES))),
            false => Ok(out.text),
        }
    }

    /// The beginning of a value, for messages. Nothing is computed: parts not known yet are left out.
    pub(super) fn brief(&mut self, value: &Value) -> String {
        let mut out = Text::new(Purpose::Message);
        self.write(value, &mut out);
        match out.text.char_indices().nth(LONGEST_NAME) {
            Some((cut, _)) => format!("{}...", &out.text[..cut]),
            None => out.text,
        }
    }

    /// Whether to go on. Messages are short, and must be written even when it is time to stop.
    fn goes_on(&mut self, out: &mut Text) -> bool {
        if out.purpose == Purpose::Value && !out.is_stopped {
            out.is_stopped = self.tick().is_err();
        }
        !out.is_full()
    }

    fn write(&mut self, value: &Value, out: &mut Text) {
        if !self.goes_on(out) {
            return;
        }
        match value.peel() {
            Value::Hole => out.push("_"),
            // Formatting into a string cannot fail.
            Value::Int(number) => drop(write!(out.text, "{number}")),
            Value::Bool(truth) => out.push(if truth.get() { "true" } else { "false" }),
            Value::Char(char) => {
                out.push("'");
                write_char(char.get(), '\'', out);
                out.push("'");
            }
            Value::Head(head) => out.push(&self.resolved().name(head.get()).qualified),
            Value::Proc(term) => {
                let text = self.term_name(term.get());
                out.push(&text);
            }
            Value::Builtin(builtin) => out.push(builtin.get().name()),
            Value::EmptySeq => out.push("<>"),
            Value::Seq(_) => self.write_seq(value.peel(), out),
            Value::Tuple(node) => stack::grow(|| self.write_list("(", &node.items, ")", out)),
            Value::Dot(node) => stack::grow(|| self.write_dots(value.peel(), &node.items, out)),
            Value::Set(set) => stack::grow(|| self.write_set(set, out)),
            Value::Map(map) if map.len() == 0 => out.push("emptyMap"),
            Value::Map(map) => stack::grow(|| {
                out.push("(| ");
                for (index, (key, value)) in map.iter().enumerate() {
                    if out.is_full() {
                        return;
                    }
                    out.push(if index == 0 { "" } else { ", " });
                    self.write(&key, out);
                    out.push(" => ");
                    self.write(value, out);
                }
                out.push(" |)");
            }),
            Value::Function(closure) => match &closure.callee {
                Callee::Builtin(builtin) => out.push(builtin.name()),
                Callee::Function(function) if function.name.is_empty() => out.push("<lambda>"),
                Callee::Function(function) => {
                    out.push(&function.name);
                    if !closure.applied.is_empty() {
                        stack::grow(|| self.write_list("(", &closure.applied, ")", out));
                    }
                }
            },
            Value::Thunk(_) => out.push("..."),
        }
    }

    fn write_list(&mut self, open: &str, items: &[Value], close: &str, out: &mut Text) {
        self.write_items(open, items.iter().cloned(), close, out);
    }

    fn write_items(&mut self, open: &str, items: impl Iterator<Item = Value>, close: &str, out: &mut Text) {
        out.push(open);
        for (index, item) in items.enumerate() {
            if out.is_full() {
                return;
            }
            out.push(if index == 0 { "" } else { "," });
            self.write(&item, out);
        }
        out.push(close);
    }

    fn write_dots(&mut self, value: &Value, items: &[Value], out: &mut Text) {
        if let Some(head) = value.head() {
            let name = &self.resolved().name(head).qualified;
            out.push(name);
            out.push(".");
        }
        for (index, item) in items.iter().enumerate() {
            if out.is_full() {
                return;
            }
            out.push(if index == 0 { "" } else { "." });
            self.write(item, out);
        }
    }

    fn write_seq(&mut self, value: &Value, out: &mut Text) {
        if let Value::Seq(seq) = value
            && let Seq::Range(from, to) = **seq
            && is_long(from, to)
        {
            return out.push(&format!("<{from}..{to}>"));
        }
        let mut elements = forced_elements(value).peekable();
        if let Some(Value::Char(_)) = elements.peek() {
            out.push("\"");
            for element in elements {
                if let Value::Char(char) = element {
                    write_char(char.get(), '"', out);
                }
                if !self.goes_on(out) {
                    return;
                }
            }
            out.push("\"");
            return;
        }
        stack::grow(|| self.write_items("<", elements, ">", out));
    }

    fn write_set(&mut self, set: &Rc<Set>, out: &mut Text) {
        let is_brief = out.purpose == Purpose::Message;
        match &set.form {
            Form::Range(from, to) if is_brief && from < to || is_long(*from, *to) => {
                out.push(&format!("{{{from}..{to}}}"))
            }
            Form::From(from) => drop(write!(out.text, "{{{from}..}}")),
            Form::Integers => out.push("Int"),
            Form::Processes => out.push("Proc"),
            Form::Characters => out.push("Char"),
            Form::Datatype(datatype) if is_brief || !set::is_finite(set) => {
                let name = &self.resolved().name(datatype.name).qualified;
                out.push(name);
            }
            Form::Product(Shape::Headed(head), _) if is_brief && self.is_everything(set) => {
                let text = format!("{{|{}|}}", self.resolved().name(*head).qualified);
                out.push(&text);
            }
            _ => self.write_elements(set, out),
        }
    }

    fn write_elements(&mut self, set: &Rc<Set>, out: &mut Text) {
        if out.purpose == Purpose::Message && !set.is_explicit() && set::most(set) > MAX_LISTED {
            return self.write_form(set, out);
        }
        match set::elements(set, &self.watch) {
            Ok(elements) => self.write_items("{", elements, "}", out),
            Err(fault @ SetFault::Interrupted(_)) => {
                self.set_fault(&fault, self.here);
                out.is_stopped = true;
            }
            Err(_) => self.write_form(set, out),
        }
    }

    /// Whether a product contains all values of its channel or constructor.
    fn is_everything(&mut self, set: &Set) -> bool {
        let Form::Product(Shape::Headed(head), parts) = &set.form else { return false };
        let Ok(fields) = self.field_sets(*head) else { return false };
        parts.len() == fields.len() && parts.iter().zip(fields.iter()).all(|(part, field)| Rc::ptr_eq(part, field))
    }

    /// A set as it was made, rather than by its elements.
    fn write_form(&mut self, set: &Set, out: &mut Text) {
        let mut call = |name: &str, parts: &[&Rc<Set>]| {
            out.push(name);
            for (index, part) in parts.iter().enumerate() {
                out.push(if index == 0 { "" } else { "," });
                self.write_set(part, out);
            }
        };
        match &set.form {
            Form::Powerset(over) => call("Set(", &[over]),
            Form::Sequences(over) => call("Seq(", &[over]),
            Form::Maps(keys, values) => call("Map(", &[keys, values]),
            Form::Union(parts) => {
                call("Union({", &parts.iter().collect::<Vec<_>>());
                out.push("}");
            }
            Form::Product(shape, parts) => {
                self.write_product(*shape, parts, out);
                return;
            }
            _ => {
                out.push("{...}");
                return;
            }
        }
        out.push(")");
    }

    /// A product as a comprehension.
    fn write_product(&mut self, shape: Shape, parts: &[Rc<Set>], out: &mut Text) {
        let names: Vec<String> = (1..=parts.len()).map(|index| format!("x{index}")).collect();
        let body = match shape {
            Shape::Tuple => format!("({})", names.join(",")),
            Shape::Dot => names.join("."),
            Shape::Headed(head) => format!("{}.{}", self.resolved().name(head).qualified, names.join(".")),
        };
        out.push("{");
        out.push(&body);
        for (index, (name, part)) in names.iter().zip(parts).enumerate() {
            out.push(if index == 0 { " | " } else { ", " });
            out.push(name);
            out.push(" <- ");
            self.write_set(part, out);
        }
        out.push("}");
    }
}

fn is_long(from: i64, to: i64) -> bool {
    to.abs_diff(from) >= MAX_RANGE_NUMBERS
}

fn write_char(char: char, quote: char, out: &mut Text) {
    match char {
        '\n' => out.push("\\n"),
        '\t' => out.push("\\t"),
        '\r' => out.push("\\r"),
        '\\' => out.push("\\\\"),
        other if other == quote => {
            out.push("\\");
            out.text.push(other);
        }
        other => out.text.push(other),
    }
}
