//! Random loops that other functions take part in.
//!
//! A loop hands its maps, numbers and text to functions without recursion, to one that goes along a row of pairs, and
//! to one that yields text. Maps that are changed in place must stay what they were wherever an older version is still
//! needed, also where a round fails. By name everything is computed again and again, so there are few rounds.

use test_support::mutate::Random;

/// Names that can be used: numbers, maps.
#[derive(Clone, Default)]
struct Scope {
    numbers: Vec<String>,
    maps: Vec<String>,
}

impl Scope {
    fn of(numbers: &[&str], maps: &[&str]) -> Scope {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Scope { numbers: owned(numbers), maps: owned(maps) }
    }
}

pub struct Loops<'r> {
    pub random: &'r mut Random,
}

impl Loops<'_> {
    /// A script with a constant to be computed.
    pub fn script(&mut self) -> String {
        let (ab, a) = (Scope::of(&["a", "b"], &[]), Scope::of(&["a"], &[]));
        let pick = self.branches(2, &ab, Loops::number);
        let size = self.random.below(4);
        let row: Vec<String> =
            (0..size).map(|_| format!("({}, {})", self.number(2, &ab), self.number(1, &ab))).collect();
        let say = self.branches(2, &a, Loops::text);
        let put = self.map(2, &Scope::of(&["a", "b"], &["m"]));
        let along = self.along();
        let body = self.round(3, &Scope::of(&["n", "x"], &["m", "k"]));
        let (start, map) = (self.random.below(5), self.map(2, &Scope::default()));
        // Whoever needs all results lets the arguments be computed on the way.
        let result = match self.random.below(4) {
            0 => "all",
            _ => {
                "(let (p, q, u, y) = all\nwithin if y + #u + #mapToList(p) + #mapToList(q) > 9 then (p, q, u, y) else (q, p, u, y))"
            }
        };
        format!(
            "pick(a, b) = {pick}\nrow(a, b) = <{}>\nsay(a) = {say}\nput(m, a, b) = {put}\n{along}\
             go(0, m, k, t, x) = (m, k, t, x)\ngo(n, m, k, t, x) = {body}\n\
             all = go({}, {map}, emptyMap, \"\", {start})\nmain = {result}\nprint main\n",
            row.join(", "),
            1 + self.random.below(3),
        )
    }

    /// Goes along pairs with two maps.
    fn along(&mut self) -> String {
        let scope = Scope::of(&["d", "j", "w"], &["m", "k"]);
        let mut again = || {
            let (map, other) = (self.map(1, &scope), self.map(1, &scope));
            let number = if self.random.below(2) == 0 { "d".to_owned() } else { self.number(1, &scope) };
            format!("along({map}, {number}, es, {other})")
        };
        let (then, otherwise) = (again(), again());
        let condition = self.condition(2, &scope);
        let yields = *self.random.pick(&["(m, k)", "(m, k)", "(k, m)", "(m, m)"]);
        let (ends, goes_on) = ("along(m, d, <>, k)", "along(m, d, <(j, w)>^es, k)");
        format!("{ends} = {yields}\n{goes_on} = if {condition} then {then} else {otherwise}\n")
    }

    fn round(&mut self, depth: usize, scope: &Scope) -> String {
        match if depth == 0 { 9 } else { self.random.below(10) } {
            0..=1 => {
                let condition = self.condition(2, scope);
                format!("(if {condition} then {} else {})", self.round(depth - 1, scope), self.round(depth - 1, scope))
            }
            2..=4 => {
                let (map, other) = (format!("m{depth}"), format!("k{depth}"));
                let row = match self.random.below(3) {
                    0 => format!("<({}, {})>", self.number(1, scope), self.number(1, scope)),
                    _ => format!("row({}, {})", self.number(1, scope), self.number(1, scope)),
                };
                let (of, with) = (self.random.pick(&scope.maps).clone(), self.random.pick(&scope.maps).clone());
                let value = format!("along({of}, {}, {row}, {with})", self.number(1, scope));
                let mut inside = scope.clone();
                // Those from before are still there, but seldom wanted.
                if self.random.below(4) > 0 {
                    inside.maps.clear();
                }
                inside.maps.extend([map.clone(), other.clone()]);
                format!("(let ({map}, {other}) = {value}\nwithin {})", self.round(depth - 1, &inside))
            }
            5 => {
                let name = format!("y{depth}");
                let value = self.number(2, scope);
                let mut inside = scope.clone();
                inside.numbers.push(name.clone());
                format!("(let {name} = {value}\nwithin {})", self.round(depth - 1, &inside))
            }
            6 if depth < 3 => format!("({}, {}, t, {})", self.map(1, scope), self.map(0, scope), self.number(1, scope)),
            _ => {
                let maps = (self.map(1, scope), self.map(1, scope));
                let text = match self.random.below(4) {
                    0 => "t".to_owned(),
                    1 => format!("t ^ {}", self.text(1, scope)),
                    _ => format!("t ^ say({})", self.number(1, scope)),
                };
                format!("go(n - 1, {}, {}, {text}, {})", maps.0, maps.1, self.number(2, scope))
            }
        }
    }

    fn branches(&mut self, depth: usize, scope: &Scope, leaf: fn(&mut Self, usize, &Scope) -> String) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return leaf(self, 2, scope);
        }
        let condition = self.condition(1, scope);
        let (then, otherwise) = (self.branches(depth - 1, scope, leaf), self.branches(depth - 1, scope, leaf));
        format!("if {condition} then {then} else {otherwise}")
    }

    fn number(&mut self, depth: usize, scope: &Scope) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return match scope.numbers.is_empty() || self.random.below(4) == 0 {
                true => self.random.below(5).to_string(),
                false => self.random.pick(&scope.numbers).clone(),
            };
        }
        let (left, right) = (self.number(depth - 1, scope), self.number(depth - 1, scope));
        match self.random.below(10) {
            0 if !scope.maps.is_empty() => format!("mapLookup({}, {left})", self.map(1, scope)),
            1 => format!("(({left}) / ({right}))"),
            2 => format!("(({left}) % ({right}))"),
            3 => format!("(({left}) * ({right}) % 100)"),
            // Only where it is defined already.
            4 | 5 if scope.numbers.iter().any(|name| name == "x") => format!("pick({left}, {right})"),
            6 => format!("(({left}) - ({right}))"),
            _ => format!("(({left}) + ({right}))"),
        }
    }

    fn condition(&mut self, depth: usize, scope: &Scope) -> String {
        match if depth == 0 { 9 } else { self.random.below(8) } {
            0 => format!("not ({})", self.condition(depth - 1, scope)),
            1 => format!("(({}) and ({}))", self.condition(depth - 1, scope), self.condition(depth - 1, scope)),
            2 => format!("(({}) or ({}))", self.condition(depth - 1, scope), self.condition(depth - 1, scope)),
            3 | 4 if !scope.maps.is_empty() => {
                format!("mapMember({}, {})", self.map(1, scope), self.number(1, scope))
            }
            _ => {
                let op = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({}) {op} ({})", self.number(1, scope), self.number(1, scope))
            }
        }
    }

    fn map(&mut self, depth: usize, scope: &Scope) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return match scope.maps.is_empty() {
                true => "emptyMap".to_owned(),
                false => self.random.pick(&scope.maps).clone(),
            };
        }
        let (map, key, value) = (self.map(depth - 1, scope), self.number(1, scope), self.number(1, scope));
        match self.random.below(4) {
            0 if scope.numbers.iter().any(|name| name == "x") => format!("put({map}, {key}, {value})"),
            _ => format!("mapUpdate({map}, {key}, {value})"),
        }
    }

    fn text(&mut self, depth: usize, scope: &Scope) -> String {
        match if depth == 0 { self.random.below(2) } else { self.random.below(4) } {
            0 => format!("show({})", self.number(1, scope)),
            1 => (*self.random.pick(&["\"ab\"", "\"c\"", "\"\""])).to_owned(),
            _ => format!("{} ^ {}", self.text(depth - 1, scope), self.text(depth - 1, scope)),
        }
    }
}
