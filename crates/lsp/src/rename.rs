//! Renaming, if it preserves the meaning of all other names.
//!
//! The new texts are resolved before they are proposed: every name must still refer to its definition. So nothing is
//! captured or shadowed by the new name, in any of the scripts that the text belongs to.

use crate::navigate::{in_all_scripts, mention_at};
use crate::scripts::Script;
use crate::server::{Answer, Refused, Server, Target};
use crate::uri::{clean, uri_of};
use analysis::layout::PieceKind;
use analysis::{Mention, Session};
use gen_lsp_types::{PrepareRenamePlaceholder, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit};
use source::{Files, Severity, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// Places of renamed occurrences, by path.
type Places = BTreeMap<String, BTreeSet<(usize, usize)>>;

pub fn prepare(server: &mut Server<'_>, params: TextDocumentPositionParams) -> Answer<PrepareRenamePlaceholder> {
    let target = server.target(&params);
    let (range, old) = name_at(&target)?;
    let text = &target.script.text(target.file).text;
    let range = target.script.lines(target.file).range(text, range, server.encoding);
    Ok(PrepareRenamePlaceholder { range, placeholder: old })
}

/// Name at the cursor with a definition in the script.
fn name_at(target: &Target) -> Result<(Range<usize>, String), Refused> {
    let mention = mention_at(target).ok_or_else(|| Refused::because("there is no name here"))?;
    let definition = mention.definition.ok_or_else(|| Refused::because("this is built in: it cannot be renamed"))?;
    let old = target.script.session.source_map().text(definition).to_owned();
    let range = tail(&target.script, mention.span, &old)?;
    Ok((range, old))
}

/// Range of a name in its file: the last part, if it is qualified.
fn tail(script: &Script, span: Span, old: &str) -> Result<Range<usize>, Refused> {
    let map = script.session.source_map();
    let (range, text) = (map.range_in_file(span), map.text(span));
    let is_name = text == old || text.ends_with(&format!("::{old}"));
    if is_name {
        Ok(range.end - old.len()..range.end)
    } else {
        Err(Refused::because(format!("`{text}` is written in another way than `{old}`")))
    }
}

pub fn rename(server: &mut Server<'_>, params: RenameParams) -> Answer<WorkspaceEdit> {
    let target = server.target(&params.text_document_position_params);
    let new = params.new_name.trim().to_owned();
    let (_, old) = name_at(&target)?;
    check_name(&target, &new)?;
    let all = in_all_scripts(server, &target);
    let mut places = Places::new();
    for target in &all {
        collect(target, &old, &mut places)?;
    }
    for target in &all {
        let renamed = Renamed { files: &server.texts, places: &places, old: &old, new: &new };
        renamed.check(&target.script)?;
    }
    let changes = Some(changes(server, &all, &places, &new));
    Ok(WorkspaceEdit { changes, ..WorkspaceEdit::default() })
}

/// Checks that a name is an identifier of the language.
fn check_name(target: &Target, new: &str) -> Result<(), Refused> {
    let pieces = target.script.session.language().pieces(new);
    let is_name = pieces.len() == 1 && pieces[0].range == (0..new.len()) && pieces[0].kind == PieceKind::Name;
    if is_name { Ok(()) } else { Err(Refused::because(format!("`{new}` cannot be a name here"))) }
}

fn collect(target: &Target, old: &str, places: &mut Places) -> Result<(), Refused> {
    let Some(Mention { definition: Some(definition), .. }) = mention_at(target) else { return Ok(()) };
    for mention in target.script.session.mentions() {
        if mention.definition == Some(definition) {
            let range = tail(&target.script, mention.span, old)?;
            let path = target.script.path(target.script.file_of(mention.span)).to_owned();
            places.entry(path).or_default().insert((range.start, range.end));
        }
    }
    Ok(())
}

fn changes(server: &Server<'_>, all: &[Target], places: &Places, new: &str) -> HashMap<Uri, Vec<TextEdit>> {
    let mut changes = HashMap::new();
    for (path, ranges) in places {
        let Some((script, file)) = all.iter().find_map(|target| Some((&target.script, target.script.file(path)?)))
        else {
            continue;
        };
        let (text, lines) = (&script.text(file).text, script.lines(file));
        let edit = |&(start, end): &(usize, usize)| TextEdit {
            range: lines.range(text, start..end, server.encoding),
            new_text: new.to_owned(),
        };
        changes.insert(uri_of(path), ranges.iter().map(edit).collect());
    }
    changes
}

/// File system with the name replaced.
struct Renamed<'a> {
    files: &'a dyn Files,
    places: &'a Places,
    old: &'a str,
    new: &'a str,
}

impl Files for Renamed<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let bytes = self.files.read(path)?;
        let Some(ranges) = self.places.get(&clean(path)) else { return Ok(bytes) };
        let mut text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        for &(start, end) in ranges.iter().rev() {
            if text.get(start..end) == Some(self.old) {
                text.replace_range(start..end, self.new);
            }
        }
        Ok(text.into_bytes())
    }
}

impl Renamed<'_> {
    /// Checks that every name of a script still refers to its definition.
    fn check(&self, script: &Script) -> Result<(), Refused> {
        let before = &script.session;
        let after = Session::open(self, before.path(), None);
        let n_errors = |session: &Session| {
            session.diagnostics().iter().filter(|problem| problem.severity == Severity::Error).count()
        };
        let clash = || {
            let place = after.diagnostics().iter().find(|problem| problem.severity == Severity::Error);
            let place = place.map_or(String::new(), |problem| format!(": {}", problem.title));
            Refused::because(format!("`{}` would clash with something that has this name already{place}", self.new))
        };
        let names = |session: &Session, moves: bool| -> Vec<[(usize, usize); 2]> {
            let place = |span: Span| self.place(session, span, moves);
            let pair = |mention: Mention| [place(mention.span), mention.definition.map_or((usize::MAX, 0), place)];
            session.mentions().into_iter().map(pair).collect()
        };
        let is_same = names(before, true) == names(&after, false);
        if is_same && n_errors(before) == n_errors(&after) { Ok(()) } else { Err(clash()) }
    }

    /// File number and offset of a span after the renaming.
    fn place(&self, session: &Session, span: Span, moves: bool) -> (usize, usize) {
        let map = session.source_map();
        let file = map.files().partition_point(|file| file.start <= span.start).saturating_sub(1);
        let at = map.range_in_file(span).start;
        let path = clean(&map.files()[file].path);
        let n_before = match self.places.get(&path) {
            Some(ranges) if moves => ranges.range(..(at, 0)).count(),
            _ => 0,
        };
        (file, at + n_before * self.new.len() - n_before * self.old.len())
    }
}
