//! Scripts that are in memory already.

use source::Files;

/// Texts by path, in place of files.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    texts: Vec<(String, String)>,
}

impl Texts {
    /// One text.
    pub fn of(path: &str, text: &str) -> Texts {
        Texts::default().and(path, text)
    }

    /// The same and one more, such as a text that is included.
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
