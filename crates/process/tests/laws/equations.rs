//! The laws, by operator.

use crate::laws::Relation::{Equal, Refined};
use crate::laws::Scope::{All, ExceptDivergences, OnlyDivergences, OnlyTraces, UpToFailures, UpToRevivals};
use crate::laws::build::{complement, intersection, none, sigma, turned, union};
use crate::laws::{Law, Relation, Scope};
use process::{Compression, Term};
use test_support::processes::world::{event, relation, set};

macro_rules! laws {
    ($($name:literal $scope:ident $relation:ident |$b:pat_param, $p:pat_param, $q:pat_param, $r:pat_param| $sides:block)*) => {
        vec![$(law($name, $scope, $relation, |$b, [$p, $q, $r]| $sides)),*]
    };
}

fn law(name: &'static str, scope: Scope, relation: Relation, sides: Sides) -> Law {
    Law { name, scope, relation, sides }
}

type Sides = fn(&mut crate::laws::build::Build, [process::TermId; 3]) -> (process::TermId, process::TermId);

pub fn laws() -> Vec<Law> {
    let families = [
        choices(),
        sequences(),
        interruptions(),
        parallels(),
        alphabets(),
        hidings(),
        renamings(),
        synchronizings(),
        built_ins(),
        refinements(),
    ];
    families.into_iter().flatten().collect()
}

fn choices() -> Vec<Law> {
    laws! {
        "P [] P = P" All Equal |b, p, _, _| { (b.ext(p, p), p) }
        "P [] Q = Q [] P" All Equal |b, p, q, _| { (b.ext(p, q), b.ext(q, p)) }
        "[] is associative" All Equal |b, p, q, r| {
            let (pq, qr) = (b.ext(p, q), b.ext(q, r));
            (b.ext(pq, r), b.ext(p, qr))
        }
        "P [] STOP = P" All Equal |b, p, _, _| { let stop = b.stop(); (b.ext(p, stop), p) }
        "P [] DIV = DIV" OnlyDivergences Equal |b, p, _, _| { let div = b.div(); (b.ext(p, div), div) }
        "P |~| P = P" All Equal |b, p, _, _| { (b.int(p, p), p) }
        "P |~| Q = Q |~| P" All Equal |b, p, q, _| { (b.int(p, q), b.int(q, p)) }
        "|~| is associative" All Equal |b, p, q, r| {
            let (pq, qr) = (b.int(p, q), b.int(q, r));
            (b.int(pq, r), b.int(p, qr))
        }
        "P |~| DIV = DIV" OnlyDivergences Equal |b, p, _, _| { let div = b.div(); (b.int(p, div), div) }
        "P |~| DIV = P" ExceptDivergences Equal |b, p, _, _| { let div = b.div(); (b.int(p, div), p) }
        "[] distributes over |~|" All Equal |b, p, q, r| {
            let (qr, pq, pr) = (b.int(q, r), b.ext(p, q), b.ext(p, r));
            (b.ext(p, qr), b.int(pq, pr))
        }
        "|~| distributes over []" UpToFailures Equal |b, p, q, r| {
            let (qr, pq, pr) = (b.ext(q, r), b.int(p, q), b.int(p, r));
            (b.int(p, qr), b.ext(pq, pr))
        }
        "(a -> P) |~| ((a -> Q) [] (b -> R)) = (a -> Q) |~| ((a -> P) [] (b -> R))" UpToRevivals Equal |b, p, q, r| {
            let (ap, aq) = (b.prefix(event('a'), p), b.prefix(event('a'), q));
            let br = b.prefix(event('b'), r);
            let (with_q, with_p) = (b.ext(aq, br), b.ext(ap, br));
            (b.int(ap, with_q), b.int(aq, with_p))
        }
        "a -> (P |~| Q) = (a -> P) |~| (a -> Q)" All Equal |b, p, q, _| {
            let a = b.event();
            let (pq, ap, aq) = (b.int(p, q), b.prefix(a, p), b.prefix(a, q));
            (b.prefix(a, pq), b.int(ap, aq))
        }
        "(a -> P) [] (a -> Q) = a -> (P |~| Q)" All Equal |b, p, q, _| {
            let a = b.event();
            let (pq, ap, aq) = (b.int(p, q), b.prefix(a, p), b.prefix(a, q));
            (b.ext(ap, aq), b.prefix(a, pq))
        }
        "P [> Q = (P |~| STOP) [] Q" UpToFailures Equal |b, p, q, _| {
            let stop = b.stop();
            let maybe = b.int(p, stop);
            (b.slide(p, q), b.ext(maybe, q))
        }
        "STOP [> P = P" All Equal |b, p, _, _| { let stop = b.stop(); (b.slide(stop, p), p) }
        "P [> STOP = P |~| STOP" UpToFailures Equal |b, p, _, _| { let stop = b.stop(); (b.slide(p, stop), b.int(p, stop)) }
        "P [> P = P" All Equal |b, p, _, _| { (b.slide(p, p), p) }
        "[> is associative" All Equal |b, p, q, r| {
            let (pq, qr) = (b.slide(p, q), b.slide(q, r));
            (b.slide(pq, r), b.slide(p, qr))
        }
        "(P |~| Q) [> R = (P [> R) |~| (Q [> R)" All Equal |b, p, q, r| {
            let (pq, pr, qr) = (b.int(p, q), b.slide(p, r), b.slide(q, r));
            (b.slide(pq, r), b.int(pr, qr))
        }
        "P [] (Q [> R) = (P [] Q) [> (P [] R)" All Equal |b, p, q, r| {
            let (qr, pq, pr) = (b.slide(q, r), b.ext(p, q), b.ext(p, r));
            (b.ext(p, qr), b.slide(pq, pr))
        }
    }
}

fn sequences() -> Vec<Law> {
    laws! {
        "SKIP ; P = P" All Equal |b, p, _, _| { let skip = b.skip(); (b.seq(skip, p), p) }
        "P ; SKIP = P" All Equal |b, p, _, _| { let skip = b.skip(); (b.seq(p, skip), p) }
        "STOP ; P = STOP" All Equal |b, p, _, _| { let stop = b.stop(); (b.seq(stop, p), stop) }
        "DIV ; P = DIV" All Equal |b, p, _, _| { let div = b.div(); (b.seq(div, p), div) }
        "; is associative" All Equal |b, p, q, r| {
            let (pq, qr) = (b.seq(p, q), b.seq(q, r));
            (b.seq(pq, r), b.seq(p, qr))
        }
        "(a -> P) ; Q = a -> (P ; Q)" All Equal |b, p, q, _| {
            let a = b.event();
            let (ap, pq) = (b.prefix(a, p), b.seq(p, q));
            (b.seq(ap, q), b.prefix(a, pq))
        }
        "(P |~| Q) ; R = (P ; R) |~| (Q ; R)" All Equal |b, p, q, r| {
            let (pq, pr, qr) = (b.int(p, q), b.seq(p, r), b.seq(q, r));
            (b.seq(pq, r), b.int(pr, qr))
        }
        "P ; (Q |~| R) = (P ; Q) |~| (P ; R)" All Equal |b, p, q, r| {
            let (qr, pq, pr) = (b.int(q, r), b.seq(p, q), b.seq(p, r));
            (b.seq(p, qr), b.int(pq, pr))
        }
        "(P [] SKIP) ; Q = (P ; Q) [> Q" All Equal |b, p, q, _| {
            let skip = b.skip();
            let (maybe, pq) = (b.ext(p, skip), b.seq(p, q));
            (b.seq(maybe, q), b.slide(pq, q))
        }
        "P [] SKIP = P [> SKIP" All Equal |b, p, _, _| { let skip = b.skip(); (b.ext(p, skip), b.slide(p, skip)) }
        "loop(P) = P ; loop(P)" All Equal |b, p, _, _| { let again = b.repeat(p); (again, b.seq(p, again)) }
        "loop(SKIP) = DIV" All Equal |b, _, _, _| { let skip = b.skip(); (b.repeat(skip), b.div()) }
    }
}

fn interruptions() -> Vec<Law> {
    laws! {
        "P /\\ STOP = P" All Equal |b, p, _, _| { let stop = b.stop(); (b.interrupt(p, stop), p) }
        "STOP /\\ P = P" All Equal |b, p, _, _| { let stop = b.stop(); (b.interrupt(stop, p), p) }
        "SKIP /\\ P = SKIP [] P" All Equal |b, p, _, _| { let skip = b.skip(); (b.interrupt(skip, p), b.ext(skip, p)) }
        "P /\\ DIV = DIV" OnlyDivergences Equal |b, p, _, _| { let div = b.div(); (b.interrupt(p, div), div) }
        "/\\ is associative" All Equal |b, p, q, r| {
            let (pq, qr) = (b.interrupt(p, q), b.interrupt(q, r));
            (b.interrupt(pq, r), b.interrupt(p, qr))
        }
        "(a -> P) /\\ Q = Q [] (a -> (P /\\ Q))" UpToRevivals Equal |b, p, q, _| {
            let a = b.event();
            let (ap, pq) = (b.prefix(a, p), b.interrupt(p, q));
            let apq = b.prefix(a, pq);
            (b.interrupt(ap, q), b.ext(q, apq))
        }
        "(P |~| Q) /\\ R = (P /\\ R) |~| (Q /\\ R)" All Equal |b, p, q, r| {
            let (pq, pr, qr) = (b.int(p, q), b.interrupt(p, r), b.interrupt(q, r));
            (b.interrupt(pq, r), b.int(pr, qr))
        }
        "P /\\ (Q |~| R) = (P /\\ Q) |~| (P /\\ R)" All Equal |b, p, q, r| {
            let (qr, pq, pr) = (b.int(q, r), b.interrupt(p, q), b.interrupt(p, r));
            (b.interrupt(p, qr), b.int(pq, pr))
        }
        "P [|{}|> Q = P" All Equal |b, p, q, _| { (b.throw(p, &none(), q), p) }
        "STOP [|A|> P = STOP" All Equal |b, p, _, _| {
            let (stop, a) = (b.stop(), b.events());
            (b.throw(stop, &a, p), stop)
        }
        "SKIP [|A|> P = SKIP" All Equal |b, p, _, _| {
            let (skip, a) = (b.skip(), b.events());
            (b.throw(skip, &a, p), skip)
        }
        "(a -> P) [|A|> Q = a -> Q, a in A" All Equal |b, p, q, _| {
            let (a, events) = b.event_in_set();
            let ap = b.prefix(a, p);
            (b.throw(ap, &events, q), b.prefix(a, q))
        }
        "(a -> P) [|A|> Q = a -> (P [|A|> Q), a not in A" All Equal |b, p, q, _| {
            let (a, events) = b.event_outside_set();
            let (ap, pq) = (b.prefix(a, p), b.throw(p, &events, q));
            (b.throw(ap, &events, q), b.prefix(a, pq))
        }
        "(P |~| Q) [|A|> R = (P [|A|> R) |~| (Q [|A|> R)" All Equal |b, p, q, r| {
            let a = b.events();
            let (pq, pr, qr) = (b.int(p, q), b.throw(p, &a, r), b.throw(q, &a, r));
            (b.throw(pq, &a, r), b.int(pr, qr))
        }
        "P [|A|> (Q |~| R) = (P [|A|> Q) |~| (P [|A|> R)" All Equal |b, p, q, r| {
            let a = b.events();
            let (qr, pq, pr) = (b.int(q, r), b.throw(p, &a, q), b.throw(p, &a, r));
            (b.throw(p, &a, qr), b.int(pq, pr))
        }
    }
}

fn parallels() -> Vec<Law> {
    laws! {
        "P ||| Q = Q ||| P" All Equal |b, p, q, _| { (b.inter(p, q), b.inter(q, p)) }
        "||| is associative" All Equal |b, p, q, r| {
            let (pq, qr) = (b.inter(p, q), b.inter(q, r));
            (b.inter(pq, r), b.inter(p, qr))
        }
        "P ||| SKIP = P" All Equal |b, p, _, _| { let skip = b.skip(); (b.inter(p, skip), p) }
        "P ||| STOP = P ; STOP" All Equal |b, p, _, _| { let stop = b.stop(); (b.inter(p, stop), b.seq(p, stop)) }
        "P ||| DIV = DIV" OnlyDivergences Equal |b, p, _, _| { let div = b.div(); (b.inter(p, div), div) }
        "P ||| (Q |~| R) = (P ||| Q) |~| (P ||| R)" All Equal |b, p, q, r| {
            let (qr, pq, pr) = (b.int(q, r), b.inter(p, q), b.inter(p, r));
            (b.inter(p, qr), b.int(pq, pr))
        }
        "(a -> P) ||| (b -> Q), step by step" All Equal |b, p, q, _| {
            let (x, y) = (b.event(), b.event());
            let (xp, yq) = (b.prefix(x, p), b.prefix(y, q));
            let (left, right) = (b.inter(p, yq), b.inter(xp, q));
            let (left, right) = (b.prefix(x, left), b.prefix(y, right));
            (b.inter(xp, yq), b.ext(left, right))
        }
        "P [|{}|] Q = P ||| Q" All Equal |b, p, q, _| { (b.par(p, &none(), q), b.inter(p, q)) }
        "P [|A|] Q = Q [|A|] P" All Equal |b, p, q, _| { let a = b.events(); (b.par(p, &a, q), b.par(q, &a, p)) }
        "[|A|] is associative" All Equal |b, p, q, r| {
            let a = b.events();
            let (pq, qr) = (b.par(p, &a, q), b.par(q, &a, r));
            (b.par(pq, &a, r), b.par(p, &a, qr))
        }
        "[|A|] of three is [|A|] of two, twice" All Equal |b, p, q, r| {
            let a = b.events();
            let pq = b.par(p, &a, q);
            let three = b.term(Term::Parallel([p, q, r].into(), a.clone()));
            (three, b.par(pq, &a, r))
        }
        "[|A|] of one is that one" All Equal |b, p, _, _| {
            let a = b.events();
            (b.term(Term::Parallel([p].into(), a)), p)
        }
        "[|A|] of none is SKIP" All Equal |b, _, _, _| {
            let a = b.events();
            (b.term(Term::Parallel([].into(), a)), b.skip())
        }
        "P [|A|] (Q |~| R) = (P [|A|] Q) |~| (P [|A|] R)" All Equal |b, p, q, r| {
            let a = b.events();
            let (qr, pq, pr) = (b.int(q, r), b.par(p, &a, q), b.par(p, &a, r));
            (b.par(p, &a, qr), b.int(pq, pr))
        }
        "(a -> P) [|A|] (a -> Q) = a -> (P [|A|] Q), a in A" All Equal |b, p, q, _| {
            let (a, events) = b.event_in_set();
            let (ap, aq, pq) = (b.prefix(a, p), b.prefix(a, q), b.par(p, &events, q));
            (b.par(ap, &events, aq), b.prefix(a, pq))
        }
        "(a -> P) [|{a,b}|] (b -> Q) = STOP" All Equal |b, p, q, _| {
            let (ap, bq, events) = (b.prefix(event('a'), p), b.prefix(event('b'), q), set("ab"));
            (b.par(ap, &events, bq), b.stop())
        }
        "(a -> P) [|A|] (b -> Q) = b -> ((a -> P) [|A|] Q), a in A, b not" All Equal |b, p, q, _| {
            let (x, y, events) = (event('a'), event('b'), set("ac"));
            let (xp, yq) = (b.prefix(x, p), b.prefix(y, q));
            let rest = b.par(xp, &events, q);
            (b.par(xp, &events, yq), b.prefix(y, rest))
        }
        "P [|Sigma|] RUN = P ; STOP" All Equal |b, p, _, _| {
            let (run, stop) = (b.run(&sigma()), b.stop());
            (b.par(p, &sigma(), run), b.seq(p, stop))
        }
    }
}

fn alphabets() -> Vec<Law> {
    laws! {
        "P [Sigma||Sigma] Q = P [|Sigma|] Q" All Equal |b, p, q, _| {
            (b.alpha(p, &sigma(), &sigma(), q), b.par(p, &sigma(), q))
        }
        "P [A||B] Q, by blocking and sharing" All Equal |b, p, q, _| {
            let (x, y, skip) = (b.events(), b.events(), b.skip());
            let (only_x, only_y) = (b.par(p, &complement(&x), skip), b.par(q, &complement(&y), skip));
            (b.alpha(p, &x, &y, q), b.par(only_x, &intersection(&x, &y), only_y))
        }
        "|| of three is || of two, twice" All Equal |b, p, q, r| {
            let (x, y, z) = (b.events(), b.events(), b.events());
            let pq = b.alpha(p, &x, &y, q);
            let whole = b.term(Term::AlphaParallel([(p, x.clone()), (q, y.clone()), (r, z.clone())].into()));
            (whole, b.alpha(pq, &union(&x, &y), &z, r))
        }
        "P [a<->b] Q, by a fresh event" All Equal |b, p, q, _| {
            let (left, right) = (b.rename(p, &relation("ad")), b.rename(q, &relation("bd")));
            let met = b.par(left, &set("d"), right);
            (b.link(p, &relation("ab"), q), b.hide(met, &set("d")))
        }
        "P [a<->b, c<->c] Q, by fresh events" All Equal |b, p, q, _| {
            let (left, right) = (b.rename(p, &relation("ad ce")), b.rename(q, &relation("bd ce")));
            let met = b.par(left, &set("de"), right);
            (b.link(p, &relation("ab cc"), q), b.hide(met, &set("de")))
        }
    }
}

fn hidings() -> Vec<Law> {
    laws! {
        "P \\ {} = P" All Equal |b, p, _, _| { (b.hide(p, &none()), p) }
        "P \\ A \\ B = P \\ (A u B)" All Equal |b, p, _, _| {
            let (x, y) = (b.events(), b.events());
            let inner = b.hide(p, &x);
            (b.hide(inner, &y), b.hide(p, &union(&x, &y)))
        }
        "(P |~| Q) \\ A = P \\ A |~| Q \\ A" All Equal |b, p, q, _| {
            let a = b.events();
            let (pq, pa, qa) = (b.int(p, q), b.hide(p, &a), b.hide(q, &a));
            (b.hide(pq, &a), b.int(pa, qa))
        }
        "(a -> P) \\ A = P \\ A, a in A" All Equal |b, p, _, _| {
            let (a, events) = b.event_in_set();
            let ap = b.prefix(a, p);
            (b.hide(ap, &events), b.hide(p, &events))
        }
        "(a -> P) \\ A = a -> P \\ A, a not in A" All Equal |b, p, _, _| {
            let (a, events) = b.event_outside_set();
            let (ap, pa) = (b.prefix(a, p), b.hide(p, &events));
            (b.hide(ap, &events), b.prefix(a, pa))
        }
        "((a -> P) [] (b -> Q)) \\ {a} = (b -> Q \\ {a}) [> P \\ {a}" All Equal |b, p, q, _| {
            let a = set("a");
            let (ap, bq) = (b.prefix(event('a'), p), b.prefix(event('b'), q));
            let (pa, qa) = (b.hide(p, &a), b.hide(q, &a));
            let (choice, bqa) = (b.ext(ap, bq), b.prefix(event('b'), qa));
            (b.hide(choice, &a), b.slide(bqa, pa))
        }
        "(P ; Q) \\ A = P \\ A ; Q \\ A" All Equal |b, p, q, _| {
            let a = b.events();
            let (pq, pa, qa) = (b.seq(p, q), b.hide(p, &a), b.hide(q, &a));
            (b.hide(pq, &a), b.seq(pa, qa))
        }
        "(P ||| Q) \\ A = P \\ A ||| Q \\ A" All Equal |b, p, q, _| {
            let a = b.events();
            let (pq, pa, qa) = (b.inter(p, q), b.hide(p, &a), b.hide(q, &a));
            (b.hide(pq, &a), b.inter(pa, qa))
        }
        "(P [|B|] Q) \\ A = P \\ A [|B|] Q \\ A, A and B disjoint" All Equal |b, p, q, _| {
            let (shared, hidden) = (b.events(), b.events());
            let hidden = intersection(&hidden, &complement(&shared));
            let (pq, pa, qa) = (b.par(p, &shared, q), b.hide(p, &hidden), b.hide(q, &hidden));
            (b.hide(pq, &hidden), b.par(pa, &shared, qa))
        }
        "P |\\ A = P \\ (Sigma - A)" All Equal |b, p, _, _| {
            let a = b.events();
            (b.term(Term::Project(p, a.clone())), b.hide(p, &complement(&a)))
        }
        "RUN(A) \\ A = DIV" All Equal |b, _, _, _| {
            let (_, events) = b.event_in_set();
            let run = b.run(&events);
            (b.hide(run, &events), b.div())
        }
    }
}

fn renamings() -> Vec<Law> {
    laws! {
        "P[[a <- a]] = P" All Equal |b, p, _, _| { (b.rename(p, &relation("aa bb cc")), p) }
        "(P |~| Q)[[R]] = P[[R]] |~| Q[[R]]" All Equal |b, p, q, _| {
            let pairs = relation("ab ac ba");
            let (pq, pr, qr) = (b.int(p, q), b.rename(p, &pairs), b.rename(q, &pairs));
            (b.rename(pq, &pairs), b.int(pr, qr))
        }
        "(P [] Q)[[R]] = P[[R]] [] Q[[R]]" All Equal |b, p, q, _| {
            let pairs = relation("ab ac ba");
            let (pq, pr, qr) = (b.ext(p, q), b.rename(p, &pairs), b.rename(q, &pairs));
            (b.rename(pq, &pairs), b.ext(pr, qr))
        }
        "(P ; Q)[[R]] = P[[R]] ; Q[[R]]" All Equal |b, p, q, _| {
            let pairs = relation("ab ac ba");
            let (pq, pr, qr) = (b.seq(p, q), b.rename(p, &pairs), b.rename(q, &pairs));
            (b.rename(pq, &pairs), b.seq(pr, qr))
        }
        "(P /\\ Q)[[R]] = P[[R]] /\\ Q[[R]]" All Equal |b, p, q, _| {
            let pairs = relation("ab ac ba");
            let (pq, pr, qr) = (b.interrupt(p, q), b.rename(p, &pairs), b.rename(q, &pairs));
            (b.rename(pq, &pairs), b.interrupt(pr, qr))
        }
        "(a -> P)[[a <- b, a <- c]] = (b -> P[[..]]) [] (c -> P[[..]])" All Equal |b, p, _, _| {
            let pairs = relation("ab ac");
            let (ap, renamed) = (b.prefix(event('a'), p), b.rename(p, &pairs));
            (b.rename(ap, &pairs), b.any(&set("bc"), renamed))
        }
        "P[[R]][[S]] = P[[R then S]]" All Equal |b, p, _, _| {
            let inner = b.rename(p, &relation("ab ac"));
            (b.rename(inner, &relation("ba ca")), b.rename(p, &relation("aa ba ca")))
        }
        "(P [|A|] Q)[[f]] = P[[f]] [|f(A)|] Q[[f]], f injective" All Equal |b, p, q, _| {
            let (a, turn) = (b.events(), relation("ab bc ca"));
            let (pq, pt, qt) = (b.par(p, &a, q), b.rename(p, &turn), b.rename(q, &turn));
            (b.rename(pq, &turn), b.par(pt, &turned(&a), qt))
        }
        "(P \\ A)[[f]] = P[[f]] \\ f(A), f injective" All Equal |b, p, _, _| {
            let (a, turn) = (b.events(), relation("ab bc ca"));
            let (hidden, renamed) = (b.hide(p, &a), b.rename(p, &turn));
            (b.rename(hidden, &turn), b.hide(renamed, &turned(&a)))
        }
        "(P [|A|> Q)[[f]] = P[[f]] [|f(A)|> Q[[f]], f injective" All Equal |b, p, q, _| {
            let (a, turn) = (b.events(), relation("ab bc ca"));
            let (pq, pt, qt) = (b.throw(p, &a, q), b.rename(p, &turn), b.rename(q, &turn));
            (b.rename(pq, &turn), b.throw(pt, &turned(&a), qt))
        }
    }
}

fn synchronizings() -> Vec<Law> {
    laws! {
        "P [+{}+] Q = P [] Q" All Equal |b, p, q, _| { (b.sync(p, &none(), q), b.ext(p, q)) }
        "P [+A+] Q = Q [+A+] P" All Equal |b, p, q, _| { let a = b.events(); (b.sync(p, &a, q), b.sync(q, &a, p)) }
        "[+A+] is associative" All Equal |b, p, q, r| {
            let a = b.events();
            let (pq, qr) = (b.sync(p, &a, q), b.sync(q, &a, r));
            (b.sync(pq, &a, r), b.sync(p, &a, qr))
        }
        "[+A+] of three is [+A+] of two, twice" All Equal |b, p, q, r| {
            let a = b.events();
            let pq = b.sync(p, &a, q);
            (b.term(Term::SyncChoice([p, q, r].into(), a.clone())), b.sync(pq, &a, r))
        }
        "P [+A+] (Q |~| R) = (P [+A+] Q) |~| (P [+A+] R)" All Equal |b, p, q, r| {
            let a = b.events();
            let (qr, pq, pr) = (b.int(q, r), b.sync(p, &a, q), b.sync(p, &a, r));
            (b.sync(p, &a, qr), b.int(pq, pr))
        }
        "(a -> P) [+A+] (a -> Q) = a -> (P [+A+] Q), a in A" All Equal |b, p, q, _| {
            let (a, events) = b.event_in_set();
            let (ap, aq, pq) = (b.prefix(a, p), b.prefix(a, q), b.sync(p, &events, q));
            (b.sync(ap, &events, aq), b.prefix(a, pq))
        }
        "(a -> P) [+A+] (b -> Q) = (a -> P) [] (b -> Q), a and b not in A" All Equal |b, p, q, _| {
            let (ap, bq) = (b.prefix(event('a'), p), b.prefix(event('b'), q));
            (b.sync(ap, &set("c"), bq), b.ext(ap, bq))
        }
        "P /+{}+\\ Q = P /\\ Q" All Equal |b, p, q, _| { (b.sync_interrupt(p, &none(), q), b.interrupt(p, q)) }
        "(a -> P) /+A+\\ (a -> Q) = a -> (P /+A+\\ Q), a in A" All Equal |b, p, q, _| {
            let (a, events) = b.event_in_set();
            let (ap, aq, pq) = (b.prefix(a, p), b.prefix(a, q), b.sync_interrupt(p, &events, q));
            (b.sync_interrupt(ap, &events, aq), b.prefix(a, pq))
        }
        "(a -> P) /+A+\\ (b -> Q), a and b not in A" All Equal |b, p, q, _| {
            let (ap, bq, events) = (b.prefix(event('a'), p), b.prefix(event('b'), q), set("c"));
            let rest = b.sync_interrupt(p, &events, bq);
            let arest = b.prefix(event('a'), rest);
            (b.sync_interrupt(ap, &events, bq), b.ext(arest, bq))
        }
        "P /+A+\\ RUN(A) = P" All Equal |b, p, _, _| {
            let a = b.events();
            let run = b.run(&a);
            (b.sync_interrupt(p, &a, run), p)
        }
    }
}

fn built_ins() -> Vec<Law> {
    laws! {
        "RUN(A) = ?x:A -> RUN(A)" All Equal |b, _, _, _| {
            let a = b.events();
            let run = b.run(&a);
            (run, b.any(&a, run))
        }
        "RUN(A) ||| RUN(B) = RUN(A u B)" All Equal |b, _, _, _| {
            let (x, y) = (b.events(), b.events());
            let (run_x, run_y) = (b.run(&x), b.run(&y));
            (b.inter(run_x, run_y), b.run(&union(&x, &y)))
        }
        "CHAOS(A) = STOP |~| (?x:A -> CHAOS(A))" All Equal |b, _, _, _| {
            let a = b.events();
            let (chaos, stop) = (b.chaos(&a), b.stop());
            let offer = b.any(&a, chaos);
            (chaos, b.int(stop, offer))
        }
        "CHAOS(A) ||| CHAOS(B) = CHAOS(A u B)" UpToFailures Equal |b, _, _, _| {
            let (x, y) = (b.events(), b.events());
            let (left, right) = (b.chaos(&x), b.chaos(&y));
            (b.inter(left, right), b.chaos(&union(&x, &y)))
        }
        "BUFFER(1, {(a,b)}) = loop(a -> b -> SKIP)" All Equal |b, _, _, _| {
            let skip = b.skip();
            let output = b.prefix(event('b'), skip);
            let cell = b.prefix(event('a'), output);
            (b.term(Term::Buffer(1, relation("ab"))), b.repeat(cell))
        }
        "two buffers linked are one" All Equal |b, _, _, _| {
            let (m, n) = (1 + b.random.below(2) as u32, 1 + b.random.below(3) as u32);
            let (left, right) = (b.term(Term::Buffer(m, relation("ad be"))), b.term(Term::Buffer(n, relation("dc ea"))));
            (b.link(left, &relation("dd ee"), right), b.term(Term::Buffer(m + n, relation("ac ba"))))
        }
        "compressions keep the meaning" All Equal |b, p, q, _| {
            let choices =
                [Compression::Normal, Compression::SBisim, Compression::Diamond, Compression::WBisim, Compression::Explicate];
            let choice = *b.random.pick(&choices);
            let squeezed = b.term(Term::Compressed(choice, p));
            (b.ext(squeezed, q), b.ext(p, q))
        }
        "prioritise(P, <Sigma>) = P" OnlyTraces Equal |b, p, _, _| { (b.term(Term::Prioritise(p, [sigma()].into())), p) }
        "prioritise twice is once" All Equal |b, p, _, _| {
            let levels = [b.events(), b.events()];
            let once = b.term(Term::Prioritise(p, levels.clone().into()));
            (b.term(Term::Prioritise(once, levels.into())), once)
        }
    }
}

fn refinements() -> Vec<Law> {
    laws! {
        "P |~| Q is refined by P" All Refined |b, p, q, _| { (b.int(p, q), p) }
        "P |~| Q is refined by P [] Q" All Refined |b, p, q, _| { (b.int(p, q), b.ext(p, q)) }
        "P [> Q is refined by P [] Q" UpToFailures Refined |b, p, q, _| { (b.slide(p, q), b.ext(p, q)) }
        "P [> Q is refined by Q" All Refined |b, p, q, _| { (b.slide(p, q), q) }
        "DIV is refined by everything" OnlyDivergences Refined |b, p, _, _| { (b.div(), p) }
        "everything is refined by DIV, where divergence is not seen" ExceptDivergences Refined |b, p, _, _| { (p, b.div()) }
        "P is refined by prioritise(P, <Sigma>)" All Refined |b, p, _, _| {
            (p, b.term(Term::Prioritise(p, [sigma()].into())))
        }
        "P is refined by prioritise(P, <{}, A>)" All Refined |b, p, _, _| {
            let a = b.events();
            (p, b.term(Term::Prioritise(p, [none(), a].into())))
        }
        "chase only selects" ExceptDivergences Refined |b, p, _, _| { (p, b.term(Term::Compressed(Compression::Chase, p))) }
        "deter only selects" ExceptDivergences Refined |b, p, _, _| { (p, b.term(Term::Compressed(Compression::Deter, p))) }
    }
}
