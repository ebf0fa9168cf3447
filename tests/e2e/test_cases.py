"""Runs every line of tests/cases/*.jsonl (see the README there) through one server; every answer has the fields that are declared."""

import functools
import json
import pathlib

import jsonschema
import pytest

from harness import ROOT

KEYS = {"tool", "arguments", "expect", "absent", "source"}


def cases():
    for path in sorted((ROOT / "tests" / "cases").glob("*.jsonl")):
        if path.stem in ("peer_differences", "languages"):
            continue  # no list of calls; test_languages.py
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip():
                continue
            case = json.loads(line)
            unknown = set(case) - KEYS
            assert not unknown and {"tool", "arguments", "expect", "source"} <= set(case), f"{path.name}:{number}: {unknown or 'a key is missing'}"
            shown = next(iter(case["arguments"].values()), "")
            yield pytest.param(case, id=f"{path.stem}:{number}-{case['tool']}-{str(shown)[:40]}")


def differences(expected, got, path):
    """How a value differs from what is expected of it: objects are compared on the keys that the case names."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for key, value in expected.items():
            if key not in got:
                yield f"{path}.{key} is missing"
            else:
                yield from differences(value, got[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (e, g) in enumerate(zip(expected, got)):
            yield from differences(e, g, f"{path}[{index}]")
    elif isinstance(expected, bool) or isinstance(got, bool):
        if expected is not got:
            yield f"{path} is {got!r}, not {expected!r}"
    elif expected != got:
        yield f"{path} is {got!r}, not {expected!r}"


def has(got, path):
    """Whether there is a value at "a.b"."""
    for key in path.split("."):
        if not isinstance(got, dict) or key not in got:
            return False
        got = got[key]
    return True


@functools.cache
def declared(tool):
    """Checks a result of a tool: the fields that it declares, in their types, and no other."""
    schema = json.loads((ROOT / "docs" / "contract" / "tools" / f"{tool}.schema.json").read_text())
    return jsonschema.Draft202012Validator(schema["$defs"]["result"])


@pytest.mark.parametrize("case", list(cases()))
def test_case(shared_server, case):
    got = shared_server.call(case["tool"], case["arguments"])
    declared(case["tool"]).validate(got)
    wrong = list(differences(case["expect"], got, "result"))
    wrong += [f"result.{key} is there" for key in case.get("absent", ()) if has(got, key)]
    assert not wrong, f"{wrong}; the whole answer: {json.dumps(got)[:2000]}"
