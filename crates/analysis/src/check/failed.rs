//! Reasons why an assertion is not decided.

use super::checker::Checker;
use super::walk::Walked;
use super::{Checked, Options, Reason, Verdict};
use frontend::{Failure, Lowered};
use lts::Label;
use lts::walk::Ended;
use model::network::{Configuration, FailedStep, NetworkStep};
use progress::{Interrupt, Stop};
use source::Diagnostic;

/// The reason why an assertion is not decided.
pub(super) enum Failed {
    /// An error of the script.
    Error(Box<Diagnostic>),
    /// A limit was reached, or the analysis was cancelled.
    Stopped(Stop),
    /// A machine of a lazily compiled network occupies a state that is not compiled yet, in this configuration if it is
    /// known.
    Open(Option<Configuration>),
    /// A step fails in the network of a process that does not fail in the process, as far as it can be confirmed.
    Unlike,
    /// Another reason, with details.
    Unknown(Reason, String),
}

impl Failed {
    /// A counterexample that the replay refutes: a bug of an engine, and no verdict.
    pub(super) fn not_replayed(why: &str) -> Failed {
        let detail = format!("a counterexample was found that cannot be replayed ({why}): please report this script");
        Failed::Unknown(Reason::Unconfirmed, detail)
    }

    /// The depth bound of a bounded search was reached.
    pub(super) fn too_deep(n_steps: u64) -> Failed {
        let steps = if n_steps == 1 { "step" } else { "steps" };
        let detail = format!("no run of at most {n_steps} {steps} breaks it; `--depth` looks at longer ones");
        Failed::Unknown(Reason::Depth, detail)
    }

    pub(super) fn unsupported(detail: &str) -> Failed {
        Failed::Unknown(Reason::Unsupported, detail.to_owned())
    }
}

impl From<Ended<Failure>> for Failed {
    fn from(ended: Ended<Failure>) -> Failed {
        match ended {
            Ended::Failed(failure) => failure.into(),
            Ended::Stopped(stop) => stop.into(),
        }
    }
}

impl Checker<'_> {
    /// The failure of an on-the-fly exploration, with the run that leads there.
    pub(super) fn failed_walking(&self, walked: &Walked, failure: Failure) -> Failed {
        let Failure::Error(mut diagnostic) = failure else { return failure.into() };
        // Without a run there is nothing to explain: the failure is in the initial state.
        if let Some(way) = walked.way_to_failure().filter(|way| !way.is_empty()) {
            diagnostic.notes.push(self.after(way.into_iter()));
        }
        Failed::Error(diagnostic)
    }

    /// The failing step of a network, as an error of the script, whatever the assertion claims.
    pub(super) fn failure_error(&mut self, lowered: &Lowered, steps: &[NetworkStep], failed: &FailedStep) -> Failed {
        let at = steps.last().map_or(&lowered.network.initial, |step| &step.target);
        self.failed_after(lowered, steps.iter().map(|step| step.label), Some(at), failed)
    }

    /// The failing step of a network after these labels, as an error of the script.
    pub(super) fn failed_after(
        &mut self,
        lowered: &Lowered,
        before: impl Iterator<Item = Label>,
        at: Option<&Configuration>,
        failed: &FailedStep,
    ) -> Failed {
        let is_walked = !self.semantics.has_configurations();
        let Some(mut diagnostic) = self.semantics.failed_step(lowered.id, at, failed) else { return Failed::Unlike };
        if is_walked {
            diagnostic.notes.push(self.after(before));
            return Failed::Error(diagnostic);
        }
        let trace: Vec<String> =
            before.filter(|&label| label != Label::TAU).map(|label| self.label_text(label)).collect();
        let step = self.label_text(failed.label);
        diagnostic.notes.push(format!("in the step `{step}` after <{}>", trace.join(", ")));
        Failed::Error(diagnostic)
    }
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Failed {
        match failure {
            Failure::Error(diagnostic) => Failed::Error(diagnostic),
            Failure::Stopped(stop) => Failed::Stopped(stop),
            Failure::Beyond(detail) => Failed::Unknown(Reason::Unsupported, detail),
        }
    }
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Failed {
        Failed::Stopped(stop)
    }
}

impl From<Reason> for Failed {
    fn from(reason: Reason) -> Failed {
        let detail = match reason {
            Reason::Stopped(stop) => return Failed::Stopped(stop),
            Reason::TooWide => "its states have too many components",
            Reason::NoProcesses => "it is not known which processes take its steps",
            Reason::TooLarge => "the formula, or the specification, is too large",
            Reason::MixedPast | Reason::Open => "the formula is too large",
            Reason::Depth => "no longer runs were looked at",
            Reason::Divergence => "the process can diverge",
            Reason::Unconfirmed => return Failed::not_replayed("nothing more is known"),
            Reason::Unsupported => "nothing decides it, or not the engine that was asked for",
        };
        Failed::Unknown(reason, detail.to_owned())
    }
}

impl From<Box<Diagnostic>> for Failed {
    fn from(diagnostic: Box<Diagnostic>) -> Failed {
        Failed::Error(diagnostic)
    }
}

impl Failed {
    /// The answer to an assertion that is not decided.
    pub(super) fn into_checked(self, options: &Options) -> Checked {
        let verdict = match self {
            Failed::Error(diagnostic) => Verdict::Error(diagnostic),
            Failed::Unknown(reason, detail) => Verdict::Unknown(reason, detail),
            Failed::Open(_) | Failed::Unlike => unreachable!("the process is walked before there is an answer"),
            Failed::Stopped(stop) => Verdict::Unknown(Reason::Stopped(stop), what_stopped(stop, options)),
        };
        Checked::new(verdict, None)
    }

    /// The reason why a solver is inconclusive, with the depth up to which it excluded counterexamples.
    pub(super) fn after_steps(reason: Reason, n_steps: Option<u64>, options: &Options) -> Failed {
        let is_solved = matches!(options.method, ::decide::Method::Formulas(_));
        match (reason, n_steps.filter(|&n_steps| is_solved && n_steps > 0)) {
            (Reason::Stopped(stop), Some(n_steps)) => {
                let steps = if n_steps == 1 { "step" } else { "steps" };
                let stopped = what_stopped(stop, options);
                Failed::Unknown(reason, format!("{stopped}; no run of at most {n_steps} {steps} breaks it"))
            }
            _ => reason.into(),
        }
    }
}

fn what_stopped(stop: Stop, options: &Options) -> String {
    match stop {
        Stop::Interrupted(Interrupt::Time) => "the time limit was reached".to_owned(),
        Stop::Interrupted(Interrupt::Memory) | Stop::MaxMemory => "the memory limit was reached".to_owned(),
        Stop::Interrupted(Interrupt::Cancelled) => "interrupted".to_owned(),
        Stop::Interrupted(Interrupt::LostRace | Interrupt::GaveUp | Interrupt::Restart) | Stop::Budget => {
            "the engine gave up".to_owned()
        }
        Stop::Capacity => "there are more states than can be numbered".to_owned(),
        Stop::MaxStates => format!("there are more than {} states", options.limits.max_states),
    }
}
