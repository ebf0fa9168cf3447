"""docs/contract.md and its schemas are what the program declares. That it answers so is checked with the cases (test_cases.py)."""

import json
import subprocess
import sys

import jsonschema
import pytest

from harness import BINARY, ROOT

FOLDER = ROOT / "docs"


def schema_of(tool):
    return json.loads((FOLDER / "contract" / "tools" / f"{tool}.schema.json").read_text())


@pytest.fixture(scope="module")
def tools():
    return json.loads(subprocess.check_output([BINARY, "tools", "--json"], timeout=20))


def test_the_documents_are_those_of_the_declarations(tmp_path):
    subprocess.run([sys.executable, ROOT / "scripts" / "contract.py", BINARY, tmp_path], check=True, timeout=60)
    made = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    kept = {path.relative_to(FOLDER): path.read_text() for path in (FOLDER / "contract" / "tools").iterdir()}
    kept |= {(path := FOLDER / "contract.md").relative_to(FOLDER): path.read_text()}
    differ = sorted(str(path) for path in made.keys() | kept.keys() if made.get(path) != kept.get(path))
    assert not differ, f"run make contract, and commit: {differ}"


def test_the_schemas_are_schemas(tools):
    for tool in tools:
        schema = schema_of(tool["name"])
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$defs"]["arguments"] == tool["inputSchema"]


def test_the_schemas_command_takes_one_tool():
    one = json.loads(subprocess.check_output([BINARY, "tools", "--schema", "bits"], timeout=20))
    assert list(one) == ["bits"] and set(one["bits"]) == {"arguments", "result"}
    both = subprocess.run([BINARY, "tools", "--schema", "--json"], capture_output=True, timeout=20)
    assert both.returncode == 2 and both.stdout == b""
