//! Translation of suspended searches to the layout of an extended network.

use super::{Frontier, Search, Size};
use crate::levels::{Level, ShardRange};
use crate::states::{N_SHARDS, Place};
use crate::translation::Translation;

/// The stage of a state in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// In a level that was expanded completely.
    Done(usize),
    /// In the current level.
    Current,
    /// In the next level.
    Next,
}

impl<const W: usize> Search<W> {
    /// Reports all states, level by level; states to be expanded come in the order of their expansion.
    pub(crate) fn for_each_state(&self, report: &mut dyn FnMut(Stage, &[u64])) {
        for (depth, level) in self.levels.forward().enumerate() {
            level.places().for_each(|place| report(Stage::Done(depth), &self.states.get(place)));
        }
        let Some(frontier) = &self.frontier else { return };
        for (stage, places) in [(Stage::Current, &frontier.places), (Stage::Next, &frontier.next)] {
            places.iter().for_each(|&place| report(stage, &self.states.get(place)));
        }
    }

    /// The search with its states translated to another width.
    pub(crate) fn translated<const V: usize>(&self, translation: &Translation) -> Search<V> {
        let mut moving =
            TranslatedSearch { search: Search::default(), sizes: [Size::default(); N_SHARDS], stage: None };
        let (mut current, mut places, mut next) = (Level::default(), Vec::new(), Vec::new());
        self.for_each_state(&mut |stage, words| {
            if moving.stage != Some(stage) {
                moving.end_stage(&mut current);
                moving.stage = Some(stage);
            }
            let mut state = [0; V];
            translation.translate(words, &mut state);
            let place = moving.search.states.insert(&state);
            match stage {
                Stage::Done(_) => {}
                Stage::Current => places.push(place),
                Stage::Next => next.push(place),
            }
        });
        moving.end_stage(&mut current);
        let (frontier, sizes) = (self.frontier.as_ref(), moving.sizes);
        let mut search = moving.search;
        search.statistics = self.statistics;
        let n_bytes = ((places.len() + next.len()) * size_of::<Place>()) as u64;
        let of_shards: usize = sizes.iter().map(|size| size.memory).sum();
        let of_levels: usize = search.levels.forward().map(|level| level.memory()).sum();
        search.statistics.memory = n_bytes + (of_shards + of_levels) as u64;
        search.frontier = frontier.map(|frontier| Frontier {
            level: current,
            growing: next.iter().fold(0, |shards, place| shards | 1 << place.shard()),
            places,
            next,
            memory: n_bytes,
            sizes,
            ..*frontier
        });
        search
    }
}

/// A search under translation.
struct TranslatedSearch<const V: usize> {
    search: Search<V>,
    sizes: [Size; N_SHARDS],
    stage: Option<Stage>,
}

impl<const V: usize> TranslatedSearch<V> {
    /// Completes a stage when all its states are translated.
    fn end_stage(&mut self, current: &mut Level) {
        let mut level = Level::default();
        for (number, size) in self.sizes.iter_mut().enumerate() {
            let shard = self.search.states.read(number);
            if size.n_states < shard.len() {
                level.runs.push(ShardRange { shard: number, start: size.n_states, end: shard.len() });
            }
            (size.n_states, size.memory) = (shard.len(), shard.memory());
            if self.stage != Some(Stage::Next) {
                size.n_known = shard.len();
            }
        }
        match self.stage {
            None | Some(Stage::Next) => {}
            Some(Stage::Done(_)) => self.search.levels.push(&level),
            Some(Stage::Current) => *current = level,
        }
    }
}
