//! Comprehensions over sets, and every other construct with generators.

use super::code::{Arg, Op};
use super::code::{Comprehension, Pattern, Step, Yield};
use super::map::Map;
use super::runtime_error::Eval;
use super::seq::Walk;
use super::set::{self, Elements, Set};
use super::value::Value;
use super::{Evaluator, errors};
use cspm::syntax::ExprId;
use std::rc::Rc;

/// The source of a generator.
#[derive(Clone)]
pub(super) enum Draw {
    Set(Elements),
    Seq(Walk),
}

impl Evaluator<'_> {
    /// Runs `each` for every way through the steps.
    pub(super) fn rounds(
        &mut self,
        steps: &[Step],
        base: usize,
        each: &mut dyn FnMut(&mut Self) -> Eval<()>,
    ) -> Eval<()> {
        let Some((step, rest)) = steps.split_first() else { return each(self) };
        match step {
            Step::Filter(condition) => match self.truth(&condition.op, base)? {
                true => self.rounds(rest, base, each),
                false => Ok(()),
            },
            Step::Generator { source, pattern, site, .. } => {
                let source = self.eval(source, base)?;
                let mut draw = self.draw(source, *site)?;
                while let Some(element) = self.drawn(&mut draw)? {
                    let matched = match pattern {
                        Pattern::Bind(slot) => {
                            self.stack[base + *slot as usize] = element;
                            true
                        }
                        pattern => self.matches(pattern, element, base)?,
                    };
                    if matched {
                        self.rounds(rest, base, each)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Prepares to draw from a set or a sequence.
    pub(super) fn draw(&mut self, source: Value, site: ExprId) -> Eval<Draw> {
        match source {
            Value::Set(set) => Ok(Draw::Set(self.elements(&set, site)?)),
            source => Ok(Draw::Seq(Walk::new(source))),
        }
    }

    /// The next element.
    pub(super) fn drawn(&mut self, draw: &mut Draw) -> Eval<Option<Value>> {
        match draw {
            Draw::Set(elements) => {
                self.tick()?;
                Ok(elements.next())
            }
            Draw::Seq(walk) => self.next_element(walk),
        }
    }

    /// The elements of a set, one by one.
    pub(super) fn elements(&mut self, set: &Rc<Set>, site: ExprId) -> Eval<Elements> {
        self.prepare(set)?;
        let elements = set::elements(set, &self.watch);
        self.about_sets(elements, site)
    }

    /// The elements of a set, all at once.
    pub(super) fn listed(&mut self, set: &Rc<Set>, site: ExprId) -> Eval<Vec<Value>> {
        self.prepare(set)?;
        let listed = set::listed(set, &self.watch);
        self.about_sets(listed, site)
    }

    /// The set of these elements, in any order, fully evaluated.
    pub(super) fn set_of(&mut self, elements: Vec<Value>, site: ExprId) -> Eval {
        let sorted = self.watch.sort(elements);
        self.about_sets(sorted, site).map(|sorted| Value::set(Set::sorted(sorted)))
    }

    pub(super) fn comprehension(&mut self, comprehension: &Comprehension, base: usize) -> Eval {
        let (results, site) = (&comprehension.results, comprehension.site);
        if comprehension.yields == Yield::Element {
            let mut elements = Vec::new();
            self.rounds(&comprehension.steps, base, &mut |this| {
                for result in results {
                    let element = this.eval(result, base)?;
                    elements.push(this.deep(element, site)?);
                }
                match elements.len() {
                    full if full as u128 > set::MAX_ELEMENTS => this.tidy(&mut elements, site),
                    _ => Ok(()),
                }
            })?;
            return self.set_of(elements, site);
        }
        let mut sets = Vec::new();
        self.rounds(&comprehension.steps, base, &mut |this| {
            for result in results {
                let value = this.eval(result, base)?;
                sets.push(match comprehension.yields {
                    Yield::Completions => this.productions(&value, site)?,
                    _ => this.expect_set(value)?,
                });
            }
            Ok(())
        })?;
        let union = set::union_all(sets, &self.watch);
        Ok(Value::Set(self.about_sets(union, site)?))
    }

    pub(super) fn set_literal(&mut self, elements: &[Op], site: ExprId, base: usize) -> Eval {
        let mut values = Vec::with_capacity(elements.len());
        for element in elements {
            let value = self.eval(element, base)?;
            values.push(self.deep(value, site)?);
        }
        self.set_of(values, site)
    }

    pub(super) fn map_literal(&mut self, entries: &[(Op, Arg)], base: usize) -> Eval {
        let mut map = Map::default();
        for (key, value) in entries {
            let key = self.eval(key, base)?;
            let key = self.deep(key, ExprId(0))?;
            let value = self.arg(value, base)?;
            map.insert(key, value);
        }
        Ok(Value::Map(Rc::new(map)))
    }

    pub(super) fn completions_of(&mut self, parts: &[Op], site: ExprId, base: usize) -> Eval {
        let mut sets = Vec::with_capacity(parts.len());
        for part in parts {
            let value = self.eval(part, base)?;
            sets.push(self.productions(&value, site)?);
        }
        let union = set::union_all(sets, &self.watch);
        Ok(Value::Set(self.about_sets(union, site)?))
    }

    /// Makes room by dropping duplicates; if there are few, the set is too large.
    fn tidy(&mut self, elements: &mut Vec<Value>, site: ExprId) -> Eval<()> {
        let sorted = self.watch.sort(std::mem::take(elements));
        *elements = self.about_sets(sorted, site)?;
        let count = elements.len() as u128;
        match count > set::MAX_ELEMENTS / 2 {
            true => Err(self.fail(errors::set_too_large(self.span(site), count))),
            false => Ok(()),
        }
    }

    /// A set, as the types promise.
    pub(super) fn expect_set(&mut self, value: Value) -> Eval<Rc<Set>> {
        match self.whnf(value)? {
            Value::Set(set) => Ok(set),
            other => Err(self.confused("a set", &other)),
        }
    }
}
