//! Clock values that refuse a set of edges for ever.
//!
//! Time never disables an edge, so every edge that becomes enabled is enabled at the last moment that the location
//! allows. The invariant that ends first determines this moment. Which one that is, and whether a clock will have
//! reached a limit by then, depends on differences of clocks only. So the values that refuse edges for ever are a union
//! of zones.

use crate::cell::Cell;
use crate::system::Location;
use crate::zone::{Limit, Zone};

/// Reports the values of a zone from which no edge with one of these guards is ever enabled, zone by zone. The zones
/// are disjoint if they have different last moments.
pub fn refusing<C: Cell>(zone: &Zone<C>, location: &Location, guards: &[&[Limit]], report: &mut impl FnMut(&Zone<C>)) {
    let unmet = |zone: &Zone<C>, last: Option<Limit>, report: &mut dyn FnMut(&Zone<C>)| {
        choose_unmet(zone, last, guards, report);
    };
    if location.is_urgent {
        unmet(zone, None, report);
    } else if location.bounds.is_empty() {
        if guards.is_empty() {
            report(zone);
        }
    } else if !guards.iter().any(|guard| guard.is_empty()) {
        for (number, &first) in location.bounds.iter().enumerate() {
            let others = location.bounds.iter().enumerate().filter(|&(other, _)| other != number);
            let mut part = zone.clone();
            let is_first = others.fold(true, |is_first, (other, &bound)| {
                // Of several invariants that end at once, the first one counts.
                let bound = Limit { is_strict: other < number, ..bound };
                is_first && tighten_beside(&mut part, bound, first)
            });
            if is_first {
                unmet(&part, Some(first), report);
            }
        }
    }
}

/// Restricts a zone to the values where a clock is within its limit when another clock reaches its own.
fn tighten_beside<C: Cell>(zone: &mut Zone<C>, limit: Limit, at: Limit) -> bool {
    let difference = limit.value - at.value;
    let cell = if limit.is_strict { C::below(difference) } else { C::at_most(difference) };
    limit.clock == at.clock && (difference > 0 || difference == 0 && !limit.is_strict)
        || limit.clock != at.clock && zone.tighten(limit.clock, at.clock, cell)
}

/// Reports the values at which each guard has an unsatisfied limit at the last moment: when a clock is at its limit, or
/// now if there is none.
fn choose_unmet<C: Cell>(zone: &Zone<C>, last: Option<Limit>, guards: &[&[Limit]], report: &mut dyn FnMut(&Zone<C>)) {
    let Some((&guard, others)) = guards.split_first() else {
        return report(zone);
    };
    for limit in guard {
        // The negation of a lower limit.
        let unmet = Limit { is_strict: !limit.is_strict, ..*limit };
        let mut part = zone.clone();
        let is_possible = match last {
            Some(last) => tighten_beside(&mut part, unmet, last),
            None => part.at_most(&[unmet]),
        };
        if is_possible {
            choose_unmet(&part, last, others, report);
        }
    }
}

/// Splits a zone, from whose values no silent edge is ever enabled, into parts in which each edge is taken from all
/// values or from none.
pub fn split<C: Cell>(zone: Zone<C>, location: &Location, guards: &[&[Limit]]) -> Vec<Zone<C>> {
    let mut parts = vec![zone];
    for &guard in guards.iter().filter(|guard| !guard.is_empty()) {
        let mut finer = Vec::new();
        for part in parts {
            let mut refused = Vec::new();
            refusing(&part, location, &[guard], &mut |zone| refused.push(zone.clone()));
            // A part from which only some values take the edge may be treated as if all did: the others have their own
            // part.
            refused.retain(|zone| *zone != part);
            finer.push(part);
            finer.append(&mut refused);
        }
        parts = finer;
    }
    parts
}
