"""status and cleanup: what is kept on this machine, and that only what is left over is removed."""

import json
import os
import pathlib
import time

import pytest

from harness import Server, wait_until
from test_cli import on_terminal, run

HOUR, DAY = 3600, 86400


@pytest.fixture
def places(tmp_path):
    for name in ("tmp", "runs", "home"):
        (tmp_path / name).mkdir()
    return {
        "TMPDIR": str(tmp_path / "tmp"), "CODECALC_RUN_STATE_DIR": str(tmp_path / "runs"), "HOME": str(tmp_path / "home"),
        "CODECALC_AUDIT_LOG": str(tmp_path / "audit.log"), "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }


def report(command, places, *options):
    done = run(command, "--json", *options, env=places)
    assert done.returncode == 0 and done.stderr == "", done
    return json.loads(done.stdout)


def record(places, number, state, age, **more):
    run_id = f"{number:032x}"
    now = int(time.time() * 1000)
    text = {"format": "codecalc-run-1", "run_id": run_id, "state": state, "provider_id": "local", "language": "bash", "timeout_ms": 1000,
            "started_ms": now - int(age * 1000), "server": 1, "server_start": 1, "boot": "x"} | more
    if state in ("cleaned", "finished"):
        text |= {"ended_ms": now - int(age * 1000), "ok": True}
    path = pathlib.Path(places["CODECALC_RUN_STATE_DIR"]) / f"{run_id}.json"
    path.write_text(json.dumps(text) + "\n")
    return path


def test_status_of_an_unused_machine(places):
    told = report("status", places)
    assert told["runs"] == {"path": places["CODECALC_RUN_STATE_DIR"], "running": 0, "cancelling": 0, "finished": 0, "cleaned": 0, "recovered": 0,
                            "old": 0, "bytes": 0, "max_active": 64}
    assert told["work_directories"] == {"path": places["TMPDIR"], "count": 0, "stale": 0}
    assert told["audit_log"] == {"enabled": True, "path": places["CODECALC_AUDIT_LOG"], "bytes": 0}
    assert 0 < told["runtimes"]["tested"] <= told["runtimes"]["installed"] <= told["runtimes"]["languages"]


def test_status_counts_runs_of_living_and_dead_servers(places):
    with Server(env=places) as server:
        server.initialize()
        lives = server.call("run_submit", {"language": "bash", "code": "sleep 30"})["run_id"]
        done = server.call("run_submit", {"language": "bash", "code": "echo"})["run_id"]
        wait_until(lambda: server.call("run_inspect", {"run_id": done})["state"] == "cleaned", 10)
        wait_until(lambda: (pathlib.Path(places["CODECALC_RUN_STATE_DIR"]) / f"{lives}.json").exists(), 10)
        told = report("status", places)["runs"]
        assert (told["running"], told["cleaned"], told["recovered"]) == (1, 1, 0)
    told = report("status", places)
    assert (told["runs"]["running"], told["runs"]["cleaned"], told["runs"]["recovered"]) == (0, 1, 1)
    assert told["audit_log"]["bytes"] == os.path.getsize(places["CODECALC_AUDIT_LOG"]) > 0
    text = run("status", env=places).stdout
    assert "0 running, 1 ended, 1 lost with their server" in text and places["CODECALC_AUDIT_LOG"] in text
    code, shown = on_terminal("status", env=places)
    assert code == 0 and "\x1b[" in shown


def test_cleanup_removes_old_records_and_nothing_else(places):
    folder = pathlib.Path(places["CODECALC_RUN_STATE_DIR"])
    old = [record(places, 1, "cleaned", 2 * DAY), record(places, 2, "running", 2 * DAY), record(places, 3, "finished", 2 * DAY)]
    unfinished = folder / f".{4:032x}.json.77"
    unfinished.write_text("{")
    os.utime(unfinished, (time.time() - 2 * DAY,) * 2)
    kept = [record(places, 5, "cleaned", HOUR), record(places, 6, "running", HOUR)]
    for name in ("notes.txt", f"{7:032x}.json", f"{8:032X}A.json"):
        (folder / name).write_text("mine")
        os.utime(folder / name, (time.time() - 9 * DAY,) * 2)
        kept.append(folder / name)
    alive = record(places, 9, "running", 2 * DAY, server=os.getpid(), server_start=int(
        pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]),
        boot=pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip())
    size = sum(p.stat().st_size for p in old) + 1
    dry = report("cleanup", places)
    assert dry == {"removed": False, "work_directories": 0, "run_records": 4, "run_record_bytes": size, "compiled_programs": 0,
                   "compiled_program_bytes": 0, "prepared_toolchains": 0, "prepared_toolchain_bytes": 0}
    assert all(p.exists() for p in old) and unfinished.exists()
    assert report("cleanup", places, "--write") == dry | {"removed": True}
    assert not any(p.exists() for p in [*old, unfinished]) and all(p.exists() for p in [*kept, alive])
    event = json.loads(pathlib.Path(places["CODECALC_AUDIT_LOG"]).read_text().splitlines()[-1])
    assert event["event"] == "cleanup" and event["run_records"] == 4
    assert report("cleanup", places, "--write")["run_records"] == 0


def test_cleanup_leaves_folders_alone_that_may_be_in_use(places, tmp_path):
    """That left-over ones are removed is a unit test, which can say what time it is."""
    tmp = pathlib.Path(places["TMPDIR"])
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    stale = tmp / "codecalc-aB3dE6"
    (stale / "deep" / "er").mkdir(parents=True)
    (stale / "deep" / "er" / "f").write_text("x")
    (stale / "link").symlink_to(outside)
    (stale / "deep").chmod(0)
    others = [tmp / "codecalc-tests-x", tmp / "codecalc-abc", tmp / "else"]
    for other in others:
        other.mkdir()
    (tmp / "codecalc-linked").symlink_to(outside)
    (tmp / "codecalc-x1y2z3").symlink_to(outside)
    assert report("status", places)["work_directories"]["stale"] == 0  # it is new
    assert report("cleanup", places, "--write")["work_directories"] == 0 and stale.exists()
    os.utime(stale, (0, 0))
    assert report("cleanup", places, "--write")["work_directories"] == 0 and stale.exists()  # what a program can set decides nothing


def test_cleanup_says_what_it_would_do(places):
    record(places, 1, "cleaned", 2 * DAY)
    text = run("cleanup", env=places).stdout
    assert "to be removed: 1" in text and "--write" in text
    assert "removed: 1" in run("cleanup", "--write", env=places).stdout


def test_a_folder_that_cannot_be_read_is_an_error(places):
    done = run("status", env=places | {"TMPDIR": "/nowhere"})
    assert done.returncode == 1 and "/nowhere" in done.stderr


def test_compiled_programs_are_counted_and_cleared(places):
    def compile_one():
        done = run("call", "execute_code", "language=c", "code=int main(void) { return 0; }", env=places)
        assert json.loads(done.stdout)["ok"], done.stdout

    compile_one()
    told = report("status", places)["compiled_programs"]
    assert told["count"] == 1 and told["bytes"] > 1000 and told["path"] == os.path.join(places["XDG_CACHE_HOME"], "codecalc")
    assert report("cleanup", places)["compiled_programs"] == 1
    done = report("cleanup", places, "--write")
    assert (done["compiled_programs"], done["compiled_program_bytes"]) == (1, told["bytes"])
    assert report("status", places)["compiled_programs"]["count"] == 0
    compile_one()


def test_prepared_toolchains_are_counted_and_cleared(places):
    """How they are made, and what goes wrong meanwhile: the unit test of warm.c. This is a toolchain that takes two seconds."""
    hello = "public class Main { public static void main(String[] a) throws Exception { System.out.println(1); Thread.sleep(%d); } }"

    def arguments(ms):
        return {"language": "java", "code": hello % ms, "timeout": 60}

    with Server(env=places) as server:
        server.initialize()
        if not next(l for l in server.call("list_languages", {})["result"] if l["name"] == "java")["available"]:
            pytest.skip("no java here")
        done = server.call("execute_code", arguments(0), timeout=200)
        assert done["ok"], done
        if "prepare_ms" not in done:
            pytest.skip("only full isolation prepares toolchains")
        told = report("status", places)["prepared_toolchains"]
        assert told["count"] == 1 and told["bytes"] > 1 << 20
        assert "Prepared toolchains" in run("status", env=places).stdout
        assert report("cleanup", places)["prepared_toolchains"] == 1
        # While a run has it, it stays.
        [made] = (pathlib.Path(places["XDG_CACHE_HOME"]) / "codecalc" / "warm").iterdir()
        runs = server.start_call("execute_code", arguments(2000))
        wait_until(lambda: f":{made.stat().st_ino} " in pathlib.Path("/proc/locks").read_text(), 5)
        kept = report("cleanup", places, "--write")
        assert (kept["prepared_toolchains_in_use"], kept["prepared_toolchains"], kept["prepared_toolchain_bytes"]) == (1, 0, 0)
        assert report("status", places)["prepared_toolchains"] == told
        assert server.frame(60)["id"] == runs
        cleared = report("cleanup", places, "--write")
        assert (cleared["prepared_toolchains"], cleared["prepared_toolchain_bytes"]) == (1, told["bytes"])
    event = json.loads(pathlib.Path(places["CODECALC_AUDIT_LOG"]).read_text().splitlines()[-1])
    assert event["event"] == "cleanup" and event["prepared_toolchains"] == 1
    assert report("status", places)["prepared_toolchains"] == {"count": 0, "bytes": 0}
    assert list(made.parent.iterdir()) == []


def test_status_tells_what_a_server_holds(places):
    def mine(server):
        return next(s for s in report("status", places)["servers"] if s["pid"] == server.pid)

    with Server(env=places) as server:
        server.initialize()
        server.call("calc_exact", {"expr": "1"})
        assert mine(server)["waiting"] == [] and mine(server)["processes"] >= 3 and 0 < mine(server)["memory_kb"] < 200_000
        server.call("execute_code", {"language": "python3", "code": "1"})
        wait_until(lambda: mine(server)["waiting"], 10)
        (waiting,) = mine(server)["waiting"]
        assert waiting["interpreter"].startswith("python3") and 1000 < waiting["memory_kb"] < mine(server)["memory_kb"]
        _, done = on_terminal("status", env=places)
        assert f"pid {server.pid}: " in done and "waits for its next program" in done
    assert report("status", places)["waiting_most_mb"] == 256
    assert all(s["pid"] != server.pid for s in report("status", places)["servers"])
