"""Fixtures of the end-to-end tests. The program is $CODECALC_BIN, else build/codecalc."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from harness import BINARY, Server  # noqa: E402


def pytest_configure(config):
    if not BINARY.exists():
        raise pytest.UsageError(f"no program at {BINARY}: run make first, or set CODECALC_BIN")


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
