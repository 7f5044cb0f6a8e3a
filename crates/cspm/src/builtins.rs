//! The predefined names of CSPM, in one table.
//!
//! Each row gives the name, how it comes into scope, and its type in the notation of the language itself; resolver,
//! type checker and evaluator all read this table, so a built-in is known to all of them or to none.

use crate::syntax::ImportKeyword;

/// The scope of a built-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Availability {
    /// In scope everywhere.
    Always,
    /// After `transparent name` or `external name`.
    Imported(ImportKeyword),
    /// After either keyword.
    ImportedEither,
    /// Inside a `Timed` section.
    Timed,
}

macro_rules! builtins {
    ($($variant:ident $name:literal $availability:expr, $scheme:literal;)*) => {
        /// A predefined name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)]
        pub enum Builtin { $($variant),* }

        impl Builtin {
            /// All of them, in the order of the table.
            pub const ALL: &[Builtin] = &[$(Builtin::$variant),*];

            /// The name as written in scripts.
            pub fn name(self) -> &'static str {
                match self { $(Builtin::$variant => $name),* }
            }

            /// How the name comes into scope.
            pub fn availability(self) -> Availability {
                match self { $(Builtin::$variant => $availability),* }
            }

            /// The type, in the notation of annotations.
            pub fn scheme(self) -> &'static str {
                match self { $(Builtin::$variant => $scheme),* }
            }
        }
    };
}

use Availability::{Always, ImportedEither, Timed};
const TRANSPARENT: Availability = Availability::Imported(ImportKeyword::Transparent);
const EXTERNAL: Availability = Availability::Imported(ImportKeyword::External);

builtins! {
    True "True" Always, "Bool";
    False "False" Always, "Bool";
    BoolSet "Bool" Always, "{Bool}";
    IntSet "Int" Always, "{Int}";
    CharSet "Char" Always, "{Char}";
    ProcSet "Proc" Always, "{Proc}";
    Events "Events" Always, "{Event}";
    Stop "STOP" Always, "Proc";
    Skip "SKIP" Always, "Proc";
    Div "DIV" Always, "Proc";
    EmptyMap "emptyMap" Always, "Set k => (| k => v |)";

    Union "union" Always, "Set a => ({a}, {a}) -> {a}";
    Inter "inter" Always, "Set a => ({a}, {a}) -> {a}";
    Diff "diff" Always, "Set a => ({a}, {a}) -> {a}";
    BigUnion "Union" Always, "Set a => ({{a}}) -> {a}";
    BigInter "Inter" Always, "Set a => ({{a}}) -> {a}";
    Member "member" Always, "Eq a => (a, {a}) -> Bool";
    Card "card" Always, "Eq a => ({a}) -> Int";
    Empty "empty" Always, "Eq a => ({a}) -> Bool";
    ToSet "set" Always, "Set a => (<a>) -> {a}";
    ToSeq "seq" Always, "Eq a => ({a}) -> <a>";
    PowerSet "Set" Always, "Set a => ({a}) -> {{a}}";
    AllSeqs "Seq" Always, "Set a => ({a}) -> {<a>}";

    Length "length" Always, "(<a>) -> Int";
    Null "null" Always, "(<a>) -> Bool";
    Head "head" Always, "(<a>) -> a";
    Tail "tail" Always, "(<a>) -> <a>";
    Concat "concat" Always, "(<<a>>) -> <a>";
    Elem "elem" Always, "Eq a => (a, <a>) -> Bool";

    Extensions "extensions" Always, "Yieldable b => (a => b) -> {a}";
    Productions "productions" Always, "Yieldable a => (b =>* a) -> {a}";

    MapFromList "mapFromList" Always, "Set k => (<(k, v)>) -> (| k => v |)";
    MapToList "mapToList" Always, "Set k => ((| k => v |)) -> <(k, v)>";
    MapLookup "mapLookup" Always, "Set k => ((| k => v |), k) -> v";
    MapMember "mapMember" Always, "Set k => ((| k => v |), k) -> Bool";
    MapUpdate "mapUpdate" Always, "Set k => ((| k => v |), k, v) -> (| k => v |)";
    MapUpdateMultiple "mapUpdateMultiple" Always, "Set k => ((| k => v |), <(k, v)>) -> (| k => v |)";
    MapDelete "mapDelete" Always, "Set k => ((| k => v |), k) -> (| k => v |)";
    AllMaps "Map" Always, "(Set k, Set v) => ({k}, {v}) -> {(| k => v |)}";

    Error "error" Always, "(<Char>) -> a";
    Show "show" Always, "(a) -> <Char>";

    Chaos "CHAOS" Always, "({Event}) -> Proc";
    Run "RUN" Always, "({Event}) -> Proc";
    Buffer "BUFFER" Always, "(Int, {(Event, Event)}) -> Proc";
    WeakBuffer "WEAK_BUFFER" Always, "(Int, Event, {(Event, Event)}) -> Proc";
    SignalBuffer "SIGNAL_BUFFER" Always, "(Int, Event, Event, {(Event, Event)}) -> Proc";

    Wait "WAIT" Timed, "(Int) -> Proc";
    TimedPriority "timed_priority" Timed, "(Proc) -> Proc";

    Normal "normal" TRANSPARENT, "(Proc) -> Proc";
    // An alias of `normal` from early versions of FDR.
    EarlyNormal "normalise" TRANSPARENT, "(Proc) -> Proc";
    LazyNorm "lazynorm" TRANSPARENT, "(Proc) -> Proc";
    Explicate "explicate" TRANSPARENT, "(Proc) -> Proc";
    LazyEnumerate "lazyenumerate" TRANSPARENT, "(Proc) -> Proc";
    Diamond "diamond" TRANSPARENT, "(Proc) -> Proc";
    SBisim "sbisim" TRANSPARENT, "(Proc) -> Proc";
    WBisim "wbisim" TRANSPARENT, "(Proc) -> Proc";
    DBisim "dbisim" TRANSPARENT, "(Proc) -> Proc";
    TauLoopFactor "tau_loop_factor" TRANSPARENT, "(Proc) -> Proc";
    ModelCompress "model_compress" TRANSPARENT, "(Proc) -> Proc";
    Chase "chase" ImportedEither, "(Proc) -> Proc";
    ChaseNoCache "chase_nocache" ImportedEither, "(Proc) -> Proc";

    Deter "deter" EXTERNAL, "(Proc) -> Proc";
    Loop "loop" EXTERNAL, "(Proc) -> Proc";
    Prioritise "prioritise" EXTERNAL, "(Proc, <{Event}>) -> Proc";
    PrioritiseNoCache "prioritise_nocache" EXTERNAL, "(Proc, <{Event}>) -> Proc";
    PrioritisePo "prioritisepo" EXTERNAL, "(Proc, {Event}, {(Event, Event)}, {Event}) -> Proc";
    FailureWatchdog "failure_watchdog" EXTERNAL, "(Proc, {Event}, Event) -> Proc";
    TraceWatchdog "trace_watchdog" EXTERNAL, "(Proc, {Event}, Event) -> Proc";
    MTransClose "mtransclose" EXTERNAL, "Eq a => ({(a, a)}, {a}) -> {(a, a)}";
    RelationalImage "relational_image" EXTERNAL, "(Eq a, Set b) => ({(a, b)}) -> (a) -> {b}";
    RelationalInverseImage "relational_inverse_image" EXTERNAL, "(Set a, Eq b) => ({(a, b)}) -> (b) -> {a}";
    Transpose "transpose" EXTERNAL, "(Set a, Set b) => ({(a, b)}) -> {(b, a)}";
}
