//! Any bytes give a document, and one that was read without errors is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use source::{Severity, SourceMap};
use tracehound_fuzz::OneFile;

fuzz_target!(|bytes: &[u8]| {
    let (document, diagnostics) = network_text::parse(&OneFile(bytes), "fuzz.csp", &mut SourceMap::new());
    if diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error) {
        let text = document.text().to_string();
        let (again, _) = network_text::parse(&OneFile(text.as_bytes()), "fuzz.csp", &mut SourceMap::new());
        assert_eq!(again.text().to_string(), text);
    }
});
