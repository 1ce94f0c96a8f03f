"""Snakemake's notes about files that it made: a damaged one would end the run with a traceback.

Snakemake writes JSON objects in ASCII. It passes over a note that was cut, but not over one that is
no text.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator
from pathlib import Path

#: Of a job that has not ended: without its number, as Snakemake writes it on one machine.
_UNFINISHED = '{"external_jobid": null}'


def drop_damaged_notes(project: Path) -> None:
    """Remove the notes that Snakemake could not read, and name each on the terminal.

    Without its note Snakemake judges a file by its time alone.
    """
    notes = project / ".snakemake"
    for path in _damaged(notes / "metadata"):
        path.unlink(missing_ok=True)
        _say(path, notes / "metadata", "removed it")
    for path in _damaged(notes / "incomplete"):
        # That there is a note means that its file is incomplete: it must stay.
        path.write_text(_UNFINISHED)
        _say(path, notes / "incomplete", "wrote it anew")


def _damaged(folder: Path) -> Iterator[Path]:
    # Decoding would take several times as long, and there may be thousands of them.
    for path in folder.rglob("*"):
        try:
            content = path.read_bytes()
        except OSError:
            # A folder, or another run has just removed it.
            continue
        if not content.isascii() or content[:1] not in (b"", b"{"):
            yield path


def _say(path: Path, folder: Path, done: str) -> None:
    about = _subject(path.relative_to(folder))
    print(
        f"weft: Snakemake's note{about} was damaged: {done} ({path})", file=sys.stderr, flush=True
    )


def _subject(name: Path) -> str:
    """The file that a note is about, as its name says in base64."""
    try:
        subject = base64.urlsafe_b64decode("".join(part.lstrip("@") for part in name.parts))
        return f" on {subject.decode()}"
    except ValueError:
        return ""
