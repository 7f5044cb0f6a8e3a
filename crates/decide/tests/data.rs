//! Networks in which something goes wrong: whatever is claimed of them, that is the answer.

use decide::{Claim, Fault, Method, Reduce, Specification, Verdict, decide};
use explore::Limits;
use lts::{Builder, Label, Model, StateId, Watch};
use model::network::{Network, RuleId};
use progress::NoProgress;
use test_support::data::{Kept, shared_counters};

#[test]
fn an_error_is_the_answer_to_every_claim() {
    let limits = Limits::of_workers(1).with_max_states(1 << 20);
    let mut network = shared_counters(3, 3, 2, 3, Kept::InVariables);
    let mut builder = Builder::new();
    builder.add(StateId(0), Label(2), StateId(0));
    let spec = builder.finish(StateId(0));
    let refines = |model| {
        let specification = Specification::new(spec.clone(), model, &mut Watch::none()).expect("nothing stops it");
        Claim::Refines(specification.into())
    };
    let claims = [
        refines(Model::Traces),
        refines(Model::FailuresDivergences),
        Claim::DivergenceFree,
        Claim::Deterministic(Model::Failures),
        Claim::HasTrace(vec![Label(2)], Model::Traces),
    ];
    let verdict = |network: &Network, claim: &Claim, method: Method| {
        decide(claim, network, method, Reduce::None, &limits, &NoProgress).verdict
    };
    assert_eq!(verdict(&network, &claims[0], Method::Search), Verdict::Holds);
    // Somebody forgets to look whether a counter has come to its end.
    network.modes[0].rules[1].command.as_deref_mut().expect("all have one").guard = None;
    for claim in &claims {
        for method in [Method::Search, Method::Auto] {
            let Verdict::Fails(run) = verdict(&network, claim, method) else { panic!("{claim:?}: nothing is wrong") };
            let Fault::Failure(failed) = &run.fault else { panic!("{claim:?}: {run:?}") };
            assert_eq!(failed.rule, RuleId(1));
            let mut at = network.initial.clone();
            for step in &run.steps {
                assert!(network.steps(&at).contains(step));
                at = step.target.clone();
            }
            assert!(network.failures(&at).contains(failed));
        }
    }
}
