//! Files of the page, embedded in the binary.
//!
//! They are built from `page/` by Node and committed, so that building the tool does not need Node. `assets/SOURCES` is
//! a digest of their sources: a test here compares it without Node, and `.ci/run` compares every byte where Node
//! exists.

use crate::gate::{self, NONCE};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

const INDEX: &str = include_str!("../assets/index.html");

const FILES: &[(&str, &str, &[u8])] = &[
    ("/app.js", "text/javascript; charset=utf-8", include_bytes!("../assets/app.js")),
    ("/chunk.js", "text/javascript; charset=utf-8", include_bytes!("../assets/chunk.js")),
    ("/style.css", "text/css; charset=utf-8", include_bytes!("../assets/style.css")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../assets/icon.svg")),
    ("/licenses.txt", "text/plain; charset=utf-8", include_bytes!("../assets/licenses.txt")),
];

/// Response with a file of the page.
pub async fn answer(request: Request) -> Response {
    let path = request.uri().path();
    if path == "/" {
        let Ok(nonce) = gate::random_hex() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
        let page = INDEX.replace("NONCE", &nonce);
        return ([(header::CONTENT_TYPE.as_str(), "text/html; charset=utf-8"), (NONCE, &nonce)], page).into_response();
    }
    match FILES.iter().find(|(name, ..)| *name == path) {
        Some((_, kind, bytes)) => ([(header::CONTENT_TYPE, *kind)], *bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    /// Digest that `page/build.mjs` writes to `assets/SOURCES`: FNV-1a over names and contents, in the order of the
    /// names.
    #[test]
    fn the_page_is_built_of_its_sources() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut files = vec![page.join("build.mjs"), page.join("package-lock.json")];
        find(&page.join("src"), &mut files);
        let name = |file: &PathBuf| {
            file.strip_prefix(&page).expect("it is in there").to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
        };
        files.sort_by_key(name);
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for file in &files {
            for bytes in [name(file).into_bytes(), std::fs::read(file).expect("it can be read")] {
                for byte in bytes.iter().chain(&[0]) {
                    hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
                }
            }
        }
        let built = include_str!("../assets/SOURCES").trim();
        let remedy = "the page is not built of these sources: run `npm ci --ignore-scripts && npm run build` in crates/serve/page";
        assert_eq!(format!("{hash:016x}"), built, "{remedy}");
    }

    fn find(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                find(&path, files);
            } else {
                files.push(path);
            }
        }
    }
}
