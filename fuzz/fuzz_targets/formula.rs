//! Any text is read as a formula in every dialect, and what is read is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ltl::syntax::{Dialect, parse_ctl, parse_list, parse_ltl};

fuzz_target!(|text: &str| {
    for dialect in [Dialect::Csp, Dialect::ProB, Dialect::Spin, Dialect::SpinCommand, Dialect::Pat] {
        for parse in [parse_ltl, parse_ctl] {
            if let Some(formula) = parse(text, 0, dialect).formula {
                let _ = formula.to_string();
                let _ = formula.pieces();
            }
        }
    }
    let _ = parse_list(text, 0);
});
