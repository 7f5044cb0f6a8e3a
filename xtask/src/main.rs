//! Chores of the project, run by `cargo xtask NAME`.

mod bench;
mod picture;
mod soak;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("tidy") => tidy::run(),
        Some("bench") => bench::run(&arguments[1..]),
        Some("picture") => picture::run(),
        Some("soak") => soak::run(&arguments[1..]),
        _ => {
            eprintln!("usage: cargo xtask tidy     check layers, sizes and words of the sources");
            eprintln!("       cargo xtask bench    measure speed on the workloads in bench/");
            eprintln!("       cargo xtask picture  draw the terminal picture of the README");
            eprintln!(
                "       cargo xtask soak     run the random tests with new seeds, for 10 minutes or as many as given"
            );
            ExitCode::from(2)
        }
    }
}
