//! The predefined functions.

mod maps;
mod processes;
mod relations;
mod sequences;
mod sets;

use super::Evaluator;
use super::runtime_error::Eval;
use super::value::Value;
use super::variables::Args;
use super::{errors, seq};
use cspm::builtins::Builtin;
use cspm::syntax::ExprId;

impl Evaluator<'_> {
    /// A call with these arguments, which may be thunks.
    pub(super) fn call_builtin(&mut self, builtin: Builtin, mut args: Args, site: ExprId) -> Eval {
        use Builtin as B;
        let last = args.pop().unwrap_or(Value::Hole);
        let mut next = || args.pop().unwrap_or(Value::Hole);
        match builtin {
            B::Union | B::Inter | B::Diff => {
                let first = next();
                self.combine_sets(builtin, first, last, site)
            }
            B::BigUnion => self.big_union(last, site),
            B::BigInter => self.big_intersection(last, site),
            B::Member => {
                let element = next();
                self.member(element, last, site)
            }
            B::Card => self.cardinality(last, site),
            B::Empty => self.is_empty_set(last),
            B::ToSet => self.elements_as_set(last, site),
            B::ToSeq => self.elements_as_seq(last, site),
            B::PowerSet | B::AllSeqs => self.sets_over(builtin, last),
            B::AllMaps => {
                let keys = next();
                self.all_maps(keys, last)
            }
            B::Length => {
                let length = self.length(last, site)?;
                match i64::try_from(length) {
                    Ok(length) => Ok(Value::Int(length)),
                    Err(_) => Err(self.fail(errors::overflow(self.span(site)))),
                }
            }
            B::Null => Ok(Value::bool(matches!(self.whnf(last)?, Value::EmptySeq))),
            B::Head => self.head(last, site),
            B::Tail => self.tail_of(last, site),
            B::Concat => self.concat_all(last),
            B::Elem => {
                let element = next();
                self.is_element(element, last, site)
            }
            B::Extensions => {
                let value = self.whnf(last)?;
                Ok(Value::Set(self.extensions(&value, site)?))
            }
            B::Productions => {
                let value = self.whnf(last)?;
                Ok(Value::Set(self.productions(&value, site)?))
            }
            B::MapFromList => self.map_from_list(last, site),
            B::MapToList => self.map_to_list(last),
            B::MapLookup | B::MapMember | B::MapDelete => {
                let map = next();
                self.map_with_key(builtin, map, last, site)
            }
            B::MapUpdate => {
                let key = next();
                let map = next();
                self.map_update(map, key, last, site)
            }
            B::MapUpdateMultiple => {
                let map = next();
                self.map_update_multiple(map, last, site)
            }
            B::Error => self.error(last, site),
            B::Show => self.shown(last, site),
            B::MTransClose => {
                let relation = next();
                self.transitive_closure(relation, last, site)
            }
            B::Transpose => self.transpose(last, site),
            B::RelationalImage | B::RelationalInverseImage => match args.pop() {
                Some(index) => self.image(&index, last, site),
                None => self.index_relation(builtin, last, site),
            },
            B::Events => Ok(Value::Set(self.all_events()?)),
            _ => {
                args.push(last);
                self.process_builtin(builtin, args, site)
            }
        }
    }

    /// A value as text.
    pub(super) fn shown(&mut self, value: Value, site: ExprId) -> Eval {
        match self.deep(value, site)? {
            Value::Int(number) => Ok(seq::from_number(number)),
            value => Ok(seq::from_text(&self.show_text(&value)?)),
        }
    }

    fn error(&mut self, message: Value, site: ExprId) -> Eval {
        let value = self.deep(message, site)?;
        let text: String = super::order::forced_elements(&value)
            .map(|element| if let Value::Char(char) = element { char.get() } else { '?' })
            .collect();
        Err(self.fail(errors::raised(self.span(site), &text)))
    }
}
