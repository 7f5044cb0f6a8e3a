//! Local definitions.

use super::super::code::{Arg, Binding, Delay, Let, Op, Select};
use super::super::speculation::Profile;
use super::expression::Position;
use super::{Compiler, Section, Source, Var};
use cspm::resolve::NameId;
use cspm::syntax::{Decl, DeclId, ExprId};
use hashbrown::HashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A local constant: what it needs is found before it is compiled, so that the order of definitions does not matter.
struct Constant {
    var: Var,
    kind: ConstantKind,
    section: Option<Rc<Section>>,
    needs: BTreeSet<Var>,
}

#[derive(Clone, Copy)]
enum ConstantKind {
    /// `x = value`, or the whole value of a pattern.
    Value(ExprId),
    /// The part that the pattern of a declaration binds to a name.
    Part(DeclId, NameId),
}

impl Compiler<'_, '_> {
    pub(super) fn lets(&mut self, decls: &[DeclId], body: ExprId, position: Position) -> Op {
        let mut flat = Vec::new();
        self.flatten(decls, self.section.clone(), &mut flat);
        self.add_local_functions(&flat);
        let mut constants = self.constants(&flat);
        let demand = self.program.demand_let(decls, body, position.asked);
        let mut needed = BTreeSet::new();
        self.program.variables_of(self.program.free_in(body).iter().copied(), &mut needed);
        let order = order_constants(&mut constants, &needed);
        let mut bindings = Vec::new();
        for group in order {
            let group = match group {
                Group::Plain(index) => match (constants[index].var, constants[index].kind) {
                    (Var::Whole(decl), _) if self.can_be_taken_apart(decl, &demand) => {
                        bindings.push(self.taken_apart(&constants[index], decl, &demand));
                        continue;
                    }
                    (_, ConstantKind::Part(decl, _)) if self.can_be_taken_apart(decl, &demand) => continue,
                    _ => group,
                },
                group => group,
            };
            bindings.push(match group {
                Group::Plain(index) => self.plain_binding(&constants[index], &demand),
                Group::Recursive(indices) => self.recursive_binding(&constants, &indices),
            });
        }
        let body = self.expr(body, position);
        match bindings.is_empty() {
            true => body,
            false => Op::Let(Box::new(Let { bindings: bindings.into(), body })),
        }
    }

    /// Opens timed sections.
    fn flatten(
        &mut self,
        decls: &[DeclId],
        section: Option<Rc<Section>>,
        flat: &mut Vec<(DeclId, Option<Rc<Section>>)>,
    ) {
        let resolved = self.resolved;
        for &decl in decls {
            match resolved.ast.decl(decl) {
                Decl::Timed { function, declarations } => {
                    let section = self.program.section(decl, *function);
                    self.flatten(declarations, section, flat);
                }
                _ => flat.push((decl, section.clone())),
            }
        }
    }

    /// Makes the functions among the definitions known, with the variables they need: directly, or because they call
    /// one another.
    fn add_local_functions(&mut self, flat: &[(DeclId, Option<Rc<Section>>)]) {
        let mut functions = Vec::new();
        for (decl, section) in flat {
            for &name in self.resolved.decl_names(*decl) {
                let known = self.program.function_of.contains_key(&Var::Name(name));
                if let (false, Some(source)) = (known, self.program.source_of(name, *decl)) {
                    functions.push((name, *decl, source, section.clone()));
                }
            }
        }
        if functions.is_empty() {
            return;
        }
        let group: HashMap<NameId, usize> = functions.iter().enumerate().map(|(index, f)| (f.0, index)).collect();
        let mut needs: Vec<BTreeSet<Var>> = Vec::new();
        let mut calls: Vec<Vec<usize>> = Vec::new();
        for (_, decl, source, section) in &functions {
            let (mut vars, mut called) = (BTreeSet::new(), Vec::new());
            if let Source::Part(..) = source {
                vars.insert(Var::Whole(*decl));
            } else {
                let names = self.program.names_in_decl(*decl);
                let more = self.program.section_names(section.as_deref());
                let free: BTreeSet<NameId> = names.free().chain(more.iter().flat_map(|names| names.free())).collect();
                called.extend(free.iter().filter_map(|name| group.get(name).copied()));
                self.program.variables_of(free.into_iter().filter(|name| !group.contains_key(name)), &mut vars);
            }
            needs.push(vars);
            calls.push(called);
        }
        close_over_calls(&mut needs, &calls);
        for ((name, _, source, section), needs) in functions.into_iter().zip(needs) {
            self.program.add_function(Var::Name(name), source, needs.into_iter().collect(), section);
        }
    }

    fn constants(&mut self, flat: &[(DeclId, Option<Rc<Section>>)]) -> Vec<Constant> {
        let mut constants = Vec::new();
        for (decl, section) in flat {
            let Decl::Pattern(pat, value) = self.resolved.ast.decl(*decl) else { continue };
            let mut add = |var, kind, needs| constants.push(Constant { var, kind, section: section.clone(), needs });
            let mut needs = BTreeSet::new();
            self.program.variables_of(self.program.names_in(*value).free(), &mut needs);
            match self.program.plain_variable(*pat) {
                Some(name) if self.program.function_of.contains_key(&Var::Name(name)) => {}
                Some(name) => add(Var::Name(name), ConstantKind::Value(*value), needs),
                None => {
                    add(Var::Whole(*decl), ConstantKind::Value(*value), needs);
                    for &name in self.resolved.decl_names(*decl) {
                        if !self.program.function_of.contains_key(&Var::Name(name)) {
                            add(Var::Name(name), ConstantKind::Part(*decl, name), BTreeSet::from([Var::Whole(*decl)]));
                        }
                    }
                }
            }
        }
        constants
    }

    fn plain_binding(&mut self, constant: &Constant, demand: &super::strict::Demand) -> Binding {
        let is_needed = match constant.var {
            Var::Name(name) => demand.includes(name),
            Var::Whole(decl) => self.resolved.decl_names(decl).iter().any(|&name| demand.includes(name)),
            Var::Argument(_) => true,
        };
        let outer = std::mem::replace(&mut self.section, constant.section.clone());
        let arg = match constant.kind {
            ConstantKind::Value(value) if is_needed => self.strict_arg(value),
            ConstantKind::Value(value) => self.lazy_arg(value),
            ConstantKind::Part(decl, name) if is_needed => Arg::Now(self.select(decl, name)),
            ConstantKind::Part(decl, name) => {
                let mut delay = self.delay_part(decl, name);
                delay.profile = Profile::promising();
                delay.at_once = Some(self.select(decl, name));
                Arg::Delay(Box::new(delay))
            }
        };
        self.section = outer;
        Binding::Plain(self.bind(constant.var), arg)
    }

    /// Whether the names of a declaration can be bound at once: one of them is needed, so the value is and all of the
    /// pattern has to match it; and no name is a process, which is opened later.
    fn can_be_taken_apart(&self, decl: DeclId, demand: &super::strict::Demand) -> bool {
        let names = self.resolved.decl_names(decl);
        names.iter().any(|&name| demand.includes(name))
            && !names.iter().any(|&name| self.program.function_of.contains_key(&Var::Name(name)))
    }

    fn taken_apart(&mut self, whole: &Constant, decl: DeclId, demand: &super::strict::Demand) -> Binding {
        let Decl::Pattern(pat, value) = self.resolved.ast.decl(decl) else {
            unreachable!("only patterns have parts");
        };
        let asked = self.program.asked_of(*pat, demand);
        let outer = std::mem::replace(&mut self.section, whole.section.clone());
        let value = self.expr(*value, Position { is_tail: false, asked });
        self.section = outer;
        Binding::Parts(Box::new((value, self.pattern(*pat))), self.resolved.ast.pat_span(*pat))
    }

    fn recursive_binding(&mut self, constants: &[Constant], indices: &[usize]) -> Binding {
        let slots: Vec<u32> = indices.iter().map(|&index| self.bind(constants[index].var)).collect();
        let delay = |(&index, slot): (&usize, u32)| {
            let constant = &constants[index];
            let outer = std::mem::replace(&mut self.section, constant.section.clone());
            let delay = match constant.kind {
                ConstantKind::Value(value) => self.delay(value),
                ConstantKind::Part(decl, name) => self.delay_part(decl, name),
            };
            self.section = outer;
            (slot, delay)
        };
        Binding::Recursive(indices.iter().zip(slots).map(delay).collect())
    }

    fn delay_part(&mut self, decl: DeclId, name: NameId) -> Delay {
        let span = self.resolved.ast.decl_span(decl);
        self.delay_with(span, |compiler| compiler.select(decl, name))
    }

    fn select(&mut self, decl: DeclId, name: NameId) -> Op {
        let Decl::Pattern(pat, _) = self.resolved.ast.decl(decl) else {
            unreachable!("only patterns have parts");
        };
        let value = Op::Local(self.slot(Var::Whole(decl)));
        // The pattern binds all its names afresh here; only one of them is asked for.
        let saved = self.frame().slots.clone();
        let pattern = self.pattern(*pat);
        let slot = self.slot(Var::Name(name));
        self.frame().slots = saved;
        Op::Select(Box::new(Select { value, pattern, slot, site: self.resolved.ast.pat_span(*pat) }))
    }
}

/// Adds to each function what the functions it calls need, until nothing changes.
fn close_over_calls(needs: &mut [BTreeSet<Var>], calls: &[Vec<usize>]) {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for caller in 0..needs.len() {
            for &callee in &calls[caller] {
                if callee != caller && !needs[callee].is_subset(&needs[caller]) {
                    let more = needs[callee].clone();
                    needs[caller].extend(more);
                    changed = true;
                }
            }
        }
    }
}

enum Group {
    Plain(usize),
    Recursive(Vec<usize>),
}

/// The constants that are needed at all, each after those that it needs; constants that need each other together.
fn order_constants(constants: &mut [Constant], needed: &BTreeSet<Var>) -> Vec<Group> {
    let index_of: HashMap<Var, usize> = constants.iter().enumerate().map(|(index, c)| (c.var, index)).collect();
    let edges: Vec<Vec<usize>> =
        constants.iter().map(|c| c.needs.iter().filter_map(|var| index_of.get(var).copied()).collect()).collect();
    let roots = needed.iter().filter_map(|var| index_of.get(var)).map(|&index| index as u32);
    let mut groups = Vec::new();
    let used = |index: u32| edges[index as usize].iter().map(|&used| used as u32);
    graphs::for_components(constants.len(), roots, used, |component| {
        groups.push(match component.nodes {
            [only] if !component.is_cycle => Group::Plain(*only as usize),
            members => Group::Recursive(members.iter().map(|&member| member as usize).collect()),
        });
    });
    groups
}
