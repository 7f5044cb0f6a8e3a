//! Terminal transcripts.

/// Words of a command, split as by a shell, with single and double quotes.
pub fn split_words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().expect("there is a word").push(c),
        }
    }
    words
}

/// Output with dots for times and memory, which differ from run to run.
pub fn without_times(text: &str) -> String {
    text.lines().map(|line| blank(line) + "\n").collect()
}

fn blank(line: &str) -> String {
    for name in ["\"seconds\": ", "\"peak_memory_bytes\": "] {
        if let Some((before, value)) = line.split_once(name)
            && value.trim_end_matches(',').parse::<f64>().is_ok()
        {
            return format!("{before}{name}...");
        }
    }
    for name in ["        time         ", "        memory       ", "        reached: "] {
        if let Some((before, _)) = line.split_once(name) {
            return format!("{before}{name}...");
        }
    }
    let line = without_values(line, "\"seconds\":");
    without_values(&line, "\"peak_memory_bytes\":")
}

/// Line with dots for the numbers directly after a name.
fn without_values(line: &str, name: &str) -> String {
    let mut pieces = line.split(name);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit() || ".e-".contains(c));
        let value = if rest.len() < piece.len() { "..." } else { "" };
        text.push_str(&[name, value, rest].concat());
    }
    text
}

/// Command, and the file that it reads as standard input: `tracehound simulate FILE < moves`.
pub fn split_input(command: &str) -> (&str, Option<&str>) {
    match command.split_once(" < ") {
        Some((command, input)) => (command, Some(input.trim())),
        None => (command, None),
    }
}
