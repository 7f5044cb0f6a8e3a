//! Proofs of SAT solvers (DRAT) as files.

use crate::save::save;
use analysis::check::Proof;
use std::fs;
use std::path::Path;

/// Writes the proofs for an assertion: `1-base.cnf` is a formula, and `1-base.drat` proves it unsatisfiable.
///
/// # Errors
/// When a file cannot be written.
pub fn write(folder: &str, assertion: usize, proofs: &[Proof]) -> Result<(), String> {
    if proofs.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| format!("cannot make the folder `{folder}`: {error}"))?;
    for (place, proof) in proofs.iter().enumerate() {
        // Several proofs for one query are numbered.
        let n_before = proofs[..place].iter().filter(|other| other.name == proof.name).count();
        let number = if n_before > 0 { format!("-{}", n_before + 1) } else { String::new() };
        for (ending, text) in [("cnf", proof.formula()), ("drat", proof.derivation())] {
            let path = Path::new(folder).join(format!("{assertion}-{}{number}.{ending}", proof.name));
            save(&path, |out| out.write_all(text.as_ref()))?;
        }
    }
    Ok(())
}
