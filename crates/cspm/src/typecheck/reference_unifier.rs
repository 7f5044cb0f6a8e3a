//! Differential test of the solver: a reference unifier on random types without dots.
//!
//! The reference works on trees and substitutes eagerly. Both must agree on whether two types are unifiable, and on the
//! most general unifier.

use super::solve::{Clash, Solver};
use super::store::{Node, Ty};
use test_support::mutate::{Random, seed};

#[derive(Clone, PartialEq, Debug)]
enum Tree {
    Var(usize),
    Int,
    Bool,
    Set(Box<Tree>),
    Seq(Box<Tree>),
    Pair(Box<(Tree, Tree)>),
    Function(Box<(Tree, Tree)>),
}

const N_VARIABLES: usize = 5;

fn random_tree(random: &mut Random, depth: usize) -> Tree {
    let n_kinds = if depth == 0 { 3 } else { 7 };
    match random.below(n_kinds) {
        0 => Tree::Var(random.below(N_VARIABLES)),
        1 => Tree::Int,
        2 => Tree::Bool,
        3 => Tree::Set(Box::new(random_tree(random, depth - 1))),
        4 => Tree::Seq(Box::new(random_tree(random, depth - 1))),
        5 => Tree::Pair(Box::new((random_tree(random, depth - 1), random_tree(random, depth - 1)))),
        _ => Tree::Function(Box::new((random_tree(random, depth - 1), random_tree(random, depth - 1)))),
    }
}

impl Tree {
    fn map(&self, variable: &impl Fn(usize) -> Tree) -> Tree {
        let both = |pair: &(Tree, Tree)| Box::new((pair.0.map(variable), pair.1.map(variable)));
        match self {
            Tree::Var(i) => variable(*i),
            Tree::Int => Tree::Int,
            Tree::Bool => Tree::Bool,
            Tree::Set(item) => Tree::Set(Box::new(item.map(variable))),
            Tree::Seq(item) => Tree::Seq(Box::new(item.map(variable))),
            Tree::Pair(pair) => Tree::Pair(both(pair)),
            Tree::Function(pair) => Tree::Function(both(pair)),
        }
    }

    fn mentions(&self, i: usize) -> bool {
        match self {
            Tree::Var(j) => i == *j,
            Tree::Int | Tree::Bool => false,
            Tree::Set(item) | Tree::Seq(item) => item.mentions(i),
            Tree::Pair(pair) | Tree::Function(pair) => pair.0.mentions(i) || pair.1.mentions(i),
        }
    }

    fn build(&self, solver: &mut Solver, variables: &[Ty]) -> Ty {
        match self {
            Tree::Var(i) => variables[*i],
            Tree::Int => Ty::INT,
            Tree::Bool => Ty::BOOL,
            Tree::Set(item) => {
                let item = item.build(solver, variables);
                solver.store.add(Node::Set(item))
            }
            Tree::Seq(item) => {
                let item = item.build(solver, variables);
                solver.store.add(Node::Seq(item))
            }
            Tree::Pair(pair) => {
                let items = [pair.0.build(solver, variables), pair.1.build(solver, variables)];
                solver.store.tuple(&items)
            }
            Tree::Function(pair) => {
                let argument = pair.0.build(solver, variables);
                let result = pair.1.build(solver, variables);
                solver.store.function(&[argument], result)
            }
        }
    }
}

/// The substitution; unsolved variables map to themselves.
type Solution = Vec<Tree>;

fn substitute(solution: &mut Solution, i: usize, t: &Tree) {
    let replaced: Solution =
        solution.iter().map(|tree| tree.map(&|j| if i == j { t.clone() } else { Tree::Var(j) })).collect();
    *solution = replaced;
}

fn unify_trees(solution: &mut Solution, a: &Tree, b: &Tree) -> bool {
    let (a, b) = (a.map(&|i| solution[i].clone()), b.map(&|i| solution[i].clone()));
    match (&a, &b) {
        (Tree::Var(i), Tree::Var(j)) if i == j => true,
        (Tree::Var(i), t) | (t, Tree::Var(i)) => {
            let is_finite = !t.mentions(*i);
            if is_finite {
                substitute(solution, *i, t);
            }
            is_finite
        }
        (Tree::Int, Tree::Int) | (Tree::Bool, Tree::Bool) => true,
        (Tree::Set(x), Tree::Set(y)) | (Tree::Seq(x), Tree::Seq(y)) => unify_trees(solution, x, y),
        (Tree::Pair(x), Tree::Pair(y)) | (Tree::Function(x), Tree::Function(y)) => {
            unify_trees(solution, &x.0, &y.0) && unify_trees(solution, &x.1, &y.1)
        }
        _ => false,
    }
}

/// A type as a tree, with variables numbered in order of occurrence.
fn read(solver: &mut Solver, t: Ty, seen: &mut Vec<Ty>) -> Tree {
    let t = solver.store.find(t);
    match solver.store.node_at(t) {
        Node::Int => Tree::Int,
        Node::Bool => Tree::Bool,
        Node::Set(item) => Tree::Set(Box::new(read(solver, item, seen))),
        Node::Seq(item) => Tree::Seq(Box::new(read(solver, item, seen))),
        Node::Tuple(items) => {
            let items = solver.store.list(items).to_vec();
            Tree::Pair(Box::new((read(solver, items[0], seen), read(solver, items[1], seen))))
        }
        Node::Function(arguments, result) => {
            let argument = solver.store.list(arguments)[0];
            Tree::Function(Box::new((read(solver, argument, seen), read(solver, result, seen))))
        }
        _ => {
            let position = seen.iter().position(|&known| known == t).unwrap_or_else(|| {
                seen.push(t);
                seen.len() - 1
            });
            Tree::Var(position)
        }
    }
}

/// Renumbers the variables of a tree in order of occurrence.
fn renumber(tree: &Tree, seen: &mut Vec<usize>) -> Tree {
    match tree {
        Tree::Var(i) => {
            let position = seen.iter().position(|known| known == i).unwrap_or_else(|| {
                seen.push(*i);
                seen.len() - 1
            });
            Tree::Var(position)
        }
        Tree::Int => Tree::Int,
        Tree::Bool => Tree::Bool,
        Tree::Set(item) => Tree::Set(Box::new(renumber(item, seen))),
        Tree::Seq(item) => Tree::Seq(Box::new(renumber(item, seen))),
        Tree::Pair(pair) => Tree::Pair(Box::new((renumber(&pair.0, seen), renumber(&pair.1, seen)))),
        Tree::Function(pair) => Tree::Function(Box::new((renumber(&pair.0, seen), renumber(&pair.1, seen)))),
    }
}

#[test]
fn the_solver_agrees_with_the_reference_unifier() {
    let mut random = Random::new(seed());
    let (mut n_solved, mut n_infinite) = (0, 0);
    for round in 0..20_000 {
        let mut solver = Solver::new(usize::MAX);
        let variables: Vec<Ty> = (0..N_VARIABLES).map(|_| solver.any()).collect();
        let mut solution: Solution = (0..N_VARIABLES).map(Tree::Var).collect();
        for _ in 0..1 + random.below(4) {
            let depth = 1 + random.below(3);
            let (a, b) = (random_tree(&mut random, depth), random_tree(&mut random, depth));
            let expected = unify_trees(&mut solution, &a, &b);
            let (left, right) = (a.build(&mut solver, &variables), b.build(&mut solver, &variables));
            let actual = solver.equate(left, right);
            assert_eq!(actual.is_ok(), expected, "seed {}, round {round}: {a:?} and {b:?}", seed());
            n_infinite += usize::from(matches!(actual, Err(Clash::Infinite { .. })));
            if actual.is_err() {
                break;
            }
            n_solved += 1;
            let (mut met_here, mut met_there) = (Vec::new(), Vec::new());
            for (i, &variable) in variables.iter().enumerate() {
                let here = read(&mut solver, variable, &mut met_here);
                let there = renumber(&solution[i], &mut met_there);
                assert_eq!(here, there, "seed {}, round {round}: variable {i}", seed());
            }
        }
    }
    assert!(n_solved > 1000 && n_infinite > 100, "the types are too uniform: {n_solved} solved, {n_infinite} infinite");
}

#[test]
fn instances_of_schemes_keep_their_constraints() {
    let mut solver = Solver::new(usize::MAX);
    solver.level = 1;
    let item = solver.fresh(super::Constraint::Eq);
    let seq = solver.store.add(Node::Seq(item));
    let function = solver.store.function(&[seq, seq], item);
    solver.level = 0;
    let variables = solver.generalizable(function);
    assert_eq!(variables, [item]);
    let copy = solver.instantiate(&variables, function);
    let int_seq = solver.store.function(&[Ty::INT_SEQ, Ty::INT_SEQ], Ty::INT);
    assert!(solver.equate(copy, int_seq).is_ok());
    let again = solver.instantiate(&variables, function);
    let process_seq = solver.store.add(Node::Seq(Ty::PROC));
    let on_processes = solver.store.function(&[process_seq, process_seq], Ty::PROC);
    let clash = solver.equate(again, on_processes);
    assert!(matches!(clash, Err(Clash::Constraint { constraint: super::Constraint::Eq, .. })), "{clash:?}");
}
