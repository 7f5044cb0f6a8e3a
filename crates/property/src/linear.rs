//! Formulas whose atoms speak about a system.

use fixedbitset::FixedBitSet;
use ltl::logic::{Formula, Store};
use lts::Label;

/// A formula, what its atoms mean, and under which premises it is claimed.
#[derive(Clone, Debug)]
pub struct Property {
    /// Where the formula is kept.
    pub store: Store,
    /// What is claimed of every run.
    pub formula: Formula,
    /// What each atom says, by number.
    pub facts: Vec<Fact>,
    /// Which runs need not satisfy it.
    pub fairness: Fairness,
}

/// What an atom says about a position of a run: about its state, or about the step taken there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The step taken here is one of these. Never so where a run ends.
    Takes(Labels),
    /// A step of these is possible.
    Enables(Labels),
    /// A step of these is possible after silent steps, or at once.
    EnablesSilently(Labels),
    /// No step is possible.
    Stuck,
    /// Every step leads back here.
    Sink,
    /// Two steps or more are possible.
    Branches,
    /// The run has terminated.
    Terminated,
    /// This is the state in which runs begin.
    Initial,
    /// The state is one of these.
    Among(FixedBitSet),
    /// A condition on the variables of the state is true, by its number.
    Holds(u32),
}

/// A set of labels.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Labels(Box<[Label]>);

impl Labels {
    /// Whether a label is among them.
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

/// Which runs are fair: those that meet all conditions of one of the alternatives. Runs that end are always fair.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fairness {
    /// The alternatives; one without conditions lets every run be fair.
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

/// One demand on a run without end.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// Steps of these labels are taken again and again, if they are possible as the strength says.
    Labels(Strength, Labels),
    /// The same for each label of the system on its own.
    EachLabel(Strength),
    /// Each process takes part in steps again and again, if it can as the strength says.
    EachProcess(Strength),
    /// Each event happens again and again, if steps that are marked for it are possible as the mark says.
    EachMark,
    /// Each step that is possible in a state met again and again is taken again and again.
    EachStep,
    /// Time goes on without end: again and again some of it passes.
    TimePasses,
}

/// When something must be taken again and again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// Whatever is possible.
    Unconditional,
    /// If it is possible from some position on, always.
    Weak,
    /// If it is possible again and again.
    Strong,
}

impl Strength {
    /// Those that marks have.
    pub const OF_MARKS: [Strength; 2] = [Strength::Weak, Strength::Strong];
}

impl Condition {
    /// When it asks for something; nothing if there is more than one answer, none of which is *whatever is possible*.
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
