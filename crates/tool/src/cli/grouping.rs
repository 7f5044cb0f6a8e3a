//! Formulas with only one possible grouping: a fully bracketed reading adds nothing.

/// Whether the brackets of a reading are those of the source, except for brackets around operands that need none.
pub fn is_plain(written: &str, reading: &str) -> bool {
    let (written, reading) = (grouped(tokens(written)), grouped(tokens(reading)));
    reading.is_empty() || written.windows(reading.len()).any(|part| part == reading)
}

/// Tokens of a formula; synonyms have one spelling.
fn tokens(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let signs = ["<=>", "<->", "=>", "->", "&&", "||", "[]", "<>", "~>"];
        let length = match signs.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => sign.len(),
            None if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        match token {
            "->" => tokens.push("=>".to_owned()),
            "<->" => tokens.push("<=>".to_owned()),
            "&&" => tokens.push("&".to_owned()),
            "||" => tokens.push("or".to_owned()),
            "[]" => tokens.push("G".to_owned()),
            "<>" => tokens.push("F".to_owned()),
            // Temporal operators written without blanks between them.
            word if word.chars().all(|c| "GFXYOH".contains(c)) => tokens.extend(word.chars().map(String::from)),
            blank if blank.trim().is_empty() => {}
            token => tokens.push(token.to_owned()),
        }
    }
    tokens
}

/// Tokens without the brackets that group nothing.
fn grouped(tokens: Vec<String>) -> Vec<String> {
    let mut is_kept = vec![true; tokens.len()];
    // For each open bracket its position, and whether it contains a binary operator.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" => open.push((place, false)),
            ")" => {
                if let Some((start, false)) = open.pop() {
                    is_kept[start] = false;
                    is_kept[place] = false;
                }
            }
            "&" | "or" | "=>" | "<=>" | "U" | "W" | "R" | "M" | "S" | "T" | "B" | "~>" => {
                if let Some((_, groups)) = open.last_mut() {
                    *groups = true;
                }
            }
            _ => {}
        }
    }
    let kept = tokens.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(token, _)| token);
    with_lists(kept)
}

/// `forall x:S @ forall y:T` as `forall x:S, y:T`.
fn with_lists(tokens: impl Iterator<Item = String>) -> Vec<String> {
    let mut listed: Vec<String> = Vec::new();
    let mut quantifier = String::new();
    for token in tokens {
        if matches!(token.as_str(), "forall" | "exists") {
            if quantifier == token && listed.last().is_some_and(|last| last == "@") {
                *listed.last_mut().expect("there is a last one") = ",".to_owned();
                continue;
            }
            quantifier.clone_from(&token);
        }
        listed.push(token);
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn brackets_that_need_not_be_written() {
        assert!(is_plain("P |= LTL: \"G F [a]\"", "G(F [a])"));
        assert!(is_plain("GF[a]", "G(F [a])"));
        assert!(is_plain("[](a -> <> b)", "G(a => F b)"));
        assert!(is_plain("a R not b", "a R (not b)"));
        assert!(is_plain("(((a)))", "a"));
        assert!(is_plain("forall x:A, y:D @ G c.x.y", "forall x:A @ (forall y:D @ G c.x.y)"));
    }

    #[test]
    fn significant_brackets() {
        assert!(!is_plain("a or b & c", "(a or b) & c"));
        assert!(!is_plain("G a U b", "(G a) U (b U c)"));
        assert!(!is_plain("a => b => c", "(a => b) => c"));
        assert!(!is_plain("[] a && b", "(G a) & (b or c)"));
        assert!(is_plain("G a U b", "(G a) U b"));
    }
}
