//! The words of CSP#, with what they are for.

use crate::pieces::keyword;
use frontend::layout::Word;

const KEYWORDS: &[(&str, &str)] = &[
    ("alphabet", "`#alphabet P {..};`: the events that a process takes part in"),
    ("assert", "`#assert P() ..;`: a claim to be decided"),
    ("atomic", "what is inside happens in one step, as long as it can go on"),
    ("call", "`call(f, ..)`: a function of a library"),
    ("case", "the first branch whose condition holds"),
    ("ccount", "`ccount(c)`: how many messages a channel holds"),
    ("cempty", "`cempty(c)`: whether a channel holds no message"),
    ("cfull", "`cfull(c)`: whether a channel has no room"),
    ("channel", "`channel c 3;`: declares a channel with room for so many messages"),
    ("cpeek", "`cpeek(c)`: the message that is received next"),
    ("csize", "`csize(c)`: how many messages a channel has room for"),
    ("default", "the branch of `case` when no condition holds"),
    ("define", "`#define N 3;`: a constant, or an expression with a name"),
    ("else", "the other branch"),
    ("enum", "`enum {a, b};`: constants 0, 1 and so on"),
    ("false", "a truth value"),
    ("hvar", "a variable that is no part of a state"),
    ("if", "the condition is asked when a step is taken"),
    ("ifa", "the condition is asked together with the first step"),
    ("ifb", "waits until the condition holds"),
    ("import", "`#import \"..\";`: a library"),
    ("include", "`#include \"..\";`: the declarations of another file"),
    ("init", "a state formula of the start"),
    ("interrupt", "the second process may take over at any time"),
    ("new", "a new object"),
    ("Skip", "terminates"),
    ("Stop", "does nothing"),
    ("tau", "a step that nobody sees"),
    ("true", "a truth value"),
    ("var", "`var x = 0;`, `var<int> x;`: a variable"),
    ("while", "repeats statements while a condition holds"),
    ("xor", "exactly one is true"),
    ("Wait", "`Wait[t]`: terminates after so much time"),
    ("timeout", "`P timeout[t] Q`: Q if P has done nothing for so long"),
    ("deadline", "`P deadline[t]`: P ends within that time"),
    ("within", "`P within[t]`: P does something within that time"),
    ("waituntil", "`P waituntil[t]`: ends not before that time"),
];

/// The properties of a process in an assertion.
const PROPERTIES: &[(&str, &str)] = &[
    ("deadlockfree", "it can always do something, or has terminated"),
    ("nonterminating", "it can always do something"),
    ("divergencefree", "it never takes silent steps for ever"),
    ("deterministic", "no state has two steps with the same event to different states"),
    ("reaches", "`reaches cond`: a state in which the condition holds"),
    ("refines", "`refines Q()`: every trace is one of Q"),
];

/// Whether a word is one of the syntax.
pub(super) fn is_keyword(word: &str) -> bool {
    csp_sharp::is_reserved(word)
}

pub(super) fn words() -> Vec<Word> {
    KEYWORDS.iter().chain(PROPERTIES).map(keyword).collect()
}
