//! Texts that are open in the editor.

use crate::World;
use crate::place::{Encoding, Lines};
use crate::uri::clean;
use gen_lsp_types::Range;
use serde::Deserialize;
use source::Files;
use std::collections::BTreeMap;

/// Open text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    pub text: String,
    pub lines: Lines,
    pub version: i32,
}

impl Text {
    pub fn new(text: String, version: i32) -> Text {
        Text { lines: Lines::of(&text), text, version }
    }
}

/// Change of a text; without a range, the whole text. The protocol's type would read a malformed range as absent.
#[derive(Deserialize, Debug)]
pub struct Change {
    range: Option<Range>,
    text: String,
}

/// Open texts in front of the files on disk.
pub struct Texts<'w> {
    world: &'w dyn World,
    open: BTreeMap<String, Text>,
}

impl<'w> Texts<'w> {
    pub fn new(world: &'w dyn World) -> Texts<'w> {
        Texts { world, open: BTreeMap::new() }
    }

    pub fn world(&self) -> &'w dyn World {
        self.world
    }

    pub fn open(&mut self, path: &str, text: String, version: i32) {
        self.open.insert(path.to_owned(), Text::new(text, version));
    }

    pub fn close(&mut self, path: &str) {
        self.open.remove(path);
    }

    pub fn get(&self, path: &str) -> Option<&Text> {
        self.open.get(path)
    }

    pub fn all(&self) -> &BTreeMap<String, Text> {
        &self.open
    }

    /// Applies changes to a text. Changes to a text that is not open are ignored.
    pub fn change(&mut self, path: &str, changes: Vec<Change>, version: i32, encoding: Encoding) {
        let Some(text) = self.open.get_mut(path) else { return };
        for change in changes {
            match change.range {
                None => *text = Text::new(change.text, version),
                Some(range) => {
                    let start = text.lines.offset(&text.text, range.start, encoding);
                    let end = text.lines.offset(&text.text, range.end, encoding).max(start);
                    text.text.replace_range(start..end, &change.text);
                    text.lines = Lines::of(&text.text);
                }
            }
            text.version = version;
        }
    }
}

impl Files for Texts<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match self.open.get(&clean(path)) {
            Some(text) => Ok(text.text.clone().into_bytes()),
            None => self.world.read(path),
        }
    }
}
