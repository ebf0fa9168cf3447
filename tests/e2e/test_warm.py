"""Interpreters that wait for their program: a run that gets one cannot be told from one that does not, and what waits is bounded."""

import json
import os
import pathlib
import re
import signal
import time

import pytest
from driver_programs import LANGUAGES
from harness import SLOW, Server, assert_all_gone, process_tree, wait_until
from test_cases import differences
from test_driver import PROGRAMS, outcome
from test_languages import cases, demand

WAITS = {"python3": "print(%s)", "node": "console.log(%s)", "typescript": "console.log(%s)", "ruby": "puts %s", "r": "cat(%s)", "php": "<?php echo %s, \"\\n\";"}

pytestmark = pytest.mark.timeout(300 * SLOW)


def waiting(server):
    """The pids of interpreters that wait: stopped, the child of an init that has told so."""
    found = []
    for pid in process_tree(server.pid):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if state == "T":
            found.append(pid)
    return found


class Warm(Server):
    """A server whose programs find their interpreter waiting."""

    def run(self, arguments, tool="execute_code"):
        self.initialize() if not self.next_id else None
        wait_until(lambda: len(waiting(self)) == 1, 10)
        message = self.response(self.start_call(tool, arguments), 60)
        assert message["result"]["_meta"]["codecalc/receipt"].get("warm") is True, message["result"]
        return json.loads(message["result"]["content"][0]["text"])


def started(language, **more):
    server = Warm(**more)
    server.initialize()
    server.call("execute_code", {"language": language, "code": WAITS[language] % 1})
    return server


@pytest.fixture(scope="module")
def pairs(languages):
    """Of a language: a server whose interpreter waits, and one that keeps none."""
    made = {}

    def pair(language):
        demand(languages, language)
        if language not in made:
            made[language] = started(language), Server(env={"CODECALC_WARM": "0"})
            made[language][1].initialize()
        return made[language]

    yield pair
    for servers in made.values():
        for server in servers:
            with server:
                pass


@pytest.mark.parametrize("language", WAITS)
def test_the_suite_of_a_language_runs_the_same(pairs, language):
    warm, cold = pairs(language)
    for case in (p.values[1] for p in cases()):
        if case["arguments"]["language"] != language or {"args", "env"} & set(case["arguments"]):
            continue
        # A smaller disk is made when a sandbox is, and a module's file has another name: neither fits what waits.
        other_start = "max_memory_mb" in case["arguments"] or "module" in case["kinds"]
        got = warm.call("execute_code", case["arguments"], timeout=60) if other_start else warm.run(case["arguments"])
        other = cold.call("execute_code", case["arguments"], timeout=60)
        assert not list(differences(case["expect"], got, "result"))
        assert outcome(got) == outcome(other)
        assert set(got) == set(other)


HELPER = {"helper.py": "def f():\n    raise LookupError('of the module')\n"}
ALL = [("python3", name, code, HELPER) for name, code in PROGRAMS.items()]
ALL += [(language, name, code, given["files"]) for language, given in LANGUAGES.items() if language in WAITS for name, code in given["programs"].items()]


@pytest.mark.parametrize("language, name, code, files", ALL, ids=[f"{language}-{name}" for language, name, *_ in ALL])
def test_a_program_cannot_tell(pairs, language, name, code, files):
    warm, cold = pairs(language)
    call = {"language": language, "stdin": "one\ntwo\n", "code": code, "files": files}
    # A module's file has another name; what stands in the first line Ruby reads before it waits; and some words see the driver, or that it waits.
    cold_too = re.search("audithook|moduleLoadList", code) or language == "node" and re.search("^(import|export) ", code, re.M) or language in ("ruby", "php") and code.startswith("#!")
    got = warm.call("execute_code", call) if cold_too else warm.run(call)
    other = cold.call("execute_code", call)
    assert outcome(got) == outcome(other)
    assert got.get("exception") == other.get("exception")


LIMITS = """import resource
print([resource.getrlimit(getattr(resource, n)) for n in sorted(dir(resource)) if n.startswith('RLIMIT_')])
print([l for l in open('/proc/self/status') if not l.startswith(('Vm', 'Rss', 'voluntary', 'nonvoluntary', 'Cpus', 'Mems'))], open('/proc/self/limits').read())
print(sorted(open('/proc/self/mountinfo').read().count(w) for w in (' ro', 'tmpfs')), open('/proc/self/cgroup').read())
"""


@pytest.mark.parametrize("limits", [{}, {"timeout": 3}, {"max_memory_mb": 600}, {"max_cpu": 2}, {"max_memory_mb": 64}])
def test_limits_are_those_of_the_call(pairs, limits):
    warm, cold = pairs("python3")
    call = {"language": "python3", "code": LIMITS} | limits
    if limits.get("max_memory_mb") == 64:  # its disk is smaller too, which is made when a sandbox is
        assert outcome(warm.call("execute_code", call)) == outcome(cold.call("execute_code", call))
        warm.call("execute_code", {"language": "python3", "code": "print(1)"})
    else:
        assert outcome(warm.run(call)) == outcome(cold.call("execute_code", call))


@pytest.mark.parametrize("call, verdict", [
    ({"code": "while True: pass", "timeout": 1}, "TLE"),
    ({"code": "import time\nprint('on', flush=True)\ntime.sleep(60)", "timeout": 1}, "TLE"),
    ({"code": "bytearray(2**31)"}, "MLE"),  # in one piece: what grows meets either of two limits first
    ({"code": "print('x' * 10**7)"}, "OLE"),
    ({"code": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"}, "RTE"),
    ({"code": "while True: pass", "max_cpu": 1}, "TLE"),
])
def test_verdicts(pairs, call, verdict):
    warm, cold = pairs("python3")
    got = warm.run({"language": "python3"} | call)
    other = cold.call("execute_code", {"language": "python3"} | call, timeout=60)
    assert got["verdict"] == other["verdict"] == verdict
    assert set(got) == set(other)


@pytest.mark.parametrize("language", WAITS)
@pytest.mark.parametrize("more", [{"args": ["a"]}, {"env": {"A": "b"}}])
def test_a_call_that_it_does_not_fit_leaves_it(pairs, language, more):
    warm, _ = pairs(language)
    wait_until(lambda: len(waiting(warm)) == 1, 10)
    before = waiting(warm)
    assert warm.call("execute_code", {"language": language, "code": WAITS[language] % 2} | more)["stdout"].strip() == "2"
    assert waiting(warm) == before


def test_a_comparison_starts_every_interpreter_anew(pairs):
    """Else the language that was used last would be the fastest."""
    warm, _ = pairs("python3")
    wait_until(lambda: len(waiting(warm)) == 1, 10)
    before = waiting(warm)
    message = warm.response(warm.start_call("compare_execution", {"snippets": {"python3": "print(1)", "bash": "echo 1"}}), 60)
    runs = message["result"]["_meta"]["codecalc/receipt"]["runs"]
    assert [run["language"] for run in runs] == ["python3", "bash"] and not any("warm" in run for run in runs)
    assert waiting(warm) == before


def test_a_comparison_calls_clear_only_what_is(pairs):
    warm, _ = pairs("python3")
    for work in ("sum(range(300000))", "__import__('time').sleep(.3)"):  # one program under two names
        told = warm.call("compare_execution", {"snippets": {"python3": work, "python": work, "bash": "sleep 1"}})
        best, second, _ = sorted(row["duration_ms"] for row in told["results"])
        assert ("fastest_note" in told) == (second <= 2 * best + 10), told
        assert next(row for row in told["results"] if row["language"] == told["fastest"])["duration_ms"] == best


def test_it_waits_only_after_a_first_use_and_for_a_while():
    with Server() as server:
        server.initialize()
        server.call("execute_code", {"language": "bash", "code": "echo 1"})
        assert not waiting(server)


def test_nothing_waits_when_it_is_switched_off():
    for off in ("CODECALC_WARM", "CODECALC_WARM_MB"):
        with Server(env={off: "0"}) as server:
            server.initialize()
            for _ in range(2):
                server.call("execute_code", {"language": "python3", "code": "print(1)"})
            assert not waiting(server)


def resident_kb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1))


def test_one_that_takes_more_than_all_may_does_not_wait():
    with Warm(env={"CODECALC_WARM_MB": "1"}) as server:
        server.initialize()
        for _ in range(3):
            message = server.response(server.start_call("execute_code", {"language": "python3", "code": "print(1)"}), 60)
            assert json.loads(message["result"]["content"][0]["text"])["stdout"] == "1\n"
            time.sleep(1)  # far more than one takes to come
            wait_until(lambda: not waiting(server), 5)
        assert "warm" not in message["result"]["_meta"]["codecalc/receipt"]


def test_what_waits_is_bounded(languages):
    demand(languages, "ruby")
    with started("python3") as server:
        wait_until(lambda: waiting(server), 10)
        python_mb = resident_kb(waiting(server)[0]) >> 10
    with started("ruby") as server:
        wait_until(lambda: waiting(server), 10)
        ruby_mb = resident_kb(waiting(server)[0]) >> 10
    most = max(python_mb, ruby_mb) + min(python_mb, ruby_mb) // 2
    with started("python3", env={"CODECALC_WARM_MB": str(most)}) as server:
        wait_until(lambda: waiting(server), 10)
        first = waiting(server)
        server.call("execute_code", {"language": "ruby", "code": "puts 1"})
        wait_until(lambda: waiting(server) and waiting(server) != first and len(waiting(server)) == 1, 10)
        assert server.run({"language": "ruby", "code": "puts 2"})["stdout"] == "2\n"  # the one that was used last stays


def test_one_that_is_killed_costs_nothing_but_time():
    with started("python3") as server:
        for _ in range(2):
            wait_until(lambda: len(waiting(server)) == 1, 10)
            pid = waiting(server)[0]
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: not os.path.exists(f"/proc/{pid}"), 5)
            assert server.call("execute_code", {"language": "python3", "code": "print(1)"})["stdout"] == "1\n"


def test_it_has_seen_nothing_of_the_client_and_ends_with_the_server():
    with Server(env={"CODECALC_TEST_SECRET": "s3cr3t-canary"}) as server:
        server.initialize()
        server.call("execute_code", {"language": "python3", "code": "s = 's3cr3t-code'"})
        wait_until(lambda: len(waiting(server)) == 1, 10)
        for what in ("environ", "cmdline"):
            try:
                assert b"s3cr3t" not in pathlib.Path(f"/proc/{waiting(server)[0]}/{what}").read_bytes()
            except PermissionError:
                assert os.geteuid()
        tree = server.note_processes()
        server.process.send_signal(signal.SIGKILL)
        assert_all_gone(tree)


def test_progress_and_cancellation(pairs):
    warm, _ = pairs("python3")
    wait_until(lambda: len(waiting(warm)) == 1, 10)
    id = warm.start_call("execute_code_stream", {"language": "python3", "code": "import time\nprint('on', flush=True)\ntime.sleep(60)", "timeout": 60}, meta={"progressToken": 1})
    while "on" not in warm.frame(20).get("params", {}).get("message", ""):
        pass
    warm.notify("notifications/cancelled", {"requestId": id})
    warm.sent.clear()
    assert warm.run({"language": "python3", "code": "print(3)"})["stdout"] == "3\n"


@pytest.mark.parametrize("language, code", [("node", "console.log(process.uptime())"), ("typescript", "console.log(performance.now() / 1000)"), ("r", "cat(proc.time()[['elapsed']])")])
def test_a_program_that_asks_how_long_it_runs_is_told_the_truth(pairs, language, code):
    warm, _ = pairs(language)
    wait_until(lambda: len(waiting(warm)) == 1, 10)
    time.sleep(3)
    began = time.monotonic()
    ran = float(warm.call("execute_code", {"language": language, "code": code})["stdout"])
    assert 0 < ran < time.monotonic() - began


def test_a_program_that_lists_what_node_has_loaded_sees_its_own(pairs):
    warm, cold = pairs("node")
    wait_until(lambda: len(waiting(warm)) == 1, 10)
    call = {"language": "node", "code": "require('fs').writeSync(1, process.moduleLoadList.join('\\n'))"}
    listed = warm.call("execute_code", call)["stdout"].split("\n")
    assert listed == cold.call("execute_code", call)["stdout"].split("\n")
    assert "NativeModule fs" in listed and "NativeModule net" not in listed
