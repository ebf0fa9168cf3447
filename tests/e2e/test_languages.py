"""Every language, really run: tests/cases/languages.jsonl. All programs of the file go to one server, as many side by side as it runs. What the file covers in every kind is what list_languages calls tested.

A runtime that is not installed is a skip, and in CI, where scripts/runtimes.sh has installed all that can be had, a failure; Swift, which is
large, only when WITH_SWIFT=1 asked for it."""

import importlib.util
import json
import os
import pathlib
import pwd
import subprocess
import tempfile

import pytest

from harness import BINARY, ROOT, SLOW, Server
from test_cases import differences

IN_CI = os.environ.get("CI") == "true"
OPTIONAL = set() if os.environ.get("WITH_SWIFT") == "1" else {"swift"}
SECONDS = 600  # for all of it: compilers on two busy cores

pytestmark = pytest.mark.timeout(SECONDS + 60)


def cases():
    for number, line in enumerate((ROOT / "tests" / "cases" / "languages.jsonl").read_text().splitlines(), 1):
        case = json.loads(line)
        assert set(case) == {"tool", "kinds", "arguments", "expect", "source"}, f"languages.jsonl:{number}"
        yield pytest.param(number, case, id=f"{case['arguments']['language']}-{'-'.join(case['kinds'])}")


CASES = list(cases())


def send_all(server, numbered):
    """The results by number. A call's time runs while it waits for its turn, so there are never more than can run at once."""
    waiting, numbers, results = list(reversed(numbered)), {}, {}
    while waiting or numbers:
        while waiting and len(numbers) < 2 * len(os.sched_getaffinity(0)):
            number, case = waiting.pop()
            numbers[server.start_call(case["tool"], case["arguments"])] = number
        message = server.frame(SECONDS)
        results[numbers.pop(message["id"])] = json.loads(message["result"]["content"][0]["text"])
    return results


def demand(languages, name):
    if languages[name]["available"]:
        return
    reason = f"{name} is not installed here: {languages[name]['install']}"
    if IN_CI and name not in OPTIONAL:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def results(languages):
    with Server() as server:
        server.initialize()
        return send_all(server, [(n, c) for n, c in (p.values for p in CASES) if languages[c["arguments"]["language"]]["available"]])


@pytest.mark.parametrize("number, case", CASES)
def test_language(languages, results, number, case):
    demand(languages, case["arguments"]["language"])
    got = results[number]
    wrong = list(differences(case["expect"], got, "result"))
    assert not wrong, f"{wrong}; the whole answer: {json.dumps(got, ensure_ascii=False)[:2000]}"
    # Names of ours or of temporary files tell a user nothing.
    assert not any(name in got.get("stderr", "") for name in ("/tmp/.", "codecalc-")), got["stderr"]
    assert all(d["message"] for d in got.get("diagnostics", ()))


def test_each_verdict_is_asked_of_many_languages():
    asked = {}
    for _, case in (p.values for p in CASES):
        asked.setdefault(case["expect"].get("verdict"), set()).add(case["arguments"]["language"])
    assert {verdict for verdict, names in asked.items() if len(names) >= 5} >= {"OK", "TLE", "MLE", "OLE", "RTE"}


def test_what_was_compiled_runs_the_same_again(results):
    """Programs that are kept: no language needs more of its compile step than the files in its work directory."""
    cases = [(n, c) for n, c in (p.values for p in CASES) if "compile_ms" in results.get(n, {}) and results[n].get("phase") != "compile"]
    with Server() as server:
        server.initialize()
        again = send_all(server, cases)
    for number, case in cases:
        wrong = list(differences(case["expect"], again[number], "result"))
        assert not wrong and again[number].get("compile_cached") is True, f"{wrong}; the whole answer: {json.dumps(again[number])[:2000]}"


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tested_is_what_is_tested(languages):
    """The tier comes from the cases, and hardly anything is left out of them."""
    covered = set(script("tested_languages").covered(ROOT / "tests" / "cases" / "languages.jsonl"))
    assert {name for name, language in languages.items() if language["tier"] == "tested"} == covered
    assert len(covered) >= 30 and len(languages) == 31


def test_the_page_has_every_language(languages):
    """docs/languages.md says of each what list_languages says; only the times are the machine's."""
    page = script("languages")
    table = page.PAGE.read_text().split(page.BEGIN)[1].split(page.END)[0].removeprefix(page.HEAD).splitlines()

    def without_times(line):
        return [cell.strip() for i, cell in enumerate(line.split("|")) if i not in (6, 7)]

    assert [without_times(line) for line in table] == [without_times(page.row(language)) for language in languages.values()], "make languages"


# What a toolchain keeps warm is each user's own; to make it again for a user of a test would take longer than all the rest.
WARM = {"go", "zig", "kotlin"}


@pytest.mark.skipif(os.geteuid() != 0, reason="the tests above ran as an ordinary user")
def test_languages_run_for_an_ordinary_user():
    """The same, started by a user who is not root: what is installed for everybody says hello."""
    with tempfile.TemporaryDirectory() as home:
        ordinary_user(pathlib.Path(home))


def ordinary_user(home):
    binary = home / "codecalc"
    binary.write_bytes(BINARY.read_bytes())
    binary.chmod(0o755)
    home.chmod(0o755)
    user = pwd.getpwnam("nobody")

    def run(tool, arguments):
        done = subprocess.run(
            [binary, "call", tool, "--json", json.dumps(arguments)],
            env={"HOME": str(home), "PATH": os.environ["PATH"]}, user=user.pw_uid, group=user.pw_gid, extra_groups=[],
            cwd="/", capture_output=True, text=True, timeout=200 * SLOW,
        )
        return json.loads(done.stdout)

    installed = {language["name"] for language in run("list_languages", {})["result"] if language["available"]}
    wrong = {}
    for _, case in (p.values for p in CASES):
        name = case["arguments"]["language"]
        if "hello" in case["kinds"] and name in installed - WARM:
            got = run("execute_code", case["arguments"])
            if list(differences(case["expect"], got, "result")):
                wrong[name] = got
    assert not wrong, json.dumps(wrong, ensure_ascii=False)[:3000]
    assert {"python3", "bash", "perl"} <= installed
