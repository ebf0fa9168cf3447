"""What tools/list says: sound schemas, the right groups, and few bytes."""

import json
import re
import subprocess

import jsonschema
import pytest

from harness import BINARY, SHARED, Server

# Which tool belongs to which group, and which tools may be absent as yet: the table of the contract.
GROUPS = {
    "calculator": "calc_exact compare_threshold percentage percent_change calc_stats percentiles collision_probability data_sizes "
                  "human_duration epoch_time bits radix_convert float_repr symbolic convert_units physical_constants list_units "
                  "evaluate_expression truth_table matrix",
    "verification": "verify_translation verify_optimization algebraic_equiv compare_edge_cases z3_check prove",
    "execution": "list_languages list_execution_providers execute_code execute_code_stream trace_execution branch_reachability "
                 "compare_execution runtimes_status runtime_probe",
    "sessions": "session_start session_stop session_list session_files session_write_file session_read_file session_run "
                "session_artifacts session_snapshot session_delete_file run_submit run_inspect run_cancel",
    "analysis": "analyze_complexity benchmark extract_function",
    "admin": "install_package update_runtimes",
}
GROUPS = {group: names.split() for group, names in GROUPS.items()}

DELIVERED = set(
    "calc_exact compare_threshold percentage percent_change bits radix_convert float_repr data_sizes human_duration epoch_time "
    "collision_probability calc_stats percentiles matrix evaluate_expression symbolic convert_units list_units physical_constants "
    "list_languages execute_code execute_code_stream list_execution_providers run_submit run_inspect run_cancel compare_execution "
    "runtime_probe algebraic_equiv".split()
)


@pytest.fixture(scope="module")
def listing():
    with Server() as server:
        return server.result("tools/list")["tools"]


@pytest.fixture(scope="module")
def peer():
    path = SHARED / "reference" / "peer-tools.json"
    if not path.exists():
        pytest.skip(f"the reference data is not at hand ({path})")
    return {tool["name"]: tool for tool in json.loads(path.read_text())}


def test_what_is_delivered_is_there(listing):
    assert DELIVERED <= {tool["name"] for tool in listing}


def test_every_tool_is_in_its_group(listing):
    names = [tool["name"] for tool in listing]
    assert len(set(names)) == len(names)
    for group, members in GROUPS.items():
        with Server(env={"CODECALC_TOOLS": group}) as server:
            listed = [tool["name"] for tool in server.result("tools/list")["tools"]]
        assert set(listed) == set(members) & set(names), group
        assert listed == [name for name in names if name in listed], "the order must not depend on the selection"
    assert set(names) <= {name for members in GROUPS.values() for name in members}


def test_names_and_texts(listing):
    for tool in listing:
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", tool["name"])
        assert tool["title"] and tool["description"].strip() == tool["description"] != ""
        assert "outputSchema" not in tool and "execution" not in tool


def test_schemas_are_sound(listing):
    for tool in listing:
        schema = tool["inputSchema"]
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object", tool["name"]
        if not schema.get("properties"):
            assert schema == {"type": "object", "additionalProperties": False}, tool["name"]
        assert not {"oneOf", "anyOf", "allOf", "not", "if"} & set(schema), tool["name"]
        assert "$ref" not in json.dumps(schema), tool["name"]
        properties = schema.get("properties", {})
        assert set(schema.get("required", ())) <= set(properties), tool["name"]
        for name, parameter in properties.items():
            assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]*", name)
            if "default" in parameter:
                jsonschema.validate(parameter["default"], parameter)


# Arguments of the contract that are taken and answered, but not offered: what they ask for is not there yet.
NOT_THERE = {"dependencies": ["requests"], "provider": "elsewhere"}
UNLISTED = {"execute_code": NOT_THERE | {"session_id": "s1"}, "execute_code_stream": NOT_THERE, "run_submit": NOT_THERE, "compare_execution": {"dependencies": {"python3": ["requests"]}}}

# Taken and used, but not listed: their description refers to execute_code, which lists them.
REFERRED = {name: {"max_memory_mb", "max_output_kb", "max_cpu"} for name in ("execute_code_stream", "run_submit")}


def test_arguments_are_those_of_the_contract(listing, peer, server):
    """Every argument of the peer exists here and none of ours is required where the peer's is not."""
    for tool in listing:
        if tool["name"] not in peer:
            continue
        theirs, ours = peer[tool["name"]]["inputSchema"], tool["inputSchema"]
        unlisted = UNLISTED.get(tool["name"], {})
        referred = REFERRED.get(tool["name"], set())
        assert set(theirs.get("properties", {})) - set(unlisted) - referred <= set(ours.get("properties", {})), tool["name"]
        for name in referred:
            assert name not in ours["properties"] and "execute_code" in tool["description"]
            answer = server.call(tool["name"], {"language": "python3", "code": "1", name: "many"})
            assert answer["ok"] is False and answer["code"] == "validation" and name in answer["error"], answer
        for name, value in unlisted.items():
            assert name not in ours["properties"]
            program = {"snippets": {"python3": "1"}} if tool["name"] == "compare_execution" else {"language": "python3", "code": "1"}
            answer = server.call(tool["name"], program | {name: value})
            assert answer["ok"] is False and answer["code"] != "internal" and name in answer["error"], answer
        assert set(ours.get("required", ())) <= set(theirs.get("required", ())), tool["name"]


def test_annotations_and_marks_are_those_of_the_contract(listing, peer):
    for tool in listing:
        if tool["name"] not in peer:
            continue
        theirs = peer[tool["name"]]
        ours = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True} | tool["annotations"]
        ours.pop("title", None)
        assert ours == theirs["annotations"], tool["name"]
        assert tool.get("_meta", {}) == theirs.get("_meta", {}), tool["name"]
        assert tool["title"] == theirs["title"], tool["name"]


def test_it_is_short(listing):
    """At most 500 bytes a tool, on average, as sent."""
    size = len(json.dumps(listing, separators=(",", ":"), ensure_ascii=False).encode())
    assert size / len(listing) <= 500, {t["name"]: len(json.dumps(t, separators=(",", ":"))) for t in listing}


def test_the_terminal_shows_the_same(listing):
    done = subprocess.run([BINARY, "tools"], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0 and done.stderr == ""
    for tool in listing:
        assert tool["name"] in done.stdout
        page = subprocess.run([BINARY, "tools", tool["name"]], capture_output=True, text=True, timeout=20)
        assert page.returncode == 0
        for parameter in tool["inputSchema"].get("properties", {}):
            assert parameter in page.stdout, (tool["name"], parameter)
