//! Names that look like another.

/// The candidate nearest to `wanted`, if any is near enough to be meant.
pub fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match wanted.chars().count() {
        0..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    candidates
        .filter(|candidate| *candidate != wanted)
        .filter_map(|candidate| Some((distance(wanted, candidate, limit)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many letters to insert, delete, replace or swap with their neighbor; `None` beyond `limit`. A difference in case
/// alone counts one.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.eq_ignore_ascii_case(b) {
        return Some(1);
    }
    let (length, other) = (a.chars().count(), b.chars().count());
    if length.abs_diff(other) > limit || length.min(other) <= limit {
        return None;
    }
    Some(strsim::osa_distance(a, b)).filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_of_the_finger() {
        let names = ["coffee", "coin", "STOP", "System", "left"];
        assert_eq!(nearest("cofee", names.into_iter()), Some("coffee"));
        assert_eq!(nearest("SYSTEM", names.into_iter()), Some("System"));
        assert_eq!(nearest("cion", names.into_iter()), Some("coin"));
        assert_eq!(nearest("right", names.into_iter()), None);
        assert_eq!(nearest("x", ["y"].into_iter()), None);
    }
}
