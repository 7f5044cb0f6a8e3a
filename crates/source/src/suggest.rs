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
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit || a.len().min(b.len()) <= limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut best = replaced.min(row[j] + 1).min(last[j + 1] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|&distance| distance <= limit)
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
