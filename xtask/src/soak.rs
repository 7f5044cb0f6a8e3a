//! The random tests with seeds that nobody has chosen.
//!
//! Ordinary tests have a fixed seed, so that a change is judged by itself and not by luck. Here every round has a seed from the
//! clock, until the time is over or a round fails; the seed is printed, and repeats the round.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long, unless somebody says so.
const MINUTES: f64 = 10.0;

/// Runs all tests again and again.
pub fn run(arguments: &[String]) -> ExitCode {
    let minutes = match arguments.first().map(|text| text.parse::<f64>()) {
        None => MINUTES,
        Some(Ok(minutes)) if minutes.is_finite() && minutes > 0.0 => minutes,
        Some(_) => {
            eprintln!("usage: cargo xtask soak [MINUTES]");
            return ExitCode::from(2);
        }
    };
    let end = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let mut n_rounds = 0;
    while n_rounds == 0 || Instant::now() < end {
        let seed = seed_from_clock();
        eprintln!("==> round {}: TEST_SEED={seed} cargo test --workspace", n_rounds + 1);
        if !round(seed) {
            eprintln!("failed with TEST_SEED={seed}");
            return ExitCode::FAILURE;
        }
        n_rounds += 1;
    }
    eprintln!("{n_rounds} rounds passed");
    ExitCode::SUCCESS
}

fn seed_from_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

fn round(seed: u64) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status =
        Command::new(cargo).args(["test", "--workspace", "--quiet"]).env("TEST_SEED", seed.to_string()).status();
    status.is_ok_and(|status| status.success())
}
