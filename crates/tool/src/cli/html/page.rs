//! HTML page: style sheet and escaped text.

use analysis::check::Verdict;

const STYLE: &str = "\
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--pale:#5c6570;--line:#d5dae1;--soft:#f3f5f8;--good:#1a6b2b;--bad:#b3123f;--odd:#6b5200;--mark:#ffe9a8}
@media (prefers-color-scheme:dark){:root{--back:#14171c;--text:#e6e9ee;--pale:#9aa4b1;--line:#3a424e;--soft:#222831;--good:#7ee09a;--bad:#ff94ac;--odd:#e6c84f;--mark:#5a4a12}}
body{background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif;margin:0}
main{max-width:75rem;margin:0 auto;padding:1rem 1.5rem 4rem}
code,pre{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:.87em}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2.2rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
table{border-collapse:collapse;margin:.6rem 0}th,td{text-align:left;padding:.2rem .7rem .2rem 0;vertical-align:top}
.verdicts td,.verdicts th,.steps td,.steps th{border-bottom:1px solid var(--line);padding:.25rem .7rem}
.verdicts thead th,.steps thead th{background:var(--soft);position:sticky;top:0}
.about th{color:var(--pale);font-weight:normal}.n{text-align:right;font-variant-numeric:tabular-nums}
.holds{color:var(--good)}.fails{color:var(--bad)}.unknown,.error{color:var(--odd)}.sum{font-size:1.1rem}
a{color:inherit}.pale,.silent td{color:var(--pale)}.note{background:var(--soft);padding:.5rem .8rem;border-left:3px solid var(--odd)}
pre{background:var(--soft);padding:.6rem .8rem;overflow-x:auto;margin:.5rem 0}mark{background:var(--mark);color:inherit;border-radius:2px}
sup{font-size:.7em;color:var(--bad)}.scroll{overflow-x:auto}.scroll svg{max-width:none;height:auto}
.line{display:block;min-height:1.3em}.line>a{display:inline-block;width:3.2em;color:var(--pale);text-align:right;margin-right:1em;text-decoration:none;user-select:none}
.line:target{background:var(--mark)}summary{cursor:pointer;color:var(--pale);margin:.4rem 0}
@media print{main{max-width:none;padding:0}h2{break-after:avoid}pre,.scroll,tr{break-inside:avoid}.scroll{overflow:visible}.scroll svg{max-width:100%}.verdicts thead th,.steps thead th{position:static}}
";

/// Page under construction.
pub struct Page {
    text: String,
}

impl Page {
    /// A page with this title.
    pub fn new(title: &str) -> Page {
        let text = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{}</title>\n<style>\n{STYLE}</style></head>\n<body><main>\n",
            escape(title)
        );
        Page { text }
    }

    /// Adds a line.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds machine-readable data, escaped such that nothing in it closes the block.
    pub fn data(&mut self, json: &str) {
        let safe = json.replace('<', "\\u003c");
        self.line(&format!("<script type=\"application/json\" class=\"tracehound\">\n{safe}\n</script>"));
    }

    /// Completes the page.
    pub fn finish(mut self) -> String {
        self.text.push_str("</main></body></html>\n");
        self.text
    }
}

/// Text with the special characters of HTML escaped.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            control if control.is_control() => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Verdict as a word.
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Unknown(..) => "unknown",
        Verdict::Error(_) => "error",
    }
}

/// Verdict as a symbol, so that color is never the only cue.
pub fn sign(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "✓",
        Verdict::Fails => "✗",
        Verdict::Unknown(..) => "?",
        Verdict::Error(_) => "!",
    }
}
