"""The strict JSON pass against Python's parser, as properties over generated and broken documents."""

import json
import os
import struct
import subprocess

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from harness import BINARY, without_duplicates

ECHO = BINARY.parent / "tests" / "e2e" / "json_echo"
MAX_DEPTH = 64
SETTINGS = settings(max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "400")), deadline=None, database=None,
                    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


class Number(str):
    """A number as its text."""

    def __eq__(self, other):
        return isinstance(other, Number) and str.__eq__(self, other)

    __hash__ = str.__hash__


def refuse(name):
    raise ValueError(name)


def reference(data):
    """What a strict reader makes of some bytes, by Python's parser; raises ValueError where it must refuse."""
    value = json.loads(data.decode("utf-8"), object_pairs_hook=without_duplicates, parse_constant=refuse, parse_int=Number, parse_float=Number)

    def check(value, depth):
        if isinstance(value, (dict, list)) and depth >= MAX_DEPTH:
            raise ValueError("too deep")
        if isinstance(value, dict):
            for key, item in value.items():
                key.encode("utf-8")  # a lone surrogate is no text
                check(item, depth + 1)
        elif isinstance(value, list):
            for item in value:
                check(item, depth + 1)
        elif isinstance(value, str):
            value.encode("utf-8")

    check(value, 0)
    return value


@pytest.fixture(scope="module")
def echo():
    process = subprocess.Popen([ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(data):
        process.stdin.write(struct.pack("=I", len(data)) + data)
        process.stdin.flush()
        head = process.stdout.read(4)
        assert len(head) == 4, f"the reader died on {data!r}"
        (size,) = struct.unpack("=I", head)
        return None if size == 0xFFFFFFFF else process.stdout.read(size)

    yield ask
    process.stdin.close()
    assert process.wait(10) == 0
    process.stdout.close()


numbers = st.from_regex(r"-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,6})?", fullmatch=True).filter(str.isascii).map(Number)
texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(st.none() | st.booleans() | numbers | texts,
                      lambda inner: st.lists(inner, max_size=6) | st.dictionaries(texts, inner, max_size=6), max_leaves=25)
spaces = st.text(" \t\r\n", max_size=2)


@st.composite
def documents(draw):
    """A valid document as bytes, written in one of the ways that the grammar leaves open."""
    ascii_only = draw(st.booleans())
    space = draw(spaces)

    def write(value):
        if isinstance(value, Number):
            return str(value)
        if isinstance(value, dict):
            return "{" + space + (space + "," + space).join(write(k) + space + ":" + space + write(v) for k, v in value.items()) + space + "}"
        if isinstance(value, list):
            return "[" + space + (space + "," + space).join(write(v) for v in value) + space + "]"
        return json.dumps(value, ensure_ascii=ascii_only)

    return (space + write(draw(values)) + space).encode("utf-8")


@st.composite
def broken(draw):
    """A document with a few bytes changed, cut, doubled or put in: most are invalid, some are not."""
    data = bytearray(draw(documents()))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            data[at:at] = draw(st.sampled_from([b",", b":", b'"', b"[", b"]", b"{", b"}", b"\\", b"0", b"-", b".", b"e", b"\0", b"\xff", b"\xc0\x80",
                                                b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\\ud800", b"\\udc00", b"\\u0000", b"\xef\xbb\xbf", b"//x\n", b"NaN", b"\x0b", b"\x1f", b"\xc2\xa0"]))
        elif kind == 1 and data:
            del data[at:at + draw(st.integers(1, 3))]
        elif kind == 2 and at < len(data):
            data[at] = draw(st.integers(0, 255))
        else:
            data[at:at] = data[max(0, at - 5):at]
    return bytes(data)


@SETTINGS
@given(documents())
@example(b'"\\u0000"')
@example(b'{"a":1,"A":2,"":3}')
@example(b"1e999999")
@example(b"-0.0")
def test_valid_documents_come_back_unchanged(echo, data):
    got = echo(data)
    assert got is not None
    assert reference(got) == reference(data)
    assert b"\n" not in got


@SETTINGS
@given(broken() | st.binary(max_size=40))
@example(b'{"a":1,"\\u0061":2}')
@example(b"")
@example(b"\xef\xbb\xbf1")
@example(b'"\\ud800\\u0041"')
@example(b'"\\udc00\\ud800"')
@example(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
@example(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1))
def test_broken_documents_are_told_from_valid_ones(echo, data):
    try:
        expected = reference(data)
    except (ValueError, RecursionError):
        assert echo(data) is None
    else:
        got = echo(data)
        assert got is not None and reference(got) == expected
