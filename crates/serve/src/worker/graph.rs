//! State graph of a process with its layout, or the reason why there is none.

use super::{Environment, Question, document, error_text, failure_text, options, process_of};
use analysis::check::Checker;
use analysis::{
    Compression, Failure, Label, Lts, Model, Notation, Session, Simulator, StateId, Transition, TransitionSystem,
};
use draw::graph::{Edge, Graph, Layout, MAX_EDGES, MAX_OVERVIEW_STATES, MAX_STATES, Point};
use limits::display::graphs::{BEGINNING, NEIGHBORHOOD};
use limits::effort::workbench::MAX_EXPLORED;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap, VecDeque};

#[derive(Serialize)]
struct Picture {
    process: String,
    n_states: usize,
    n_transitions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    merged: Option<Sizes>,
    is_complete: bool,
    /// Lower bound on the number of states, where it is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_than: Option<u64>,
    too_large: bool,
    max_states: usize,
    max_edges: usize,
    most_states: usize,
    width: f64,
    height: f64,
    states: Vec<Node>,
    edges: Vec<Line>,
}

#[derive(Serialize)]
struct Sizes {
    states: usize,
    transitions: usize,
}

#[derive(Serialize)]
struct Node {
    x: f64,
    y: f64,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<usize>,
    frontier: bool,
    offers: Vec<String>,
}

#[derive(Serialize)]
struct Line {
    source: u32,
    target: u32,
    labels: Vec<String>,
    silent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<usize>,
    numbers: Vec<usize>,
    curve: Vec<f64>,
    head: Vec<f64>,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_at: Option<[f64; 2]>,
}

/// Part of the system that is drawn.
struct Shown {
    system: TransitionSystem,
    /// States with transitions that are not drawn.
    frontier: Vec<StateId>,
    /// Lower bound on the number of states, where it is not exact.
    more_than: Option<u64>,
}

pub fn graph(environment: &dyn Environment, question: &Question) -> Result<Value, String> {
    let process = process_of(environment, question)?;
    let session = question.open_sound(environment, Some(&process))?;
    let collapse = match question.text("collapse").filter(|name| *name != "none") {
        Some(name) => Some(compression(name).ok_or_else(|| format!("there is no way to collapse called {name}"))?),
        None => None,
    };
    let most = if collapse.is_some() { MAX_EXPLORED } else { MAX_OVERVIEW_STATES as u64 };
    let mut checker = Checker::new(&session, options(environment, most));
    if question.text("around") == Some("run") {
        return run_only(environment, question, &session, &process);
    }
    let is_near_start = question.number("around") == Some(0) || question.text("around") == Some("0");
    let whole = checker.graph(collapse, Model::FailuresDivergences);
    let (shown, n_states, n_transitions) = match whole {
        Ok(system) if system.n_states() > MAX_STATES && is_near_start && collapse.is_none() => {
            let sizes = (system.n_states(), system.n_transitions());
            let beginning = checker.beginning(BEGINNING).map_err(|error| error_text(&session, &error))?;
            (Shown { system: beginning.system, frontier: beginning.frontier, more_than: None }, sizes.0, sizes.1)
        }
        Ok(system) => {
            let sizes = (system.n_states(), system.n_transitions());
            (Shown { system, frontier: Vec::new(), more_than: None }, sizes.0, sizes.1)
        }
        // The system is infinite or too large: its initial part is better than nothing.
        Err(error) => {
            let beginning = checker.beginning(BEGINNING).map_err(|_| error_text(&session, &error))?;
            let sizes = (beginning.system.n_states(), beginning.system.n_transitions());
            (Shown { system: beginning.system, frontier: beginning.frontier, more_than: Some(most) }, sizes.0, sizes.1)
        }
    };
    if let Some(kind) = question.text("export") {
        return export(&process, &shown, kind, question);
    }
    let around = question.number("around").filter(|_| shown.frontier.is_empty());
    let (lts, frontier, kept) = match around {
        Some(state) if state < shown.system.n_states() => near(shown.system.lts(), StateId(state as u32)),
        _ => (shown.system.lts().clone(), shown.frontier.clone(), None),
    };
    let picture =
        Sheet { process: &process, shown: &shown, lts: &lts, frontier: &frontier, kept, n_states, n_transitions };
    picture.document(question)
}

/// States of a run only: independent of the number of other states.
fn run_only(
    environment: &dyn Environment,
    question: &Question,
    session: &Session,
    process: &str,
) -> Result<Value, String> {
    let run = run_of(question).ok_or("which run?")?;
    let failed = |failure: Failure| failure_text(session, &failure);
    let mut simulator = Simulator::new(session, environment.budget()).map_err(failed)?;
    let steps: Vec<(&str, bool)> = run.iter().map(|event| (event.as_str(), event != "tau")).collect();
    let found = simulator.find_run(&steps, &[], None).map_err(failed)?.ok_or("this process has no such run")?;
    let drawn = simulator.drawn(&found).map_err(failed)?;
    let (n_states, n_transitions) = (drawn.system.n_states(), drawn.system.n_transitions());
    let shown = Shown { system: drawn.system, frontier: drawn.frontier, more_than: None };
    if let Some(kind) = question.text("export") {
        return export(process, &shown, kind, question);
    }
    let (lts, frontier) = (shown.system.lts(), &shown.frontier);
    Sheet { process, shown: &shown, lts, frontier, kept: None, n_states, n_transitions }.document(question)
}

/// Neighborhood of a state, with the states that have further transitions, and the original state numbers.
fn near(lts: &Lts, center: StateId) -> (Lts, Vec<StateId>, Option<Vec<StateId>>) {
    let mut before: HashMap<StateId, Vec<StateId>> = HashMap::new();
    for state in lts.states() {
        for step in lts.transitions(state) {
            before.entry(step.target).or_default().push(state);
        }
    }
    let mut kept = vec![center];
    let mut depths = HashMap::from([(center, 0)]);
    let mut n_done = 0;
    while let Some(&state) = kept.get(n_done) {
        n_done += 1;
        let depth = depths[&state];
        if depth == NEIGHBORHOOD || kept.len() > MAX_STATES {
            continue;
        }
        let after = lts.transitions(state).iter().map(|step| step.target);
        for next in after.chain(before.get(&state).into_iter().flatten().copied()) {
            depths.entry(next).or_insert_with(|| {
                kept.push(next);
                depth + 1
            });
        }
    }
    let number: HashMap<StateId, u32> = kept.iter().zip(0..).map(|(&state, number)| (state, number)).collect();
    let mut builder = lts::Builder::new();
    let mut frontier = Vec::new();
    for (&state, place) in kept.iter().zip(0..) {
        builder.add_state(StateId(place));
        let mut is_whole = true;
        for step in lts.transitions(state) {
            match number.get(&step.target) {
                Some(&target) => builder.add(StateId(place), step.label, StateId(target)),
                None => is_whole = false,
            }
        }
        if !is_whole {
            frontier.push(StateId(place));
        }
    }
    (builder.finish(StateId(0)), frontier, Some(kept))
}

/// Contents of the response.
struct Sheet<'a> {
    process: &'a str,
    shown: &'a Shown,
    lts: &'a Lts,
    frontier: &'a [StateId],
    /// Original state numbers, if only a part is drawn.
    kept: Option<Vec<StateId>>,
    n_states: usize,
    n_transitions: usize,
}

impl Sheet<'_> {
    fn document(&self, question: &Question) -> Result<Value, String> {
        let label_name = |label: Label| self.shown.system.label_name(label).to_owned();
        let way = run_of(question).and_then(|run| way(self.lts, &run, &label_name)).unwrap_or_default();
        let drawing = Graph {
            title: self.process,
            lts: self.lts,
            label_name: &label_name,
            names: None,
            sizes: None,
            way: &way,
            frontier: self.frontier,
        };
        let most = if question.is_set("overview") { MAX_OVERVIEW_STATES } else { MAX_STATES };
        let merged = self.shown.system.merged();
        let mut picture = Picture {
            process: self.process.to_owned(),
            n_states: self.n_states,
            n_transitions: self.n_transitions,
            merged: merged.map(|merged| Sizes { states: merged.n_states, transitions: merged.n_transitions }),
            more_than: self.shown.more_than,
            is_complete: self.shown.frontier.is_empty() && self.kept.is_none(),
            too_large: false,
            max_states: MAX_STATES,
            max_edges: MAX_EDGES,
            most_states: MAX_OVERVIEW_STATES,
            width: 0.0,
            height: 0.0,
            states: Vec::new(),
            edges: Vec::new(),
        };
        match Layout::new(&drawing, most) {
            Err(_) => picture.too_large = true,
            Ok(layout) => {
                (picture.width, picture.height) = (layout.width, layout.height);
                picture.states = self.lts.states().map(|state| self.node(state, &layout)).collect();
                picture.edges = layout.edges.iter().map(line).collect();
            }
        }
        document(&picture)
    }

    fn node(&self, state: StateId, layout: &Layout) -> Node {
        let spot = layout.spots[state.index()].unwrap_or_default();
        let whole = self.kept.as_ref().map_or(state, |kept| kept[state.index()]);
        let offers: BTreeSet<&str> =
            self.lts.transitions(state).iter().map(|step| self.shown.system.label_name(step.label)).collect();
        let sizes = self.shown.system.merged().and_then(|merged| merged.sizes.as_ref());
        Node {
            x: rounded(spot.x),
            y: rounded(spot.y),
            depth: layout.depths[state.index()].unwrap_or(0),
            name: self.shown.system.names().map(|names| names[whole.index()].clone()),
            size: sizes.map(|sizes| sizes[whole.index()]),
            frontier: self.frontier.contains(&state),
            offers: offers.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// Run to highlight: events, with `tau` for internal steps.
fn run_of(question: &Question) -> Option<Vec<String>> {
    let run = question.rest.get("run")?.as_array()?;
    Some(run.iter().filter_map(|event| Some(event.as_str()?.to_owned())).collect())
}

/// Path with these labels; if there is none, a path with the same visible labels.
fn way(lts: &Lts, run: &[String], name: &dyn Fn(Label) -> String) -> Option<Vec<(StateId, Transition)>> {
    let visible: Vec<&String> = run.iter().filter(|event| *event != "tau").collect();
    let exactly =
        |label: Label, n_done: usize| run.get(n_done).is_some_and(|event| *event == name(label)).then_some(n_done + 1);
    let visibly = |label: Label, n_done: usize| match label {
        Label::TAU => Some(n_done),
        label => visible.get(n_done).is_some_and(|event| **event == name(label)).then_some(n_done + 1),
    };
    search(lts, run.len(), &exactly).or_else(|| search(lts, visible.len(), &visibly))
}

fn search(
    lts: &Lts,
    n_wanted: usize,
    advance: &dyn Fn(Label, usize) -> Option<usize>,
) -> Option<Vec<(StateId, Transition)>> {
    let start = (lts.initial(), 0);
    let mut came_from: HashMap<(StateId, usize), ((StateId, usize), Transition)> = HashMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(place @ (state, n_done)) = open.pop_front() {
        if n_done == n_wanted {
            let mut way = Vec::new();
            let mut at = place;
            while let Some(&(before, step)) = came_from.get(&at).filter(|_| at != start) {
                way.push((before.0, step));
                at = before;
            }
            way.reverse();
            return Some(way);
        }
        for &step in lts.transitions(state) {
            let Some(n_done) = advance(step.label, n_done) else { continue };
            let next = (step.target, n_done);
            if next != start && !came_from.contains_key(&next) {
                came_from.insert(next, (place, step));
                open.push_back(next);
            }
        }
    }
    None
}

fn line(edge: &Edge) -> Line {
    let curve = &edge.curve;
    let flat = |points: &[Point]| points.iter().flat_map(|point| [rounded(point.x), rounded(point.y)]).collect();
    Line {
        source: edge.source.0,
        target: edge.target.0,
        labels: edge.labels.clone(),
        silent: edge.is_silent,
        color: edge.color,
        numbers: edge.numbers.clone(),
        curve: flat(&[curve.start, curve.bends[0], curve.bends[1], curve.end]),
        head: flat(&curve.head()),
        name: edge.name.clone(),
        name_at: edge.name_at.map(|point| [rounded(point.x), rounded(point.y)]),
    }
}

fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

fn compression(name: &str) -> Option<Compression> {
    Some(match name {
        "sbisim" => Compression::SBisim,
        "wbisim" => Compression::WBisim,
        "dbisim" => Compression::DBisim,
        "diamond" => Compression::Diamond,
        "normal" => Compression::Normal,
        _ => return None,
    })
}

/// Graph as a file.
fn export(process: &str, shown: &Shown, kind: &str, question: &Question) -> Result<Value, String> {
    let system = &shown.system;
    let notation = match kind {
        "aut" => Notation::Aldebaran,
        "dot" => Notation::Graphviz,
        "svg" => {
            let label_name = |label: Label| system.label_name(label).to_owned();
            let way = run_of(question).and_then(|run| way(system.lts(), &run, &label_name)).unwrap_or_default();
            let title = match (question.text("collapse"), system.merged()) {
                (Some(name), Some(merged)) => {
                    let states = if merged.n_states == 1 { "state" } else { "states" };
                    format!("{process}, {name} of {} {states}", merged.n_states)
                }
                _ => process.to_owned(),
            };
            let drawing = Graph {
                title: &title,
                lts: system.lts(),
                label_name: &label_name,
                names: system.names(),
                sizes: system.merged().and_then(|merged| merged.sizes.as_deref()),
                way: &way,
                frontier: &shown.frontier,
            };
            let svg = drawing.svg(MAX_STATES).map_err(|_| "it is too large to be drawn".to_owned())?;
            return Ok(json!({ "svg": svg }));
        }
        _ => return Err(format!("there is no format {kind}")),
    };
    if !shown.frontier.is_empty() {
        return Err("only the beginning is known, and a file would not say so".to_owned());
    }
    let mut text = Vec::new();
    system.write(notation, &mut text).map_err(|error| error.to_string())?;
    Ok(json!({ kind: String::from_utf8_lossy(&text) }))
}
