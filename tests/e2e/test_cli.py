"""The command line: help, version, call, tools, doctor, completion. (setup is in test_cli_setup.py.)"""

import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import termios

import jsonschema
import pytest

from harness import BINARY, ROOT, SLOW

COMMANDS = ["serve", "call", "tools", "doctor", "setup", "status", "cleanup", "completion", "version", "help"]


def run(*args, stdin="", env=None, timeout=60, home=None):
    full = {**os.environ, **(env or {})}
    if home:
        full["HOME"] = str(home)
    return subprocess.run([BINARY, *args], input=stdin, capture_output=True, text=True, env=full, timeout=timeout * SLOW)


def on_terminal(*args, env=None, width=80):
    """What the program prints when its output is a terminal."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    full = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": ""} | (env or {})
    process = subprocess.Popen([BINARY, *args], stdin=child, stdout=child, stderr=child, env=full)
    os.close(child)
    out = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        out += part
    os.close(parent)
    return process.wait(), out.decode()


@pytest.mark.parametrize("width", [80, 200])
def test_what_is_read_fits_the_terminal(width):
    for args in (["tools"], ["tools", "execute_code"], ["doctor", "bash"], ["help"], *(["help", command] for command in COMMANDS)):
        _, out = on_terminal(*args, width=width)
        plain = re.sub(r"\x1b\[[0-9;]*[mK]", "", out).replace("\r", "")
        long = [line for line in plain.splitlines() if len(line) > width]
        assert not [line for line in long if not re.search(r"/|^Words for|\"", line)], (args, long)  # paths, and what is to be copied, are not broken


# ---- help and usage ----


def test_help_names_every_command():
    result = run("help")
    assert result.returncode == 0 and result.stderr == ""
    assert [line.split()[0] for line in result.stdout.splitlines() if line.startswith("  ")] == COMMANDS
    assert run("--help").stdout == run("-h").stdout == result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command(command):
    result = run("help", command)
    assert result.returncode == 0 and f"usage: codecalc {command}" in result.stdout
    assert run(command, "--help").stdout == result.stdout


@pytest.mark.parametrize(
    "args, said",
    [
        (["doktor"], "did you mean 'doctor'"),
        (["nothing-like-it"], "there is no command"),
        (["help", "serv"], "did you mean 'serve'"),
        (["doctor", "--dep"], "did you mean '--deep'"),
        (["version", "word"], "takes no words"),
        (["doctor", "--json=1"], "takes no value"),
        (["doctor", "--json", "--json"], "given twice"),
        (["setup", "--client"], "needs a value"),
        (["setup", "--client", "emacs"], "claude-desktop"),
        (["setup", "--client", "zed", "--project"], "no configuration file in a project"),
        (["serve", "--tools", "maths"], "--tools: unknown group or preset 'maths'; valid: core"),
        (["call", "calc_exact", "1+1"], "calc_exact takes: expr"),
        (["call", "list_languages", "c"], "list_languages takes none"),
        (["call", "execute_code", "language=bash", "code=env", "env=A"], "env='{"),
        (["call", "execute_code", "lang=bash", "code=env"], "did you mean 'language'"),
        (["call"], "needs the name of a tool"),
        (["call", "calc_exat", "expr=1"], "did you mean 'calc_exact'"),
        (["call", "calc_exact"], "expr"),
        (["call", "calc_exact", "exp=1"], "expr"),
        (["call", "calc_exact", "--json", "{"], "JSON"),
        (["call", "calc_exact", "--json", "{}", "expr=1"], "not both"),
        (["tools", "a", "b"], "one name"),
        (["completion", "csh"], "bash, zsh, fish"),
    ],
)
def test_usage_errors_exit_2_and_help(args, said):
    result = run(*args)
    assert result.returncode == 2
    assert result.stdout == ""
    assert said in result.stderr


def test_a_wrong_setting_is_a_usage_error():
    result = run("tools", env={"CODECALC_MAX_PROCESSES": "many"})
    assert result.returncode == 2 and "CODECALC_MAX_PROCESSES" in result.stderr


def test_without_arguments_it_serves_unless_on_a_terminal():
    answer = run(stdin='{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert answer.returncode == 0 and json.loads(answer.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}
    status, out = on_terminal()
    assert status == 0 and "usage: codecalc COMMAND" in out


def test_serve_with_tools_lists_only_those():
    request = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
    request += '{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
    answer = run("serve", "--tools", "core", stdin=request)
    names = {t["name"] for t in json.loads(answer.stdout.splitlines()[1])["result"]["tools"]}
    assert "calc_exact" in names and "execute_code" not in names


def test_the_man_page_names_every_command_option_and_the_version():
    page = (ROOT / "docs/codecalc.1").read_text().replace("\\-", "-")
    for command in COMMANDS:
        section = re.search(rf"^\.BR {command} .*$", page, re.M)
        assert section, command
        for option in re.findall(r"^  (--[a-z-]+)", run("help", command).stdout, re.M):
            assert option in section.group(), (command, option)
    assert run("version").stdout.strip() in page
    settings = re.findall(r"^\| `(CODECALC_[A-Z_]+)`", (ROOT / "README.md").read_text(), re.M)  # which another test holds to the program's
    assert settings and not [name for name in settings if name not in page]


# ---- version ----


def test_version():
    result = run("--version")
    assert re.fullmatch(r"codecalc \d+\.\d+\.\d+\n", result.stdout)
    assert run("version").stdout == result.stdout
    report = json.loads(run("--version", "--json").stdout)
    assert "codecalc " + report["version"] + "\n" == result.stdout
    assert {"yyjson", "libuv", "libseccomp", "gmp", "mpfr", "flint", "z3", "tree-sitter"} <= set(report["libraries"])
    assert all(re.match(r"\d+\.\d+", v) for v in report["libraries"].values())
    assert len(report["grammars"]) == 30


# ---- call and tools ----


def test_call_prints_one_line_and_exits_by_ok():
    result = run("call", "calc_exact", "expr=0.1 + 0.2 == 0.3")
    assert result.returncode == 0 and result.stdout.count("\n") == 1 and result.stderr == ""
    assert json.loads(result.stdout)["value"] is True
    failed = run("call", "calc_exact", "expr=1/0")
    assert failed.returncode == 1 and json.loads(failed.stdout)["ok"] is False


def test_output_that_cannot_be_written_is_no_success():
    for args in (["call", "calc_exact", "expr=1"], ["tools"], ["help"], ["version"], ["doctor", "bash"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([BINARY, *args], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60 * SLOW)
        assert done.returncode == 1 and done.stderr.count("cannot be written") == 1, (args, done)


def test_call_takes_json():
    for result in (run("call", "calc_exact", "--json", '{"expr": "2**70"}'), run("call", "calc_exact", "--json", "-", stdin='{"expr": "2**70"}')):
        assert result.returncode == 0 and json.loads(result.stdout)["value"] == str(2**70)


def test_call_runs_a_program():
    result = run("call", "execute_code", "language=bash", "code=read x; echo got $x", "stdin=é=1")
    assert result.returncode == 0 and json.loads(result.stdout)["stdout"] == "got é=1\n"
    failed = run("call", "execute_code", "language=bash", "code=exit 3")
    assert failed.returncode == 1 and json.loads(failed.stdout)["exit_code"] == 3


def test_call_on_a_terminal_is_pretty():
    status, out = on_terminal("call", "calc_exact", "expr=6*7")
    assert status == 0 and "\x1b[34m" in out and out.count("\n") > 3
    plain = re.sub(r"\x1b\[[0-9;]*[mK]|\r", "", out)
    assert json.loads(plain)["value"] == "42"
    _, uncoloured = on_terminal("call", "calc_exact", "expr=6*7", env={"NO_COLOR": "1"})
    assert "\x1b[34m" not in uncoloured


@pytest.mark.parametrize("args", [["call", "calc_exact", "expr=2"], ["call", "execute_code", "language=bash", "code=sleep 2"], ["doctor", "--deep", "bash"], ["help"]])
def test_a_dumb_terminal_gets_no_escape_sequences(args):
    for env in ({"TERM": "dumb"}, {"TERM": ""}):
        _, out = on_terminal(*args, env=env)
        assert out and "\x1b" not in out, out


def test_a_call_that_lasts_says_on_a_terminal_that_it_runs():
    _, out = on_terminal("call", "execute_code", "language=bash", "code=sleep 3.5")
    assert "running for 2 s" in out and "running for 3 s" in out and re.search(r"\r\x1b\[K\{", out), out


def test_call_never_passes_escape_sequences_to_a_terminal():
    _, out = on_terminal("call", "execute_code", "language=bash", r"code=printf '\033]0;evil\007\033[31mred\302\2332J'")
    assert "\x1b]" not in out and "\x1b[31m" not in out and "\x9b" not in out and "red" in out


def test_tools():
    listing = run("tools")
    assert listing.returncode == 0 and "calculator" in listing.stdout and "calc_exact" in listing.stdout
    page = run("tools", "calc_exact")
    assert page.returncode == 0 and "expr" in page.stdout
    assert run("tools", "calc_exakt").returncode == 2
    every = json.loads(run("tools", "--json").stdout)
    assert {t["name"] for t in every} >= {"calc_exact", "execute_code"}
    assert json.loads(run("tools", "calc_exact", "--json").stdout) in every


# ---- doctor ----

SCHEMA = json.loads((ROOT / "docs/contract/doctor-v1.schema.json").read_text())


def doctor(*args, **kwargs):
    result = run("doctor", "--json", *args, **kwargs)
    assert result.stdout.count("\n") == 1
    report = json.loads(result.stdout)
    jsonschema.validate(report, SCHEMA)
    return result.returncode, report


def test_doctor_without_running_anything(tmp_path):
    status, report = doctor(home=tmp_path)
    assert status == 0 and report["ok"] and report["status_basis"] == "resolved"
    states = {r["name"]: r["status"] for r in report["runtimes"]}
    assert states["bash"] == "installed" and "available" not in states.values()
    assert report["client"]["mcpServers"]["codecalc"] == {"command": str(BINARY), "args": ["serve"]}
    assert {g["name"] for g in report["tools"]["groups"]} >= {"calculator", "execution"}
    assert report["tools"]["active"] == report["tools"]["total"]
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind


def test_doctor_deep_runs_the_languages_that_are_named():
    """Without names it runs all of them, in the same way: tests/e2e/test_languages.py does that with more programs."""
    status, report = doctor("--deep", "bash", "python3", "c++", timeout=300)
    assert status == 0 and report["status_basis"] == "executed"
    assert [(r["name"], r["status"]) for r in report["runtimes"]] == [("bash", "available"), ("python3", "available"), ("cpp", "available")]
    assert all(r["version"] for r in report["runtimes"])


def test_doctor_names_a_language_that_it_does_not_know():
    wrong = run("doctor", "pyton3")
    assert wrong.returncode == 2 and "unknown language 'pyton3'" in wrong.stderr and "did you mean 'python3'?" in wrong.stderr


def test_doctor_tells_a_broken_runtime(tmp_path):
    for name, script in (("python3", "#!/bin/sh\nexit 7\n"), ("node", "no program at all\n")):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    _, report = doctor("--deep", "python3", "node", env={"CODECALC_RUNTIME_PATH": str(tmp_path)}, timeout=300)
    states = {r["name"]: r for r in report["runtimes"]}
    assert states["python3"]["status"] == "unhealthy" and states["python3"]["detail"]
    assert states["node"]["status"] == "unhealthy"


def test_doctor_does_not_take_a_missing_tmp_for_writable(tmp_path):
    _, report = doctor("bash", env={"TMPDIR": str(tmp_path / "none"), "XDG_CACHE_HOME": str(tmp_path / "made-when-needed")})
    assert {f["name"]: f["writable"] for f in report["folders"]} == {"tmp": False, "cache": True}, report["folders"]


def test_doctor_exits_1_when_nothing_can_be_executed():
    status, report = doctor(env={"CODECALC_TOOLS": "maths"})
    assert status == 1 and not report["ok"] and "CODECALC_TOOLS" in report["blocker"] and "maths" in report["tools"]["error"]


@pytest.mark.parametrize("setting", ["CAPABILITY_POLICY=everything", "REQUIRE_ISOLATION=most", "EXECUTION_PROVIDER=docker", "GUEST_UID_BASE=0"])
def test_doctor_says_when_a_setting_refuses_every_program(setting):
    name, _, value = setting.partition("=")
    env = {f"CODECALC_{name}": value}
    status, report = doctor("bash", env=env)
    assert status == 1 and not report["ok"] and name in report["blocker"] and name in report["sandbox"]["refused"], report
    assert json.loads(run("call", "execute_code", "language=bash", "code=echo", env=env).stdout)["ok"] is False
    told = run("doctor", "bash", env=env)
    assert told.returncode == 1 and f"every program is refused: {'provider: ' if 'PROVIDER' in name else ''}" in told.stdout
    [provider] = json.loads(run("call", "list_execution_providers", env=env).stdout)["result"]
    assert provider["ready"] is (name == "EXECUTION_PROVIDER") and ("refused" in provider) is not provider["ready"], provider


def test_doctor_text():
    result = run("doctor", env={"LANG": "C.UTF-8", "LC_ALL": ""})
    assert result.returncode == 0 and "\x1b" not in result.stdout
    assert "\u2713 ok" in result.stdout and result.stdout.splitlines()[-1].startswith("verdict: ")
    for heading in ("Sandbox", "Languages", "Folders", "Libraries", "Tools", "Client", "Skill"):
        assert f"\n{heading}" in result.stdout
    ascii_only = run("doctor", env={"LANG": "C", "LC_ALL": "C"})
    assert ascii_only.stdout.isascii() and "+ ok" in ascii_only.stdout
    failed = run("doctor", env={"CODECALC_TOOLS": "maths"})
    assert failed.returncode == 1 and "fix: " in failed.stdout and "cannot be executed" in failed.stdout.splitlines()[-1]


def test_doctor_on_a_terminal_shows_progress_and_colour():
    status, out = on_terminal("doctor", "--deep", "bash")
    assert status == 0 and "running a program in bash" in out and "\x1b[32m" in out


# ---- completion ----


def complete_in_bash(line):
    script = 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _codecalc; printf "%s\\n" "${COMPREPLY[@]}"'
    path = subprocess.run([BINARY, "completion", "bash"], capture_output=True, check=True).stdout
    result = subprocess.run(["bash", "-c", script, "bash", "/dev/stdin", line], input=path, capture_output=True, timeout=20)
    # compopt complains when it is not called by the completion itself
    assert b"syntax" not in result.stderr
    return result.stdout.decode().split()


def test_bash_completion():
    assert complete_in_bash("codecalc doc") == ["doctor"]
    assert set(complete_in_bash("codecalc doctor --")) == {"--json", "--deep"}
    assert complete_in_bash("codecalc call calc_ex") == ["calc_exact"]
    assert "expr=" in complete_in_bash("codecalc call calc_exact ")
    assert "claude-code" in complete_in_bash("codecalc setup --client ")
    assert set(complete_in_bash("codecalc help ")) == set(COMMANDS)
    # the part before '=' is a word of its own to the shell
    assert "analysis" in complete_in_bash("codecalc call bits mode=")


@pytest.mark.parametrize("shell, check", [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
def test_completion_scripts_are_valid(shell, check, tmp_path):
    script = tmp_path / "script"
    script.write_bytes(subprocess.run([BINARY, "completion", shell], capture_output=True, check=True).stdout)
    assert "calc_exact" in script.read_text()
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, *check, str(script)], check=True, timeout=20)
