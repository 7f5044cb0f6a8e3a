//! The schema of each document.

use crate::{Document, Documents, Event, Overlay};
use schemars::generate::SchemaSettings;

/// The documents that have a schema.
pub const NAMES: [&str; 4] = ["document", "documents", "event", "overlay"];

/// The JSON schema of a document, as text.
pub fn schema(name: &str) -> Option<String> {
    // What is written: fields that may be left out are not required.
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let schema = match name {
        "document" => generator.into_root_schema_for::<Document<'_>>(),
        "documents" => generator.into_root_schema_for::<Documents<'_>>(),
        "event" => generator.into_root_schema_for::<Event<'_>>(),
        "overlay" => generator.into_root_schema_for::<Overlay>(),
        _ => return None,
    };
    serde_json::to_string_pretty(&schema).ok().map(|text| text + "\n")
}
