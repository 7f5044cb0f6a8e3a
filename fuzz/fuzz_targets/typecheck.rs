//! Any bytes give types, or errors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use source::SourceMap;
use tracehound_fuzz::OneFile;

fuzz_target!(|bytes: &[u8]| {
    let (ast, _) = cspm::parse::parse_script(&OneFile(bytes), "fuzz.csp", &mut SourceMap::new(), None);
    let (resolved, _) = cspm::resolve::resolve_names(ast);
    cspm::typecheck::infer_types(&resolved, &progress::NoProgress);
});
