"""A raw client: starts the program, sends bytes, reads frames with deadlines, and watches its processes.

Used by the tests of the protocol itself; tests with an official client are in test_sdk.py. Every frame that arrives is
checked: one line, strict JSON, and valid against the official schema of its era where that is at hand.
"""

import atexit
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
BINARY = pathlib.Path(os.environ.get("CODECALC_BIN", ROOT / "build" / "codecalc")).resolve()
# Builds with sanitizers are slower: bounds on time are multiplied by this.
SLOW = 8 if os.environ.get("CODECALC_SLOW") else 1

LEGACY = "2025-11-25"
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
}


def without_duplicates(pairs):
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError(f"duplicate key among {[k for k, _ in pairs]}")
    return result


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def strict_loads(text):
    return json.loads(text, object_pairs_hook=without_duplicates, parse_constant=no_constant)


# ---- the official schemas ----

RESULT = {
    "initialize": "InitializeResult",
    "ping": "EmptyResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "subscriptions/listen": "SubscriptionsListenResult",
}


def load_schemas():
    found = {}
    for version in (LEGACY, MODERN):
        path = SHARED / "mcp" / f"schema-{version}.json"
        if path.exists():
            found[version] = json.loads(path.read_text())["$defs"]
    return found


SCHEMAS = load_schemas()
validators = {}


def validate(version, name, value):
    """Checks a value against one definition of the schema of an era; does nothing where the schemas are not at hand."""
    if version not in SCHEMAS:
        return
    if (version, name) not in validators:
        schema = {"$ref": f"#/$defs/{name}", "$defs": SCHEMAS[version]}
        validators[version, name] = jsonschema.Draft202012Validator(schema)
    validators[version, name].validate(value)


RUN_STATE = tempfile.mkdtemp(prefix="codecalc-tests-")
atexit.register(shutil.rmtree, RUN_STATE, ignore_errors=True)

# ---- processes ----


def process_start(pid):
    """When a process began, in ticks since boot: tells it from a later one with the same number. None when it is gone."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]


def process_tree(root):
    """{pid: start} of a process and all its descendants."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = pathlib.Path(f"/proc/{entry}/stat").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            children.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry))
    tree, queue = {}, [root]
    while queue:
        pid = queue.pop()
        start = process_start(pid)
        if start is not None:
            tree[pid] = start
        queue.extend(children.get(pid, ()))
    return tree


def survivors(tree):
    return [pid for pid, start in tree.items() if process_start(pid) == start]


def assert_all_gone(tree, within=1.0):
    """Every process of a tree ends within some seconds."""
    deadline = time.monotonic() + within * SLOW
    while survivors(tree):
        if time.monotonic() > deadline:
            left = {pid: pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() for pid in survivors(tree)}
            raise AssertionError(f"still alive after {within * SLOW} s: {left}")
        time.sleep(0.005)


def wait_until(condition, within=5.0):
    deadline = time.monotonic() + within * SLOW
    while not (value := condition()):
        assert time.monotonic() < deadline, "timed out waiting"
        time.sleep(0.005)
    return value


# ---- the client ----


class Closed(Exception):
    """The server closed its output."""


class Server:
    """One server process. As a context manager it also checks, at the end, that nothing is left of it."""

    def __init__(self, *args, env=None, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more):
        # What a test does not set is as on a machine without settings, but nothing is written into the home of who runs the tests.
        unset = {k: v for k, v in os.environ.items() if not k.startswith("CODECALC_")}
        environment = unset | {"CODECALC_AUDIT_LOG": "", "CODECALC_RUN_STATE_DIR": RUN_STATE} | (env or {})
        self.process = subprocess.Popen(
            [BINARY, "serve", *args], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, env=environment, **more
        )
        self.pid = self.process.pid
        self.pending = b""
        self.sent = {}  # id → (method, era) of the requests not answered yet
        self.era = LEGACY
        self.next_id = 1
        self.tree = {}

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.note_processes()
        if self.process.poll() is None:
            if self.process.stdin and not self.process.stdin.closed:
                self.process.stdin.close()
            try:
                self.process.wait(5 * SLOW)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                if kind is None:
                    raise AssertionError("the server did not end after its input was closed") from None
        if self.process.stdout:
            self.process.stdout.close()
        if kind is None:
            assert_all_gone(self.tree)
            self.no_sanitizer_report()
        self.process.stderr.close()

    def no_sanitizer_report(self):
        """Whatever process of ours a sanitizer stops, it says so on stderr."""
        os.set_blocking(self.process.stderr.fileno(), False)
        said = self.process.stderr.read() or b""
        assert not any(word in said for word in (b"Sanitizer", b"runtime error:")), said.decode(errors="replace")

    def note_processes(self):
        self.tree |= process_tree(self.pid)
        return self.tree

    # sending

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        if isinstance(message.get("id"), (int, str)) and "method" in message:
            meta = (message.get("params") or {}).get("_meta") or {}
            modern = "io.modelcontextprotocol/protocolVersion" in meta
            self.sent[type(message["id"]), message["id"]] = message["method"], MODERN if modern else LEGACY
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def start(self, method, params=None, id=None, modern=False):
        """Sends a request and returns its id."""
        if id is None:
            id, self.next_id = self.next_id, self.next_id + 1
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        if modern:
            params = {**(params or {}), "_meta": META | (params or {}).get("_meta", {})}
        if params is not None:
            message["params"] = params
        self.send(message)
        return id

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method} | ({"params": params} if params is not None else {}))

    # receiving

    def line(self, timeout=10.0):
        deadline = time.monotonic() + timeout * SLOW
        while b"\n" not in self.pending:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError(f"no frame within {timeout * SLOW} s; so far {self.pending[:200]!r}")
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                raise Closed(f"output ended; left over: {self.pending[:200]!r}")
            self.pending += data
        line, _, self.pending = self.pending.partition(b"\n")
        return line

    def frame(self, timeout=10.0):
        line = self.line(timeout)
        assert not line.endswith(b"\r") and line, f"not a frame: {line!r}"
        message = strict_loads(line.decode("utf-8"))
        self.check(message)
        return message

    def check(self, message):
        assert message.get("jsonrpc") == "2.0", message
        if "method" in message:
            assert "id" not in message, f"the server sent a request: {message}"
            modern_only = message["method"].startswith("notifications/subscriptions/")
            validate(MODERN if modern_only else LEGACY, "ServerNotification", message)
            return
        key = type(message.get("id")), message.get("id")
        method, era = self.sent.pop(key, (None, MODERN))
        if "error" in message:
            validate(era, "JSONRPCErrorResponse", message)
            assert message["error"]["message"], message
            return
        validate(era, "JSONRPCResultResponse", message)
        assert method is not None, f"an answer to nothing: {message}"
        if method in RESULT:
            validate(era, RESULT[method], message["result"])
        if method == "tools/call":
            check_call_result(message["result"])
        if era == MODERN:
            assert message["result"]["resultType"] == "complete"
            assert message["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "codecalc"
        else:
            assert not {"resultType", "ttlMs", "cacheScope"} & set(message["result"]), message

    def nothing(self, seconds=0.15):
        """Asserts that no frame arrives for a while."""
        try:
            line = self.line(seconds / SLOW)
        except TimeoutError:
            return
        raise AssertionError(f"unexpected frame: {line[:300]!r}")

    def response(self, id, timeout=10.0):
        """The response to one id; others that arrive before it must not."""
        message = self.frame(timeout)
        assert message.get("id") == id and type(message.get("id")) is type(id), message
        return message

    def request(self, method, params=None, timeout=10.0, **how):
        return self.response(self.start(method, params, **how), timeout)

    def result(self, method, params=None, **how):
        message = self.request(method, params, **how)
        assert "result" in message, message
        return message["result"]

    def start_call(self, tool, arguments=None, meta=None, **how):
        params = {"name": tool}
        if arguments is not None:
            params["arguments"] = arguments
        if meta is not None:
            params["_meta"] = meta
        return self.start("tools/call", params, **how)

    def call(self, tool, arguments=None, timeout=30.0, **how):
        """The result object of a tool call."""
        message = self.response(self.start_call(tool, arguments, **how), timeout)
        assert "result" in message, message
        return json.loads(message["result"]["content"][0]["text"])

    def initialize(self, version=LEGACY):
        result = self.result("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}})
        self.notify("notifications/initialized")
        return result

    # ending

    def signal(self, number):
        os.kill(self.pid, number)

    def end(self, within=2.0):
        """Waits for the exit status; a process that was killed by signal N gives -N."""
        return self.process.wait(within * SLOW)

    def eof(self, within=2.0):
        self.process.stdin.close()
        return self.end(within)

    def rest(self, timeout=10.0):
        """Every frame until the end of the output."""
        frames = []
        while True:
            try:
                frames.append(self.frame(timeout))
            except Closed:
                assert not self.pending, f"an unfinished frame: {self.pending[:200]!r}"
                return frames


def check_call_result(result):
    """One text block with one line of JSON, the same as structuredContent, "ok" first; a failure says what is wrong."""
    assert [block["type"] for block in result["content"]] == ["text"], result
    text = result["content"][0]["text"]
    assert "\n" not in text
    body = strict_loads(text)
    assert next(iter(body)) == "ok", text
    if "structuredContent" in result:
        assert result["structuredContent"] == body
    if result.get("isError"):
        assert body["ok"] is False
    if body["ok"] is False and "verdict" not in body:
        assert body["code"] in {
            "validation", "runtime_unavailable", "timeout", "resource_exhausted", "permission_denied", "dependency_missing",
            "worker_failure", "internal",
        }, text
        assert body["error"], text
    check_numbers(body)


def check_numbers(value):
    """No bare number that a double would round."""
    if isinstance(value, dict):
        for item in value.values():
            check_numbers(item)
    elif isinstance(value, list):
        for item in value:
            check_numbers(item)
    elif type(value) is int:
        assert abs(value) <= 2**53, f"{value} is a bare number past 2^53"


SLEEP = {"language": "python3", "code": "import time\ntime.sleep(60)", "timeout": 60}


def programs(server_pid):
    """{pid: start} of the running Python programs below a server."""
    found = {}
    for pid, start in process_tree(server_pid).items():
        try:
            if pid != server_pid and "python" in pathlib.Path(f"/proc/{pid}/comm").read_text():
                found[pid] = start
        except OSError:
            pass
    return found


def sleeping(server, modern=False):
    """Starts a call that sleeps, waits until its program runs, and returns its id."""
    before = set(programs(server.pid))
    id = server.start_call("execute_code", SLEEP, modern=modern)
    wait_until(lambda: set(programs(server.pid)) - before, 10)
    server.note_processes()
    return id
