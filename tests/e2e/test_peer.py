"""Replays recorded calls of the system whose wire contract we keep, and compares answers field by field.

Where ours differs for a reason, tests/cases/peer_differences.jsonl has a line with that reason. The recordings are
reference data beside the repository; without them the test is skipped.
"""

import decimal
import json
import re

import pytest

from harness import ROOT, SHARED, wait_until

TOOLS = set(
    "calc_exact compare_threshold evaluate_expression percentage percent_change bits radix_convert float_repr data_sizes human_duration epoch_time "
    "collision_probability calc_stats percentiles matrix convert_units list_units physical_constants list_languages execute_code "
    "execute_code_stream list_execution_providers run_submit run_inspect run_cancel compare_execution algebraic_equiv symbolic".split()
)
# Those that run a program and answer with all that became of it.
PROGRAMS = {"execute_code", "execute_code_stream", "run_inspect"}
# Moved to the receipt in _meta, or prose that may improve.
NOT_COMPARED = {"contract_version", "backend", "platform", "workdir", "provider", "error", "remedy", "code_inferred", "note", "cv_note", "warning",
                "unenforced_detail"}
# Measured anew in every run, or of the machine that ran it.
MEASURED = {"run_id", "started_at", "deadline", "compile_ms", "cpu_ms", "duration_ms", "total_ms", "peak_memory_kb", "unenforced"}
# An alias with us, not a language of its own.
NOT_HERE = {"c++"}
RECORDINGS = SHARED / "reference" / "peer-calls.jsonl"
DIFFERENCES = ROOT / "tests" / "cases" / "peer_differences.jsonl"


def recorded():
    if not RECORDINGS.exists():
        return []
    calls = [json.loads(line) for line in RECORDINGS.read_text().splitlines()]
    # A call inside a session needs that session.
    return [c for c in calls if c["tool"] in TOOLS and not c["arguments"].get("session_id") and c["arguments"].get("language") not in NOT_HERE]


def reviewed():
    if not DIFFERENCES.exists():
        return []
    return [json.loads(line) for line in DIFFERENCES.read_text().splitlines() if line.strip()]


def key(call):
    return call["tool"], json.dumps(call["arguments"], sort_keys=True)


def fields(value, path=""):
    """{path: leaf} of a result; an empty list or object is a leaf."""
    if isinstance(value, dict) and value:
        return {p: leaf for k, v in value.items() for p, leaf in fields(v, f"{path}.{k}" if path else k).items()}
    if isinstance(value, list) and value:
        return {p: leaf for i, v in enumerate(value) for p, leaf in fields(v, f"{path}[{i}]").items()}
    return {path: value}


def says_nothing(value):
    """Null and defaults are left out on our side."""
    return value is None or value is False or value == "" or value == [] or value == {}


def same(name, theirs, ours):
    if says_nothing(theirs) and says_nothing(ours):
        return True
    if isinstance(theirs, bool) or isinstance(ours, bool):
        return theirs is ours
    if isinstance(theirs, int) and abs(theirs) > 2**53 and isinstance(ours, str):
        return ours == str(theirs)  # a number that a double cannot hold goes as a string
    if name == "from" and isinstance(theirs, str) and isinstance(ours, str):
        number, unit = theirs.split(" ", 1)  # they print the value as a double: "60.0 mph"
        return ours.split(" ", 1)[1] == unit and float(ours.split(" ", 1)[0]) == float(number)
    if name in ("approx", "value") and isinstance(theirs, str) and isinstance(ours, str) and theirs != ours:
        return more_digits(theirs, ours)
    return theirs == ours


def more_digits(theirs, ours):
    """The same number with more digits: theirs is ours, rounded or cut to as many."""
    try:
        short, long = decimal.Decimal(theirs), decimal.Decimal(ours.rstrip("….") if "…" in ours else ours)
    except decimal.InvalidOperation:
        return False
    if not short.is_finite() or not long.is_finite():
        return False
    with decimal.localcontext(decimal.Context(prec=100_000, Emin=-10**9, Emax=10**9)):
        unit = decimal.Decimal((0, (1,), short.as_tuple().exponent))
        return len(long.as_tuple().digits) >= len(short.as_tuple().digits) and abs(short - long) < unit


def compared(call, answer):
    """The fields of a recorded answer that ours is held to."""
    if call["tool"] == "list_languages":
        # What is installed, and so by which command, is of the machine; what the languages are is of the contract.
        rows = answer["result"] if "result" in answer else answer.get("languages", [])
        return {f"{row['name']}.{k}": row.get(k) for row in rows if row["name"] not in NOT_HERE for k in ("extension", "compiled")}
    if call["tool"] == "list_execution_providers":
        # Of the places where programs run, the one that both have; its versions are its own.
        local = [row for row in answer["result"] if row["provider_id"] == "local"]
        return {path: leaf for path, leaf in fields(local).items() if "version" not in path}
    if call["tool"] == "list_units":
        return {f"units.{name}": True for name in answer["units"]}  # all of theirs, and others
    result = {}
    # Another form that is none is left out by us.
    forms = ("simplified", "expanded") if call["tool"] == "evaluate_expression" else ()
    for path, leaf in fields(answer).items():
        if path in forms and leaf == answer.get("expression"):
            continue
        keys = re.split(r"[.\[]", path)
        top = keys[0]
        if top in NOT_COMPARED | MEASURED or "rounding" in keys or keys[-1] in MEASURED:
            continue
        if call["tool"] in PROGRAMS and top in ("stderr", "stderr_bytes") and answer.get("stderr"):
            continue  # a compiler's or interpreter's message names its own paths
        if call["tool"] in PROGRAMS and (top == "phase" and leaf == "run" or top in ("stdout_bytes", "stderr_bytes") and leaf == 0):
            continue  # the default, left out by us
        result[path] = leaf
    return result


CALLS = recorded()
REVIEWED = {}
for entry in reviewed():
    REVIEWED.setdefault(key(entry), {})[entry["field"]] = entry


OUR_RUN = {}


def with_our_run(server, call):
    """The recorded arguments, with a run of ours that has ended in place of the recorded one."""
    arguments = call["arguments"]
    if call["tool"] not in ("run_inspect", "run_cancel") or not re.fullmatch("[0-9a-f]{32}", arguments["run_id"]):
        return arguments
    if "id" not in OUR_RUN:
        submit = next(c for c in CALLS if c["tool"] == "run_submit")
        OUR_RUN["id"] = server.call("run_submit", submit["arguments"])["run_id"]
        wait_until(lambda: server.call("run_inspect", {"run_id": OUR_RUN["id"]})["state"] == "cleaned", 20)
    return arguments | {"run_id": OUR_RUN["id"]}


@pytest.mark.skipif(not CALLS, reason=f"the recordings are not at hand ({RECORDINGS})")
@pytest.mark.parametrize("call", [pytest.param(c, id=f"{i}-{c['tool']}-{str(next(iter(c['arguments'].values()), ''))[:40]}") for i, c in enumerate(CALLS)])
def test_answers_as_recorded(shared_server, call):
    answer = shared_server.call(call["tool"], with_our_run(shared_server, call))
    ours = compared(call, answer)
    everything = fields(answer)
    reasons = REVIEWED.get(key(call), {})
    wrong, met = [], set()
    for name, theirs in compared(call, call["peer_answer"]).items():
        got = ours.get(name, everything.get(name))
        if same(name, theirs, got):
            continue
        if name in reasons and reasons[name]["ours"] == got:
            met.add(name)
            continue
        wrong.append({"field": name, "peer": theirs, "ours": got})
    stale = set(reasons) - met
    assert not wrong and not stale, (
        f"{json.dumps({'tool': call['tool'], 'arguments': call['arguments']})}\n"
        + "".join(f"  {json.dumps(w)}\n" for w in wrong)
        + (f"  no longer differs: {sorted(stale)}\n" if stale else "")
        + f"  whole answer: {json.dumps(answer)[:1500]}"
    )


@pytest.mark.skipif(not CALLS, reason=f"the recordings are not at hand ({RECORDINGS})")
def test_every_reviewed_difference_is_of_a_recorded_call():
    known = {key(call) for call in CALLS}
    for entry in reviewed():
        assert set(entry) == {"tool", "arguments", "field", "ours", "why"}, entry
        assert key(entry) in known, entry
        assert len(entry["why"]) >= 10, entry
