//! Incremental edits: after each one, the answers are those for the current text.

use crate::client;

use client::{Client, uri};
use serde_json::{Value, json};
use test_support::mutate::{Random, seed};

const TEXTS: &[&str] = &[
    "channel left, right : {0..3}\n\nCOPY = left?x -> right!x -> COPY\n\nassert COPY :[deadlock free]\n",
    "datatype T = A | B.{0..1} -- 🂡\r\nf(A) = 1\r\nf(B.n) = n\r\nP(s) = let x = f(s) within if x == 1 then STOP else SKIP\r\n",
    "#define N 2;\nvar x = 0;\nP(i) = a.i{x = x + 1} -> P(i);\nQ() = ||| i:{0..N-1}@P(i);\n#assert Q() deadlockfree;\n",
    "include \"part.csp\"\nR = tick -> R\n",
];

const PIECES: &[&str] = &[
    "\n", " ", "(", ")", "->", "P", "x", "= 1", "🂡", "\r\n", "{-", "-}", "--", "\"", "include ", "assert ", "?", ".",
    "𝄞é",
];

/// Results of all requests about a text.
fn answers(client: &mut Client, name: &str, version: i64) -> Vec<Value> {
    let document = json!({ "textDocument": { "uri": uri(name) } });
    let mut answers = vec![json!(client.problems(name, version))];
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"] {
        answers.push(client.request(&format!("textDocument/{method}"), document.clone()));
    }
    for (line, character) in [(0, 3), (1, 1), (2, 9), (3, 4)] {
        let mut place = document.clone();
        place["position"] = json!({ "line": line, "character": character });
        for method in ["hover", "definition", "references", "completion", "signatureHelp"] {
            answers.push(client.try_request(&format!("textDocument/{method}"), place.clone()).unwrap_or(Value::Null));
        }
    }
    answers
}

#[test]
fn random_edits_give_the_same_as_a_fresh_text() {
    let seed = seed();
    let files = [("part.csp", "channel tick\n")];
    for (number, text) in TEXTS.iter().enumerate() {
        let mut random = Random::new(seed.wrapping_add(number as u64));
        let mut edited = Client::new(&files);
        edited.open("a.csp", text);
        let mut now = (*text).to_owned();
        for version in 2..40 {
            let mut changes = Vec::new();
            for _ in 0..=random.below(3) {
                let (start, end, new) = edit(&mut random, &now);
                let area = json!({ "start": position(&now, start), "end": position(&now, end) });
                now.replace_range(start..end, &new);
                changes.push(json!({ "range": area, "text": new }));
            }
            edited.change("a.csp", version, json!(changes));
            if version % 4 == 0 {
                let mut fresh = Client::new(&files);
                fresh.open("a.csp", &now);
                let (one, other) = (answers(&mut edited, "a.csp", version), answers(&mut fresh, "a.csp", 1));
                assert_eq!(one, other, "TEST_SEED={seed}, after {version} edits:\n{now}");
            }
        }
    }
}

/// Random edit at character boundaries.
fn edit(random: &mut Random, text: &str) -> (usize, usize, String) {
    let places: Vec<usize> =
        text.char_indices().map(|(at, _)| at).chain([text.len()]).filter(|&at| is_place(text, at)).collect();
    let (one, other) = (*random.pick(&places), *random.pick(&places));
    let (start, end) = (one.min(other), one.max(other));
    let end = if random.below(3) == 0 {
        end.min(places[places.partition_point(|&at| at < start + 6).min(places.len() - 1)]).max(start)
    } else {
        start
    };
    let n_pieces = random.below(3);
    (start, end, (0..n_pieces).map(|_| *random.pick(PIECES)).collect())
}

/// Whether a cursor can be at an offset: not inside a line end.
fn is_place(text: &str, at: usize) -> bool {
    !(text[..at].ends_with('\r') && text[at..].starts_with('\n'))
}

fn position(text: &str, at: usize) -> Value {
    let (mut line, mut start) = (0, 0);
    let bytes = text.as_bytes();
    for end in 0..at {
        let is_end = bytes[end] == b'\n' || bytes[end] == b'\r' && bytes.get(end + 1) != Some(&b'\n');
        if is_end {
            line += 1;
            start = end + 1;
        }
    }
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}
