//! A level crossing in discrete time, in the manner of Roscoe: trains on a track of segments, sensors, a gate and its
//! controller.

use crate::temporal::bench::{Bench, ending, expect_assertions, size, word};
use analysis::check::Ending;

/// Time passes by `tock`, and who must do something first refuses it.
const SCRIPT: &str = "
datatype Train = Red | Blue
Outside = 0
Crossing = 3
Last = 4
Segments = {0..Last}
next(s) = (s + 1) % (Last + 1)

channel tock
channel enter, leave : Segments.Train
channel arrives, departs
channel lower, raise, isdown, isup

-- A train stays in a segment for two units of time at least, and enters the next one before it leaves.
Ride(t, s, 0) = enter.next(s).t -> leave.s.t -> Ride(t, next(s), if next(s) == Outside then 0 else 2) [] tock -> Ride(t, s, 0)
Ride(t, s, n) = tock -> Ride(t, s, n - 1)
Trains = Ride(Red, Outside, 0) [| {tock} |] Ride(Blue, Outside, 0)

-- A segment has room for one train; outside there is room for all.
Free(s) = enter.s?t -> Taken(s, t) [] tock -> Free(s)
Taken(s, t) = leave.s.t -> Free(s) [] tock -> Taken(s, t)
Track = [| {tock} |] s : {1..Last} @ Free(s)

-- Sensors tell at once.
Sensor(event, signal) = ([] e : event @ e -> signal -> Sensor(event, signal)) [] tock -> Sensor(event, signal)
Sensors = Sensor({| enter.1 |}, arrives) [| {tock} |] Sensor({| leave.Crossing |}, departs)

-- So does the controller; it counts the trains.
Control(n) =
  (n < 2 & arrives -> (if n == 0 then lower -> Control(1) else Control(n + 1)))
  [] (n > 0 & departs -> (if n == 1 then raise -> Control(0) else Control(n - 1)))
  [] tock -> Control(n)

-- The gate needs some time, but not more than two units.
Up = lower -> Moving(isdown, 2) [] tock -> Up
Down = raise -> Moving(isup, 2) [] tock -> Down
Moving(done, n) =
  done -> (if done == isdown then Down else Up)
  [] (n > 0 & tock -> Moving(done, n - 1))
  [] (done == isup & lower -> Moving(isdown, 2))

Railway = (Trains [| {| tock, enter.s, leave.s | s <- {1..Last} |} |] Track) [| {| tock, enter.1, leave.Crossing |} |] Sensors
System = Railway [| {tock, arrives, departs} |] (Control(0) [| {tock, lower, raise} |] Up)
";

#[test]
fn it_is_a_system_that_goes_on() {
    expect_assertions(&format!(
        "{SCRIPT}
assert System :[deadlock free]
assert System :[divergence free]
-- Time passes again and again: finitely many other events lie between.
assert System \\ diff(Events, {{tock}}) :[divergence free]
"
    ));
    assert_eq!(size(SCRIPT, "System"), (416, 788));
}

#[test]
fn trains_can_move_again_and_again_but_need_not() {
    let bench = Bench::new(SCRIPT, "System").choosing("view=step");
    bench.expect(&[("G F e(enter)", true), ("G F [tock]", true), ("G not deadlock", true)]);
    for formula in ["G F [enter]", "G F [enter.4.Red]", "SF(enter._._) & SF(leave._._) => G F [enter.4.Red]"] {
        let checked = bench.ask_one(formula);
        assert_eq!(word(&checked), "fails", "{formula}");
        assert!(matches!(ending(&checked), Some(Ending::Loop(_))), "{formula}");
    }
}

#[test]
fn fairness_makes_them_move() {
    Bench::new(SCRIPT, "System").choosing("view=step").expect(&[
        ("SF(enter._._) & SF(leave._._) => G F [enter._._]", true),
        ("SF(enter._._) => G F [enter._._]", true),
        ("(GF e(enter._._) => GF [enter._._]) => GF [enter._._]", true),
        ("(GF e(enter._._) => GF [enter._._]) & (GF e(leave._._) => GF [leave._._]) => GF [enter._._]", true),
        ("SEF => G F [enter.4.Red]", true),
        ("SF(leave._._) => G F [enter._._]", false),
    ]);
}

#[test]
fn the_gate_is_down_when_a_train_comes() {
    let step = Bench::new(SCRIPT, "System").choosing("view=step");
    step.expect(&[
        ("G([enter.Crossing] => (not ([raise] or [lower])) S [isdown])", true),
        ("G([enter.2] => (not ([raise] or [lower])) S [isdown])", false),
        ("G([arrives] => X not e(tock))", false),
        ("G([lower] => X ((not [enter.Crossing]) W [isdown]))", true),
    ]);
    let traces = Bench::new(SCRIPT, "System").choosing("view=trace");
    traces.expect(&[
        ("[](lower => <> isdown)", true),
        ("[](enter?s:{1..4}?t => <> leave!s!t)", false),
        ("[](enter?s?t => X (not tock W leave._!t))", true),
        ("[] <> tock", true),
        ("[] <> enter", false),
    ]);
}
