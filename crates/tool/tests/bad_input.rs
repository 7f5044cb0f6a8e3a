//! Bad paths: a clear message and exit code 2, soon, and no other output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Fresh folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(test: &str, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder(test).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn typecheck(path: &Path) -> Output {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_tracehound")).arg("typecheck").arg(path).output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    output
}

#[track_caller]
fn refused(output: &Output, message: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(message), "{said}\nexpected: {message}");
    assert!(said.contains("1 error in "), "not one error:\n{said}");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(output.stdout.is_empty());
}

#[track_caller]
fn accepted(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn no_file_a_directory_an_empty_file() {
    let folder = folder("nothing");
    refused(&typecheck(&folder.join("missing.csp")), "there is no such file");
    refused(&typecheck(&folder), "it is a directory");
    accepted(&typecheck(&file("empty", "empty.csp", b"")));
}

#[test]
fn a_path_through_a_file() {
    let path = file("through", "script.csp", b"x = 1");
    refused(&typecheck(&path.join("other.csp")), "a part of the path is not a directory");
}

#[test]
fn other_encodings() {
    refused(&typecheck(&file("rtf", "a.csp", b"{\\rtf1\\ansi P = STOP}")), "Rich Text");
    let utf16: Vec<u8> = "\u{feff}P = STOP".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(&typecheck(&file("utf16", "a.csp", &utf16)), "UTF-16");
    refused(&typecheck(&file("utf8", "a.csp", b"P = STOP\nx = \"caf\xe9\"\n")), "a.csp:2:5");
    accepted(&typecheck(&file("latin1", "a.csp", b"-- caf\xe9\nP = STOP\n")));
    accepted(&typecheck(&file("bom", "a.csp", "\u{feff}P = STOP\n".as_bytes())));
}

#[test]
fn other_line_ends() {
    accepted(&typecheck(&file("dos", "a.csp", b"channel a\r\n-- comment\r\nP = a ->\r\n  P\r\n")));
    accepted(&typecheck(&file("mac", "a.csp", b"channel a\r-- comment\rP = a ->\r  P\r")));
    refused(&typecheck(&file("mac-error", "a.csp", b"channel a\r-- comment\rP = a -> Q\r")), "a.csp:3:10");
}

#[test]
fn zeros_and_noise() {
    let output = typecheck(&file("zeros", "a.csp", &[0; 10_000]));
    assert_eq!(output.status.code(), Some(2));
    let noise: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let output = typecheck(&file("noise", "a.csp", &noise));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_hundred_megabytes() {
    let line = b"P = a -> b -> c -> P\n";
    let path = file("large", "large.csp", &line.repeat((100 << 20) / line.len() + 1));
    refused(&typecheck(&path), "is too large");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_file_that_grows_while_it_is_read() {
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering};
    let path = file("growing", "growing.csp", b"channel a\n");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut growing = std::fs::File::options().append(true).open(&path).unwrap();
            let mut n_lines = 0;
            while !done.load(Ordering::Relaxed) && n_lines < 3_000_000 {
                growing.write_all(&b"-- one more line\n".repeat(100)).unwrap();
                n_lines += 100;
            }
        });
        for _ in 0..10 {
            let output = typecheck(&path);
            match output.status.code() {
                Some(0) => {}
                _ => refused(&output, "it changed while it was being read"),
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    std::fs::remove_file(path).unwrap();
}

#[cfg(unix)]
#[test]
fn devices_and_pipes() {
    refused(&typecheck(Path::new("/dev/zero")), "it is a device");
    let pipe = folder("pipe").join("pipe.csp");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    refused(&typecheck(&pipe), "it is a pipe");
}

#[cfg(unix)]
#[test]
fn a_pipe_opened_by_the_shell_is_read() {
    let script = "echo 'P = STOP' | \"$0\" typecheck /dev/stdin";
    let output = Command::new("sh").arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_tracehound")).output().unwrap();
    accepted(&output);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_its_own_code() {
    use std::process::Stdio;
    let mut waiting = Command::new(env!("CARGO_BIN_EXE_tracehound"))
        .args(["typecheck", "/dev/stdin"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    // It waits for its input, which stays open; the delay lets it start.
    let _input = waiting.stdin.take();
    std::thread::sleep(Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &waiting.id().to_string()]).status().unwrap().success());
    assert_eq!(waiting.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn many_errors_are_not_all_shown() {
    let script: String = (0..300).map(|i| format!("P{i} = Q{i}\n")).collect();
    let output = typecheck(&file("many", "a.csp", script.as_bytes()));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("error[").count(), 100);
    assert!(said.ends_with(&format!("300 errors in {}\n", file("many", "a.csp", b"").display())), "{said}");
    assert!(said.contains("and 200 more"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let script = "{ \"$0\" completions bash; echo $? >&2; } | head -n 1 > /dev/null";
    let output = Command::new("sh").arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_tracehound")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "0\n");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let script = "\"$0\" completions bash > /dev/full";
    let output = Command::new("sh").arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_tracehound")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the result"));
}
