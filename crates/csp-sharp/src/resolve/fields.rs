//! Inputs whose number of fields matches no output.

use super::Resolver;
use crate::errors;
use csp_sharp_runtime::code::{Term, TermId};
use hashbrown::HashMap;

impl Resolver<'_> {
    /// Warns of inputs that can never synchronize: a message is received only with the number of fields it was sent
    /// with. An input without a matching output is legal, but seldom intended.
    pub(super) fn warn_of_fields(&mut self) {
        let code = &self.out.code;
        let terms = || (0..code.terms.len() as u32).map(|number| (TermId(number), code.terms.get(TermId(number))));
        let mut sent: HashMap<u32, Vec<usize>> = HashMap::new();
        for (_, term) in terms() {
            if let Term::Send(to, values, ..) = term {
                sent.entry(to.channel).or_default().push(values.len());
            }
        }
        let mut found = Vec::new();
        for (id, term) in terms() {
            let Term::Receive(from, _, patterns, ..) = term else { continue };
            let Some(sizes) = sent.get(&from.channel) else { continue };
            if !sizes.contains(&patterns.len()) {
                let name = &code.channels[from.channel as usize].name;
                found.push(errors::fields(name, sizes[0], patterns.len(), code.terms.span(id)));
            }
        }
        self.diagnostics.extend(found);
    }
}
