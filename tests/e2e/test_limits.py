"""What the host allows and what it demands, and many calls at once that are cancelled at random."""

import pathlib
import random
import time

import pytest

import harness


def server(**env):
    made = harness.Server(env={f"CODECALC_{k}": v for k, v in env.items()})
    made.initialize()
    return made


RUN = {"language": "bash", "code": "echo ran"}


@pytest.mark.parametrize("policy, network, refused", [
    ("", True, "allow-network"),
    ("deny-network", True, "allow-network"),
    ("deny-network", False, None),
    ("allow-network", True, None),
    ("strict, allow-network", True, None),
    ("strict", False, None),
    ("deny-network,strict", True, "allow-network"),
    ("alow-network", False, "deny-network, allow-network, strict"),  # what it was to say is not known
    ("allow-network,everything", True, "deny-network, allow-network, strict"),
])
def test_capability_policy(policy, network, refused):
    with server(CAPABILITY_POLICY=policy) as s:
        body = s.call("execute_code", RUN | {"no_net": not network})
        if refused:
            assert body["code"] == "permission_denied" and refused in body["remedy"], body
        else:
            assert body["stdout"] == "ran\n" and body.get("network", False) == network, body


def test_memory_ceiling():
    with server(MAX_MEMORY_MB="128") as s:
        body = s.call("execute_code", RUN | {"max_memory_mb": 4096})
        assert body["warnings"] == ["max_memory_mb was limited to 128 by CODECALC_MAX_MEMORY_MB"], body
        hog = {"language": "bash", "code": "x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}"}
        for arguments in (hog, hog | {"max_memory_mb": 4096}):  # the default, 1024 MiB, is above it as well
            body = s.call("execute_code", arguments)
            assert body["verdict"] == "MLE" and "131072 KiB" in body["error"], body
            assert body["remedy"] == "make it hold less: CODECALC_MAX_MEMORY_MB allows no more", body
        assert "warnings" not in s.call("execute_code", RUN | {"max_memory_mb": 128})


def test_a_remedy_names_what_the_tool_takes():
    """Whoever follows it must not be told that there is no such argument."""
    endless, hog, loud = "while :; do :; done", "x=$(head -c 90000000 /dev/zero | tr '\\0' x); echo ${#x}", "head -c 90000 /dev/zero | tr '\\0' x"
    with server(DEFAULT_MEMORY_MB="64", MAX_MEMORY_MB="256") as s:
        body = s.call("execute_code", {"language": "bash", "code": hog})
        assert body["remedy"] == "make it hold less, or raise max_memory_mb (at most 256)", body
        assert s.call("execute_code", {"language": "bash", "code": hog, "max_memory_mb": 256})["ok"]
        for code, remedy in ((hog, "make it hold less, or run it with execute_code and its max_memory_mb (at most 256)"),
                             (loud, "print less, or run it with execute_code and its max_output_kb (at most 240)"),
                             (endless, "make it do less, or raise timeout (at most 120)")):
            row = s.call("compare_execution", {"snippets": {"bash": code}, "timeout": 2})["results"][0]
            assert row["remedy"] == remedy, row


@pytest.mark.parametrize("required, ok", [("restricted", True), ("", True), ("most", False)])
def test_required_isolation(required, ok):
    with server(REQUIRE_ISOLATION=required) as s:
        body = s.call("execute_code", RUN)
        assert body["ok"] == ok, body
        if not ok:
            assert body["code"] == "permission_denied" and "full or restricted" in body["remedy"], body


def running(server_pid):
    found = []
    for pid in harness.process_tree(server_pid):
        try:
            name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
        except OSError:
            continue
        if name in ("bash", "sleep", "setsid"):
            found.append(name)
    return found


def test_many_calls_cancelled_at_random():
    """64 calls at once, half of them cancelled at some moment: each of the others gets its own answer, the cancelled none, and nothing stays."""
    chance = random.Random(4)
    with server() as s:
        ids = {}
        for n in range(64):
            code = f"sleep 0.{chance.randrange(3)}; echo {n}"
            if n % 8 == 0:
                code = f"(setsid sleep 60 &); echo {n}"
            ids[s.start_call("execute_code", {"language": "bash", "code": code, "timeout": 60})] = n
        cancelled = set(chance.sample(sorted(ids), 32))
        waiting, answered = sorted(cancelled, key=lambda _: chance.random()), {}
        deadline = time.monotonic() + 60 * harness.SLOW
        while len(answered.keys() | cancelled) < 64 or waiting:
            assert time.monotonic() < deadline, f"{len(answered)} answers"
            if waiting and chance.random() < 0.6:
                s.notify("notifications/cancelled", {"requestId": waiting.pop(), "reason": "test"})
            try:
                message = s.frame(0.01)
            except TimeoutError:
                continue
            assert message["id"] not in answered
            answered[message["id"]] = harness.strict_loads(message["result"]["content"][0]["text"])
        for id, body in answered.items():  # one that was cancelled too late may have been answered
            assert body["verdict"] == "OK" and body["stdout"] == f"{ids[id]}\n", body
        for id in cancelled - answered.keys():
            s.sent.pop((int, id), None)
        s.nothing(0.2)
        harness.wait_until(lambda: not running(s.pid), 2)
        assert s.call("calc_exact", {"expr": "6*7"})["value"] == "42"
