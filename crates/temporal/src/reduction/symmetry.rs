//! Symmetry reduction for temporal properties.

use super::Refusal;
use crate::{Action, ActionNetwork, Condition, Fact, Fairness, Labels, Property};
use explore::symmetry::Symmetry;
use hashbrown::HashMap;
use ltl::logic::{Formula, Node, Store};
use lts::Label;
use progress::Progress;

/// The symmetries of a network that preserve all properties.
///
/// # Errors
/// If there are none, or a quotient would not preserve the properties.
pub fn symmetry(
    network: &ActionNetwork,
    properties: &[Property],
    progress: &dyn Progress,
) -> Result<Symmetry, Refusal> {
    if !network.network().data.is_empty() {
        return Err(Refusal::Variables);
    }
    let mut seen: Vec<&Labels> = Vec::new();
    for property in properties {
        for fact in &property.facts {
            match fact {
                Fact::Takes(labels) | Fact::Enables(labels) | Fact::EnablesSilently(labels) => seen.push(labels),
                // Symmetries fix the initial state.
                Fact::Stuck | Fact::Terminated | Fact::Initial => {}
                Fact::Sink | Fact::Branches | Fact::Among(_) | Fact::Holds(_) => return Err(Refusal::SingleStates),
            }
        }
        for condition in property.fairness.alternatives.iter().flatten() {
            match condition {
                Condition::Labels(_, labels) => seen.push(labels),
                _ => return Err(Refusal::Identities),
            }
        }
    }
    found(network, &seen, progress).ok_or(Refusal::NoSymmetry)
}

/// The symmetries that preserve some sets of labels, silence and termination.
fn found(network: &ActionNetwork, seen: &[&Labels], progress: &dyn Progress) -> Option<Symmetry> {
    let mut colors: HashMap<(Option<Label>, Vec<bool>), u32> = HashMap::new();
    let mut color = |action: &Action| {
        let special = (action.label <= Label::TICK).then_some(action.label);
        let next = colors.len() as u32;
        *colors.entry((special, seen.iter().map(|labels| labels.contains(action.label)).collect())).or_insert(next)
    };
    let colors: Vec<u32> = network.actions().iter().map(&mut color).collect();
    Symmetry::within(network.network(), &|label| colors[label.index()], limits::effort::symmetry::BUDGET, progress)
}

/// Whether each property must be decided: of properties that symmetries permute, one suffices.
pub fn needed(network: &ActionNetwork, properties: &[Property], progress: &dyn Progress) -> Vec<bool> {
    let mut is_needed = vec![true; properties.len()];
    // A label is one action only without participants.
    let knows_parts = network.actions().iter().any(|action| !action.parts.is_empty());
    if properties.len() == 1 || knows_parts {
        return is_needed;
    }
    let Some(symmetry) = found(network, &[], progress) else { return is_needed };
    let actions = (0..).zip(network.actions()).map(|(number, action)| (action.label, Label(number)));
    let actions: HashMap<Label, Label> = actions.collect();
    let claims = properties.iter().map(|property| Claim::of(property, &|label| label));
    let numbers: HashMap<Claim, usize> = claims.zip(0..).collect();
    let mut is_visited = vec![false; properties.len()];
    for first in 0..properties.len() {
        is_needed[first] = !std::mem::replace(&mut is_visited[first], true);
        let mut open = if is_needed[first] { vec![first] } else { Vec::new() };
        while let Some(number) = open.pop() {
            for element in symmetry.elements() {
                let image = |label: Label| match actions.get(&label) {
                    Some(&action) => network.actions()[element.label(action).index()].label,
                    None => label,
                };
                let other = numbers.get(&Claim::of(&properties[number], &image));
                open.extend(other.filter(|&&other| !std::mem::replace(&mut is_visited[other], true)));
            }
        }
    }
    is_needed
}

/// The text of a property, independent of the numbering of its formulas.
#[derive(PartialEq, Eq, Hash)]
struct Claim {
    formula: String,
    fairness: Fairness,
}

impl Claim {
    /// The property with its labels mapped.
    fn of(property: &Property, image: &dyn Fn(Label) -> Label) -> Claim {
        let images = |labels: &Labels| labels.iter().map(image).collect::<Labels>();
        let fact = |fact: &Fact| match fact {
            Fact::Takes(labels) => Fact::Takes(images(labels)),
            Fact::Enables(labels) => Fact::Enables(images(labels)),
            Fact::EnablesSilently(labels) => Fact::EnablesSilently(images(labels)),
            other => other.clone(),
        };
        let condition = |condition: &Condition| match condition {
            Condition::Labels(strength, labels) => Condition::Labels(*strength, images(labels)),
            other => other.clone(),
        };
        let alternatives = property.fairness.alternatives.iter();
        let facts: Vec<String> = property.facts.iter().map(|known| format!("{:?}", fact(known))).collect();
        Claim {
            formula: written(&property.store, property.formula, &facts),
            fairness: Fairness { alternatives: alternatives.map(|all| all.iter().map(condition).collect()).collect() },
        }
    }
}

/// The text of a formula; commutative operands are sorted.
fn written(store: &Store, formula: Formula, facts: &[String]) -> String {
    let mut parts = store.below(formula);
    // Operands have smaller numbers.
    parts.sort_unstable();
    let mut texts: HashMap<Formula, String> = HashMap::with_capacity(parts.len());
    for part in parts {
        let join = |name: &str, operands: &[Formula]| {
            let mut operands: Vec<&str> = operands.iter().map(|operand| texts[operand].as_str()).collect();
            operands.sort_unstable();
            format!("{name}({})", operands.join(", "))
        };
        let one = |name: &str, operand: &Formula| format!("{name}({})", texts[operand]);
        let two = |name: &str, left: &Formula, right: &Formula| format!("{name}({}, {})", texts[left], texts[right]);
        let text = match store.get(part) {
            Node::And(operands) => join("and", operands),
            Node::Or(operands) => join("or", operands),
            Node::Next(operand) => one("next", operand),
            Node::WeakNext(operand) => one("weak next", operand),
            Node::Yesterday(operand) => one("yesterday", operand),
            Node::WeakYesterday(operand) => one("weak yesterday", operand),
            Node::Until(left, right) => two("until", left, right),
            Node::Release(left, right) => two("release", left, right),
            Node::Since(left, right) => two("since", left, right),
            Node::Trigger(left, right) => two("trigger", left, right),
            Node::Literal(atom, is_positive) => format!("{is_positive} {}", facts[atom.0 as usize]),
            Node::True => "true".to_owned(),
            Node::False => "false".to_owned(),
        };
        texts.insert(part, text);
    }
    texts.remove(&formula).expect("a formula is below itself")
}
