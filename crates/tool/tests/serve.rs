//! The workbench as a program: how a browser is opened.
#![cfg(all(target_os = "linux", feature = "workbench"))]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Opener of pages, which records its arguments and the page it opens.
const OPENER: &str = "#!/bin/sh
echo \"$*\" >\"$NOTES/arguments\"
stat -c %a \"$1\" >\"$NOTES/mode\"
cat \"$1\" >\"$NOTES/page\"
: >\"$NOTES/is-done\"
";

/// Server that ends with its test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve-browser");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Connects as a tab does, and returns the first line of the answer.
fn connect(port: &str, token: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("the server listens");
    write!(
        stream,
        "GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
         Sec-WebSocket-Protocol: tracehound, token.{token}\r\n\r\n"
    )
    .expect("the server reads");
    let mut status = [0; 12];
    stream.read_exact(&mut status).expect("the server answers");
    (stream, String::from_utf8_lossy(&status).into_owned())
}

#[test]
fn the_token_is_in_no_list_of_processes() {
    let notes = folder();
    let opener = notes.join("xdg-open");
    std::fs::write(&opener, OPENER).expect("a file can be written");
    std::fs::set_permissions(&opener, PermissionsExt::from_mode(0o755)).expect("it becomes a program");
    let path = format!("{}:{}", notes.display(), std::env::var("PATH").unwrap_or_default());
    let child = Command::new(env!("CARGO_BIN_EXE_tracehound"))
        .args(["serve", "--port", "0"])
        .current_dir(&notes)
        .env("PATH", path)
        .env("NOTES", &notes)
        .env("TMPDIR", &notes)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut server = Server(child);
    let mut address = String::new();
    BufReader::new(server.0.stdout.take().expect("it prints")).read_line(&mut address).expect("it prints");
    let (host, token) = address.trim().split_once("/#token=").expect("an address with a token");
    wait_for("a browser is opened", || notes.join("is-done").exists());
    let note = |name: &str| std::fs::read_to_string(notes.join(name)).expect("it was noted").trim().to_owned();
    let page = PathBuf::from(note("arguments"));
    assert!(!note("arguments").contains(token), "{}", note("arguments"));
    assert_eq!(note("mode"), "600");
    assert!(note("page").contains(address.trim()), "{}", note("page"));
    assert!(page.exists(), "it stays until the browser has read it");
    let (_tab, status) = connect(host.rsplit(':').next().expect("a port"), token);
    assert_eq!(status, "HTTP/1.1 101");
    wait_for("the page is removed", || !page.exists());
}
