"""Hostile and awkward programs, each at every level of isolation that this machine has, as root and as an ordinary user.

A case is a line: its program, what may happen in words, and what must hold of the result ("expect", in the words of CHECKS). At the level
`full` every case is contained: what is expected holds, and nothing is left. Below it the line's "restricted" and "rlimits" say for root and
user whether that is so ("contained", when they say nothing), or which entry of `unenforced` names what is missing (with a question mark
where it hangs on what else runs here), and what is expected instead there; a case that is neither contained nor named fails, and so does one
that is contained though named. Cases that several projects share lie beside the project; expectations.jsonl says what must hold of them.
CODECALC_ABUSE=quick leaves out those that take seconds, at all but the first stage.
"""

import contextlib
import functools
import json
import os
import pathlib
import random
import re
import time

import pytest

import harness
from stage import CONTROL_FD, ROOT, Stage

HERE = pathlib.Path(__file__).parent
SHARED = harness.SHARED / "cases" / "abuse.jsonl"
LANGUAGES = {"python", "python3", "javascript", "node", "c", "cpp", "bash"}
STAGES = [(level, who) for level in ("full", "restricted", "rlimits") for who in ("user", "root")]
QUICK = os.environ.get("CODECALC_ABUSE") == "quick"
SLOW_MS = 900  # cases whose "takes_ms" is at least this are left out when quick


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def load_cases():
    own = lines(HERE / "cases.jsonl")
    expectations = {e["id"]: e for e in lines(HERE / "expectations.jsonl")}
    shared = lines(SHARED) if SHARED.exists() else []
    return own + [case | expectations.get(case["id"], {}) for case in shared], expectations


CASES, EXPECTATIONS = load_cases()


# ---- stages: one server each, made when the first case needs it ----


STARTED = []


@functools.cache
def stage(level, who):
    if who == "root" and not ROOT:
        return "not root: run the tests as root to try this"
    made = Stage(level, who)
    if made.real_level != level:
        made.close()
        return f"this machine gives {made.real_level}: {made.reason}"
    STARTED.append(made)
    return made


def on_stage(level, who):
    made = stage(level, who)
    if isinstance(made, str):
        pytest.skip(made)
    return made


@pytest.fixture(scope="module", autouse=True)
def close_stages():
    yield
    while STARTED:
        STARTED.pop().close()
    stage.cache_clear()


# ---- what may be expected ----


def matches(pattern, text):
    pattern = pattern.replace("{control}", str(CONTROL_FD))
    assert re.fullmatch(pattern, text.rstrip("\n"), re.S), f"not {pattern!r}: {text[:600]!r}"


def has_not(pattern, text):
    found = re.search(pattern, text)
    assert not found, f"{found.group()!r} in {text[:600]!r}"


def equal(wanted, got):
    assert got == wanted, f"{got!r}, not {wanted!r}"


def one_of(wanted, got):
    assert got in wanted, f"{got!r}, not one of {wanted!r}"


CHECKS = {
    "verdict": lambda want, b: one_of(want.split("|"), b.get("verdict")),
    "code": lambda want, b: one_of(want.split("|"), b.get("code")),
    "exit_code": lambda want, b: equal(want, b.get("exit_code")),
    "signal": lambda want, b: equal(want, b.get("signal", 0)),
    "timed_out": lambda want, b: equal(want, b.get("timed_out", False)),
    "phase": lambda want, b: equal(want, b.get("phase")),
    "truncated": lambda want, b: equal(want, b.get("output_truncated", False)),
    "stdout": lambda want, b: matches(want, b.get("stdout", "")),
    "stdout_not": lambda want, b: has_not(want, b.get("stdout", "")),
    "stdout_bytes": lambda want, b: equal(want, b.get("stdout_bytes", 0)),
    "stderr": lambda want, b: matches(want, b.get("stderr", "")),
    "min_ms": lambda want, b: None if b["total_ms"] >= want else pytest.fail(f"only {b['total_ms']} ms"),
    "max_ms": lambda want, b: equal(True, b["total_ms"] <= want or f"{b['total_ms']} ms"),
    "most_kb": lambda want, b: equal(True, 0 < b["peak_memory_kb"] <= want or f"{b['peak_memory_kb']} KiB"),
    "cpu_ms": lambda want, b: equal(True, want[0] <= b["cpu_ms"] <= want[1] or f"cpu {b['cpu_ms']} ms"),
    "unenforced": lambda want, b: equal(True, want in b.get("unenforced", []) or "not named"),
}


def hold(expect, answer):
    """Raises AssertionError when the result is not what is expected."""
    if "any" in expect:
        failures = []
        for choice in expect["any"]:
            try:
                return hold(choice, answer)
            except AssertionError as error:
                failures.append(str(error))
        raise AssertionError("; ".join(failures))
    if answer.error:
        assert expect.get("protocol_error"), f"protocol error {answer.error}"
        return None
    assert "code" in expect or "verdict" in answer.body, f"the call failed: {answer.body}"
    for word, wanted in expect.items():
        if word != "protocol_error":
            CHECKS[word](wanted, answer.body)
    return None


def try_case(case, on, expect):
    """Runs a case as often as it says; (answers, what was wrong)."""
    answers, wrong = [], []
    if on.server.process.poll() is not None:
        on.restart_if_dead() # the case before this one has said so
    memory = on.memory_kb()
    for _ in range(case.get("repeat", 1)):
        try:
            answer = on.run(on.arguments(case), meanwhile=case.get("meanwhile", False))
        except (harness.Closed, BrokenPipeError) as error:
            wrong.append(f"the server ended: {error!r}")
            break
        answers.append(answer)
        try:
            hold(expect, answer)
        except AssertionError as error:
            wrong.append(str(error))
        if on.canary in answer.text:
            wrong.append("it got hold of the secret")
        if "root:x:0:0:" in answer.text:
            wrong.append("it read the machine's /etc/passwd")
    wrong += on.left_behind()
    if on.restart_if_dead():
        wrong.append("the server did not answer the next call")
    elif on.memory_kb() > memory + 32 * 1024:
        wrong.append(f"the server grew from {memory} to {on.memory_kb()} KiB")
    return answers, wrong


@pytest.mark.parametrize("level, who", STAGES, ids=[f"{level}-{who}" for level, who in STAGES])
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case, level, who):
    if case["language"] not in LANGUAGES:
        pytest.skip(f"no {case['language']} here yet")
    if case["id"] in PROCEDURES:
        pytest.skip("has a test of its own below")
    if level == "rlimits" and case.get("of_user") and not ROOT:
        pytest.skip("would reach every process of yours: run the tests as root to try this")
    if QUICK and case.get("takes_ms", 0) >= SLOW_MS and (level, who) != STAGES[0]:
        pytest.skip("takes seconds: make abuse")
    assert "expect" in case, "no line of expectations.jsonl says what must hold of this case"
    on = on_stage(level, who)
    below = case.get(level, {})
    answers, wrong = try_case(case, on, case["expect"] | below.get("expect", {}))
    fate = below.get(who, "contained")
    if fate == "contained" or (fate.endswith("?") and not wrong):
        assert not wrong, "; ".join(wrong)
        return
    assert wrong, f"contained after all: say so in the table ({fate})"
    fate = fate.rstrip("?")
    if answers:  # none when the program ended the server
        named = answers[-1].body.get("unenforced", answers[-1].body.get("remedy", ""))
        assert fate in named, f"{'; '.join(wrong)}; and the result does not name {fate}"


def test_every_shared_case_has_an_expectation():
    if not SHARED.exists():
        pytest.skip(f"no {SHARED.name} beside the project")
    missing = {c["id"] for c in CASES if c["language"] in LANGUAGES and "expect" not in c} - set(PROCEDURES)
    assert not missing
    assert set(EXPECTATIONS) <= {c["id"] for c in CASES}


# ---- cases that are more than a call ----


@pytest.mark.parametrize("level, who", STAGES)
def test_cancel_run(level, who):
    """mcp-cancel-run: nothing more is said for the call, and its tree is dead within a second."""
    on = on_stage(level, who)
    id = on.server.start_call("execute_code", {"language": "bash", "code": TREE, "timeout": 25})
    harness.wait_until(lambda: len([p for p, n in on.programs().items() if n == "sleep"]) == 2)
    time.sleep(0.2)
    on.server.notify("notifications/cancelled", {"requestId": id, "reason": "test"})
    harness.wait_until(lambda: not on.programs(), 1)
    on.server.sent.pop((int, id))
    on.server.nothing(0.2)
    assert not on.left_behind()
    assert not on.restart_if_dead()


@pytest.mark.parametrize("level, who", STAGES)
def test_cancel_many_runs(level, who):
    """Whenever a call is cancelled, and however much runs beside it, nothing of it stays, and the others are answered."""
    on = on_stage(level, who)
    chance, programs = random.Random(4), ("echo up; sleep 0.2", "(setsid sleep 9 &); echo up", "echo up >f; sleep 9")
    running, started, cancelled = {}, 0, []
    while running or started < 60:
        while started < 60 and len(running) < 10:
            code = chance.choice(programs)
            id = on.server.start_call("execute_code", {"language": "bash", "code": code, "timeout": 20})
            running[id] = code
            started += 1
        for id, code in list(running.items()):
            if code == programs[2] or chance.random() < 0.1:
                on.server.notify("notifications/cancelled", {"requestId": id})
                cancelled.append(id)  # its answer may be on its way
                del running[id]
        try:
            message = on.server.frame(chance.random() / 10)
        except TimeoutError:
            continue
        if message["id"] in running:
            del running[message["id"]]
            on.server.sent.pop((int, message["id"]), None)
            assert json.loads(message["result"]["content"][0]["text"])["stdout"] == "up\n", message
    with contextlib.suppress(TimeoutError):  # those that were cancelled last are given a moment to end by themselves
        while True:
            on.server.frame(0.5)
    for id in cancelled:
        on.server.sent.pop((int, id), None)
    assert not on.left_behind()
    assert not on.restart_if_dead()


@pytest.mark.parametrize("how", ["eof", "kill"])
@pytest.mark.parametrize("level, who", STAGES)
def test_end_of_the_server(level, who, how):
    """mcp-eof-mid-run: when its input ends, or the server is killed, nothing is left of what ran."""
    on_stage(level, who)
    own = Stage(level, who)
    try:
        own.server.start_call("execute_code", {"language": "bash", "code": TREE, "timeout": 25})
        harness.wait_until(lambda: len([p for p, n in own.programs().items() if n == "sleep"]) == 2)
        if how == "kill":
            own.server.process.kill()
            own.server.process.wait()
        else:
            assert own.server.eof() == 0
        harness.wait_until(lambda: not own.programs(), 1)
        assert not own.left_behind()
    finally:
        own.server.process.kill()
        own.close()


WATCHES = """#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>
int main(void) {
    int ends[300], n = 0;
    for (; n < 300 && pipe(ends + n) == 0; n += 2) { }
    while (fork() == 0) { // each has descriptors of its own, and holds what it has got
        for (int epoll; (epoll = epoll_create1(0)) >= 0;)
            for (int i = 0; i < n; i++)
                if (epoll_ctl(epoll, EPOLL_CTL_ADD, ends[i], &(struct epoll_event){.events = EPOLLIN})) return printf("used up\\n"), fflush(stdout), sleep(9);
        for (int fd = 302; fd < 1024; fd++) close(fd);
    }
    sleep(9);
    return 0;
}
"""


@pytest.mark.skipif(not ROOT, reason="not root: only root can lower what the kernel lets a user have")
def test_no_epoll_watch_is_left():
    """An ordinary user's programs can use up the user's watches, which the server's own loop needs: their calls fail, and the server goes on."""
    on = on_stage("full", "user")
    most = pathlib.Path("/proc/sys/fs/epoll/max_user_watches")
    usual = most.read_text()
    try:
        most.write_text("40000")
        id = on.server.start_call("execute_code", {"language": "c", "code": WATCHES, "timeout": 8})
        time.sleep(1)
        # Starting it takes watches: it is the one that meets the end of them.
        on.server.start_call("calc_exact", {"expr": "1/3"})
        for _ in range(4):
            on.server.start_call("execute_code", {"language": "bash", "code": "echo up"})
        answers = {}
        while len(answers) < 6:
            message = on.server.frame(20)
            answers[message["id"]] = json.loads(message["result"]["content"][0]["text"])
            on.server.sent.pop((int, message["id"]), None)
    finally:
        most.write_text(usual)
    assert answers[id]["code"] == "resource_exhausted" and "fs.epoll.max_user_watches" in answers[id]["error"], answers[id]
    assert on.server.process.poll() is None
    assert not on.left_behind()
    assert not on.restart_if_dead()


TREE = "echo started; (setsid sleep 21 &) ; sleep 20\n"
PROCEDURES = {"mcp-cancel-run": test_cancel_run, "mcp-eof-mid-run": test_end_of_the_server}


# ---- every system call that a program does not get ----


def probe_program(calls):
    """A C program that makes each call with arguments that do no harm and prints the name of its errno."""
    body = []
    for call in calls:
        number = call.get("nr") or f"SYS_{call['call']}"
        args = ", ".join(f"(long)({a})" for a in call.get("args", []))
        line = f'    errno = 0; r = syscall({number}{", " + args if args else ""}); say("{call.get("as", call["call"])}", r);'
        body.append(line if call.get("nr") else f"#ifdef {number}\n{line}\n#endif")
    return (
        "#define _GNU_SOURCE\n#include <errno.h>\n#include <sched.h>\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n#include <fcntl.h>\n"
        "#include <sys/resource.h>\n#include <sys/syscall.h>\n#include <sys/socket.h>\n#include <unistd.h>\nstatic const char text[] = \"/\";\n"
        "static int number[64];\n"
        'static void say(const char *name, long r) { printf("%s %s\\n", name, r == -1 ? strerrorname_np(errno) : "ALLOWED"); }\n'
        "int main(void) {\n    long r;\n    (void)text; (void)number;\n" + "\n".join(body) + "\n    return 0;\n}\n"
    )


@pytest.mark.parametrize("level, who", STAGES)
def test_system_calls(level, who):
    on = on_stage(level, who)
    calls = lines(HERE / "syscalls.jsonl")
    answer = on.run({"language": "c", "code": probe_program(calls), "timeout": 20})
    assert answer.body.get("exit_code") == 0, answer.body
    said = dict(line.split() for line in answer.body["stdout"].splitlines())
    assert len(said) > 60
    wrong = []
    for call in calls:
        name, wanted = call.get("as", call["call"]), call["errno"]
        wanted = call.get(f"{level}-{who}", call.get(level, wanted))
        if name in said and said[name] not in wanted.split("|"):
            wrong.append(f"{name}: {said[name]}, not {wanted} ({call['why']})")
    assert not wrong, "\n".join(wrong)
    assert not on.left_behind()
