//! Addresses of files.

/// The path of a file; an address of another kind stands for itself.
pub fn path_of(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else { return uri.to_owned() };
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = decode(rest);
    // `/c:/x` on a machine with drives.
    let has_drive = path.as_bytes().get(2) == Some(&b':') && path.starts_with('/');
    if has_drive { path[1..].to_owned() } else { clean(&path) }
}

/// The address of a file.
pub fn uri_of(path: &str) -> String {
    if !path.starts_with('/') && path.as_bytes().get(1) != Some(&b':') {
        return path.to_owned();
    }
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for &byte in path.as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(byte as char),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let decoded = digits.filter(|_| bytes[at] == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(decoded.unwrap_or(bytes[at]));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A path without `.` and `..` in it.
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
            assert_eq!(uri_of(path), uri);
            assert_eq!(path_of(uri), path);
        }
        assert_eq!(path_of("file:///c%3A/x.csp"), "c:/x.csp");
        assert_eq!(path_of("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(path_of("file:///a/%zz"), "/a/%zz");
        assert_eq!(clean("/a/./b/../c.csp"), "/a/c.csp");
    }
}
