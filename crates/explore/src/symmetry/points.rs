//! A numbering of all points on which automorphisms act.

use super::automorphism::{Automorphism, Move};
use super::permutation::Permutation;
use lts::Label;
use model::network::{Action, Network};
use std::ops::Range;

/// Machines, modes, states, actions and labels of a network in one sequence, those of configurations first.
///
/// A configuration has a place for the state of each machine, followed by one for the mode.
pub(super) struct Points {
    n_machines: u32,
    /// The first state of each machine; at last the end.
    first_state: Vec<u32>,
    /// The first action of each machine; at last the end.
    first_action: Vec<u32>,
    /// The actions of all machines that occur, sorted within each machine.
    actions: Vec<Action>,
    /// The labels of rules, in order.
    labels: Vec<Label>,
}

impl Points {
    /// The points of a network; none if there are too many to be numbered.
    pub(super) fn of(network: &Network) -> Option<Points> {
        let add = |next: u32, n: usize| next.checked_add(u32::try_from(n).ok()?);
        let n_machines = add(0, network.machines.len())?;
        let mut first_state = vec![add(n_machines, network.modes.len())?];
        let mut end = first_state[0];
        for machine in &network.machines {
            end = add(end, machine.n_states())?;
            first_state.push(end);
        }
        let mut first_action = vec![end];
        let mut actions = Vec::new();
        for mut used in used_actions(network) {
            end = add(end, used.len())?;
            first_action.push(end);
            actions.append(&mut used);
        }
        let rules = network.modes.iter().flat_map(|mode| &mode.rules);
        let mut labels: Vec<Label> = rules.map(|rule| rule.shows).collect();
        labels.sort_unstable();
        labels.dedup();
        add(end, labels.len())?;
        Some(Points { n_machines, first_state, first_action, actions, labels })
    }

    /// The number of points.
    pub(super) fn len(&self) -> u32 {
        self.label_points().end
    }

    /// The end of the points of configurations.
    pub(super) fn end_of_configuration(&self) -> u32 {
        self.first_action[0]
    }

    pub(super) fn n_machines(&self) -> u32 {
        self.n_machines
    }

    /// The possible values at a place of a configuration.
    pub(super) fn values(&self, place: u32) -> Range<u32> {
        if place == self.n_machines {
            return self.n_machines..self.first_state[0];
        }
        self.first_state[place as usize]..self.first_state[place as usize + 1]
    }

    pub(super) fn mode(&self, mode: u32) -> u32 {
        self.n_machines + mode
    }

    pub(super) fn state(&self, machine: u32, state: u32) -> u32 {
        self.first_state[machine as usize] + state
    }

    fn action_points(&self, machine: u32) -> Range<u32> {
        self.first_action[machine as usize]..self.first_action[machine as usize + 1]
    }

    fn action_at(&self, point: u32) -> Action {
        self.actions[(point - self.first_action[0]) as usize]
    }

    /// The actions of a machine, with their points.
    pub(super) fn actions(&self, machine: u32) -> impl Iterator<Item = (Action, u32)> + '_ {
        self.action_points(machine).map(|point| (self.action_at(point), point))
    }

    pub(super) fn action(&self, machine: u32, action: Action) -> u32 {
        let points = self.action_points(machine);
        let place = |point: u32| (point - self.first_action[0]) as usize;
        let own = &self.actions[place(points.start)..place(points.end)];
        points.start + own.binary_search(&action).expect("all that occur are known") as u32
    }

    fn label_points(&self) -> Range<u32> {
        let first = self.first_action[self.n_machines as usize];
        first..first + self.labels.len() as u32
    }

    /// The labels, with their points.
    pub(super) fn labels(&self) -> impl Iterator<Item = (Label, u32)> + '_ {
        self.labels.iter().copied().zip(self.label_points())
    }

    pub(super) fn label(&self, label: Label) -> u32 {
        let place = self.labels.binary_search(&label).expect("all that are shown are known");
        self.label_points().start + place as u32
    }

    /// The moved points of configurations, with their images.
    pub(super) fn moved(&self, automorphism: &Automorphism) -> Vec<(u32, u32)> {
        let mut moved = Vec::new();
        for one in &automorphism.moves {
            moved.push((one.from, one.to));
            let states = self.values(one.from).zip(0..);
            let images = states.map(|(point, state)| (point, self.state(one.to, one.states.image(state))));
            // The image of an unreachable state need not be a state.
            moved.extend(images.filter(|(_, image)| self.values(one.to).contains(image)));
        }
        moved.extend(automorphism.modes.moved().map(|(from, to)| (self.mode(from), self.mode(to))));
        moved.retain(|(from, to)| from != to);
        moved
    }

    /// The machine and the state at a point.
    pub(super) fn state_at(&self, point: u32) -> Option<(u32, u32)> {
        let is_state = self.first_state[0] <= point && point < self.first_action[0];
        let machine = self.first_state.partition_point(|&first| first <= point).checked_sub(1)?;
        is_state.then(|| (machine as u32, point - self.first_state[machine]))
    }

    /// The image of a point of configurations.
    pub(super) fn image(&self, automorphism: &Automorphism, point: u32) -> u32 {
        if let Some((machine, state)) = self.state_at(point) {
            automorphism.move_of(machine).map_or(point, |one| self.state(one.to, one.states.image(state)))
        } else if point < self.n_machines {
            automorphism.machine(point)
        } else {
            self.mode(automorphism.modes.image(point - self.n_machines))
        }
    }

    /// The automorphism with these moved points, if their images are consistent: states and actions must follow their
    /// machines. The pairs are sorted.
    pub(super) fn automorphism(&self, moved: &[(u32, u32)]) -> Option<Automorphism> {
        let machines = self.machines_of(moved).into_iter();
        let moves = machines.map(|machine| self.move_of(moved, machine)).collect::<Option<Vec<_>>>()?;
        let (modes, labels) = (self.values(self.n_machines), self.label_points());
        let label = |point: u32, first: u32| self.labels[(point - first) as usize].0;
        Some(Automorphism {
            moves: moves.into_iter().filter(Move::changes_anything).collect(),
            modes: renumbering(moved, &modes, &modes, |mode, first| mode - first)?,
            labels: renumbering(moved, &labels, &labels, label)?,
        })
    }

    /// The machines of these points, in order.
    fn machines_of(&self, moved: &[(u32, u32)]) -> Vec<u32> {
        let mut machines: Vec<u32> = between(moved, &(0..self.n_machines)).iter().map(|&(from, _)| from).collect();
        for firsts in [&self.first_state, &self.first_action] {
            let mut rest = between(moved, &(firsts[0]..firsts[self.n_machines as usize]));
            while let Some(&(point, _)) = rest.first() {
                let machine = firsts.partition_point(|&first| first <= point) - 1;
                machines.push(machine as u32);
                rest = &rest[rest.partition_point(|&(from, _)| from < firsts[machine + 1])..];
            }
        }
        machines.sort_unstable();
        machines.dedup();
        machines
    }

    fn move_of(&self, moved: &[(u32, u32)], from: u32) -> Option<Move> {
        let to = between(moved, &(from..from + 1)).first().map_or(from, |&(_, to)| to);
        let states = renumbering(moved, &self.values(from), &self.values(to), |state, first| state - first)?;
        let (here, there) = (self.action_points(from), self.action_points(to));
        let actions = renumbering(moved, &here, &there, |point, _| self.action_at(point).0)?;
        Some(Move { from, to, states, actions })
    }
}

/// The pairs whose first point is in a range.
fn between<'a>(moved: &'a [(u32, u32)], points: &Range<u32>) -> &'a [(u32, u32)] {
    let place = |bound: u32| moved.partition_point(|&(from, _)| from < bound);
    &moved[place(points.start)..place(points.end)]
}

/// The renumbering of points from one range to another; none if an image is elsewhere.
fn renumbering(
    moved: &[(u32, u32)],
    from: &Range<u32>,
    to: &Range<u32>,
    number: impl Fn(u32, u32) -> u32,
) -> Option<Permutation> {
    let pair = |&(point, image): &(u32, u32)| {
        to.contains(&image).then(|| (number(point, from.start), number(image, to.start)))
    };
    let pairs = between(moved, from).iter().map(pair).collect::<Option<Vec<_>>>()?;
    Permutation::extending(&pairs)
}

/// The actions of each machine that its edges or rules use.
fn used_actions(network: &Network) -> Vec<Vec<Action>> {
    let edges = |machine: &model::network::Machine| -> Vec<Action> {
        machine.states().flat_map(|state| machine.edges(state)).map(|edge| edge.action).collect()
    };
    let mut used: Vec<Vec<Action>> = network.machines.iter().map(|machine| edges(machine)).collect();
    network.named_actions().for_each(|(machine, action)| used[machine.index()].push(action));
    for actions in &mut used {
        actions.sort_unstable();
        actions.dedup();
    }
    used
}
