//! Queries of an editor about a place in the text. Places are offsets in the [`SourceMap`](source::SourceMap).

use super::script::CspmScript;
use cspm::builtins::Builtin;
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::{Decl, DeclId, Expr, ExprId};
use cspm::typecheck::TypeShape;
use frontend::{Mention, SymbolKind, TypeAt, Visible};
use limits::display::values::MAX_FIELD_VALUES;
use source::Span;
use std::collections::BTreeMap;

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

    /// Every place of every name.
    pub(super) fn find_mentions(&self) -> Vec<Mention> {
        let kinds: Vec<SymbolKind> = (0..self.resolved.names.len()).map(|id| self.kind_of(NameId(id as u32))).collect();
        let mention = |span: Span, id: usize| {
            let defined = self.resolved.names[id].span;
            Mention { span, definition: (defined != Span::default()).then_some(defined), kind: kinds[id] }
        };
        let used = self.resolved.uses.iter().map(|&(span, id)| mention(span, id.index()));
        let names = self.resolved.names.iter().enumerate();
        let defined = names.filter(|(_, name)| name.span != Span::default()).map(|(id, name)| mention(name.span, id));
        let mut mentions: Vec<Mention> = used.chain(defined).collect();
        mentions.sort();
        mentions.dedup_by_key(|mention| mention.span);
        mentions
    }

    fn kind_of(&self, id: NameId) -> SymbolKind {
        let is_process = || self.types.of_name(id).is_some_and(|ty| self.is_process_type(ty));
        match self.resolved.name(id).kind {
            NameKind::Builtin(_) => SymbolKind::BuiltIn,
            NameKind::Channel(_) => SymbolKind::Channel,
            NameKind::Constructor(_) => SymbolKind::Constructor,
            NameKind::Datatype(_) | NameKind::TypeVariable => SymbolKind::Datatype,
            NameKind::Subtype(_) => SymbolKind::Subtype,
            NameKind::Nametype(_) => SymbolKind::Nametype,
            NameKind::Function(_) | NameKind::Value(_) if is_process() => SymbolKind::Process,
            NameKind::Function(_) => SymbolKind::Function,
            NameKind::Value(_) => SymbolKind::Value,
            NameKind::Parameter => SymbolKind::Parameter,
        }
    }

    fn is_process_type(&self, ty: cspm::typecheck::Ty) -> bool {
        match self.types.shape(ty) {
            TypeShape::Proc => true,
            TypeShape::Function(_, result) => self.is_process_type(result),
            _ => false,
        }
    }

    /// The names that can be used at `offset`: those at the top, and those that the declaration around it binds.
    pub(super) fn find_visible(&self, offset: u32) -> Vec<Visible> {
        let declarations = self.declarations();
        let mut names: BTreeMap<&str, NameId> = BTreeMap::new();
        for &id in declarations.iter().flat_map(|&decl| self.resolved.decl_names(decl)) {
            names.insert(&self.resolved.name(id).qualified, id);
        }
        let around = self.declaration_around(&declarations, offset);
        for (id, name) in self.resolved.names.iter().enumerate() {
            let is_local = matches!(name.kind, NameKind::Parameter | NameKind::Function(_) | NameKind::Value(_));
            if is_local && around.start <= name.span.start && name.span.end < around.end && name.span != Span::default()
            {
                names.insert(self.resolved.text(NameId(id as u32)), NameId(id as u32));
            }
        }
        let visible = |(name, id): (&str, NameId)| Visible {
            name: name.to_owned(),
            kind: self.kind_of(id),
            type_text: self.types.display_name(&self.resolved, id),
        };
        let is_own = |(_, id): &(&str, NameId)| self.kind_of(*id) != SymbolKind::BuiltIn;
        names.into_iter().filter(is_own).map(visible).collect()
    }

    /// From the beginning of the declaration before a place to that of the next: also where the text is damaged.
    fn declaration_around(&self, declarations: &[DeclId], offset: u32) -> Span {
        let file = self.map.file_of(Span::new(offset, offset)).span();
        let starts = declarations.iter().map(|&decl| self.resolved.ast.decl_span(decl).start);
        let inside = starts.filter(|&start| file.start <= start && start <= file.end);
        inside.fold(file, |around, start| match start <= offset {
            true => Span::new(around.start.max(start), around.end),
            false => Span::new(around.start, around.end.min(start)),
        })
    }

    /// The values of a field of a channel or constructor, where its set is written out or a datatype.
    pub(super) fn find_field_values(&self, name: &str, field: usize) -> Vec<Visible> {
        let names = self.resolved.names.iter();
        let found = names.filter(|found| &*found.qualified == name).find_map(|found| match found.kind {
            NameKind::Channel(decl) => match self.resolved.ast.decl(decl) {
                Decl::Channel { fields, .. } => *fields,
                _ => None,
            },
            NameKind::Constructor(decl) => match self.resolved.ast.decl(decl) {
                Decl::Datatype { clauses, .. } => {
                    clauses.iter().find(|clause| clause.name.symbol == found.symbol).and_then(|clause| clause.fields)
                }
                _ => None,
            },
            _ => None,
        });
        let mut fields = Vec::new();
        if let Some(found) = found {
            self.flatten_dots(found, &mut fields);
        }
        fields.get(field).map_or(Vec::new(), |&set| self.elements(set, 8))
    }

    fn flatten_dots(&self, expr: ExprId, fields: &mut Vec<ExprId>) {
        match self.resolved.ast.expr(expr) {
            &Expr::Dot(left, right) => {
                self.flatten_dots(left, fields);
                self.flatten_dots(right, fields);
            }
            _ => fields.push(expr),
        }
    }

    /// The elements of a set, where they are known without evaluation.
    fn elements(&self, set: ExprId, depth: u32) -> Vec<Visible> {
        let ast = &self.resolved.ast;
        let value = |name: String, kind| Visible { name, kind, type_text: None };
        match ast.expr(set) {
            Expr::Set(elements) => {
                let element = |&element: &ExprId| value(ast.expr_text(element), SymbolKind::Value);
                elements.iter().take(MAX_FIELD_VALUES as usize).map(element).collect()
            }
            &Expr::Range { from, to: Some(to), .. } => match (ast.expr(from), ast.expr(to)) {
                (&Expr::Int(from), &Expr::Int(to)) if to.saturating_sub(from) < MAX_FIELD_VALUES => {
                    (from..=to).map(|number| value(number.to_string(), SymbolKind::Value)).collect()
                }
                _ => Vec::new(),
            },
            Expr::Name(_) if depth > 0 => match self.resolved.expr_name(set).map(|id| self.resolved.name(id).kind) {
                Some(NameKind::Builtin(Builtin::BoolSet)) => {
                    ["false", "true"].map(|word| value(word.to_owned(), SymbolKind::BuiltIn)).to_vec()
                }
                Some(NameKind::Datatype(decl) | NameKind::Subtype(decl)) => {
                    let constructors = self.resolved.decl_names(decl).iter().skip(1);
                    let name = |&id: &NameId| self.resolved.name(id).qualified.to_string();
                    constructors.map(|id| value(name(id), SymbolKind::Constructor)).collect()
                }
                Some(NameKind::Nametype(decl)) => match ast.decl(decl) {
                    &Decl::Nametype(_, set) => self.elements(set, depth - 1),
                    _ => Vec::new(),
                },
                Some(NameKind::Value(decl)) => match ast.decl(decl) {
                    &Decl::Pattern(_, set) => self.elements(set, depth - 1),
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}
