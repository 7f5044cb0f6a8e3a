//! Runs of operands put together to a run of the whole.

use super::route::Leg;
use super::{LiftedRun, Place};
use crate::compile::compress::CompressedOperand;
use lts::Label;
use model::network::{Configuration, MachineId};
use std::rc::Rc;
use std::sync::Arc;

/// The lives of a machine.
pub(super) struct Lives {
    pub(super) machine: MachineId,
    pub(super) compressed: Arc<CompressedOperand>,
    pub(super) manner: Manner,
    pub(super) runs: Vec<Rc<LiftedRun>>,
}

/// When the silent steps of an operand are taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Manner {
    /// Those of the operand, just before its next event. Their order matters to priorities only.
    Loose,
    /// When the machine takes them: there are as many.
    Exact,
}

pub(super) struct Weaver {
    lifted: LiftedRun,
    cursors: Vec<Cursor>,
    configuration: Configuration,
}

/// Where a machine is.
struct Cursor {
    machine: MachineId,
    manner: Manner,
    /// Its runs among those of the whole.
    runs: Vec<usize>,
    life: usize,
    place: usize,
}

impl Weaver {
    pub(super) fn new(initial: &Configuration, all: Vec<Lives>) -> Weaver {
        let mut runs = Vec::new();
        let mut cursors = Vec::new();
        for lives in all {
            let first = runs.len();
            runs.extend(lives.runs.into_iter().map(|run| (lives.compressed.clone(), run)));
            let (machine, manner, runs) = (lives.machine, lives.manner, (first..runs.len()).collect());
            cursors.push(Cursor { machine, manner, runs, life: 0, place: 0 });
        }
        let lifted = LiftedRun { labels: Vec::new(), places: Vec::new(), loop_start: None, runs };
        let mut weaver = Weaver { lifted, cursors, configuration: initial.clone() };
        weaver.stand();
        weaver
    }

    pub(super) fn n_steps(&self) -> usize {
        self.lifted.labels.len()
    }

    fn stand(&mut self) {
        let at = |cursor: &Cursor| (cursor.machine, cursor.runs[cursor.life.min(cursor.runs.len() - 1)], cursor.place);
        let inner = self.cursors.iter().map(at).collect();
        self.lifted.places.push(Place { configuration: self.configuration.clone(), inner });
    }

    fn emit(&mut self, label: Label) {
        self.lifted.labels.push(label);
        self.stand();
    }

    /// The next label of the operand of a machine, if there is one.
    fn next(&self, cursor: usize) -> Option<Label> {
        let cursor = &self.cursors[cursor];
        self.lifted.runs[cursor.runs[cursor.life]].1.labels.get(cursor.place).copied()
    }

    fn advance(&mut self, cursor: usize) {
        let cursor = &mut self.cursors[cursor];
        let run = &self.lifted.runs[cursor.runs[cursor.life]].1;
        cursor.place += 1;
        if let (true, Some(again)) = (cursor.place == run.labels.len(), run.loop_start) {
            cursor.place = again;
        }
    }

    fn cursor_of(&self, machine: MachineId) -> Option<usize> {
        self.cursors.iter().position(|cursor| cursor.machine == machine)
    }

    /// Takes a step; None if an operand does not do its part.
    pub(super) fn step(&mut self, leg: &Leg) -> Option<()> {
        for part in &leg.parts {
            let cursor = self.cursor_of(part.machine)?;
            let is_loose = self.cursors[cursor].manner == Manner::Loose;
            if is_loose && leg.is_inner {
                return Some(());
            }
            if is_loose && part.label != Label::TAU {
                self.be_silent(cursor);
            }
            if self.next(cursor)? != part.label {
                return None;
            }
        }
        for part in &leg.parts {
            let cursor = self.cursor_of(part.machine)?;
            self.advance(cursor);
        }
        for &machine in &leg.resets {
            if let Some(cursor) = self.cursor_of(machine) {
                self.cursors[cursor].life += 1;
                self.cursors[cursor].place = 0;
            }
        }
        self.configuration = leg.target.clone();
        self.emit(leg.label);
        Some(())
    }

    /// Takes the silent steps of an operand before its next event.
    fn be_silent(&mut self, cursor: usize) {
        while self.next(cursor) == Some(Label::TAU) {
            self.advance(cursor);
            self.emit(Label::TAU);
        }
    }

    /// Takes the silent steps with which the operands of these machines end.
    pub(super) fn settle(&mut self, machines: &[MachineId]) {
        for cursor in 0..self.cursors.len() {
            if machines.contains(&self.cursors[cursor].machine) {
                self.be_silent(cursor);
            }
        }
    }

    /// Ends with the divergence of one operand.
    pub(super) fn diverge(&mut self, machine: MachineId) -> Option<()> {
        let cursor = self.cursor_of(machine)?;
        let Cursor { runs, life, .. } = &self.cursors[cursor];
        let run = self.lifted.runs[runs[*life]].1.clone();
        let again = run.loop_start?;
        while self.cursors[cursor].place < again {
            self.next(cursor).filter(|&label| label == Label::TAU)?;
            self.advance(cursor);
            self.emit(Label::TAU);
        }
        self.lifted.loop_start = Some(self.n_steps());
        for _ in again..run.labels.len() {
            self.advance(cursor);
            self.emit(Label::TAU);
        }
        Some(())
    }

    pub(super) fn finish(mut self, loop_start: Option<usize>) -> LiftedRun {
        self.lifted.loop_start = self.lifted.loop_start.or(loop_start);
        self.lifted
    }
}
