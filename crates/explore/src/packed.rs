//! Layout of packed states: bit fields in words.

/// A field inside the words of a state; it never straddles two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The index of the word.
    pub word: u32,
    /// The lowest bit.
    pub shift: u32,
    /// The number of bits; 0 for a constant.
    pub width: u32,
}

impl Field {
    /// The mask of the field in its word.
    pub fn mask(self) -> u64 {
        if self.width == 0 { 0 } else { (u64::MAX >> (64 - self.width)) << self.shift }
    }

    /// A value in the bits of the field.
    pub fn place(self, value: u32) -> u64 {
        if self.width == 0 { 0 } else { u64::from(value) << self.shift }
    }

    /// The value of the field in a state.
    pub fn get(self, words: &[u64]) -> u32 {
        if self.width == 0 { 0 } else { ((words[self.word as usize] & self.mask()) >> self.shift) as u32 }
    }

    /// Sets the value of the field in a state.
    pub fn set(self, words: &mut [u64], value: u32) {
        if self.width > 0 {
            let word = &mut words[self.word as usize];
            *word = *word & !self.mask() | self.place(value);
        }
    }
}

/// Packs fields with the given numbers of values into words, greedily and in order.
///
/// Returns the fields and the number of words, which is at least 1.
pub fn lay_out(n_values: &[u64]) -> (Vec<Field>, usize) {
    let mut words: Vec<u32> = vec![0];
    let fields = n_values
        .iter()
        .map(|&n| {
            let width = if n <= 1 { 0 } else { 64 - (n - 1).leading_zeros() };
            // Earlier words are nearly full, so only the last few are tried.
            let recent = words.len().saturating_sub(4);
            let fits = words[recent..].iter().position(|&used| used + width <= 64).map(|i| recent + i);
            let word = fits.unwrap_or_else(|| {
                words.push(0);
                words.len() - 1
            });
            let field = Field { word: word as u32, shift: words[word], width };
            words[word] += width;
            field
        })
        .collect();
    (fields, words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_values_apart() {
        let n_values: Vec<u64> = (0..60).map(|i| [1, 2, 3, 1000, 1 << 20, 1 << 32][i % 6]).collect();
        let (fields, n_words) = lay_out(&n_values);
        let mut words = vec![0; n_words];
        for (i, field) in fields.iter().enumerate() {
            field.set(&mut words, (n_values[i] - 1) as u32);
        }
        for (i, field) in fields.iter().enumerate() {
            assert_eq!(u64::from(field.get(&words)), n_values[i] - 1);
            field.set(&mut words, 0);
        }
        assert!(words.iter().all(|&word| word == 0));
    }

    #[test]
    fn small_fields_share_a_word() {
        assert_eq!(lay_out(&[4; 24]).1, 1);
        assert_eq!(lay_out(&[]).1, 1);
    }
}
