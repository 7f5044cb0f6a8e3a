//! Can a run that is right for some time go wrong after that, wherever it begins?

use crate::certify::{base_proof, step_proof};
use crate::invariants::{Never, never_together};
use crate::property::Property;
use crate::unrolling::Unrolling;
use crate::{Answer, Batsat, Settings};
use lts::{Reason, Verdict};
use model::network::{Configuration, Network};
use progress::{Interrupt, Progress};

/// Proves a property by induction on the length of runs, or finds one that breaks it.
///
/// Two solvers take turns: one knows how the network begins, and looks for runs that go wrong; the other does not, and looks for runs of the same
/// length that go wrong at their end only, in states that are all different. If there is none, nothing goes wrong ever: a shortest
/// run that does would end in one.
pub fn prove_by_induction(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    progress: &dyn Progress,
) -> Answer {
    let (mut base, mut step) = (Batsat::new(progress), Batsat::new(progress));
    let mut from_start = Unrolling::new(network, property, settings.encoding, &mut base);
    let mut from_anywhere = Unrolling::new(network, property, settings.encoding, &mut step);
    let never = never_together(network);
    for depth in 0..=settings.depth {
        let is_proved = match from_start.break_next(depth, 1, progress) {
            Some(verdict) => return Answer::new(verdict, depth.saturating_sub(1)),
            None => from_anywhere.excludes_next(&never),
        };
        match is_proved {
            Ok(true) if settings.with_proof => {
                return Answer::new(Verdict::Holds, depth)
                    .proved(base_proof(network, property, settings, depth, progress))
                    .proved(step_proof(network, property, settings, depth, progress));
            }
            Ok(true) => return Answer::new(Verdict::Holds, depth),
            Ok(false) => {}
            Err(why) => return Answer::new(Verdict::Unknown(why.into()), depth),
        }
    }
    Answer::new(Verdict::Unknown(Reason::Depth), settings.depth)
}

impl Unrolling<'_> {
    /// Makes runs from anywhere longer by a step; whether none of these is right but at its end.
    fn excludes_next(&mut self, never: &[Never]) -> Result<bool, Interrupt> {
        self.extend_anywhere(never);
        let wrong = self.wrong();
        while self.clauses.solver.solve(&[wrong])? {
            // States are kept apart only where a solution has the same one twice: most pairs never meet.
            let states: Vec<(Configuration, Vec<bool>)> =
                (0..self.frames.len()).map(|place| self.whole(place)).collect();
            let twice = (0..states.len()).find_map(|left| {
                (left + 1..states.len()).find(|&right| states[left] == states[right]).map(|right| (left, right))
            });
            let Some((left, right)) = twice else {
                self.assume_right(self.frames.len() - 1);
                return Ok(false);
            };
            self.keep_apart(left, right);
        }
        Ok(true)
    }

    /// One more state, not known to be reached, but none that is known not to be.
    pub(crate) fn extend_anywhere(&mut self, never: &[Never]) {
        self.extend();
        if let Some(frame) = self.frames.last() {
            never.iter().for_each(|never| self.clauses.exclude(&never.lits(frame)));
        }
    }

    /// A state with the node of the specification.
    fn whole(&self, place: usize) -> (Configuration, Vec<bool>) {
        let frame = &self.frames[place];
        (frame.state(&*self.clauses.solver), frame.nodes.iter().map(|&lit| self.clauses.solver.is_true(lit)).collect())
    }

    /// Two states are different.
    pub(crate) fn keep_apart(&mut self, left: usize, right: usize) {
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
