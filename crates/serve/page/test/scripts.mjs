// Scripts of our own that show every kind of answer.
import fs from "node:fs";

/** A network as text. */
export const door = fs.readFileSync(new URL("../../../../examples/revolving-door.network", import.meta.url), "utf8");

export const spoons = `-- Three diners share three spoons; each takes the left one first.
include "lib/spoon.csp"

N = 3
SEATS = {0..N-1}
DINER(i) = sit.i -> take.i.i -> take.i.(i+1)%N -> eat.i ->
           put.i.i -> put.i.(i+1)%N -> rise.i -> DINER(i)
channel sit, rise, eat : {0..2}
ROOM = ||| i : SEATS @ DINER(i)
CUTLERY = ||| i : SEATS @ SPOON(i)
TABLE = ROOM [| {| take, put |} |] CUTLERY
QUIET = TABLE \\ {| take, put |}

ONCE = sit?i -> eat.i -> ONCE

assert TABLE :[deadlock free [F]]
assert TABLE :[divergence free]
assert ONCE [T= QUIET
assert TABLE :[has trace [T]]: <sit.0, take.0.0>
`;

export const spoon = `-- A spoon is taken by the diner at its left or at its right, and put back by the same one.
channel take, put : {0..2}.{0..2}
SPOON(i) = take?d:{i, (i+2)%3}!i -> put!d!i -> SPOON(i)
`;

export const kinds = `channel a, b, c
P = a -> P [] b -> STOP
Q = a -> Q |~| b -> Q
LOOP = a -> LOOP
SPIN = (a -> SPIN') \\ {c}
SPIN' = c -> SPIN'
WIDE = a -> b -> WIDE [] c -> WIDE

assert LOOP [T= P
assert (a -> LOOP [] b -> LOOP) [F= Q
assert LOOP [FD= SPIN
assert SPIN :[divergence free]
assert Q :[deterministic [FD]]
assert WIDE |= LTL: "G([a] => F [c])"
assert P :[deadlock free]
assert P :[has trace [T]]: <c>
`;

/** So many states that nobody waits for the end of them; and a process without end, which no engine decides. */
export const large = `channel a : {0..13}.{0..9}
CELL(i, v) = a.i?w:diff({0..9}, {v}) -> CELL(i, w)
BIG = ||| i : {0..13} @ CELL(i, 0)
SMALL = ||| i : {0..2} @ CELL(i, 0)
COUNT(n) = a.0.n % 10 -> COUNT(n + 1)
assert COUNT(0) :[deadlock free]
assert SMALL :[deadlock free]
`;

/** 100,000 states: more than are looked at for a picture. */
export const hundred = `channel a : {0..4}.{0..9}
CELL(i, v) = a.i?w:diff({0..9}, {v}) -> CELL(i, w)
BIG = ||| i : {0..4} @ CELL(i, 0)
TWICE = a?i?w -> a?j?v -> STOP
assert BIG :[deadlock free]
assert TWICE [T= BIG
`;

/** Choices that are made early and late, and with a step that nobody sees. */
export const games = `channel a, b, c
LATE = a -> (b -> STOP [] c -> STOP)
EARLY = a -> b -> STOP [] a -> c -> STOP
channel d
SILENT = (a -> d -> (b -> STOP [] c -> STOP)) \\ {d}
`;

/** A process that is made smaller before it is put together. */
export const squeezed = `transparent sbisim
channel a, b, c : {0..2}
CELL(n) = a.n -> b.n -> CELL(n) [] a.n -> b.n -> CELL'(n)
CELL'(n) = a.n -> b.n -> CELL'(n)
SYSTEM = ||| n : {0..2} @ sbisim(CELL(n))
assert SYSTEM :[deadlock free]
`;

/** Time passes in it. */
export const timed = `Press() = press -> Wait[2]; (release -> Skip timeout[3] late -> Skip); Press();
Lamp() = press -> (release -> Lamp() [] late -> Stop);
Both() = Press() || Lamp();
#assert Both() deadlockfree;
#assert Press() deadlockfree;
`;

/** Messages, a hand-over, and two places with the same words. */
export const post = `channel box 1;
channel hand 0;
var n = 0;
Sender() = put{n = n + 1;} -> box!1 -> Sender();
Carrier() = box?x -> hand!x -> Carrier();
Reader() = hand?x -> ([n < 2] read.x -> Reader());
Post() = Sender() ||| Carrier() ||| Reader();
#assert Post() deadlockfree;
`;

/** A counterexample of so many steps. */
export const long = (n) => `channel tick : {0..${n - 1}}
channel stop
COUNT(i) = if i == ${n} then stop -> STOP else tick.i -> COUNT(i+1)
WATCH = tick?i -> WATCH
assert WATCH [T= COUNT(0)
`;

export const many = (n) => `channel a\nP = a -> P\n${Array.from({ length: n }, () => "assert P :[deadlock free]").join("\n")}\n`;

export const counter = `var turn = 0;
var total = 0;
Left() = [turn == 0] left{turn = 1; total = (total + 1) % 9;} -> Left();
Right() = [turn == 1] right{turn = 0; total = (total + 2) % 9;} -> Right();
Both() = Left() ||| Right();
#define high total > 6;
#assert Both() reaches high;
#assert Both() deadlockfree;
`;
