"""`codecalc setup`: configuration files of clients are edited without losing a byte of anybody's. Everything runs in a temporary HOME."""

import copy
import fcntl
import json
import os
import random
import re
import shlex
import shutil
import stat
import subprocess
import tomllib

import pytest

from harness import BINARY, ROOT, SLOW

# client → (its file, the key of its servers, other members of its entry)
CLIENTS = {
    "claude-desktop": (".config/Claude/claude_desktop_config.json", "mcpServers", {}),
    "claude-code": (".claude.json", "mcpServers", {"type": "stdio"}),
    "cursor": (".cursor/mcp.json", "mcpServers", {}),
    "vscode": (".config/Code/User/mcp.json", "servers", {"type": "stdio"}),
    "zed": (".config/zed/settings.json", "context_servers", {"env": {}}),
    "windsurf": (".codeium/windsurf/mcp_config.json", "mcpServers", {}),
    "gemini": (".gemini/settings.json", "mcpServers", {}),
    "cline": (".cline/data/settings/cline_mcp_settings.json", "mcpServers", {}),
    "lmstudio": (".lmstudio/mcp.json", "mcpServers", {}),
}
CODEX = ".codex/config.toml"


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def setup(home, *args, cwd=None, env=None):
    full = {k: v for k, v in os.environ.items() if k not in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR")}
    full |= {"HOME": str(home), "LANG": "C.UTF-8", **(env or {})}
    return subprocess.run([BINARY, "setup", *args], capture_output=True, text=True, env=full, cwd=cwd or home, timeout=60 * SLOW)


def put(home, name, content):
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def tree(home):
    return {str(p.relative_to(home)): p.read_bytes() for p in home.rglob("*") if p.is_file()}


def entry(client):
    return {"command": str(BINARY), "args": ["serve"], **CLIENTS[client][2]}


# ---- a JSONC reader of our own ----


def jsonc(data):
    text = data.decode("utf-8-sig")
    decoder = json.JSONDecoder()

    def skip(i):
        while i < len(text):
            if text[i] in " \t\r\n":
                i += 1
            elif text.startswith("//", i):
                while i < len(text) and text[i] not in "\r\n":
                    i += 1
            elif text.startswith("/*", i):
                i = text.index("*/", i) + 2
            else:
                break
        return i

    def members(i, close, one):
        i = skip(i + 1)
        while text[i] != close:
            i = skip(one(i))
            if text[i] == ",":
                i = skip(i + 1)
            elif text[i] != close:
                raise ValueError(f"at {i}")
        return i + 1

    def value(i):
        if text[i] == "{":
            result = {}

            def member(i):
                if text[i] != '"':
                    raise ValueError(f"at {i}")
                key, i = decoder.raw_decode(text, i)
                i = skip(i)
                if text[i] != ":" or key in result:
                    raise ValueError(f"at {i}")
                result[key], i = value(skip(i + 1))
                return i

            return result, members(i, "}", member)
        if text[i] == "[":
            items = []

            def item(i):
                v, i = value(i)
                items.append(v)
                return i

            return items, members(i, "]", item)
        return decoder.raw_decode(text, i)

    i = skip(0)
    if i == len(text):
        return None
    result, i = value(i)
    if skip(i) != len(text):
        raise ValueError(f"at {i}")
    return result


# ---- random documents ----


class Document:
    """Makes JSONC with comments, trailing commas, odd spacing, any line ending, perhaps a BOM; sometimes with codecalc in it."""

    def __init__(self, seed, key):
        self.r = random.Random(seed)
        self.key = key
        self.eol = self.r.choice(["\n", "\n", "\r\n", "\r"])
        self.unit = self.r.choice(["  ", "    ", "\t", " "])
        self.comments = self.r.random() < 0.6
        self.trailing = self.r.random() < 0.4
        self.minified = self.r.random() < 0.2

    def trivia(self):
        out = ""
        for _ in range(0 if self.minified else self.r.choice([0, 0, 0, 1, 2])):
            kind = self.r.random()
            if kind < 0.3:
                out += self.r.choice([" ", "\t", "  "])
            elif kind < 0.5 and self.comments:
                out += "/*" + self.r.choice(["x", ' a "b" ', "{", "//", "\n*", ",", ' "codecalc": ']) + "*/"
            elif kind < 0.7 and self.comments:
                out += "//" + self.r.choice(["", ' c, } "', " /* "]) + self.eol
            elif kind < 0.8:
                out += self.eol
        return out

    def scalar(self):
        return self.r.choice(["1", "-0.5e3", "true", "null", '"x"', r'"a\"b\u00e9 // no"', '"/*"', '""', "12345678901234567890", '"ünï😀"'])

    def value(self, depth):
        kind = self.r.random()
        if depth > 3 or kind < 0.5:
            return self.scalar()
        if kind > 0.7:
            return self.object(depth, [])
        items = [self.trivia() + self.value(depth + 1) + self.trivia() for _ in range(self.r.randrange(4))]
        return "[" + ",".join(items) + ("," if items and self.trailing else "") + self.trivia() + "]"

    def object(self, depth, wanted):
        used, keys = set(wanted), list(wanted)
        for _ in range(self.r.randrange(4)):
            key = self.r.choice(["a", "b", "x y", "é", r"co\u0064e", "command", f"k{self.r.randrange(99)}"])
            if json.loads(f'"{key}"') not in used:
                used.add(json.loads(f'"{key}"'))
                keys.append(key)
        self.r.shuffle(keys)
        lines = not self.minified and self.r.random() < 0.8
        out = "{"
        for i, key in enumerate(keys):
            out += self.trivia()
            if lines:
                out += self.eol + self.unit * (depth + 1)
            if key == self.key and depth == 0:
                value = self.object(1, self.r.choice([[], [], ["codecalc"]]))
            elif key == "codecalc":
                value = self.r.choice(['{"command": "old", "args": [1]}', '{"url": "http://x"}', '"text"'])
            else:
                value = self.value(depth + 1)
            out += f'"{key}"' + self.trivia() + ":" + ("" if self.minified else " ") + value + self.trivia()
            if i < len(keys) - 1 or (self.trailing and self.r.random() < 0.8):
                out += "," + self.trivia()
        return out + (self.eol + self.unit * depth if lines else self.trivia()) + "}"

    def text(self):
        out = self.trivia() + self.object(0, self.r.choice([[], [self.key], [self.key]])) + self.trivia()
        if self.r.random() < 0.7 and not self.minified:
            out += self.eol
        return (b"\xef\xbb\xbf" if self.r.random() < 0.2 else b"") + out.encode()


@pytest.mark.parametrize("round_", range(12))
def test_random_documents_keep_every_other_byte(home, round_):
    before = {}
    for n, (client, (name, key, _)) in enumerate(CLIENTS.items()):
        before[client] = Document(round_ * 100 + n, key).text()
        put(home, name, before[client])
    names = ",".join(CLIENTS)
    assert setup(home, "--client", names, "--write", "--no-skill").returncode == 0
    written = {client: (home / CLIENTS[client][0]).read_bytes() for client in CLIENTS}
    had = {}
    for client, (name, key, _) in CLIENTS.items():
        old, new = before[client], written[client]
        want = copy.deepcopy(jsonc(old))
        had[client] = want.setdefault(key, {}).get("codecalc")
        kept = had[client] if isinstance(had[client], dict) and "command" in had[client] else None
        want[key]["codecalc"] = {**kept, "command": str(BINARY), "args": ["serve"]} if kept else entry(client)
        assert jsonc(new) == want, (old, new)
        if had[client] is None:  # one piece was inserted, and nothing else touched
            at = next(i for i in range(len(new)) if i == len(old) or old[i] != new[i])
            assert new.endswith(old[at:]), (old, new)
        assert (home / (name + ".codecalc-bak")).read_bytes() == old
    snapshot = tree(home)
    assert setup(home, "--client", names, "--write", "--no-skill").returncode == 0
    assert tree(home) == snapshot  # the second time changes nothing
    assert setup(home, "--client", names, "--write", "--remove", "--no-skill").returncode == 0
    for client, (name, key, _) in CLIENTS.items():
        after = (home / name).read_bytes()
        if had[client] is None:
            assert after == before[client]
        else:
            want = jsonc(before[client])
            del want[key]["codecalc"]
            assert jsonc(after) == want, (before[client], after)


def test_other_changes_since_are_kept_by_remove(home):
    path = put(home, ".cursor/mcp.json", '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n')
    assert setup(home, "--write").returncode == 0
    path.write_text(path.read_text().replace('"a": {}', '"a": {}, // new\n    "b": {}'))
    assert setup(home, "--write", "--remove").returncode == 0
    assert path.read_text() == '{\n  "mcpServers": {\n    "a": {}, // new\n    "b": {}\n  }\n}\n'


# ---- nothing, nowhere ----


def test_dry_run_writes_nothing_and_shows_the_lines(home):
    put(home, ".cursor/mcp.json", '{\n  "mcpServers": {\n    "a": {"env": {"TOKEN": "secret"}}\n  }\n}\n')
    before = tree(home)
    result = setup(home)
    assert result.returncode == 0 and tree(home) == before
    assert "+      \"args\": [\"serve\"]" in result.stdout and "secret" not in result.stdout
    assert "setup --write" in result.stdout and re.search(r"^verdict: (ready|degraded .*)$", result.stdout, re.M)


def test_a_dry_run_prints_the_command_that_does_just_that(home):
    put(home, ".cursor/mcp.json", "{}")
    put(home, ".config/zed/settings.json", "{}")
    result = setup(home, "--client", "zed", "--tools", "core, execution", "--no-skill")
    command = re.search(r"^Nothing was written. To do it: codecalc setup (.*)$", result.stdout, re.M)[1]
    before = tree(home)
    setup(home, *shlex.split(command))
    changed = {name for name, content in tree(home).items() if before.get(name) != content and not name.endswith("audit.log")}
    assert changed == {".config/zed/settings.json", ".config/zed/settings.json.codecalc-bak"}, command
    assert json.loads((home / ".config/zed/settings.json").read_text())["context_servers"]["codecalc"]["args"] == ["serve", "--tools", "core, execution"]


def test_a_reader_who_stops_reading_stops_nothing(home):
    for name, _, _ in CLIENTS.values():
        put(home, name, "{}")
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "CODECALC_AUDIT_LOG": ""}
    done = subprocess.run(["sh", "-c", f"{BINARY} setup --write | head -1"], env=env, cwd=home, capture_output=True, timeout=60 * SLOW)
    assert done.returncode == 0
    assert all(b"codecalc" in (home / name).read_bytes() for name, _, _ in CLIENTS.values())


def test_no_client_found(home):
    result = setup(home)
    assert result.returncode == 1 and "--client" in result.stdout and "verdict: not-ready" in result.stdout
    assert tree(home) == {}


@pytest.mark.parametrize("content", ["{broken", "[]", '{"mcpServers": []}', '{"mcpServers": {}, "mcpServers": {}}', '{"a": 1}}', b"\xff\xfe{\0}\0", b'{"a": "\xff"}'])
def test_what_does_not_parse_is_never_touched(home, content):
    put(home, ".cursor/mcp.json", content)
    before = tree(home)
    for args in ((), ("--write",)):
        result = setup(home, *args)
        assert result.returncode == 1 and tree(home) == before
        assert "left alone" in result.stdout
    holds_no_entry = content in ("[]", '{"mcpServers": []}')  # then there is nothing to take out
    assert setup(home, "--write", "--remove").returncode == (0 if holds_no_entry else 1) and tree(home) == before
    assert f'"command": "{BINARY}"' in setup(home, "--write").stdout  # the block to enter by hand


# ---- files that are not there, or empty ----


@pytest.mark.parametrize("client", CLIENTS)
def test_a_missing_file_is_made_and_removed_again(home, client):
    name, key, _ = CLIENTS[client]
    assert setup(home, "--client", client, "--write").returncode == 0
    assert json.loads((home / name).read_bytes()) == {key: {"codecalc": entry(client)}}
    assert setup(home, "--client", client, "--write", "--remove").returncode == 0
    assert tree(home) == {}


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf", b"{}", b"// nothing yet\n"])
def test_an_empty_file(home, content):
    path = put(home, ".config/zed/settings.json", content)
    assert setup(home, "--write").returncode == 0
    assert jsonc(path.read_bytes()) == {"context_servers": {"codecalc": entry("zed")}}
    assert path.read_bytes().startswith(b"\xef\xbb\xbf") == content.startswith(b"\xef\xbb\xbf")
    assert setup(home, "--write", "--remove").returncode == 0
    assert tree(home) == {".config/zed/settings.json": content}


# ---- what belongs to the file: mode, owner, links, locks ----


def test_mode_and_owner_are_kept(home):
    path = put(home, ".cursor/mcp.json", "{}")
    path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(path, 12345, 54321)
    before = path.stat()
    assert setup(home, "--write").returncode == 0
    for p in (path, home / ".cursor/mcp.json.codecalc-bak"):
        assert (p.stat().st_mode, p.stat().st_uid, p.stat().st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_a_new_file_obeys_the_umask(home):
    (home / ".cursor").mkdir()
    assert setup(home, "--write").returncode == 0
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((home / ".cursor/mcp.json").stat().st_mode) == 0o666 & ~mask


def test_a_symbolic_link_stays_and_its_target_changes(home):
    target = put(home, "dotfiles/cursor.json", "{}\n")
    (home / ".cursor").mkdir()
    link = home / ".cursor/mcp.json"
    link.symlink_to("../dotfiles/cursor.json")
    assert setup(home, "--write", "--no-skill").returncode == 0
    assert link.is_symlink() and "codecalc" in target.read_text()
    assert setup(home, "--write", "--remove").returncode == 0
    assert link.is_symlink() and target.read_text() == "{}\n"


def test_nothing_is_written_outside_the_home(home, tmp_path):
    outside = put(tmp_path, "outside/mcp.json", "{}")
    (home / ".cursor").symlink_to(outside.parent)
    result = setup(home, "--write")
    assert result.returncode == 1 and "outside" in result.stdout
    assert tree(tmp_path / "outside") == {"mcp.json": b"{}"}
    shutil.rmtree(tmp_path / "outside")
    (home / ".cursor").unlink()
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").symlink_to(tmp_path / "nowhere")
    assert setup(home, "--write").returncode == 1 and not (tmp_path / "nowhere").exists()
    result = setup(home, "--client", "codex", "--write", env={"CODEX_HOME": str(tmp_path / "codex")})
    assert result.returncode == 1 and not (tmp_path / "codex").exists()


def test_a_file_with_several_names_is_left_alone(home):
    path = put(home, ".cursor/mcp.json", "{}")
    os.link(path, home / "other")
    assert setup(home, "--write").returncode == 1 and path.read_text() == "{}"


@pytest.mark.parametrize("lock", [lambda f: fcntl.flock(f, fcntl.LOCK_EX), lambda f: fcntl.lockf(f, fcntl.LOCK_EX)])
def test_a_locked_file_is_left_alone(home, lock):
    path = put(home, ".cursor/mcp.json", "{}")
    with open(path, "r+") as f:
        lock(f)
        result = setup(home, "--write")
    assert result.returncode == 1 and "locked" in result.stdout and path.read_text() == "{}"
    assert [p.name for p in path.parent.iterdir() if p.is_file() and not p.name.endswith("-bak")] == ["mcp.json"]


def test_an_earlier_backup_is_never_overwritten(home):
    path = put(home, ".cursor/mcp.json", '{"a": 1}')
    put(home, ".cursor/mcp.json.codecalc-bak", "something older")
    assert setup(home, "--write", "--no-skill").returncode == 0
    backups = {p.name: p.read_text() for p in path.parent.glob("*-bak*")}
    assert backups.pop("mcp.json.codecalc-bak") == "something older"
    assert len(backups) == 1 and list(backups.values()) == ['{"a": 1}']


# ---- what the entry says ----


def test_an_entry_of_the_users_keeps_its_other_members(home):
    path = put(home, ".cursor/mcp.json", '{"mcpServers": {"codecalc": {"command": "uvx", "args": ["x"], "env": {"A": "b"}, "disabled": true}}}')
    assert setup(home, "--write").returncode == 0
    assert json.loads(path.read_text())["mcpServers"]["codecalc"] == {"command": str(BINARY), "args": ["serve"], "env": {"A": "b"}, "disabled": True}
    path.write_text(path.read_text().replace('["serve"]', '["serve", "--tools", "core"]'))
    assert setup(home, "--write").returncode == 0
    assert json.loads(path.read_text())["mcpServers"]["codecalc"]["args"] == ["serve", "--tools", "core"]
    assert setup(home, "--write", "--tools", "dev").returncode == 0
    assert json.loads(path.read_text())["mcpServers"]["codecalc"]["args"] == ["serve", "--tools", "dev"]


def test_strict_clients_are_warned_of_comments(home):
    put(home, ".cursor/mcp.json", "{\n  // mine\n}\n")
    result = setup(home, "--write")
    assert result.returncode == 0 and "comments" in result.stdout and "verdict: degraded" in result.stdout


def test_codex(home):
    original = '# mine\r\nmodel = "o"\r\n\r\n[mcp_servers.x]\r\ncommand = "y" # z\r\n'
    path = put(home, CODEX, original)
    assert setup(home, "--write").returncode == 0
    text = path.read_bytes().decode()
    assert text.startswith(original) and "\n" not in text.replace("\r\n", "")
    assert tomllib.loads(text)["mcp_servers"] == {"x": {"command": "y"}, "codecalc": {"command": str(BINARY), "args": ["serve"]}}
    snapshot = tree(home)
    assert setup(home, "--write").returncode == 0 and tree(home) == snapshot
    assert setup(home, "--write", "--remove").returncode == 0
    assert tree(home) == {CODEX: original.encode()}


@pytest.mark.parametrize("content", ['mcp_servers = { x = { command = "y" } }\n', "mcp_servers.codecalc.command = 'x'\n", "a = \n", "[a\n"])
def test_codex_in_another_form_is_left_alone(home, content):
    put(home, CODEX, content)
    result = setup(home, "--write", "--no-skill")
    assert result.returncode == 1 and tree(home) == {CODEX: content.encode()}
    assert "[mcp_servers.codecalc]" in result.stdout


def test_project_files(home, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    assert setup(home, "--project", "--client", "claude-code,vscode,codex", "--write", cwd=project).returncode == 0
    assert tree(home) == {}
    assert json.loads((project / ".mcp.json").read_text())["mcpServers"]["codecalc"]["command"] == str(BINARY)
    assert json.loads((project / ".vscode/mcp.json").read_text())["servers"]["codecalc"]["type"] == "stdio"
    assert (project / ".claude/skills/codecalc/SKILL.md").exists()
    assert setup(home, "--project", "--client", "claude-code,vscode,codex", "--write", "--remove", cwd=project).returncode == 0
    assert tree(project) == {}


# ---- the skill ----

SKILL = (ROOT / "SKILL.md").read_bytes()


def test_skill_is_copied_kept_current_and_removed(home):
    (home / ".claude").mkdir()
    path = home / ".claude/skills/codecalc/SKILL.md"
    assert setup(home).returncode == 0 and not path.exists()
    assert setup(home, "--write").returncode == 0 and path.read_bytes() == SKILL
    path.write_text("changed")
    assert setup(home, "--write").returncode == 0 and path.read_bytes() == SKILL
    assert (path.parent / "SKILL.md.codecalc-bak").read_text() == "changed"
    assert setup(home, "--write", "--remove").returncode == 0 and not path.exists()
    assert setup(home, "--write", "--no-skill").returncode == 0 and not path.exists()
    assert setup(home, "--skill").stdout.encode() == SKILL


def test_skill_names_only_tools_that_exist():
    tools = {t["name"]: t for t in json.loads(subprocess.run([BINARY, "tools", "--json"], capture_output=True, check=True).stdout)}
    table = SKILL.decode().split("## Call, always")[1].split("##")[0]
    named = {name for row in table.splitlines() if row.startswith("|") for name in re.findall(r"`([a-z_]+)`", row.split("|")[2])}
    assert named and named <= set(tools), named - set(tools)


# ---- the program itself ----


def test_a_temporary_place_is_warned_of(home, tmp_path):
    (home / ".cursor").mkdir()
    result = setup(home, "--write", env={"TMPDIR": str(BINARY.parent)})
    assert result.returncode == 0 and "temporary place" in result.stdout and "verdict: degraded" in result.stdout


def test_not_ready_when_the_server_does_not_serve(home):
    (home / ".cursor").mkdir()
    result = setup(home, "--write", env={"CODECALC_LOG": "loud"})
    assert result.returncode == 2  # said at once: nothing was touched
    assert tree(home) == {}


def test_a_broken_python_is_not_ready(home, tmp_path):
    (home / ".cursor").mkdir()
    shadow = tmp_path / "bin"
    shadow.mkdir()
    (shadow / "python3").write_text("#!/bin/sh\nexit 9\n")
    (shadow / "python3").chmod(0o755)
    result = setup(home, env={"CODECALC_RUNTIME_PATH": str(shadow)})
    assert result.returncode == 1 and "execute_code python3" in result.stdout and "verdict: not-ready" in result.stdout
