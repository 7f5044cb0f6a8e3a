//! Random programs: a few functions that call themselves and earlier ones, and an expression that calls them.
//!
//! Functions count down a number or consume a sequence, so that they end; the other arguments are accumulators of all
//! types, some of them never looked at, some of them wrong. Some functions are loops on numbers: what they do in a
//! round is little more than comparisons, arithmetic and questions to maps.

use test_support::mutate::Random;

/// The types of the programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Int,
    Bool,
    Pair,
    Seq,
    Map,
    Set,
}

const TYPES: &[Type] =
    &[Type::Int, Type::Int, Type::Bool, Type::Pair, Type::Pair, Type::Seq, Type::Seq, Type::Map, Type::Set];

/// What a function takes and yields.
#[derive(Clone)]
struct Signature {
    name: String,
    /// The first is `Int` or `Seq`, and gets smaller from call to call.
    parameters: Vec<Type>,
    result: Type,
}

/// Names that can be used, with their types.
#[derive(Clone, Default)]
struct Scope {
    variables: Vec<(String, Type)>,
    /// The function at hand with the first argument of calls of itself, where it may be called.
    itself: Option<(Signature, String)>,
}

pub struct Programs<'r> {
    pub random: &'r mut Random,
    functions: Vec<Signature>,
    n_names: usize,
}

impl<'r> Programs<'r> {
    pub fn new(random: &'r mut Random) -> Programs<'r> {
        Programs { random, functions: Vec::new(), n_names: 0 }
    }

    /// A script with a constant to be computed.
    pub fn script(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.random.below(4) {
            let function = if self.random.below(3) == 0 { self.loop_on_numbers() } else { self.function() };
            text.push_str(&function);
        }
        let ty = *self.random.pick(TYPES);
        format!("{text}main = {}\nprint main\n", self.expr(ty, 4, &Scope::default()))
    }

    fn fresh(&mut self) -> String {
        self.n_names += 1;
        format!("v{}", self.n_names)
    }

    fn function(&mut self) -> String {
        let first = if self.random.below(2) == 0 { Type::Int } else { Type::Seq };
        let mut parameters = vec![first];
        (0..self.random.below(4)).for_each(|_| parameters.push(*self.random.pick(TYPES)));
        let name = format!("f{}", self.functions.len());
        let signature = Signature { name: name.clone(), parameters, result: *self.random.pick(TYPES) };
        let mut text = self.equation(&signature, if first == Type::Int { "0" } else { "<>" });
        if self.random.below(3) == 0 {
            text.push_str(&self.special_equation(&signature));
        }
        let smaller = self.fresh();
        text.push_str(&match first {
            Type::Int => self.step(&signature, smaller.clone(), format!("{smaller} - 1"), vec![(smaller, Type::Int)]),
            _ => {
                let head = self.fresh();
                let mut bound = vec![(head.clone(), Type::Int), (smaller.clone(), Type::Seq)];
                let mut steps = String::new();
                // Two elements at a time, and one if there is only one.
                if self.random.below(3) == 0 {
                    let second = self.fresh();
                    bound.push((second.clone(), Type::Int));
                    let pattern = format!("<{head}, {second}>^{smaller}");
                    steps = self.step(&signature, pattern, smaller.clone(), bound.clone());
                    bound.pop();
                }
                steps + &self.step(&signature, format!("<{head}>^{smaller}"), smaller, bound)
            }
        });
        self.functions.push(signature);
        text
    }

    /// A function that goes on with itself as its last act, or behind an element, and mostly computes numbers.
    fn loop_on_numbers(&mut self) -> String {
        let first = *self.random.pick(&[Type::Int, Type::Seq, Type::Seq]);
        let mut parameters = vec![first];
        (0..self.random.below(4)).for_each(|_| {
            parameters.push(*self.random.pick(&[Type::Int, Type::Int, Type::Seq, Type::Map]));
        });
        let result = *self.random.pick(&[Type::Int, Type::Bool, Type::Seq, Type::Seq, Type::Map]);
        let signature = Signature { name: format!("f{}", self.functions.len()), parameters, result };
        let mut text = self.equation(&signature, if first == Type::Int { "0" } else { "<>" });
        let (mut patterns, mut variables) = (Vec::new(), Vec::new());
        for &ty in &signature.parameters {
            let name = self.fresh();
            match (ty, patterns.is_empty() || self.random.below(2) == 0) {
                (Type::Seq, true) => {
                    let tail = self.fresh();
                    patterns.push(format!("<{name}>^{tail}"));
                    variables.extend([(name, Type::Int), (tail, Type::Seq)]);
                }
                _ => {
                    patterns.push(name.clone());
                    variables.push((name, ty));
                }
            }
        }
        if let Some(at) = patterns.iter().skip(1).position(|pattern| pattern.starts_with('<'))
            && self.random.below(4) > 0
        {
            let mut ended: Vec<String> = vec!["_".to_owned(); patterns.len()];
            ended[at + 1] = "<>".to_owned();
            let body = self.simple(signature.result, &Scope::default());
            text.push_str(&format!("{}({}) = {body}\n", signature.name, ended.join(", ")));
        }
        let smaller = match first {
            Type::Int => format!("{} - 1", patterns[0]),
            _ => variables[1].0.clone(),
        };
        let head = format!("{}({})", signature.name, patterns.join(", "));
        let scope = Scope { variables, itself: Some((signature.clone(), smaller)) };
        let body = self.round(&signature, 3, &scope);
        self.functions.push(signature);
        format!("{text}{head} = {body}\n")
    }

    /// What such a function does in a round.
    fn round(&mut self, signature: &Signature, depth: usize, scope: &Scope) -> String {
        match if depth == 0 { 3 } else { self.random.below(8) } {
            0..=2 => {
                let condition = self.comparison(2, scope);
                let (then, otherwise) =
                    (self.round(signature, depth - 1, scope), self.round(signature, depth - 1, scope));
                format!("(if {condition} then {then} else {otherwise})")
            }
            3..=5 => {
                let arguments = self.next_arguments(signature, scope);
                let again = format!("{}({arguments})", signature.name);
                match (signature.result, self.random.below(3)) {
                    (Type::Seq, 1 | 2) => format!("<{}> ^ {again}", self.little(2, scope)),
                    (Type::Bool, 1) => format!("{} and {again}", self.comparison(1, scope)),
                    (Type::Bool, 2) => format!("{} or {again}", self.comparison(1, scope)),
                    _ => again,
                }
            }
            6 => {
                let (name, value) = (self.fresh(), self.little(2, scope));
                let mut inside = scope.clone();
                inside.variables.push((name.clone(), Type::Int));
                format!("(let {name} = {value} within {})", self.round(signature, depth - 1, &inside))
            }
            _ => self.simple(signature.result, scope),
        }
    }

    fn next_arguments(&mut self, signature: &Signature, scope: &Scope) -> String {
        let Some((_, smaller)) = &scope.itself else { unreachable!("it is inside of a function") };
        let mut arguments = vec![smaller.clone()];
        for &ty in &signature.parameters[1..] {
            arguments.push(match (ty, self.random.below(4)) {
                (Type::Int, _) => self.little(2, scope),
                (Type::Map, 0 | 1) => {
                    let map = self.simple(Type::Map, scope);
                    format!("mapUpdate({map}, {}, {})", self.little(1, scope), self.little(1, scope))
                }
                (Type::Seq, 0) => self.whole(scope).unwrap_or_else(|| self.simple(Type::Seq, scope)),
                (ty, _) => self.simple(ty, scope),
            });
        }
        arguments.join(", ")
    }

    /// A little arithmetic.
    fn little(&mut self, depth: usize, scope: &Scope) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return self.simple(Type::Int, scope);
        }
        let (left, right) = (self.little(depth - 1, scope), self.little(depth - 1, scope));
        match self.random.below(10) {
            0 => format!("mapLookup({}, {left})", self.simple(Type::Map, scope)),
            1 => format!("(({left}) / ({right}))"),
            2 => format!("(({left}) % ({right}))"),
            3 => format!("(({left}) * ({right}) % 100)"),
            4 => format!("(-({left}))"),
            5 | 6 => format!("(({left}) - ({right}))"),
            _ => format!("(({left}) + ({right}))"),
        }
    }

    fn comparison(&mut self, depth: usize, scope: &Scope) -> String {
        match if depth == 0 { 9 } else { self.random.below(10) } {
            0 => format!("not ({})", self.comparison(depth - 1, scope)),
            1 => format!("(({}) and ({}))", self.comparison(depth - 1, scope), self.comparison(depth - 1, scope)),
            2 => format!("(({}) or ({}))", self.comparison(depth - 1, scope), self.comparison(depth - 1, scope)),
            3 => format!("mapMember({}, {})", self.simple(Type::Map, scope), self.little(1, scope)),
            _ => {
                let op = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({}) {op} ({})", self.little(1, scope), self.little(1, scope))
            }
        }
    }

    /// Variables for the parameters behind the first, some of them taken apart.
    fn parameters(&mut self, signature: &Signature) -> (Vec<String>, Vec<(String, Type)>) {
        let (mut patterns, mut bound) = (Vec::new(), Vec::new());
        for &ty in &signature.parameters[1..] {
            let name = self.fresh();
            match (ty, self.random.below(6)) {
                (_, 0) => patterns.push("_".to_owned()),
                (Type::Pair, 1 | 2) => {
                    let other = self.fresh();
                    patterns.push(format!("({name}, {other})"));
                    bound.extend([(name, Type::Int), (other, Type::Seq)]);
                }
                _ => {
                    patterns.push(name.clone());
                    bound.push((name, ty));
                }
            }
        }
        (patterns, bound)
    }

    fn equation(&mut self, signature: &Signature, first: &str) -> String {
        let (mut patterns, variables) = self.parameters(signature);
        patterns.insert(0, first.to_owned());
        let body = self.expr(signature.result, 2, &Scope { variables, itself: None });
        format!("{}({}) = {body}\n", signature.name, patterns.join(", "))
    }

    /// An equation that looks at another parameter than the first.
    fn special_equation(&mut self, signature: &Signature) -> String {
        let (mut patterns, variables) = self.parameters(signature);
        let seq = signature.parameters[1..].iter().position(|&ty| ty == Type::Seq);
        if let Some(at) = seq {
            patterns[at] = "<>".to_owned();
        }
        patterns.insert(0, if seq.is_some() { "_".to_owned() } else { "<1, 2>".to_owned() });
        if seq.is_none() && signature.parameters[0] == Type::Int {
            patterns[0] = "1".to_owned();
        }
        let used = |(name, _): &(String, Type)| patterns.iter().any(|pattern| pattern.contains(name.as_str()));
        let variables = variables.into_iter().filter(used).collect();
        let body = self.expr(signature.result, 2, &Scope { variables, itself: None });
        format!("{}({}) = {body}\n", signature.name, patterns.join(", "))
    }

    fn step(&mut self, signature: &Signature, first: String, smaller: String, bound: Vec<(String, Type)>) -> String {
        let (mut patterns, mut variables) = self.parameters(signature);
        let seq = signature.parameters[1..].iter().position(|&ty| ty == Type::Seq);
        if let (Some(at), 0) = (seq, self.random.below(3)) {
            let (head, tail) = (self.fresh(), self.fresh());
            variables.retain(|(name, _)| *name != patterns[at]);
            patterns[at] = match self.random.below(3) {
                0 => {
                    let second = self.fresh();
                    variables.push((second.clone(), Type::Int));
                    format!("<{head}, {second}>^{tail}")
                }
                _ => format!("<{head}>^{tail}"),
            };
            variables.extend([(head, Type::Int), (tail, Type::Seq)]);
        }
        variables.extend(bound);
        let scope = Scope { variables, itself: Some((signature.clone(), smaller)) };
        patterns.insert(0, first);
        let body = self.expr(signature.result, 4, &scope);
        format!("{}({}) = {body}\n", signature.name, patterns.join(", "))
    }

    /// An expression of a type.
    fn expr(&mut self, ty: Type, depth: usize, scope: &Scope) -> String {
        if depth == 0 {
            return self.simple(ty, scope);
        }
        match self.random.below(12) {
            0 => self.simple(ty, scope),
            1 | 2 => self.call(ty, depth, scope),
            3 => {
                let condition = self.expr(Type::Bool, depth - 1, scope);
                let (then, otherwise) = (self.expr(ty, depth - 1, scope), self.expr(ty, depth - 1, scope));
                format!("(if {condition} then {then} else {otherwise})")
            }
            4 => self.lets(ty, depth, scope),
            5 if self.random.below(4) == 0 => self.wrong(ty),
            _ => self.operation(ty, depth, scope),
        }
    }

    /// Something that fails when it is looked at.
    fn wrong(&mut self, ty: Type) -> String {
        match (ty, self.random.below(3)) {
            (Type::Int, 0) => "(1 / 0)".to_owned(),
            (Type::Int, 1) => "head(<>)".to_owned(),
            (Type::Seq, 0) => "tail(<>)".to_owned(),
            _ => "error(\"\")".to_owned(),
        }
    }

    fn simple(&mut self, ty: Type, scope: &Scope) -> String {
        let fitting: Vec<&String> =
            scope.variables.iter().filter(|(_, other)| *other == ty).map(|(name, _)| name).collect();
        if !fitting.is_empty() && self.random.below(4) > 0 {
            return (*self.random.pick(&fitting)).clone();
        }
        let number = self.random.below(5).to_string();
        match ty {
            Type::Int => number,
            Type::Bool => (self.random.below(2) == 0).to_string(),
            Type::Pair => format!("({number}, {})", self.simple(Type::Seq, scope)),
            Type::Seq => match self.random.below(3) {
                0 => "<>".to_owned(),
                1 => format!("<1..{number}>"),
                _ => format!("<{number}, {}>", self.simple(Type::Int, scope)),
            },
            Type::Map => "emptyMap".to_owned(),
            Type::Set => format!("{{{number}, 3}}"),
        }
    }

    fn call(&mut self, ty: Type, depth: usize, scope: &Scope) -> String {
        let mut callees: Vec<(Signature, Option<String>)> = Vec::new();
        if let Some((signature, smaller)) = &scope.itself
            && signature.result == ty
        {
            (0..3).for_each(|_| callees.push((signature.clone(), Some(smaller.clone()))));
        }
        callees.extend(self.functions.iter().filter(|other| other.result == ty).map(|other| (other.clone(), None)));
        if callees.is_empty() {
            return self.operation(ty, depth, scope);
        }
        let (callee, smaller) = self.random.pick(&callees).clone();
        let first = smaller.unwrap_or_else(|| match callee.parameters[0] {
            Type::Int => format!("{} % 4", self.expr(Type::Int, depth - 1, scope)),
            other => self.expr(other, depth - 1, scope),
        });
        let rest = callee.parameters[1..].iter().map(|&ty| self.expr(ty, depth - 1, scope));
        let arguments: Vec<String> = std::iter::once(first).chain(rest).collect();
        format!("{}({})", callee.name, arguments.join(", "))
    }

    fn lets(&mut self, ty: Type, depth: usize, scope: &Scope) -> String {
        let (mut inside, name) = (scope.clone(), self.fresh());
        let definition = match self.random.below(3) {
            0 => {
                let other = self.fresh();
                let value = self.expr(Type::Pair, depth - 1, scope);
                inside.variables.extend([(name.clone(), Type::Int), (other.clone(), Type::Seq)]);
                format!("({name}, {other}) = {value}")
            }
            1 => {
                let (argument, of) = (self.fresh(), *self.random.pick(TYPES));
                let mut body = scope.clone();
                body.variables.push((argument.clone(), Type::Int));
                let value = self.expr(of, depth - 1, &body);
                let constant = self.fresh();
                inside.variables.push((constant.clone(), of));
                format!("{name}({argument}) = {value}\n{constant} = {name}({})", self.simple(Type::Int, scope))
            }
            _ => {
                let of = *self.random.pick(TYPES);
                let value = self.expr(of, depth - 1, scope);
                inside.variables.push((name.clone(), of));
                format!("{name} = {value}")
            }
        };
        format!("(let {definition}\nwithin {})", self.expr(ty, depth - 1, &inside))
    }

    fn operation(&mut self, ty: Type, depth: usize, scope: &Scope) -> String {
        let mut of = |ty: Type| self.expr(ty, depth - 1, scope);
        let (int, seq, map) = (of(Type::Int), of(Type::Seq), of(Type::Map));
        let choice = self.random.below(6);
        match (ty, choice) {
            (Type::Int, 0) => format!("(({int}) * ({}) % 100)", self.expr(Type::Int, depth - 1, scope)),
            (Type::Int, 1) => format!("#({seq})"),
            (Type::Int, 2) => format!("mapLookup({map}, {int})"),
            (Type::Int, 3) => format!("card({})", self.expr(Type::Set, depth - 1, scope)),
            (Type::Int, _) => format!("(({int}) + ({}))", self.expr(Type::Int, depth - 1, scope)),
            (Type::Bool, 0) => format!("null({seq})"),
            (Type::Bool, 1) => format!("elem({int}, {seq})"),
            (Type::Bool, 2) => format!("mapMember({map}, {int})"),
            (Type::Bool, 3) => {
                let op = *self.random.pick(&["and", "or"]);
                format!("(({int}) < 3 {op} {})", self.expr(Type::Bool, depth - 1, scope))
            }
            // Sequences are not compared: if they differ in length, that may be said without a look at wrong elements.
            (Type::Bool, 4) => format!("(#({seq}) == ({int}))"),
            (Type::Bool, _) => format!("(({int}) <= ({}))", self.expr(Type::Int, depth - 1, scope)),
            (Type::Pair, _) => format!("({int}, {seq})"),
            (Type::Seq, 0) => format!("(({seq})^({}))", self.expr(Type::Seq, depth - 1, scope)),
            (Type::Seq, 1) => {
                let name = self.fresh();
                let mut inside = scope.clone();
                inside.variables.push((name.clone(), Type::Int));
                let result = self.expr(Type::Int, depth - 1, &inside);
                let condition = self.expr(Type::Bool, depth - 1, &inside);
                format!("<{result} | {name} <- {seq}, {condition}>")
            }
            (Type::Seq, 2) => format!("<{int} | (_, _) <- mapToList({map})>"),
            (Type::Seq, 3) => format!("concat(<{seq}, {}>)", self.expr(Type::Seq, depth - 1, scope)),
            (Type::Seq, _) => match self.whole(scope) {
                Some(whole) => whole,
                None => format!("(<{int}>^({seq}))"),
            },
            (Type::Map, 0) => format!("mapDelete({map}, {int})"),
            (Type::Map, _) => format!("mapUpdate({map}, {int}, {})", self.expr(Type::Int, depth - 1, scope)),
            (Type::Set, 0) => format!("{{{int}}}"),
            (Type::Set, _) => format!("union({}, {{{int}}})", self.expr(Type::Set, depth - 1, scope)),
        }
    }

    /// Two variables put together, perhaps again as they were in an argument.
    fn whole(&mut self, scope: &Scope) -> Option<String> {
        let pairs = scope.variables.windows(2).filter(|pair| (pair[0].1, pair[1].1) == (Type::Int, Type::Seq));
        let wholes: Vec<String> = pairs.map(|pair| format!("(<{}>^{})", pair[0].0, pair[1].0)).collect();
        if wholes.is_empty() { None } else { Some(self.random.pick(&wholes).clone()) }
    }
}
