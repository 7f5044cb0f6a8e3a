//! The oracle: the definition of the functional language, as call by name over the syntax tree.
//!
//! A variable stands for an expression and the scope it is written in, and is computed anew at each use. Nothing is
//! remembered, nothing is computed early, nothing is changed in place. It shares no code with the compiled form behind
//! name resolution. The compiled form must have the same values, and may fail only where this evaluator fails.

use cspm::builtins::Builtin;
use cspm::resolve::{NameId, NameKind, PatName, Resolved};
use cspm::syntax::{BinaryOp, Collection, Decl, DeclId, Expr, ExprId, Pat, PatId, Statement, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The script is wrong.
    Error,
    /// It takes too long by name.
    TooLong,
}

type Outcome<T> = Result<T, Stop>;

/// A value whose parts are not computed.
#[derive(Clone)]
pub enum Value {
    Int(i64),
    Bool(bool),
    Char(char),
    Tuple(Vec<Later>),
    Empty,
    Cons(Later, Later),
    Map(BTreeMap<i64, Later>),
    Set(BTreeSet<i64>),
}

/// Something to be computed whenever it is looked at.
#[derive(Clone)]
pub enum Later {
    Expr(ExprId, Scope),
    Value(Rc<Value>),
    Append(Rc<(Later, Later)>),
    /// What the comprehension yields from the statement at the index on.
    From(ExprId, usize, Scope),
    /// What it yields for the rest of what the generator at the index draws from.
    Draw(ExprId, usize, Rc<Later>, Scope),
}

/// What names stand for.
#[derive(Clone, Default)]
pub struct Scope(Option<Rc<Layer>>);

struct Layer {
    content: Content,
    outer: Scope,
}

enum Content {
    Variables(Vec<(NameId, Later)>),
    Local(Vec<DeclId>),
}

impl Scope {
    fn with(&self, content: Content) -> Scope {
        Scope(Some(Rc::new(Layer { content, outer: self.clone() })))
    }
}

/// The sequence of the characters of a text.
fn of_text(text: &str) -> Value {
    text.chars().rev().fold(Value::Empty, |tail, char| {
        Value::Cons(Later::Value(Rc::new(Value::Char(char))), Later::Value(Rc::new(tail)))
    })
}

pub struct Reference<'a> {
    pub resolved: &'a Resolved,
    pub steps_left: u64,
}

impl Reference<'_> {
    /// The value of an expression at the top as text.
    pub fn text(&mut self, expr: ExprId) -> Outcome<String> {
        let value = self.expr(expr, &Scope::default())?;
        self.shown(value)
    }

    fn shown(&mut self, value: Value) -> Outcome<String> {
        Ok(match value {
            Value::Int(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::Char(char) => format!("'{char}'"),
            Value::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.shown_later(part)).collect::<Outcome<Vec<_>>>()?;
                format!("({})", parts.join(","))
            }
            Value::Empty => "<>".to_owned(),
            Value::Cons(..) => {
                let items = self.items(value)?;
                if let Some(text) = self.plain_text(&items)? {
                    return Ok(format!("\"{text}\""));
                }
                let items = items.iter().map(|item| self.shown_later(item)).collect::<Outcome<Vec<_>>>()?;
                format!("<{}>", items.join(","))
            }
            Value::Map(entries) if entries.is_empty() => "emptyMap".to_owned(),
            Value::Map(entries) => {
                let entry = |(key, value): (&i64, &Later)| Ok(format!("{key}=>{}", self.shown_later(value)?));
                format!("(|{}|)", entries.iter().map(entry).collect::<Outcome<Vec<_>>>()?.join(","))
            }
            Value::Set(elements) => {
                format!("{{{}}}", elements.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
            }
        })
    }

    /// A sequence as text, if that is what it is.
    fn plain_text(&mut self, items: &[Later]) -> Outcome<Option<String>> {
        let mut text = String::new();
        for item in items {
            let Value::Char(char) = self.force(item)? else { return Ok(None) };
            text.push(char);
        }
        Ok(Some(text))
    }

    fn shown_later(&mut self, later: &Later) -> Outcome<String> {
        let value = self.force(later)?;
        self.shown(value)
    }

    fn force(&mut self, later: &Later) -> Outcome<Value> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(Stop::TooLong)?;
        match later {
            Later::Expr(expr, scope) => self.expr(*expr, scope),
            Later::Value(value) => Ok((**value).clone()),
            Later::Append(parts) => match self.force(&parts.0)? {
                Value::Cons(head, tail) => Ok(Value::Cons(head, Later::Append(Rc::new((tail, parts.1.clone()))))),
                _ => self.force(&parts.1),
            },
            Later::From(expr, at, scope) => self.comprehension(*expr, *at, scope),
            Later::Draw(expr, at, rest, scope) => self.draw(*expr, *at, rest, scope),
        }
    }

    fn items(&mut self, sequence: Value) -> Outcome<Vec<Later>> {
        let (mut items, mut rest) = (Vec::new(), sequence);
        while let Value::Cons(head, tail) = rest {
            items.push(head);
            rest = self.force(&tail)?;
        }
        Ok(items)
    }

    fn int(&mut self, expr: ExprId, scope: &Scope) -> Outcome<i64> {
        match self.expr(expr, scope)? {
            Value::Int(number) => Ok(number),
            _ => panic!("a number was expected"),
        }
    }

    fn truth(&mut self, expr: ExprId, scope: &Scope) -> Outcome<bool> {
        match self.expr(expr, scope)? {
            Value::Bool(truth) => Ok(truth),
            _ => panic!("a truth value was expected"),
        }
    }

    fn set(&mut self, expr: ExprId, scope: &Scope) -> Outcome<BTreeSet<i64>> {
        match self.expr(expr, scope)? {
            Value::Set(set) => Ok(set),
            _ => panic!("a set was expected"),
        }
    }

    fn map(&mut self, expr: ExprId, scope: &Scope) -> Outcome<BTreeMap<i64, Later>> {
        match self.expr(expr, scope)? {
            Value::Map(map) => Ok(map),
            _ => panic!("a map was expected"),
        }
    }

    fn expr(&mut self, expr: ExprId, scope: &Scope) -> Outcome<Value> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(Stop::TooLong)?;
        let later = |expr: &ExprId| Later::Expr(*expr, scope.clone());
        match self.resolved.ast.expr(expr) {
            Expr::Int(number) => Ok(Value::Int(*number)),
            Expr::Bool(truth) => Ok(Value::Bool(*truth)),
            Expr::String(text) => Ok(of_text(text)),
            Expr::Name(_) => self.name(expr, scope),
            Expr::Paren(inner) => self.expr(*inner, scope),
            Expr::Tuple(parts) => Ok(Value::Tuple(parts.iter().map(later).collect())),
            Expr::Seq(parts) => Ok(parts
                .iter()
                .rev()
                .fold(Value::Empty, |tail, head| Value::Cons(later(head), Later::Value(Rc::new(tail))))),
            Expr::Set(parts) => parts.iter().map(|&part| self.int(part, scope)).collect::<Outcome<_>>().map(Value::Set),
            Expr::Call(function, arguments) => self.call(*function, arguments, scope),
            Expr::Let(decls, body) => self.expr(*body, &scope.with(Content::Local(decls.to_vec()))),
            Expr::If(condition, then, otherwise) => {
                let branch = if self.truth(*condition, scope)? { then } else { otherwise };
                self.expr(*branch, scope)
            }
            Expr::Unary(UnaryOp::Negate, inner) => {
                self.int(*inner, scope)?.checked_neg().map(Value::Int).ok_or(Stop::Error)
            }
            Expr::Unary(UnaryOp::Not, inner) => Ok(Value::Bool(!self.truth(*inner, scope)?)),
            Expr::Unary(UnaryOp::Length, inner) => {
                let sequence = self.expr(*inner, scope)?;
                Ok(Value::Int(self.items(sequence)?.len() as i64))
            }
            Expr::Binary(BinaryOp::And, left, right) => {
                Ok(Value::Bool(self.truth(*left, scope)? && self.truth(*right, scope)?))
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                Ok(Value::Bool(self.truth(*left, scope)? || self.truth(*right, scope)?))
            }
            Expr::Binary(BinaryOp::Concat, left, right) => {
                self.force(&Later::Append(Rc::new((later(left), later(right)))))
            }
            Expr::Binary(op, left, right) => self.binary(*op, *left, *right, scope),
            Expr::Range { kind, from, to: Some(to), statements } if statements.is_empty() => {
                let numbers = self.int(*from, scope)?..=self.int(*to, scope)?;
                Ok(match kind {
                    Collection::Set => Value::Set(numbers.collect()),
                    _ => numbers.rev().fold(Value::Empty, |tail, number| {
                        Value::Cons(Later::Value(Rc::new(Value::Int(number))), Later::Value(Rc::new(tail)))
                    }),
                })
            }
            Expr::Comprehension { kind: Collection::Seq, .. } => self.comprehension(expr, 0, scope),
            Expr::Comprehension { kind: Collection::Set, .. } => {
                let sequence = self.comprehension(expr, 0, scope)?;
                let mut set = BTreeSet::new();
                for item in self.items(sequence)? {
                    if let Value::Int(number) = self.force(&item)? {
                        set.insert(number);
                    }
                }
                Ok(Value::Set(set))
            }
            other => panic!("not part of the random programs: {other:?}"),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, scope: &Scope) -> Outcome<Value> {
        let (left, right) = (self.expr(left, scope)?, self.expr(right, scope)?);
        if let BinaryOp::Equal | BinaryOp::NotEqual = op {
            return Ok(Value::Bool(self.are_equal(left, right)? == (op == BinaryOp::Equal)));
        }
        let (Value::Int(left), Value::Int(right)) = (left, right) else { panic!("numbers were expected") };
        let number = match op {
            BinaryOp::Add => left.checked_add(right),
            BinaryOp::Subtract => left.checked_sub(right),
            BinaryOp::Multiply => left.checked_mul(right),
            BinaryOp::Divide if right > 0 => Some(left.div_euclid(right)),
            BinaryOp::Modulo if right > 0 => Some(left.rem_euclid(right)),
            BinaryOp::Divide | BinaryOp::Modulo if right == 0 => None,
            // Rounded down as well, so what is left has the sign of the divisor.
            BinaryOp::Divide => left.checked_neg().map(|left| left.div_euclid(-right)),
            BinaryOp::Modulo => left.checked_neg().map(|left| -left.rem_euclid(-right)),
            BinaryOp::Less => return Ok(Value::Bool(left < right)),
            BinaryOp::LessEqual => return Ok(Value::Bool(left <= right)),
            BinaryOp::Greater => return Ok(Value::Bool(left > right)),
            BinaryOp::GreaterEqual => return Ok(Value::Bool(left >= right)),
            other => panic!("not part of the random programs: {other:?}"),
        };
        number.map(Value::Int).ok_or(Stop::Error)
    }

    fn are_equal(&mut self, left: Value, right: Value) -> Outcome<bool> {
        Ok(match (left, right) {
            (Value::Int(left), Value::Int(right)) => left == right,
            (Value::Bool(left), Value::Bool(right)) => left == right,
            (Value::Set(left), Value::Set(right)) => left == right,
            (Value::Empty, Value::Empty) => true,
            (Value::Cons(head, tail), Value::Cons(other_head, other_tail)) => {
                self.are_equal_later(&head, &other_head)? && self.are_equal_later(&tail, &other_tail)?
            }
            (Value::Tuple(parts), Value::Tuple(others)) => {
                for (part, other) in parts.iter().zip(&others) {
                    if !self.are_equal_later(part, other)? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => false,
        })
    }

    fn are_equal_later(&mut self, left: &Later, right: &Later) -> Outcome<bool> {
        let (left, right) = (self.force(left)?, self.force(right)?);
        self.are_equal(left, right)
    }

    fn name(&mut self, expr: ExprId, scope: &Scope) -> Outcome<Value> {
        let name = self.resolved.expr_name(expr).expect("names are known");
        if let NameKind::Builtin(Builtin::EmptyMap) = self.resolved.name(name).kind {
            return Ok(Value::Map(BTreeMap::new()));
        }
        let mut at = scope.clone();
        while let Some(layer) = at.0.clone() {
            match &layer.content {
                Content::Variables(variables) => {
                    if let Some((_, later)) = variables.iter().find(|(bound, _)| *bound == name) {
                        return self.force(later);
                    }
                }
                Content::Local(decls) => {
                    if let Some(&decl) = decls.iter().find(|&&decl| self.resolved.decl_names(decl).contains(&name)) {
                        return self.constant(decl, name, &at);
                    }
                }
            }
            at = layer.outer.clone();
        }
        match self.resolved.name(name).kind {
            NameKind::Value(decl) => self.constant(decl, name, &Scope::default()),
            kind => panic!("not a variable: {kind:?}"),
        }
    }

    /// What a declaration binds to a name.
    fn constant(&mut self, decl: DeclId, name: NameId, scope: &Scope) -> Outcome<Value> {
        let Decl::Pattern(pat, value) = self.resolved.ast.decl(decl) else { panic!("a constant was expected") };
        let mut bound = Vec::new();
        if !self.matches(*pat, &Later::Expr(*value, scope.clone()), &mut bound)? {
            return Err(Stop::Error);
        }
        let (_, later) = bound.into_iter().find(|(other, _)| *other == name).expect("the pattern binds it");
        self.force(&later)
    }

    fn matches(&mut self, pat: PatId, later: &Later, bound: &mut Vec<(NameId, Later)>) -> Outcome<bool> {
        match self.resolved.ast.pat(pat) {
            Pat::Wildcard => Ok(true),
            Pat::Paren(inner) => self.matches(*inner, later, bound),
            Pat::Name(_) => match self.resolved.pat_name(pat) {
                Some(PatName::Binds(name)) => {
                    bound.push((name, later.clone()));
                    Ok(true)
                }
                other => panic!("not part of the random programs: {other:?}"),
            },
            Pat::Int(expected) => Ok(matches!(self.force(later)?, Value::Int(number) if number == *expected)),
            Pat::Tuple(pats) => {
                let Value::Tuple(parts) = self.force(later)? else { panic!("a tuple was expected") };
                self.match_all(pats, &parts, bound)
            }
            // From left to right: an element is looked at before the sequence is known to be long enough.
            Pat::Seq(pats) => {
                let mut rest = self.force(later)?;
                for &pat in pats {
                    let Value::Cons(head, tail) = rest else { return Ok(false) };
                    if !self.matches(pat, &head, bound)? {
                        return Ok(false);
                    }
                    rest = self.force(&tail)?;
                }
                Ok(matches!(rest, Value::Empty))
            }
            // `<x>^xs` and `<x, y>^xs` only. No element is looked at before the sequence is known to be long enough.
            Pat::Concat(front, back) => {
                let Pat::Seq(front) = self.resolved.ast.pat(*front) else { panic!("elements were expected") };
                let (mut heads, mut rest) = (Vec::new(), later.clone());
                for _ in front {
                    let Value::Cons(head, tail) = self.force(&rest)? else { return Ok(false) };
                    heads.push(head);
                    rest = tail;
                }
                Ok(self.match_all(front, &heads, bound)? && self.matches(*back, &rest, bound)?)
            }
            other => panic!("not part of the random programs: {other:?}"),
        }
    }

    fn match_all(&mut self, pats: &[PatId], parts: &[Later], bound: &mut Vec<(NameId, Later)>) -> Outcome<bool> {
        for (&pat, part) in pats.iter().zip(parts) {
            if !self.matches(pat, part, bound)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn call(&mut self, function: ExprId, arguments: &[ExprId], scope: &Scope) -> Outcome<Value> {
        let name = self.resolved.expr_name(function).expect("functions are named");
        match self.resolved.name(name).kind {
            NameKind::Builtin(builtin) => self.builtin(builtin, arguments, scope),
            NameKind::Function(decl) => {
                let arguments: Vec<Later> =
                    arguments.iter().map(|&argument| Later::Expr(argument, scope.clone())).collect();
                let outside = self.scope_of(decl, scope);
                let Decl::Function { equations, .. } = self.resolved.ast.decl(decl) else { panic!("no function") };
                for equation in equations {
                    let mut bound = Vec::new();
                    if self.match_all(&equation.groups[0], &arguments, &mut bound)? {
                        return self.expr(equation.body, &outside.with(Content::Variables(bound)));
                    }
                }
                Err(Stop::Error)
            }
            kind => panic!("not a function: {kind:?}"),
        }
    }

    /// The scope that a function is defined in.
    fn scope_of(&self, decl: DeclId, scope: &Scope) -> Scope {
        let mut at = scope.clone();
        while let Some(layer) = at.0.clone() {
            if matches!(&layer.content, Content::Local(decls) if decls.contains(&decl)) {
                return at;
            }
            at = layer.outer.clone();
        }
        Scope::default()
    }

    fn builtin(&mut self, builtin: Builtin, arguments: &[ExprId], scope: &Scope) -> Outcome<Value> {
        match builtin {
            Builtin::Error => Err(Stop::Error),
            Builtin::Show => Ok(of_text(&self.int(arguments[0], scope)?.to_string())),
            Builtin::Head | Builtin::Tail => match self.expr(arguments[0], scope)? {
                Value::Cons(head, tail) => self.force(if builtin == Builtin::Head { &head } else { &tail }),
                _ => Err(Stop::Error),
            },
            Builtin::Null => Ok(Value::Bool(matches!(self.expr(arguments[0], scope)?, Value::Empty))),
            Builtin::Concat => {
                let sequences = self.expr(arguments[0], scope)?;
                match sequences {
                    Value::Cons(..) => {
                        let parts = self.items(sequences)?;
                        let empty = Later::Value(Rc::new(Value::Empty));
                        let whole =
                            parts.into_iter().rev().fold(empty, |rest, part| Later::Append(Rc::new((part, rest))));
                        self.force(&whole)
                    }
                    _ => Ok(Value::Empty),
                }
            }
            Builtin::Elem => {
                let element = Later::Expr(arguments[0], scope.clone());
                let mut rest = self.expr(arguments[1], scope)?;
                while let Value::Cons(head, tail) = rest {
                    if self.are_equal_later(&element, &head)? {
                        return Ok(Value::Bool(true));
                    }
                    rest = self.force(&tail)?;
                }
                // The element is looked at even if there is nothing to compare it with.
                self.force(&element).map(|_| Value::Bool(false))
            }
            Builtin::Union => {
                let (left, right) = (self.set(arguments[0], scope)?, self.set(arguments[1], scope)?);
                Ok(Value::Set(&left | &right))
            }
            Builtin::Member => {
                let (element, set) = (self.int(arguments[0], scope)?, self.set(arguments[1], scope)?);
                Ok(Value::Bool(set.contains(&element)))
            }
            Builtin::Card => Ok(Value::Int(self.set(arguments[0], scope)?.len() as i64)),
            Builtin::MapUpdate => {
                let (mut map, key) = (self.map(arguments[0], scope)?, self.int(arguments[1], scope)?);
                map.insert(key, Later::Expr(arguments[2], scope.clone()));
                Ok(Value::Map(map))
            }
            Builtin::MapDelete => {
                let (mut map, key) = (self.map(arguments[0], scope)?, self.int(arguments[1], scope)?);
                map.remove(&key);
                Ok(Value::Map(map))
            }
            Builtin::MapMember => {
                let (map, key) = (self.map(arguments[0], scope)?, self.int(arguments[1], scope)?);
                Ok(Value::Bool(map.contains_key(&key)))
            }
            Builtin::MapLookup => {
                let (map, key) = (self.map(arguments[0], scope)?, self.int(arguments[1], scope)?);
                map.get(&key).map_or(Err(Stop::Error), |value| self.force(value))
            }
            Builtin::MapToList => {
                let map = self.map(arguments[0], scope)?;
                Ok(map.into_iter().rev().fold(Value::Empty, |tail, (key, value)| {
                    let pair = Value::Tuple(vec![Later::Value(Rc::new(Value::Int(key))), value]);
                    Value::Cons(Later::Value(Rc::new(pair)), Later::Value(Rc::new(tail)))
                }))
            }
            other => panic!("not part of the random programs: {other:?}"),
        }
    }

    fn comprehension(&mut self, expr: ExprId, at: usize, scope: &Scope) -> Outcome<Value> {
        let Expr::Comprehension { results, statements, .. } = self.resolved.ast.expr(expr) else {
            panic!("a comprehension was expected")
        };
        match statements.get(at) {
            None => Ok(results.iter().rev().fold(Value::Empty, |tail, &result| {
                Value::Cons(Later::Expr(result, scope.clone()), Later::Value(Rc::new(tail)))
            })),
            Some(Statement::Filter(condition)) => match self.truth(*condition, scope)? {
                true => self.comprehension(expr, at + 1, scope),
                false => Ok(Value::Empty),
            },
            Some(Statement::Generator(_, source)) => {
                self.draw(expr, at, &Rc::new(Later::Expr(*source, scope.clone())), scope)
            }
        }
    }

    fn draw(&mut self, expr: ExprId, at: usize, rest: &Rc<Later>, scope: &Scope) -> Outcome<Value> {
        let Expr::Comprehension { statements, .. } = self.resolved.ast.expr(expr) else {
            panic!("a comprehension was expected")
        };
        let Some(Statement::Generator(pat, _)) = statements.get(at) else { panic!("a generator was expected") };
        match self.force(rest)? {
            Value::Cons(head, tail) => {
                let others = Later::Draw(expr, at, Rc::new(tail), scope.clone());
                let mut bound = Vec::new();
                if !self.matches(*pat, &head, &mut bound)? {
                    return self.force(&others);
                }
                let first = Later::From(expr, at + 1, scope.with(Content::Variables(bound)));
                self.force(&Later::Append(Rc::new((first, others))))
            }
            Value::Set(elements) => {
                let items = elements.into_iter().rev().fold(Value::Empty, |tail, element| {
                    Value::Cons(Later::Value(Rc::new(Value::Int(element))), Later::Value(Rc::new(tail)))
                });
                self.draw(expr, at, &Rc::new(Later::Value(Rc::new(items))), scope)
            }
            _ => Ok(Value::Empty),
        }
    }
}
