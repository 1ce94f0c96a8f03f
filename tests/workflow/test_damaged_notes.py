"""Damaged notes of Snakemake's: each is named in one line, and the run goes on."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from weft.prepare.state.snakemake_notes import drop_damaged_notes

from tests.workflow.conftest import Project

OUTPUT = "results/tori/collected.json"
WRONG = [b"\xff\xfe{", b"\0\0", b"[7]", b'{"rule": "\xe9"}']


def note(project: Path, kind: str, content: bytes) -> Path:
    path = project / ".snakemake" / kind / base64.urlsafe_b64encode(OUTPUT.encode()).decode()
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("content", WRONG)
def test_a_note_that_snakemake_could_not_read_is_named_and_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = note(tmp_path, "metadata", content)
    drop_damaged_notes(tmp_path)
    assert not path.exists()
    said = f"weft: Snakemake's note on {OUTPUT} was damaged: removed it ({path})\n"
    assert capsys.readouterr().err == said


def test_a_mark_of_an_unfinished_file_stays_a_mark(tmp_path: Path) -> None:
    path = note(tmp_path, "incomplete", b"\xff")
    drop_damaged_notes(tmp_path)
    assert json.loads(path.read_text()) == {"external_jobid": None}


@pytest.mark.parametrize("content", [b"", b'{"rule": "collect", "inp', b'{"rule": "collect"}'])
def test_notes_that_snakemake_can_read_or_passes_over_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = note(tmp_path, "metadata", content)
    drop_damaged_notes(tmp_path)
    assert path.read_bytes() == content
    assert not capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_run_goes_on_beside_damaged_notes(project: Project) -> None:
    project.small("noted", [3])
    assert project.collect("noted").code == 0
    for path in (project.folder / ".snakemake" / "metadata").rglob("*"):
        path.write_bytes(b"\xff\xfe")
    ran = project.collect("noted")
    assert (ran.code, "Traceback" in ran.output) == (0, False), ran.output
    assert "weft: Snakemake's note on results/noted/collected.json was damaged" in ran.output
