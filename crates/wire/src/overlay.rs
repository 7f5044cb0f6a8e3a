//! Texts that stand in for files: what an editor has not saved yet.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// Texts by the paths of the files that they stand in for: an object with a text for each path.
#[derive(Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(transparent)]
pub struct Overlay(#[schemars(with = "BTreeMap<String, String>")] pub Vec<(String, String)>);

impl Overlay {
    /// Reads an overlay.
    ///
    /// # Errors
    /// When it is none; the message says where and what was expected.
    pub fn read(json: &[u8]) -> Result<Overlay, String> {
        serde_json::from_slice(json).map_err(|error| {
            format!(
                "the overlay cannot be read: {error}; expected an object with a text for each path, such as {}",
                r#"{"buffer.csp": "channel left, right"}"#
            )
        })
    }
}

impl<'de> Deserialize<'de> for Overlay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Overlay, D::Error> {
        deserializer.deserialize_map(Texts)
    }
}

struct Texts;

impl<'de> Visitor<'de> for Texts {
    type Value = Overlay;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with texts")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Overlay, M::Error> {
        let mut texts = BTreeMap::new();
        while let Some((path, text)) = map.next_entry::<String, String>()? {
            // Of two texts for one file neither can be trusted.
            if texts.contains_key(&path) {
                return Err(M::Error::custom(format_args!("there are two texts for `{path}`")));
            }
            texts.insert(path, text);
        }
        Ok(Overlay(texts.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlay_is_an_object_of_texts() {
        let read = Overlay::read(br#"{"b.csp": "channel c", "a.csp": ""}"#);
        let text = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        assert_eq!(read, Ok(Overlay(vec![text("a.csp", ""), text("b.csp", "channel c")])));
        let deep = "[".repeat(1_000_000);
        let nested = format!("{{\"a\": {deep}");
        let wrong =
            ["", "{", "[]", "7", r#"{"a": 1}"#, r#"{"a": "x", "a": "y"}"#, r#"{"a": "x"} {}"#, "{\"a\": \"\u{1}\"}"];
        for wrong in wrong.into_iter().chain([deep.as_str(), nested.as_str()]) {
            let start: String = wrong.chars().take(20).collect();
            let error = Overlay::read(wrong.as_bytes()).expect_err(&start);
            assert!(error.contains("expected an object"), "{error}");
        }
        assert!(Overlay::read(b"{\"a\": \"\xff\"}").is_err(), "a text is UTF-8");
    }
}
