//! What an operator may ask of a type.
//!
//! Five questions, each decided on the structure of the type; asked of a variable, the question is noted there and
//! answered when the variable is solved.

use super::solve::{Clash, Solver};
use super::store::{Node, Ty};

/// A question about a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Constraint {
    /// Can be compared with `==`.
    Eq,
    /// Can be compared with `<`.
    Ord,
    /// May be an element of a set.
    Set,
    /// Needs no further fields: may be input, or be the field of a channel.
    Complete,
    /// Is made by dotting a channel or constructor with all its fields.
    Yieldable,
}

impl Constraint {
    /// All of them, in the order in which schemes show them.
    pub const ALL: [Constraint; 5] =
        [Constraint::Eq, Constraint::Ord, Constraint::Set, Constraint::Complete, Constraint::Yieldable];

    /// The name in annotations.
    pub fn name(self) -> &'static str {
        match self {
            Constraint::Eq => "Eq",
            Constraint::Ord => "Ord",
            Constraint::Set => "Set",
            Constraint::Complete => "Complete",
            Constraint::Yieldable => "Yieldable",
        }
    }

    /// The constraint of that name; `Inputable` is an older word for `Complete`.
    pub fn from_name(name: &str) -> Option<Constraint> {
        match name {
            "Inputable" => Some(Constraint::Complete),
            _ => Constraint::ALL.into_iter().find(|constraint| constraint.name() == name),
        }
    }
}

/// A set of constraints.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Constraints(u8);

impl Constraints {
    /// No constraint.
    pub const NONE: Constraints = Constraints(0);

    /// The constraints of both.
    pub fn union(self, other: Constraints) -> Constraints {
        Constraints(self.0 | other.0)
    }

    /// With one more.
    pub fn with(self, constraint: Constraint) -> Constraints {
        Constraints(self.0 | 1 << constraint as u8)
    }

    /// Whether the constraint follows from those here; equality is all that sets need.
    pub fn imply(self, constraint: Constraint) -> bool {
        self.holds(constraint) || (constraint == Constraint::Set && self.holds(Constraint::Eq))
    }

    /// Those that do not follow from another one, in order.
    pub fn iter(self) -> impl Iterator<Item = Constraint> {
        let implied = move |constraint| {
            constraint == Constraint::Set && self.holds(Constraint::Eq) && self.holds(Constraint::Set)
        };
        Constraint::ALL.into_iter().filter(move |&constraint| self.holds(constraint) && !implied(constraint))
    }

    fn holds(self, constraint: Constraint) -> bool {
        self.0 & (1 << constraint as u8) != 0
    }
}

impl From<Constraint> for Constraints {
    fn from(constraint: Constraint) -> Constraints {
        Constraints::NONE.with(constraint)
    }
}

impl Solver {
    /// Makes `t` meet `constraint`, solving variables where that decides them.
    pub fn constrain(&mut self, constraint: Constraint, t: Ty) -> Result<(), Clash> {
        let t = self.store.find(t);
        if self.store.meets(t, constraint) {
            return Ok(());
        }
        self.spend()?;
        crate::stack::grow(|| self.constrain_node(constraint, t))?;
        if !matches!(self.store.node_at(t), Node::Var { .. } | Node::Link(_)) {
            self.store.remember(t, constraint);
        }
        Ok(())
    }

    fn constrain_node(&mut self, constraint: Constraint, t: Ty) -> Result<(), Clash> {
        use Constraint::*;
        let refuse = Err(Clash::Constraint { constraint, t });
        match self.store.node_at(t) {
            Node::Var { level, constraints } => {
                self.store.update(t, Node::Var { level, constraints: constraints.with(constraint) });
                Ok(())
            }
            Node::Rigid { constraints, .. } => {
                if constraints.imply(constraint) {
                    Ok(())
                } else {
                    refuse
                }
            }
            Node::Error => Ok(()),
            Node::Extendable(fields, result) => match constraint {
                Eq | Set => Ok(()),
                Ord => refuse,
                Yieldable => self.solve_fields(fields, Ty::NO_FIELDS, t),
                Complete => {
                    self.constrain(Complete, result)?;
                    self.solve_fields(fields, Ty::NO_FIELDS, t)
                }
            },
            Node::Event | Node::Datatype(_) if constraint == Ord => refuse,
            Node::Datatype(name) if constraint == Eq && !self.is_comparable(name) => refuse,
            Node::Event | Node::Datatype(_) => Ok(()),
            Node::Dot(left, right) => self.constrain_dot(constraint, t, left, right),
            _ if constraint == Yieldable => refuse,
            Node::Int | Node::Char => Ok(()),
            Node::Bool => {
                if constraint == Ord {
                    refuse
                } else {
                    Ok(())
                }
            }
            Node::Proc => {
                if matches!(constraint, Set | Complete) {
                    Ok(())
                } else {
                    refuse
                }
            }
            Node::Seq(_) | Node::Set(_) | Node::Tuple(_) | Node::Map(..) if constraint == Complete => Ok(()),
            // Order is prefix and subset, both of which need only equal elements.
            Node::Seq(item) | Node::Set(item) => self.constrain(if constraint == Ord { Eq } else { constraint }, item),
            Node::Tuple(items) => {
                (0..items.len()).try_for_each(|i| self.constrain(constraint, self.store.list(items)[i]))
            }
            Node::Map(key, value) => {
                self.constrain(constraint, key)?;
                self.constrain(constraint, value)
            }
            Node::Dotable(field, rest) if matches!(constraint, Eq | Set) => {
                self.constrain(constraint, field)?;
                self.constrain(constraint, rest)
            }
            _ => refuse,
        }
    }

    fn constrain_dot(&mut self, constraint: Constraint, t: Ty, left: Ty, right: Ty) -> Result<(), Clash> {
        match constraint {
            Constraint::Ord => Err(Clash::Constraint { constraint, t }),
            Constraint::Eq | Constraint::Set => {
                self.constrain(constraint, left)?;
                self.constrain(constraint, right)
            }
            Constraint::Complete | Constraint::Yieldable => {
                let items = self.evaluate_dot_list(t)?;
                if items.len() > 1 && constraint == Constraint::Yieldable {
                    return Err(Clash::Constraint { constraint, t });
                }
                items.into_iter().try_for_each(|item| self.constrain(constraint, item))
            }
        }
    }
}
