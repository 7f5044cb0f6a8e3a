//! Chores of the project, run by `cargo xtask NAME`.

mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("tidy") => tidy::run(),
        _ => {
            eprintln!("usage: cargo xtask tidy    check what the compiler cannot: layers, sizes, words");
            ExitCode::from(2)
        }
    }
}
