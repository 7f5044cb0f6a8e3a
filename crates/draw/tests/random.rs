//! Invariants of every picture, on random systems.

use draw::chart::{Chart, Lifeline, Step};
use draw::graph::{Graph, Layout, MAX_STATES, Point, RADIUS};
use lts::{Builder, Label, Lts, StateId};
use std::collections::BTreeSet;
use test_support::mutate::{Random, seed};

fn system(random: &mut Random) -> Lts {
    let n_states = 1 + random.below(120) as u32;
    let mut builder = Builder::new();
    for state in 0..n_states {
        builder.add_state(StateId(state));
        for _ in 0..random.below(4) {
            let target = StateId(random.below(n_states as usize) as u32);
            builder.add(StateId(state), Label(random.below(6) as u32), target);
        }
    }
    builder.finish(StateId(0))
}

/// Label names that would break a document without escaping.
fn label_name(label: Label) -> String {
    ["tau", "tick", "a.<1>", "b&\"'", "</svg>", "c.\u{1b}"][label.index()].to_owned()
}

#[test]
fn states_stand_apart_and_every_edge_is_there() {
    let seed = seed();
    let mut random = Random::new(seed);
    for round in 0..60 {
        let lts = system(&mut random);
        let graph = Graph {
            title: "<random>",
            lts: &lts,
            label_name: &label_name,
            names: None,
            sizes: None,
            way: &[],
            frontier: &[],
        };
        let layout = Layout::new(&graph, MAX_STATES).expect("it is small");
        let spots: Vec<Point> = layout.spots.iter().flatten().copied().collect();
        for (place, one) in spots.iter().enumerate() {
            for other in &spots[..place] {
                let apart = (one.x - other.x).abs().max((one.y - other.y).abs());
                assert!(apart >= 2.0 * RADIUS, "seed {seed}, round {round}: {one:?} and {other:?}");
            }
            let is_inside = one.x > 0.0 && one.x < layout.width && one.y > 0.0 && one.y < layout.height;
            assert!(is_inside, "seed {seed}, round {round}: {one:?}");
        }
        let mut pairs = BTreeSet::new();
        for state in lts.states().filter(|state| layout.spots[state.index()].is_some()) {
            pairs.extend(lts.transitions(state).iter().map(|step| (state, step.target)));
        }
        let drawn: BTreeSet<_> = layout.edges.iter().map(|edge| (edge.source, edge.target)).collect();
        assert_eq!(drawn, pairs, "seed {seed}, round {round}");
        let svg = graph.svg(MAX_STATES).expect("it is small");
        assert_eq!(svg, graph.svg(MAX_STATES).expect("it is small"), "seed {seed}, round {round}");
        assert_eq!(svg.matches("<path ").count(), pairs.len());
        assert_eq!(svg.matches("<circle ").count(), spots.len());
        assert_eq!(svg.matches("</svg>").count(), 1, "names are escaped");
        assert!(!svg.contains('\u{1b}') && !svg.contains("b&\""), "names are escaped");
        let text = graph.text(MAX_STATES).expect("it is small");
        assert_eq!(text.lines().count(), pairs.len() + 2, "seed {seed}, round {round}: a line for each edge\n{text}");
    }
}

#[test]
fn every_part_of_every_step_is_drawn_once() {
    let seed = seed();
    let mut random = Random::new(seed);
    for round in 0..60 {
        let n_components = 1 + random.below(8);
        let components = (0..n_components).map(|n| Lifeline { name: format!("P<{n}>"), waits: None }).collect();
        let mut n_parts = 0;
        let mut steps = Vec::new();
        for number in 0..random.below(30) {
            let parts: Vec<(usize, String)> =
                (0..n_components).filter(|_| random.below(2) == 0).map(|part| (part, "e".to_owned())).collect();
            n_parts += parts.len();
            let is_silent = random.below(3) == 0;
            steps.push(Step { event: format!("e.{number}"), hidden: None, is_silent, parts });
        }
        let repeated_from = (!steps.is_empty() && random.below(2) == 0).then(|| random.below(steps.len()));
        let n_steps = steps.len();
        let chart = Chart { title: "&".to_owned(), components, steps, repeated_from, ..Chart::default() };
        let (svg, text) = (chart.svg(), chart.text());
        assert_eq!(svg.matches("<circle class=\"dot").count(), n_parts, "seed {seed}, round {round}");
        assert_eq!(text.matches('●').count(), n_parts, "seed {seed}, round {round}\n{text}");
        assert_eq!(svg.matches("<title>step ").count(), n_steps);
        assert_eq!(svg, chart.svg());
    }
}
