#!/usr/bin/env python3
"""Checks that includes only go down: a file includes its own folder, and folders of lower rank.

Run by `make check-includes`. Prints one line for each include that is against the rules of the design, and fails then.
"""

import glob
import os
import re
import sys

RANK = {
    "base": 0,
    "sandbox": 1, "rpc": 1,
    "run": 2,
    "math": 3,
    "logic": 4,
    "session": 5, "analyze": 5, "verify": 5,
    "tools": 6,
    "job": 7,
    "mcp": 8,
    "cli": 9,
    "main": 10,
}
# Beside rank: rpc knows JSON-RPC and nothing else.
ONLY = {"rpc": {"base"}}
# The one file that may use a library directly.
SOLE_USER = {"yyjson.h": "src/base/json.c"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def folder_of_header(path):
    """A header of include/codecalc carries the name of its folder, or that of the one file that implements it."""
    name = os.path.splitext(os.path.basename(path))[0]
    if name in RANK:
        return name
    folders = {p.split("/")[1] for p in glob.glob(f"src/**/{name}.c", recursive=True) if not p.startswith("src/tools/")}
    return folders.pop() if len(folders) == 1 else name


def place(path):
    """(folder, tool group or None) of a file of the project, by its path from the root."""
    parts = path.split("/")
    if parts[0] == "include":
        return folder_of_header(path), None
    if path == "src/main.c":
        return "main", None
    group = parts[2] if parts[1] == "tools" and len(parts) > 3 else None
    return parts[1], group


def resolve(including, target):
    """The path from the root of an included file of the project, or None for a library's."""
    if target.startswith("codecalc/"):
        return "include/" + target
    beside = os.path.normpath(os.path.join(os.path.dirname(including), target))
    for path in (beside, os.path.normpath("src/" + target)):
        if os.path.exists(path):
            return path
    return None


def problems(path):
    folder, group = place(path)
    if folder not in RANK:
        yield f"folder {folder} has no rank: give it one in scripts/check_includes.py and in the design"
        return
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for match in INCLUDE.finditer(text):
        target = match.group(2)
        line = text.count("\n", 0, match.start()) + 1
        sole = SOLE_USER.get(os.path.basename(target))
        if sole and path != sole:
            yield f"{line}: only {sole} may include {target}"
        found = resolve(path, target)
        if found is None:
            continue
        other, other_group = place(found)
        if other == folder:
            if group != other_group and other_group is not None:
                yield f"{line}: a file of tools/{group or ''} includes {target} of tools/{other_group}"
            continue
        if other not in RANK:
            yield f"{line}: {target} belongs to {other}, which has no rank"
        elif RANK[other] >= RANK[folder] or other not in ONLY.get(folder, {other}):
            yield f"{line}: {folder} may not include {target} (of {other})"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    failed = False
    for top in ("include", "src"):
        for directory, _, names in sorted(os.walk(top)):
            for name in sorted(names):
                path = os.path.join(directory, name)
                if not name.endswith((".c", ".h")) or path.startswith("src/harness/"):
                    continue
                for problem in problems(path):
                    print(f"{path}:{problem}")
                    failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
