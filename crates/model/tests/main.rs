//! Integration tests, linked as one program.

mod data;
mod support;
mod validate;
