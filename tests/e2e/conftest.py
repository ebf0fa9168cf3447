"""Fixtures of the end-to-end tests. The program is $CODECALC_BIN, else build/codecalc."""

import os
import pathlib
import shutil
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import peers  # noqa: E402
from harness import BINARY, Server  # noqa: E402


def pytest_configure(config):
    if not BINARY.exists():
        raise pytest.UsageError(f"no program at {BINARY}: run make first, or set CODECALC_BIN")
    # Programs that an earlier run of the tests compiled must not be found.
    cache = tempfile.mkdtemp(prefix="codecalc-test-")
    os.environ["XDG_CACHE_HOME"] = cache
    config.add_cleanup(lambda: shutil.rmtree(cache, ignore_errors=True))


@pytest.fixture
def server():
    """A fresh server, before any handshake."""
    with Server() as server:
        yield server


@pytest.fixture(scope="module")
def shared_server():
    """One server for all the calls of a file."""
    with Server() as server:
        server.initialize()
        yield server


@pytest.fixture(scope="session")
def languages():
    """What list_languages says, by name."""
    with Server() as server:
        server.initialize()
        return {language["name"]: language for language in server.call("list_languages")["result"]}


@pytest.fixture(scope="module")
def gp():
    yield from peers.peer("gp")


@pytest.fixture(scope="module")
def maxima():
    yield from peers.peer("maxima")
