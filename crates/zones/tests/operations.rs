//! Operations on zones compared with their definitions on single values.

use test_support::mutate::{Random, seed};
use zones::{Cell, Limit, Limits, Location, Zone, is_simulated, refusing};

/// Parts of a unit: enough for every nonempty zone over two clocks to contain a multiple.
const UNIT: i32 = 8;
/// The largest constant.
const MOST: i32 = 3;
/// Values beyond this are equivalent to smaller ones.
const END: i32 = 9 * UNIT;
const N_CLOCKS: usize = 2;

type Value = [i32; N_CLOCKS];

fn values() -> impl Iterator<Item = Value> {
    (0..END).flat_map(|x| (0..END).map(move |y| [x, y]))
}

/// Values near the constants; larger ones may be their witnesses.
fn near() -> impl Iterator<Item = Value> {
    values().filter(|value| value.iter().all(|&clock| clock < (MOST + 2) * UNIT))
}

/// Some of these; values between them may be their witnesses.
fn coarse() -> impl Iterator<Item = Value> {
    near().filter(|value| value.iter().all(|clock| clock % 2 == 0))
}

fn has(zone: &Zone<i16>, value: Value) -> bool {
    let at = |clock: usize| if clock == 0 { 0 } else { value[clock - 1] };
    let fits = |i: usize, j: usize| match zone.get(i, j).limit() {
        Some((limit, true)) => at(i) - at(j) < limit * UNIT,
        Some((limit, false)) => at(i) - at(j) <= limit * UNIT,
        None => true,
    };
    (0..=N_CLOCKS).all(|i| (0..=N_CLOCKS).all(|j| fits(i, j)))
}

fn cell(random: &mut Random, low: i32, high: i32) -> i16 {
    let limit = low + random.below((high - low + 1) as usize) as i32;
    if random.below(2) == 0 { i16::at_most(limit) } else { i16::below(limit) }
}

/// A nonempty zone with bounds up to the largest constant.
fn zone(random: &mut Random) -> Zone<i16> {
    loop {
        let mut zone = Zone::everything(N_CLOCKS);
        let is_possible = (0..random.below(6)).all(|_| {
            let (i, j) = (random.below(N_CLOCKS + 1), random.below(N_CLOCKS + 1));
            let bound = cell(random, -MOST, MOST);
            i == j || zone.tighten(i, j, bound)
        });
        if is_possible {
            return zone;
        }
    }
}

fn limit(random: &mut Random, may_be_strict: bool) -> Limit {
    let value = random.below(MOST as usize + 1) as i32;
    Limit { clock: 1 + random.below(N_CLOCKS), value, is_strict: may_be_strict && random.below(2) == 0 }
}

fn limits(random: &mut Random) -> Vec<Limits> {
    let mut one = || random.below(MOST as usize + 2) as i32 - 1;
    (0..N_CLOCKS).map(|_| Limits { lower: one(), upper: one() }).collect()
}

fn each(rounds: usize, mut test: impl FnMut(&mut Random)) {
    for round in 0..rounds {
        let seed = seed().wrapping_add(round as u64);
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(&mut Random::new(seed))));
        assert!(attempt.is_ok(), "TEST_SEED={seed}");
    }
}

/// Checks that a zone is canonical.
fn check_canonical(zone: &Zone<i16>) {
    let mut closed = zone.clone();
    assert!(closed.close());
    assert_eq!(*zone, closed);
}

#[test]
fn bounds_are_intersections() {
    each(150, |random| {
        let before = zone(random);
        let (i, j) = (random.below(3), random.below(3));
        let bound = cell(random, -MOST, MOST);
        let mut after = before.clone();
        if i != j && after.tighten(i, j, bound) {
            check_canonical(&after);
            let mut bound_only = Zone::everything(N_CLOCKS);
            assert!(bound_only.tighten(i, j, bound));
            assert!(values().all(|value| has(&after, value) == (has(&before, value) && has(&bound_only, value))));
        } else if i != j {
            let at = |value: Value, clock: usize| if clock == 0 { 0 } else { value[clock - 1] };
            let (limit, is_strict) = bound.limit().expect("it is a bound");
            let fits = |value| {
                let difference = at(value, i) - at(value, j);
                difference < limit * UNIT || difference == limit * UNIT && !is_strict
            };
            assert!(!values().any(|value| has(&before, value) && fits(value)));
        }
    });
}

#[test]
fn several_limits_agree_with_single_ones() {
    each(2000, |random| {
        let before = zone(random);
        let limits: Vec<Limit> = (0..random.below(4)).map(|_| limit(random, true)).collect();
        let bound = |limit: &Limit, is_upper: bool| {
            let value = if is_upper { limit.value } else { -limit.value };
            if limit.is_strict { i16::below(value) } else { i16::at_most(value) }
        };
        let (mut above, mut one_by_one) = (before.clone(), before.clone());
        let is_possible = limits.iter().all(|limit| one_by_one.tighten(limit.clock, 0, bound(limit, true)));
        assert_eq!(above.at_most(&limits), is_possible);
        assert!(!is_possible || above == one_by_one);
        let (mut beneath, mut one_by_one) = (before.clone(), before);
        let is_possible = limits.iter().all(|limit| one_by_one.tighten(0, limit.clock, bound(limit, false)));
        assert_eq!(beneath.at_least(&limits), is_possible);
        assert!(!is_possible || beneath == one_by_one);
    });
}

#[test]
fn time_passes() {
    each(60, |random| {
        let before = zone(random);
        let mut after = before.clone();
        after.delay();
        check_canonical(&after);
        let was_there = |value: Value| (0..=value[0].min(value[1])).any(|t| has(&before, [value[0] - t, value[1] - t]));
        assert!(coarse().all(|value| has(&after, value) == was_there(value)));
    });
}

#[test]
fn clocks_are_dropped_started_and_renamed() {
    each(60, |random| {
        let before = zone(random);
        let sources: Vec<u8> = (0..N_CLOCKS).map(|_| random.below(N_CLOCKS + 1) as u8).collect();
        let mut after = Zone::default();
        before.rename(&sources, &mut after);
        check_canonical(&after);
        let image = |value: Value| {
            let of = |source: u8| if source == 0 { 0 } else { value[source as usize - 1] };
            [of(sources[0]), of(sources[1])]
        };
        let images: std::collections::HashSet<Value> =
            values().filter(|&value| has(&before, value)).map(image).collect();
        assert!(coarse().all(|value| has(&after, value) == images.contains(&value)));
    });
}

#[test]
fn containment_is_that_of_values() {
    each(100, |random| {
        let (one, other) = (zone(random), zone(random));
        let is_within = values().all(|value| !has(&one, value) || has(&other, value));
        assert_eq!(one.is_within(&other), is_within);
        assert_eq!(one == other, is_within && other.is_within(&one));
    });
}

/// Whether two values are equivalent with respect to the limits.
fn is_alike(one: Value, other: Value, most: [i32; N_CLOCKS]) -> bool {
    let is_beyond = |value: Value, clock: usize| value[clock] > most[clock] * UNIT;
    let (whole, part) =
        (|value: Value, clock: usize| value[clock] / UNIT, |value: Value, clock: usize| value[clock] % UNIT);
    let same = |clock: usize| match (is_beyond(one, clock), is_beyond(other, clock)) {
        (false, false) => {
            whole(one, clock) == whole(other, clock) && (part(one, clock) == 0) == (part(other, clock) == 0)
        }
        (left, right) => left == right,
    };
    let is_ordered = (0..N_CLOCKS).any(|clock| is_beyond(one, clock))
        || part(one, 0).cmp(&part(one, 1)) == part(other, 0).cmp(&part(other, 1));
    same(0) && same(1) && is_ordered
}

#[test]
fn extrapolation_adds_equivalent_values() {
    let mut n_larger = 0;
    each(100, |random| {
        let (before, limits) = (zone(random), limits(random));
        let mut after = before.clone();
        after.extrapolate(&limits, &mut Vec::new());
        check_canonical(&after);
        assert!(before.is_within(&after));
        n_larger += usize::from(before != after);
        let most = [0, 1].map(|clock: usize| limits[clock].lower.max(limits[clock].upper));
        let old: Vec<Value> = values().filter(|&value| has(&before, value)).collect();
        let added = near().filter(|&value| has(&after, value) && !has(&before, value));
        for value in added {
            assert!(old.iter().any(|&other| is_alike(value, other, most)), "{before:?} {limits:?} {value:?}");
        }
    });
    assert!(n_larger > 20, "{n_larger} of 100 are larger");
}

/// Whether a value simulates another one with respect to the limits.
fn simulates(stronger: Value, weaker: Value, limits: &[Limits]) -> bool {
    (0..N_CLOCKS).all(|clock| {
        let (new, old) = (stronger[clock], weaker[clock]);
        let Limits { lower, upper } = limits[clock];
        let above = |value: i32, limit: i32| limit == Limits::NONE || value > limit * UNIT;
        new == old || above(new, lower) && new < old || above(old, upper) && old < new
    })
}

#[test]
fn extrapolation_adds_simulated_values() {
    let mut n_larger = 0;
    each(100, |random| {
        let (before, limits) = (zone(random), limits(random));
        let mut after = before.clone();
        after.extrapolate_by_simulation(&limits, &mut Vec::new());
        check_canonical(&after);
        assert!(before.is_within(&after));
        n_larger += usize::from(before != after);
        let old: Vec<Value> = values().filter(|&value| has(&before, value)).collect();
        let added = near().filter(|&value| has(&after, value) && !has(&before, value));
        for value in added {
            assert!(old.iter().any(|&other| simulates(other, value, &limits)), "{before:?} {limits:?} {value:?}");
        }
        assert!(is_simulated(after.cells(), before.cells(), &limits));
    });
    assert!(n_larger > 20, "{n_larger} of 100 are larger");
}

#[test]
fn simulation_is_that_of_values() {
    let mut n_simulated = 0;
    each(80, |random| {
        let (smaller, larger, limits) = (zone(random), zone(random), limits(random));
        let there: Vec<Value> = values().filter(|&value| has(&larger, value)).collect();
        let mut here = near().filter(|&value| has(&smaller, value));
        let expected = here.all(|value| there.iter().any(|&other| simulates(other, value, &limits)));
        assert_eq!(
            is_simulated(smaller.cells(), larger.cells(), &limits),
            expected,
            "{smaller:?} {larger:?} {limits:?}"
        );
        n_simulated += usize::from(expected && !smaller.is_within(&larger));
    });
    assert!(n_simulated > 4, "{n_simulated} are simulated and not contained");
}

#[test]
fn refusals_are_those_at_the_last_moment() {
    let mut n_refusing = 0;
    each(150, |random| {
        let mut location = Location { is_urgent: random.below(4) == 0, ..Location::default() };
        location.bounds = (0..random.below(3)).map(|_| limit(random, false)).collect();
        let guards: Vec<Vec<Limit>> =
            (0..random.below(3)).map(|_| (0..1 + random.below(2)).map(|_| limit(random, true)).collect()).collect();
        let guards: Vec<&[Limit]> = guards.iter().map(Vec::as_slice).collect();
        let mut zone = zone(random);
        if !zone.at_most(&location.bounds) {
            return;
        }
        let mut parts = Vec::new();
        refusing(&zone, &location, &guards, &mut |part| parts.push(part.clone()));
        let is_met = |value: Value, limit: &Limit| {
            let (clock, least) = (value[limit.clock - 1], limit.value * UNIT);
            clock > least || clock == least && !limit.is_strict
        };
        let refuses = |value: Value| {
            let left = location.bounds.iter().map(|bound| bound.value * UNIT - value[bound.clock - 1]);
            let most = left.chain(location.is_urgent.then_some(0)).min().unwrap_or(END);
            let last = value.map(|clock| clock + most);
            !guards.iter().any(|guard| guard.iter().all(|limit| is_met(last, limit)))
        };
        n_refusing += usize::from(!parts.is_empty() && !guards.is_empty());
        for value in values().filter(|&value| has(&zone, value)) {
            assert_eq!(parts.iter().any(|part| has(part, value)), refuses(value), "{value:?}");
        }
    });
    assert!(n_refusing > 15, "{n_refusing} refuse something");
}
