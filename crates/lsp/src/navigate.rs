//! Definitions and references of names.

use crate::server::{Answer, Asked, Server};
use analysis::Mention;
use gen_lsp_types::{DocumentHighlight, Location, ReferenceParams, TextDocumentPositionParams};
use source::Span;

/// Name at the cursor, or directly before it.
pub fn mention_at(asked: &Asked) -> Option<Mention> {
    let mentions = asked.script.session.mentions();
    let touching = mentions.iter().filter(|mention| mention.span.touches(asked.offset));
    // Of a qualified name and its parts, the shortest.
    touching.min_by_key(|mention| (mention.span.end == asked.offset, mention.span.end - mention.span.start)).copied()
}

pub fn definition(server: &mut Server<'_>, params: TextDocumentPositionParams) -> Answer<Option<Location>> {
    let asked = server.asked(&params);
    let place = mention_at(&asked).and_then(|mention| mention.definition);
    Ok(place.map(|span| asked.script.location(span, server.encoding)))
}

/// Occurrences of the name at the cursor in one script, in source order; the definition only on request.
fn places(asked: &Asked, with_definition: bool) -> Vec<Span> {
    let Some(Mention { definition: Some(definition), .. }) = mention_at(asked) else { return Vec::new() };
    let all = asked.script.session.mentions();
    let same = all.into_iter().filter(|mention| mention.definition == Some(definition));
    same.map(|mention| mention.span).filter(|&span| with_definition || span != definition).collect()
}

/// The query for each script that the text belongs to.
pub fn in_all_scripts(server: &mut Server<'_>, asked: &Asked) -> Vec<Asked> {
    let scripts = server.scripts.of(&server.texts, &asked.path);
    let again = scripts.into_iter().filter_map(|script| {
        let file = script.file(&asked.path)?;
        let offset = script.text(file).start + asked.local as u32;
        Some(Asked { path: asked.path.clone(), script, file, local: asked.local, offset })
    });
    again.collect()
}

pub fn references(server: &mut Server<'_>, params: ReferenceParams) -> Answer<Vec<Location>> {
    let asked = server.asked(&params.text_document_position_params);
    let with_definition = params.context.include_declaration;
    let mut found: Vec<Location> = Vec::new();
    for asked in in_all_scripts(server, &asked) {
        for span in places(&asked, with_definition) {
            let location = asked.script.location(span, server.encoding);
            if !found.contains(&location) {
                found.push(location);
            }
        }
    }
    Ok(found)
}

pub fn highlights(server: &mut Server<'_>, params: TextDocumentPositionParams) -> Answer<Vec<DocumentHighlight>> {
    let asked = server.asked(&params);
    let here = places(&asked, true).into_iter().filter(|&span| asked.script.file_of(span) == asked.file);
    Ok(here.map(|span| DocumentHighlight::new(asked.script.range(span, server.encoding), None)).collect())
}
