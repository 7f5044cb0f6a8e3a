//! Random formulas: written in many ways and read as one, grouped as a naive reader groups them, damaged and survived.
//!
//! The seed is fixed, so that a failure repeats; `TEST_SEED` sets another one and `TEST_ROUNDS` more rounds.

use ltl::syntax::Dialect::{self, Csp, Pat, ProB, Spin, SpinCommand};
use ltl::syntax::{Formula, Parsed, parse_ctl, parse_ltl};
use source::{SourceMap, render};
use test_support::mutate::{Mutator, Random, seed};

const DIALECTS: [Dialect; 5] = [ProB, Spin, SpinCommand, Pat, Csp];

/// A formula as this test sees it.
enum Tree {
    Leaf(&'static str),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Predicate(&'static str, Box<Tree>),
    Typed(&'static str, Box<Tree>),
}

/// Operators with other ways to write them.
const UNARY: [&[&str]; 9] = [
    &["not", "!", "¬"],
    &["X", "next", "()", "○"],
    &["Xw"],
    &["F", "finally", "eventually", "<>", "⋄", "◇"],
    &["G", "globally", "always", "[]", "□", "[ ]"],
    &["Y", "yesterday"],
    &["Yw"],
    &["O", "once"],
    &["H", "historically"],
];
const BINARY: [&[&str]; 12] = [
    &["&", "and", "&&", "/\\", "∧"],
    &["or", "||", "\\/", "∨", "|"],
    &["=>", "implies", "->", "⇒"],
    &["<=>", "equivalent", "<->", "⇔"],
    &["U", "until", "stronguntil"],
    &["W", "weakuntil"],
    &["R", "release", "V"],
    &["M"],
    &["S", "since"],
    &["B"],
    &["T", "trigger"],
    &["~>", "leadsto", "⇝"],
];
const LEAVES: &[&str] = &[
    "true",
    "false",
    "a",
    "ev.0.1",
    "c!x._",
    "op(1, _)",
    "[a]",
    "[op(3, 4*v)]",
    "[c.1._]",
    "[{|c, d.1|}]",
    "[tau]",
    "[r <-- op(x)]",
    "e(a)",
    "e*(c.1)",
    "Av(a)",
    "deadlock",
    "terminated",
    "deadlock(a, b)",
    "deterministic(a, b)",
    "controller(a)",
    "BA({x > x$0})",
    "changed({x})",
    "{|c, d|}",
    "absence(a)",
    "existence(a, 3)",
    "response((a, b without c), d)",
    "before(r, F p)",
    "seq((a, b))",
];
const PREDICATES: &[&str] = &["#y.({y:S} & ", "!y,z.({y:S & z:S} => "];
const TYPED: &[&str] = &["forall y:T @ ", "exists y:{1,2} @ "];

fn random_tree(random: &mut Random, size: usize) -> Tree {
    if size <= 1 {
        return Tree::Leaf(random.pick::<&str>(LEAVES));
    }
    let below = |random: &mut Random, size| Box::new(random_tree(random, size));
    match random.below(10) {
        0..4 => Tree::Unary(random.pick(&UNARY)[0], below(random, size - 1)),
        4 => Tree::Predicate(random.pick::<&str>(PREDICATES), below(random, size - 1)),
        5 => Tree::Typed(random.pick::<&str>(TYPED), below(random, size - 1)),
        _ => {
            let left = 1 + random.below(size - 1);
            Tree::Binary(random.pick(&BINARY)[0], below(random, left), below(random, size - left))
        }
    }
}

impl Tree {
    /// The reading as it is printed.
    fn reading(&self) -> String {
        match self {
            Tree::Leaf(text) => (*text).to_owned(),
            Tree::Unary(sign, operand) => match **operand {
                Tree::Leaf(text) => format!("{sign} {text}"),
                _ => format!("{sign}({})", operand.reading()),
            },
            Tree::Binary(sign, left, right) => format!("{} {sign} {}", left.beside(sign), right.beside(sign)),
            Tree::Predicate(opening, body) => format!("{opening}{})", body.closed()),
            Tree::Typed(opening, body) => format!("{opening}{}", body.closed()),
        }
    }

    /// As an operand: temporal operators have brackets around everything but atoms.
    fn beside(&self, sign: &str) -> String {
        match self {
            Tree::Unary(..) if !["&", "or", "=>", "<=>"].contains(&sign) => format!("({})", self.reading()),
            _ => self.closed(),
        }
    }

    fn closed(&self) -> String {
        match self {
            Tree::Binary(..) | Tree::Typed(..) => format!("({})", self.reading()),
            _ => self.reading(),
        }
    }

    /// One of many ways to write it.
    fn written(&self, random: &mut Random) -> String {
        let text = match self {
            Tree::Leaf(text) => (*text).to_owned(),
            Tree::Unary(sign, operand) => format!("{} {}", synonym(random, &UNARY, sign), operand.operand(random)),
            Tree::Binary(sign, left, right) => {
                let sign = synonym(random, &BINARY, sign);
                format!("{} {sign}  {}", left.operand(random), right.operand(random))
            }
            Tree::Predicate(opening, body) => format!("{opening} {} )", body.operand(random)),
            Tree::Typed(opening, body) => format!("{opening} {}", body.operand(random)),
        };
        if random.below(4) == 0 { format!("( {text})") } else { text }
    }

    fn operand(&self, random: &mut Random) -> String {
        let text = self.written(random);
        if matches!(self, Tree::Binary(..) | Tree::Typed(..)) { format!("({text})") } else { text }
    }
}

fn synonym(random: &mut Random, table: &[&[&'static str]], sign: &str) -> &'static str {
    let row = table.iter().find(|row| row[0] == sign).expect("the table has every sign");
    random.pick::<&str>(row)
}

fn shown(text: &str, parsed: &Parsed) -> String {
    let mut map = SourceMap::new();
    map.add("formula", text);
    parsed.diagnostics.iter().map(|diagnostic| render::plain(&map, diagnostic)).collect()
}

fn formula(text: &str, dialect: Dialect) -> Formula {
    let parsed = parse_ltl(text, 0, dialect);
    let messages = shown(text, &parsed);
    parsed.formula.unwrap_or_else(|| panic!("seed {}: {text} in {dialect:?}\n{messages}", seed()))
}

#[test]
fn formulas_read_back_as_themselves() {
    let mut random = Random::new(seed());
    for _ in 0..n_rounds(3000) {
        let size = 1 + random.below(12);
        let tree = random_tree(&mut random, size);
        for dialect in DIALECTS {
            let written = tree.written(&mut random);
            let first = formula(&written, dialect);
            let reading = first.to_string();
            assert_eq!(reading, tree.reading(), "seed {}: {written} in {dialect:?}", seed());
            assert_eq!(formula(&reading, dialect), first, "seed {}: {reading} in {dialect:?}", seed());
        }
    }
}

/// The operators of each level, weakest first, and whether they may be chained.
fn levels(dialect: Dialect) -> Vec<(&'static [&'static str], bool)> {
    let temporal: &[&str] = &["U", "W", "R", "M", "S", "B", "T"];
    let mut levels: Vec<(&'static [&'static str], bool)> = vec![(&["~>"], false)];
    levels.extend(match dialect {
        ProB => vec![(&["<=>"][..], false), (&["=>"], true), (&["&", "or"], true)],
        Spin | Csp => vec![(&["=>", "<=>"][..], true), (&["or"], true), (&["&"], true)],
        SpinCommand | Pat => vec![(&["or", "&", "=>", "<=>"][..], true)],
    });
    levels.push((temporal, true));
    levels
}

/// Groups operands and the operators between them: the last of the weakest operators is applied last.
fn naive_reading(words: &[String], levels: &[(&[&str], bool)]) -> Option<String> {
    if let [word] = words {
        return Some(word.clone());
    }
    for (operators, chains) in levels {
        let places: Vec<usize> =
            (0..words.len()).skip(1).step_by(2).filter(|&at| operators.contains(&words[at].as_str())).collect();
        let Some(&last) = places.last() else { continue };
        if places.len() > 1 && !chains {
            return None;
        }
        let left = naive_reading(&words[..last], levels)?;
        let right = naive_reading(&words[last + 1..], levels)?;
        let is_temporal = !["&", "or", "=>", "<=>"].contains(&words[last].as_str());
        let close = |part: &[String], text: String| match part {
            [word] if !is_temporal || !word.contains(' ') => text,
            _ => format!("({text})"),
        };
        let (left, right) = (close(&words[..last], left), close(&words[last + 1..], right));
        return Some(format!("{left} {} {right}", words[last]));
    }
    unreachable!("every operator has a level")
}

#[test]
fn operators_are_grouped_as_the_tables_say() {
    let mut random = Random::new(seed());
    for _ in 0..n_rounds(3000) {
        let mut words = vec!["p".to_owned()];
        for _ in 0..random.below(7) {
            words.push(random.pick(&BINARY)[0].to_owned());
            words.push((*random.pick(&["q", "not r", "G s", "[t]"])).to_owned());
        }
        let text = words.join(" ");
        for dialect in DIALECTS {
            let reading = parse_ltl(&text, 0, dialect).formula.map(|formula| formula.to_string());
            assert_eq!(reading, naive_reading(&words, &levels(dialect)), "seed {}: {text} in {dialect:?}", seed());
        }
    }
}

/// Nothing written in a formula makes us panic, whatever is read makes sense, and every message has a place in the
/// text.
fn survives(text: &str) {
    for dialect in DIALECTS {
        for parse in [parse_ltl, parse_ctl] {
            const BASE: u32 = 7;
            let parsed = parse(text, BASE, dialect);
            for diagnostic in &parsed.diagnostics {
                let places = diagnostic.secondary.iter().chain([&diagnostic.primary]);
                for span in places.map(|label| label.span) {
                    let range = (span.start.wrapping_sub(BASE)) as usize..span.end.wrapping_sub(BASE) as usize;
                    assert!(text.get(range.clone()).is_some(), "seed {}: {range:?} in {text}", seed());
                }
            }
            let Some(formula) = parsed.formula else {
                assert!(!parsed.diagnostics.is_empty(), "seed {}: nothing is said about {text}", seed());
                continue;
            };
            let reading = formula.to_string();
            let again = parse(&reading, BASE, dialect).formula;
            assert_eq!(again.as_ref(), Some(&formula), "seed {}: {text} as {reading} in {dialect:?}", seed());
            formula.resolve_names(|_| dialect.bare_name()).bindings();
            _ = formula.expand();
        }
    }
}

#[test]
fn damaged_formulas_are_survived() {
    let corpus = include_str!("syntax/corpus.ltl").lines().map(|line| line.as_bytes().to_vec()).collect();
    let mut mutator = Mutator::new(seed(), corpus);
    for _ in 0..n_rounds(3000) {
        survives(&String::from_utf8_lossy(&mutator.next_text()));
    }
}

#[test]
fn noise_of_tokens_is_survived() {
    const TOKENS: &str = "( ) [ ] { } {| |} [] <> () , . : @ # ! ? & && or || => <=> -> ~> U W R M S T B V X G F Y O H Xw Yw GF \
        XX not true false a b c?x d!x op(1,_) [a] {p} e( e*( Av( deadlock deadlock( sink SF( WF( SEF WEF forall exists x:T \
        == < + 1 2 response( before( seq( without existence( BA( E A EX AG EX[ * / // \" ' _ □ ⇒ é tau tick --> <--";
    let tokens: Vec<&str> = TOKENS.split_whitespace().collect();
    let mut random = Random::new(seed());
    for _ in 0..n_rounds(10_000) {
        let length = random.below(14);
        let words: Vec<&str> = (0..length).map(|_| *random.pick(&tokens)).collect();
        survives(&words.join(if random.below(2) == 0 { " " } else { "" }));
    }
}

#[test]
fn deep_nesting_is_survived() {
    const DEPTH: usize = 150_000;
    let brackets = format!("{}a{}", "(".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(formula(&brackets, ProB).to_string(), "a");
    let chain = format!("{}a", "a & ".repeat(9_000));
    assert_eq!(formula(&chain, ProB).nodes.len(), 18_001);
    let nestings = [
        ("(", "a", ""),
        ("", "a", ")"),
        ("[", "a", "]"),
        ("[", "a", ""),
        ("{", "a", ""),
        ("X", " a", ""),
        ("! ", "a", ""),
        ("a U (", "a", ")"),
        ("a => ", "a", ""),
        ("E a U ", "a", ""),
        ("EX", " a", ""),
        ("EX[a] ", "a", ""),
        ("SF(a) => ", "a", ""),
        ("(SF(a) & ", "SF(a)", ")"),
        ("forall x:T @ ", "a", ""),
        ("forall x:(", "a", ""),
        ("#x.({p} & ", "a", ")"),
        ("response(a, ", "a", ")"),
        ("between(a, b, ", "a", ")"),
        ("(a, ", "a", ")"),
        ("[c.(", "a", ")]"),
        ("[((", "a", ")) <-- a]"),
        ("[c?x] & ", "[d!x]", ""),
        ("G", " [a]", ""),
    ];
    for (open, middle, close) in nestings {
        for depth in [500, DEPTH] {
            let text = format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
            for parse in [parse_ltl, parse_ctl] {
                let parsed = parse(&text, 0, ProB);
                assert!(parsed.formula.is_some() || !parsed.diagnostics.is_empty(), "{open}");
            }
        }
    }
}

fn n_rounds(default: usize) -> usize {
    std::env::var("TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
