#!/usr/bin/env python3
"""Writes what the program declares into docs/: the reference page of every tool and the JSON Schemas of its calls.

    scripts/contract.py build/codecalc [FOLDER]     FOLDER is docs unless another is named

docs/contract.md is written by hand down to the line MARK; what follows it is replaced. The schemas in docs/contract/tools are
replaced whole. Run by `make contract`; a test runs it into another folder and compares.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MARK = "<!-- Below this line: written by scripts/contract.py. -->\n"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def codes():
    """The words of `code` and what they mean, from the enumeration that the program is compiled with."""
    header = (ROOT / "include/codecalc/base.h").read_text()
    body = re.search(r"typedef enum cc_code \{(.*?)\} cc_code;", header, re.S)[1]
    found = re.findall(r"^ *CC_([A-Z_]+),\s*// (.+)$", body, re.M)
    assert len(found) == 8, found
    return [(name.lower(), meaning) for name, meaning in found]


def ask(program, *words):
    return subprocess.run([program, "tools", *words], check=True, capture_output=True, text=True, timeout=60).stdout


def reference(program, tools):
    groups = {}
    pages = {}
    for tool in tools:
        page = ask(program, tool["name"])
        group = re.search(r"^Group: (\w+)\. ", page, re.M)[1]
        groups.setdefault(group, []).append(tool)
        pages[tool["name"]] = page.replace("## ", "### ", 1)
    yield "\n## Codes\n\n| code | what happened |\n|---|---|\n"
    yield from (f"| `{name}` | {meaning} |\n" for name, meaning in codes())
    yield "\n## Tools\n\n| group | tools |\n|---|---|\n"
    for group, members in groups.items():
        links = ", ".join(f"[{tool['name']}](#{tool['name']})" for tool in members)
        yield f"| {group} | {links} |\n"
    yield "\nOf the fields of a result, those marked \"when it applies\" are left out when they would say nothing.\n"
    yield from (f"\n{pages[tool['name']]}\nSchema: [contract/tools/{tool['name']}.schema.json](contract/tools/{tool['name']}.schema.json)\n"
                for members in groups.values() for tool in members)


def schema(tool, of):
    """One document with both halves of a call under $defs."""
    result = {key: value for key, value in of["result"].items() if key not in ("$schema", "title")}
    for alternative in result["anyOf"]:
        if "code" in alternative["properties"]:
            alternative["properties"]["code"]["enum"] = [name for name, _ in codes()]
    return {
        "$schema": DIALECT,
        "title": tool["name"],
        "description": tool["description"],
        "$defs": {"arguments": of["arguments"], "result": result},
    }


def files(program):
    """{path below the folder: text} of everything that is generated."""
    tools = json.loads(ask(program, "--json"))
    schemas = json.loads(ask(program, "--schema"))
    assert [tool["name"] for tool in tools] == list(schemas)
    by_hand = (ROOT / "docs/contract.md").read_text().partition(MARK)[0]
    made = {pathlib.Path("contract.md"): by_hand + MARK + "".join(reference(program, tools))}
    for tool in tools:
        text = json.dumps(schema(tool, schemas[tool["name"]]), indent=2, ensure_ascii=False)
        made[pathlib.Path(f"contract/tools/{tool['name']}.schema.json")] = text + "\n"
    return made


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT / "docs"
    made = files(sys.argv[1])
    for old in folder.glob("contract/tools/*.schema.json"):
        if old.relative_to(folder) not in made:
            old.unlink()
    for path, text in made.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


if __name__ == "__main__":
    main()
