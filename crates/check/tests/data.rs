//! Networks in which something goes wrong: whatever is claimed of them, that is the answer.

use check::{Claim, Fault, Method, Verdict, decide};
use explore::Limits;
use lts::{Builder, Label, Model, StateId};
use model::network::{Network, RuleId};
use progress::Nobody;
use std::rc::Rc;
use test_support::data::{Kept, shared_counters};

#[test]
fn an_error_is_the_answer_to_every_claim() {
    let limits = Limits { n_workers: 1, max_states: 1 << 20, max_memory: u64::MAX };
    let mut network = shared_counters(3, 3, 2, 3, Kept::InVariables);
    let mut builder = Builder::new();
    builder.add(StateId(0), Label(2), StateId(0));
    let spec = Rc::new(builder.finish(StateId(0)));
    let claims = [
        Claim::Refines(spec.clone(), Model::Traces),
        Claim::Refines(spec, Model::FailuresDivergences),
        Claim::DivergenceFree,
        Claim::Deterministic(Model::Failures),
        Claim::HasTrace(vec![Label(2)], Model::Traces),
    ];
    let verdict =
        |network: &Network, claim: &Claim, method: Method| decide(claim, network, method, &limits, &Nobody).verdict;
    assert_eq!(verdict(&network, &claims[0], Method::Search), Verdict::Holds);
    // Somebody forgets to look whether a counter has come to its end.
    network.modes[0].rules[1].command.as_deref_mut().expect("all have one").guard = None;
    for claim in &claims {
        for method in [Method::Search, Method::Compose] {
            let Verdict::Fails(run) = verdict(&network, claim, method) else { panic!("{claim:?}: nothing is wrong") };
            let Fault::Failure(failed) = &run.fault else { panic!("{claim:?}: {run:?}") };
            assert_eq!(failed.rule, RuleId(1));
            assert_eq!(run.rules.len(), run.steps.len());
            let mut at = run.start;
            for ((label, target), rule) in run.steps.iter().zip(&run.rules) {
                let is_taken = |step: &model::network::NetworkStep| {
                    step.rule == *rule && step.label == *label && step.target == *target
                };
                assert!(network.steps(&at).iter().any(is_taken));
                at = target.clone();
            }
            assert!(network.failures(&at).contains(failed));
        }
    }
}
