//! Random networks and specifications, for tests.

use crate::Property;
use lts::normal::normal;
use lts::{Lts, Model, Watch};
use model::network::Network;
use progress::NoProgress;
use test_support::data::{Taste, random_network_with_data};
use test_support::mutate::Random;
use test_support::networks::{random_network, without_priorities};

/// A network, with or without variables, and the normal form of a specification in failures.
pub(crate) fn random_pair(random: &mut Random) -> (Network, Lts) {
    let network = match random.below(2) {
        0 => random_network(random),
        _ => random_network_with_data(random, Taste { risk: 20, is_plain: false }),
    };
    (network, random_form(random, Model::Failures))
}

/// The normal form of a specification.
pub(crate) fn random_form(random: &mut Random, model: Model) -> Lts {
    let limits = explore::Limits::of_workers(1);
    let allowed = without_priorities(random_network(random));
    let spec = explore::to_lts(&allowed, &limits, &NoProgress).expect("it is small").lts;
    normal(&spec, model, &mut Watch::none()).expect("it is small")
}

/// Deadlock freedom, or refinement in failures.
pub(crate) fn random_property<'a>(random: &mut Random, form: &'a Lts) -> Property<'a> {
    *random.pick(&[Property::DeadlockFree, Property::Refines(form, Model::Failures)])
}
