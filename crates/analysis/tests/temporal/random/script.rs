//! Random processes as text of CSPM.

use test_support::mutate::Random;

const COMPRESSIONS: &str = "transparent sbisim, dbisim, wbisim, diamond, normal, tau_loop_factor, model_compress";
const EVENTS: [&str; 3] = ["a", "b", "c"];

/// Writes processes over the events a, b and c.
pub struct Writer<'a> {
    pub random: &'a mut Random,
}

impl Writer<'_> {
    /// A script with the process `P`, and `P0` and `P1` that it may call. Calls stand behind prefixes and choices only,
    /// so that all of them have few states.
    pub fn script(&mut self, size: usize) -> String {
        let (first, second, process) = (self.guarded(3), self.guarded(3), self.process(size));
        format!("{COMPRESSIONS}\nchannel a, b, c\nP0 = {first}\nP1 = {second}\nP = {process}\n")
    }

    fn guarded(&mut self, size: usize) -> String {
        if size == 0 || self.random.below(2) == 0 {
            let next = if size > 0 && self.random.below(3) == 0 { self.guarded(size - 1) } else { self.call() };
            return format!("{} -> ({next})", self.event());
        }
        let (left, right) = (self.guarded(size / 2), self.guarded(size / 2));
        let right = if self.random.below(3) == 0 { self.end() } else { right };
        format!("({left}) {} ({right})", self.random.pick(&["[]", "|~|"]))
    }

    /// A process with about `size` operators.
    pub fn process(&mut self, size: usize) -> String {
        if size <= 1 {
            return self.leaf();
        }
        match self.random.below(20) {
            0..5 => format!("{} -> ({})", self.event(), self.process(size - 1)),
            5 | 6 => format!("({}) \\ {}", self.process(size - 1), self.events()),
            7 => format!("({})[[{} <- {}]]", self.process(size - 1), self.event(), self.event()),
            _ => {
                let (left, right) = (self.process(size / 2), self.process(size / 2));
                format!("({left}) {} ({right})", self.operator())
            }
        }
    }

    fn operator(&mut self) -> String {
        match self.random.below(14) {
            0..3 => "[]".to_owned(),
            3..5 => "|~|".to_owned(),
            5 => "[>".to_owned(),
            6 => ";".to_owned(),
            7 => "/\\".to_owned(),
            8 => "|||".to_owned(),
            9 | 10 => format!("[|{}|]", self.events()),
            11 => format!("[{}||{}]", self.events(), self.events()),
            12 => format!("[|{}|>", self.events()),
            _ => format!("[{}<->{}]", self.event(), self.event()),
        }
    }

    fn leaf(&mut self) -> String {
        if self.random.below(11) < 4 { self.call() } else { self.end() }
    }

    fn end(&mut self) -> String {
        match self.random.below(7) {
            0 | 1 => "STOP".to_owned(),
            2 | 3 => "SKIP".to_owned(),
            4 => "DIV".to_owned(),
            5 => format!("RUN({})", self.events()),
            _ => format!("CHAOS({})", self.events()),
        }
    }

    fn call(&mut self) -> String {
        (*self.random.pick(&["P0", "P1"])).to_owned()
    }

    fn event(&mut self) -> &'static str {
        self.random.pick::<&'static str>(&EVENTS)
    }

    pub fn events(&mut self) -> String {
        let chosen = self.random.below(8);
        let events: Vec<&str> = (0..3).filter(|event| chosen >> event & 1 == 1).map(|event| EVENTS[event]).collect();
        format!("{{{}}}", events.join(", "))
    }
}

/// Atoms of formulas about these events in the trace view.
pub const ATOMS: [&str; 5] = ["a", "b", "[{a, c}]", "deadlock", "c"];
