"""What the sandbox guarantees for every run, whichever tool started it: the table in docs/security.md names the test of each line."""

import ctypes
import errno
import json
import os
import pathlib
import resource
import struct

import pytest

from harness import Server, wait_until

KIB, MIB = 1024, 1024 * 1024


@pytest.fixture
def server(shared_server):
    return shared_server


def frames_until(server, id):
    while True:
        frame = server.frame(60)
        if "method" not in frame:
            assert frame["id"] == id
            return frame["result"]


def directly(server, arguments):
    return server.result("tools/call", {"name": "execute_code", "arguments": arguments}, timeout=60)


def streamed(server, arguments):
    return frames_until(server, server.start_call("execute_code_stream", arguments, meta={"progressToken": "t"}))


def in_background(server, arguments):
    run = {"run_id": server.call("run_submit", arguments)["run_id"]}
    wait_until(lambda: server.call("run_inspect", run)["state"] == "cleaned", 60)
    return server.result("tools/call", {"name": "run_inspect", "arguments": run})


def compared(server, arguments):
    other = "bash" if arguments["language"] != "bash" else "awk"
    call = {"snippets": {arguments["language"]: arguments["code"], other: ""}, "timeout": arguments.get("timeout", 10)}
    return server.result("tools/call", {"name": "compare_execution", "arguments": call}, timeout=60)


PATHS = [directly, streamed, in_background, compared]


def run_of(result):
    """The result of the run that was asked for, and its receipt."""
    body, receipt = json.loads(result["content"][0]["text"]), result["_meta"]["codecalc/receipt"]
    return (body["results"][0], receipt["runs"][0]) if "results" in body else (body, receipt)


on_every_path = pytest.mark.parametrize("path", PATHS, ids=lambda p: p.__name__)


@on_every_path
def test_output_is_capped_and_overflow_is_told(server, path):
    """More than the cap: the beginning and the end, how much it was, and a verdict that says so, although the program ended well."""
    code = "import sys\nprint('begin', 'x' * 4000000, 'end')\nprint('y' * 3000000, 'last', file=sys.stderr)\n"
    run, _ = run_of(path(server, {"language": "python3", "code": code}))
    assert (run["verdict"], run["ok"], run["exit_code"]) == ("OLE", False, 0), run["verdict"]
    assert run["stdout_bytes"] == 4000011 and run["stderr_bytes"] == 3000006 and run["output_truncated"] is True
    for name, first, last in (("stdout", "begin ", " end\n"), ("stderr", "yyy", " last\n")):
        assert run[name].startswith(first) and run[name].endswith(last)
        assert 64 * KIB - 8 <= len(run[name]) <= 64 * KIB + 200, len(run[name])


def test_the_output_of_a_compiler_is_capped(server):
    code = "".join(f"#warning {'w' * 100} {i}\n" for i in range(1500)) + "int main(void) { return x; }\n"
    run, _ = run_of(directly(server, {"language": "c", "code": code, "timeout": 60}))
    assert run["phase"] == "compile" and run["exit_code"] != 0 and run["stderr_bytes"] > 200000
    assert len(run["stderr"].encode()) <= 64 * KIB + 200
    assert run["verdict"] == "OLE"


def test_a_cap_of_its_own(server):
    call = {"language": "python3", "code": "print('x' * 300000)"}
    for kb in (1, 240):
        run, _ = run_of(directly(server, call | {"max_output_kb": kb}))
        assert run["verdict"] == "OLE" and run["stdout_bytes"] == 300001 and kb * KIB - 8 <= len(run["stdout"]) <= kb * KIB + 200
    run, _ = run_of(directly(server, call | {"code": "print('x' * (240 * 1024 - 1))", "max_output_kb": 240}))
    assert run["verdict"] == "OK" and run["stdout_bytes"] == 240 * KIB == len(run["stdout"])


def test_a_file_may_be_larger_than_any_output(server):
    """A limit of files below the cap of output would end a program before its overflow shows."""
    code = "import os\nwith open('big', 'wb') as f:\n    for _ in range(200): f.write(b'z' * 1000000)\nprint(os.path.getsize('big'))\n"
    run, _ = run_of(directly(server, {"language": "python3", "code": code, "timeout": 60}))
    assert run["verdict"] == "OK" and run["stdout"] == "200000000\n", run


def test_limits_of_a_process(server):
    names = ("CORE", "FSIZE", "NOFILE", "SIGPENDING", "NPROC", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO", "AS", "CPU")
    code = f"import json, resource\nprint(json.dumps({{n: resource.getrlimit(getattr(resource, 'RLIMIT_' + n)) for n in {names}}}))\n"
    run, _ = run_of(directly(server, {"language": "python3", "code": code, "timeout": 7, "max_memory_mb": 512}))
    limits = {name: hard for name, (soft, hard) in json.loads(run["stdout"]).items() if soft <= hard}
    assert set(limits) == set(names)
    assert 512 * MIB < limits.pop("AS") <= 1024 * MIB
    assert 7 <= limits.pop("CPU") <= 7 * os.cpu_count() + 10  # a bound that holds should the wall clock not be kept
    assert limits == {"CORE": 1, "FSIZE": 256 * MIB, "NOFILE": 640, "SIGPENDING": 1024, "NPROC": 256, "MEMLOCK": 64 * KIB, "MSGQUEUE": 0, "NICE": 0, "RTPRIO": 0}


@pytest.mark.parametrize("soft, hard, most", [(256, 4096, 640), (64, 64, 64)])
def test_few_descriptors_for_the_server(soft, hard, most):
    """The client's soft limit is no bound, its hard limit is, for programs as well."""
    with Server(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))) as server:
        server.initialize()
        for arguments in ({"language": "bash", "code": "ulimit -n"}, {"language": "python3", "code": "import resource\nprint(resource.getrlimit(7)[1])"}):
            run = server.call("execute_code", arguments)
            assert run["stdout"] == f"{most}\n", run


def test_too_few_descriptors_for_the_server():
    with Server(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))) as server:
        server.initialize()
        run = server.call("execute_code", {"language": "bash", "code": "echo up"})
        assert run["code"] == "resource_exhausted" and "Too many open files" in run["error"] and "ulimit" in run["remedy"], run


# ---- time ----


SPIN = "#include <string>\nint main() { std::string s; for (volatile int i = 0;; i = i + 1) { } }\n"
# A file that includes itself twice, a hundred deep, is never read to its end.
ENDLESS = "#if __INCLUDE_LEVEL__ < 100\n#include __FILE__\n#include __FILE__\n#endif\nint main(void) { return 0; }\n"


def test_time_is_one_budget_for_compiling_and_running(server):
    run, _ = run_of(directly(server, {"language": "cpp", "code": SPIN, "timeout": 12, "max_cpu": 60}))
    assert run["verdict"] == "TLE" and run["timed_out"] and run.get("phase") != "compile", run
    assert run["compile_ms"] > 100 and run["duration_ms"] > 100
    assert 11900 <= run["total_ms"] <= 12900 and run["compile_ms"] + run["duration_ms"] <= run["total_ms"] + 2, run


def test_a_compiler_has_no_more_time_than_the_call(server):
    run, _ = run_of(directly(server, {"language": "c", "code": ENDLESS, "timeout": 2}))
    assert run["verdict"] == "TLE" and run["phase"] == "compile" and run["timed_out"], run
    assert 1900 <= run["total_ms"] <= 2900, run


@on_every_path
def test_the_whole_tree_ends_with_the_time(server, path):
    """Also what has left the process group and the session, and ignores signals."""
    tree = "trap '' TERM HUP INT\n(trap '' TERM HUP INT; setsid sleep 71.5 &)\nsetsid bash -c 'trap \"\" TERM; sleep 72.5; sleep 73.5' &\nsleep 74.5\n"
    run, _ = run_of(path(server, {"language": "bash", "code": tree, "timeout": 1}))
    assert run["verdict"] == "TLE", run
    wait_until(lambda: not sleepers(), 1)


def sleepers():
    found = []
    for entry in os.listdir("/proc"):
        try:
            words = pathlib.Path("/proc", entry, "cmdline").read_bytes().split(b"\0") if entry.isdigit() else []
        except OSError:
            continue
        if words[:1] == [b"sleep"] and words[1] in (b"71.5", b"72.5", b"73.5", b"74.5"):
            found.append(entry)
    return found


# ---- what is closed, and what is not ----


NETWORK = """
import os, socket
with socket.create_server(("127.0.0.1", 0)) as listener:
    c = socket.create_connection(listener.getsockname())
    s, _ = listener.accept()
    c.sendall(b"loopback"); print(s.recv(8).decode())
with socket.socket(socket.AF_UNIX) as listener:
    listener.bind("here"); listener.listen()
    c = socket.socket(socket.AF_UNIX); c.connect("here")
    s, _ = listener.accept()
    c.sendall(b"unix"); print(s.recv(4).decode())
for address in (("192.0.2.1", 80), ("2001:db8::1", 80)):
    try: socket.create_connection(address, 3); print("OUT")
    except OSError as e: print("no", address[0], type(e).__name__)
print([line.split(":")[0].strip() for line in open("/proc/net/dev") if ":" in line])
"""


@on_every_path
def test_no_network_is_no_network_and_leaves_local_sockets(server, path):
    run, _ = run_of(path(server, {"language": "python3", "code": NETWORK}))
    lines = run["stdout"].splitlines()
    assert lines[:2] == ["loopback", "unix"] and lines[4] == "['lo']" and "OUT" not in run["stdout"], run
    assert not run.get("network") and "no_net" not in run.get("unenforced", [])


@on_every_path
def test_every_run_says_what_it_was_isolated_by(server, path):
    result = path(server, {"language": "bash", "code": "echo"})
    run, receipt = run_of(result)
    assert receipt["isolation"] == {"level": "full", "network": False}, receipt
    assert result["_meta"]["codecalc/receipt"]["backend"]
    assert "filesystem_isolation" not in run.get("unenforced", [])


SECRET = "canary-2f4c9be17d"
LOOKS = {
    "python3": "import os\nprint(os.environ)\nfor p in ('self', '1', str(os.getppid())):\n    for f in ('environ', 'cmdline', 'stat'):\n"
    "        try: print(open(f'/proc/{p}/{f}', 'rb').read())\n        except OSError as e: print(e)\n",
    "bash": "env; set; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'\n",
    "perl": "print %ENV; open my $f, '<', '/proc/self/environ'; print <$f>;\n",
    "node": "console.log(process.env, require('fs').readFileSync('/proc/self/environ', 'utf8'))\n",
    "c": "#include <stdio.h>\nextern char **environ;\n__asm__(\".section .rodata\\nseen: .incbin \\\"/proc/self/environ\\\"\\n.byte 0\\nseen_end:\\n.previous\\n\");\n"
    "extern const char seen[], seen_end[];\nint main(void) { for (char **e = environ; *e; e++) puts(*e); fwrite(seen, 1, (size_t)(seen_end - seen), stdout); return 0; }\n",
}


def test_a_secret_of_the_server_reaches_nobody(tmp_path):
    """It is in the server's environment; it is in no answer, no log and no record."""
    env = {"A_SECRET": SECRET, "CODECALC_AUDIT_LOG": str(tmp_path / "audit.log"), "CODECALC_RUN_STATE_DIR": str(tmp_path / "runs")}
    with Server(env=env) as server:
        server.initialize()
        for language, code in LOOKS.items():
            for path in PATHS:
                result = path(server, {"language": language, "code": code, "timeout": 60})
                assert SECRET not in json.dumps(result), (language, path.__name__)
                run, _ = run_of(result)
                assert run["verdict"] == "OK" or run.get("phase") == "compile", result
        assert SECRET not in json.dumps(server.call("runtime_probe", {"language": "python3"}))
    texts = [f.read_text() for f in tmp_path.rglob("*") if f.is_file()]
    assert len(texts) > len(LOOKS) and not any(SECRET in text for text in texts)


# ---- below full isolation ----


def without_namespaces():
    """In the server's process, before it is executed: as in a container that may make no namespaces."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0:
        assert libc.prctl(24, 21, 0, 0, 0) == 0  # PR_CAPBSET_DROP, CAP_SYS_ADMIN
        return
    assert libc.unshare(0x10000000) == 0  # CLONE_NEWUSER; and no further one in there
    pathlib.Path("/proc/sys/user/max_user_namespaces").write_text("0")


def test_less_isolation_is_told_and_can_be_refused():
    with Server(preexec_fn=without_namespaces) as server:
        server.initialize()
        run, receipt = run_of(directly(server, {"language": "bash", "code": "echo ran"}))
        assert run["stdout"] == "ran\n" and receipt["isolation"]["level"] == "restricted" and receipt["isolation"]["reason"]
        assert {"host_metadata", "disk_limit"} <= set(run["unenforced"])
    with Server(preexec_fn=without_namespaces, env={"CODECALC_REQUIRE_ISOLATION": "full"}) as server:
        server.initialize()
        run = server.call("execute_code", {"language": "bash", "code": "echo ran"})
        assert run["ok"] is False and run["code"] == "permission_denied" and "CODECALC_REQUIRE_ISOLATION" in run["error"] and run["remedy"], run
        assert "stdout" not in run


def the_only_user():
    """In the server's process, before it is executed: root of a user namespace that maps nobody else."""
    libc, user, group = ctypes.CDLL(None, use_errno=True), os.geteuid(), os.getegid()
    assert libc.unshare(0x10000000) == 0  # CLONE_NEWUSER
    pathlib.Path("/proc/self/setgroups").write_text("deny")
    pathlib.Path("/proc/self/uid_map").write_text(f"0 {user} 1")
    pathlib.Path("/proc/self/gid_map").write_text(f"0 {group} 1")


def test_root_that_is_the_only_user_isolates_like_anybody():
    with Server(preexec_fn=the_only_user) as server:
        server.initialize()
        run, receipt = run_of(directly(server, {"language": "bash", "code": "id -u; grep CapEff /proc/self/status"}))
    assert run["stdout"] == "1000\nCapEff:\t0000000000000000\n" and receipt["isolation"]["level"] == "full", (run, receipt)


def root_where_no_user_namespace_can_be_made():
    """In the server's process, before it is executed: root of a user namespace that has every id and allows no further one."""
    libc, me = ctypes.CDLL(None, use_errno=True), os.getpid()
    ready, go = os.pipe()
    helper = os.fork()
    if not helper:
        os.read(ready, 1)
        for name in ("uid_map", "gid_map"):
            pathlib.Path(f"/proc/{me}/{name}").write_text("0 0 4294967294")
        os._exit(0)
    assert libc.unshare(0x10000000) == 0  # CLONE_NEWUSER
    os.write(go, b"x")
    assert os.waitpid(helper, 0)[1] == 0
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    pathlib.Path("/proc/sys/user/max_user_namespaces").write_text("0")


TOUCHES_INIT = """
import os
idle = os.sched_param(0)
for touch in (lambda: os.sched_setscheduler(1, os.SCHED_IDLE, idle), lambda: os.sched_setaffinity(1, {0}), lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
              lambda: os.kill(1, 19), lambda: os.listdir("/proc/1/fd"), lambda: os.setuid(0)):
    try: print("DONE", touch())
    except OSError as e: print(e.errno)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="not root: a server that is not root has a user namespace or no full isolation")
def test_without_user_namespaces_init_stays_out_of_reach():
    """Init and the program have the same user on the host then: what the kernel asks for besides is all that keeps them apart."""
    with Server(preexec_fn=root_where_no_user_namespace_can_be_made) as server:
        server.initialize()
        run, receipt = run_of(directly(server, {"language": "python3", "code": TOUCHES_INIT}))
        assert receipt["isolation"]["level"] == "full" and "user_namespace" in run["unenforced"], run
        assert run["stdout"].split() == ["1", "1", "1", "1", "13", "1"], run


def where_no_host_name_can_be_set():
    """In the server's process, before it is executed: as in a container that lets namespaces be made and refuses what comes after it."""
    code = [(0x20, 0, 0, 0), (0x15, 0, 1, {"x86_64": 170, "aarch64": 161}[os.uname().machine]), (0x06, 0, 0, 0x00050000 | errno.EPERM), (0x06, 0, 0, 0x7FFF0000)]
    filter = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(filter)))
    libc = ctypes.CDLL(None)
    assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0


def test_a_sandbox_that_fails_while_it_is_given_its_order_still_says_why():
    """Its end with the order unread must not hide what it had said: the next lower level is tried then."""
    with Server(preexec_fn=where_no_host_name_can_be_set) as server:
        server.initialize()
        for _ in range(20):
            run, receipt = run_of(directly(server, {"language": "bash", "code": "echo ran"}))
            assert run.get("stdout") == "ran\n" and receipt["isolation"]["level"] == "restricted", run
            assert "sethostname" in receipt["isolation"]["reason"]


FORKS = """
import os, sys, time
n = 0
try:
    while n < 400:
        if os.fork() == 0: time.sleep(60); os._exit(0)
        n += 1
except BlockingIOError: pass
print(n)
"""


@pytest.mark.parametrize("setting, below, most", [("CODECALC_MAX_PROCESSES", False, 20), ("CODECALC_PROCESS_HEADROOM", True, 30)])
def test_processes_are_counted(setting, below, most):
    """In full isolation its own ones alone; below it on top of what its user runs already, measured when it starts."""
    # Started by root, a program is somebody who may not look into a home.
    with Server(env={setting: str(most), "CODECALC_RUNTIME_PATH": "/usr/bin"}, preexec_fn=without_namespaces if below else None) as server:
        server.initialize()
        run, _ = run_of(directly(server, {"language": "python3", "code": FORKS, "timeout": 30}))
        assert run["verdict"] == "OK", run
        made = int(run["stdout"])
        if below:
            assert made <= most and (made >= most // 2 or os.geteuid() != 0), made
        else:
            assert most // 2 <= made < most, made
