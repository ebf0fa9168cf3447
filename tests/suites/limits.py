"""Limits of files of cases, through the program's tool `symbolic`, each answer compared as a number with the published one.

    tests/suites/limits.py [FILE ...] [--bin build/codecalc] [--seconds 2] [-k text] [--show solved|unknown|wrong|all]

A case is a line {"expr", "var", "point", "dir", "answer"} in the notation of Maxima (inf, minf, infinity for the complex infinity, und and ind
for "there is none"). Answers are compared at 30 digits (mpmath), parameters at a point inside the unit interval; never as strings.
Exit status 1 when an answer is wrong. Without FILE: the cases kept beside the repository, if they are there.
"""
import argparse
import ast
import json
import os
import re
import subprocess
import sys
import time

import mpmath as mp

HERE = os.path.dirname(os.path.abspath(__file__))
BESIDE = os.path.join(HERE, "..", "..", "..", "shared", "cases", "limits.jsonl")
INFINITE = {"inf": "oo", "minf": "-oo", "infinity": "zoo"}
# Maxima's names, as the program reads them.
NAMES = {"inf": "oo", "minf": "(-oo)", "infinity": "zoo", "signum": "sign", "expintegral_ei": "Ei", "expintegral_ci": "Ci", "expintegral_si": "Si",
         "gamma_incomplete": "uppergamma", "unit_step": "Heaviside", "log_gamma": "loggamma"}
mp.mp.dps = 30


class Server:
    """The program as an MCP server; the tool symbolic."""

    def __init__(self, path, seconds):
        self.seconds, self.n = seconds, 0
        self.p = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.send({"jsonrpc": "2.0", "id": 0, "method": "initialize",
                   "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "suite", "version": "1"}}})
        self.p.stdout.readline()
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.p.stdin.write(json.dumps(message) + "\n")
        self.p.stdin.flush()

    def ask(self, case):
        self.n += 1
        dirs = {"plus": "+", "minus": "-"}
        arguments = {"op": "limit", "expr": plain(case["expr"]), "var": case["var"], "point": plain(case["point"]), "timeout": self.seconds}
        if case.get("dir") and "inf" not in case["point"]:
            arguments["dir"] = dirs[case["dir"]]
        self.send({"jsonrpc": "2.0", "id": self.n, "method": "tools/call", "params": {"name": "symbolic", "arguments": arguments}})
        reply = json.loads(self.p.stdout.readline())
        return json.loads(reply["result"]["content"][0]["text"]) if "result" in reply else {"error": str(reply.get("error"))}

    def end(self):
        self.p.stdin.close()
        self.p.wait()


def plain(text):
    """The notation of the cases, as the program reads it."""
    for name, ours in NAMES.items():
        text = re.sub(rf"\b{name}\b", ours, text)
    return text


# What mpmath calls otherwise, or means otherwise.
FUNCTIONS = {"ceiling": mp.ceil, "Abs": abs, "Ei": mp.ei, "Si": mp.si, "Ci": mp.ci, "LambertW": mp.lambertw, "elliptic_k": mp.ellipk,
             "elliptic_e": mp.ellipe, "uppergamma": lambda s, z: mp.gammainc(s, z), "lowergamma": lambda s, z: mp.gammainc(s, 0, z),
             "polygamma": mp.psi, "digamma": mp.digamma, "log": lambda z, b=None: mp.log(z) / (mp.log(b) if b else 1)}
CONSTANTS = {"pi": mp.pi, "E": mp.e, "I": mp.mpc(0, 1), "EulerGamma": mp.euler, "Catalan": mp.catalan, "GoldenRatio": mp.phi}


def value(text):
    def go(n):
        if isinstance(n, ast.Expression):
            return go(n.body)
        if isinstance(n, ast.Constant):
            return mp.mpf(n.value) if isinstance(n.value, int) else mp.mpf(repr(n.value))
        if isinstance(n, ast.Name):
            if n.id in CONSTANTS:
                return +CONSTANTS[n.id]
            return mp.mpf(1) / 3 + mp.mpf(sum((i + 1) * ord(c) for i, c in enumerate(n.id)) % 97) / 311
        if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.USub):
            return -go(n.operand)
        if isinstance(n, ast.BinOp):
            a, b = go(n.left), go(n.right)
            ops = {ast.Add: lambda: a + b, ast.Sub: lambda: a - b, ast.Mult: lambda: a * b, ast.Div: lambda: a / b, ast.Pow: lambda: mp.power(a, b)}
            return ops[type(n.op)]()
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name):
            f = FUNCTIONS.get(n.func.id) or getattr(mp, n.func.id)
            return f(*(go(a) for a in n.args))
        raise ValueError(ast.dump(n))
    return go(ast.parse(text.replace("^", "**").strip(), mode="eval"))


def judge(case, body):
    """solved, unknown, wrong, or no question (the expression is a name whose definition the source gives elsewhere, or not read)."""
    wanted = case["answer"].strip()
    status, got = str(body.get("status", "")), str(body.get("limit", ""))
    if not body.get("ok", True) or "error" in body:
        return "unknown"
    if "does not exist" in status:
        if wanted in ("ind", "und"):
            return "solved"
        sides = {body.get("left"), body.get("right")}
        return "solved" if wanted == "infinity" and sides <= {"oo", "-oo", "zoo"} else "wrong"
    if not got:
        return "unknown"
    if wanted in ("ind", "und"):
        return "wrong"
    if wanted in INFINITE or got in INFINITE.values():
        return "solved" if got == INFINITE.get(wanted) or (wanted == "infinity" and got in INFINITE.values()) else "wrong"
    tolerance = mp.mpf(10) ** (-10 if re.search(r"\d\.\d", wanted) else -20) # a published decimal has its digits only
    a, b = value(got), value(wanted)
    return "solved" if abs(a - b) <= tolerance * max(1, abs(b)) else "wrong"


def no_question(case):
    name = case["expr"].strip()
    return (name.isidentifier() and name != case["var"]) or "box(" in case["point"]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("files", nargs="*")
    ap.add_argument("--bin", default="build/codecalc")
    ap.add_argument("--seconds", type=float, default=2)
    ap.add_argument("-k", default="")
    ap.add_argument("--show", default="wrong")
    a = ap.parse_args()
    files = a.files or ([BESIDE] if os.path.exists(BESIDE) else [])
    if not files:
        print("limits: no cases beside the repository")
        return 0
    rows = [json.loads(line) for name in files for line in open(name)]
    rows = [r for r in rows if a.k in r["expr"] or a.k in r["id"]]
    count = {"solved": 0, "unknown": 0, "wrong": 0, "no question": 0}
    server, started, slowest = Server(a.bin, a.seconds), time.time(), 0
    for r in rows:
        t = time.time()
        body = {} if no_question(r) else server.ask(r)
        slowest = max(slowest, time.time() - t)
        verdict = "no question" if no_question(r) else judge(r, body)
        count[verdict] += 1
        if a.show in (verdict, "all"):
            got = body.get("limit") or body.get("status") or body.get("error")
            print(f"{verdict}\t{r['id']}\t{r['expr']}\t{r['var']} -> {r['point']} {r['dir'] or ''}\twanted {r['answer']}\tgot {got}\t{body.get('left')}\t{body.get('right')}")
    server.end()
    asked = len(rows) - count["no question"]
    share = 100 * count["solved"] / asked if asked else 0
    print(f"limits: {count}, {share:.1f} % of {asked} questions solved, {time.time() - started:.1f} s, slowest {slowest:.2f} s")
    return 1 if count["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
