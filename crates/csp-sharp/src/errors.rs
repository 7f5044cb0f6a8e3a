//! Texts of the static diagnostics.

use source::{Diagnostic, Phase, Span, suggest};

fn parse(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Parse, code, span, title)
}

fn names(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Names, code, span, title)
}

fn types(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Types, code, span, title)
}

pub(crate) fn stray(text: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(Phase::Lex, "csp-sharp::stray", span, format!("`{text}` means nothing here"));
    if text.starts_with('"') {
        return diagnostic.label("a text begins here and does not end on its line").help("close it with `\"`");
    }
    if text.starts_with("/*") {
        return diagnostic.label("a comment begins here and does not end").help("close it with `*/`");
    }
    diagnostic.label("no part of the language").help("remove it")
}

pub(crate) fn unreadable(path: &str, why: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Phase::Lex, "csp-sharp::unreadable", span, format!("cannot read `{path}`: {why}"))
        .help("included files are looked for beside the file that includes them")
}

pub(crate) fn too_many_files(span: Span) -> Diagnostic {
    Diagnostic::error(Phase::Lex, "csp-sharp::includes", span, "too many files include each other")
        .label("not included any more")
        .help("include each file once")
}

pub(crate) fn unexpected(found: &str, wanted: &str, span: Span, before: Span) -> Diagnostic {
    let diagnostic = parse("csp-sharp::unexpected", span, format!("{wanted} is expected here"));
    if found == "the end of the script" {
        return diagnostic.label("the script ends here").also(before, "behind this");
    }
    let diagnostic = diagnostic.label(format!("found `{found}`"));
    match (wanted, found) {
        ("`;`", "=") => diagnostic.help("an event is followed by `->`, and conditions compare with `==`"),
        ("`;`", "|") => diagnostic.help("write `[]` for a choice, `||` or `|||` for processes side by side"),
        ("`;`", _) => diagnostic.help("declarations end with `;`").also(before, "behind this"),
        ("an expression", "=") => diagnostic.help("write `x = x + 1` to add to a variable, `x == 1` to compare it"),
        _ => diagnostic,
    }
}

/// The keywords of properties that an assertion may name.
const PROPERTIES: [&str; 8] = [
    "deadlockfree",
    "nonterminating",
    "divergencefree",
    "deterministic",
    "reaches",
    "refines",
    "equals",
    "linearizable",
];

pub(crate) fn no_property(found: &str, span: Span, before: Span) -> Diagnostic {
    let words: Vec<String> = PROPERTIES.iter().map(|word| format!("`{word}`")).collect();
    let diagnostic = unexpected(found, &format!("{} or `|=`", words.join(", ")), span, before);
    let begun = PROPERTIES.into_iter().find(|word| found.len() > 3 && word.starts_with(found));
    match begun.or_else(|| suggest::nearest(found, PROPERTIES.into_iter())) {
        // `deadlock-free` is more than one token, so a fix could not replace it as one word.
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

pub(crate) fn unnamed_goal(span: Span) -> Diagnostic {
    parse("csp-sharp::unnamed-goal", span, "`reaches` is followed by the name of a condition")
        .label("a condition goes on here")
        .help("name the condition: `#define goal x == 1;`, and write `reaches goal;`")
}

pub(crate) fn reserved(word: &str, what: &str, span: Span) -> Diagnostic {
    parse("csp-sharp::reserved", span, format!("`{word}` is a word of the language"))
        .label(format!("{what} is expected here"))
        .help(format!("choose another name, such as `{word}_`"))
}

pub(crate) fn probability(word: &str, span: Span) -> Diagnostic {
    parse("csp-sharp::probability", span, format!("`{word}` speaks of probabilities, and there are none here"))
        .label("part of PAT's module for probabilities")
        .help("say what may happen, whatever its probability: `a -> P() <> b -> Q()`")
}

pub(crate) fn too_deep(span: Span) -> Diagnostic {
    parse("csp-sharp::nesting", span, "this is nested too deeply")
        .label("given up here")
        .help("give parts of it names of their own")
}

pub(crate) fn large_number(text: &str, span: Span) -> Diagnostic {
    parse("csp-sharp::large-number", span, format!("{text} is too large"))
        .label("numbers have 32 bits")
        .help("the largest number is 2147483647")
}

pub(crate) fn empty_block(span: Span) -> Diagnostic {
    parse("csp-sharp::empty-block", span, "a program cannot be empty")
        .label("nothing happens here")
        .help("leave the braces out")
}

pub(crate) fn guard_behind_arrow(span: Span) -> Diagnostic {
    parse("csp-sharp::guard-behind-arrow", span, "a guard cannot stand directly behind `->`")
        .label("a guard begins here")
        .help("put the guarded process in brackets: `a -> ([b] c -> Skip)`")
}

pub(crate) fn else_of_ifb(span: Span) -> Diagnostic {
    parse("csp-sharp::else-of-ifb", span, "`ifb` waits for its condition, so it has no `else`")
        .label("never taken")
        .help("write `if` instead of `ifb`, or leave out the `else`")
}

pub(crate) fn not_a_declaration(name: &str, span: Span, at: Span) -> Diagnostic {
    parse("csp-sharp::declaration", at, "`=` is expected here")
        .label("a definition goes on here")
        .also(span, format!("`{name}` is to be defined"))
        .help(match name {
            "int" | "bool" | "boolean" => "variables are declared without a type: `var x = 0;`".to_owned(),
            _ => format!("write `{name}() = ...;`"),
        })
}

pub(crate) fn duplicate(name: &str, span: Span, first: Span) -> Diagnostic {
    names("csp-sharp::duplicate", span, format!("`{name}` is declared twice"))
        .label("again here")
        .also(first, "first here")
        .help("give one of them another name")
}

pub(crate) fn unknown<'a>(what: &str, name: &str, span: Span, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let diagnostic =
        names("csp-sharp::unknown", span, format!("there is no {what} `{name}`")).label("not declared anywhere");
    match suggest::nearest(name, known) {
        Some(near) => diagnostic.did_you_mean(near),
        None if what == "process" => {
            diagnostic.help(format!("declare it; an event is followed by a process: `{name} -> Skip`"))
        }
        None if what == "proposition" => diagnostic.help(format!("declare it: `#define {name} x == 1;`")),
        None => diagnostic.help(format!("declare it, or write another {what}")),
    }
}

pub(crate) fn wrong_kind(name: &str, is: &str, wanted: &str, span: Span, declared: Span) -> Diagnostic {
    names("csp-sharp::wrong-kind", span, format!("`{name}` is {is}, not {wanted}"))
        .label(format!("{wanted} is needed here"))
        .also(declared, "declared here")
}

pub(crate) fn arity(what: &str, name: &str, wanted: usize, found: usize, span: Span, declared: Span) -> Diagnostic {
    let arguments = if wanted == 1 { "argument" } else { "arguments" };
    names("csp-sharp::arity", span, format!("{what} `{name}` takes {wanted} {arguments}"))
        .label(format!("{found} given"))
        .also(declared, "declared here")
}

pub(crate) fn not_constant(span: Span, what: &str) -> Diagnostic {
    types("csp-sharp::not-constant", span, format!("{what} must be known before the model runs"))
        .label("this depends on the state")
        .help("use numbers, constants and enumerations")
}

pub(crate) fn no_value(span: Span, why: &str) -> Diagnostic {
    types("csp-sharp::no-value", span, format!("this has no value: {why}")).label("evaluated before the model runs")
}

pub(crate) fn too_large(span: Span, what: &str) -> Diagnostic {
    types("csp-sharp::too-large", span, format!("{what} is too large")).label("given up here")
}

pub(crate) fn negative(span: Span, what: &str, value: i32) -> Diagnostic {
    types("csp-sharp::negative", span, format!("{what} cannot be {value}")).label("a number from 0 is needed")
}

pub(crate) fn initial_range(name: &str, value: i32, range: &str, span: Span) -> Diagnostic {
    types("csp-sharp::initial-range", span, format!("`{name}` begins with {value}, which is not in its range"))
        .label(format!("its values are {range}"))
        .help("widen the range, or begin with another value")
}

pub(crate) fn wildcard(name: &str, span: Span) -> Diagnostic {
    types("csp-sharp::wildcard", span, format!("`{name}` may begin with any value, and nobody knows which there are"))
        .label("`*` stands for all values of the range")
        .help(format!("give it a range: `var {name} : {{0..3}} = *;`"))
}

pub(crate) fn too_few_values(name: &str, wanted: usize, found: usize, span: Span) -> Diagnostic {
    let given = if found == 1 { "is given" } else { "are given" };
    types("csp-sharp::array-size", span, format!("`{name}` has {}", elements(wanted)))
        .label(format!("{} {given}", values(found)))
        .help("`v(n)` repeats a value n times")
}

pub(crate) fn array_sizes(to: (&str, usize), from: (&str, usize), span: Span, declared: Span) -> Diagnostic {
    let ((to, wanted), (from, found)) = (to, from);
    types("csp-sharp::array-size", span, format!("`{to}` has {}, and `{from}` has {found}", elements(wanted)))
        .label(format!("{} for {wanted}", elements(found)))
        .also(declared, format!("`{from}` is declared here"))
        .help(format!("declare `{from}[{wanted}]`, or assign elements one by one: `{to}[0] = {from}[0]`"))
}

pub(crate) fn value_for_array(array: &str, wanted: usize, value: &str, span: Span) -> Diagnostic {
    types("csp-sharp::array-size", span, format!("`{array}` has {}, and `{value}` is one value", elements(wanted)))
        .label("one value for a whole array")
        .help(format!("write `{array}[0] = {value}` for one element, or `{array} = [{value}({wanted})]` for all"))
}

fn elements(number: usize) -> String {
    if number == 1 { "1 element".to_owned() } else { format!("{number} elements") }
}

pub(crate) fn fields(channel: &str, sent: usize, received: usize, span: Span) -> Diagnostic {
    let title = format!("`{channel}` never has a message with {}", values(received));
    Diagnostic::warning(Phase::Names, "csp-sharp::fields", span, title)
        .label(format!("what is sent has {}", values(sent)))
        .help("send and receive the same number of values")
}

fn values(number: usize) -> String {
    if number == 1 { "1 value".to_owned() } else { format!("{number} values") }
}

pub(crate) fn dimensions(name: &str, wanted: usize, found: usize, span: Span, declared: Span) -> Diagnostic {
    let indices = if wanted == 1 { "index" } else { "indices" };
    types("csp-sharp::dimensions", span, format!("`{name}` takes {wanted} {indices}"))
        .label(format!("{found} given"))
        .also(declared, "declared here")
}

pub(crate) fn not_an_array(name: &str, span: Span, declared: Span) -> Diagnostic {
    types("csp-sharp::not-an-array", span, format!("`{name}` is no array"))
        .label("an index is given")
        .also(declared, "declared here")
}

pub(crate) fn whole_array(name: &str, span: Span) -> Diagnostic {
    types("csp-sharp::whole-array", span, format!("`{name}` is an array, and one value is needed here"))
        .label("the whole array is meant")
        .help(format!("write `{name}[0]` for its first element"))
}

pub(crate) fn not_boolean(span: Span, what: &str) -> Diagnostic {
    types("csp-sharp::not-boolean", span, format!("{what} is true or false, and this is a number"))
        .label("a number")
        .help("compare it: `x == 1`, `x != 0`")
}

pub(crate) fn not_number(span: Span, sign: &str) -> Diagnostic {
    types("csp-sharp::not-a-number", span, format!("`{sign}` takes numbers, and this is true or false"))
        .label("a condition")
        .help("check the brackets around it")
}

pub(crate) fn assigned(name: &str, what: &str, span: Span, declared: Span) -> Diagnostic {
    names("csp-sharp::assigned", span, format!("`{name}` is {what} and cannot be assigned"))
        .label("assigned here")
        .also(declared, "declared here")
        .help("copy it to a variable first: `var copy = ...;`")
}

/// A program that assigns a parameter, an index or an input: the step that executes the assignment faults.
pub(crate) fn assigned_input(name: &str, what: &str, span: Span, declared: Span) -> Diagnostic {
    let title = format!("`{name}` is {what} and cannot be assigned");
    Diagnostic::warning(Phase::Names, "csp-sharp::assigned", span, title)
        .label("a step that does this goes wrong")
        .also(declared, "declared here")
        .help("copy it to a variable first: `var copy = ...;`")
}

pub(crate) fn received_index(name: &str, span: Span) -> Diagnostic {
    types(
        "csp-sharp::received-index",
        span,
        format!("which element of `{name}` is meant must be known before the program runs"),
    )
    .label("the index is computed here")
    .help(format!("write a number, or hand the element on: `P({name}[i])`"))
}

pub(crate) fn assignment_in_expression(span: Span) -> Diagnostic {
    types("csp-sharp::assignment", span, "an assignment can only stand alone")
        .label("assigned inside an expression")
        .help("write it as a statement of its own, in front of this one")
}

pub(crate) fn not_assignable(span: Span) -> Diagnostic {
    types("csp-sharp::not-assignable", span, "only variables and elements of arrays can be assigned")
        .label("this is neither")
}

pub(crate) fn recursive_macro(name: &str, span: Span) -> Diagnostic {
    names("csp-sharp::recursive-macro", span, format!("`{name}` stands for something that contains it"))
        .label("used here in its own definition")
        .help("macros are replaced by what they stand for, so they cannot repeat")
}

pub(crate) fn block_in_expression(name: &str, span: Span, declared: Span) -> Diagnostic {
    types("csp-sharp::program-as-value", span, format!("`{name}` is a program and has no value"))
        .label("a value is needed here")
        .also(declared, "declared here")
}

pub(crate) fn library(name: &str, span: Span) -> Diagnostic {
    names("csp-sharp::library", span, format!("the library `{name}` is not supported"))
        .label("it would have to be compiled C#")
        .help("PAT.Lib.Set, List, SerializableList, Stack, Queue, HashTable, DBM, Array and PAT.Math are built in; write other functions as macros: `#define f(x) ...;`")
}

pub(crate) fn class(name: &str, span: Span) -> Diagnostic {
    names("csp-sharp::class", span, format!("the class `{name}` is not supported"))
        .label("it would have to be compiled C#")
        .help("`Set`, `List`, `SerializableList`, `Stack`, `Queue` and `HashTable` are built in")
}

pub(crate) fn external_call(name: &str, span: Span) -> Diagnostic {
    names("csp-sharp::external-call", span, format!("the function `{name}` is not known"))
        .label("it would have to be compiled C#")
        .help(format!("write it as a macro: `#define {name}(x) ...;`"))
}

pub(crate) fn method(class: &str, name: &str, span: Span, known: &[&str]) -> Diagnostic {
    names("csp-sharp::method", span, format!("`{class}` has no method `{name}`"))
        .label("not supported")
        .help(format!("it has {}", listed(known)))
}

pub(crate) fn object(name: &str, span: Span, declared: Span) -> Diagnostic {
    types("csp-sharp::not-an-object", span, format!("`{name}` is no object of a library"))
        .label("a method of it is called")
        .also(declared, "declared here")
        .help(format!("declare it as `var<Set> {name};`"))
}

pub(crate) fn object_value(span: Span) -> Diagnostic {
    types("csp-sharp::object-value", span, "an object of a library can only be assigned, or asked by its methods")
        .label("one value is needed here")
}

/// The context of a replicated process.
pub(crate) const IN_COPIES: &str = "in copies";

pub(crate) fn any_number(below: &str, span: Span) -> Diagnostic {
    let diagnostic = names("csp-sharp::any-number", span, format!("any number of copies cannot stand {below}"))
        .label("`{..}` stands for all numbers");
    if below == IN_COPIES {
        return diagnostic
            .help("what follows `@` reaches as far as possible; to end it, write brackets: `(|||{..}@P()) ||| Q()`");
    }
    diagnostic
        .help("it can be a whole process, or stand below hiding and beside other members of `|||`; elsewhere write a number: `|||{3}@P()`")
}

pub(crate) fn input_variable(name: &str, span: Span, declared: Span) -> Diagnostic {
    names("csp-sharp::input-variable", span, format!("`{name}` is a variable of the model and cannot receive a value"))
        .label("received here")
        .also(declared, "declared here")
        .help(format!("receive another name and assign it: `c?received{{{name} = received}} -> ...`"))
}

pub(crate) fn not_a_proposition(name: &str, span: Span, declared: Span) -> Diagnostic {
    types("csp-sharp::proposition", span, format!("`{name}` is no condition about states"))
        .label("a proposition is needed here")
        .also(declared, "declared here")
        .help("write `#define goal x > 1;`, and `goal` here")
}

pub(crate) fn unguarded(name: &str, span: Span) -> Diagnostic {
    names("csp-sharp::unguarded", span, format!("`{name}` calls itself before it does anything"))
        .label("this has no first step")
        .help("put an event in front of the call: `a -> P()`")
}

pub(crate) fn range_here(span: Span, event: Span) -> Diagnostic {
    parse("csp-sharp::range-here", span, "only the fields of a call have ranges")
        .label("a range begins here")
        .also(event, "this is no call")
        .help("name the thread, arguments and constants; what an operation answers is added as the last field")
}

pub(crate) fn object_thread(what: &str, thread: &str, span: Span, declared: Span) -> Diagnostic {
    names("csp-sharp::object-thread", span, format!("the {what} does not tell which thread it belongs to"))
        .label(format!("no field is `{thread}`"))
        .also(declared, "the threads are declared here")
        .help(format!("add it to the event: `.{thread}`"))
}

pub(crate) fn object_event(what: &str, span: Span, other: Span) -> Diagnostic {
    names("csp-sharp::object-event", span, format!("events of the same name cannot be {what}"))
        .label("of the same name")
        .also(other, "as this")
        .help("give one of them another name")
}

pub(crate) fn object_result(span: Span, first: Span) -> Diagnostic {
    types("csp-sharp::object-result", span, "an operation answers with a result always or never")
        .label("one of these ends in a value, and the other does not")
        .also(first, "the first outcome")
        .help("a program has the value of its last statement: `{ x = 1; v }`")
}

pub(crate) fn object_answer(span: Span, object: &str, known: &[&str]) -> Diagnostic {
    names("csp-sharp::object-answer", span, format!("no operation of `{object}` is answered by this"))
        .label("the answer of an operation is needed here")
        .help(format!("its answers are {}", listed(known)))
}

pub(crate) fn object_state(name: &str, span: Span, used: Span) -> Diagnostic {
    names(
        "csp-sharp::object-state",
        span,
        format!("`{name}` belongs to an object and to the process that is to behave like it"),
    )
    .label("used by the process here")
    .also(used, "used by the object here")
    .help("give each of them variables of its own")
}

pub(crate) fn object_channel(name: &str, span: Span, declared: Span) -> Diagnostic {
    names("csp-sharp::object-channel", span, format!("an operation cannot look into the channel `{name}`"))
        .label("what an object does depends on its variables only")
        .also(declared, "declared here")
        .help("keep what the operation needs in a variable")
}

pub(crate) fn object_hidden(name: &str, span: Span, declared: Span) -> Diagnostic {
    names("csp-sharp::object-hidden", span, format!("`{name}` tells no states apart, so an object cannot depend on it"))
        .label("used by the object here")
        .also(declared, "declared by `hvar` here")
        .help("declare it by `var`")
}

pub(crate) fn object_uncalled(process: &str, calls: &[&str], span: Span, object: Span) -> Diagnostic {
    let title = format!("`{process}` never calls {}", listed(calls));
    Diagnostic::warning(Phase::Names, "csp-sharp::object-uncalled", span, title)
        .label("compared with the object")
        .also(object, "which is declared here")
        .help("check the names of its events")
}

pub(crate) fn object_unseen(process: &str, calls: &[&str], span: Span, object: Span) -> Diagnostic {
    let title = format!("`{process}` hides {}, so that calls are not seen", listed(calls));
    Diagnostic::warning(Phase::Names, "csp-sharp::object-unseen", span, title)
        .label("compared with the object")
        .also(object, "which is declared here")
        .help("do not hide calls and answers; everything else is hidden by itself")
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn too_many_variables(name: &str, span: Span) -> Diagnostic {
    names("csp-sharp::too-many-variables", span, format!("`{name}` has too many parameters, indices and inputs"))
        .label("there may be 60 in one definition")
        .help("split the process in two")
}
