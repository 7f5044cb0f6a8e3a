//! Fairness on machines from the examples of `ProB`, as processes: states are told by what they enable.

use crate::temporal::bench::{Bench, size};

const SCRIPT: &str = "
channel A, A0, A1, A2, B, B1, C, D, E, F, G, L, Loop, Back

-- Places 4 and 5 are those that enable L.
Place(0) = A -> Place(1)
Place(1) = B -> Place(2) [] C -> Place(4)
Place(2) = A -> Place(3) [] E -> Place(5)
Place(3) = D -> Place(0) [] F -> Place(2) [] G -> Place(3)
Place(4) = C -> Place(2) [] L -> Place(4)
Place(5) = L -> Place(5)
Start = A0 -> A1 -> Place(0) [] A2 -> Place(3)

-- The last place is the only one that enables nothing but C.
Line(n) =
  (n < 6 & A -> Line(n + 1)) [] (n == 6 & A -> Line(5)) [] (n == 7 & (A -> Line(2) [] A -> Line(3)))
  [] (n == 6 & B -> Line(6)) [] (n >= 7 & C -> Line(8)) [] (n == 6 & D -> Line(3)) [] (n == 6 & E -> Line(7))
  [] (n == 6 & G -> Line(6))

Ring(0) = B -> Ring(3) [] C -> Ring(1)
Ring(1) = B -> Ring(3) [] B1 -> Ring(3) [] D -> Ring(2)
Ring(2) = B -> Ring(3) [] B1 -> Ring(3) [] E -> Ring(0)
Ring(3) = Loop -> Ring(3) [] Back -> STOP
Weak = A -> Ring(0)
";

#[test]
fn sizes() {
    assert_eq!(size(SCRIPT, "Place(0)"), (6, 11));
    assert_eq!(size(SCRIPT, "Start"), (8, 14));
    assert_eq!(size(SCRIPT, "Line(0)"), (9, 15));
    assert_eq!(size(SCRIPT, "Weak"), (6, 11));
}

#[test]
fn again_and_again() {
    Bench::new(SCRIPT, "Place(0)").expect(&[
        ("GF e(L)", false),
        ("SF(C) & SF(D) => GF e(L)", true),
        ("SF(E) & SF(F) => GF e(L)", true),
        ("SF(E) & SF(D) => GF e(L)", true),
        ("SF(E) & WF(D) => GF e(L)", true),
        ("WF(C) & WF(D) => GF not (e(D) or (e(C) & e(L)))", true),
    ]);
}

#[test]
fn components_are_split_again() {
    Bench::new(SCRIPT, "Start").expect(&[
        ("GF e(L)", false),
        ("SF(C) => GF e(L)", false),
        ("SF(E) => GF e(L)", false),
        ("WF(C) => GF e(L)", false),
        ("WF(E) => GF e(L)", false),
        ("SF(C) & WF(D) => GF e(L)", false),
        ("SF(C) & SF(E) => GF e(L)", false),
        ("SF(E) & SF(F) => GF e(L)", true),
        ("SF(C) & SF(D) => GF e(L)", true),
        ("SF(E) & WF(D) => GF e(L)", true),
        ("F (e(E) or e(F) or (e(C) & e(L)))", true),
        ("SF(C) => F e(L)", false),
        ("SF(E) & WF(C) => F e(L)", false),
    ]);
    let last = "F (e(C) & not e(A))";
    Bench::new(SCRIPT, "Line(0)").expect(&[
        (last, false),
        (&format!("SF(E) & SF(D) => {last}"), false),
        (&format!("SF(B) & SF(G) & SF(E) & SF(D) => {last}"), false),
        (&format!("SEF => {last}"), true),
    ]);
}

#[test]
fn runs_that_end_are_fair() {
    Bench::new(SCRIPT, "Weak").expect(&[
        ("WF(Back) => not GF e(Loop)", true),
        ("SF(Back) => not GF e(Loop)", true),
        ("WF(B) => not GF e(E)", true),
        ("not GF e(E)", false),
    ]);
}
