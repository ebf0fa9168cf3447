"""runtime_probe: what it says of a language is what the language itself shows to a program."""

import json
import re
import subprocess

import pytest

# A program that imports the package {0} and prints its version, or fails.
IMPORT = {
    "python3": "import importlib.metadata as m; print(m.version('{0}'))",
    "node": "console.log(require('{0}/package.json').version)",
    "ruby": "gem '{0}'; puts Gem.loaded_specs['{0}'].version",
    "perl": "require {0}; print 'None'",
    "r": "cat(as.character(packageVersion('{0}')))",
}


@pytest.fixture(scope="module")
def languages(shared_server):
    return {row["name"]: row for row in shared_server.call("list_languages", {})["result"] if row["available"]}


def test_every_installed_language_answers(shared_server, languages):
    for name, row in languages.items():
        told = shared_server.call("runtime_probe", {"language": name}, timeout=60)
        assert told["ok"] and told["version"] and "warnings" not in told, told
        assert told["run"] == row["run"] and told.get("compile") == row.get("compile") and told["tier"] == row["tier"]
        assert all(tool["path"].startswith("/") for tool in told["tools"]) and told["tools"]


def test_the_version_is_that_of_the_command(shared_server):
    told = shared_server.call("runtime_probe", {"language": "bash"})
    said = subprocess.run([told["tools"][0]["path"], "--version"], capture_output=True, text=True).stdout
    assert told["version"] == said.splitlines()[0]


@pytest.mark.parametrize("name", IMPORT)
def test_packages_can_be_imported(shared_server, languages, name):
    if name not in languages:
        pytest.skip(f"{name} cannot be run here")
    told = shared_server.call("runtime_probe", {"language": name}, timeout=60)
    assert told["standard_library"]
    shown = told.get("packages", [])
    assert len(shown) == min(told["packages_count"], 100)
    usable = [p.split() for p in shown if name != "perl"]  # a file of perl's may need what is not there
    for package, version in usable[:3]:
        done = shared_server.call("execute_code", {"language": name, "code": IMPORT[name].replace("{0}", package)})
        assert done["ok"] and done["stdout"].strip().strip("‘’'") == version, (package, done)
    if shown:
        one = shown[0].split()[0]
        only = shared_server.call("runtime_probe", {"language": name, "package": one.upper()}, timeout=60)
        assert only["packages"] and all(one.lower() in p.lower() for p in only["packages"])


def test_the_standard_library_is_what_can_be_imported(shared_server):
    told = shared_server.call("runtime_probe", {"language": "python3"})["standard_library"]
    code = ("import sys, importlib.util as u\nnames = [n for n in sys.stdlib_module_names if not n.startswith('_')]\n"
            "print(sum(u.find_spec(n) is not None for n in names))")
    assert re.match(r"\d+", told)[0] == shared_server.call("execute_code", {"language": "python3", "code": code})["stdout"].strip()


def test_what_is_not_installed_says_how_to_get_it(tmp_path):
    from harness import Server

    with Server(env={"CODECALC_RUNTIME_PATH": str(tmp_path), "PATH": str(tmp_path)}) as server:
        server.initialize()
        answers = [server.call("runtime_probe", {"language": name}) for name in ("node", "python3")]
    assert all(a["ok"] or a["code"] == "runtime_unavailable" and a["remedy"] for a in answers), json.dumps(answers)
