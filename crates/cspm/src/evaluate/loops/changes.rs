//! Maps and text that rounds change, and how that is taken back.

use super::super::map::Map;
use super::super::seq;
use super::super::value::Value;
use super::steps::{N_MAPS, Store};
use std::rc::Rc;

/// The most text that is written before it goes where it belongs.
const LONGEST_TEXT: usize = 1 << 14;

/// What rounds change before they are certain to come to their end, so that it can be taken back.
#[derive(Default)]
pub(super) struct Changes {
    /// What the maps had before this round.
    journal: Vec<(Store, i64, Option<Value>)>,
    /// What was written, and how much of it before this round.
    pub(super) text: Vec<u8>,
    n_written: usize,
}

impl Changes {
    /// Lets a map have a value for a key.
    #[inline(never)]
    pub(super) fn update(&mut self, map: &mut Rc<Map>, store: Store, key: i64, value: Value, keeps_journal: bool) {
        let before = Rc::make_mut(map).replace(key, value);
        if keeps_journal {
            self.journal.push((store, key, before));
        }
    }

    #[inline(never)]
    pub(super) fn write(&mut self, constant: &Value) {
        seq::write_ascii(constant, &mut self.text);
    }

    #[inline(never)]
    pub(super) fn write_number(&mut self, number: i64) {
        seq::write_number(number, &mut self.text);
    }

    /// The round has come to its end; whether more can be written.
    #[inline(never)]
    pub(super) fn settle(&mut self) -> bool {
        self.journal.clear();
        self.n_written = self.text.len();
        self.n_written <= LONGEST_TEXT
    }

    /// Takes back what a round has changed that is left to the closures.
    #[inline(never)]
    pub(super) fn take_back(&mut self, maps: &mut [Option<Rc<Map>>; N_MAPS]) {
        self.text.truncate(self.n_written);
        for (store, key, before) in self.journal.drain(..).rev() {
            let Some(map) = &mut maps[store as usize] else { continue };
            match before {
                Some(value) => Rc::make_mut(map).insert(Value::Int(key), value),
                None => Rc::make_mut(map).remove(&Value::Int(key)),
            }
        }
    }
}
