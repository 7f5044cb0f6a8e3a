//! Inferred types: each script in `typecheck/` with the types of its definitions.
//!
//! The expected texts are rewritten by `UPDATE_EXPECTED=1 cargo test -p tracehound-cspm --test typecheck`.

use crate::common;

use common::{Analyzed, analyze, tests_folder};
use cspm::resolve::{NameId, NameKind};
use test_support::files::{FolderFiles, MemoryFiles, files_below};
use test_support::golden;

#[test]
fn definitions_have_the_expected_types() {
    golden::check_all(&files_below(&tests_folder().join("typecheck"), "csp"), "types", |script| {
        let folder = script.parent().expect("a script lies in a folder");
        let name = script.file_name().expect("a script has a name").to_string_lossy();
        let analyzed = analyze(&FolderFiles::new(folder), &name);
        assert!(!analyzed.has_errors(), "{}: {:#?}", script.display(), analyzed.diagnostics);
        signatures(&analyzed)
    });
}

/// The types of a script's definitions, one on each line.
fn signatures(analyzed: &Analyzed) -> String {
    let resolved = &analyzed.resolved;
    let is_definition =
        |kind: NameKind| !matches!(kind, NameKind::Builtin(_) | NameKind::Parameter | NameKind::TypeVariable);
    let names = resolved.names.iter().enumerate().filter(|(_, name)| is_definition(name.kind));
    let line = |(i, name): (usize, &cspm::resolve::Name)| {
        let text = analyzed.types.display_name(resolved, NameId(i as u32));
        format!("{} :: {}\n", name.qualified, text.unwrap_or_else(|| "?".to_owned()))
    };
    names.map(line).collect()
}

/// Scripts that would take exponential time, or overflow the stack, if a step traversed a type repeatedly.
#[test]
fn deep_and_wide_scripts_take_linear_time() {
    let deep = |open: &str, middle: &str, close: &str| {
        let n = 50_000;
        format!("channel a\nf(x) = x\ng(x) = <x>\nP = {}{middle}{}\n", open.repeat(n), close.repeat(n))
    };
    let ring = |n: usize| (0..n).map(|i| format!("f{i}(x, y) = f{}(y, x)\n", (i + 1) % n)).collect::<String>();
    let many = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
    let scripts = [
        deep("{", "", "}"),
        deep("<", "", ">"),
        deep("(1, ", "true", ")"),
        deep("f(", "1", ")"),
        deep("g(", "1", ")"),
        deep("\\ x @ ", "1", ""),
        deep("a -> ", "STOP", ""),
        deep("let x = 1 within ", "x", ""),
        deep("1 + ", "1", ""),
        deep("1.", "1", ""),
        ring(10_000),
        format!("s = {{{}}}\n", many(50_000).join(", ")),
        many(50_000).iter().map(|i| format!("f({i}) = {i}\n")).collect(),
        format!("channel c : {}\nP = c.{} -> STOP\n", vec!["{0}"; 20_000].join("."), vec!["0"; 20_000].join(".")),
    ];
    for script in scripts {
        let start = std::time::Instant::now();
        let analyzed = analyze(&MemoryFiles::of("script.csp", script.as_bytes()), "script.csp");
        let head: String = script.chars().take(60).collect();
        assert!(!analyzed.has_errors(), "{head}: {:#?}", analyzed.diagnostics.first());
        // Quadratic time would be minutes.
        assert!(start.elapsed().as_secs() < 20, "{head}: {:?}", start.elapsed());
    }
}

/// A script whose types double at every step is refused.
#[test]
fn exploding_types_are_refused() {
    let functions: String = (0..40).map(|i| format!("f{}(x) = f{i}(f{i}(x))\n", i + 1)).collect();
    let script = format!("f0(x) = (x, x)\n{functions}");
    let analyzed = analyze(&MemoryFiles::of("script.csp", script.as_bytes()), "script.csp");
    let codes: Vec<&str> = analyzed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert!(codes.contains(&"cspm::type-too-large"), "{codes:?}");
}

/// Queries of the evaluator and of editors.
#[test]
fn types_answer_queries() {
    let script = "channel c : Bool.{0..3}\nP = c?b?x -> c!b.x -> P\nf(c.b.x) = (b, x)\nprint f(c.true.1)\n";
    let analyzed = analyze(&MemoryFiles::of("script.csp", script.as_bytes()), "script.csp");
    let (resolved, types) = (&analyzed.resolved, &analyzed.types);
    let ast = &resolved.ast;
    let processes: Vec<&str> = (0..ast.n_exprs() as u32)
        .map(cspm::syntax::ExprId)
        .filter(|&id| types.is_process(id))
        .map(|id| analyzed.map.text(ast.expr_span(id)))
        .collect();
    assert!(processes.contains(&"P"), "{processes:?}");
    assert!(!processes.contains(&"c"), "{processes:?}");
    let shown: Vec<String> = (0..ast.n_pats() as u32)
        .map(cspm::syntax::PatId)
        .filter_map(|id| Some((id, types.of_pat(id)?)))
        .map(|(id, t)| format!("{} : {}", analyzed.map.text(ast.pat_span(id)), types.display(resolved, t)))
        .collect();
    assert!(shown.contains(&"c.b.x : Event".to_owned()), "{shown:?}");
    assert!(shown.contains(&"x : Int".to_owned()), "{shown:?}");
}
