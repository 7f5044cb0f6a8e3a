//! Functions on maps.

use super::super::Evaluator;
use super::super::errors;
use super::super::map::Map;
use super::super::runtime_error::Eval;
use super::super::seq;
use super::super::value::Value;
use cspm::builtins::Builtin;
use cspm::syntax::ExprId;
use std::rc::Rc;

impl Evaluator<'_> {
    fn expect_map(&mut self, value: Value) -> Eval<Rc<Map>> {
        match self.whnf(value)? {
            Value::Map(map) => Ok(map),
            other => Err(self.confused("a map", &other)),
        }
    }

    /// The key and the value of each pair of a sequence, keys fully evaluated.
    fn pairs(&mut self, list: Value, site: ExprId) -> Eval<Vec<(Value, Value)>> {
        let items = self.collect(list, site)?;
        let mut pairs = Vec::with_capacity(items.len());
        for item in items {
            match self.whnf(item)? {
                Value::Tuple(node) if node.items.len() == 2 => {
                    pairs.push((self.deep(node.items[0].clone(), site)?, node.items[1].clone()));
                }
                other => return Err(self.confused("a pair", &other)),
            }
        }
        Ok(pairs)
    }

    pub(super) fn map_from_list(&mut self, list: Value, site: ExprId) -> Eval {
        let mut map = Map::default();
        for (key, value) in self.pairs(list, site)? {
            map.insert(key, value);
        }
        Ok(Value::Map(Rc::new(map)))
    }

    pub(super) fn map_to_list(&mut self, value: Value) -> Eval {
        let map = self.expect_map(value)?;
        let pairs = map.iter().map(|(key, value)| Value::pair(key, value.clone()));
        Ok(seq::from_vec(pairs.collect()))
    }

    pub(in super::super) fn map_with_key(&mut self, builtin: Builtin, map: Value, key: Value, site: ExprId) -> Eval {
        let mut map = self.expect_map(map)?;
        let key = self.deep(key, site)?;
        match builtin {
            Builtin::MapMember => Ok(Value::bool(map.get(&key).is_some())),
            Builtin::MapDelete => {
                Rc::make_mut(&mut map).remove(&key);
                Ok(Value::Map(map))
            }
            _ => match map.get(&key) {
                Some(value) => self.whnf(value.clone()),
                None => {
                    let text = self.brief(&key);
                    Err(self.fail(errors::missing_key(self.span(site), &text)))
                }
            },
        }
    }

    pub(in super::super) fn map_update(&mut self, map: Value, key: Value, value: Value, site: ExprId) -> Eval {
        let mut map = self.expect_map(map)?;
        let key = self.deep(key, site)?;
        Rc::make_mut(&mut map).insert(key, value);
        Ok(Value::Map(map))
    }

    /// Of several pairs with one key the first wins.
    pub(super) fn map_update_multiple(&mut self, map: Value, list: Value, site: ExprId) -> Eval {
        let mut map = self.expect_map(map)?;
        for (key, value) in self.pairs(list, site)?.into_iter().rev() {
            Rc::make_mut(&mut map).insert(key, value);
        }
        Ok(Value::Map(map))
    }
}
