"""The obligations of the protocol, over raw bytes."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from harness import (BINARY, LEGACY, META, MODERN, SLEEP, SLOW, Server, assert_all_gone, process_tree, programs, sleeping, strict_loads,
                     wait_until)

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


def error(message, code):
    assert message.get("error", {}).get("code") == code, message
    return message["error"]


# ---- framing ----


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\n\n\n", b"\r\n\r\n", b" \t\n"])
def test_line_endings(server, ending):
    for id in range(3):
        server.sent[int, id] = "ping", LEGACY
        server.send_bytes(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % id + ending)
    assert [server.frame()["id"] for _ in range(3)] == [0, 1, 2]


def test_split_writes(server):
    server.sent[int, 1] = "ping", LEGACY
    for byte in PING + b"\n":
        server.send_bytes(bytes([byte]))
        time.sleep(0.0005)
    assert server.frame() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_many_frames_in_one_write(server):
    for id in range(500):
        server.sent[int, id] = "ping", LEGACY
    server.send_bytes(b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % id for id in range(500)))
    assert [server.frame()["id"] for _ in range(500)] == list(range(500))


def test_white_space_and_escapes_in_a_frame(server):
    server.sent[str, "a\0é😀\n"] = "ping", LEGACY
    server.send_bytes(b' \t{ "jsonrpc" : "2.0" , "id" : "a\\u0000\\u00e9\\ud83d\\ude00\\n" , "m\\u0065thod" : "ping" } \r\n')
    assert server.frame()["id"] == "a\0é😀\n"


BAD = {
    "text": (b"hello", -32700),
    "unfinished": (b'{"jsonrpc":"2.0","id":1,"method":"ping"', -32700),
    "trailing text": (b'{"jsonrpc":"2.0","id":1,"method":"ping"} x', -32700),
    "two values": (b'{"jsonrpc":"2.0","id":1,"method":"ping"}{}', -32700),
    "trailing comma": (b'{"jsonrpc":"2.0","id":1,"method":"ping",}', -32700),
    "comment": (b'{"jsonrpc":"2.0",/**/"id":1,"method":"ping"}', -32700),
    "NaN": (b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', -32700),
    "leading zero": (b'{"jsonrpc":"2.0","id":01,"method":"ping"}', -32700),
    "byte 0xff": (b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}', -32700),
    "overlong NUL": (b'{"jsonrpc":"2.0","id":"\xc0\x80","method":"ping"}', -32700),
    "surrogate in UTF-8": (b'{"jsonrpc":"2.0","id":"\xed\xa0\x80","method":"ping"}', -32700),
    "lone surrogate escape": (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', -32700),
    "control character": (b'{"jsonrpc":"2.0","id":"\x01","method":"ping"}', -32700),
    "NUL byte": (b'{"jsonrpc":"2.0","id":1,\0"method":"ping"}', -32700),
    "byte order mark": (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700),
    "duplicate key": (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700),
    "duplicate key, escaped": (b'{"jsonrpc":"2.0","id":1,"\\u0069d":2,"method":"ping"}', -32700),
    "deep": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + b"[" * 100 + b"]" * 100 + b"}}", -32700),
    "very deep": (b"[" * 1_000_000, -32700),
    "batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    "empty batch": (b"[]", -32600),
    "number": (b"1", -32600),
    "string": (b'"x"', -32600),
    "null": (b"null", -32600),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_frame(server, name):
    """It gets its error, without an id that nobody can know, and the stream goes on at the next line."""
    data, code = BAD[name]
    server.send_bytes(data + b"\n")
    message = server.frame()
    got = message["error"]["code"]
    assert got == code or (name in ("deep", "very deep", "duplicate key", "duplicate key, escaped") and got == -32600), message
    assert message.get("id") is None and "id" not in message or name in ("deep", "duplicate key"), message
    assert server.request("ping", id="after")["result"] == {}


REFUSED = {
    "no version": ({"id": 1, "method": "ping"}, 1),
    "version 1.0": ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, 1),
    "version as a number": ({"jsonrpc": 2.0, "id": 1, "method": "ping"}, 1),
    "null id": ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None),
    "boolean id": ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None),
    "object id": ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, None),
    "fractional id": ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, None),
    "no method": ({"jsonrpc": "2.0", "id": 1}, 1),
    "method as a number": ({"jsonrpc": "2.0", "id": 1, "method": 1}, 1),
}


@pytest.mark.parametrize("name", REFUSED)
def test_not_a_request(server, name):
    message, id = REFUSED[name]
    server.send_bytes(json.dumps(message).encode() + b"\n")
    answer = server.frame()
    error(answer, -32600)
    assert answer.get("id") == id and ("id" in answer) == (id is not None), answer
    assert server.request("ping", id="after")["result"] == {}


def test_params_of_the_wrong_type(server):
    server.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}\n')
    answer = server.frame()
    assert answer["id"] == 1 and answer["error"]["code"] in (-32600, -32602)


def test_oversized_frame(server):
    """A line over 16 MiB is skipped, not stored; what follows is served."""
    chunk = b"x" * (1 << 20)
    server.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"')
    for _ in range(40):
        server.send_bytes(chunk)
    server.send_bytes(b'"}}\n')
    answer = server.frame()
    assert answer["error"]["code"] in (-32600, -32700) and "id" not in answer
    assert server.request("ping", id="after")["result"] == {}
    resident = int(open(f"/proc/{server.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
    assert resident < 64 << 20 or SLOW > 1


def test_a_frame_just_under_the_limit(server):
    head = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"'
    tail = b'"}}'
    server.sent[int, 1] = "ping", LEGACY
    server.send_bytes(head + b"x" * ((16 << 20) - len(head) - len(tail)) + tail + b"\n")
    assert server.frame(20)["result"] == {}
    server.send_bytes(head + b"x" * ((16 << 20) - len(head) - len(tail) + 1) + tail + b"\n")
    assert "error" in server.frame(20)


# ---- ids, notifications, responses ----


def test_ids_keep_their_type(server):
    for id in (1, "1", 0, -1, "", "é", 2**53, "9007199254740993"):
        answer = server.request("ping", id=id)
        assert answer["id"] == id and type(answer["id"]) is type(id)


def test_an_id_past_every_machine_word_comes_back_digit_for_digit(server):
    id = 123456789012345678901234567890
    assert server.request("ping", id=id)["id"] == id


def test_duplicate_id_of_a_call_in_flight(server):
    id = sleeping(server)
    server.send_bytes(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % id)
    answer = strict_loads(server.line())
    assert answer["id"] == id
    error(answer, -32600)
    assert server.request("ping", id=str(id))["result"] == {}  # the same digits as a string are another id
    server.notify("notifications/cancelled", {"requestId": id})
    assert server.request("ping", id=77)["result"] == {}


def test_unknown_method(server):
    error(server.request("no/such/method"), -32601)
    error(server.request("prompts/list"), -32601)
    error(server.request("completion/complete"), -32601)
    error(server.request("prompts/list", modern=True), -32601)


@pytest.mark.parametrize("message", [
    {"jsonrpc": "2.0", "method": "no/such/notification"},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled"},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": []},
    {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "calc_exact", "arguments": {"expr": "1"}}},
    {"jsonrpc": "2.0", "method": "ping", "params": "x"},
    {"jsonrpc": "2.0", "id": 5, "result": {}},
    {"jsonrpc": "2.0", "id": "x", "error": {"code": -1, "message": "m"}},
])
def test_never_answered(server, message):
    server.send_bytes(json.dumps(message).encode() + b"\n")
    server.nothing()
    assert server.request("ping")["result"] == {}


# ---- eras ----


@pytest.mark.parametrize("asked, given", [
    ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"),
    ("2024-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("2099-12-31", "2025-11-25"), ("nonsense", "2025-11-25"),
])
def test_initialize_negotiates(server, asked, given):
    result = server.initialize(asked)
    assert result["protocolVersion"] == given
    assert result["serverInfo"]["name"] == "codecalc" and result["serverInfo"]["version"]
    assert "tools" in result["capabilities"]
    assert not {"logging", "prompts", "completions", "tasks"} & set(result["capabilities"])


def test_initialize_without_params(server):
    error(server.request("initialize"), -32602)


def test_ping_before_and_after_initialize(server):
    assert server.result("ping") == {}
    server.initialize()
    assert server.result("ping") == {}


def test_list_and_call_before_initialize(server):
    """Lenient: answered under the legacy rules."""
    assert server.result("tools/list")["tools"]
    assert server.call("calc_exact", {"expr": "1+1"})["value"] == "2"


def test_discover(server):
    result = server.result("server/discover", modern=True)
    assert MODERN in result["supportedVersions"]
    assert isinstance(result["ttlMs"], int) and result["ttlMs"] >= 0 and result["cacheScope"] in ("public", "private")
    assert "tools" in result["capabilities"]


def test_discover_without_meta(server):
    error(server.request("server/discover"), -32602)
    assert server.result("ping") == {}


def test_modern_list(server):
    modern = server.result("tools/list", modern=True)
    assert modern["ttlMs"] >= 0 and modern["cacheScope"] in ("public", "private")
    assert modern["tools"] == server.result("tools/list")["tools"]
    assert modern == server.result("tools/list", modern=True)


def test_bad_cursor(server):
    for modern in (False, True):
        error(server.request("tools/list", {"cursor": "nonsense"}, modern=modern), -32602)


@pytest.mark.parametrize("missing", ["io.modelcontextprotocol/clientCapabilities"])
def test_modern_meta_is_required(server, missing):
    meta = {k: v for k, v in META.items() if k != missing}
    error(server.request("tools/list", {"_meta": meta}), -32602)


def test_modern_meta_of_the_wrong_type(server):
    error(server.request("tools/list", {"_meta": META | {"io.modelcontextprotocol/clientCapabilities": "x"}}), -32602)
    error(server.request("tools/list", {"_meta": META | {"io.modelcontextprotocol/protocolVersion": 1}}), -32602)


def test_unsupported_version(server):
    message = server.request("tools/list", {"_meta": META | {"io.modelcontextprotocol/protocolVersion": "2099-01-01"}})
    data = error(message, -32022)["data"]
    assert data["requested"] == "2099-01-01"
    assert data["supported"] == server.result("server/discover", modern=True)["supportedVersions"]


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"])
def test_removed_in_the_modern_era(server, method):
    error(server.request(method, {"protocolVersion": MODERN, "capabilities": {}, "uri": "x", "level": "info"}, modern=True), -32601)


def test_eras_interleave(server):
    server.initialize()
    for _ in range(3):
        assert server.result("tools/list", modern=True)["resultType"] == "complete"
        assert "resultType" not in server.result("tools/list")
        assert server.call("calc_exact", {"expr": "2+2"}, modern=True)["value"] == "4"
        assert server.call("calc_exact", {"expr": "2+2"})["value"] == "4"


def test_subscription_stays_open_until_the_end(server):
    id = server.start("subscriptions/listen", {"notifications": {"toolsListChanged": True}}, modern=True)
    message = server.frame()
    assert message["method"] == "notifications/subscriptions/acknowledged"
    assert message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == id
    server.nothing()
    assert server.result("tools/list", modern=True)["tools"]
    server.process.stdin.close()
    frames = server.rest()
    # The result first, then the message that ends a stream.
    assert [f.get("id") for f in frames] == [id, None]
    assert frames[1]["method"] == "notifications/cancelled" and frames[1]["params"]["requestId"] == id
    assert frames[0]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == id
    assert server.end() == 0


def test_subscription_is_cancelled(server):
    id = server.start("subscriptions/listen", {"notifications": {}}, modern=True)
    server.frame()
    server.notify("notifications/cancelled", {"requestId": id})
    assert server.result("tools/list", modern=True)["tools"]


# ---- calls ----


def test_unknown_tool(server):
    for modern in (False, True):
        error(server.request("tools/call", {"name": "no_such_tool", "arguments": {}}, modern=modern), -32602)
        error(server.request("tools/call", {"arguments": {}}, modern=modern), -32602)
        error(server.request("tools/call", {"name": 1}, modern=modern), -32602)
        error(server.request("tools/call", {"name": "calc_exact", "arguments": [1]}, modern=modern), -32602)
        error(server.request("tools/call", modern=modern), -32602)


def test_bad_arguments_are_a_tool_error(server):
    message = server.request("tools/call", {"name": "calc_exact", "arguments": {"expression": "1"}})
    body = json.loads(message["result"]["content"][0]["text"])
    assert message["result"]["isError"] is True and body["code"] == "validation"
    assert "expression" in body["error"] and "expr" in body["error"] + body.get("remedy", "")
    message = server.request("tools/call", {"name": "calc_exact", "arguments": {"expr": ["1"]}})
    assert message["result"]["isError"] is True and "expr" in message["result"]["content"][0]["text"]
    message = server.request("tools/call", {"name": "calc_exact"})  # absent = {}
    assert message["result"]["isError"] is True and "expr" in message["result"]["content"][0]["text"]


def test_unknown_members_are_ignored(server):
    params = {"name": "calc_exact", "arguments": {"expr": "1"}, "task": {"ttl": 1}, "x": 1, "_meta": {"traceparent": "00-0-0-00", "v/k": {}}}
    assert json.loads(server.result("tools/call", params)["content"][0]["text"])["value"] == "1"


def test_ping_and_list_while_a_call_runs(server):
    id = sleeping(server)
    began = time.monotonic()
    assert server.result("ping") == {}
    assert server.result("tools/list")["tools"]
    assert server.call("calc_exact", {"expr": "6*7"})["value"] == "42"
    assert time.monotonic() - began < 1 * SLOW
    server.notify("notifications/cancelled", {"requestId": id})


@pytest.mark.parametrize("modern", [False, True])
def test_cancel_ends_the_work(server, modern):
    """No answer comes, and the program is gone soon after."""
    id = sleeping(server, modern=modern)
    running = programs(server.pid)
    assert running
    server.notify("notifications/cancelled", {"requestId": id, "reason": "test"})
    assert_all_gone(running, 0.5)
    server.nothing()
    assert server.result("ping") == {}


def test_progress(server):
    id = server.start_call("execute_code", SLEEP | {"timeout": 6}, meta={"progressToken": "token-1"})
    seen = []
    while "id" not in (message := server.frame(20)):
        assert message["method"] == "notifications/progress"
        assert message["params"]["progressToken"] == "token-1"
        seen.append(message["params"]["progress"])
    assert message["id"] == id
    assert 2 <= len(seen) <= 8 and all(a < b for a, b in zip(seen, seen[1:])), seen
    server.nothing(1.5)


def test_no_progress_unless_asked(server):
    id = server.start_call("execute_code", SLEEP | {"timeout": 3})
    assert server.frame(20)["id"] == id


def test_300_calls_at_once(server):
    ids = [server.start_call("calc_exact", {"expr": f"2**{n} + 1"}) for n in range(300)]
    answers = {}
    for _ in ids:
        message = server.frame(30)
        answers[message["id"]] = json.loads(message["result"]["content"][0]["text"])
    # The queue holds 256: whatever does not fit is refused in so many words, and nothing is lost.
    done = {id: body for id, body in answers.items() if body["ok"]}
    for n, id in enumerate(ids):
        if id in done:
            assert done[id]["value"] == str(2**n + 1)
        else:
            assert answers[id]["code"] == "resource_exhausted"
    assert len(done) >= 256


def test_answers_come_in_completion_order(server):
    slow = server.start_call("execute_code", {"language": "bash", "code": "sleep 1; echo slow"})
    fast = server.start_call("calc_exact", {"expr": "1"})
    assert [server.frame(20)["id"], server.frame(20)["id"]] == [fast, slow]


def test_back_pressure(server):
    """A client that does not read makes the server stop reading, not grow; once it reads, every answer is there."""
    count = 30_000
    listing = b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n'
    os.set_blocking(server.process.stdin.fileno(), False)
    sent, data, stalled = 0, b"", time.monotonic()
    while sent < count and time.monotonic() - stalled < 1 * SLOW:
        if not data:
            data = listing % sent
            sent += 1
        try:
            data = data[os.write(server.process.stdin.fileno(), data):]
            stalled = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)
    assert sent < count, "the server took everything although nobody read its answers"
    resident = int(open(f"/proc/{server.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
    assert resident < 100 << 20 or SLOW > 1
    os.set_blocking(server.process.stdin.fileno(), True)
    if data:
        sent -= 1
    complete = sent
    for id in range(complete):
        server.sent.clear()
        assert strict_loads(server.line(30))["id"] == id
    server.send_bytes(data)
    if data:
        assert strict_loads(server.line(30))["id"] == complete


# ---- the end ----


def test_eof_with_nothing_owed(server):
    server.call("calc_exact", {"expr": "1"})
    server.note_processes()
    began = time.monotonic()
    assert server.eof() == 0
    assert time.monotonic() - began < 0.5 * SLOW


def test_eof_before_any_request():
    with Server() as server:
        assert server.eof() == 0


def test_eof_answers_what_is_in_flight(server):
    """Calls get one second; then they are killed, and their answers still come."""
    quick = server.start_call("execute_code", {"language": "bash", "code": "sleep 0.3; echo done"})
    slow = sleeping(server)
    server.process.stdin.close()
    began = time.monotonic()
    frames = {frame["id"]: frame for frame in server.rest()}
    assert server.end() == 0
    assert 0.7 < time.monotonic() - began < 2.5 * SLOW
    assert set(frames) == {quick, slow}
    assert json.loads(frames[quick]["result"]["content"][0]["text"])["stdout"] == "done\n"
    assert json.loads(frames[slow]["result"]["content"][0]["text"])["ok"] is False


def test_an_unfinished_last_line_is_served(server):
    server.sent[int, 1] = "ping", LEGACY
    server.send_bytes(PING)
    server.process.stdin.close()
    assert [f["id"] for f in server.rest()] == [1]
    assert server.end() == 0


def test_from_file_to_file(tmp_path):
    """`codecalc serve <in >out` answers everything, though the end of the input is there at once."""
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "execute_code", "arguments": {"language": "bash", "code": "sleep 2; echo late"}}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "calc_exact", "arguments": {"expr": "1/3"}}},
        {"jsonrpc": "2.0", "id": 4, "method": "tools/list"},
    ]
    given, got = tmp_path / "in.txt", tmp_path / "out.txt"
    given.write_text("".join(json.dumps(r) + "\n" for r in requests))
    with given.open("rb") as stdin, got.open("wb") as stdout:
        done = subprocess.run([BINARY, "serve"], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, timeout=30)
    assert done.returncode == 0, done.stderr
    answers = {m["id"]: m for m in map(strict_loads, got.read_text().splitlines())}
    assert set(answers) == {1, 2, 3, 4}
    assert json.loads(answers[2]["result"]["content"][0]["text"])["stdout"] == "late\n"
    assert json.loads(answers[3]["result"]["content"][0]["text"])["value"] == "1/3"


@pytest.mark.parametrize("busy", [False, True])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_ends_everything(server, name, busy):
    server.call("calc_exact", {"expr": "1"})
    if busy:
        sleeping(server)
    tree = server.note_processes()
    began = time.monotonic()
    server.signal(getattr(signal, name))
    server.end()
    assert_all_gone(tree, 0.1)
    assert time.monotonic() - began < 0.1 * SLOW + 0.05  # a tick for our own clock and polling


@pytest.mark.parametrize("busy", [False, True])
def test_a_closed_stdout_ends_everything(server, busy):
    server.call("calc_exact", {"expr": "1"})
    if busy:
        sleeping(server)
    tree = server.note_processes()
    server.process.stdout.close()
    server.process.stdout = None
    began = time.monotonic()
    server.end()
    assert_all_gone(tree, 0.1)
    assert time.monotonic() - began < 0.2 * SLOW


@pytest.mark.parametrize("busy", [False, True])
def test_sigkill_of_the_server_leaves_nothing(server, busy):
    server.call("calc_exact", {"expr": "1"})
    if busy:
        sleeping(server)
    tree = server.note_processes()
    assert len(tree) > 1
    server.signal(signal.SIGKILL)
    server.end()
    assert_all_gone(tree, 0.5)


def test_death_of_the_parent_ends_everything(tmp_path):
    """The client is killed with SIGKILL while a pipe of it stays open elsewhere, so that no end of file tells."""
    client = subprocess.Popen(
        [sys.executable, "-c", """
import subprocess, sys, time
server = subprocess.Popen([sys.argv[1], "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_code","arguments":{"language":"python3","code":"import time; time.sleep(60)","timeout":60}}}\\n')
server.stdin.flush()
# Keeps the ends of both pipes open, as a sibling of the server that outlives the client.
holder = subprocess.Popen(["sleep", "20"], pass_fds=[server.stdin.fileno(), server.stdout.fileno()])
print(server.pid, holder.pid, flush=True)
time.sleep(60)
""", BINARY], stdout=subprocess.PIPE)
    server, holder = map(int, client.stdout.readline().split())
    try:
        wait_until(lambda: programs(server), 10)
        tree = process_tree(server)
        client.kill()
        client.wait()
        assert_all_gone(tree, 0.2)
    finally:
        client.kill()
        client.stdout.close()
        os.kill(holder, signal.SIGKILL)


def test_a_killed_job_is_a_tool_error(server):
    """Whatever kills the process of a call, the call is answered and the next one works."""
    id = sleeping(server)
    for pid in programs(server.pid):
        os.kill(pid, signal.SIGKILL)
    body = json.loads(server.response(id)["result"]["content"][0]["text"])
    assert body["ok"] is False
    assert server.call("calc_exact", {"expr": "2"})["value"] == "2"


def test_children_of_a_program_end_with_it(server):
    """A background process of a run does not outlive the run."""
    body = server.call("execute_code", {"language": "bash", "code": "(setsid sleep 61.25 &) ; sleep 61.25 & echo started"})
    assert body["stdout"] == "started\n"

    def left():
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if open(f"/proc/{pid}/cmdline", "rb").read() == b"sleep\x0061.25\0":
                    found.append(pid)
            except (FileNotFoundError, ProcessLookupError):
                pass
        return found

    wait_until(lambda: not left(), 1)


# ---- what reaches which stream ----


def test_nothing_but_frames_on_stdout(server):
    """Even at the loudest log level, and whatever a program prints."""
    with Server(env={"CODECALC_LOG": "debug"}) as loud:
        loud.initialize()
        loud.call("execute_code", {"language": "bash", "code": "echo out; echo err >&2; ls -l /proc/self/fd; echo x >/proc/$PPID/fd/1 2>/dev/null"})
        loud.send_bytes(b"nonsense\n")
        loud.frame()
        loud.process.stdin.close()
        assert loud.rest() == []
        assert loud.end() == 0
        assert loud.process.stderr.read()


def test_quiet_by_default(server):
    server.initialize()
    server.call("calc_exact", {"expr": "1"})
    server.eof()
    assert server.process.stderr.read() == b""


def test_unknown_log_level():
    done = subprocess.run([BINARY, "serve"], env=os.environ | {"CODECALC_LOG": "loud"}, stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
    assert done.returncode == 2 and done.stdout == b""
    assert all(word in done.stderr for word in (b"CODECALC_LOG", b"error", b"warn", b"info", b"debug"))


def test_the_server_is_chosen_when_stdin_is_no_terminal():
    done = subprocess.run([BINARY], input=PING + b"\n", capture_output=True, timeout=10)
    assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}


# ---- groups ----


def names(server):
    return {tool["name"] for tool in server.result("tools/list")["tools"]}


def test_groups_are_selected():
    with Server() as server:
        everything = names(server)
    with Server(env={"CODECALC_TOOLS": "calculator"}) as server:
        calculator = names(server)
        error(server.request("tools/call", {"name": "execute_code", "arguments": {"language": "bash", "code": "echo"}}), -32602)
        assert server.call("calc_exact", {"expr": "1"})["ok"]
    with Server(env={"CODECALC_TOOLS": "execution"}) as server:
        execution = names(server)
    assert "calc_exact" in calculator and "execute_code" in execution and not calculator & execution
    for words, expected in {
        "core": calculator, "full": everything, "": everything, "calculator,execution": calculator | execution,
        " calculator , execution ": calculator | execution, "core,calculator": calculator,
    }.items():
        with Server(env={"CODECALC_TOOLS": words}) as server:
            assert names(server) == expected, words
        with Server("--tools", words) as server:
            assert names(server) == expected, words


def test_an_unknown_group_is_an_error_at_start():
    for command, env in (["serve"], {"CODECALC_TOOLS": "calculator,nope"}), (["serve", "--tools", "calculator,nope"], {}):
        done = subprocess.run([BINARY, *command], env=os.environ | env, stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
        assert done.returncode == 2 and done.stdout == b""
        for word in ("nope", "core", "dev", "full", "calculator", "verification", "execution", "sessions", "analysis", "admin"):
            assert word.encode() in done.stderr, done.stderr


def test_structured_content_can_be_dropped():
    params = {"name": "calc_exact", "arguments": {"expr": "1"}}
    with Server() as server:
        assert server.result("tools/call", params)["structuredContent"]["value"] == "1"
    with Server(env={"CODECALC_STRUCTURED": "0"}) as server:
        assert "structuredContent" not in server.result("tools/call", params)
