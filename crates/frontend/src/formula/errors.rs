//! The wording of every message about formulas and the script they speak of.

use ltl::syntax::Text;
use source::{Diagnostic, Phase, Span};

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Names, code, span, title)
}

pub fn unknown_choice(text: &str, name: Option<&str>, words: &str, span: Span) -> Diagnostic {
    match name {
        None => error("ltl::option", span, format!("`{text}` is not an option of a formula"))
            .label("unknown option")
            .help(format!("the options are {words}")),
        Some(name) => error("ltl::option", span, format!("`{name}` cannot be `{text}`"))
            .label("unknown value")
            .help(format!("the values of `{name}` are {words}")),
    }
}

pub fn repeated_choice(name: &str, span: Span) -> Diagnostic {
    error("ltl::option", span, format!("`{name}` is given twice")).label("again here").help("remove one of them")
}

pub fn not_a_channel(name: &str, what: &str, defined: Option<Span>, span: Span) -> Diagnostic {
    let diagnostic = error("ltl::not-a-channel", span, format!("`{name}` is {what}, not a channel"))
        .label("an event begins with the name of a channel");
    match defined {
        Some(defined) => diagnostic.also(defined, "defined here"),
        None => diagnostic,
    }
}

pub fn not_a_name(name: &Text) -> Diagnostic {
    error("ltl::not-a-channel", name.span, format!("`{}` is not a channel", name.text))
        .label("an event begins with the name of a channel")
}

pub fn unknown_event(name: &Text) -> Diagnostic {
    error("ltl::unknown-name", name.span, format!("`{}` is not defined", name.text)).label("unknown name")
}

pub fn unreadable(span: Span) -> Diagnostic {
    error("ltl::unknown-name", span, "the formula could not be read").label("mend what was reported before")
}

pub fn variable_is_name(name: &str, defined: Span, variable: Span, used: Span) -> Diagnostic {
    error("ltl::variable-name", variable, format!("`{name}` is a name of the script, not a variable"))
        .label("bound here")
        .also(used, "used here")
        .also(defined, "defined here")
        .help("choose another name for the variable")
}

pub fn operation_results(span: Span) -> Diagnostic {
    error("ltl::no-meaning", span, "events of CSP have no results")
        .label("results belong to operations of B")
        .help("write the fields behind the channel: `c.1._`")
}

pub fn too_many_fields(channel: &str, n_fields: usize, declared: Span, span: Span) -> Diagnostic {
    let fields = match n_fields {
        0 => "no fields".to_owned(),
        1 => "one field".to_owned(),
        n => format!("{n} fields"),
    };
    error("ltl::fields", span, format!("`{channel}` has {fields}"))
        .label("one field too many")
        .also(declared, "declared here")
        .help("fields at the end may be left out, and `_` stands for any value")
}

pub fn not_in_field(channel: &str, value: &str, set: &str, declared: Span, span: Span) -> Diagnostic {
    error("ltl::field-value", span, format!("`{value}` is no value of this field of `{channel}`"))
        .label(format!("the values are {set}"))
        .also(declared, "declared here")
}

pub fn no_values(variable: &str, span: Span) -> Diagnostic {
    error("ltl::quantifier", span, format!("nothing says which values `{variable}` has"))
        .label("expected a set")
        .help(format!("write `{variable}:S` with a set `S` of the script"))
}

pub fn without_value(variable: &str, span: Span) -> Diagnostic {
    error("ltl::unbound", span, format!("`{variable}` has no value here"))
        .label("used where its event need not occur")
        .help(format!("write `forall {variable}:T @ f` or `exists {variable}:T @ f` around the formula"))
}

pub fn without_meaning(what: &str, why: &str, span: Span) -> Diagnostic {
    error("ltl::no-meaning", span, format!("`{what}` has no meaning here")).label(why.to_owned())
}

pub fn not_in_trace_view(what: &str, help: &str, span: Span) -> Diagnostic {
    error("ltl::view", span, format!("`{what}` has no meaning in the trace view"))
        .label("a position of a trace is not one state")
        .help(help.to_owned())
        .help("choose the view of steps: `view=step`")
}

pub fn branching_view(span: Span) -> Diagnostic {
    error("ltl::view", span, "CTL has no trace view")
        .label("its formulas are about states")
        .help("choose the view of steps: `view=step`")
}

pub fn branching_runs(span: Span) -> Diagnostic {
    error("ltl::option", span, "CTL takes runs that end as they are")
        .label("its formulas are about states")
        .help("leave `finite-runs` out, or write the claim in LTL")
}

pub fn branching_fairness(span: Span) -> Diagnostic {
    error("ltl::fairness", span, "fairness is a premise of LTL only")
        .label("claimed of all runs")
        .help("write the claim in LTL")
}

pub fn step_in_branching(text: &str, span: Span) -> Diagnostic {
    error("ltl::step-in-ctl", span, format!("`{text}` is about a step, and CTL is about states"))
        .label("no step is taken at a state")
        .help("write `e(a)` if the event is possible, `EX[a] f` if it leads to `f`")
}

pub fn too_many_instances(limit: usize, span: Span) -> Diagnostic {
    error("ltl::too-many-instances", span, format!("the variables have more than {limit} values together"))
        .label("instances of this are made for each")
        .help("restrict the sets: `c?x:S`, `forall x:S @ f`")
}

pub fn too_many_variables(limit: usize, span: Span) -> Diagnostic {
    error("ltl::too-many-variables", span, format!("more than {limit} variables are bound inside each other"))
        .label("one too many")
}

pub fn too_many_alternatives(limit: usize, span: Span) -> Diagnostic {
    error("ltl::too-many-alternatives", span, format!("the premise has more than {limit} alternatives"))
        .label("conditions joined by `or` and `&`")
        .help("check the formula under each alternative on its own")
}

pub fn too_many_facts(limit: usize, n_facts: usize, span: Span) -> Diagnostic {
    error("ltl::too-many-facts", span, format!("the formula speaks of {n_facts} different facts at once"))
        .label(format!("at most {limit} can be told apart"))
        .help("split it into several formulas")
}
