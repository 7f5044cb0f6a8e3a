//! Can a run that is right for some time go wrong after that, wherever it begins?

use crate::invariants::{Never, never_together};
use crate::property::Property;
use crate::unrolling::Unrolling;
use crate::{Answer, Solver};
use lts::{Reason, Verdict};
use model::network::{Configuration, Network};
use progress::{Interrupt, Progress};

/// Proves a property by induction on the length of runs, or finds one that breaks it, with at most `max_depth` steps before the end.
///
/// Two solvers take turns: `base` knows how the network begins, and looks for runs that go wrong; `step` does not, and looks for runs of the same
/// length that go wrong at their end only, in states that are all different. If there is none, nothing goes wrong ever: a shortest
/// run that does would end in one.
pub fn prove_by_induction(
    network: &Network,
    property: &Property<'_>,
    (base, step): (&mut dyn Solver, &mut dyn Solver),
    max_depth: u64,
    progress: &dyn Progress,
) -> Answer {
    let mut from_start = Unrolling::new(network, property, base);
    let mut from_anywhere = Unrolling::new(network, property, step);
    let never = never_together(network);
    for depth in 0..=max_depth {
        let is_proved = match from_start.break_next(depth, progress) {
            Some(verdict) => return Answer { verdict, depth: depth.saturating_sub(1) },
            None => from_anywhere.excludes_next(&never),
        };
        match is_proved {
            Ok(true) => return Answer { verdict: Verdict::Holds, depth },
            Ok(false) => {}
            Err(why) => return Answer { verdict: Verdict::Unknown(why.into()), depth },
        }
    }
    Answer { verdict: Verdict::Unknown(Reason::Depth), depth: max_depth }
}

impl Unrolling<'_> {
    /// Makes runs from anywhere longer by a step; whether none of these is right but at its end.
    fn excludes_next(&mut self, never: &[Never]) -> Result<bool, Interrupt> {
        self.extend();
        if let Some(frame) = self.frames.last() {
            never.iter().for_each(|never| self.clauses.exclude(&never.lits(frame)));
        }
        let wrong = self.wrong();
        while self.clauses.solver.solve(&[wrong])? {
            // States are kept apart only where a solution has the same one twice: most pairs never meet.
            let states: Vec<(Configuration, Vec<bool>)> =
                (0..self.frames.len()).map(|place| self.whole(place)).collect();
            let twice = (0..states.len()).find_map(|left| {
                (left + 1..states.len()).find(|&right| states[left] == states[right]).map(|right| (left, right))
            });
            let Some((left, right)) = twice else {
                self.assume_right();
                return Ok(false);
            };
            self.keep_apart(left, right);
        }
        Ok(true)
    }

    /// A state with the node of the specification.
    fn whole(&self, place: usize) -> (Configuration, Vec<bool>) {
        let frame = &self.frames[place];
        (frame.state(&*self.clauses.solver), frame.nodes.iter().map(|&lit| self.clauses.solver.is_true(lit)).collect())
    }

    fn keep_apart(&mut self, left: usize, right: usize) {
        let (clauses, left, right) = (&mut self.clauses, &self.frames[left], &self.frames[right]);
        let mut differ = Vec::new();
        for (here, there) in left.choices().zip(right.choices()) {
            if here.len() > 1 {
                let differs = clauses.solver.variable();
                here.iter().zip(there).for_each(|(&one, &other)| clauses.exclude(&[differs, one, other]));
                differ.push(differs);
            }
        }
        for (here, there) in left.cells.iter().zip(&right.cells) {
            for (&one, &other) in here.bits.iter().zip(&there.bits).filter(|(one, other)| one != other) {
                let differs = clauses.solver.variable();
                clauses.add(&[!differs, one, other]);
                clauses.add(&[!differs, !one, !other]);
                differ.push(differs);
            }
        }
        clauses.add(&differ);
    }
}
