//! The words of CSPM, with what they are for: the same words as in the book, which a test compares.

use crate::pieces::keyword;
use cspm::builtins::{Availability, Builtin};
use cspm::syntax::ImportKeyword;
use frontend::layout::Word;

const KEYWORDS: &[(&str, &str)] = &[
    ("and", "both are true"),
    ("assert", "a claim to be decided"),
    ("channel", "declares events, with the sets their fields are from"),
    ("datatype", "declares values by their constructors"),
    ("else", "the other branch of `if`"),
    ("endmodule", "ends a module"),
    ("exports", "what follows can be used outside of the module"),
    ("external", "imports functions that may change what a process means"),
    ("false", "a truth value"),
    ("if", "`if condition then one else another`"),
    ("include", "the declarations of another file"),
    ("instance", "a module with its parameters given"),
    ("let", "declarations for one expression: `let .. within ..`"),
    ("module", "declarations with a name in front of them"),
    ("nametype", "a name for a set of values"),
    ("not", "whether it is not so"),
    ("or", "one or both are true"),
    ("print", "evaluates an expression and shows its value"),
    ("subtype", "some of the values of a datatype"),
    ("then", "the first branch of `if`"),
    ("Timed", "declarations in which time passes: `Timed { .. }`"),
    ("transparent", "imports functions that do not change what a process means"),
    ("true", "a truth value"),
    ("within", "the expression that declarations after `let` are for"),
];

/// The properties of a process in an assertion, behind `:[`.
const PROPERTIES: &[(&str, &str)] = &[
    ("deadlock free", "it can always do something, or has terminated"),
    ("deadlock free [F]", "the same, in the failures model"),
    ("deadlock free [FD]", "the same, and it never diverges"),
    ("divergence free", "it never takes internal steps for ever"),
    ("livelock free", "the same"),
    ("deterministic", "what it can do, it cannot refuse"),
    ("deterministic [F]", "the same, in the failures model"),
    ("deterministic [FD]", "the same, and it never diverges"),
    ("has trace", "it can do the events behind `]:` one after the other"),
];

const ABOUT: &[(Builtin, &str)] = &[
    (Builtin::True, "the same as `true` and `false`"),
    (Builtin::False, "the same as `true` and `false`"),
    (Builtin::BoolSet, "both truth values"),
    (Builtin::IntSet, "all integers"),
    (Builtin::CharSet, "all characters"),
    (Builtin::ProcSet, "all processes"),
    (Builtin::Events, "all events of the script"),
    (Builtin::Stop, "does nothing"),
    (Builtin::Skip, "terminates"),
    (Builtin::Div, "internal steps for ever"),
    (Builtin::EmptyMap, "no keys"),
    (Builtin::Union, "elements of either"),
    (Builtin::Inter, "elements of both"),
    (Builtin::Diff, "elements of the first that are not in the second"),
    (Builtin::BigUnion, "elements of any"),
    (Builtin::BigInter, "elements of all; `{}` for no sets"),
    (Builtin::Member, "whether it is an element"),
    (Builtin::Card, "number of elements; an error for infinite sets"),
    (Builtin::Empty, "whether there are none"),
    (Builtin::ToSet, "the elements of a sequence"),
    (Builtin::ToSeq, "the elements in some order, the same for equal sets"),
    (Builtin::PowerSet, "all subsets"),
    (Builtin::AllSeqs, "all finite sequences of elements"),
    (Builtin::Length, "number of elements, also written `#`"),
    (Builtin::Null, "whether there are none"),
    (Builtin::Head, "the first; an error for `<>`"),
    (Builtin::Tail, "all but the first; an error for `<>`"),
    (Builtin::Concat, "all, one after the other"),
    (Builtin::Elem, "whether it occurs"),
    (Builtin::Extensions, "all that completes the value"),
    (Builtin::Productions, "all its completions"),
    (Builtin::MapFromList, "from pairs; later ones win"),
    (Builtin::MapToList, "the pairs"),
    (Builtin::MapLookup, "the value; an error if the key is missing"),
    (Builtin::MapMember, "whether the key is there"),
    (Builtin::MapUpdate, "with a key set"),
    (Builtin::MapUpdateMultiple, "with many keys set; earlier ones win"),
    (Builtin::MapDelete, "without a key"),
    (Builtin::AllMaps, "all maps with some of the keys"),
    (Builtin::Error, "stops the evaluation with a message"),
    (Builtin::Show, "the printed form of a value"),
    (Builtin::Chaos, "any of the events, for ever, but may refuse at any time"),
    (Builtin::Run, "any of the events, for ever"),
    (Builtin::Buffer, "a first-in first-out buffer"),
    (Builtin::WeakBuffer, "a buffer that signals overflow"),
    (Builtin::SignalBuffer, "a buffer that signals overflow and emptiness"),
    (Builtin::Wait, "lets that many tocks pass, then terminates"),
    (Builtin::TimedPriority, "no tock while an internal step or termination is possible"),
    (Builtin::Normal, "the normal form: deterministic, without internal steps"),
    (Builtin::EarlyNormal, "the same, by the name it had in early versions of FDR"),
    (Builtin::LazyNorm, "the same, built on demand"),
    (Builtin::Explicate, "all states listed"),
    (Builtin::LazyEnumerate, "states numbered on demand"),
    (Builtin::Diamond, "without internal steps, where failures and divergences allow it"),
    (Builtin::SBisim, "equal states merged, by strong bisimulation"),
    (Builtin::WBisim, "by weak bisimulation that respects divergence"),
    (Builtin::DBisim, "by delay bisimulation that respects divergence"),
    (Builtin::TauLoopFactor, "loops of internal steps merged"),
    (Builtin::ModelCompress, "states merged that are equal in the model of the check"),
    (Builtin::Chase, "internal steps followed greedily, one branch only"),
    (Builtin::ChaseNoCache, "the same, without remembering results"),
    (Builtin::Deter, "a deterministic part of the process"),
    (Builtin::Loop, "`P ; P ; P ; ...`"),
    (Builtin::Prioritise, "events of earlier sets have priority over events of later ones"),
    (Builtin::PrioritiseNoCache, "the same, without remembering results"),
    (Builtin::PrioritisePo, "priority by a partial order"),
    (Builtin::FailureWatchdog, "the same for failures"),
    (Builtin::TraceWatchdog, "does the event once its partner leaves the traces of the process"),
    (Builtin::MTransClose, "representatives of connected elements"),
    (Builtin::RelationalImage, "all partners of a left element"),
    (Builtin::RelationalInverseImage, "all partners of a right element"),
    (Builtin::Transpose, "pairs turned around"),
];

pub(super) fn words() -> Vec<Word> {
    let built_in = |&(built_in, about): &(Builtin, &'static str)| {
        let import = match built_in.availability() {
            Availability::Always | Availability::Timed => None,
            Availability::Imported(ImportKeyword::External) => Some(format!("external {}", built_in.name())),
            Availability::Imported(ImportKeyword::Transparent) | Availability::ImportedEither => {
                Some(format!("transparent {}", built_in.name()))
            }
        };
        Word { name: built_in.name(), is_keyword: false, signature: built_in.scheme(), about, behind: None, import }
    };
    let property = |pair| Word { behind: Some(":["), ..keyword(pair) };
    KEYWORDS.iter().map(keyword).chain(PROPERTIES.iter().map(property)).chain(ABOUT.iter().map(built_in)).collect()
}
