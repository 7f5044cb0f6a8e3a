//! Pictures of terminal sessions: `cargo xtask picture` runs a command of the tool and draws its colored output as SVG.
//!
//! The README shows such a picture. It comes from a real run, so it cannot show output that the tool does not have.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The command whose output is drawn, and the file that it is drawn to.
const SCRIPT: &str = "examples/kitchen.csp";
const PICTURE: &str = "docs/book/src/pictures/terminal.svg";

const CHAR_WIDTH: f64 = 8.4;
const LINE_HEIGHT: f64 = 19.0;
const MARGIN: f64 = 18.0;
/// Height of the title bar.
const BAR: f64 = 30.0;

/// Draws the picture of the README anew.
pub fn run() -> ExitCode {
    match draw() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("picture: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn draw() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask lies in no project")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["run", "--quiet", "--package", "tracehound", "--", "check", SCRIPT, "--steps", "chart"];
    let output = Command::new(cargo)
        .args(arguments)
        .args(["--color", "always"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    let text = String::from_utf8(output.stdout).map_err(|_| "the output is no text".to_owned())?;
    if text.is_empty() {
        return Err(format!("no output: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let command = format!("$ tracehound check {SCRIPT} --steps chart");
    std::fs::write(root.join(PICTURE), svg(&command, &text)).map_err(|error| format!("{PICTURE}: {error}"))
}

/// A piece of a line in one style.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Style {
    is_bold: bool,
    is_dim: bool,
    /// Color by its ANSI number, from 0.
    color: Option<u8>,
}

impl Style {
    /// Applies the parameters of an SGR sequence (ECMA-48, 8.3.117).
    fn apply(&mut self, parameters: &str) {
        for parameter in parameters.split(';') {
            match parameter.parse().unwrap_or(0) {
                0 => *self = Style::default(),
                1 => self.is_bold = true,
                2 => self.is_dim = true,
                22 => (self.is_bold, self.is_dim) = (false, false),
                39 => self.color = None,
                code @ 30..=37 => self.color = Some(code - 30),
                code @ 90..=97 => self.color = Some(code - 90),
                _ => {}
            }
        }
    }

    fn fill(self) -> &'static str {
        match (self.color, self.is_dim) {
            (Some(1), _) => "#ff7b72",
            (Some(2), _) => "#7ee787",
            (Some(3), _) => "#e3b341",
            (Some(4), _) => "#79c0ff",
            (Some(5), _) => "#d2a8ff",
            (Some(6), _) => "#76e3ea",
            (_, true) => "#8b949e",
            _ => "#e6edf3",
        }
    }
}

/// The pieces of a line, each with its style. The style at the end of a line continues in the next one.
fn pieces(line: &str, style: &mut Style) -> Vec<(Style, String)> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        pieces.push((*style, before.to_owned()));
        let Some((parameters, text)) = after.split_once('m') else { break };
        style.apply(parameters);
        rest = text;
    }
    pieces.push((*style, rest.to_owned()));
    pieces.retain(|(_, text)| !text.is_empty());
    pieces
}

fn svg(command: &str, output: &str) -> String {
    let mut style = Style::default();
    let typed = vec![(Style { is_bold: true, ..Style::default() }, command.to_owned())];
    let printed = output.lines().map(|line| pieces(line, &mut style));
    let lines: Vec<Vec<(Style, String)>> = std::iter::once(typed).chain(printed).collect();
    let length = |line: &Vec<(Style, String)>| line.iter().map(|(_, text)| text.chars().count()).sum::<usize>();
    let n_columns = lines.iter().map(length).max().unwrap_or(0);
    let width = n_columns as f64 * CHAR_WIDTH + 2.0 * MARGIN;
    let height = lines.len() as f64 * LINE_HEIGHT + 2.0 * MARGIN + BAR;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n"
    );
    for (place, color) in ["#ff5f56", "#ffbd2e", "#27c93f"].iter().enumerate() {
        let x = MARGIN + 6.0 + place as f64 * 20.0;
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"20\" r=\"6\" fill=\"{color}\"/>");
    }
    for (row, line) in lines.iter().enumerate() {
        let y = BAR + MARGIN + (row as f64 + 0.8) * LINE_HEIGHT;
        let mut column = 0;
        for (style, text) in line {
            let n_chars = text.chars().count();
            let x = MARGIN + column as f64 * CHAR_WIDTH;
            let weight = if style.is_bold { " font-weight=\"bold\"" } else { "" };
            // The length of a piece is fixed, so that columns are aligned in every font.
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{}\"{weight} textLength=\"{:.1}\" xml:space=\"preserve\">{}</text>",
                style.fill(),
                n_chars as f64 * CHAR_WIDTH,
                escaped(text)
            );
            column += n_chars;
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
