//! Formatting: expected results, idempotence, and preservation of tokens.

use frontend::Language;
use std::path::{Path, PathBuf};
use test_support::mutate::{Mutator, seed};

fn language(name: &str) -> &'static dyn Language {
    languages::named(name).expect("there is such a language")
}

fn cspm(text: &str) -> String {
    format::format(language("cspm"), text).expect("it can be laid out")
}

#[track_caller]
fn check(before: &str, after: &str) {
    assert_eq!(cspm(before), after);
    assert_eq!(cspm(after), after, "what is laid out stays as it is");
}

#[test]
fn blanks_follow_from_their_neighbors() {
    check("channel  a ,b:{0..3}\n", "channel a, b:{0..3}\n");
    check("P=a->P\n", "P = a -> P\n");
    check("P(x , y)=c ? x ! y->STOP[]SKIP\n", "P(x, y) = c?x!y -> STOP [] SKIP\n");
    check("n = x+1 - y* 2\n", "n = x+1 - y * 2\n");
    check("n = ( - 1 , #s )\n", "n = (-1, #s)\n");
    check("assert P[T=Q\nassert P :[ deadlock free [F] ]\n", "assert P [T= Q\nassert P :[ deadlock free [F] ]\n");
    check("P = Q\\{|a|}\n", "P = Q \\ {|a|}\n");
}

#[test]
fn pieces_stay_apart() {
    check("s = { -1}\n", "s = { -1}\n");
    check("b = x < -1\n", "b = x < -1\n");
    check("n = - -1\n", "n = - -1\n");
    check("n = -  1\n", "n = -1\n");
    check("t = x  ::  Int\n", "t = x :: Int\n");
    check("m = (| 1 => 2 |)\n", "m = (| 1 => 2 |)\n");
}

#[test]
fn declarations_begin_at_the_margin_and_lines_follow() {
    check("  P = a -> P\n      [] b -> P\n", "P = a -> P\n    [] b -> P\n");
    check("P=a -> P\n  [] b -> P\n", "P = a -> P\n    [] b -> P\n");
    check("P=a -> P\n   [] b -> P\n", "P = a -> P\n   [] b -> P\n");
    check("P =\na -> P\n", "P =\n  a -> P\n");
    check("P = (\n  a -> P\n)\n", "P = (\n  a -> P\n)\n");
    check("P   = a -> P\n      [] b -> P\n", "P = a -> P\n    [] b -> P\n");
    check(
        "P = let  x = 1\n         y = 2\n    within Q(x,y)\nR = STOP\n",
        "P = let x = 1\n        y = 2\n    within Q(x, y)\nR = STOP\n",
    );
    check("P = let\n  x = 1\n   y = 2\nwithin x\n", "P = let\n  x = 1\n  y = 2\nwithin x\n");
    check(
        "module M\nx = 1\nexports\ny = 2\nendmodule\nz = 3\n",
        "module M\n  x = 1\nexports\n  y = 2\nendmodule\nz = 3\n",
    );
    check("assert P :[deadlock free]\nQ = STOP\n", "assert P :[deadlock free]\nQ = STOP\n");
    check("\n\n\tP = STOP\n\n\n\n\tQ = STOP   \n\n", "P = STOP\n\nQ = STOP\n");
}

#[test]
fn columns_that_were_lined_up_stay_so() {
    check("f(0)   = 1\nf(100) = 2\n", "f(0)   = 1\nf(100) = 2\n");
    check("f( 0 )=1\ng(0)  =  2\n", "f(0) = 1\ng(0) = 2\n");
    check("x   =  1\ny   =  2\n", "x = 1\ny = 2\n");
    check("channel a\nP   =   a -> P\n", "channel a\nP = a -> P\n");
    check("channel  a\nnametype T = {0}\n", "channel  a\nnametype T = {0}\n");
    check("p = (1,  20)\nq = (10, 30)\n", "p = (1,  20)\nq = (10, 30)\n");
    check("a=1   -- one\nbc=2  -- two\n", "a = 1   -- one\nbc = 2  -- two\n");
    check("a=1 -- one\n    -- more\nb = 2\n", "a = 1 -- one\n      -- more\nb = 2\n");
}

#[test]
fn comments_stay() {
    check("{- a\n   b -}\nP = STOP -- c  \n-- d\n", "{- a\n   b -}\nP = STOP -- c\n-- d\n");
    check("  -- about P\n  P = STOP\n", "-- about P\nP = STOP\n");
    check("P = a -> P\n    -- [] b -> P\nQ = STOP\n", "P = a -> P\n    -- [] b -> P\nQ = STOP\n");
}

#[test]
fn line_ends_and_marks_stay() {
    assert_eq!(cspm("P=STOP\r\n\r\n\r\nQ=P"), "P = STOP\r\n\r\nQ = P\r\n");
    assert_eq!(cspm("\u{feff}P=STOP\n"), "\u{feff}P = STOP\n");
    assert_eq!(cspm(""), "");
    assert_eq!(cspm("\n \n"), "");
}

#[test]
fn csp_sharp_has_its_own_rules() {
    let sharp = |text: &str| format::format(language("csp-sharp"), text).expect("it can be laid out");
    assert_eq!(sharp("#define N  3 ;\nvar x=0;\n"), "#define N 3;\nvar x = 0;\n");
    assert_eq!(sharp("P() = a{x=x+1;}->c ! x->Skip;\n"), "P() = a{x = x+1;} -> c!x -> Skip;\n");
    assert_eq!(sharp("#assert P() |= []( a->  <>b) ;\n"), "#assert P() |= []( a->  <>b);\n");
    assert_eq!(sharp("  P() = a -> P()\n    [] b -> P();// x\n"), "P() = a -> P()\n  [] b -> P(); // x\n");
}

/// Scripts of the project.
fn scripts() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut folders = vec![root.join("examples"), root.join("bench")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if languages::endings().contains(&ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_script_of_the_project_is_the_same_afterwards_and_stays_so() {
    let scripts = scripts();
    assert!(scripts.len() > 60, "only {} scripts were found", scripts.len());
    for path in scripts {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if text.len() > 200_000 {
            continue;
        }
        let name = path.display().to_string();
        let language = languages::guess(&name, &text).0;
        let after = format::format(language, &text).unwrap_or_else(|| panic!("{name} has no layout"));
        assert!(format::is_same(language, &text, &after), "{name}");
        assert_eq!(format::format(language, &after).as_ref(), Some(&after), "{name}");
        let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(without_blanks(&text), without_blanks(&after), "{name}");
    }
}

#[test]
fn damaged_texts_keep_their_pieces() {
    let seed = seed();
    let texts: Vec<Vec<u8>> =
        scripts().iter().filter_map(|path| std::fs::read(path).ok()).filter(|text| text.len() < 8_000).collect();
    let mut mutator = Mutator::new(seed, texts);
    for _ in 0..200 {
        let text = String::from_utf8_lossy(&mutator.next_text()).into_owned();
        for name in ["cspm", "csp-sharp", "network"] {
            let language = language(name);
            // A text whose tokens would change is not formatted; that is rare, and never happens for a well-formed
            // text.
            if let Some(after) = format::format(language, &text) {
                assert!(format::is_same(language, &text, &after), "TEST_SEED={seed}\n{text}");
                assert_eq!(format::format(language, &after).as_ref(), Some(&after), "TEST_SEED={seed}\n{text}");
            }
        }
    }
}
