//! Large scripts with the texture of real ones.
//!
//! A script is a row of units until it is long enough. Most units are templates from `bench/frontend/`, in which `NN`
//! stands for the unit's number, so that every unit has names of its own, and `PP` for the unit before, so that units
//! use each other as parts of a real script do. The rest are tables of numbers in a reproducible disorder.

/// What a script mostly consists of.
#[derive(Clone, Copy)]
pub enum Shape {
    /// Channels, datatypes, processes, assertions.
    Protocols,
    /// Functions over sequences, sets, maps and trees.
    Functions,
    /// Long literal sets, sequences and maps.
    Tables,
    /// All of these in turn.
    Mixed,
}

const PRELUDE: &str = include_str!("../../../bench/frontend/prelude.csp");
const PROTOCOL: &str = include_str!("../../../bench/frontend/protocol.csp");
const FUNCTIONS: &str = include_str!("../../../bench/frontend/functions.csp");

/// A script of at least `wanted` bytes.
pub fn script(shape: Shape, wanted: usize) -> String {
    let mut text = PRELUDE.to_owned();
    let mut numbers = Numbers(20_011);
    for unit in 1.. {
        if text.len() >= wanted {
            break;
        }
        match shape {
            Shape::Protocols => text += &fill(PROTOCOL, unit),
            Shape::Functions => text += &fill(FUNCTIONS, unit),
            Shape::Tables => text += &tables(unit, &mut numbers),
            Shape::Mixed => {
                text += &fill(PROTOCOL, unit);
                text += &fill(FUNCTIONS, unit);
                text += &tables(unit, &mut numbers);
            }
        }
    }
    text
}

fn fill(template: &str, unit: u32) -> String {
    template.replace("NN", &unit.to_string()).replace("PP", &(unit - 1).to_string())
}

fn tables(unit: u32, numbers: &mut Numbers) -> String {
    let roads = rows(40, 6, || format!("({}, {})", numbers.next(500), numbers.next(500)));
    let prices =
        rows(20, 4, || format!("({}, \"goods {}\", {})", numbers.next(90), numbers.next(1000), numbers.next(2) == 0));
    let stock = rows(10, 6, || format!("{} => {{{}, {}}}", numbers.next(900), numbers.next(50), numbers.next(50)));
    format!(
        "\n-- District {unit}: roads, prices and goods in stock.\n\
         roads_{unit} = {{\n{roads}\n  }}\n\
         prices_{unit} = <\n{prices}\n  >\n\
         stock_{unit} = (|\n{stock}\n  |)\n\
         near_{unit}(x) = {{y | (z, y) <- roads_{unit}, z == x}}\n\
         far_{unit}(x) = diff(Union({{near_{unit}(y) | y <- near_{unit}(x)}}), near_{unit}(x))\n"
    )
}

/// `n_rows` lines of entries, with commas between all of them.
fn rows(n_rows: usize, n_columns: usize, mut entry: impl FnMut() -> String) -> String {
    let mut line = || (0..n_columns).map(|_| entry()).collect::<Vec<_>>().join(", ");
    (0..n_rows).map(|_| format!("    {}", line())).collect::<Vec<_>>().join(",\n")
}

/// Pseudo-random numbers, the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below a bound.
    pub fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}
