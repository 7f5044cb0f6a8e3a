//! Any bytes give tokens.
#![no_main]

use libfuzzer_sys::fuzz_target;
use source::SourceMap;
use tracehound_fuzz::OneFile;

fuzz_target!(|bytes: &[u8]| {
    cspm::lex::lex_script(&OneFile(bytes), "fuzz.csp", &mut SourceMap::new());
});
