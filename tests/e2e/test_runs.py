"""Programs that are watched while they run, and programs that run in the background."""

import json
import os
import pathlib
import random
import re
import signal
import stat
import subprocess
import time

import pytest

from harness import BINARY, Server, assert_all_gone, process_tree, programs, wait_until

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


# ---- background runs ----

SLEEP = {"language": "bash", "code": "echo begun; sleep 60 & sleep 60", "timeout": 60}


def submit(server, arguments, modern=False):
    answer = server.call("run_submit", arguments, modern=modern)
    assert answer["ok"] and answer["state"] == "running" and re.fullmatch("[0-9a-f]{32}", answer["run_id"]), answer
    return answer["run_id"]


def inspect(server, run, modern=False):
    answer = server.call("run_inspect", {"run_id": run}, modern=modern)
    assert answer.get("run_id") == run, answer
    return answer


def ended(server, run, modern=False, within=20):
    return wait_until(lambda: (a := inspect(server, run, modern))["state"] in ("cleaned", "finished") and a, within)


def sleeping(server, **more):
    """A run that sleeps, and has begun."""
    run = submit(server, SLEEP | more)
    wait_until(lambda: inspect(server, run).get("streamed_partial") == "begun\n", 10)
    return run


def sleeps(server):
    """The processes that SLEEP leaves behind."""
    found = set()
    for pid in process_tree(server.pid):
        try:
            if (pathlib.Path("/proc") / str(pid) / "comm").read_text() == "sleep\n":
                found.add(pid)
        except OSError:
            pass
    return found


@ERAS
def test_a_background_run_is_inspected_until_it_has_ended(server, modern):
    begin(server, modern)
    before = time.time()
    code = "import sys, time\nprint('ä', flush=True)\ntime.sleep(0.8)\nprint('fertig', input())\nsys.exit(3)"
    run = submit(server, {"language": "python3", "code": code, "stdin": "x", "timeout": 20}, modern)
    now = wait_until(lambda: (a := inspect(server, run, modern)).get("streamed_partial") and a, 10)
    assert (now["ok"], now["state"], now["streamed_partial"], now["provider_id"]) == (True, "running", "ä\n", "local")
    assert before - 0.1 <= now["started_at"] <= time.time() and abs(now["deadline"] - now["started_at"] - 20) < 0.002
    done = ended(server, run, modern)
    assert {k: done[k] for k in ("ok", "verdict", "exit_code", "stdout", "state", "cleaned")} == {
        "ok": False, "verdict": "RTE", "exit_code": 3, "stdout": "ä\nfertig x\n", "state": "cleaned", "cleaned": True}
    assert "streamed_partial" not in done
    assert inspect(server, run, modern) == done  # as often as one likes
    assert server.call("run_cancel", {"run_id": run}, modern=modern) == {"ok": True, "run_id": run, "cancelled": False, "state": "cleaned"}


def test_the_result_is_that_of_execute_code(server):
    begin(server, False)
    call = {"language": "c", "code": '#include <stdio.h>\nint main(void) { int *p = 0; puts("x"); return x; }'}
    whole = server.call("execute_code", call)
    done = ended(server, submit(server, call))
    times = {"duration_ms", "total_ms", "cpu_ms", "compile_ms", "peak_memory_kb"}
    assert {k: v for k, v in done.items() if k in whole and k not in times} == {k: v for k, v in whole.items() if k not in times}
    assert set(done) - set(whole) == {"run_id", "provider_id", "started_at", "deadline", "state", "cleaned"}
    receipt = server.result("tools/call", {"name": "run_inspect", "arguments": {"run_id": done["run_id"]}})["_meta"]["codecalc/receipt"]
    assert receipt["isolation"] == {"level": "full", "network": False} and receipt["provider"] == "local"


def test_a_run_that_could_not_be_made_says_why(server):
    begin(server, False)
    done = ended(server, submit(server, {"language": "bash", "code": "echo", "files": {"a": "x", "a/b": "y"}}))  # found out in the sandbox
    assert (done["ok"], done["code"], done["state"]) == (False, "validation", "cleaned") and "verdict" not in done


def test_a_compact_result_is_compact(server):
    begin(server, False)
    done = ended(server, submit(server, {"language": "bash", "code": "echo 1; echo 2 >&2", "compact": True}))
    assert done["stdout"] == "1\n" and not {"duration_ms", "stderr", "stdout_bytes", "language"} & set(done), done


def test_the_timeout_bounds_the_work(server):
    begin(server, False)
    done = ended(server, submit(server, SLEEP | {"timeout": 1}))
    assert (done["verdict"], done["code"], done["stdout"]) == ("TLE", "timeout", "begun\n") and not sleeps(server)


@ERAS
def test_cancelling_ends_every_process(server, modern):
    begin(server, modern)
    run = sleeping(server)
    wait_until(lambda: len(sleeps(server)) == 2, 5)  # the word comes first
    server.note_processes()
    assert server.call("run_cancel", {"run_id": run}, modern=modern) == {"ok": True, "run_id": run, "cancelled": True, "state": "cancelling"}
    wait_until(lambda: not sleeps(server), 0.5)
    done = ended(server, run, modern)
    assert done["cancelled"] is True and done["ok"] is False and done["stdout"] == "begun\n" and done["state"] == "cleaned"
    assert server.call("run_cancel", {"run_id": run}, modern=modern)["cancelled"] is False


def test_runs_leave_room_for_calls_and_wait_for_each_other(server):
    begin(server, False)
    runs = [submit(server, SLEEP) for _ in range(2 * os.cpu_count() + 4)]
    states = [inspect(server, run) for run in runs]
    waiting = [s["run_id"] for s in states if s.get("waiting")]
    places = len(runs) - len(waiting)
    assert places == max(1, os.cpu_count()) and waiting == runs[places:]
    assert all("started_at" not in s and "deadline" not in s for s in states if s.get("waiting"))
    assert server.call("execute_code", {"language": "bash", "code": "echo hi"}, timeout=8)["stdout"] == "hi\n"
    never = waiting[-1]
    assert server.call("run_cancel", {"run_id": never})["state"] == "cleaned"
    done = inspect(server, never)
    assert done["cancelled"] is True and done["ok"] is False and "started_at" not in done and "verdict" not in done
    for run in runs[:places]:
        server.call("run_cancel", {"run_id": run})
    first = waiting[:places]
    wait_until(lambda: all("started_at" in inspect(server, run) for run in first), 5)  # the longest waiting
    for run in waiting:
        server.call("run_cancel", {"run_id": run})
    wait_until(lambda: not sleeps(server), 3)


def test_too_many_runs_are_refused(tmp_path):
    with Server(env={"CODECALC_MAX_ACTIVE_RUNS": "2"}) as server:
        server.initialize()
        runs = [submit(server, SLEEP) for _ in range(2)]
        refused = server.call("run_submit", SLEEP)
        assert refused["code"] == "resource_exhausted" and "2" in refused["error"] and "run_cancel" in refused["remedy"]
        server.call("run_cancel", {"run_id": runs[0]})
        ended(server, runs[0])
        ended(server, submit(server, {"language": "bash", "code": "echo"}))


def test_results_are_bounded_and_what_is_dropped_says_so(server):
    begin(server, False)
    big = {"language": "bash", "code": "printf -v x %0245000d; echo $x; echo $x >&2", "max_output_kb": 240}
    first, second = (submit(server, {"language": "bash", "code": "echo keep"}) for _ in range(2))
    ended(server, first), ended(server, second)
    for n in range(140):  # 140 × 480 KiB are more than 64 MiB
        ended(server, submit(server, big))
        inspect(server, first)  # what is asked for stays
    assert inspect(server, first)["stdout"] == "keep\n"
    gone = inspect(server, second)
    assert (gone["ok"], gone["code"], gone["state"]) == (False, "resource_exhausted", "cleaned") and "stdout" not in gone


def state_dir(tmp_path):
    return {"CODECALC_RUN_STATE_DIR": str(tmp_path / "state" / "runs")}


def test_runs_end_with_their_server_and_are_known_to_the_next(tmp_path):
    env = state_dir(tmp_path)
    with Server(env=env) as server:
        server.initialize()
        fine = submit(server, {"language": "bash", "code": "echo 4711; exit 3"})
        ended(server, fine)
        lost = sleeping(server)
        waiting = [submit(server, SLEEP) for _ in range(2 * os.cpu_count() + 2)][-1]
        tree = server.note_processes()
        server.signal(signal.SIGKILL)
        server.end()
        assert_all_gone(tree)
    with Server(env=env) as server:
        server.initialize()
        told = inspect(server, lost)
        assert (told["ok"], told["state"], told["code"], told["language"]) == (False, "recovered", "worker_failure", "bash")
        told = inspect(server, fine)
        assert (told["state"], told["verdict"], told["exit_code"], told["ok"]) == ("cleaned", "RTE", 3, False) and "stdout" not in told
        assert server.call("run_cancel", {"run_id": lost}) == {"ok": True, "run_id": lost, "cancelled": False, "state": "recovered"}
        assert server.call("run_inspect", {"run_id": waiting})["code"] == "validation"  # it never began
        ended(server, submit(server, {"language": "bash", "code": "echo"}))


def test_a_server_that_nobody_has_reaped_runs_nothing(tmp_path):
    env = state_dir(tmp_path)
    with Server(env=env) as server, Server(env=env) as other:
        server.initialize()
        other.initialize()
        lost = sleeping(server)
        server.signal(signal.SIGKILL)
        wait_until(lambda: pathlib.Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z", 5)
        assert inspect(other, lost)["state"] == "recovered"
        assert other.call("run_cancel", {"run_id": lost})["state"] == "recovered"


def test_a_run_of_another_server_is_left_to_it(tmp_path):
    env = state_dir(tmp_path)
    with Server(env=env) as owner, Server(env=env) as other:
        owner.initialize(), other.initialize()
        run = sleeping(owner)
        told = inspect(other, run)
        assert (told["ok"], told["state"]) == (True, "running") and str(owner.pid) in told["warnings"][0]
        refused = other.call("run_cancel", {"run_id": run})
        assert refused["code"] == "permission_denied"
        assert inspect(owner, run)["state"] == "running"
        owner.call("run_cancel", {"run_id": run})
        ended(owner, run)
        told = inspect(other, run)
        assert told["state"] == "cleaned" and told["cancelled"] is True and "another server" in told["error"]


def test_records_hold_no_secret_and_only_the_user_reads_them(tmp_path):
    env = state_dir(tmp_path)
    secret = "xyzzy-4711"
    with Server(env=env) as server:
        server.initialize()
        run = submit(server, {"language": "bash", "code": f"cat; echo {secret} $S", "stdin": secret, "env": {"S": secret}, "args": [secret]})
        assert secret in ended(server, run)["stdout"]
    folder = pathlib.Path(env["CODECALC_RUN_STATE_DIR"])
    (file,) = folder.iterdir()
    assert file.name == f"{run}.json" and secret not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(folder.stat().st_mode) == 0o700
    record = json.loads(file.read_text())
    assert {k: record[k] for k in ("format", "run_id", "state", "language", "ok", "verdict", "exit_code")} == {
        "format": "codecalc-run-1", "run_id": run, "state": "cleaned", "language": "bash", "ok": True, "verdict": "OK", "exit_code": 0}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format":"codecalc-run-2"}', "x" * 9000, None])
def test_a_damaged_record_is_an_error_and_no_crash(tmp_path, content):
    env = state_dir(tmp_path)
    folder = pathlib.Path(env["CODECALC_RUN_STATE_DIR"])
    folder.mkdir(parents=True)
    run = "ab" * 16
    if content is None:
        os.symlink("/etc/passwd", folder / f"{run}.json")
    else:
        (folder / f"{run}.json").write_text(content)
    with Server(env=env) as server:
        server.initialize()
        answer = server.call("run_inspect", {"run_id": run})
        assert answer["ok"] is False and answer["code"] in ("worker_failure", "internal") and "root:" not in str(answer)


def test_a_run_without_a_record_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with Server(env={"CODECALC_RUN_STATE_DIR": str(tmp_path / "file" / "runs")}) as server:
        server.initialize()
        done = ended(server, submit(server, {"language": "bash", "code": "echo hi"}))
        assert done["ok"] and done["stdout"] == "hi\n" and "record" in done["warnings"][0]


def test_the_command_line_has_no_background(tmp_path):
    def call(*words):
        done = subprocess.run([BINARY, "call", *words], capture_output=True, text=True, env=os.environ | state_dir(tmp_path), timeout=20)
        return json.loads(done.stdout)

    assert "execute_code" in call("run_submit", "language=bash", "code=echo")["remedy"]
    with Server(env=state_dir(tmp_path)) as server:
        server.initialize()
        run = submit(server, {"language": "bash", "code": "exit 2"})
        ended(server, run)
        assert call("run_inspect", f"run_id={run}")["exit_code"] == 2


def test_the_end_of_input_ends_runs(server):
    begin(server, False)
    sleeping(server)
    tree = server.note_processes()
    assert server.eof() == 0
    assert_all_gone(tree)


def test_many_runs_cancelled_at_random(server):
    begin(server, False)
    choose = random.Random(7)
    runs = [submit(server, {"language": "bash", "code": "echo begun; sleep 0.3"}) for _ in range(40)]
    cancelled = set()
    while pending := [r for r in runs if inspect(server, r)["state"] in ("running", "cancelling")]:
        if len(cancelled) < 25 and server.call("run_cancel", {"run_id": (r := choose.choice(pending))})["cancelled"]:
            cancelled.add(r)
        time.sleep(0.02)
    for run in runs:
        done = inspect(server, run)
        # One that does not end in time when it is cancelled is killed with its worker.
        assert done["state"] == "cleaned" or (done["state"] == "finished" and run in cancelled), done
        assert done["ok"] or run in cancelled, done
        assert run not in cancelled or done["ok"] or done["cancelled"] is True, done
    assert not sleeps(server)
    assert server.call("calc_exact", {"expr": "2+2"})["value"] == "4"


# ---- compare_execution ----


def test_programs_are_compared_one_after_the_other_or_at_once(server):
    begin(server, False)
    nap = {"python3": "import time; time.sleep(1); print(1)", "bash": "sleep 1; echo 1"}
    start = time.monotonic()
    one = server.call("compare_execution", {"snippets": nap})
    alone = time.monotonic() - start
    assert alone > 2 and [r["duration_ms"] >= 1000 for r in one["results"]] == [True, True]
    if os.cpu_count() < 2:
        pytest.skip("two programs at once need two cores")
    start = time.monotonic()
    both = server.call("compare_execution", {"snippets": nap, "parallel": True})
    assert time.monotonic() - start < alone - 0.5
    strip = [{k: v for k, v in r.items() if k != "duration_ms"} for r in one["results"]]
    assert both["results"] == strip and [r["language"] for r in strip] == ["python3", "bash"]


def test_each_program_has_its_own_receipt(server):
    begin(server, False)
    for parallel in (False, True):
        result = server.result("tools/call", {"name": "compare_execution", "arguments": {
            "snippets": {"python3": "print(1)", "bash": "echo 1", "c++": "int main() {}"}, "parallel": parallel}})
        runs = result["_meta"]["codecalc/receipt"]["runs"]
        assert [r["language"] for r in runs] == ["python3", "bash", "c++"]
        assert all(r["isolation"] == {"level": "full", "network": False} for r in runs)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_comparison_is_cancelled_with_all_its_programs(server, parallel):
    begin(server, False)
    nap = "echo begun; sleep 60 & sleep 60"
    id = server.start_call("compare_execution", {"snippets": {"bash": nap, "python3": "import time; time.sleep(60)"}, "timeout": 60, "parallel": parallel})
    wait_until(lambda: len(sleeps(server)) == 2, 10)
    tree = server.note_processes()
    server.notify("notifications/cancelled", {"requestId": id})
    wait_until(lambda: not sleeps(server) and not programs(server.pid), 2)
    assert server.call("calc_exact", {"expr": "1+1"})["value"] == "2"
    del tree


def test_a_request_for_packages_is_not_overlooked(server):
    begin(server, False)
    block = "# /// script\n# dependencies = ['requests']\n# ///\nprint(1)"
    python, bash = server.call("compare_execution", {"snippets": {"python3": block, "bash": block.replace("print(1)", "echo 1")}})["results"]
    assert python["dependencies"]["status"] == "unsupported" and "dependencies" not in bash
    one = server.call("execute_code", {"language": "python3", "code": block, "compact": True})
    assert one["dependencies"] == python["dependencies"] and one["stdout"] == "1\n"
