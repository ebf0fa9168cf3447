"""What the server keeps ready between programs: launchers with blank sandboxes, and compiled programs."""

import os
import pathlib
import signal

from harness import Server, assert_all_gone, process_tree, wait_until

CORES = len(os.sched_getaffinity(0))
HELLO = {"language": "bash", "code": "echo hello"}


def names(server):
    found = []
    for pid in process_tree(server.pid):
        try:
            found.append(pathlib.Path(f"/proc/{pid}/comm").read_text().strip())
        except OSError:
            pass
    return found


def is_stocked(server):
    found = names(server)
    return found.count("cc-launcher") == CORES and found.count("cc-blank") == CORES and "init" not in found


def test_launchers_wait_from_the_first_program_on(server):
    server.initialize()
    server.call("calc_exact", {"expr": "1+1"})
    assert not {"cc-launcher", "cc-blank", "init"} & set(names(server))
    for _ in range(3):
        assert server.call("execute_code", HELLO)["stdout"] == "hello\n"
        wait_until(lambda: is_stocked(server), 5)
    tree = server.note_processes()
    server.process.send_signal(signal.SIGKILL)
    assert_all_gone(tree)


def test_what_waits_has_seen_nothing_of_the_client():
    with Server(env={"CODECALC_TEST_SECRET": "s3cr3t-canary"}) as server:
        server.initialize()
        server.call("execute_code", HELLO | {"code": "echo s3cr3t-code"})
        wait_until(lambda: is_stocked(server), 5)
        for pid in set(process_tree(server.pid)) - {server.pid}:
            for what in ("environ", "cmdline"):
                try:
                    assert b"s3cr3t" not in pathlib.Path(f"/proc/{pid}/{what}").read_bytes()
                except PermissionError:  # an ordinary user may not look into it at all
                    pass


def test_nothing_waits_when_it_is_switched_off():
    with Server(env={"CODECALC_WARM": "0"}) as server:
        server.initialize()
        for _ in range(2):
            assert server.call("execute_code", HELLO)["stdout"] == "hello\n"
        wait_until(lambda: not {"cc-launcher", "cc-blank", "init"} & set(names(server)), 1)


def test_a_program_is_compiled_once_for_all_servers():
    program = {"language": "c", "code": f'#include <stdio.h>\nint main(void) {{ char s[99]; puts(fgets(s, 99, stdin)); return {os.getpid() % 100}; }}'}
    results = []
    for i in range(2):
        with Server() as server:
            server.initialize()
            results += [server.call("execute_code", program | {"stdin": f"{i}{j}"}) for j in range(2)]
    assert [r["stdout"] for r in results] == ["00\n", "01\n", "10\n", "11\n"]
    assert {r["exit_code"] for r in results} == {os.getpid() % 100}
    assert results[0]["compile_ms"] > 0 and "compile_cached" not in results[0]
    assert all(r["compile_cached"] is True and "compile_ms" not in r for r in results[1:])
