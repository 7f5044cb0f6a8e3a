//! File URIs.

use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Bytes of a path that are percent-encoded.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Path of a file URI; a URI of another scheme is kept as it is.
pub fn path_of(uri: &Uri) -> String {
    let Some(rest) = uri.0.strip_prefix("file://") else { return uri.0.clone() };
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decode_str(rest).decode_utf8_lossy();
    // `/c:/x` on a machine with drives.
    let has_drive = path.as_bytes().get(2) == Some(&b':') && path.starts_with('/');
    if has_drive { path[1..].to_owned() } else { clean(&path) }
}

/// URI of a file.
pub fn uri_of(path: &str) -> Uri {
    if !path.starts_with('/') && path.as_bytes().get(1) != Some(&b':') {
        return Uri(path.to_owned());
    }
    let scheme = if path.starts_with('/') { "file://" } else { "file:///" };
    Uri(format!("{scheme}{}", utf8_percent_encode(path, ENCODED)))
}

/// Path without `.` and `..`.
pub fn clean(path: &str) -> String {
    if !path.split('/').any(|part| part == "." || part == "..") {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !last.is_empty() && *last != "..") => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses() {
        for (path, uri) in [("/a b/ü.csp", "file:///a%20b/%C3%BC.csp"), ("/x/y-z_1.csp", "file:///x/y-z_1.csp")] {
            assert_eq!(uri_of(path), uri.into());
            assert_eq!(path_of(&uri.into()), path);
        }
        assert_eq!(path_of(&"file:///c%3A/x.csp".into()), "c:/x.csp");
        assert_eq!(path_of(&"untitled:Untitled-1".into()), "untitled:Untitled-1");
        assert_eq!(path_of(&"file:///a/%zz".into()), "/a/%zz");
        assert_eq!(clean("/a/./b/../c.csp"), "/a/c.csp");
    }
}
