//! Diagnostics of name resolution.

use crate::syntax::ImportKeyword;
use source::{Diagnostic, Phase, Span};

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Names, code, span, title)
}

/// Adds further places that use a name: two of them, and the number of the rest.
fn also_used(mut diagnostic: Diagnostic, uses: &[Span]) -> Diagnostic {
    for &span in uses.iter().skip(1).take(2) {
        diagnostic = diagnostic.also(span, "used here too");
    }
    match uses.len() {
        0..=3 => diagnostic,
        n => diagnostic.with_note(format!("and in {} more places", n - 3)),
    }
}

pub fn unknown_name(text: &str, near: Option<&str>, module: Option<&str>, uses: &[Span]) -> Diagnostic {
    let diagnostic =
        also_used(error("cspm::unknown-name", uses[0], format!("`{text}` is not defined")), uses).label("unknown name");
    match (module, near) {
        (Some(module), _) => {
            let qualified = format!("{module}::{text}");
            diagnostic.help(format!("write `{qualified}`: it is exported by a module")).fix_replacing(uses, &qualified)
        }
        (None, Some(near)) => diagnostic.help(format!("did you mean `{near}`?")).fix_replacing(uses, near),
        (None, None) => {
            diagnostic.help(format!("define it: `channel {text}` for an event, `{text} = ...` for a value or process"))
        }
    }
}

fn keyword_text(keyword: ImportKeyword) -> &'static str {
    match keyword {
        ImportKeyword::Transparent => "transparent",
        ImportKeyword::External => "external",
    }
}

pub fn builtin_not_imported(text: &str, keyword: ImportKeyword, uses: &[Span]) -> Diagnostic {
    let line = format!("{} {text}", keyword_text(keyword));
    also_used(error("cspm::builtin-not-imported", uses[0], format!("`{text}` is not in scope")), uses)
        .label("a built-in function that must be asked for")
        .help(format!("add a line `{line}`"))
        .fix_first_line(&line)
}

pub fn timed_builtin(text: &str, uses: &[Span]) -> Diagnostic {
    also_used(error("cspm::timed-builtin", uses[0], format!("`{text}` exists only in `Timed` sections")), uses)
        .label("outside of any `Timed` section")
        .help("move the definition into `Timed { ... }`")
}

pub fn unknown_import(
    text: &str,
    keyword: ImportKeyword,
    known_otherwise: Option<ImportKeyword>,
    near: Option<&str>,
    span: Span,
) -> Diagnostic {
    let title = format!("there is no {} function `{text}`", keyword_text(keyword));
    let diagnostic = error("cspm::unknown-import", span, title).label("not a built-in of this kind");
    match (known_otherwise, near) {
        (Some(ImportKeyword::Transparent), _) => diagnostic.help(format!("write `external {text}`")),
        (Some(ImportKeyword::External), _) => diagnostic.help(format!("write `transparent {text}`")),
        (None, Some(near)) => diagnostic.did_you_mean(near),
        (None, None) => diagnostic,
    }
}

pub fn duplicate(text: &str, both_functions: bool, span: Span, first: Span) -> Diagnostic {
    let diagnostic = error("cspm::duplicate-definition", span, format!("`{text}` is defined twice"))
        .label("defined again")
        .also(first, "first defined here");
    if both_functions {
        diagnostic.help("equations of one function must stand next to each other, in one file")
    } else {
        diagnostic.help("rename or remove one of them")
    }
}

pub fn duplicate_module(text: &str, span: Span, first: Span) -> Diagnostic {
    error("cspm::duplicate-definition", span, format!("module `{text}` is defined twice"))
        .label("defined again")
        .also(first, "first defined here")
        .help("rename or remove one of them")
}

pub fn module_and_value(text: &str, module: Span, value: Span) -> Diagnostic {
    error("cspm::duplicate-definition", module, format!("`{text}` is both a module and a value"))
        .label("a module")
        .also(value, "defined here as a value")
        .help("rename one of them")
}

pub fn bound_twice(text: &str, span: Span, first: Span) -> Diagnostic {
    error("cspm::bound-twice", span, format!("`{text}` is bound twice"))
        .label("bound again")
        .also(first, "first bound here")
        .help(format!("use another name; if the two must be equal, compare them: `{text} == {text}'`"))
}

pub fn qualified_pattern(text: &str, span: Span) -> Diagnostic {
    error("cspm::qualified-pattern", span, format!("`{text}` cannot be matched"))
        .label("only constructors and channels of a module can stand in a pattern")
        .help("bind a plain name here and compare it on the right side")
}

pub fn dollar_after_field(span: Span, earlier: Span) -> Diagnostic {
    error("cspm::dollar-after-field", span, "`$` fields must come before `?` and `!` fields")
        .label("chosen internally, before anything is offered")
        .also(earlier, "this field comes first")
        .help("move the `$` field to the front, or use `|~|`")
}

pub fn unknown_module(text: &str, span: Span) -> Diagnostic {
    error("cspm::unknown-module", span, format!("there is no module `{text}`"))
        .label("unknown module")
        .help(format!("define it: `module {text}` ... `exports` ... `endmodule`"))
}

pub fn not_a_module(text: &str, is_value: bool, span: Span) -> Diagnostic {
    if is_value {
        return error("cspm::not-a-module", span, format!("`{text}` is not a module"))
            .label("only modules have names inside")
            .help("fields are joined by dots: `c.x`; for a type annotation, put blanks around `::`");
    }
    unknown_module(text, span)
}

pub fn module_as_value(text: &str, span: Span) -> Diagnostic {
    error("cspm::module-as-value", span, format!("`{text}` is a module, not a value"))
        .label("a value is needed here")
        .help(format!("name something inside it: `{text}::x`"))
}

pub fn unknown_in_module(text: &str, module: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic = error("cspm::unknown-in-module", span, format!("module `{module}` has no `{text}`"))
        .label("not among its names");
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{module}::{near}`?")).fix_replacing(&[span], near),
        None => diagnostic,
    }
}

pub fn private_name(full: &str, text: &str, module: &str, span: Span, defined: Span) -> Diagnostic {
    error("cspm::private-name", span, format!("`{full}` is private to its module"))
        .label("not visible here")
        .also(defined, "defined before `exports`")
        .help(format!("move `{text}` behind `exports` in module `{module}`"))
}

pub fn parameterized_module(full: &str, module: &str, span: Span) -> Diagnostic {
    error("cspm::parameterized-module", span, format!("`{full}` is inside a module with parameters"))
        .label("has no meaning until the parameters have values")
        .help(format!("write `instance I = {module}(...)` and use the names of `I`"))
}

pub fn cyclic_instance(module: &str, span: Span) -> Diagnostic {
    error("cspm::cyclic-instance", span, format!("module `{module}` contains an instance of itself"))
        .label("would need to exist before it is made")
        .help("move the instance out of the module")
}

pub fn instance_arity(module: &str, declared: usize, given: usize, span: Span, place: Span) -> Diagnostic {
    let s = if declared == 1 { "" } else { "s" };
    error("cspm::instance-arity", span, format!("module `{module}` takes {declared} argument{s}, {given} given"))
        .label(format!("{given} given"))
        .also(place, format!("declared with {declared}"))
}

pub fn too_many_instances(limit: usize, span: Span) -> Diagnostic {
    error("cspm::too-many-instances", span, "too many instances of modules")
        .label(format!("more than {limit} in all"))
        .help("modules that instantiate each other several times multiply")
}

pub fn tock_missing(found_other: Option<Span>, span: Span) -> Diagnostic {
    let diagnostic = error("cspm::tock-missing", span, "a `Timed` section needs the event `tock`")
        .label("one `tock` is one unit of time")
        .help("add a line `channel tock`");
    match found_other {
        Some(other) => diagnostic.also(other, "this `tock` is not a channel"),
        None => diagnostic.fix_first_line("channel tock"),
    }
}

pub fn unknown_type(text: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic =
        error("cspm::unknown-type", span, format!("there is no type `{text}`")).label("not a basic type or a datatype");
    match near {
        Some(near) => diagnostic.did_you_mean(near),
        None => diagnostic
            .help("type variables begin with a small letter; the basic types are Int, Bool, Char, Proc, Event"),
    }
}

pub fn not_a_type(text: &str, span: Span, defined: Span) -> Diagnostic {
    error("cspm::not-a-type", span, format!("`{text}` is not a type"))
        .label("a type is needed here")
        .also(defined, "defined here")
        .help("only datatypes name types; a nametype or subtype names a set: write the type of its elements")
}

pub fn unused(what: &str, text: &str, span: Span) -> Diagnostic {
    Diagnostic::note(Phase::Names, "cspm::unused-definition", span, format!("{what} `{text}` is never used"))
        .label("nothing refers to it")
}

pub fn instance_in_module(instance: &str, module: &str, span: Span, defined: Span) -> Diagnostic {
    error("cspm::instance-in-module", span, format!("module `{module}` uses `{instance}`, an instance of itself"))
        .label("is made of the text it stands in")
        .also(defined, "the module")
        .help(format!("use the name directly, without `{instance}::`, or move the definition out of the module"))
}

pub fn unreachable_equation(text: &str, span: Span, cause: Span, meant: Option<(&str, Span)>) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        Phase::Names,
        "cspm::unreachable-equation",
        span,
        format!("this equation of `{text}` is never used"),
    );
    let diagnostic = diagnostic.label("everything it matches was matched before").also(cause, "by this equation");
    match meant {
        Some((constant, defined)) => diagnostic
            .also(defined, format!("not this `{constant}`: a name in a pattern is a new variable"))
            .help(format!("compare on the right side: `if x == {constant} then ... else ...`")),
        None => diagnostic.help("equations are tried from the first to the last: put the special cases first"),
    }
}

pub fn swallowed_operand(op: &str, span: Span, whole: Span) -> Diagnostic {
    let title = "this operand is part of the replicated process";
    Diagnostic::warning(Phase::Names, "cspm::swallowed-operand", span, title)
        .label("once for each value, although it uses none of them")
        .also(whole, format!("the body of this `{op}` goes on to the end"))
        .help(format!("put the replicated process in parentheses: `({op} x:S @ P) {op} Q`"))
}
