#!/usr/bin/env python3
"""Measures speed and size side by side with what a user would pick instead, in one run, and reports ratios.

    bench.py PROGRAM TOOLS PEER RESULTS

PROGRAM is the release build, TOOLS the folder of `true` and `sandbox`, PEER the environment of the system that codecalc is
compared with. Prints each line as it is measured and writes them all to RESULTS.md, with a chart in RESULTS.svg. No time
makes it fail: the targets are shown beside what was measured. BENCH_ROUNDS=0.1 makes a tenth of the rounds, for a look.
"""

import datetime
import json
import os
import pathlib
import platform
import signal
import sys
import time

import algebra
import execution
from chart import draw
from client import Report, Server, median, memory, rounds
SUITES = "<!-- suites: written by make suites -->"  # where the section that tests/suites writes begins


def call(id, expr):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "calc_exact", "arguments": {"expr": expr}}}).encode() + b"\n"


def start_up(program, true, peer, report):
    ours, nothing = [], []
    for _ in range(rounds(150)):
        began = time.perf_counter()
        os.waitpid(os.posix_spawn(true, [true], os.environ), 0)
        nothing.append(time.perf_counter() - began)
        server = Server([program, "serve"])
        ours.append(server.hello())
        server.end()
    us, base = median(ours), median(nothing)
    report.add("spawn to first response", f"{us * 1e3:.2f} ms = {us / base:.1f} × the spawn of a static `true` ({base * 1e3:.2f} ms)", "≤ 5 ×", us / base <= 5)
    if peer:
        theirs = []
        for _ in range(5):
            server = Server(peer)
            theirs.append(server.hello())
            server.end()
        them = median(theirs)
        report.add("the same beside the peer", f"{them / us:.0f} × faster (peer: {them * 1e3:.0f} ms)", "≥ 200 ×", them / us >= 200)


def idle(program, report):
    server = Server([program, "serve"])
    server.hello()
    time.sleep(1.0)  # what is made when idle is made by now
    pss, processes, _ = memory(server.pid)
    report.add("idle memory before the first call", f"{pss / 1024:.1f} MiB PSS in {processes} processes", "≤ 10 MiB", pss <= 10 * 1024)
    server.end()


def round_trips(program, peer, report):
    def p50(argv, count):
        server = Server(argv)
        server.hello()
        spent = []
        for id in range(1, count + 1):
            data = call(id, f"{id}/7 + 1/3")
            began = time.perf_counter()
            server.send(data)
            server.line()
            spent.append(time.perf_counter() - began)
        server.end()
        return median(spent[count // 10:])

    us = p50([program, "serve"], rounds(5000))
    measured = f"p50 {us * 1e3:.3f} ms"
    if peer:
        them = p50(peer, rounds(200))
        measured += f", {them / us:.0f} × faster than the peer ({them * 1e3:.2f} ms)"
    report.add("warm calc_exact round trip", measured, "≤ 0.1 ms", us <= 1e-4)


def stream(server, calls, window):
    """Sends calls with at most `window` unanswered; returns how many were refused."""
    sent = received = refused = 0
    while received < len(calls):
        if sent < len(calls) and sent - received <= window // 2:
            upto = min(len(calls), received + window)
            server.send(b"".join(calls[sent:upto]))
            sent = upto
        data = os.read(server.output, 1 << 16)
        if not data:
            raise SystemExit("the server ended early")
        received += data.count(b"\n")
        refused += data.count(b'"isError":true')
    return refused


WINDOW = 200  # within the queue of 256


def pipelined(program, report):
    server = Server([program, "serve"])
    server.hello()
    calls = [call(id, f"{id} + 1/3") for id in range(1, rounds(10_000) + 1)]
    began = time.perf_counter()
    refused = stream(server, calls, WINDOW)
    rate = len(calls) / (time.perf_counter() - began)
    server.end()
    report.add(f"{len(calls):,} calls pipelined".replace(",", " "), f"{rate:,.0f} calls/s, {refused} refused", "≥ 20,000/s", rate >= 20_000 and not refused)


def growth(program, report):
    server = Server([program, "serve"])
    server.hello()

    def run(first, last):
        stream(server, [call(id, f"{id} * 3") for id in range(first, last)], WINDOW)
        time.sleep(0.5)
        return memory(server.pid)

    first, _, server_first = run(1, rounds(10_000))
    last, _, server_last = run(rounds(10_000), rounds(100_000))
    grown = last - first
    report.add("growth over 100 000 calls", f"{grown:+d} KiB PSS over all processes ({server_last - server_first:+d} KiB in the server), from the 10 000th call on",
               "none (≤ 256 KiB)", grown <= 256)
    server.end()


def listing(program, report):
    server = Server([program, "serve"])
    server.hello()
    server.send(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    tools = json.loads(server.line())["result"]["tools"]
    size = len(json.dumps(tools, separators=(",", ":"), ensure_ascii=False).encode())
    report.add("tools/list", f"{size / len(tools):.0f} bytes a tool ({size} bytes, {len(tools)} tools)", "≤ 500 bytes a tool", size / len(tools) <= 500)
    server.end()


def main():
    program, tools, peer, results = sys.argv[1:]
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    program, true = os.path.abspath(program), os.path.abspath(f"{tools}/true")
    peer = os.path.join(os.path.abspath(peer), "bin", "codecalc")
    peer = [peer, "serve"] if os.path.exists(peer) else None
    if peer is None:
        print("the peer is not installed: its lines are left out (scripts/setup.sh bench installs it)")
    report = Report()
    start_up(program, true, peer, report)
    idle(program, report)
    round_trips(program, peer, report)
    pipelined(program, report)
    growth(program, report)
    listing(program, report)
    algebra.measure(program, report)
    execution.measure(program, true, os.path.abspath(f"{tools}/sandbox"), peer, report)
    report.add("the program", f"{os.path.getsize(program) / 1e6:.1f} MB, one static file", "one file", True)
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    text = (
        "# Measured\n\n"
        f"By `make bench` on {datetime.date.today()}: {os.cpu_count()} cores ({model}), Linux {platform.release().split('-')[0]}. "
        "The peer is the package of `tests/bench/peer.txt`, started and called in the same run.\n\n"
        "![Times beside those of other ways](results.svg)\n\n"
        "| what | measured | target | met |\n|---|---|---|---|\n"
        + "".join(f"| {' | '.join(row)} |\n" for row in report.rows)
    )
    page = pathlib.Path(f"{results}.md")
    kept = page.read_text().partition(SUITES) if page.exists() else ("", "", "")  # another command's section
    page.write_text(text + (f"\n{kept[1]}{kept[2]}" if kept[1] else ""))
    pathlib.Path(f"{results}.svg").write_text(draw(report.bars))
    print(f"written to {results}.md and {results}.svg")


if __name__ == "__main__":
    main()
