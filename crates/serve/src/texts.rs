//! Unsaved texts, shared by all tabs.
//!
//! Versions are timestamps of one logical clock for all texts, so that a verdict can be compared with every text that
//! it depends on.

use crate::folder::{Folder, MAX_PAGE_BYTES};
use limits::input::workbench::MAX_TEXTS;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

/// Open text.
#[derive(Clone)]
struct Text {
    text: String,
    version: u64,
    path: PathBuf,
    /// Content of the file when it was last read.
    on_disk: String,
}

/// All open texts.
#[derive(Default)]
pub struct Texts(Mutex<Held>);

#[derive(Default)]
struct Held {
    texts: BTreeMap<String, Text>,
    clock: u64,
}

impl Held {
    /// Rereads a file without unsaved edits, as other programs may have changed it.
    fn refresh(&mut self, folder: &Folder, name: &str) {
        let next = self.clock + 1;
        let Some(known) = self.texts.get_mut(name).filter(|text| text.text == text.on_disk) else { return };
        if let Ok(text) = folder.locate(&known.path, name).and_then(|location| folder.read(&location, name))
            && text != known.on_disk
        {
            known.on_disk.clone_from(&text);
            known.text = text;
            known.version = next;
            self.clock = next;
        }
    }
}

/// Error with data for the page.
pub struct Refusal(pub Value);

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal(json!({ "message": message }))
    }
}

impl Texts {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().expect("nothing panics while it holds texts")
    }

    /// Opens a file, or reloads it.
    pub fn open(&self, folder: &Folder, file: &str) -> Result<Value, Refusal> {
        let (path, name) = folder.find(file)?;
        let mut held = self.held();
        if !held.texts.contains_key(&name) {
            if held.texts.len() >= MAX_TEXTS {
                // Texts without edits can be read again.
                held.texts.retain(|_, text| text.text != text.on_disk);
            }
            if held.texts.len() >= MAX_TEXTS {
                return Err(format!("{MAX_TEXTS} files have unsaved changes: save some of them").into());
            }
            let text = folder.read(&folder.locate(&path, &name)?, &name)?;
            // Version 0: no verdict is older than a text without edits.
            held.texts.insert(name.clone(), Text { on_disk: text.clone(), text, version: 0, path });
        }
        held.refresh(folder, &name);
        let text = &held.texts[&name];
        Ok(json!({ "file": name, "text": text.text, "version": text.version, "saved": text.text == text.on_disk }))
    }

    /// Applies an edit, if it is based on the current version.
    pub fn edit(&self, file: &str, base: u64, text: String) -> Result<u64, Refusal> {
        if text.len() as u64 > MAX_PAGE_BYTES {
            return Err(format!("the text is larger than {} MB", MAX_PAGE_BYTES >> 20).into());
        }
        let mut held = self.held();
        let next = held.clock + 1;
        let known = held.texts.get_mut(file).ok_or_else(|| format!("{file} is not open"))?;
        if known.version != base {
            let message = "another tab was faster";
            return Err(Refusal(
                json!({ "message": message, "conflict": true, "text": known.text, "version": known.version }),
            ));
        }
        known.text = text;
        known.version = next;
        held.clock = next;
        Ok(next)
    }

    /// Writes a text to its file, unless the file has changed meanwhile.
    pub fn save(&self, folder: &Folder, file: &str, is_forced: bool) -> Result<(), Refusal> {
        let mut held = self.held();
        let known = held.texts.get_mut(file).ok_or_else(|| format!("{file} is not open"))?;
        // The file may have been replaced by a link meanwhile.
        let (path, _) = folder.find(file)?;
        if path != known.path {
            return Err(format!("{file} leads somewhere else now").into());
        }
        let location = folder.locate(&path, file)?;
        if !is_forced && folder.read(&location, file).ok().as_deref() != Some(&known.on_disk) {
            let message = format!("{file} was changed by somebody else since it was opened here");
            return Err(Refusal(json!({ "message": message, "conflict": true })));
        }
        folder.write(&location, file, &known.text)?;
        known.on_disk.clone_from(&known.text);
        Ok(())
    }

    /// Texts with unsaved edits, by name, for child processes.
    pub fn unsaved(&self) -> (Value, u64) {
        let held = self.held();
        let changed = held.texts.iter().filter(|(_, text)| text.text != text.on_disk);
        let texts = changed.map(|(name, text)| (name.clone(), Value::String(text.text.clone()))).collect();
        (Value::Object(texts), held.clock)
    }
}
