//! Inhibitors of rules.

use super::expressions::Needed;
use super::{NetworkLowering, errors};
use crate::NameKind;
use crate::symbols::Ident;
use crate::syntax::ObstacleSyntax;
use model::network::{Inhibitor, InhibitorId, Way};

impl NetworkLowering<'_, '_> {
    pub(super) fn obstacles(&mut self) {
        let syntax = self.syntax;
        for obstacle in &syntax.obstacles {
            self.declare(NameKind::Inhibitor, obstacle.name, obstacle.span, |lowering| &mut lowering.obstacles);
            self.origins.obstacles.push(self.lowering.symbols.shared(obstacle.name.symbol));
        }
        for obstacle in &syntax.obstacles {
            let obstacle = self.obstacle(obstacle);
            self.network.obstacles.push(obstacle);
        }
    }

    fn obstacle(&mut self, syntax: &ObstacleSyntax) -> Inhibitor {
        let mut obstacle = Inhibitor::default();
        for alternative in &syntax.ways {
            let parts = self.parts(&alternative.parts, None);
            let unless = self.unless(&alternative.unless);
            let n_before = self.network.obstacles.len();
            let mut earlier = Vec::with_capacity(unless.len());
            for (name, number) in unless {
                if number.index() < n_before {
                    earlier.push(number);
                } else {
                    self.report(errors::obstacle_below(self.text(name), name.span, syntax.name.span));
                }
            }
            let condition = alternative.condition.map(|condition| self.expression(condition, Needed::Guard));
            let Some((parts, condition)) = parts.zip(condition.map_or(Some(None), |condition| condition.map(Some)))
            else {
                continue;
            };
            obstacle.ways.push(Way { parts, condition, unless: earlier.into() });
        }
        obstacle
    }

    /// The inhibitors of these names that exist.
    pub(super) fn unless(&mut self, names: &[Ident]) -> Vec<(Ident, InhibitorId)> {
        let mut found = Vec::with_capacity(names.len());
        for &name in names {
            let number = self.find(name, |lowering| &lowering.obstacles);
            found.extend(number.map(|number| (name, InhibitorId(number as u32))));
        }
        found
    }
}
