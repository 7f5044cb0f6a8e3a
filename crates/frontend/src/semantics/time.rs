//! Time, where a language has it.

use super::{Failure, Location, LoweredInTime, Run};
use model::process::{Passing, State, Step};
use progress::Progress;

/// A time in units of the script, as an exact fraction.
pub type Time = num_rational::Ratio<i64>;

/// Parses a time: `3`, `1/2`, `0.5`.
pub fn read_time(text: &str) -> Option<Time> {
    let number = |digits: &str| {
        let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
        is_number.then(|| digits.parse::<u32>().ok()).flatten().map(i64::from)
    };
    if let Some((above, below)) = text.split_once('/') {
        let (above, below) = (number(above.trim())?, number(below.trim())?);
        return (below > 0).then(|| Time::new(above, below));
    }
    let Some((whole, digits)) = text.split_once('.') else { return number(text).map(Time::from_integer) };
    let whole = if whole.is_empty() { 0 } else { number(whole)? };
    let below = 10_i64.checked_pow(u32::try_from(digits.len()).ok().filter(|&n_digits| n_digits < 10)?)?;
    Some(Time::new(whole * below + number(digits)?, below))
}

/// A timed operator that runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The operator as it is written.
    pub of: String,
    /// How long it takes until something becomes possible by it, if that is not so already.
    pub from: Option<Time>,
    /// How long it takes until time can pass no further, if it ever stops it.
    pub until: Option<Time>,
}

/// Time. Without it, no step waits.
pub trait Timed {
    /// Whether time passes in the processes of the script: then steps may come after a delay.
    fn is_timed(&self) -> bool {
        false
    }

    /// The steps of a state that can be taken without delay, into an empty list, if others may have one.
    ///
    /// # Errors
    /// When they cannot be evaluated.
    fn immediate_steps(&mut self, _state: State, _steps: &mut Vec<Step>) -> Result<(), Failure> {
        Ok(())
    }

    /// The time that passes before a step of a state, by its place among the steps.
    fn delay(&mut self, _state: State, _step: usize) -> Time {
        Time::from_integer(0)
    }

    /// How time can pass in a state.
    fn passing(&mut self, _state: State) -> Passing<Time> {
        Passing::Forever(Time::from_integer(0))
    }

    /// Whether for each sequence of visible events that a process can do, the times at which it can are those that
    /// satisfy upper and lower bounds on the time between two of them; at most `most` locations are visited. Then a
    /// process that keeps to them in whole units of time always does. False if that is not known.
    ///
    /// # Errors
    /// When a state cannot be evaluated.
    fn is_bounded_by_differences(&mut self, _process: State, _most: usize) -> Result<bool, Failure> {
        Ok(false)
    }

    /// The number of parts into which units of time are cut: states are at whole numbers of these.
    fn parts_per_unit(&self) -> u32 {
        1
    }

    /// Cuts each part of a unit of time into so many, so that there are states at more moments. Those that are known
    /// stay what they are. Whether that was possible.
    fn cut_units(&mut self, _factor: u32) -> bool {
        false
    }

    /// The state after a time in which nothing happens; None if so much cannot pass, or there is no state then.
    ///
    /// # Errors
    /// When that cannot be evaluated.
    fn wait(&mut self, _state: State, _time: Time) -> Result<Option<State>, Failure> {
        Ok(None)
    }

    /// The timed operators that run in a state.
    fn clocks(&mut self, _state: State) -> Vec<Clock> {
        Vec::new()
    }

    /// The location with which a state begins, all its clocks at 0; None without time.
    ///
    /// # Errors
    /// When a time in it cannot be evaluated.
    fn first_location(&mut self, _state: State) -> Result<Option<State>, Failure> {
        Ok(None)
    }

    /// The steps and limits of a location.
    ///
    /// # Errors
    /// When one of its steps fails.
    fn location(&mut self, _location: State) -> Result<Location, Failure> {
        unreachable!("only timed processes have locations")
    }

    /// The timed network of a process, if its structure is static enough.
    ///
    /// # Errors
    /// When it is cancelled.
    fn timed_network(&mut self, _process: State, _progress: &dyn Progress) -> Result<Option<LoweredInTime>, Failure> {
        Ok(None)
    }

    /// The largest time that is written in the script.
    fn largest_time(&self) -> Option<i32> {
        None
    }

    /// Repeats a run with a delay before each step by the definition of time, and compares what is possible in its last
    /// state. Whether it is a run. Without time, following the run repeats all of it.
    ///
    /// # Errors
    /// When a step fails.
    fn repeat_in_time(&mut self, _run: &Run, _delays: &[Time]) -> Result<bool, Failure> {
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_write_them() {
        for (text, above, below) in
            [("3", 3, 1), ("1/2", 1, 2), ("6 / 4", 3, 2), ("0.5", 1, 2), (".25", 1, 4), ("2.0", 2, 1)]
        {
            assert_eq!(read_time(text), Some(Time::new(above, below)), "{text}");
        }
        for text in ["", "x", "-1", "+1", "1/0", "1/", "/2", "1.", ".", "1.x", "1e3", "99999999999", "0.00000000001"] {
            assert_eq!(read_time(text), None, "{text}");
        }
    }
}
