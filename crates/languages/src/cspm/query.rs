//! What an editor asks about a place in the text. Places are offsets in the [`SourceMap`](source::SourceMap).

use super::script::CspmScript;
use cspm::resolve::NameId;
use cspm::syntax::ExprId;
use frontend::TypeAt;
use source::Span;

impl CspmScript {
    /// Where the name at `offset` is defined; `None` for built-ins and where no name stands.
    pub(super) fn find_definition(&self, offset: u32) -> Option<Span> {
        let (_, id) = self.name_at(offset)?;
        let span = self.resolved.name(id).span;
        (span != Span::default()).then_some(span)
    }

    /// Every place where the name at `offset` stands, its definition included, in source order.
    pub(super) fn find_uses(&self, offset: u32) -> Vec<Span> {
        let Some((_, wanted)) = self.name_at(offset) else { return Vec::new() };
        let uses = self.resolved.uses.iter().filter(|(_, id)| *id == wanted).map(|(span, _)| *span);
        let mut spans: Vec<Span> = uses.chain(self.find_definition(offset)).collect();
        spans.sort();
        spans.dedup();
        spans
    }

    /// The type of the name at `offset`, or else of the smallest expression around it.
    pub(super) fn find_type(&self, offset: u32) -> Option<TypeAt> {
        self.type_of_name_at(offset).or_else(|| self.type_of_expression_at(offset))
    }

    fn type_of_name_at(&self, offset: u32) -> Option<TypeAt> {
        let (span, id) = self.name_at(offset)?;
        let text = self.types.display_name(&self.resolved, id)?;
        Some(TypeAt { span, text })
    }

    fn type_of_expression_at(&self, offset: u32) -> Option<TypeAt> {
        let ast = &self.resolved.ast;
        let around = (0..ast.n_exprs() as u32).map(ExprId).filter(|id| ast.expr_span(*id).touches(offset));
        let typed = around.filter_map(|id| Some((ast.expr_span(id), self.types.of_expr(id)?)));
        let (span, t) = typed.min_by_key(|(span, _)| span.end - span.start)?;
        Some(TypeAt { span, text: self.types.display(&self.resolved, t) })
    }

    /// The name that stands at `offset`, used or defined.
    fn name_at(&self, offset: u32) -> Option<(Span, NameId)> {
        let used = self.resolved.uses.iter().find(|(span, _)| span.touches(offset)).copied();
        used.or_else(|| {
            let defined = |id: usize| self.resolved.names[id].span;
            let is_there = |id: &usize| defined(*id) != Span::default() && defined(*id).touches(offset);
            (0..self.resolved.names.len()).find(is_there).map(|id| (defined(id), NameId(id as u32)))
        })
    }
}
