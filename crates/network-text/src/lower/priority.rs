//! Priority order: classes of labels, and the classes that they yield to.

use super::{NetworkLowering, Places, Scope, errors};
use crate::{Definition, NameKind};
use limits::input::networks::MAX_CLASSIFIED;
use lts::Label;
use model::network::Priority;

impl NetworkLowering<'_, '_> {
    pub(super) fn priority(&mut self) {
        let Some(classes) = &self.syntax.priority else { return };
        self.lowering.n_classified += self.lowering.document.events.len() + 2;
        if self.lowering.n_classified > MAX_CLASSIFIED {
            return self.report(errors::too_many_classified(self.syntax.name.span));
        }
        let mut scope = Scope::new("class");
        let mut priority = Priority::default();
        let mut classified: Places<Label> = Places::new();
        for (number, class) in (0..).zip(classes) {
            let span = class.name.span;
            let definition = Definition { kind: NameKind::Class, name: span, span, inside: Some(self.definition) };
            let definition = self.lowering.document.names.define(definition);
            if let Err(first) = scope.declare(class.name, definition) {
                self.report(errors::duplicate("class", self.text(class.name), span, first));
            }
            self.origins.classes.push(self.lowering.symbols.shared(class.name.symbol));
            for &syntax in &class.labels {
                let Some(label) = self.lowering.label(syntax) else { continue };
                match classified.get(&label) {
                    Some(&first) => self.report(errors::class_twice(syntax.span, first)),
                    None => {
                        classified.insert(label, syntax.span);
                        priority.set_class(label, number);
                    }
                }
            }
        }
        for (number, class) in (0..).zip(classes) {
            for &stronger in &class.yields_to {
                if let Some((other, definition)) = scope.find(stronger.symbol) {
                    self.lowering.document.names.refer(stronger.span, definition);
                    priority.add_yield(number, other as u32);
                } else if !self.syntax.is_damaged {
                    let near = scope.nearest(self.text(stronger), self.lowering.symbols);
                    self.report(errors::unknown("class", self.text(stronger), near.as_deref(), stronger.span));
                }
            }
        }
        self.network.priority = Some(priority);
    }
}
