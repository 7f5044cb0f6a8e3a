//! Interactive simulation.

use super::{Environment, Question, document, failure_text, process_of, send_answer};
use analysis::check::Time;
use analysis::{Blocked, Cell, Choice, Clock, Failure, Monitor, Move, Part, Passing, Session, Simulator};
use limits::display::steps::MAX_MOVES;
use limits::input::workbench::MAX_RUN;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct State<'a> {
    process: String,
    history: Vec<MoveView>,
    moves: Vec<MoveView>,
    more_moves: usize,
    /// Whether nothing can happen any more, not even after a delay.
    is_stuck: bool,
    blocked: Vec<Wanted>,
    state: String,
    parts: Vec<TreePart>,
    variables: Vec<Variable>,
    /// Source places of the last move.
    places: Vec<wire::Place<'a>>,
    /// Moves that continue the replay of a run.
    ahead: Vec<Value>,
    /// Status of the assertions that the run so far could violate.
    monitors: Vec<Watch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Moment>,
    /// Error of the script that prevents moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Assertion monitored along the run.
#[derive(Serialize)]
struct Watch {
    index: usize,
    says: &'static str,
    /// Number of steps after which the status was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
}

/// Current time, in timed scripts. Times are exact fractions.
#[derive(Serialize)]
struct Moment {
    now: String,
    /// Maximal delay before something must happen; `None` if time can pass for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    /// Suggested delays.
    waits: Vec<String>,
    clocks: Vec<Running>,
}

/// Running timed operator.
#[derive(Serialize)]
struct Running {
    of: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
}

#[derive(Serialize)]
struct MoveView {
    event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    becomes: Option<String>,
    visible: bool,
    silent: usize,
    by: Vec<String>,
}

#[derive(Serialize)]
struct Wanted {
    event: String,
    ready: Vec<String>,
    missing: Vec<String>,
}

#[derive(Serialize)]
struct TreePart {
    path: Vec<u32>,
    name: String,
    state: String,
    /// Whether the last move changed it.
    changed: bool,
    /// Whether it participated in the last move.
    moved: bool,
}

#[derive(Serialize)]
struct Variable {
    name: String,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
}

/// Answers queries about one process, and returns the first query that is about another one.
pub fn work(environment: &mut dyn Environment, first: Question) -> Result<Option<Question>, String> {
    // An assertion has its own process.
    let process = match first.number("assertion") {
        Some(_) => None,
        None => Some(process_of(&*environment, &first)?),
    };
    let session = first.open_sound(&*environment, process.as_deref())?;
    let assertion = first.number("assertion");
    let mut simulator = match assertion {
        Some(index) if index == 0 || index > session.assertions().len() => {
            return Err("there is no such assertion".to_owned());
        }
        Some(index) => Simulator::of_assertion(&session, index, environment.budget()),
        None => Simulator::new(&session, environment.budget()),
    }
    .map_err(|failure| failure_text(&session, &failure))?;
    let name = process.unwrap_or_else(|| {
        assertion.map(|index| session.assertions()[index - 1].sides.process.clone()).unwrap_or_default()
    });
    let mut known = Walk { simulator: &mut simulator, taken: Vec::new() };
    let mut question = first.clone();
    loop {
        environment.budget();
        let answer = known.answer(&session, &question, &name);
        if send_answer(environment, answer).is_err() {
            return Ok(None);
        }
        let Some(next) = super::read(environment) else { return Ok(None) };
        let is_same = |name: &str| next.rest.get(name) == first.rest.get(name);
        if next.ask != first.ask || !next.is_about_same(&first) || !is_same("process") || !is_same("assertion") {
            return Ok(Some(next));
        }
        question = next;
    }
}

/// Simulator after a sequence of moves.
struct Walk<'a, 'b> {
    simulator: &'a mut Simulator<'b>,
    taken: Vec<Choice>,
}

impl Walk<'_, '_> {
    fn answer(&mut self, session: &Session, question: &Question, name: &str) -> Result<Value, String> {
        let failed = |failure: Failure| failure_text(session, &failure);
        if self.simulator.folds() != question.is_set("folds") {
            self.simulator.toggle_folding();
            // Folding changes the numbering of moves.
            self.go_to(&[]).map_err(failed)?;
        }
        let ahead = self.ahead(question).map_err(failed)?;
        let moves = choices(question.rest.get("moves"));
        self.go_to(&moves).map_err(failed)?;
        let (moves, problem) = match self.simulator.moves() {
            Ok(moves) => (moves, None),
            Err(failure) => (Vec::new(), Some(failed(failure))),
        };
        document(&self.state(session, name, moves, ahead, problem))
    }

    /// Timing information, in timed scripts.
    fn moment(&mut self) -> Option<Moment> {
        let simulator = &mut *self.simulator;
        let now = simulator.time()?;
        let (until, zero, one) = (simulator.passing()?, Time::from_integer(0), Time::from_integer(1));
        let until = match until {
            Passing::Until(time) => Some(time),
            Passing::Forever(_) => None,
        };
        let may_pass = |time: &Time| *time > zero && until.is_none_or(|until| *time <= until);
        let mut waits: Vec<Time> =
            [Some(one), simulator.next_moment(), until].into_iter().flatten().filter(may_pass).collect();
        waits.sort_unstable();
        waits.dedup();
        let text = |time: Option<Time>| time.map(|time| time.to_string());
        let running = |clock: Clock| Running { of: clock.of, from: text(clock.from), until: text(clock.until) };
        Some(Moment {
            now: now.to_string(),
            until: text(until),
            waits: waits.iter().map(Time::to_string).collect(),
            clocks: simulator.clocks().into_iter().map(running).collect(),
        })
    }

    fn state<'s>(
        &mut self,
        session: &'s Session,
        name: &str,
        moves: Vec<Move>,
        ahead: Vec<Choice>,
        problem: Option<String>,
    ) -> State<'s> {
        let time = self.moment();
        let simulator = &mut *self.simulator;
        let monitors = simulator.monitors().into_iter().map(Watch::new).collect();
        let last = simulator.history().last().map(|step| step.paths().to_vec()).unwrap_or_default();
        let has_moved = !simulator.history().is_empty();
        let written = simulator.history().last().map(|step| step.written().to_vec()).unwrap_or_default();
        let before = if has_moved { simulator.parts_before() } else { Vec::new() };
        let part = |part: Part| TreePart {
            changed: has_moved && !before.contains(&part),
            moved: last.contains(&part.path),
            path: part.path,
            name: part.name,
            state: part.state,
        };
        let variables_before = if has_moved { simulator.variables_before() } else { Vec::new() };
        let variable = |cell: Cell| Variable {
            before: variables_before
                .iter()
                .find(|known| known.name == cell.name && known.value != cell.value)
                .map(|known| known.value.clone()),
            name: cell.name,
            value: cell.value,
        };
        State {
            process: name.to_owned(),
            blocked: simulator.blocked(&moves).into_iter().map(Wanted::new).collect(),
            is_stuck: problem.is_none() && simulator.is_stuck().unwrap_or(false),
            more_moves: moves.len().saturating_sub(MAX_MOVES),
            moves: moves.iter().take(MAX_MOVES).map(MoveView::new).collect(),
            history: simulator.history().iter().map(MoveView::new).collect(),
            state: simulator.state(),
            parts: simulator.parts().into_iter().map(part).collect(),
            variables: simulator.variables().into_iter().map(variable).collect(),
            ahead: ahead.into_iter().map(choice_value).collect(),
            places: written.into_iter().map(|span| wire::Place::new(session, span)).collect(),
            monitors,
            time,
            problem,
        }
    }

    /// Moves to the state after these moves; a common prefix with the current sequence is not repeated.
    fn go_to(&mut self, moves: &[Choice]) -> Result<(), Failure> {
        let n_same = self.taken.iter().zip(moves).take_while(|(old, new)| old == new).count();
        while self.taken.len() > n_same {
            self.taken.pop();
            self.simulator.undo();
        }
        for &choice in moves.iter().skip(n_same).take(MAX_RUN) {
            let is_made = match choice {
                Choice::Wait(time) => self.simulator.wait(Some(time))?.is_some(),
                Choice::Move(number) => {
                    let mut possible = self.simulator.moves()?;
                    let is_possible = number < possible.len();
                    if is_possible {
                        self.simulator.take(possible.swap_remove(number));
                    }
                    is_possible
                }
            };
            if !is_made {
                break;
            }
            self.taken.push(choice);
        }
        Ok(())
    }

    /// Moves that replay a run, if one is requested.
    fn ahead(&mut self, question: &Question) -> Result<Vec<Choice>, Failure> {
        let Some(Value::Array(run)) = question.rest.get("run") else { return Ok(Vec::new()) };
        let steps: Vec<(&str, bool)> =
            run.iter().filter_map(|step| Some((step[0].as_str()?, step[1].as_bool()?))).collect();
        let offers: Option<Vec<String>> = match question.rest.get("offers") {
            Some(Value::Array(events)) => {
                Some(events.iter().filter_map(|event| Some(event.as_str()?.to_owned())).collect())
            }
            _ => None,
        };
        let found = self.simulator.find_run(&steps, &[], offers.as_deref())?;
        self.taken.clear();
        self.simulator.choices_of(found.unwrap_or_default())
    }
}

/// Moves of a page: each a number, or a delay prefixed by `w`.
fn choices(list: Option<&Value>) -> Vec<Choice> {
    let list = list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let choice = |value: &Value| match value {
        Value::String(text) => text.strip_prefix('w')?.parse().ok().map(Choice::Wait),
        number => usize::try_from(number.as_u64()?).ok().map(Choice::Move),
    };
    list.iter().map_while(choice).collect()
}

fn choice_value(choice: Choice) -> Value {
    match choice {
        Choice::Move(number) => number.into(),
        Choice::Wait(time) => format!("w{time}").into(),
    }
}

impl Watch {
    fn new((index, monitor): (usize, Monitor)) -> Watch {
        let (says, step) = match monitor {
            Monitor::Unbroken => ("unbroken", None),
            Monitor::Broken(step) => ("broken", Some(step)),
            Monitor::Reached(step) => ("reached", Some(step)),
            Monitor::NotReached => ("not-reached", None),
        };
        Watch { index, says, step }
    }
}

impl MoveView {
    fn new(step: &Move) -> MoveView {
        MoveView {
            event: step.event.clone(),
            hidden: step.hidden.clone(),
            becomes: step.becomes.clone(),
            visible: step.is_visible,
            silent: step.n_silent,
            by: step.by.clone(),
        }
    }
}

impl Wanted {
    fn new(blocked: Blocked) -> Wanted {
        Wanted { event: blocked.event, ready: blocked.ready, missing: blocked.missing }
    }
}
