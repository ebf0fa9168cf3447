"""What the suites share: the program as an MCP server, values of answers in ball arithmetic, and their section of docs/results.md.

For whom: tests/suites/*.py and tests/bench/algebra.py. Values are read by balls.py (python-flint), never by the program itself.
"""
import datetime
import json
import pathlib
import re
import select
import subprocess
import sys
import time

import balls
from flint import acb, ctx

BESIDE = pathlib.Path(__file__).resolve().parents[3] / "shared" / "cases"  # the cases, where they are at hand
RESULTS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "results.md"
BEGIN, END = "<!-- suites: written by make suites -->\n", "<!-- suites end -->\n"


class Server:
    """One program for all calls; started anew when a call does not come back."""

    def __init__(self, path):
        self.path, self.p, self.n, self.buffer, self.spent = path, None, 0, b"", 0.0

    def start(self):
        self.p = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.buffer = b""
        self.send({"jsonrpc": "2.0", "id": 0, "method": "initialize",
                   "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "suite", "version": "1"}}})
        self.line(10)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.p.stdin.write(json.dumps(message).encode() + b"\n")
        self.p.stdin.flush()

    def line(self, within):
        end = time.monotonic() + within
        while b"\n" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.p.stdout], [], [], left)[0]:
                return None
            data = self.p.stdout.read1(1 << 16)
            if not data:
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def call(self, tool, arguments, within=30):
        """The result object; {"ok": False, "error": …} also when nothing came back. self.spent: seconds."""
        if not self.p:
            self.start()
        self.n += 1
        began = time.perf_counter()
        self.send({"jsonrpc": "2.0", "id": self.n, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        reply = self.line(within)
        self.spent = time.perf_counter() - began
        if reply is None:
            self.end()
            return {"ok": False, "code": "no_answer", "error": f"no answer within {within} s"}
        if "error" in reply:
            return {"ok": False, "code": "protocol", "error": reply["error"]["message"]}
        return json.loads(reply["result"]["content"][0]["text"])

    def end(self):
        if self.p:
            self.p.kill()
            self.p.wait()
            self.p.stdin.close()
            self.p.stdout.close()
            self.p = None


def value(text, **at):
    """The enclosure of an expression, its symbols having the values given; balls.Cannot when there is none."""
    ctx.prec = 200
    env = {name: balls.D(v if isinstance(v, acb) else value(str(v)) if isinstance(v, str) else acb(v)) for name, v in at.items()}
    return balls.evaluate(balls.read(text), env).v


def close(a, b, digits=25):
    """Two expressions (or enclosures) agree to that many digits."""
    a, b = (value(x) if isinstance(x, str) else acb(x) for x in (a, b))
    if not (balls.finite(a) and balls.finite(b)):
        return False
    return balls.magnitude(a - b) <= 10.0 ** -digits * max(1.0, balls.magnitude(b))


def same_set(got, wanted, digits=25):
    """Two lists of expressions have the same values, one to one."""
    left = list(wanted)
    for g in got:
        match = next((w for w in left if close(g, w, digits)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def tally(name, rows, shown):
    """Prints what shall be seen of (id, verdict, seconds, text); returns the counts."""
    count = {}
    for id, verdict, seconds, text in rows:
        count[verdict] = count.get(verdict, 0) + 1
        if shown == "all" or verdict in (shown, "wrong"):
            print(f"{verdict:14} {seconds * 1e3:7.1f} ms  {id}  {text}", flush=True)
    print(f"{name}: " + ", ".join(f"{n} {v}" for v, n in sorted(count.items(), key=lambda i: -i[1])), flush=True)
    return count


def record(line_of, text):
    """Keeps the row of one suite in its section of the results: the section is made when it is not there, and other rows stay."""
    page = RESULTS.read_text() if RESULTS.exists() else "# Measured\n\n"
    if BEGIN not in page:
        page = page.rstrip("\n") + "\n\n" + BEGIN + END
    before, rest = page.split(BEGIN)
    inside, after = rest.split(END)
    rows = {m[1]: m[0] for m in re.finditer(r"^\| ([^|]+) \|.*\|$", inside, re.M) if m[1] not in ("cases", "---")}
    rows[line_of] = f"| {line_of} | {text} | {datetime.date.today()} |"
    head = ("## Suites of cases\n\nBy `make suites`: each answer is checked by ball arithmetic (python-flint), never as text. \"Not solved\" is an honest \"not found\".\n\n"
            "| cases | outcome | target | SymPy 1.14 | on |\n|---|---|---|---|---|\n")
    RESULTS.write_text(before + BEGIN + head + "".join(r + "\n" for _, r in sorted(rows.items())) + END + after)


def program():
    return next((a.split("=", 1)[1] for a in sys.argv if a.startswith("--bin=")), "build/codecalc")
