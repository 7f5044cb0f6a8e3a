//! Definitions and uses of names, as editors query them.

use crate::common;

use common::parse_text;
use network_text::{DefinitionId, NameKind};

const TEXT: &str = "tracehound network 1
event a, \"b c\"
network N
  var x : 0..7
  define big = x > 3
  actions go
  priority
    class fast: a
    class slow: \"b c\" yields to fast
  machine P
    idle: a -> busy, go -> idle
    busy: \"b c\" -> idle
  machine Q like P at busy
  obstacle jam
    P:go, Q:a
  obstacle delay
    Q:a unless jam
  mode main
    a by P, Q:go when big unless jam, delay do x := x + 1 goto main reset Q at busy
assert N [T= N
";

/// Offsets of a name in the text as a whole word.
fn places(name: &str) -> Vec<u32> {
    let is_word = |c: char| c.is_alphanumeric() || c == '"';
    let found = TEXT.match_indices(name).filter(|(start, _)| {
        let (before, behind) = (&TEXT[..*start], &TEXT[start + name.len()..]);
        !before.ends_with(is_word) && !behind.starts_with(is_word)
    });
    found.map(|(start, _)| start as u32).collect()
}

#[test]
fn every_use_refers_to_its_definition() {
    let parsed = parse_text(TEXT);
    assert!(parsed.diagnostics.is_empty(), "{}", parsed.rendered());
    let names = &parsed.document.names;
    for (name, kind) in [
        ("a", NameKind::Event),
        ("\"b c\"", NameKind::Event),
        ("N", NameKind::Network),
        ("x", NameKind::Variable),
        ("big", NameKind::Expression),
        ("go", NameKind::Action),
        ("fast", NameKind::Class),
        ("P", NameKind::Machine),
        ("Q", NameKind::Machine),
        ("idle", NameKind::State),
        ("busy", NameKind::State),
        ("main", NameKind::Mode),
    ] {
        let places = places(name);
        assert!(places.len() > 1, "{name} is used");
        let definition = names.at(places[0]).unwrap_or_else(|| panic!("{name} means nothing"));
        assert_eq!(names.definition(definition).kind, kind, "{name}");
        assert!(places.iter().all(|&place| names.at(place) == Some(definition)), "{name}");
        assert!(names.uses_of(definition).all(|span| parsed.map.text(span) == name), "{name}");
    }
}

#[test]
fn definitions_are_nested() {
    let parsed = parse_text(TEXT);
    let names = &parsed.document.names;
    let numbered = (0..).map(DefinitionId).zip(names.definitions());
    for (_, definition) in numbered {
        let parent = definition.inside.map(|id| names.definition(id).kind);
        let expected = match definition.kind {
            NameKind::Event | NameKind::Network => None,
            NameKind::State => Some(NameKind::Machine),
            _ => Some(NameKind::Network),
        };
        assert_eq!(parent, expected, "{}", parsed.map.text(definition.name));
    }
}
