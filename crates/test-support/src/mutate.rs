//! Damaged texts for robustness tests.
//!
//! A mutation takes a text from a collection and damages it a few times: bytes are flipped, deleted or doubled, tokens
//! swapped, dropped, repeated or taken from another text, brackets nested deeply. The same seed always gives the same
//! texts; tests print the seed, and `TEST_SEED` in the environment sets it.

/// Pseudo-random number generator: SplitMix64 (Steele, Lea and Flood, 2014, Fast splittable pseudorandom number
/// generators).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Generator with a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// Next number.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Number below `bound`; 0 when `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.number() % bound as u64) as usize }
    }

    /// Random item.
    ///
    /// # Panics
    /// When there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Seed of a random test: `TEST_SEED` if it is set, otherwise a constant. Failures should report it.
pub fn seed() -> u64 {
    std::env::var("TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_240_229)
}

/// Generator of damaged texts.
#[derive(Clone, Debug)]
pub struct Mutator {
    random: Random,
    texts: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
}

impl Mutator {
    /// Mutations of `texts`; tokens are also taken from one text into another.
    ///
    /// # Panics
    /// When there is no text at all.
    pub fn new(seed: u64, texts: Vec<Vec<u8>>) -> Mutator {
        assert!(!texts.is_empty(), "there is nothing to mutate");
        let mut tokens: Vec<Vec<u8>> = texts.iter().flat_map(|text| split_tokens(text)).map(<[u8]>::to_vec).collect();
        tokens.sort();
        tokens.dedup();
        Mutator { random: Random::new(seed), texts, tokens }
    }

    /// Next damaged text.
    pub fn next_text(&mut self) -> Vec<u8> {
        let i = self.random.below(self.texts.len());
        let mut text = self.texts[i].clone();
        for _ in 0..=self.random.below(6) {
            text = match self.random.below(4) {
                0 => self.hurt_bytes(text),
                _ => self.hurt_tokens(&text),
            };
        }
        text
    }

    fn hurt_bytes(&mut self, mut text: Vec<u8>) -> Vec<u8> {
        let at = self.random.below(text.len());
        let byte = self.random.number() as u8;
        match self.random.below(4) {
            _ if text.is_empty() => text.push(byte),
            0 => text[at] = byte,
            1 => text.truncate(at),
            2 => text.insert(at, byte),
            _ => {
                let end = (at + 1 + self.random.below(20)).min(text.len());
                text.drain(at..end);
            }
        }
        text
    }

    fn hurt_tokens(&mut self, text: &[u8]) -> Vec<u8> {
        let mut tokens = split_tokens(text);
        if tokens.is_empty() {
            return text.to_vec();
        }
        let (at, other) = (self.random.below(tokens.len()), self.random.below(tokens.len()));
        let foreign = self.random.pick(&self.tokens).clone();
        let pile = tokens[at].repeat(2 + self.random.below(200));
        match self.random.below(6) {
            0 => tokens.swap(at, other),
            1 => drop(tokens.remove(at)),
            2 => tokens.insert(at, tokens[other]),
            3 => tokens[at] = &foreign,
            4 => tokens.insert(at, &foreign),
            _ => tokens[at] = &pile,
        }
        tokens.concat()
    }
}

/// Splits a text into words, spaces and single other bytes; their concatenation is the text.
fn split_tokens(text: &[u8]) -> Vec<&[u8]> {
    text.chunk_by(|a, b| class(*a) == class(*b) && class(*a) != Class::Other).collect()
}

#[derive(PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Other,
}

fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'\'' => Class::Word,
        b' ' | b'\t' | b'\r' | b'\n' => Class::Space,
        _ => Class::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_make_up_the_text() {
        let text = b"P = a?x:{0..9} -> P\n";
        assert_eq!(split_tokens(text).concat(), text);
        assert_eq!(split_tokens(b"ab  <-c"), [&b"ab"[..], b"  ", b"<", b"-", b"c"]);
    }

    #[test]
    fn the_same_seed_gives_the_same_texts() {
        let make = |seed| {
            let mut mutator = Mutator::new(seed, vec![b"P = STOP".to_vec(), b"channel a : {0..3}".to_vec()]);
            (0..50).map(|_| mutator.next_text()).collect::<Vec<_>>()
        };
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
    }
}
