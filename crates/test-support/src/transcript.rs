//! Commands and answers as people would see them in a terminal.

/// The words of a command, split as a shell does, with single and double quotes.
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

/// The text of an answer with dots for times, which differ from run to run.
pub fn without_times(text: &str) -> String {
    let blank = |line: &str| match line.split_once("\"seconds\": ") {
        Some((before, value)) if value.trim_end_matches(',').parse::<f64>().is_ok() => {
            format!("{before}\"seconds\": ...\n")
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(blank).collect()
}
