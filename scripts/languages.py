#!/usr/bin/env python3
"""Writes the table of docs/languages.md: what list_languages says, and how long the hello-world of tests/cases/languages.jsonl takes here.

    scripts/languages.py build/codecalc     (make languages)
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "languages.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
HEAD = "| language | also | file | compiled | tested | compile, ms | run, ms | |\n|---|---|---|---|---|---|---|---|\n"


def call(binary, tool, arguments):
    done = subprocess.run([binary, "call", tool, "--json", json.dumps(arguments)], capture_output=True, text=True)
    return json.loads(done.stdout)


def row(language, compile_ms="", run_ms=""):
    """One line. What the machine decides is in the two columns of times alone."""
    also = ", ".join(language.get("aliases", ()))
    kind = "yes" if language["compiled"] else ""
    tested = "yes" if language["tier"] == "tested" else ""
    return f"| {language['name']} | {also} | .{language['extension']} | {kind} | {tested} | {compile_ms} | {run_ms} | {language.get('notes', '')} |"


def measured(binary, language, case):
    """The better of two runs. The second differs by a line, so that it compiles again."""
    if not language["available"]:
        return "", "not here"
    results = []
    for more in ("", "\n"):
        arguments = case["arguments"]
        results.append(call(binary, "execute_code", arguments | {"code": arguments["code"] + more}))
    best = [min(values) if all(v is not None for v in values) else "" for values in
            ([r.get("compile_ms") for r in results], [r.get("duration_ms") for r in results])]
    return tuple(best)


def main(binary):
    lines = map(json.loads, (ROOT / "tests" / "cases" / "languages.jsonl").read_text().splitlines())
    hello = {case["arguments"]["language"]: case for case in lines if "hello" in case["kinds"]}
    table = "".join(row(l, *measured(binary, l, hello[l["name"]])) + "\n" for l in call(binary, "list_languages", {})["result"])
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + HEAD + table + END + rest.split(END)[1])


if __name__ == "__main__":
    main(sys.argv[1])
