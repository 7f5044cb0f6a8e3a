//! Formulas as they are written.
