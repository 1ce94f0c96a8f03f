"""Which pages a command makes, and which of them are damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from weft.files.page_seal import page_damage, sealed_page
from weft.prepare.state.damaged_pages import asked_pages, remove_damaged

PAGE = sealed_page("<html>\n5 \N{NO-BREAK SPACE}%</html>\n")
TORI, INDEX, PAPER = "reports/tori.html", "reports/index.html", "reports/paper_mfs.html"


def test_every_changed_bit_of_a_page_is_seen() -> None:
    content = PAGE.encode()
    assert page_damage(content) is None
    for bit in range(len(content) * 8):
        altered = bytearray(content)
        altered[bit // 8] ^= 1 << bit % 8
        assert page_damage(bytes(altered)), bit


def test_every_cut_of_a_page_is_seen() -> None:
    content = PAGE.encode()
    assert all(page_damage(content[:length]) for length in range(len(content)))


@pytest.mark.parametrize("content", [b"\xff\x00 garbage", b"", b"<html>another page</html>\n"])
def test_what_never_was_a_page_is_seen(content: bytes) -> None:
    assert page_damage(content) == "does not end with weft's checksum"


@pytest.mark.parametrize(
    ("targets", "pages"),
    [
        ([TORI], [TORI]),
        (["archives/tori.zip"], [TORI]),
        (["results/tori/collected.json", "doctor"], []),
        (["reports/compare/a..b.html"], ["reports/compare/a..b.html"]),
        (["papers"], [PAPER, INDEX]),
        ([INDEX], [TORI, PAPER, INDEX]),
        (["all"], [TORI, PAPER, INDEX]),
        ([], [TORI, PAPER, INDEX]),
    ],
)
def test_a_command_makes_the_pages_that_it_names_and_those_behind_them(
    targets: list[str], pages: list[str]
) -> None:
    assert asked_pages(targets, ["tori"], ["mfs"]) == set(map(Path, pages))


def test_a_damaged_page_is_named_and_removed_and_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    whole, cut, absent = (Path(f"{name}.html") for name in ("whole", "cut", "absent"))
    whole.write_text(PAGE)
    cut.write_text(PAGE.replace("5", "6"))
    remove_damaged([whole, cut, absent])
    assert (whole.exists(), cut.exists()) == (True, False)
    said = "weft: cut.html was altered after it was written: it is made again\n"
    assert capsys.readouterr().err == said
