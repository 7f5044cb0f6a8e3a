//! `tracehound fmt`.

use super::args::editor::Fmt;
use super::{Exit, inputs, report};
use crate::disk::{Disk, STANDARD_INPUT};
use crate::output;
use analysis::{Language, Session};
use source::{Files, render};

/// Formats scripts.
pub fn run(arguments: &Fmt) -> Result<Exit, String> {
    let language = arguments.style.language();
    let mut exit = Exit::Clean;
    let (mut n_changed, mut n_files) = (0, 0);
    for file in inputs::every_script(&arguments.files)? {
        n_files += 1;
        let answer = match laid_out(arguments, &file, language) {
            Ok(answer) => answer,
            Err(why) => {
                output::complain(&why);
                exit = exit.and(Exit::Nothing);
                continue;
            }
        };
        n_changed += usize::from(answer.is_changed);
        exit = exit.and(write(arguments, &file, &answer)?);
    }
    if arguments.check && n_changed > 0 {
        output::say(&format!("{} of {} would change\n", n_changed, report::count(n_files, "file")));
    }
    Ok(exit)
}

struct Answer {
    text: String,
    is_changed: bool,
}

fn write(arguments: &Fmt, file: &str, answer: &Answer) -> Result<Exit, String> {
    if arguments.check {
        if answer.is_changed {
            output::write_result(&format!("{file}\n"))?;
            return Ok(Exit::Fails);
        }
    } else if file == STANDARD_INPUT {
        output::write_result(&answer.text)?;
    } else if answer.is_changed {
        output::write_to(Some(file), &answer.text)?;
        output::say(&format!("laid out {file}\n"));
    }
    Ok(Exit::Clean)
}

/// Formatted text of a file.
fn laid_out(arguments: &Fmt, file: &str, language: Option<&'static dyn Language>) -> Result<Answer, String> {
    let bytes = Disk.read(file).map_err(|why| format!("cannot read {file}: {why}"))?;
    let not_text = |_| format!("{file} is not UTF-8: save it as that first; it was left as it is");
    let text = String::from_utf8(bytes).map_err(not_text)?;
    let session = Session::open_alone(file, &text, language);
    let unreadable: Vec<_> = session.unreadable().cloned().collect();
    if !unreadable.is_empty() {
        let draw = if arguments.style.color.for_stderr() { render::colored } else { render::plain };
        unreadable
            .iter()
            .take(3)
            .for_each(|problem| output::say(&format!("{}\n", draw(session.source_map(), problem))));
        return Err(format!("{file} cannot be read, and was left as it is"));
    }
    let name = session.language().name();
    let laid_out = format::format(session.language(), &text)
        .ok_or_else(|| format!("{file} was left as it is: there is no layout for it ({name})"))?;
    let is_changed = laid_out != text;
    Ok(Answer { text: laid_out, is_changed })
}
