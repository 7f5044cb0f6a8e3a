//! Linear-time properties.

use fixedbitset::FixedBitSet;
use ltl::logic::{Formula, Store};
use lts::Label;

/// An LTL formula with the meaning of its atoms, and fairness as its premise.
#[derive(Clone, Debug)]
pub struct Property {
    /// The arena of the formula.
    pub store: Store,
    /// The claim about every run.
    pub formula: Formula,
    /// The meaning of each atom, by number.
    pub facts: Vec<Fact>,
    /// The runs that need to satisfy it.
    pub fairness: Fairness,
}

/// The meaning of an atom at a position of a run: a fact about its state, or about the step that leaves it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The step is one of these. False where a run ends.
    Takes(Labels),
    /// A step with one of these labels is enabled.
    Enables(Labels),
    /// A step with one of these labels is enabled after silent steps, or at once.
    EnablesSilently(Labels),
    /// No step is enabled.
    Stuck,
    /// Every step is a self-loop.
    Sink,
    /// Two steps or more are enabled.
    Branches,
    /// The run has terminated.
    Terminated,
    /// The state is initial.
    Initial,
    /// The state is one of these.
    Among(FixedBitSet),
    /// A condition on the variables of the state holds, by its number.
    Holds(u32),
}

/// A set of labels.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Labels(Box<[Label]>);

impl Labels {
    /// Whether a label is in the set.
    pub fn contains(&self, label: Label) -> bool {
        self.0.binary_search(&label).is_ok()
    }

    /// The labels in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Label> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<Label> for Labels {
    fn from_iter<I: IntoIterator<Item = Label>>(labels: I) -> Labels {
        let mut labels: Vec<Label> = labels.into_iter().collect();
        labels.sort_unstable();
        labels.dedup();
        Labels(labels.into())
    }
}

/// Fairness: a run is fair if it meets all conditions of one of the alternatives. Finite runs are always fair.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fairness {
    /// The alternatives; one without conditions makes every run fair.
    pub alternatives: Vec<Vec<Condition>>,
}

impl Default for Fairness {
    fn default() -> Fairness {
        Fairness { alternatives: vec![Vec::new()] }
    }
}

impl Fairness {
    /// Whether every run is fair.
    pub fn is_none(&self) -> bool {
        self.alternatives.iter().any(Vec::is_empty)
    }
}

/// A condition on infinite runs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// Steps with these labels are taken infinitely often, if they are enabled as the strength says.
    Labels(Strength, Labels),
    /// The condition [`Condition::Labels`] for each label of the system on its own.
    EachLabel(Strength),
    /// Each process takes part in steps infinitely often, if it can as the strength says.
    EachProcess(Strength),
    /// Each event occurs infinitely often, if steps that are marked for it are enabled as the mark says.
    EachMark,
    /// Each step that is enabled in a state visited infinitely often is taken infinitely often.
    EachStep,
    /// Time diverges (non-Zeno runs).
    TimePasses,
}

/// The premise under which steps must be taken infinitely often.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// In any case.
    Unconditional,
    /// If they are enabled continuously from some position on.
    Weak,
    /// If they are enabled infinitely often.
    Strong,
}

impl Strength {
    /// The strengths of marks.
    pub const OF_MARKS: [Strength; 2] = [Strength::Weak, Strength::Strong];
}

impl Condition {
    /// The strength. None if the condition has several, none of which is unconditional.
    pub fn strength(&self) -> Option<Strength> {
        match self {
            Condition::Labels(strength, _) | Condition::EachLabel(strength) | Condition::EachProcess(strength) => {
                Some(*strength)
            }
            Condition::TimePasses => Some(Strength::Unconditional),
            Condition::EachMark | Condition::EachStep => None,
        }
    }
}
