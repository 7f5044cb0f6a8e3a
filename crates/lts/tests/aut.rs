//! The Aldebaran format: accepted texts, errors with their positions, and robustness against arbitrary input.

use crate::support;

use lts::aut::{Expected, Reader, read};
use lts::{Label, Labels, Lts, StateId};
use support::{for_random_systems, letters, show, system};
use test_support::mutate::{Mutator, seed};

#[test]
fn reads_every_dialect() {
    let mut labels = Labels::new();
    let reference =
        system("des (0,4,3)\n(0,\"a(1,2)\",1)\n(1,\"tau\",2)\n(2,\"say \"hi\"\",0)\n(2,\"✓\",1)\n", &mut labels);
    for text in [
        "des(0,4,3)\n(0,a(1,2),1)\n(1,tau,2)\n(2,say \"hi\",0)\n(2,✓,1)",
        "  des ( 0 , 4 , 3 )  \r\n( 0 , \"a(1,2)\" , 1 )\r\n\r\n(1,i,2)\r\n(2, \"say \"hi\"\" ,0)\r\n(2,\"✓\",1)\r\n\r\n",
        "des (0,4,3)\n(2,\"tick\",1)\n(2,\"say \"hi\"\",0)\n(1,\"i\",2)\n(0,\"a(1,2)\",1)\n",
    ] {
        assert_eq!(system(text, &mut labels), reference, "{text}");
    }
    assert_eq!(reference.silent(StateId(1)).len(), 1);
    assert_eq!(reference.with_label(StateId(2), Label::TICK).len(), 1);
    assert_eq!(labels.n_labels(), 4);
}

#[test]
fn errors_have_positions() {
    for (text, line, column, expected) in [
        ("", 1, 1, Expected::Header),
        ("(0,a,1)\n", 1, 1, Expected::Header),
        ("des 0,1,2\n", 1, 5, Expected::Open),
        ("des (0,1)\n", 1, 9, Expected::Comma),
        ("des (0,1,2) x\n", 1, 13, Expected::LineEnd),
        ("des (5,1,2)\n", 1, 1, Expected::StateBelow(2)),
        ("des (0,99999999999999999999,2)\n", 1, 8, Expected::SmallerNumber),
        ("des (0,1,2)\n0,a,1\n", 2, 1, Expected::Step),
        ("des (0,1,2)\n(,a,1)\n", 2, 2, Expected::State),
        ("des (0,1,2)\n(0;a,1)\n", 2, 3, Expected::Comma),
        ("des (0,1,2)\n(0,,1)\n", 2, 4, Expected::Label),
        ("des (0,1,2)\n(0,\"a,1)\n", 2, 6, Expected::Quote),
        ("des (0,1,2)\n(0,a)\n", 2, 5, Expected::Comma),
        ("des (0,1,2)\n(0,a,x)\n", 2, 6, Expected::State),
        ("des (0,1,2)\n(0,a,1\n", 2, 7, Expected::Close),
        ("des (0,1,2)\n(0,\"a\",2)\n", 2, 1, Expected::StateBelow(2)),
        ("des (0,2,2)\n(0,\"a\",1)\n", 3, 1, Expected::Transitions(2, 1)),
        ("des (0,0,4000000000)\n", 1, 1, Expected::ConnectedStates),
    ] {
        let error = read(text.as_bytes(), &mut Labels::new()).expect_err(text);
        assert_eq!((error.line, error.column, error.expected), (line, column, expected), "{text}");
    }
    let error = read(b"des (0,1,2)\n(0,\"\xff\",1)\n", &mut Labels::new()).expect_err("no text");
    assert_eq!(error.to_string(), "line 2, column 1: expected a label in UTF-8");
}

#[test]
fn steps_in_any_order_give_the_same_system() {
    let mut labels = Labels::new();
    let ordered = system("des (0,5,200004)\n(0,a,1)\n(0,b,200003)\n(1,a,1)\n(2,b,0)\n(200003,a,0)\n", &mut labels);
    let mixed = system(
        "des (0,7,200004)\n(2,b,0)\n(200003,a,0)\n(1,a,1)\n(0,b,200003)\n(0,a,1)\n(2,b,0)\n(0,a,1)\n",
        &mut labels,
    );
    assert_eq!(ordered, mixed);
    assert_eq!(ordered.n_transitions(), 5);
    assert_eq!(ordered.transitions(StateId(100_000)), []);
}

/// Parses a text in pieces of the given length.
fn read_in_pieces(text: &[u8], length: usize, labels: &mut Labels) -> Result<Lts, lts::aut::ReadError> {
    let mut reader = Reader::new(labels);
    for piece in text.chunks(length) {
        reader.feed(piece)?;
    }
    reader.finish()
}

#[test]
fn written_texts_are_parsed_again_also_in_pieces() {
    for_random_systems(400, 12, |random, lts| {
        if lts.acceptances().is_some() || lts.states().any(|state| lts.is_explicitly_divergent(state)) {
            return Ok(());
        }
        let text = show(lts);
        let whole = read(text.as_bytes(), &mut letters()).map_err(|error| error.to_string())?;
        let pieces = read_in_pieces(text.as_bytes(), 1 + random.below(30), &mut letters());
        let pieces = pieces.map_err(|error| error.to_string())?;
        if whole == *lts && pieces == *lts { Ok(()) } else { Err("read back differently".to_owned()) }
    });
}

#[test]
fn an_explicit_divergence_is_written_as_a_loop() {
    let mut builder = lts::Builder::new();
    builder.mark_divergent(StateId(0));
    let lts = builder.finish(StateId(0));
    assert_eq!(show(&lts), "des (0,1,1)\n(0,\"tau\",0)\n");
}

#[test]
fn arbitrary_input_never_panics() {
    let texts = [
        "des (0,3,3)\n(0,\"a(1,2)\",1)\n(1,\"tau\",2)\n(2,say \"hi\",0)\n",
        "des(0, 2, 2)\r\n(0, i, 1)\r\n(1, \"b\", 0)\r\n",
        "des (4294967294,1,4294967295)\n(4294967294,\"x\",0)\n",
    ];
    let mut mutator = Mutator::new(seed(), texts.iter().map(|text| text.as_bytes().to_vec()).collect());
    for round in 0..20_000 {
        let text = mutator.next_text();
        let whole = read(&text, &mut Labels::new());
        let pieces = read_in_pieces(&text, 7, &mut Labels::new());
        assert_eq!(whole, pieces, "TEST_SEED={} round {round}: {}", seed(), String::from_utf8_lossy(&text));
    }
}
