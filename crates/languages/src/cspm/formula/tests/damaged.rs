//! Formulas made and damaged at random: whatever is written, there is an answer or a message, and the script stays
//! usable.

use super::{Bench, ask};
use frontend::formula::{Choices, Logic};
use ltl::syntax::Dialect;
use source::render;
use test_support::mutate::{Mutator, Random, seed};

const SCRIPT: &str = "
datatype Color = red | green | mix.Color.{0..1}
nametype Small = {0..2}
channel c : Small.Small
channel d : Color
channel n : Int
channel a, b
limit = 2
ready = true
f(x) = (x + 1) % 3
P = c?x?y -> d!mix.red.0 -> n.7 -> P [] (a -> SKIP \\ {b})
";

const FORMULAS: &[&str] = &[
    "[](c?x?y => <> c!y!x) & a R not b",
    "forall x:Small, y:{0..limit} @ [](c.x.y -> X not c.f(x).y)",
    "#x.({x:Small & x > 0} & F [c.x._]) or !z.({z:Small} => G not [n.z])",
    "WF(a) & SF(c.0) or WEF => G F [a] & F d.mix._.1",
    "G(e(a) => Y O [{|c, d.red|}]) S deadlock(a, c.1.2)",
    "between([a], [b], response([d.green], [c?x]))",
    "ready U terminated or [tau] or [tick] or current or sink",
    "deterministic(a, d.mix.red) <=> controller(n.7) W e*(b)",
    "G {limit == 2 and ready} & exists s:Set({0,1}) @ {card(s) < 3}",
    "AG(e(a) => EX[a] EF terminated) & A e(c) U not deadlock",
    "c?x:{0..1}!x ~> n?y:{7}",
];

#[test]
fn no_text_makes_us_panic() {
    let texts = FORMULAS.iter().map(|text| text.as_bytes().to_vec()).collect();
    let mut mutator = Mutator::new(seed(), texts);
    let mut random = Random::new(seed());
    let dialects = [Dialect::ProB, Dialect::Spin, Dialect::SpinCommand, Dialect::Pat, Dialect::Csp];
    let (mut n_lowered, mut n_refused) = (0, 0);
    for round in 0..60 {
        let logic = if random.below(5) == 0 { Logic::Ctl } else { Logic::Ltl };
        let choices = Choices { dialect: Some(*random.pick(&dialects)), ..Choices::default() };
        let mut texts: Vec<String> =
            (0..20).map(|_| String::from_utf8_lossy(&mutator.next_text()).into_owned()).collect();
        if round < 20 {
            texts.extend(FORMULAS.iter().map(|text| (*text).to_owned()));
        }
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let session = ask(SCRIPT, "P", logic, &texts, choices);
        assert!(!session.has_errors(), "round {round}, seed {}: {:?}", seed(), session.diagnostics());
        let mut bench = Bench::new(&session);
        let formulas = bench.formulas();
        let cspm::syntax::Property::Temporal { process, .. } = formulas[0] else { continue };
        let system = bench.system(*process);
        for property in formulas {
            match bench.question(property) {
                Ok(question) => {
                    n_lowered += usize::from(bench.try_lower(&question, &system, true).is_ok());
                    assert!(!question.formula.to_string().is_empty());
                }
                Err(diagnostics) => {
                    assert!(!diagnostics.is_empty(), "refused without a word, seed {}", seed());
                    n_refused += 1;
                    diagnostics.iter().for_each(|found| _ = render::plain(session.source_map(), found));
                }
            }
        }
    }
    assert!(n_lowered > 50 && n_refused > 200, "{n_lowered} read, {n_refused} refused");
}
