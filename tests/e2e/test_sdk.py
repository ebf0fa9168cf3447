"""The official clients, as they come: the Python SDK in both eras of the protocol, and the TypeScript SDK."""

import asyncio
import json
import os
import pathlib
import shutil
import subprocess
import time

import pytest
from mcp import Client, ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from harness import BINARY, LEGACY, MODERN, ROOT, SLOW

SERVER = StdioServerParameters(command=str(BINARY), args=["serve"], env={k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")} | {"CODECALC_AUDIT_LOG": ""})

PROGRAMS = {
    "python3": "import sys\nprint(sum(range(101)), sys.stdin.read())",
    "node": "process.stdin.on('data', d => console.log(5050, String(d)))",
    "c": '#include <stdio.h>\nint main(void) { char b[8] = {0}; fread(b, 1, 7, stdin); printf("%d %s\\n", 100 * 101 / 2, b); return 0; }',
    "cpp": '#include <iostream>\n#include <string>\nint main() { std::string s; std::cin >> s; std::cout << 5050 << " " << s << "\\n"; }',
    "bash": 'read -r line; echo 5050 "$line"',
}


def body(result):
    (block,) = result.content
    text = json.loads(block.text)
    assert result.structured_content == text
    return text


async def every_kind_of_call(client):
    """What a client does in a session; the same in both eras."""
    listed = await client.list_tools()
    names = {tool.name for tool in listed.tools}
    assert {"calc_exact", "execute_code"} <= names
    assert body(await client.call_tool("calc_exact", {"expr": "sqrt(2)*sqrt(2) == 2"}))["value"] is True
    assert body(await client.call_tool("calc_exact", {"expr": "2**100"}))["value"] == "1267650600228229401496703205376"
    for language, code in PROGRAMS.items():
        answer = body(await client.call_tool("execute_code", {"language": language, "code": code, "stdin": "hello"}))
        assert answer["ok"] is True and answer["stdout"].split() == ["5050", "hello"], answer
    wrong = await client.call_tool("calc_exact", {"expr": "1 +"})
    assert wrong.is_error and body(wrong)["code"] == "validation"
    failed = await client.call_tool("execute_code", {"language": "python3", "code": "raise SystemExit(3)"})
    assert body(failed)["ok"] is False and body(failed)["exit_code"] == 3 and body(failed)["verdict"] == "RTE"
    with pytest.raises(MCPError):
        await client.call_tool("no_such_tool", {})
    together = await asyncio.gather(*(client.call_tool("calc_exact", {"expr": f"{n}**2"}) for n in range(50)))
    assert [body(r)["value"] for r in together] == [str(n * n) for n in range(50)]


def test_python_legacy():
    async def run():
        async with stdio_client(SERVER) as (read, write), ClientSession(read, write) as session:
            result = await session.initialize()
            assert result.protocol_version == LEGACY
            assert result.server_info.name == "codecalc" and result.instructions
            await session.send_ping()
            await every_kind_of_call(session)

    asyncio.run(run())


def test_python_legacy_by_the_client_class():
    async def run():
        async with Client(SERVER, mode="legacy") as client:
            assert client.protocol_version == LEGACY
            await every_kind_of_call(client)

    asyncio.run(run())


@pytest.mark.parametrize("mode", ["auto", MODERN])
def test_python_modern(mode):
    async def run():
        async with Client(SERVER, mode=mode) as client:
            assert client.protocol_version == MODERN
            if mode == "auto":
                assert client.server_info.name == "codecalc" and client.instructions
            await every_kind_of_call(client)

    asyncio.run(run())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_progress_and_time_limit(mode):
    async def run():
        seen = []

        async def progress(done, total, message):
            seen.append(done)

        async with Client(SERVER, mode=mode) as client:
            arguments = {"language": "python3", "code": "import time; time.sleep(60)", "timeout": 5}
            answer = body(await client.call_tool("execute_code", arguments, progress_callback=progress))
            assert answer["verdict"] == "TLE" and answer["code"] == "timeout", answer
        assert seen and seen == sorted(set(seen))

    asyncio.run(run())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_output_is_streamed(mode):
    async def run():
        told = []

        async def progress(done, total, message):
            told.append(message)

        async with Client(SERVER, mode=mode) as client:
            arguments = {"language": "bash", "code": "for i in 1 2 3; do echo line $i; sleep 0.3; done"}
            answer = body(await client.call_tool("execute_code_stream", arguments, progress_callback=progress))
            assert answer["stdout"] == "line 1\nline 2\nline 3\n" and answer["streamed"] is True
        assert told == ["line 1\n", "line 2\n", "line 3\n"]

    asyncio.run(run())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_cancelled_by_the_client(mode):
    """The SDK abandons a call; the server stays of use, and ends at once with the connection."""

    async def run():
        async with Client(SERVER, mode=mode) as client:
            arguments = {"language": "python3", "code": "import time; time.sleep(60)", "timeout": 60}
            call = asyncio.create_task(client.call_tool("execute_code", arguments))
            await asyncio.sleep(0.7)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert body(await client.call_tool("calc_exact", {"expr": "6*7"}))["value"] == "42"
            began = time.monotonic()
        assert time.monotonic() - began < 1 * SLOW

    asyncio.run(run())


def test_typescript():
    environment = ROOT / "build" / "testenv"
    node = shutil.which("node")
    if node is None or not (environment / "node_modules").exists():
        pytest.skip("no node, or no TypeScript SDK: scripts/setup.sh test build/testenv installs them")
    script = pathlib.Path(__file__).parent / "ts" / "smoke.mjs"
    done = subprocess.run([node, script, environment.resolve() / "node_modules", BINARY], capture_output=True, text=True, timeout=50)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {"value": "5050", "stdout": "42\n", "error": "validation"}
