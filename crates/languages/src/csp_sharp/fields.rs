//! The fields of events in formulas.
//!
//! In a script they are expressions, and so they are here: `a.(N-1)` is the event `a.2` if `N` is 3. No run has begun
//! where a formula is read, so only constants can stand in them.

use csp_sharp::parse::parse_expression;
use csp_sharp::syntax::{Expr, ExprKind, Unary};
use csp_sharp_runtime::code::{Type, arithmetic};
use hashbrown::HashMap;
use ltl::syntax::Text;
use source::{Diagnostic, Phase, SourceMap};

/// Constants of a script.
pub(super) type Constants = HashMap<String, (i32, Type)>;

/// A field as the names of events show it, or what is wrong with it.
pub(super) fn shown(map: &SourceMap, constants: &Constants, field: &Text) -> Result<String, Box<Diagnostic>> {
    let expression = parse_expression(map, field.span)?;
    let (value, ty) = value(&expression, constants).ok_or_else(|| not_constant(field))?;
    Ok(match ty {
        Type::Boolean => (value != 0).to_string(),
        _ => value.to_string(),
    })
}

fn value(expression: &Expr, constants: &Constants) -> Option<(i32, Type)> {
    match &expression.kind {
        ExprKind::Int(value) => Some((*value, Type::Number)),
        ExprKind::Bool(value) => Some((i32::from(*value), Type::Boolean)),
        ExprKind::Name(name) => constants.get(&*name.text).copied(),
        ExprKind::Unary(operator, operand) => {
            let (operand, _) = value(operand, constants)?;
            let ty = if *operator == Unary::Not { Type::Boolean } else { Type::Number };
            Some((arithmetic::unary(*operator, operand), ty))
        }
        ExprKind::Binary(operator, left, right) => {
            let ((left, left_type), (right, right_type)) = (value(left, constants)?, value(right, constants)?);
            // `true & false` is a truth, and `1 & 2` a number.
            let are_truths = left_type == Type::Boolean && right_type == Type::Boolean;
            let ty = if operator.is_condition() || are_truths { Type::Boolean } else { Type::Number };
            Some((arithmetic::binary(*operator, left, right)?, ty))
        }
        _ => None,
    }
}

fn not_constant(field: &Text) -> Box<Diagnostic> {
    let title = format!("`{}` has no value before the model runs", field.text);
    Diagnostic::error(Phase::Names, "csp-sharp::formula-field", field.span, title)
        .label("a constant is needed here")
        .help("write a number, a constant of the script, or a sum or product of them")
        .into()
}
