//! Scripts in memory.

use source::Files;

/// Texts by path, in place of files.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    texts: Vec<(String, String)>,
}

impl Texts {
    /// A single text.
    pub fn of(path: &str, text: &str) -> Texts {
        Texts::default().and(path, text)
    }

    /// Adds a text, such as an include.
    #[must_use]
    pub fn and(mut self, path: &str, text: &str) -> Texts {
        self.texts.push((path.to_owned(), text.to_owned()));
        self
    }
}

impl Files for Texts {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let found = self.texts.iter().find(|(known, _)| known == path);
        found.map(|(_, text)| text.clone().into_bytes()).ok_or_else(|| "there is no such text".to_owned())
    }
}
