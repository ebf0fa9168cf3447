"""Integrals of files of cases, through the program, each answer checked in ball arithmetic.

    tests/suites/integrals.py [FILE ...] [--bin build/codecalc] [--seconds 2] [-k text] [--every n] [--show solved|open|wrong|all]

A case is a line {"expr", "var"}. It counts as solved when F' - f encloses zero at eight or more points and excludes it at none, as wrong when it is
excluded at one. Exit status 1 when an answer is wrong. Without FILE: the cases kept beside the repository, if they are there. Wants python-flint.
"""
import argparse
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import balls

HERE = os.path.dirname(os.path.abspath(__file__))
BESIDE = os.path.join(HERE, "..", "..", "..", "shared", "cases")
FILES = ("integrals-rubi-independent.jsonl", "integrals-rubi-sections.jsonl")


class Server:
    """The program as an MCP server; the tool evaluate_expression."""

    def __init__(self, path, seconds):
        self.path, self.seconds, self.p, self.n = path, seconds, None, 0

    def send(self, message):
        self.p.stdin.write(json.dumps(message) + "\n")
        self.p.stdin.flush()

    def ask(self, expr, var):
        if not self.p:
            self.p = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.send({"jsonrpc": "2.0", "id": 0, "method": "initialize",
                       "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "suite", "version": "1"}}})
            self.p.stdout.readline()
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.n += 1
        self.send({"jsonrpc": "2.0", "id": self.n, "method": "tools/call",
                   "params": {"name": "evaluate_expression", "arguments": {"expression": f"integrate({expr}, {var})", "timeout": self.seconds}}})
        line = self.p.stdout.readline()
        if not line:
            self.end()
            self.p = None
            return "? crashed"
        reply = json.loads(line)
        body = json.loads(reply["result"]["content"][0]["text"]) if "result" in reply else {"error": str(reply.get("error"))}
        value = str(body.get("expression", ""))
        if not body.get("ok") or "Integral(" in value or not value:
            return "? " + str(body.get("error", value))[:100]
        return value

    def end(self):
        if self.p:
            self.p.kill()
            self.p.wait()


def plain(expr):
    """The notation of the cases, as the program reads it."""
    for a, b in (("ProductLog", "LambertW"), ("FresnelS", "fresnels"), ("FresnelC", "fresnelc"), ("GAMMA(", "uppergamma(")):
        expr = expr.replace(a, b)
    return expr


def run(path, asked, a):
    count = {"solved": 0, "wrong": 0, "unchecked": 0, "open": 0}
    slow = 0
    rows = [json.loads(line) for line in open(path)]
    rows = [r for i, r in enumerate(rows) if (a.k in r["expr"] or a.k in r["id"]) and i % a.every == a.offset]
    started = time.time()
    for r in rows:
        t = time.time()
        F = asked.ask(plain(r["expr"]), r["var"])
        t = time.time() - t
        note = ""
        if F.startswith("?"):
            state = "open"
        else:
            try:
                good, bad, none = balls.check(plain(r["expr"]), F, r["var"])
                state = "wrong" if bad else "solved" if good >= 8 else "unchecked"
                note = f"[{good} agree, {none} unknown; differs at {bad[:4]}]" if state != "solved" else ""
            except (SyntaxError, RecursionError) as e:
                state, note = "unchecked", repr(e)[:80]
        slow += t > a.seconds
        count[state] += 1
        if a.show == "all" or a.show == state or state in ("wrong", "unchecked"):
            print(f"{state:9} {t:5.2f}s {r['expr']}  ->  {F[:300]} {note}", flush=True)
    n = len(rows)
    print(f"{os.path.basename(path)}: {count['solved']} of {n} solved ({100 * count['solved'] / max(n, 1):.1f} %), {count['wrong']} wrong, {count['unchecked']} not "
          f"checked, {count['open']} open, {slow} past {a.seconds:g} s; {time.time() - started:.0f} s in all")
    return count["wrong"]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("file", nargs="*")
    ap.add_argument("--bin", default="build/codecalc")
    ap.add_argument("--seconds", type=float, default=2)
    ap.add_argument("-k", default="")
    ap.add_argument("--every", type=int, default=1)
    ap.add_argument("--offset", type=int, default=0)
    ap.add_argument("--show", default="wrong")
    a = ap.parse_args()
    files = a.file or [f for f in (os.path.join(BESIDE, name) for name in FILES) if os.path.exists(f)]
    asked = Server(a.bin, a.seconds)
    wrong = sum(run(f, asked, a) for f in files)
    asked.end()
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
