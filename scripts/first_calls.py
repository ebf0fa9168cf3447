#!/usr/bin/env python3
"""Starts the server as a client does, makes one real call of each kind, and prints what came back.

    scripts/first_calls.py build/codecalc

Run by `make start`. Needs nothing but Python's standard library. Exit status 1 when a call did not give what it must.
"""

import json
import subprocess
import sys
import time

CALLS = [
    ("arithmetic, exact", "calc_exact", {"expr": "0.1 + 0.2 == 0.3"}, lambda r: r["value"] is True),
    ("a number of any size", "calc_exact", {"expr": "2**200"}, lambda r: r["value"] == str(2**200)),
    ("an irrational, certified", "calc_exact", {"expr": "exp(pi*sqrt(163))", "digits": 40}, lambda r: r["approx"].startswith("262537412640768743.999999999999250")),
    ("a threshold", "compare_threshold", {"a": "1/25", "op": ">", "b": "0.05"}, lambda r: r["holds"] is False),
    ("Python", "execute_code", {"language": "python3", "code": "print(sum(range(101)))"}, lambda r: r["stdout"] == "5050\n"),
    ("C", "execute_code", {"language": "c", "code": '#include <stdio.h>\nint main(void) { puts("hello from C"); }'}, lambda r: r["stdout"] == "hello from C\n"),
    ("C++", "execute_code", {"language": "cpp", "code": '#include <iostream>\nint main() { std::cout << 6 * 7 << "\\n"; }'}, lambda r: r["stdout"] == "42\n"),
    ("JavaScript", "execute_code", {"language": "node", "code": "console.log([1, 2, 3].map(x => x * x).join())"}, lambda r: r["stdout"] == "1,4,9\n"),
    ("shell", "execute_code", {"language": "bash", "code": "echo $((6 * 7))"}, lambda r: r["stdout"] == "42\n"),
    ("a time limit", "execute_code", {"language": "bash", "code": "sleep 30", "timeout": 1}, lambda r: r["verdict"] == "TLE"),
]


class Client:
    def __init__(self, program):
        self.server = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids = 0

    def request(self, method, params):
        self.ids += 1
        self.send({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        answer = json.loads(self.server.stdout.readline())
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def send(self, message):
        self.server.stdin.write(json.dumps(message).encode() + b"\n")
        self.server.stdin.flush()


def main():
    began = time.perf_counter()
    client = Client(sys.argv[1])
    hello = client.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "first-calls", "version": "1"}})
    spent = (time.perf_counter() - began) * 1000
    client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    print(f"{hello['serverInfo']['name']} {hello['serverInfo']['version']} answered {spent:.1f} ms after it was started")
    tools = client.request("tools/list", {})["tools"]
    print(f"{len(tools)} tools: {', '.join(tool['name'] for tool in tools)}\n")
    failed = False
    for what, tool, arguments, right in CALLS:
        began = time.perf_counter()
        result = client.request("tools/call", {"name": tool, "arguments": arguments})
        spent = (time.perf_counter() - began) * 1000
        text = result["content"][0]["text"]
        answer = json.loads(text)
        if answer.get("code") == "runtime_unavailable":
            mark = "skipped"
        elif (answer["ok"] or "verdict" in answer) and right(answer):
            mark = "ok"
        else:
            mark, failed = "WRONG", True
        print(f"{mark:7} {what} ({spent:.1f} ms)\n        {tool} {json.dumps(arguments, ensure_ascii=False)}\n        {text[:300]}")
    client.server.stdin.close()
    if client.server.wait(5) != 0:
        raise SystemExit("the server did not end in order")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
