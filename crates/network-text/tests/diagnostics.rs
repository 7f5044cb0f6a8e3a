//! The catalogue of diagnostics: each file in `diagnostics/` with its messages as displayed to users.
//!
//! The expected texts are rewritten by `UPDATE_EXPECTED=1 cargo test -p tracehound-network-text --test diagnostics`.

use crate::common;

use common::{parse_named, tests_folder};
use source::{SourceMap, render};
use std::collections::BTreeSet;
use std::path::Path;
use test_support::files::{MemoryFiles, files_below};
use test_support::golden::{self, Golden};

#[test]
fn every_message_reads_as_expected() {
    golden::check_all(&files_below(&tests_folder().join("diagnostics"), "network"), "txt", |path| {
        let name = path.file_name().expect("a file has a name").to_string_lossy();
        parse_named(&name, std::fs::read(path).expect("a file can be read")).rendered()
    });
}

/// Messages for files that are too large, too many or missing, and so are not in a folder.
#[test]
fn messages_about_unusual_files_read_as_expected() {
    let machines: String = (0..1_000_000).map(|n| format!("machine P{n} like P\n")).collect();
    let machines = format!("tracehound network 1\nnetwork N\nmachine P\n0:\n{machines}mode m\n");
    let deep = format!("tracehound network 1\nevent a\nnetwork N\nmode m\na when {}true\n", "not ".repeat(1000));
    let events: String = (0..100_000).map(|n| format!("event a.{n}\n")).collect();
    let priorities: String = (0..168).map(|n| format!("network N{n}\nmode m\npriority\nclass c: a.99999\n")).collect();
    let priorities = format!("tracehound network 1\n{events}{priorities}");
    let mut golden = Golden::new();
    for (name, text) in [
        ("empty", Some(Vec::new())),
        ("unreadable-file", None),
        ("too-large", Some(vec![b' '; (64 << 20) + 1])),
        ("utf16", Some(vec![0xff, 0xfe, 0x20, 0])),
        ("too-many-machines", Some(machines.into_bytes())),
        ("too-many-priorities", Some(priorities.into_bytes())),
        ("nested-too-deeply", Some(deep.into_bytes())),
        ("invalid-utf8", Some(b"tracehound network 1\nevent a\xff\n".to_vec())),
    ] {
        let mut map = SourceMap::new();
        let files = text.map_or_else(MemoryFiles::new, |text| MemoryFiles::of("file.network", text));
        let (_, diagnostics) = network_text::parse(&files, "file.network", &mut map);
        let messages: Vec<String> = diagnostics.iter().map(|diagnostic| render::plain(&map, diagnostic)).collect();
        golden.check(&tests_folder().join("diagnostics").join(name).with_extension("txt"), &messages.join("\n"));
    }
    golden.finish();
}

#[test]
fn every_code_is_in_the_catalogue() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let wordings = files_below(&sources, "rs").into_iter().filter(|path| path.ends_with("errors.rs"));
    let codes: BTreeSet<String> = wordings.flat_map(|path| codes_in(&path, "\"")).collect();
    let shown: BTreeSet<String> =
        files_below(&tests_folder().join("diagnostics"), "txt").iter().flat_map(|path| codes_in(path, "[")).collect();
    let missing: Vec<&String> = codes.difference(&shown).collect();
    assert!(!codes.is_empty(), "no code was found");
    assert!(missing.is_empty(), "no file in the catalogue shows {missing:#?}");
}

/// The codes `network::...` in a file that follow `before`.
fn codes_in(path: &Path, before: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a file is text");
    let is_code = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ':';
    let opening = format!("{before}network::");
    let starts = text.match_indices(&opening).map(|(start, _)| start + before.len());
    starts.map(|start| text[start..].chars().take_while(|c| is_code(*c)).collect()).collect()
}
