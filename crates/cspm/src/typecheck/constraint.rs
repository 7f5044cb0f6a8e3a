//! Type constraints (type classes).
//!
//! There are five constraints, decided on the structure of types. A constraint on a variable is recorded, and checked
//! when the variable is solved.

use super::solve::{Clash, Solver};
use super::store::{Node, Ty};

/// A constraint on types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Constraint {
    /// Equality: allows `==`.
    Eq,
    /// Order: allows `<`.
    Ord,
    /// May be an element of a set.
    Set,
    /// Misses no fields: allowed as an input, or as a field of a channel.
    Complete,
    /// The result of dotting a channel or constructor with all its fields.
    Yieldable,
}

impl Constraint {
    /// All constraints, in display order.
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

    /// The constraint of a name; `Inputable` is an older synonym of `Complete`.
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

    /// The union.
    pub fn union(self, other: Constraints) -> Constraints {
        Constraints(self.0 | other.0)
    }

    /// The set with one more constraint.
    pub fn with(self, constraint: Constraint) -> Constraints {
        Constraints(self.0 | 1 << constraint as u8)
    }

    /// Whether the set implies a constraint; `Set` follows from `Eq`.
    pub fn imply(self, constraint: Constraint) -> bool {
        self.holds(constraint) || (constraint == Constraint::Set && self.holds(Constraint::Eq))
    }

    /// The constraints that no other one implies, in order.
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
    /// Requires that `t` satisfies `constraint`; solves variables where that determines them.
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
            // Their orders are prefix and subset, which need equality of items only.
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
