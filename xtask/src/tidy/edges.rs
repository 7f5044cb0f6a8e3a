//! Who may depend on whom. Adding an edge means editing this table, in the same commit as the reason.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Each of our crates with those of ours it may depend on, besides [`LIMITS`]; `test-support` may be a dev-dependency
/// of all.
const ALLOWED: &[(&str, &[&str])] = &[
    ("limits", &[]),
    ("source", &[]),
    ("graphs", &[]),
    ("progress", &[]),
    ("lts", &["graphs", "progress"]),
    ("model", &["lts", "source"]),
    ("explore", &["graphs", "lts", "model", "progress"]),
    ("zones", &["explore", "lts", "model", "progress"]),
    ("process", &["explore", "lts", "model", "progress", "source"]),
    ("cspm", &["graphs", "progress", "source"]),
    ("cspm-evaluator", &["cspm", "graphs", "model", "process", "progress", "source"]),
    ("csp-sharp-runtime", &["lts", "model", "progress", "source"]),
    ("csp-sharp", &["csp-sharp-runtime", "graphs", "model", "progress", "source"]),
    ("network-text", &["lts", "model", "source"]),
    ("symbolic", &["ltl", "lts", "model", "progress", "temporal"]),
    ("decide", &["explore", "lts", "model", "progress", "property", "symbolic", "temporal", "zones"]),
    ("ltl", &["graphs", "source"]),
    ("property", &["ltl", "lts", "model"]),
    ("temporal", &["explore", "graphs", "ltl", "lts", "model", "progress", "property"]),
    ("frontend", &["ltl", "lts", "model", "progress", "property", "source"]),
    (
        "languages",
        &[
            "csp-sharp",
            "csp-sharp-runtime",
            "cspm",
            "cspm-evaluator",
            "frontend",
            "ltl",
            "lts",
            "model",
            "network-text",
            "process",
            "progress",
            "property",
            "source",
        ],
    ),
    (
        "analysis",
        &[
            "decide",
            "explore",
            "frontend",
            "graphs",
            "languages",
            "ltl",
            "lts",
            "model",
            "progress",
            "property",
            "source",
            "temporal",
            "zones",
        ],
    ),
    ("wire", &["analysis", "source"]),
    ("draw", &["lts"]),
    ("format", &["frontend"]),
    ("lsp", &["analysis", "format", "source"]),
    // The server knows nothing of scripts: children of the same binary answer for it, with `serve::worker`.
    ("serve", &["analysis", "draw", "lts", "source", "wire"]),
    ("tool", &["analysis", "draw", "format", "lsp", "serve", "source", "wire"]),
    // Calibration: no part of the product.
    (
        "pat-counts",
        &["analysis", "explore", "frontend", "graphs", "ltl", "lts", "progress", "source", "temporal", "zones"],
    ),
    ("test-support", &["lts", "process", "model", "progress", "source"]),
    ("xtask", &[]),
];

/// The crate that all others may depend on: tables of numbers.
const LIMITS: &str = "limits";

/// What tests may use beyond that: those that look at an answer from two sides need what no code may know.
const ALLOWED_IN_TESTS: &[(&str, &[&str])] = &[
    ("analysis", &["process"]),
    ("format", &["languages"]),
    ("csp-sharp", &["explore", "lts", "zones"]),
    ("decide", &["ltl"]),
    ("languages", &["temporal"]),
    ("symbolic", &["explore"]),
];

/// Crates that bring the outside world in, and the only crates of ours that may name them.
const FENCED: &[(&str, &[&str])] = &[
    ("axum", &["serve"]),
    ("clap", &["tool"]),
    ("clap_complete", &["tool"]),
    ("clap_mangen", &["tool"]),
    ("ctrlc", &["tool"]),
    ("crossbeam-channel", &["lsp"]),
    ("gen-lsp-types", &["lsp"]),
    ("getrandom", &["serve"]),
    ("lsp-server", &["lsp"]),
    ("memory-stats", &["tool"]),
    ("notify", &["tool"]),
    ("rustyline", &["tool"]),
    ("schemars", &["wire"]),
    ("serde", &["lsp", "serve", "tool", "wire"]),
    ("serde_json", &["lsp", "serve", "tool", "wire"]),
    ("sysinfo", &["tool"]),
    ("terminal_size", &["tool"]),
    ("textwrap", &["tool"]),
    ("tokio", &["serve"]),
];

/// Compares the table with the manifests.
pub fn check(root: &Path) -> Vec<String> {
    let metadata = read_metadata(root);
    let packages = metadata["packages"].as_array().expect("cargo lists packages");
    packages.iter().flat_map(check_package).collect()
}

fn read_metadata(root: &Path) -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .expect("cargo can be run");
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}

fn check_package(package: &Value) -> Vec<String> {
    let manifest = package["manifest_path"].as_str().unwrap_or_default();
    let folder = folder_of(manifest);
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == folder) else {
        return vec![format!("{manifest}:1: the crate `{folder}` is missing in the table of layers")];
    };
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    dependencies.filter_map(|dependency| complain(manifest, folder, allowed, dependency)).collect()
}

fn complain(manifest: &str, folder: &str, allowed: &[&str], dependency: &Value) -> Option<String> {
    let is_dev = dependency["kind"].as_str() == Some("dev");
    let Some(path) = dependency["path"].as_str() else {
        let name = dependency["name"].as_str().unwrap_or_default();
        let fenced = FENCED.iter().find(|(fenced, owners)| *fenced == name && !owners.contains(&folder));
        return fenced
            .filter(|_| !is_dev && folder != "xtask")
            .map(|(_, owners)| format!("{manifest}:1: only `{}` may use `{name}`", owners.join("`, `")));
    };
    let target = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let in_tests = ALLOWED_IN_TESTS.iter().find(|(name, _)| *name == folder).map_or(&[][..], |(_, targets)| targets);
    let is_fine = allowed.contains(&target)
        || target == LIMITS
        || is_dev && (target == "test-support" || in_tests.contains(&target));
    (!is_fine).then(|| format!("{manifest}:1: `{folder}` must not depend on `{target}`"))
}

fn folder_of(manifest: &str) -> &str {
    manifest.rsplit(['/', '\\']).nth(1).unwrap_or_default()
}
