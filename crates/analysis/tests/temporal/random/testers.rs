//! Verdicts beside those of testers: refinement knows nothing of temporal logic.

use super::formula::{Past, random_formula};
use super::script::{ATOMS, Writer};
use crate::temporal::bench::{Bench, ending, word};
use analysis::check::Ending;
use test_support::mutate::{Random, seed};

#[test]
fn refinement_of_testers_agrees() {
    let mut random = Random::new(seed());
    let mut n_each = [0; 4];
    for round in 0..220 {
        let script = Writer { random: &mut random }.script(1 + round % 7);
        let formulas: Vec<String> = (0..3)
            .map(|_| {
                let size = random.below(5);
                random_formula(&mut random, ATOMS.len(), size, Past::Absent).text(&ATOMS)
            })
            .collect();
        let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
        let bench = Bench::new(&script, "P");
        for (checked, formula) in bench.ask(&formulas).iter().zip(&formulas) {
            let (without_end, ending_ones) = bench.test(formula);
            let told = || format!("TEST_SEED={} round {round}\n{script}{formula}\n{checked:#?}", seed());
            let expected = if without_end || ending_ones { "fails" } else { "holds" };
            assert_eq!(word(checked), expected, "without end: {without_end}, ending: {ending_ones}\n{}", told());
            match ending(checked) {
                Some(Ending::Loop(_)) => assert!(without_end, "{}", told()),
                Some(Ending::Stuck) => assert!(ending_ones, "{}", told()),
                Some(Ending::Silent(_)) => panic!("{}", told()),
                Some(Ending::Any) | None => {}
            }
            n_each[2 * usize::from(without_end) + usize::from(ending_ones)] += 1;
        }
    }
    assert!(n_each.iter().all(|&n| n > 40), "the samples are too plain: {n_each:?}");
}
