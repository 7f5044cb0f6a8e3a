//! `tracehound lts`.

use super::args::{CompressionName, Lts, NotationName};
use super::{Exit, report};
use crate::disk::Disk;
use crate::save::save;
use crate::{limits, output};
use analysis::check::Checker;
use analysis::{Compression, Notation, Session, TransitionSystem};
use source::Diagnostic;
use std::path::Path;

/// Writes the transition system of a process.
pub fn run(arguments: &Lts) -> Result<Exit, String> {
    let common = &arguments.common;
    let (room, language) = (arguments.limits.limits.room(), common.style.language());
    let session = Session::open_with_process_within(&Disk, &common.file, language, &arguments.process, &room);
    let mut diagnostics: Vec<Diagnostic> = session.diagnostics().to_vec();
    if !session.has_errors() {
        match transition_system(arguments, &session) {
            Ok(system) => return write(arguments, &system).map(|()| Exit::Clean),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    report::errors(&common.style, &common.file, &session, &diagnostics);
    Ok(if limits::is_interrupted() { Exit::Interrupted } else { Exit::Nothing })
}

fn transition_system(arguments: &Lts, session: &Session) -> Result<TransitionSystem, Box<Diagnostic>> {
    let budget = arguments.limits.limits.budget();
    let mut checker = Checker::new(session, arguments.limits.options(&budget, &arguments.workers));
    let model = arguments.model.model();
    let system = match arguments.compress {
        // Graphs are read by people, so their states have names.
        None if arguments.format == NotationName::Dot => checker.named_transition_system(model),
        compress => checker.transition_system(compress.map(compression), model),
    };
    budget.clear_progress();
    system
}

fn write(arguments: &Lts, system: &TransitionSystem) -> Result<(), String> {
    for (event, name) in system.renamed() {
        output::say(&format!(
            "note: the event `{event}` is written `{name}`, as it is not the silent step or termination\n"
        ));
    }
    let notation = match arguments.format {
        NotationName::Aut => Notation::Aldebaran,
        NotationName::Dot => Notation::Graphviz,
        NotationName::Json => Notation::Json,
    };
    let Some(path) = &arguments.output else {
        return output::stream_result(|out| system.write(notation, out));
    };
    save(Path::new(path), |mut out| system.write(notation, &mut out))
}

/// Compression selected on the command line.
pub fn compression(name: CompressionName) -> Compression {
    match name {
        CompressionName::Sbisim => Compression::SBisim,
        CompressionName::Wbisim => Compression::WBisim,
        CompressionName::Dbisim => Compression::DBisim,
        CompressionName::Diamond => Compression::Diamond,
        CompressionName::Normal => Compression::Normal,
        CompressionName::TauLoopFactor => Compression::TauLoopFactor,
        CompressionName::ModelCompress => Compression::ModelCompress,
    }
}
