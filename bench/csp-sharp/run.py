#!/usr/bin/env python3
"""Runs the rows of expected.tsv and compares verdicts.

    python3 bench/csp-sharp/run.py target/release/tracehound [--only WORD] [--time-limit SECONDS] [--memory-limit SIZE]

Each row names a file, the `#define`s to change in it, an assertion and a fairness. Verdicts are those of the tool; `unknown` is counted
apart, as a limit may be too small for a row, and a wrong verdict ends with exit code 1."""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent


def instance(name, defines):
    """The text of a script with other values for some of its constants."""
    text = (FOLDER / name).read_text()
    for define in filter(None, defines.split()):
        constant, value = define.split("=")
        text, n_changed = re.subn(rf"^#define {constant} [-\w]+;", f"#define {constant} {value};", text, flags=re.M)
        if n_changed != 1:
            sys.exit(f"{name} has no constant {constant}")
    return text


def decide(options, row):
    """Verdict, number of states and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / row["file"]
        script.write_text(instance(row["file"], row["defines"]))
        command = [options.binary, "check", script.name, "--format", "json", "--assert", row["assertion"]]
        command += ["--time-limit", str(options.time_limit), "--memory-limit", options.memory_limit]
        if row["fairness"] != "-":
            command += ["--fairness", row["fairness"]]
        start = time.monotonic()
        output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
        seconds = time.monotonic() - start
    results = [result for result in json.loads(output)["assertions"] if str(result["index"]) == row["assertion"]]
    statistics = results[0].get("stats") or {}
    return results[0]["verdict"], statistics.get("states", "-"), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--only", default="", help="rows whose file or constants have this in them")
    parser.add_argument("--time-limit", type=int, default=60)
    parser.add_argument("--memory-limit", default="2G")
    options = parser.parse_args()
    n_wrong = n_unknown = n_rows = 0
    with open(FOLDER / "expected.tsv", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if options.only not in f"{row['file']} {row['defines']}":
                continue
            verdict, states, seconds = decide(options, row)
            n_rows += 1
            n_unknown += verdict == "unknown"
            wrong = verdict not in (row["verdict"], "unknown")
            n_wrong += wrong
            words = [row["file"], row["defines"], row["assertion"], row["fairness"], verdict, str(states), f"{seconds:.2f}"]
            print("\t".join(words) + (f"\tWRONG, expected {row['verdict']}" if wrong else ""), flush=True)
    print(f"{n_rows} rows, {n_wrong} wrong, {n_unknown} unknown")
    sys.exit(1 if n_wrong else 0)


main()
