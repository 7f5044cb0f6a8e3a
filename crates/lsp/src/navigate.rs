//! Definitions and references of names.

use crate::server::{Answer, Server, Target};
use analysis::Mention;
use gen_lsp_types::{DocumentHighlight, Location, ReferenceParams, TextDocumentPositionParams};
use source::Span;

/// Name at the cursor, or directly before it.
pub fn mention_at(target: &Target) -> Option<Mention> {
    let mentions = target.script.session.mentions();
    let touching = mentions.iter().filter(|mention| mention.span.touches(target.offset));
    // Of a qualified name and its parts, the shortest.
    touching.min_by_key(|mention| (mention.span.end == target.offset, mention.span.end - mention.span.start)).copied()
}

pub fn definition(server: &mut Server<'_>, params: TextDocumentPositionParams) -> Answer<Option<Location>> {
    let target = server.target(&params);
    let place = mention_at(&target).and_then(|mention| mention.definition);
    Ok(place.map(|span| target.script.location(span, server.encoding)))
}

/// Occurrences of the name at the cursor in one script, in source order; the definition only on request.
fn places(target: &Target, with_definition: bool) -> Vec<Span> {
    let Some(Mention { definition: Some(definition), .. }) = mention_at(target) else { return Vec::new() };
    let all = target.script.session.mentions();
    let same = all.into_iter().filter(|mention| mention.definition == Some(definition));
    same.map(|mention| mention.span).filter(|&span| with_definition || span != definition).collect()
}

/// The query for each script that the text belongs to.
pub fn in_all_scripts(server: &mut Server<'_>, target: &Target) -> Vec<Target> {
    let scripts = server.scripts.of(&server.texts, &target.path);
    let again = scripts.into_iter().filter_map(|script| {
        let file = script.file(&target.path)?;
        let offset = script.text(file).start + target.local as u32;
        Some(Target { path: target.path.clone(), script, file, local: target.local, offset })
    });
    again.collect()
}

pub fn references(server: &mut Server<'_>, params: ReferenceParams) -> Answer<Vec<Location>> {
    let target = server.target(&params.text_document_position_params);
    let with_definition = params.context.include_declaration;
    let mut found: Vec<Location> = Vec::new();
    for target in in_all_scripts(server, &target) {
        for span in places(&target, with_definition) {
            let location = target.script.location(span, server.encoding);
            if !found.contains(&location) {
                found.push(location);
            }
        }
    }
    Ok(found)
}

pub fn highlights(server: &mut Server<'_>, params: TextDocumentPositionParams) -> Answer<Vec<DocumentHighlight>> {
    let target = server.target(&params);
    let here = places(&target, true).into_iter().filter(|&span| target.script.file_of(span) == target.file);
    Ok(here.map(|span| DocumentHighlight::new(target.script.range(span, server.encoding), None)).collect())
}
