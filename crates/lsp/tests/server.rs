//! The server over the protocol.

use crate::client;

use client::{Client, Memory, uri};
use serde_json::{Value, json};

const BUFFER: &str = "datatype Shade = red | green\nchannel left, right : Shade.{0..2}\n\n-- Keeps one thing.\nCOPY = left?c?n -> right!c!n -> COPY\n\nassert COPY :[deadlock free]\n";

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } })
}

fn labels(items: &Value) -> Vec<&str> {
    items.as_array().expect("a list").iter().filter_map(|item| item["label"].as_str()).collect()
}

#[test]
fn problems_come_with_places_and_go() {
    let mut client = Client::new(&[]);
    client.open("a.csp", "channel a\nP = b -> P\nP = STOP\n");
    let problems = client.problems("a.csp", 1);
    let unknown = problems.iter().find(|problem| problem["code"] == "cspm::unknown-name").expect("b is unknown");
    assert_eq!(unknown["range"], range(1, 4, 5));
    assert_eq!(unknown["severity"], 1);
    let twice = problems.iter().find(|problem| problem["relatedInformation"].is_array()).expect("P is defined twice");
    assert_eq!(twice["relatedInformation"][0]["location"]["uri"], json!(uri("a.csp")));
    client.change("a.csp", 2, json!([{ "text": "channel a\nP = a -> P\n" }]));
    assert_eq!(client.problems("a.csp", 2), Vec::<Value>::new());
    assert_eq!(client.end(), Ok(()));
}

#[test]
fn columns_are_utf16_and_lines_end_in_every_way() {
    let mut client = Client::new(&[]);
    client.open("a.csp", "{- 🂡 -} x = y\r\nz = w\rv = u\n");
    let problems = client.problems("a.csp", 1);
    let ranges: Vec<&Value> =
        problems.iter().filter(|one| one["code"] == "cspm::unknown-name").map(|problem| &problem["range"]).collect();
    assert_eq!(ranges, [&range(0, 13, 14), &range(1, 4, 5), &range(2, 4, 5)]);
    // `y` becomes `1`, and then `w`.
    client.change(
        "a.csp",
        2,
        json!([
            { "range": range(0, 13, 14), "text": "1" },
            { "range": range(1, 4, 5), "text": "x" },
            { "range": range(2, 4, 5), "text": "z" },
        ]),
    );
    assert_eq!(client.problems("a.csp", 2), Vec::<Value>::new());
}

#[test]
fn diagnostics_are_published_for_the_last_of_many_edits() {
    let mut client = Client::new(&[]);
    client.open("a.csp", "x = 1\n");
    client.problems("a.csp", 1);
    for version in 2..200 {
        client.change("a.csp", version, json!([{ "text": format!("x = y{version}\n") }]));
    }
    client.change("a.csp", 200, json!([{ "text": "x = 2\n" }]));
    assert_eq!(client.problems("a.csp", 200), Vec::<Value>::new());
    let n_published =
        client.notifications.iter().filter(|sent| sent.method == "textDocument/publishDiagnostics").count();
    assert!(n_published < 199, "diagnostics were published for {n_published} of 199 edits");
}

#[test]
fn hover_shows_types_definitions_and_comments() {
    let mut client = Client::new(&[]);
    let hover = client.at("a.csp", &BUFFER.replacen("> COPY", "> CO$0PY", 1), "textDocument/hover");
    let said = hover["contents"]["value"].as_str().expect("something is said");
    assert!(
        said.contains("COPY :: Proc") && said.contains("left?c?n ->") && said.contains("Keeps one thing."),
        "{said}"
    );
    let hover = client.at("a.csp", "x = ca$0rd({1})\n", "textDocument/hover");
    let said = hover["contents"]["value"].as_str().expect("something is said");
    assert!(said.contains("Eq a => ({a}) -> Int") && said.contains("number of elements"), "{said}");
    let hover = client.at("a.csp", "x = i$0f true then 1 else 2\n", "textDocument/hover");
    assert!(hover["contents"]["value"].as_str().expect("it is a keyword").contains("condition"));
    let hover = client.at(
        "a.csp",
        "#define N 3;\nvar x = $0N;\nP() = Skip;\n#assert P() deadlockfree;\n",
        "textDocument/hover",
    );
    assert!(hover["contents"]["value"].as_str().expect("it is a constant").contains("#define N 3"), "{hover}");
}

#[test]
fn names_lead_to_their_definitions_in_other_files() {
    let mut client =
        Client::new(&[("common.csp", "channel tick\n"), ("main.csp", "include \"common.csp\"\nP = tick -> P\n")]);
    let place = client.at("main.csp", "include \"common.csp\"\nP = t$0ick -> P\n", "textDocument/definition");
    assert_eq!(place, json!({ "uri": uri("common.csp"), "range": range(0, 8, 12) }));
    let params = client.place("main.csp", "include \"common.csp\"\nP = t$0ick -> P\n");
    let mut with = params.clone();
    with["context"] = json!({ "includeDeclaration": true });
    let places = client.request("textDocument/references", with);
    assert_eq!(places.as_array().map(Vec::len), Some(2));
    let marks = client.request("textDocument/documentHighlight", params);
    assert_eq!(marks, json!([{ "range": range(1, 4, 8) }]));
    assert_eq!(client.at("main.csp", "P = S$0TOP\n", "textDocument/definition"), Value::Null);
}

#[test]
fn included_files_are_judged_by_what_includes_them() {
    let files = [
        ("a/part.csp", "P = tick -> P\n"),
        ("a/one.csp", "channel tick\ninclude \"part.csp\"\n"),
        ("a/two.csp", "channel tick : {0..1}\ninclude \"part.csp\"\nassert P :[deadlock free]\n"),
    ];
    let mut client = Client::new(&files);
    client.open("a/part.csp", files[0].1);
    let problems = client.problems("a/part.csp", 1);
    // It has no error as part of the first script; in the second a field is missing.
    assert_eq!(problems.iter().filter(|one| one["severity"] == 1).count(), 1, "{problems:?}");
    assert!(problems[0]["message"].as_str().expect("a message").contains("two.csp"), "{problems:?}");
    // The including script is fixed in the editor, not on the disk.
    client.open("a/two.csp", "channel tick\ninclude \"part.csp\"\n");
    client.change("a/part.csp", 2, json!([{ "text": "P = tick -> P\n-- more\n" }]));
    assert_eq!(client.problems("a/part.csp", 2), Vec::<Value>::new());
}

#[test]
fn renaming_changes_all_files_or_nothing() {
    let files = [("common.csp", "channel tick\n"), ("main.csp", "include \"common.csp\"\nQ = tick -> Q\n")];
    let mut client = Client::new(&files);
    let mut params = client.place("main.csp", "include \"common.csp\"\nQ = t$0ick -> Q\n");
    let prepared = client.request("textDocument/prepareRename", params.clone());
    assert_eq!(prepared, json!({ "range": range(1, 4, 8), "placeholder": "tick" }));
    params["newName"] = json!("beat");
    let edit = client.request("textDocument/rename", params.clone());
    assert_eq!(edit["changes"][uri("common.csp")], json!([{ "range": range(0, 8, 12), "newText": "beat" }]));
    assert_eq!(edit["changes"][uri("main.csp")], json!([{ "range": range(1, 4, 8), "newText": "beat" }]));
    for (wrong, why) in [("Q", "clash"), ("if", "cannot be a name"), ("a b", "cannot be a name"), ("", "cannot be")] {
        params["newName"] = json!(wrong);
        let refused = client.try_request("textDocument/rename", params.clone()).expect_err(wrong);
        assert!(refused.contains(why), "{refused}");
    }
    let mut built_in = client.place("main.csp", "Q = S$0TOP\n");
    built_in["newName"] = json!("HALT");
    assert!(client.try_request("textDocument/rename", built_in).expect_err("it is built in").contains("built in"));
}

#[test]
fn renaming_does_not_capture() {
    let mut client = Client::new(&[]);
    for (text, new) in [
        // A parameter would shadow it.
        ("f(x) = y$0y + x\nyy = 1\n", "x"),
        // It would shadow a parameter of the same equation.
        ("f(x$0x, y) = xx + y\n", "y"),
        // A pattern would match a constructor instead of binding.
        ("datatype T = A | B\nf(x$0) = x\n", "A"),
        ("g(s) = let k$0k = 1 within s + kk\n", "s"),
    ] {
        let mut params = client.place("a.csp", text);
        params["newName"] = json!(new);
        assert!(client.try_request("textDocument/rename", params).is_err(), "{text} to {new}");
    }
    let mut params = client.place("a.csp", "f(x$0) = x + 1\ng(x) = x\n");
    params["newName"] = json!("z");
    let edits = client.request("textDocument/rename", params);
    assert_eq!(edits["changes"][uri("a.csp")].as_array().map(Vec::len), Some(2));
}

#[test]
fn renaming_in_csp_sharp_reaches_formulas() {
    let mut client = Client::new(&[]);
    let text = "var x = 0;\nP() = a{x = 1} -> Skip;\n#define do$0ne x == 1;\n#assert P() |= <> done;\n#assert P() reaches done;\n";
    let mut params = client.place("a.csp", text);
    params["newName"] = json!("ready");
    let edits = client.request("textDocument/rename", params);
    assert_eq!(edits["changes"][uri("a.csp")].as_array().map(Vec::len), Some(3), "{edits}");
}

#[test]
fn completion_knows_names_words_and_fields() {
    let mut client = Client::new(&[]);
    let items = client.at("a.csp", &BUFFER.replacen("left?c?n", "left?$0", 1), "textDocument/completion");
    assert_eq!(labels(&items), ["red", "green"]);
    let items = client.at("a.csp", &BUFFER.replacen("left?c?n", "left.red.$0", 1), "textDocument/completion");
    assert_eq!(labels(&items), ["0", "1", "2"]);
    let items = client.at("a.csp", &BUFFER.replacen("-> COPY", "-> C$0", 1), "textDocument/completion");
    for wanted in ["COPY", "left", "red", "c", "STOP", "if", "CHAOS"] {
        assert!(labels(&items).contains(&wanted), "{wanted} is missing in {:?}", labels(&items));
    }
    let sbisim = items.as_array().into_iter().flatten().find(|item| item["label"] == "sbisim").expect("offered");
    assert_eq!(sbisim["additionalTextEdits"][0]["newText"], "transparent sbisim\n");
    let items = client.at("a.csp", "assert STOP :[$0\n", "textDocument/completion");
    assert!(labels(&items).contains(&"deadlock free"), "{items}");
    let items = client.at("a.csp", "x = 1 -- a comment $0\n", "textDocument/completion");
    assert_eq!(labels(&items), Vec::<&str>::new());
    let damaged = "channel c : Bool\nf(arg) = if arg then ($0\nQ = c?x -> STOP\n";
    let items = client.at("a.csp", damaged, "textDocument/completion");
    assert!(labels(&items).contains(&"arg") && labels(&items).contains(&"c"), "{:?}", labels(&items));
}

#[test]
fn signatures_follow_the_arguments() {
    let mut client = Client::new(&[]);
    let help = client.at("a.csp", "x = union({1}, $0)\n", "textDocument/signatureHelp");
    assert_eq!(help["activeParameter"], 1);
    assert_eq!(help["signatures"][0]["parameters"].as_array().map(Vec::len), Some(2), "{help}");
    let help = client.at("a.csp", "f(a, b) = a + b\nx = f(f(1, 2), $0\n", "textDocument/signatureHelp");
    assert!(help["signatures"][0]["label"].as_str().expect("a label").starts_with("f :: "), "{help}");
    assert_eq!(help["activeParameter"], 1);
    assert_eq!(client.at("a.csp", "x = (1, $0)\n", "textDocument/signatureHelp"), Value::Null);
}

#[test]
fn fixes_are_actions() {
    let mut client = Client::new(&[]);
    client.open("a.csp", "channel coffee\nP = cofee -> sbisim(P)\n");
    client.problems("a.csp", 1);
    let document = json!({ "uri": uri("a.csp") });
    let params = |area: Value| json!({ "textDocument": document, "range": area, "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params(range(1, 5, 5)));
    assert_eq!(actions[0]["title"], "write `coffee`");
    assert_eq!(actions[0]["edit"]["changes"][uri("a.csp")], json!([{ "range": range(1, 4, 9), "newText": "coffee" }]));
    let actions = client.request("textDocument/codeAction", params(range(1, 14, 14)));
    assert_eq!(actions[0]["edit"]["changes"][uri("a.csp")][0]["newText"], "transparent sbisim\n");
    assert_eq!(client.request("textDocument/codeAction", params(range(0, 0, 0))), json!([]));
}

#[test]
fn words_have_colors_symbols_have_places_and_declarations_fold() {
    let mut client = Client::new(&[]);
    client.open("a.csp", "-- one\n-- two\nchannel c : {0..1}\nP(n) =\n  c.n -> STOP\n\nQ = P(0)\n");
    let document = json!({ "textDocument": { "uri": uri("a.csp") } });
    let tokens = client.request("textDocument/semanticTokens/full", document.clone());
    let data: Vec<u64> = tokens["data"].as_array().expect("numbers").iter().filter_map(Value::as_u64).collect();
    assert_eq!(&data[..10], [0, 0, 6, 1, 0, 1, 0, 6, 1, 0], "two comments");
    assert_eq!(&data[10..20], [1, 0, 7, 0, 0, 0, 8, 1, 10, 1], "a keyword, and a channel that is defined");
    let symbols = client.request("textDocument/documentSymbol", document.clone());
    let names: Vec<&str> = symbols.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["c", "P", "Q"]);
    assert_eq!(symbols[1]["range"]["end"], json!({ "line": 4, "character": 13 }));
    let folds = client.request("textDocument/foldingRange", document);
    assert_eq!(folds, json!([{ "startLine": 3, "endLine": 4 }, { "startLine": 0, "endLine": 1, "kind": "comment" }]));
    let found = client.request("workspace/symbol", json!({ "query": "q" }));
    assert_eq!(found[0]["location"]["uri"], json!(uri("a.csp")));
}

#[test]
fn texts_and_ranges_are_formatted() {
    let mut client = Client::new(&[]);
    client.open("a.csp", "P=STOP\r\n\r\n\r\nQ=P\r\n");
    let document = json!({ "uri": uri("a.csp") });
    let edits = client.request("textDocument/formatting", json!({ "textDocument": document, "options": {} }));
    let texts: Vec<&str> = edits.as_array().expect("a list").iter().filter_map(|one| one["newText"].as_str()).collect();
    assert_eq!(texts, ["P = STOP\r\n", "", "Q = P\r\n"], "one of two empty lines goes");
    let part = json!({ "textDocument": document, "range": range(3, 0, 3), "options": {} });
    let edits = client.request("textDocument/rangeFormatting", part);
    assert_eq!(edits.as_array().map(Vec::len), Some(1), "{edits}");
    assert_eq!(edits[0]["newText"], "Q = P\r\n");
    client.change("a.csp", 2, json!([{ "text": "P = (\n" }]));
    let refused = client.try_request("textDocument/formatting", json!({ "textDocument": document, "options": {} }));
    assert!(refused.expect_err("it is damaged").contains("cannot be read"));
}

#[test]
fn lenses_check_and_show_verdicts() {
    let verdict = json!({ "event": "verdict", "index": 1, "verdict": "fails", "stats": { "states": 7, "seconds": 0.5 },
        "counterexample": { "trace": ["a", "b"] } });
    let memory = Memory { lines: Some(vec![verdict.to_string()]), ..Memory::default() };
    let checks = memory.checks.clone();
    let abilities =
        json!({ "workspace": { "codeLens": { "refreshSupport": true } }, "window": { "workDoneProgress": true } });
    let mut client = Client::with(memory, abilities);
    client.open("a.csp", BUFFER);
    assert_eq!(client.problems("a.csp", 1), Vec::<Value>::new());
    let document = json!({ "textDocument": { "uri": uri("a.csp") } });
    let lenses = client.request("textDocument/codeLens", document.clone());
    assert_eq!(lenses[0]["command"]["title"], "▷ check");
    assert_eq!(lenses[0]["range"]["start"], json!({ "line": 6, "character": 7 }));
    let command = &lenses[0]["command"];
    let run = json!({ "command": command["command"], "arguments": command["arguments"] });
    client.request("workspace/executeCommand", run);
    let problems = client.problems("a.csp", 1);
    assert_eq!(problems[0]["severity"], 1);
    assert!(problems[0]["message"].as_str().expect("a message").contains("after <a, b>"), "{problems:?}");
    let lenses = client.request("textDocument/codeLens", document.clone());
    assert_eq!(lenses[0]["command"]["title"], "✗ fails (7 states, 0.500 s) · check again");
    assert!(client.requests.iter().any(|request| request.method == "workspace/codeLens/refresh"));
    assert_eq!(checks.lock().expect("no other thread panics")[0].texts[0].1, BUFFER, "what is not saved is checked");
    // After an edit the verdict is out of date, also where the assertion has moved.
    client.change("a.csp", 2, json!([{ "range": range(0, 0, 0), "text": "channel more\n" }]));
    let lenses = client.request("textDocument/codeLens", document);
    assert!(lenses[0]["command"]["title"].as_str().expect("a title").contains("before the last change"));
    assert_eq!(client.problems("a.csp", 2).iter().filter(|one| one["code"] == "verdict::fails").count(), 0);
}

#[test]
fn checks_can_be_cancelled() {
    let mut client = Client::with(Memory::default(), json!({ "window": { "workDoneProgress": true } }));
    client.open("a.csp", BUFFER);
    let document = json!({ "textDocument": { "uri": uri("a.csp") } });
    for way in 0..2 {
        client.request(
            "workspace/executeCommand",
            json!({ "command": "tracehound.checkAll", "arguments": [uri("a.csp")] }),
        );
        let lenses = client.request("textDocument/codeLens", document.clone());
        assert!(lenses[0]["command"]["title"].as_str().expect("a title").contains("cancel"), "{lenses}");
        let begun = client.next_notification("$/progress");
        if way == 0 {
            let command = &lenses[0]["command"];
            client.request(
                "workspace/executeCommand",
                json!({ "command": command["command"], "arguments": command["arguments"] }),
            );
        } else {
            client.notify("window/workDoneProgress/cancel", json!({ "token": begun["token"] }));
        }
        assert_eq!(client.next_notification("$/progress")["value"]["kind"], "end");
        let lenses = client.request("textDocument/codeLens", document.clone());
        assert_eq!(lenses[0]["command"]["title"], "▷ check");
    }
    assert_eq!(client.end(), Ok(()));
}

#[test]
fn what_is_cancelled_or_unknown_is_said() {
    let mut client = Client::new(&[]);
    client.open("a.csp", BUFFER);
    assert!(client.try_request("textDocument/unheardOf", json!({})).expect_err("unknown").contains("not known"));
    assert!(client.try_request("textDocument/hover", json!({ "textDocument": 7 })).is_err());
    let nowhere =
        json!({ "textDocument": { "uri": uri("a.csp") }, "position": { "line": 999_999, "character": 999_999 } });
    assert!(client.try_request("textDocument/hover", nowhere).is_ok());
    client.notify("$/cancelRequest", json!({ "id": 12345 }));
    client.notify("textDocument/didChange", json!({ "textDocument": null, "contentChanges": [{ "text": "x" }] }));
    client.notify("textDocument/didChange", json!({ "nonsense": [1, 2, 3] }));
    assert!(
        client
            .try_request("workspace/executeCommand", json!({ "command": "rm", "arguments": [uri("a.csp")] }))
            .is_err()
    );
    // Exiting without `shutdown` is an error.
    let start = json!({ "line": 0, "character": 0 });
    let id = client.send("textDocument/hover", json!({ "textDocument": { "uri": uri("a.csp") }, "position": start }));
    assert!(client.response(id).is_ok());
    client.notify("exit", Value::Null);
}
