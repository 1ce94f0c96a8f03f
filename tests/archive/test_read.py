"""Archives that nobody may use: one message each, and nothing is written."""

import json
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from weft.archive import read
from weft.archive.contents import SUMS, ArchiveError, read_head
from weft.archive.read import open_archive

from .conftest import Made


def again(path: Path, change: Callable[[dict[str, bytes]], None], *, sums: bool = True) -> None:
    """Write the archive once more, with other contents; with checksums that fit them."""
    with ZipFile(path) as zipped:
        held = {name: zipped.read(name) for name in zipped.namelist() if name != SUMS}
        listed = zipped.read(SUMS)
    change(held)
    if sums:
        lines = [f"{sha256(text).hexdigest()}  {name}\n" for name, text in held.items()]
        listed = "".join(lines).encode()
    with ZipFile(path, "w", ZIP_DEFLATED) as zipped:
        for name, text in {**held, SUMS: listed}.items():
            zipped.writestr(name, text)


def refused(path: Path) -> str:
    before = sorted(path.parent.iterdir())
    with pytest.raises(ArchiveError) as caught, open_archive(path):
        pass
    assert sorted(path.parent.iterdir()) == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


def flip(path: Path, place: int) -> None:
    """Change the lowest bit of one byte."""
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def contents(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as zipped:
        return {name: zipped.read(name) for name in zipped.namelist()}


@pytest.fixture
def archive(made_once: Made, tmp_path: Path) -> Path:
    return Path(shutil.copy(made_once.archive, tmp_path / "x.zip"))


def test_a_missing_file(tmp_path: Path) -> None:
    assert "x.zip cannot be read: No such file or directory" in refused(tmp_path / "x.zip")


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.999])
def test_one_that_was_cut_off(archive: Path, share: float) -> None:
    content = archive.read_bytes()
    archive.write_bytes(content[: int(share * len(content))])
    assert "is damaged or not a complete ZIP file" in refused(archive)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9])
def test_a_changed_bit_of_a_file(archive: Path, share: float) -> None:
    with ZipFile(archive) as zipped:
        held = [entry for entry in zipped.infolist() if entry.compress_size]
    entry = held[int(share * len(held))]
    header_bytes = 30 + len(entry.filename)
    flip(archive, entry.header_offset + header_bytes + entry.compress_size // 2)
    message = refused(archive)
    assert "damaged" in message or "altered" in message


@pytest.mark.parametrize("share", [0.9 + step / 500 for step in range(50)])
def test_a_changed_bit_near_the_end_is_refused_or_changes_no_file(
    archive: Path, share: float
) -> None:
    packed = contents(archive)
    flip(archive, int(share * archive.stat().st_size))
    with suppress(ArchiveError), open_archive(archive) as opened:
        assert {name: opened.content(name) for name in opened.names} == packed


def test_an_altered_file(archive: Path) -> None:
    def change(held: dict[str, bytes]) -> None:
        held["figures/figure-1.csv"] += b"1,2\n"

    again(archive, change, sums=False)
    assert "figures/figure-1.csv was altered after it was packed" in refused(archive)


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "/etc/x", "a//b", "./x", "a\\b", "C:x", "a\nb"]
)
def test_a_name_that_leads_elsewhere(archive: Path, name: str) -> None:
    again(archive, lambda held: held.update({name: b""}))
    message = refused(archive)
    assert "leads out of the archive" in message or "other characters" in message


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFDIR])
def test_what_is_no_regular_file(archive: Path, kind: int) -> None:
    with ZipFile(archive, "a") as zipped:
        info = ZipInfo("odd")
        info.external_attr = (kind | 0o777) << 16
        zipped.writestr(info, "/etc/passwd")
    assert "the entry 'odd' is not a regular file" in refused(archive)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_there_twice(archive: Path) -> None:
    with ZipFile(archive, "a") as zipped:
        zipped.writestr("README.md", "another")
    assert "the entry 'README.md' is there twice" in refused(archive)


def test_files_that_are_much_larger_than_the_zip(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "SMALL_BYTES", 1 << 20)
    again(archive, lambda held: held.update({"bomb": bytes(400 << 20)}))
    size = archive.stat().st_size
    assert f"allowed for a ZIP of {size:,}" in refused(archive)


def test_more_files_than_any_archive_has(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "MOST_FILES", 100)
    assert "at most 100 are allowed" in refused(archive)


def test_entries_that_share_bytes(archive: Path) -> None:
    """As in bombs whose entries overlap: many large files of the same few bytes."""
    with ZipFile(archive, "a") as zipped:
        largest = max(zipped.infolist(), key=lambda entry: entry.compress_size)
        for number in range(20):
            twin = ZipInfo(f"twin-{number}")
            for name in ("header_offset", "CRC", "compress_size", "file_size", "compress_type"):
                setattr(twin, name, getattr(largest, name))
            zipped.filelist.append(twin)
        zipped._didModify = True  # type: ignore[attr-defined]
    assert "share bytes" in refused(archive)


def test_one_of_a_newer_schema(archive: Path) -> None:
    def change(held: dict[str, bytes]) -> None:
        head = json.loads(held["archive.json"])
        held["archive.json"] = json.dumps({**head, "schema": 2, "weft": "9.1.0"}).encode()

    again(archive, change)
    assert "a newer weft packed it (schema 2; this version of weft reads 1)" in refused(archive)


def test_a_zip_of_another_kind(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "x.zip", "w") as zipped:
        zipped.writestr("photo.jpg", "")
    assert "is not an archive of weft: it has no archive.json" in refused(tmp_path / "x.zip")


def test_a_file_that_is_missing(archive: Path) -> None:
    again(archive, lambda held: held.pop("LICENSE") and None, sums=False)
    assert "lacks LICENSE" in refused(archive)


def test_a_file_that_no_checksum_is_for(archive: Path) -> None:
    again(archive, lambda held: held.update({"more": b""}), sums=False)
    assert "its checksums do not list, more" in refused(archive)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"page": "\xff"}', "it has bytes that are no UTF-8 text"),
        (b"{", "it is not whole JSON"),
        (b'{"schema": 1}', "it lacks 'page'"),
        (b"[]", "it is not a JSON object"),
        (b'{"schema": "1"}', "it has values of another kind"),
    ],
)
def test_a_head_that_is_none_is_named_in_plain_words(text: bytes, reason: str) -> None:
    with pytest.raises(ArchiveError) as raised:
        read_head(text, "x.zip")
    assert str(raised.value) == f"x.zip: its archive.json cannot be read ({reason})"
