#!/usr/bin/env python3
"""Prints the names of the languages that tests/cases/languages.jsonl covers in every kind, as C strings: they are what list_languages calls
`tested`. The Makefile includes the result in the program, so the word follows the tests.

    scripts/tested_languages.py tests/cases/languages.jsonl >build/gen/tested_languages.h
"""

import collections
import json
import pathlib
import sys

KINDS = {"hello", "stdin", "exit", "compile", "runtime", "timeout", "unicode", "large"}


def covered(path):
    kinds = collections.defaultdict(set)
    for line in pathlib.Path(path).read_text().splitlines():
        case = json.loads(line)
        kinds[case["arguments"]["language"]].update(case["kinds"])
    return sorted(language for language, found in kinds.items() if found >= KINDS)


if __name__ == "__main__":
    for name in covered(sys.argv[1]):
        print(f'"{name}",')
