"""Sealed JSON and journals: what was written is read, and a cut or a changed bit is found."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weft.engines.base import EngineError
from weft.engines.journal import append, mend, read_journal
from weft.engines.shards import read_shard
from weft.files import sealed, unsealed

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
NESTED = st.recursive(
    PLAIN, lambda each: st.lists(each) | st.dictionaries(st.text(), each), max_leaves=8
)
FIELDS = st.dictionaries(st.text().filter(lambda key: key != "crc32"), NESTED, min_size=1)
NAMES = st.text("0123456789abcdef", min_size=12, max_size=12)
LINES = st.lists(
    st.fixed_dictionaries(
        {"point_id": NAMES, "digest": NAMES, "status": st.just("done"), "value": st.floats(0, 1)}
    ),
    min_size=1,
    max_size=4,
)
ANYWHERE = st.integers(0, 10**9)


def flipped(content: bytes, bit: int) -> bytes:
    """`content` with one bit changed."""
    at, within = divmod(bit % (8 * len(content)), 8)
    return content[:at] + bytes([content[at] ^ 1 << within]) + content[at + 1 :]


@pytest.mark.slow
@given(FIELDS)
def test_what_is_sealed_comes_back(fields: dict[str, object]) -> None:
    assert unsealed(sealed(fields).encode(), required=True) == fields


@pytest.mark.slow
@given(FIELDS, ANYWHERE)
def test_one_changed_bit_is_found(fields: dict[str, object], bit: int) -> None:
    with pytest.raises(ValueError, match=r"checksum"):
        unsealed(flipped(sealed(fields).encode(), bit), required=True)


@pytest.mark.slow
@given(FIELDS, ANYWHERE)
def test_a_cut_is_found(fields: dict[str, object], length: int) -> None:
    content = sealed(fields).encode()
    with pytest.raises(ValueError, match=r"checksum"):
        unsealed(content[: length % len(content)], required=True)


@given(st.binary(max_size=200))
def test_a_file_of_anything_is_no_shard(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "1.json"
        path.write_bytes(content)
        with pytest.raises(EngineError, match=r"delete it and run again"):
            read_shard(path)


def journal(folder: str, lines: list[dict[str, object]]) -> Path:
    path = Path(folder) / "journal.jsonl"
    for line in lines:
        append(path, line)
    return path


@pytest.mark.slow
@given(LINES, ANYWHERE)
def test_a_changed_bit_of_a_journal_is_found_or_takes_nothing(
    lines: list[dict[str, object]], bit: int
) -> None:
    """The last line's end may be the bit that changed: then the line is torn, and dropped."""
    with TemporaryDirectory() as folder:
        path = journal(folder, lines)
        path.write_bytes(flipped(path.read_bytes(), bit))
        try:
            found = read_journal(path)
        except EngineError:
            return
        known = [{name: line[name] for name in lines[0]} for line in found]
        assert known in (lines, lines[:-1])


@pytest.mark.slow
@given(LINES, ANYWHERE)
def test_a_journal_that_a_kill_cut_keeps_its_whole_lines(
    lines: list[dict[str, object]], length: int
) -> None:
    with TemporaryDirectory() as folder:
        path = journal(folder, lines)
        content = path.read_bytes()
        left = content[: length % (len(content) + 1)]
        path.write_bytes(left)
        assert read_journal(path) == lines[: left.count(b"\n")]


@pytest.mark.slow
@given(LINES, ANYWHERE)
def test_a_mended_journal_is_read_and_lacks_at_most_what_was_damaged(
    lines: list[dict[str, object]], bit: int
) -> None:
    with TemporaryDirectory() as folder:
        path = journal(folder, lines)
        path.write_bytes(flipped(path.read_bytes(), bit))
        mend(path)
        kept = {line["point_id"] for line in read_journal(path)}
        whole = {line["point_id"] for line in lines}
        # A changed line's end damages the two lines that it parted.
        assert kept <= whole
        assert sum(line["point_id"] in kept for line in lines) >= len(lines) - 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"point_id": "\xff\xfe"}', "it has bytes that are no UTF-8 text"),
        (b'{"point_id": "1"', "it is not whole JSON"),
        (b"\x00\x00\x00\x00", "it is not whole JSON"),
        (b"[" * 100_000, "it is not whole JSON"),
        (b"[]", "it is not a JSON object"),
    ],
)
def test_a_damaged_line_of_a_journal_is_named_in_plain_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: bytes, reason: str
) -> None:
    """Engines of others may leave the checksum out, so that a line is read without one."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(EngineError, match=re.escape(f"{path}:1 is damaged ({reason}); delete")):
        read_journal(path)
    mend(path)
    assert capsys.readouterr().err == (
        f"weft: {path}:1 is damaged ({reason}); its point is computed again\n"
    )
