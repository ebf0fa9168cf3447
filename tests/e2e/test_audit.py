"""The audit log: a line of JSON for every run and every refusal; nothing of what was run; never in the way of a run."""

import datetime
import json
import os
import resource
import stat
import threading

import pytest

from harness import Server, strict_loads, wait_until

SECRET = "xyzzy-4711"
CALL = {
    "language": "python3", "code": f"print('{SECRET}', open('{SECRET}').read(), input())", "stdin": SECRET, "args": [SECRET],
    "env": {"TOKEN": SECRET}, "files": {SECRET: SECRET},
}
ALWAYS = {"ts", "event", "tool", "provider", "language", "source_bytes", "timeout_ms", "max_memory_mb", "network", "decision"}
OF_A_RUN = {
    "isolation", "unenforced", "verdict", "exit_code", "compile_ms", "duration_ms", "total_ms", "cpu_ms", "peak_memory_kb", "stdout_bytes",
    "stderr_bytes",
}


def lines(path):
    text = path.read_text()
    assert text.endswith("\n")
    found = [strict_loads(line) for line in text.splitlines()]
    for line in found:
        datetime.datetime.strptime(line["ts"], "%Y-%m-%dT%H:%M:%S.%fZ")
        assert line["event"] == "run" and ALWAYS <= set(line), line
    return found


def test_a_run_is_recorded_without_what_it_was(tmp_path):
    log = tmp_path / "deep" / "er" / "audit.log"
    with Server(env={"CODECALC_AUDIT_LOG": str(log)}) as server:
        server.initialize()
        result = server.call("execute_code", CALL | {"timeout": 7})
        assert result["stdout"] == f"{SECRET} {SECRET} {SECRET}\n"
        server.call("execute_code", {"language": "bash", "code": "exit 3"})
        server.call("execute_code_stream", {"language": "bash", "code": "sleep 9", "timeout": 1})
        server.call("execute_code", {"language": "c", "code": "int main(void) { return x; }"})
        run = server.call("run_submit", CALL | {"language": "bash", "code": f"echo {SECRET}; sleep 60", "timeout": 60})["run_id"]
        wait_until(lambda: server.call("run_inspect", {"run_id": run}).get("streamed_partial"), 10)
        server.call("run_cancel", {"run_id": run})
        wait_until(lambda: server.call("run_inspect", {"run_id": run})["state"] != "cancelling", 10)
    assert SECRET not in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600 and stat.S_IMODE(log.parent.stat().st_mode) == 0o700
    ok, failed, late, broken, background = lines(log)
    assert (background["tool"], background["run_id"], background["verdict"], background["cancelled"]) == ("run_submit", run, "TLE", True)
    assert OF_A_RUN <= set(ok)
    assert ok["decision"] == "allowed" and ok["isolation"] == "full" and ok["unenforced"] == result["unenforced"]
    assert (ok["tool"], ok["language"], ok["provider"], ok["network"]) == ("execute_code", "python3", "local", False)
    assert (ok["verdict"], ok["exit_code"], ok["stdout_bytes"]) == ("OK", 0, len(result["stdout"]))
    assert (ok["source_bytes"], ok["timeout_ms"], ok["max_memory_mb"]) == (len(CALL["code"]), 7000, 1024)
    assert (ok["cpu_ms"], ok["peak_memory_kb"]) == (result["cpu_ms"], result["peak_memory_kb"])
    assert (failed["verdict"], failed["exit_code"]) == ("RTE", 3)
    assert (late["tool"], late["verdict"], late["timed_out"]) == ("execute_code_stream", "TLE", True)
    assert (broken["verdict"], broken["phase"]) == ("RTE", "compile")


def test_a_refusal_is_recorded(tmp_path):
    log = tmp_path / "audit.log"
    with Server(env={"CODECALC_AUDIT_LOG": str(log), "CODECALC_RUNTIME_PATH": "/usr/bin"}) as server:
        server.initialize()
        assert server.call("execute_code", CALL | {"no_net": False})["code"] == "permission_denied"
        background = server.call("run_submit", CALL | {"no_net": False})
        assert background["code"] == "permission_denied" and "run_id" not in background
        assert server.call("execute_code", CALL | {"files": {f"../{SECRET}": ""}})["code"] == "validation"
        assert server.call("execute_code", CALL | {"env": {f"A B {SECRET}": SECRET}})["code"] == "validation"
    assert SECRET not in log.read_text()
    denied, background, *failed = lines(log)
    assert background["tool"] == "run_submit" and {k: background[k] for k in ("decision", "code", "reason")} == {
        k: denied[k] for k in ("decision", "code", "reason")}
    assert (denied["decision"], denied["code"]) == ("denied", "permission_denied") and "network" in denied["reason"] and denied["network"]
    assert [(f["decision"], f["code"]) for f in failed] == [("failed", "validation")] * 2
    assert not any("reason" in f or "verdict" in f for f in failed)


@pytest.mark.parametrize("place", ["directory", "/proc/1/x/y", "full", "fifo"])
def test_a_log_that_cannot_be_written_fails_no_run(tmp_path, place):
    path = {"directory": tmp_path, "full": "/dev/full", "fifo": tmp_path / "fifo"}.get(place, place)
    if place == "fifo":
        os.mkfifo(path)
    with Server(env={"CODECALC_AUDIT_LOG": str(path)}) as server:
        server.initialize()
        assert server.call("execute_code", {"language": "bash", "code": "echo hi"}, timeout=5)["stdout"] == "hi\n"
        os.set_blocking(server.process.stderr.fileno(), False)
        assert b"CODECALC_AUDIT_LOG" in server.process.stderr.read()


def test_a_log_that_may_not_grow_fails_no_run(tmp_path):
    log = tmp_path / "audit.log"
    log.write_text("{}\n" * 1000)
    with Server(env={"CODECALC_AUDIT_LOG": str(log)}, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))) as server:
        server.initialize()
        assert server.call("execute_code", {"language": "bash", "code": "echo up"})["ok"]
        # A program is told by the signal, as ever.
        run = server.call("execute_code", {"language": "bash", "code": "head -c 3000 /dev/zero >f; kill -l $?"})
        assert run["stdout"] == "XFSZ\n", run
    assert log.read_text() == "{}\n" * 1000


def test_no_log_when_it_is_switched_off(tmp_path):
    with Server(env={"CODECALC_AUDIT_LOG": "", "HOME": str(tmp_path)}) as server:
        server.initialize()
        assert server.call("execute_code", {"language": "bash", "code": "echo hi"})["ok"]
    assert list(tmp_path.iterdir()) == []


def test_servers_can_share_a_log(tmp_path):
    log = tmp_path / "audit.log"

    def use():
        with Server(env={"CODECALC_AUDIT_LOG": str(log)}) as server:
            server.initialize()
            for id in [server.start_call("execute_code", {"language": "bash", "code": "echo"}) for _ in range(8)]:
                assert server.frame()["result"]

    threads = [threading.Thread(target=use) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(lines(log)) == 16
