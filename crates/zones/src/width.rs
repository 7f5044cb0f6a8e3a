//! The number of words of a location, chosen at run time among sizes known at compile time.

/// `with_width!(n, W => body)`: the body with the constant `W` as the next size that holds `n` words.
macro_rules! with_width {
    ($n_words:expr, $W:ident => $body:expr) => {
        $crate::width::with_width!(@sizes $n_words, $W, $body, 1 2 4 16)
    };
    (@sizes $n_words:expr, $W:ident, $body:expr, $($size:literal)*) => {
        match $n_words {
            $(n if n <= $size => { const $W: usize = $size; Ok($body) })*
            n_words => Err(explore::TooWide::State { n_words }),
        }
    };
}
pub(crate) use with_width;
