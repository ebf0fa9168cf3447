"""What the measurements share: the leanest client that Python allows, what a process tree uses, and the lines of the report."""

import json
import os
import pathlib
import statistics
import time

HELLO = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}}).encode() + b"\n"
READY = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
QUIET = os.open(os.devnull, os.O_WRONLY)


class Server:
    """The leanest client that Python allows: a spawned process and two descriptors."""

    def __init__(self, argv):
        there_in, self.input = os.pipe()
        self.output, there_out = os.pipe()
        for fd in (self.input, self.output):
            os.set_inheritable(fd, False)
        self.began = time.perf_counter()
        self.pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, there_in, 0), (os.POSIX_SPAWN_DUP2, there_out, 1), (os.POSIX_SPAWN_DUP2, QUIET, 2)])
        os.close(there_in)
        os.close(there_out)
        self.buffer = b""

    def send(self, data):
        while data:
            data = data[os.write(self.input, data):]

    def line(self):
        while (at := self.buffer.find(b"\n")) < 0:
            data = os.read(self.output, 1 << 16)  # a larger buffer costs Python more than the call
            if not data:
                raise SystemExit("the server ended early")
            self.buffer += data
        line, self.buffer = self.buffer[:at], self.buffer[at + 1:]
        return line

    def hello(self):
        """Seconds from spawn to the first response."""
        self.send(HELLO)
        self.line()
        spent = time.perf_counter() - self.began
        self.send(READY)
        return spent

    def end(self):
        os.close(self.input)
        os.close(self.output)
        os.waitpid(self.pid, 0)


def rounds(n):
    """How often to measure."""
    return max(int(n * float(os.environ.get("BENCH_ROUNDS", "1"))), 5)


def median(values):
    return statistics.median(values)


def tree(pid):
    """A process and its descendants."""
    children = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = pathlib.Path(f"/proc/{entry}/stat").read_text()
        except OSError:
            continue
        children.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry))
    found, queue = [], [pid]
    while queue:
        found.append(queue.pop())
        queue += children.get(found[-1], [])
    return found


def memory(pid):
    """(PSS summed over all processes in KiB, number of processes, resident set of the server itself in KiB)."""
    total, processes, server = 0, tree(pid), 0
    for process in processes:
        for line in pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            name, value = line.split(":")[0], line.split()[1]
            if name == "Pss":
                total += int(value)
            if name == "Rss" and process == pid:
                server = int(value)
    return total, len(processes), server


class Report:
    def __init__(self):
        self.rows = []
        self.bars = []  # of the chart: (group, who, milliseconds)

    def bar(self, group, who, seconds):
        self.bars.append((group, who, seconds * 1e3))

    def skip(self, what, why, target):
        """A line that could not be measured here."""
        self.rows.append((what, f"not measured: {why}", target, ""))
        print(f"{what}: not measured: {why}", flush=True)

    def add(self, what, measured, target, met):
        self.rows.append((what, measured, target, "yes" if met else "**no**"))
        print(f"{what}: {measured} (target {target}: {'met' if met else 'MISSED'})", flush=True)
