//! Fischer's protocol: how much is explored, and what is found.

use explore::Limits;
use lts::Verdict;
use progress::Nobody;
use test_support::clocks::{COLLISION, fischer};
use zones::{Abstraction, Question, check};

fn limits(n_workers: usize) -> Limits {
    Limits { n_workers, max_states: u64::MAX, max_memory: u64::MAX }
}

#[test]
fn as_many_edges_as_other_tools_explore() {
    // TChecker's, breadth first with covering.
    for (n, n_edges) in [(4, 552), (5, 2_290), (6, 9_132)] {
        let network = fischer(n, 2, false);
        assert!(network.network.validate().is_empty() && network.validate_timing().is_ok());
        for n_workers in [1, 2] {
            let question = Question::Seen(&[COLLISION]);
            let report =
                check(&network, question, Abstraction::REACHED, &limits(n_workers), &Nobody).expect("explored");
            assert_eq!(report.verdict, Verdict::Holds);
            assert_eq!(report.statistics.n_transitions, n_edges, "{n} members, {n_workers} workers");
        }
    }
}
