"""What running programs costs, beside bubblewrap, firejail, the peer and the bare runtime; and that a thousand runs leave nothing."""

import json
import os
import pathlib
import shutil
import subprocess
import time

from client import QUIET, Server, median, memory, rounds, tree

C = '#include <stdio.h>\nint main(void) { puts("1"); }\n'
SPIN = "x = 0\nfor i in range(%d): x += i * i\n"
IN_STOCK, FROM_NOTHING = "full isolation of a static `true`, sandbox in stock", "the same from nothing"
ISOLATION, PYTHON, CACHED = "A static program in full isolation", "python3 print(1), one call", "A small C program, compiled before, one call"


def run(id, language, code, **more):
    arguments = {"language": language, "code": code} | more
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "execute_code", "arguments": arguments}}).encode() + b"\n"


def timed_call(server, id, language, code):
    data = run(id, language, code)
    began = time.perf_counter()
    server.send(data)
    line = server.line()
    spent = time.perf_counter() - began
    if b'"verdict\\":\\"OK' not in line and b'"verdict":"OK' not in line:
        raise SystemExit(f"a run failed: {line.decode()[:300]}")
    return spent


def timed_spawn(argv):
    began = time.perf_counter()
    _, status = os.waitpid(os.posix_spawnp(argv[0], argv, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, QUIET, 1), (os.POSIX_SPAWN_DUP2, QUIET, 2)]), 0)
    spent = time.perf_counter() - began
    return spent if status == 0 else None


def isolation(true, sandbox, report):
    """Returns bubblewrap's command line, which the other comparisons take again."""
    if not shutil.which("bwrap"):
        for what, target in ((IN_STOCK, "≤ 0.35 ×"), (FROM_NOTHING, "≤ 0.7 ×")):
            report.skip(what, "bubblewrap is not installed", target)
        return None
    measured = json.loads(subprocess.check_output([sandbox, true, str(rounds(200))]))
    pool, nothing, bwrap = (median(measured[k]) / 1e6 for k in ("pool", "nothing", "bwrap"))
    ms = f"bubblewrap --unshare-all, the same mounts: {bwrap * 1e3:.2f} ms"
    report.add(IN_STOCK, f"{pool * 1e3:.2f} ms = {pool / bwrap:.2f} × ({ms})", "≤ 0.35 ×", pool / bwrap <= 0.35)
    report.add(FROM_NOTHING, f"{nothing * 1e3:.2f} ms = {nothing / bwrap:.2f} ×", "≤ 0.7 ×", nothing / bwrap <= 0.7)
    report.bar(ISOLATION, "codecalc, in stock", pool)
    report.bar(ISOLATION, "codecalc, from nothing", nothing)
    report.bar(ISOLATION, "bubblewrap", bwrap)
    what, target = "the same beside firejail --net=none --private", "faster"
    jail = ["firejail", "--quiet", "--noprofile", "--net=none", "--private", "--", true]
    spent = [timed_spawn(jail) for _ in range(rounds(20))] if shutil.which("firejail") else []
    if not spent or None in spent:
        report.skip(what, "firejail fails here" if spent else "firejail is not installed", target)
    else:
        report.add(what, f"{median(spent) / pool:.0f} × faster (firejail: {median(spent) * 1e3:.1f} ms)", target, median(spent) > pool)
        report.bar(ISOLATION, "firejail", median(spent))
    report.bar(ISOLATION, "nothing around it", median([timed_spawn([true]) for _ in range(rounds(50))]))
    return measured["command"]


def calls(program, command, peer, report):
    server = Server([program, "serve"])
    server.hello()
    theirs = Server(peer) if peer else None
    if theirs:
        theirs.hello()
    # The very interpreter, not what a version manager has put before it on the path.
    probe = json.loads(subprocess.check_output([program, "call", "runtime_probe", "language=python3"]))
    bare = [probe["tools"][0]["path"], "-c", "print(1)"]
    spent = {}

    def note(what, seconds):
        spent.setdefault(what, []).append(seconds)
        time.sleep(0.02)  # what is put in order after one must not slow down the next

    for i in range(rounds(60)):
        note("c", timed_call(server, 2 * i + 1, "c", C))
        if command:
            note("bwrap", timed_spawn(command))
        note("python", timed_call(server, 2 * i + 2, "python3", "print(1)"))
        note("bare", timed_spawn(bare))
        if theirs and i < rounds(15):
            note("peer c", timed_call(theirs, 2 * i + 1, "c", C))
            note("peer python", timed_call(theirs, 2 * i + 2, "python3", "print(1)"))
    server.end()
    p50 = {what: median(values[len(values) // 6:]) for what, values in spent.items()}  # the first ones compile and start
    c, python = p50["c"], p50["python"]
    what, target = "a C program that is kept, end to end", "≤ 0.5 ×"
    if command:
        report.add(what, f"{c * 1e3:.2f} ms = {c / p50['bwrap']:.2f} × that bubblewrap run of `true` ({p50['bwrap'] * 1e3:.2f} ms)", target, c / p50["bwrap"] <= 0.5)
        report.bar(CACHED, "bubblewrap, a static true", p50["bwrap"])
    else:
        report.skip(what, "bubblewrap is not installed", target)
    report.add("python3 `print(1)`, end to end", f"{python * 1e3:.2f} ms = {python / p50['bare']:.2f} × bare `python3 -c` ({p50['bare'] * 1e3:.2f} ms)", "≤ 0.25 ×",
               python / p50["bare"] <= 0.25)
    report.bar(CACHED, "codecalc", c)
    report.bar(PYTHON, "codecalc", python)
    report.bar(PYTHON, "bare python3 -c", p50["bare"])
    faster = {"c": "the same C program beside the peer, which has no isolation", "python": "the same Python program beside the peer"}
    for language, what in faster.items():
        if not theirs:
            report.skip(what, "the peer is not installed (scripts/setup.sh bench)", "≥ 10 ×")
    if theirs:
        theirs.end()
        report.add(faster["c"], f"{p50['peer c'] / c:.0f} × faster (peer: {p50['peer c'] * 1e3:.1f} ms)", "≥ 10 ×", p50["peer c"] / c >= 10)
        report.add(faster["python"], f"{p50['peer python'] / python:.1f} × faster (peer: {p50['peer python'] * 1e3:.1f} ms)", "≥ 10 ×",
                   p50["peer python"] / python >= 10)
        report.bar(CACHED, "the peer", p50["peer c"])
        report.bar(PYTHON, "the peer", p50["peer python"])


def parallel(program, report):
    """8 runs that compute, one after the other and all at once."""
    server = Server([program, "serve"])
    server.hello()
    cores, code = len(os.sched_getaffinity(0)), SPIN % rounds(3_000_000)
    timed_call(server, 1, "python3", code)
    one = sum(timed_call(server, 2 + i, "python3", code) for i in range(8))
    began = time.perf_counter()
    server.send(b"".join(run(100 + i, "python3", code) for i in range(8)))
    for _ in range(8):
        server.line()
    together = time.perf_counter() - began
    server.end()
    ways = min(cores, 8)
    report.add("8 computing runs at once", f"{one / together:.2f} × faster than one after the other, on {cores} cores", f"≥ {0.8 * ways:.1f} ×", one / together >= 0.8 * ways)


def ours(place):
    """The files there that bear our name, or belong to a user that only programs run as."""
    for entry in os.scandir(place):
        try:
            if "codecalc" in entry.name or entry.stat(follow_symlinks=False).st_uid >= 0x70000000:
                yield entry.path
        except FileNotFoundError:
            pass


def state(server):
    """What a run could leave behind on this machine, by kind."""
    pid = server.pid
    lines = {kind: pathlib.Path("/proc/sysvipc", kind).read_text().splitlines()[1:] for kind in ("shm", "sem", "msg")}
    places = [p for p in ("/tmp", "/dev/shm", "/dev/mqueue", "/var/tmp") if os.path.isdir(p)]
    groups = pathlib.Path("/sys/fs/cgroup")
    return {
        "processes": len(tree(pid)),
        "files": {path for place in places for path in ours(place)},
        "mounts": pathlib.Path(f"/proc/{pid}/mounts").read_text(),
        "ipc": lines,
        "cgroups": sum(1 for _ in groups.rglob("cgroup.procs")) if groups.is_dir() else 0,
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
    }


def leftovers(program, report):
    server = Server([program, "serve"])
    server.hello()

    def program_of(id):
        return run(id, "python3", "open('f', 'w'); print()") if id % 5 == 0 else run(id, "bash", ": >f; echo")

    def many(first, last):
        server.send(b"".join(program_of(i) for i in range(first, first + 4)))
        for id in range(first + 4, last + 4):
            server.line()
            if id < last:
                server.send(program_of(id))
        time.sleep(0.5)

    def left_since(before):
        after = state(server)
        return [kind for kind in before if before[kind] != after[kind] and not (kind == "files" and after[kind] <= before[kind])]

    n = rounds(1000)
    first_ones = max(n // 5, 20)
    many(1, first_ones)
    processes = 0  # until what waits for the next programs is complete
    for _ in range(10):
        known, processes = processes, len(tree(server.pid))
        if known == processes:
            break
        time.sleep(1)
    before, (_, _, first) = state(server), memory(server.pid)
    many(first_ones, first_ones + n)
    for _ in range(20):  # what the last ones left in order for the next ones counts, when it is made
        left = left_since(before)
        if not left:
            break
        time.sleep(0.1)
    _, _, last = memory(server.pid)
    server.end()
    grown = last - first
    report.add(f"after {n} runs", f"{'nothing left' if not left else 'left: ' + ', '.join(left)}; the server has {grown:+d} KiB", "no process, file, mount, segment, cgroup, descriptor; ≤ 256 KiB",
               not left and grown <= 256)


def measure(program, true, sandbox, peer, report):
    command = isolation(true, sandbox, report)
    calls(program, command, peer, report)
    parallel(program, report)
    leftovers(program, report)
