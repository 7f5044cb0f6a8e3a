//! Decides refinement between two Aldebaran files by merc: `merc-bench plain|reduced T|F|FD SPECIFICATION IMPLEMENTATION`.
//!
//! `reduced` makes both systems smaller by branching bisimulation first. The answer is `holds` or `fails`.

use merc_lts::read_mcrl2_aut;
use merc_refinement::{ExplorationStrategy, RefinementType, refines};
use merc_utilities::{MercError, Timing};
use std::fs::File;

fn main() -> Result<(), MercError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, model, specification, implementation] = arguments.as_slice() else {
        return Err("four arguments are needed".into());
    };
    let is_reduced = match mode.as_str() {
        "plain" => false,
        "reduced" => true,
        other => return Err(format!("`{other}` is no mode").into()),
    };
    let model = match model.as_str() {
        "T" => RefinementType::Weaktrace,
        "F" => RefinementType::StableFailures,
        "FD" => RefinementType::FailuresDivergences,
        other => return Err(format!("`{other}` is no model").into()),
    };
    let specification = read_mcrl2_aut(File::open(specification)?)?;
    let implementation = read_mcrl2_aut(File::open(implementation)?)?;
    let order = ExplorationStrategy::BFS;
    let (holds, _) = refines(implementation, specification, model, order, is_reduced, false, &mut Timing::new());
    println!("{}", if holds { "holds" } else { "fails" });
    Ok(())
}
