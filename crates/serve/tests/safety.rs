//! Access control: refused requests and confined files.
#![cfg(unix)]

use crate::common;

use common::{Server, folder, status};
use serde_json::json;
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tungstenite::{Error, Message};

#[test]
fn names_and_pages_of_others_are_refused() {
    let server = Server::start("hosts", "exit 0");
    let port = server.port;
    let with_host = |host: &str| status(&server.raw(&format!("GET / HTTP/1.1\r\n{host}Connection: close\r\n\r\n")));
    assert_eq!(with_host(&format!("Host: 127.0.0.1:{port}\r\n")), 200);
    assert_eq!(with_host(&format!("Host: localhost:{port}\r\n")), 200);
    for host in ["Host: evil.example\r\n", "Host: 127.0.0.1\r\n", "Host: 127.0.0.1.evil.example:80\r\n"] {
        assert_eq!(with_host(host), 421, "{host}");
    }
    assert!([400, 421].contains(&with_host("")), "no name at all");
    let origin = |origin: &str| status(&server.get("/", &format!("Origin: {origin}\r\n")));
    assert_eq!(origin(&format!("http://127.0.0.1:{port}")), 200);
    for other in ["http://evil.example", "null", "http://127.0.0.1:1", &format!("https://127.0.0.1:{port}")] {
        assert_eq!(origin(other), 403, "{other}");
    }
    let foreign = server.connect_as(&[server.protocols(), ("origin", "http://evil.example".to_owned())]);
    assert!(matches!(foreign.err().as_deref(), Some(Error::Http(answer)) if answer.status() == 403));
    let named = server.connect_as(&[server.protocols(), ("host", "evil.example".to_owned())]);
    assert!(matches!(named.err().as_deref(), Some(Error::Http(answer)) if answer.status() == 421));
}

#[test]
fn only_the_page_is_served_without_the_token() {
    let server = Server::start("token", "exit 0");
    assert_eq!(status(&server.get("/", "")), 200);
    assert_eq!(status(&server.get("/api/alive", "")), 401);
    assert_eq!(status(&server.get("/api/alive", "Authorization: Bearer 00000000000000000000000000000000\r\n")), 401);
    assert_eq!(status(&server.get("/api/alive", &format!("Authorization: Bearer {}\r\n", server.token))), 200);
    let without = server.connect_as(&[("sec-websocket-protocol", "tracehound".to_owned())]);
    assert!(matches!(without.err().as_deref(), Some(Error::Http(answer)) if answer.status() == 401));
    let wrong = server.connect_as(&[("sec-websocket-protocol", format!("tracehound, token.{}x", server.token))]);
    assert!(matches!(wrong.err().as_deref(), Some(Error::Http(answer)) if answer.status() == 401));
    let page = server.get("/", "");
    assert!(!page.contains(&server.token), "the page does not know it");
    for header in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(page.contains(header), "{header}\n{page}");
    }
    assert!(!page.contains("x-nonce"), "{page}");
}

#[test]
fn other_interfaces_do_not_listen() {
    let server = Server::start("loopback", "exit 0");
    assert!(TcpStream::connect(("127.0.0.1", server.port)).is_ok());
    // All of 127/8 is this machine; a server on all interfaces would answer there.
    assert!(TcpStream::connect(("127.0.0.2", server.port)).is_err());
}

#[test]
fn what_is_too_large_is_refused() {
    let server = Server::start("large", "exit 0");
    let host = format!("Host: 127.0.0.1:{}\r\nConnection: close\r\n", server.port);
    let post =
        |length: usize| server.raw(&format!("POST /api/alive HTTP/1.1\r\n{host}Content-Length: {length}\r\n\r\n"));
    assert_eq!(status(&post(5 << 20)), 413);
    assert_eq!(status(&post(0)), 405, "and nothing can be sent at all");
    assert!([400, 431].contains(&status(&server.get("/", &format!("X: {}\r\n", "x".repeat(1 << 20))))));
    let mut tab = server.connect();
    let message = json!({ "id": 1, "method": "edit", "params": { "text": "x".repeat(5 << 20) } }).to_string();
    let _ = tab.socket.send(Message::text(message));
    assert!(std::iter::repeat_with(|| tab.socket.read()).take(5).any(|heard| heard.is_err()), "the tab is cut off");
    let mut tab = server.connect();
    assert!(tab.ask("folder", &json!({})).is_ok(), "others are not");
    let opened = tab.ask("open", &json!({ "file": "a.csp" })).unwrap();
    let edit = json!({ "file": "a.csp", "base": opened["version"], "text": "x".repeat((3 << 20) + 1) });
    assert!(tab.ask("edit", &edit).unwrap_err()["message"].as_str().unwrap().contains("larger than 3 MB"));
}

#[test]
fn nothing_outside_of_the_folder_is_read_or_written() {
    let server = Server::start("traversal", "exit 0");
    for path in [
        "/../secret.csp",
        "/..%2fsecret.csp",
        "/%2e%2e/secret.csp",
        "/a.csp",
        "//etc/passwd",
        "/assets/../../Cargo.toml",
    ] {
        let answer = server.get(path, "");
        assert!([400, 404].contains(&status(&answer)), "{path}: {answer}");
    }
    std::os::unix::fs::symlink("../secret.csp", server.folder.join("link.csp")).unwrap();
    std::os::unix::fs::symlink("..", server.folder.join("up")).unwrap();
    std::os::unix::fs::symlink("a.csp", server.folder.join("inner.csp")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", server.folder.join("zero.csp")).unwrap();
    let mut tab = server.connect();
    let outside = server.folder.parent().unwrap().join("secret.csp").display().to_string();
    for file in [
        "../secret.csp",
        "./../secret.csp",
        "link.csp",
        "up/secret.csp",
        "zero.csp",
        "/etc/passwd",
        &outside,
        "a.csp/../../secret.csp",
        "a\0.csp",
        "",
    ] {
        for (method, params) in [
            ("open", json!({ "file": file })),
            ("check", json!({ "file": file, "indices": [1] })),
            ("query", json!({ "file": file, "ask": "outline" })),
        ] {
            // The folder itself is inside, but not a file.
            if file.is_empty() && method != "open" {
                continue;
            }
            let refused = tab.ask(method, &params);
            assert!(refused.is_err(), "{method} {file}: {refused:?}");
        }
    }
    let opened = tab.ask("open", &json!({ "file": "inner.csp" })).unwrap();
    assert_eq!(opened["file"], "a.csp", "a link that stays inside is another name");
    let listed = tab.ask("folder", &json!({})).unwrap()["files"].to_string();
    assert!(listed.contains("inner.csp") && !listed.contains("link.csp") && !listed.contains("zero.csp"), "{listed}");
    // A file that becomes a link while it is open.
    let edit = json!({ "file": "a.csp", "base": opened["version"], "text": "overwritten" });
    tab.ask("edit", &edit).unwrap();
    std::fs::remove_file(server.folder.join("a.csp")).unwrap();
    std::os::unix::fs::symlink("../secret.csp", server.folder.join("a.csp")).unwrap();
    for force in [false, true] {
        assert!(tab.ask("save", &json!({ "file": "a.csp", "force": force })).is_err());
    }
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "secret\n");
}

#[test]
fn saving_follows_no_link_that_is_prepared() {
    let server = Server::start("prepared", "exit 0");
    let victim = server.folder.parent().unwrap().join("victim");
    std::fs::write(&victim, "victim").unwrap();
    let mode = |path: &Path, mode: u32| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    mode(&victim, 0o600);
    mode(&server.folder.join("a.csp"), 0o640);
    // The server is a thread of this process.
    let guessed = server.folder.join(format!("a.unsaved-{}", std::process::id()));
    std::os::unix::fs::symlink("../victim", guessed).unwrap();
    let mut tab = server.connect();
    let version = tab.ask("open", &json!({ "file": "a.csp" })).unwrap()["version"].clone();
    tab.ask("edit", &json!({ "file": "a.csp", "base": version, "text": "mine" })).unwrap();
    tab.ask("save", &json!({ "file": "a.csp" })).unwrap();
    let saved = server.folder.join("a.csp");
    let found = |path: &Path| {
        let metadata = std::fs::symlink_metadata(path).unwrap();
        (std::fs::read_to_string(path).unwrap(), metadata.permissions().mode() & 0o777, metadata.is_file())
    };
    assert_eq!(found(&victim), ("victim".to_owned(), 0o600, true));
    assert_eq!(found(&saved), ("mine".to_owned(), 0o640, true));
    assert_eq!(std::fs::read_dir(&server.folder).unwrap().count(), 2, "nothing else is left beside it");
}

#[test]
fn saving_stays_inside_while_a_directory_is_exchanged() {
    let server = Server::start("exchanged", "exit 0");
    let (sub, away) = (server.folder.join("sub"), server.folder.join("away"));
    let outside = server.folder.parent().unwrap().join("outside");
    for folder in [&sub, &outside] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("a.csp"), "old").unwrap();
    }
    let mut tab = server.connect();
    let version = tab.ask("open", &json!({ "file": "sub/a.csp" })).unwrap()["version"].clone();
    tab.ask("edit", &json!({ "file": "sub/a.csp", "base": version, "text": "mine" })).unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                std::fs::rename(&sub, &away).unwrap();
                std::os::unix::fs::symlink("../outside", &sub).unwrap();
                std::fs::remove_file(&sub).unwrap();
                std::fs::rename(&away, &sub).unwrap();
            }
        });
        for _ in 0..3000 {
            // It fails while the directory is gone.
            let _ = tab.ask("save", &json!({ "file": "sub/a.csp", "force": true }));
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(std::fs::read_to_string(sub.join("a.csp")).unwrap(), "mine");
    assert_eq!(std::fs::read_to_string(outside.join("a.csp")).unwrap(), "old");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1, "not even for a moment");
}

#[test]
fn the_33rd_tab_is_refused() {
    let server = Server::start("crowd", "exit 0");
    let mut tabs: Vec<_> = (0..32).map(|_| server.connect()).collect();
    let refused = server.connect_as(&[server.protocols()]);
    assert!(matches!(refused.err().as_deref(), Some(Error::Http(answer)) if answer.status() == 503));
    assert!(tabs[31].ask("folder", &json!({})).is_ok());
    let gone = tabs.pop();
    drop(gone);
    let again = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        server.connect_as(&[server.protocols()]).is_ok()
    });
    assert!(again, "there is room again");
    assert_eq!(status(&server.get("/", "")), 200, "pages are still served");
}

#[test]
fn too_many_connections_are_turned_away() {
    let server = Server::start("connections", "exit 0");
    let mut held = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        let _ = stream.write_all(b"GET / HT");
        held.push(stream);
    }
    assert_eq!(status(&server.get("/", "")), 503);
    held.clear();
    let again = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        status(&server.get("/", "")) == 200
    });
    assert!(again);
}

#[test]
fn texts_that_are_none_or_too_large_are_refused_with_a_word() {
    let server = Server::start("texts", "exit 0");
    std::fs::write(server.folder.join("binary.csp"), b"\x7fELF\0\xff\xfe").unwrap();
    let large = std::fs::File::create(server.folder.join("large.csp")).unwrap();
    large.set_len(100 << 20).unwrap();
    let mut tab = server.connect();
    let mut why =
        |file: &str| tab.ask("open", &json!({ "file": file })).unwrap_err()["message"].as_str().unwrap().to_owned();
    assert!(why("binary.csp").contains("is not a text"));
    assert!(why("large.csp").contains("has 100 MB, and the workbench shows at most 3"));
    assert!(why("nowhere.csp").contains("there is no file nowhere.csp"));
}

#[test]
fn a_folder_with_ten_thousand_files_is_listed_in_part() {
    let server = Server::start("many", "exit 0");
    for number in 0..10_000 {
        std::fs::write(server.folder.join(format!("f{number:05}.csp")), "").unwrap();
    }
    let mut tab = server.connect();
    let listed = tab.ask("folder", &json!({})).unwrap();
    assert_eq!(listed["files"].as_array().unwrap().len(), 2000);
    assert_eq!(listed["more"], 8001);
}

#[test]
fn a_port_in_use_is_said_so() {
    let server = Server::start("port", "exit 0");
    let settings = serve::Settings {
        folder: folder("port-again"),
        start: None,
        port: Some(server.port),
        is_read_only: false,
        program: "none".into(),
        version: "0",
        endings: vec!["csp"],
        memory_bytes: None,
    };
    let why = serve::serve(settings, |_| panic!("it is taken")).unwrap_err();
    assert!(why.contains("is in use: choose another one"), "{why}");
}
