//! Any bytes give values, or errors, within bounds.
#![no_main]

use cspm_evaluator::{Evaluator, Interrupt, Limits};
use cspm::syntax::Decl;
use libfuzzer_sys::fuzz_target;
use process::Terms;
use source::{Severity, SourceMap};
use tracehound_fuzz::OneFile;

fuzz_target!(|bytes: &[u8]| {
    let (ast, mut diagnostics) = cspm::parse::parse_script(&OneFile(bytes), "fuzz.csp", &mut SourceMap::new(), None);
    let (resolved, names) = cspm::resolve::resolve_names(ast);
    let (types, mistypings) = cspm::typecheck::infer_types(&resolved, &progress::NoProgress);
    diagnostics.extend(names.into_iter().chain(mistypings));
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    let mut evaluator = Evaluator::new(&resolved, &types, bounded());
    let mut terms = Terms::default();
    for &decl in &resolved.program {
        if let Decl::Print(expr, _) = resolved.ast.decl(decl) {
            let value = evaluator.value(&mut terms, *expr);
            let _ = value.and_then(|value| evaluator.show(&mut terms, &value));
        }
    }
});

/// The evaluator asks every few thousand steps.
fn bounded() -> Limits {
    let mut n_asked = 0;
    let interrupt = move || {
        n_asked += 1;
        (n_asked > 50).then_some(Interrupt::Time)
    };
    Limits { stack_bytes: 16 << 20, interrupt: Box::new(interrupt) }
}
