//! What the fuzz targets share.

use source::Files;

/// A script without includes.
pub struct OneFile<'a>(pub &'a [u8]);

impl Files for OneFile<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == "fuzz.csp" { Ok(self.0.to_vec()) } else { Err("there is only one file".to_owned()) }
    }
}
