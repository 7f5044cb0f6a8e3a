//! Diagnostics as text for people.
