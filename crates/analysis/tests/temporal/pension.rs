//! Pensions: clients ask for money at desks, and an office sends it to the desks, there and back (after Leuschel,
//! Massart and Currie, *How to make FDR spin*, whose verdicts are expected here).

use crate::temporal::bench::{Bench, ending, size, word};
use analysis::check::Ending;

/// Each client has a desk that the money is sent to unasked; the last one has none. `Client` is how the clients behave.
const SYSTEM: &str = "
Clients = {1..3}
Desks = {1, 2}
Sums = {0..5}
usual(c) = if c < 3 then c else 0
channel ask : Clients.Desks
channel pay : Clients.Desks.Sums

-- Between the office and the desks: money sent unasked, money asked for, money called back.
channel deliver, answer, giveback : Clients.Desks.Sums
channel want, recall : Clients.Desks

Office(c, n) =
  (n > 0 and usual(c) > 0 & deliver.c.usual(c).n -> Office(c, 0))
  [] want.c?d -> Sending(c, d, n)
Sending(c, d, n) =
  if n > 0 or not member(usual(c), diff(Desks, {d})) then answer.c.d.n -> Office(c, 0)
  else recall.c.usual(c) -> giveback.c.usual(c)?m -> answer.c.d.m -> Office(c, n)

Desk(c, d, n) =
  (n == 0 & deliver.c.d?m -> Desk(c, d, m))
  [] recall.c.d -> giveback.c.d.n -> Desk(c, d, 0)
  [] ask.c.d -> (if n > 0 then Paying(c, d, n, 0) else Seeking(c, d))
Seeking(c, d) =
  want.c.d -> (answer.c.d?m -> Paying(c, d, m, 0) [] deliver.c.d?m -> answer.c.d?rest -> Paying(c, d, m, rest))
  [] (d == usual(c) & deliver.c.d?m -> Paying(c, d, m, 0))
Paying(c, d, n, rest) = pay.c.d.n -> Desk(c, d, rest)

Internal(c) = {| deliver.c, answer.c, giveback.c, want.c, recall.c |}
Service(c, n) = (Office(c, n) [| Internal(c) |] (||| d : Desks @ Desk(c, d, 0))) \\ Internal(c)
Served(c, n) = Client(c, n) [| {| ask.c, pay.c |} |] Service(c, n)

Wanted = ||| c : Clients @ Client(c, 4)
System = ||| c : Clients @ Served(c, 4)
";

fn script(client: &str) -> String {
    format!("{SYSTEM}Client(c, n) = ask.c?d -> pay.c.d.n -> {client}\n")
}

fn recurring() -> String {
    script("Client(c, 0)")
}

/// The sizes that tell that this is the same system.
#[test]
fn sizes() {
    let (script, once) = (recurring(), script("STOP"));
    assert_eq!(size(&script, "Served(1, 4)"), (21, 27));
    assert_eq!(size(&script, "Served(2, 4)"), (21, 27));
    assert_eq!(size(&script, "Served(3, 4)"), (14, 16));
    assert_eq!(size(&script, "System"), (6174, 22_932));
    assert_eq!([1, 2, 3].map(|c| size(&once, &format!("Served({c}, 4)"))), [(13, 17), (13, 17), (8, 8)]);
}

#[test]
fn somebody_is_paid() {
    let script = recurring();
    for process in ["Wanted", "System"] {
        let bench = Bench::new(&script, process);
        bench.expect(&[("[](ask => <> pay)", true)]);
        assert_eq!(bench.test("[](ask => <> pay)"), (false, false), "{process}");
    }
}

const EVERYBODY: &str = "[](ask?c?d => <> pay!c!d?n)";

#[test]
fn not_everybody_is_paid() {
    let script = recurring();
    for process in ["Wanted", "System"] {
        let bench = Bench::new(&script, process);
        let mut formulas = vec![EVERYBODY.to_owned()];
        for (c, d) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
            formulas.push(format!("[](ask.{c}.{d} => <> pay.{c}.{d}._)"));
        }
        let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
        for (checked, formula) in bench.ask(&formulas).iter().zip(&formulas) {
            assert_eq!(word(checked), "fails", "{process}: {formula}");
            assert!(matches!(ending(checked), Some(Ending::Loop(_))), "{process}: {formula}");
        }
    }
    assert_eq!(Bench::new(&script, "Wanted").test(EVERYBODY), (true, false));
    assert_eq!(Bench::new(&script, "System").test("[](ask.1.1 => <> pay.1.1._)"), (true, false));
}

#[test]
fn fairness_helps() {
    let script = recurring();
    for process in ["Wanted", "System"] {
        let bench = Bench::new(&script, process);
        bench.expect(&[
            ("WF(pay.1.1._) => [](ask.1.1 => <> pay.1.1._)", true),
            ("WF(pay.1.1._) => [](ask.2.1 => <> pay.2.1._)", false),
            ("WEF => [](ask.1.1 => <> pay.1.1._)", true),
            ("SEF => [](ask.1.1 => <> pay.1.1._)", true),
        ]);
        for fair in ["fair=WEF", "fair=SEF", "fair=global"] {
            bench.choosing(fair).expect(&[("[](ask.1.1 => <> pay.1.1._)", true)]);
        }
    }
}

#[test]
fn those_who_ask_once_are_paid() {
    let script = script("STOP");
    for process in ["Wanted", "System"] {
        let bench = Bench::new(&script, process);
        bench.expect(&[(EVERYBODY, true), ("[](ask => <> pay)", true), ("<> deadlock", true), ("[]<> ask", false)]);
    }
    assert_eq!(Bench::new(&script, "Wanted").test(EVERYBODY), (false, false));
    assert_eq!(Bench::new(&script, "System").test("[](ask => <> pay)"), (false, false));
}

/// A promised pension is paid once, wherever the money is.
#[test]
fn nothing_is_lost_or_doubled() {
    let script = recurring();
    Bench::new(&script, "System").expect(&[
        ("[](pay.1._.4 => X [] not pay.1._.4)", true),
        ("[](pay.1._.4 => X [] not pay.2._.4)", false),
        ("[](ask.1 => X (not ask.1 W pay.1))", true),
        ("(not pay.1 W ask.1)", true),
        ("[](pay?c?d?n => [](not pay!c!d!4) or pay!c!d!4)", true),
    ]);
}
