//! Measures the tool on fixed workloads: `cargo xtask bench [GROUP] [--only WORD] [--repeat N] [--tool PATH] [--record]`.
//!
//! Twelve groups. `evaluator` runs the same algorithm in CSPM and in Python, in turns in the same run, and compares the
//! user time of the processor. `growth` runs a workload at three sizes, each twice the one before, and shows how the
//! time grows. `frontend` type checks large generated scripts and starts the tool on a small one. `refinement` searches the
//! same state spaces as Spin. `reductions` decides what needs few of very many states. `systems` decides refinement between the same
//! files as merc. `automata` translates the same formulas as Spin and counts states. `temporal` decides the same formulas under weak
//! fairness as Spin. `demand` has components that are small only beside their partners. `csp-sharp` compares verdicts of models in
//! CSP# with those that are known, and searches the same state spaces as Spin. `sat` runs all engines on puzzles and protocols, `nusmv` bounded search beside that of NuSMV. `workbench` draws pictures, `editor` edits scripts. A figure is the median of several runs, but for verdicts, which
//! take one; nothing is shown that did not come from a run whose answer was right, or is marked as wrong.

mod automata;
mod csp_sharp;
mod demand;
mod editor;
mod evaluator;
mod frontend;
mod generate;
mod growth;
mod measure;
mod models;
mod nusmv;
mod record;
mod reductions;
mod refinement;
mod sat;
mod systems;
mod temporal;
mod timed;
mod workbench;

use record::Record;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What every group needs to know.
pub struct Bench {
    /// The folder of the project.
    root: PathBuf,
    /// Our binary, built for release unless another one was asked for.
    tool: PathBuf,
    /// How often each figure is measured.
    repeat: usize,
    /// Only workloads whose name contains this.
    only: Option<String>,
}

impl Bench {
    fn wants(&self, workload: &str) -> bool {
        self.only.as_ref().is_none_or(|word| workload.contains(word.as_str()))
    }
}

/// Runs the groups that `arguments` name, all of them by default.
pub fn run(arguments: &[String]) -> ExitCode {
    match try_run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("bench: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn try_run(arguments: &[String]) -> Result<(), String> {
    let request = Request::read(arguments)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask lies in no project")?.to_owned();
    let tool = request.tool.clone().map_or_else(|| build_tool(&root), Ok)?;
    let bench = Bench { root, tool, repeat: request.repeat, only: request.only.clone() };
    let mut record = Record::new(&bench.root);
    if request.wants("evaluator") {
        evaluator::run(&bench, &mut record)?;
    }
    if request.wants("growth") {
        growth::run(&bench, &mut record)?;
    }
    if request.wants("frontend") {
        frontend::run(&bench, &mut record)?;
    }
    if request.wants("refinement") {
        refinement::run(&bench, &mut record)?;
    }
    if request.wants("reductions") {
        reductions::run(&bench, &mut record)?;
    }
    if request.wants("demand") {
        demand::run(&bench, &mut record)?;
    }
    if request.wants("systems") {
        systems::run(&bench, &mut record)?;
    }
    if request.wants("automata") {
        automata::run(&bench, &mut record)?;
    }
    if request.wants("temporal") {
        temporal::run(&bench, &mut record)?;
    }
    if request.wants("csp-sharp") {
        csp_sharp::run(&bench, &mut record)?;
    }
    if request.wants("timed") {
        timed::run(&bench, &mut record)?;
    }
    if request.wants("sat") {
        sat::run(&bench, &mut record)?;
    }
    if request.wants("nusmv") {
        nusmv::run(&bench, &mut record)?;
    }
    if request.wants("workbench") {
        workbench::run(&bench, &mut record)?;
    }
    if request.wants("editor") {
        editor::run(&bench, &mut record)?;
    }
    if request.record { record.append() } else { Ok(()) }
}

const GROUPS: &[&str] = &[
    "evaluator",
    "growth",
    "frontend",
    "refinement",
    "reductions",
    "demand",
    "systems",
    "automata",
    "temporal",
    "csp-sharp",
    "timed",
    "sat",
    "nusmv",
    "workbench",
    "editor",
];

struct Request {
    group: Option<String>,
    only: Option<String>,
    repeat: usize,
    /// The binary to measure.
    tool: Option<PathBuf>,
    record: bool,
}

impl Request {
    fn read(arguments: &[String]) -> Result<Request, String> {
        let mut request = Request { group: None, only: None, repeat: 5, tool: None, record: false };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                group if GROUPS.contains(&group) => request.group = Some(argument.clone()),
                "--only" => request.only = Some(rest.next().ok_or("--only needs a word")?.clone()),
                "--repeat" => {
                    let count = rest.next().and_then(|text| text.parse().ok()).filter(|&count| count > 0);
                    request.repeat = count.ok_or("--repeat needs a number")?;
                }
                "--tool" => request.tool = Some(PathBuf::from(rest.next().ok_or("--tool needs a path")?)),
                "--record" => request.record = true,
                other => {
                    return Err(format!("`{other}` is not known; groups are {}", GROUPS.join(", ")));
                }
            }
        }
        Ok(request)
    }

    fn wants(&self, group: &str) -> bool {
        self.group.as_ref().is_none_or(|wanted| wanted == group)
    }
}

fn build_tool(root: &Path) -> Result<PathBuf, String> {
    let status = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "tracehound"])
        .current_dir(root)
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err("the tool does not build".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release").join(format!("tracehound{}", std::env::consts::EXE_SUFFIX)))
}
