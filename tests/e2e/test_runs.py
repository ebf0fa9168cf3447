"""Programs that are watched while they run, and programs that run in the background."""

import time

import pytest

from harness import SLOW, Server, programs, wait_until

ERAS = pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])


def begin(server, modern):
    if not modern:
        server.initialize()


# ---- execute_code_stream ----


def watch(server, arguments, modern, token="t"):
    """The messages of a watched run, in order, with when they came; and its result."""
    id = server.start_call("execute_code_stream", arguments, meta={"progressToken": token} if token else None, modern=modern)
    messages = []
    while True:
        frame = server.frame(30)
        if "method" in frame:
            assert frame["method"] == "notifications/progress" and frame["params"]["progressToken"] == token
            messages.append((time.monotonic(), frame["params"]))
        else:
            assert frame["id"] == id
            return messages, frame["result"]["structuredContent"]


@ERAS
def test_output_is_told_while_the_program_runs(server, modern):
    begin(server, modern)
    code = "import time\nfor i in range(5):\n    print(f'zeile {i} ä', flush=True)\n    time.sleep(0.3)"
    messages, result = watch(server, {"language": "python3", "code": code}, modern)
    told = [p.get("message", "") for _, p in messages]
    assert "".join(told) == result["stdout"] == "".join(f"zeile {i} ä\n" for i in range(5))
    assert len(told) == 5 and result["streamed"] is True and result["ok"] is True
    progress = [p["progress"] for _, p in messages]
    assert progress == [9 + 1 + 1 + 0 + i * 11 for i in range(5)]  # bytes so far, 11 a line


def test_at_most_ten_messages_a_second(server):
    begin(server, False)
    code = "import time\nend = time.time() + 2\nwhile time.time() < end:\n    print('x', flush=True)\n    time.sleep(0.002)"
    messages, result = watch(server, {"language": "python3", "code": code}, False)
    assert 5 <= len(messages) <= 21
    told = "".join(p.get("message", "") for _, p in messages)
    assert result["stdout"].startswith(told) and len(told) > 100


def test_a_message_does_not_cut_a_character(server):
    begin(server, False)
    code = (
        "import os, time\nfor b in '€uro – 😀'.encode():\n    os.write(1, bytes([b]))\n    time.sleep(0.13)\n"
        "os.write(1, b'\\xff|')\ntime.sleep(0.3)"
    )
    messages, result = watch(server, {"language": "python3", "code": code}, False)
    told = "".join(p.get("message", "") for _, p in messages)
    assert told == result["stdout"] == "€uro – 😀\\xff|"


def test_both_streams_are_told(server):
    begin(server, False)
    code = "import sys, time\nprint('out', flush=True)\nprint('err', file=sys.stderr, flush=True)\ntime.sleep(0.5)"
    messages, result = watch(server, {"language": "python3", "code": code}, False)
    told = "".join(p.get("message", "") for _, p in messages)
    assert sorted(told.split()) == ["err", "out"]
    assert (result["stdout"], result["stderr"]) == ("out\n", "err\n")


def test_what_is_told_is_bounded(server):
    begin(server, False)
    code = "import time\nfor i in range(20):\n    print('y' * 1023, flush=True)\n    time.sleep(0.03)\ntime.sleep(0.4)"
    messages, result = watch(server, {"language": "python3", "code": code, "max_output_kb": 4}, False)
    told = "".join(p.get("message", "") for _, p in messages)
    assert told.count("y") == 4 * 1023 and "more is not told" in told
    assert result["verdict"] == "OLE" and result["stdout_bytes"] == 20 * 1024


def test_nobody_is_told_who_did_not_ask(server):
    begin(server, False)
    messages, result = watch(server, {"language": "bash", "code": "echo a; sleep 0.4; echo b"}, False, token=None)
    assert messages == [] and "streamed" not in result and result["stdout"] == "a\nb\n"


def test_a_quiet_program_is_kept_alive_without_repeating_its_output(server):
    begin(server, False)
    messages, _ = watch(server, {"language": "bash", "code": "echo once; sleep 2.6"}, False)
    told = [p.get("message", "") for _, p in messages]
    assert told[0] == "once\n" and len(told) >= 2 and "once" not in "".join(told[1:])


@ERAS
def test_a_watched_run_is_cancelled_with_all_its_processes(server, modern):
    begin(server, modern)
    code = "import subprocess, time\nsubprocess.Popen(['sleep', '60'])\nprint('on', flush=True)\ntime.sleep(60)"
    id = server.start_call("execute_code_stream", {"language": "python3", "code": code, "timeout": 60}, meta={"progressToken": 1}, modern=modern)
    assert server.frame()["params"]["message"] == "on\n"
    server.note_processes()
    assert programs(server.pid)
    server.notify("notifications/cancelled", {"requestId": id})
    wait_until(lambda: not programs(server.pid), 2)
    assert server.call("calc_exact", {"expr": "1+1"}, modern=modern)["value"] == "2"
