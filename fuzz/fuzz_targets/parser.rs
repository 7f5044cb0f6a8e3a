//! Any bytes give a tree.
#![no_main]

use libfuzzer_sys::fuzz_target;
use source::SourceMap;
use tracehound_fuzz::OneFile;

fuzz_target!(|bytes: &[u8]| {
    cspm::parse::parse_script(&OneFile(bytes), "fuzz.csp", &mut SourceMap::new(), None);
});
