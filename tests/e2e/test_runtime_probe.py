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


def test_a_package_is_found_by_the_name_that_is_imported(shared_server):
    """Pillow is imported as PIL: whoever asks for PIL must not be told that there is none."""
    code = ("import json\nfrom importlib import metadata as m\n"
            "owners = m.packages_distributions() if hasattr(m, 'packages_distributions') else {}\n"
            "print(json.dumps([(o[0], top) for top, o in sorted(owners.items()) if top.lower() not in o[0].lower() and top[0] != '_']))")
    pairs = json.loads(shared_server.call("execute_code", {"language": "python3", "code": code})["stdout"])
    if not pairs:
        pytest.skip("no package here is imported by another name")
    package, module = pairs[0]
    told = shared_server.call("runtime_probe", {"language": "python3", "package": module}, timeout=60)
    assert any(p.startswith(package + " ") and p.endswith(f" (import {module})") for p in told["packages"]), told


@pytest.mark.parametrize("name, module", [("python3", "json"), ("node", "fs/promises"), ("ruby", "socket"), ("perl", "POSIX")])
def test_a_module_of_the_standard_library_is_not_taken_for_missing(shared_server, languages, name, module):
    if name not in languages:
        pytest.skip(f"{name} cannot be run here")
    told = shared_server.call("runtime_probe", {"language": name, "package": module}, timeout=60)
    assert module in told["modules"], told


def test_what_is_not_looked_for_is_said(shared_server, languages):
    told = shared_server.call("runtime_probe", {"language": "c", "package": "gmp"})
    assert "packages_count" not in told and "package: not looked for" in told["warnings"][0], told


def test_the_environment_is_what_the_program_has(shared_server, languages):
    for name in {"python3", "go", "swift"} & set(languages):
        told = shared_server.call("runtime_probe", {"language": name}, timeout=60)
        assert told["environment"] and not any("{" in pair for pair in told["environment"]), told
    said = shared_server.call("execute_code", {"language": "python3", "code": "import os\nprint(*(f'{k}={v}' for k, v in os.environ.items()), sep='\\n')"})
    told = shared_server.call("runtime_probe", {"language": "python3"}, timeout=60)
    assert set(told["environment"]) <= set(said["stdout"].splitlines())
