"""What README.md and docs/security.md say is so: examples give what they show, lists name what the code has, links lead somewhere."""

import json
import os
import re
import subprocess

import pytest

from harness import BINARY, ROOT

README = (ROOT / "README.md").read_text()
SECURITY = (ROOT / "docs" / "security.md").read_text()
SOURCES = {path: path.read_text() for path in (ROOT / "src").rglob("*.c")}


def examples():
    """(command, what it prints) of every console block."""
    for block in re.findall(r"^```console\n(.*?)^```$", README, re.M | re.S):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            yield command, shown


@pytest.mark.parametrize("command,shown", list(examples()))
def test_an_example_prints_what_it_shows(command, shown, tmp_path):
    (tmp_path / "codecalc").symlink_to(BINARY)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CODECALC_")} | {
        "PATH": f"{tmp_path}:{os.environ['PATH']}", "CODECALC_AUDIT_LOG": ""}
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, timeout=50)
    expected, got = json.loads(shown), json.loads(done.stdout)
    if "unenforced" in expected:  # depends on the machine; what it means is tested elsewhere
        assert set(expected.pop("unenforced")) <= set(got.pop("unenforced"))
    assert got == expected
    assert list(got) == list(expected) and done.stderr == ""


def table_after(text, header):
    """First cells of the table whose header row begins with some text."""
    rows = text.partition(f"| {header} |")[2].split("\n\n")[0].splitlines()[2:]
    assert rows, header
    return [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in rows]


def test_the_settings_are_those_that_the_program_reads():
    read = {name for text in SOURCES.values() for name in re.findall(r'"(CODECALC_[A-Z_]+)"', text)}
    assert {name for cell in table_after(README, "variable") for name in cell} == read


def test_the_clients_are_those_that_setup_knows():
    clients = SOURCES[ROOT / "src" / "cli" / "clients.c"]
    titles = set(re.findall(r'\.title = "([^"]+)"', clients))
    rows = re.findall(r"^\| ([^|`]+) \| `", README.partition("| client |")[2].split("\n\n")[0], re.M)
    assert set(rows) == titles
    for key in re.findall(r'\.key = "([^"]+)"', clients):
        assert f'"{key}"' in README or f"[{key}." in README, key


def test_the_groups_are_those_of_the_program():
    words = re.search(r"Words for .*?: (.*)", subprocess.check_output([BINARY, "tools"], text=True, timeout=20))[1].split(", ")
    assert {word for cell in table_after(README, "word") for word in cell} == set(words)


def test_every_lack_of_the_sandbox_is_explained():
    """Every value of `unenforced` that the code can send has its row, and no other has."""
    body = re.search(r"const cc_gap cc_gaps\[\] = \{.*?\n};\n", SOURCES[ROOT / "src" / "sandbox" / "probe.c"], re.S)[0]
    assert {name for cell in table_after(SECURITY, "`unenforced`") for name in cell} == set(re.findall(r'CC_GAP_\w+, "(\w+)"', body))


def test_every_folder_has_its_line():
    table = (ROOT / "docs" / "architecture.md").read_text().partition("| rank |")[2].split("\n\n")[0]
    assert set(re.findall(r"^\| \d+ \| `(\w+)`", table, re.M)) == {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}


def test_every_decision_is_listed():
    listed = set(re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (ROOT / "docs" / "decisions" / "README.md").read_text()))
    assert listed == {path.name for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md")}


@pytest.mark.parametrize("page", sorted(p for p in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]), ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = page.read_text()
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, place = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), target
        if place:
            titles = re.findall(r"^#+ (.+)$", other.read_text(), re.M)
            assert place in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}, target
