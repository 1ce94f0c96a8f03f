"""Files beside the tables: communication histories for viewers, and traces that weft replays."""

from __future__ import annotations

import os
from pathlib import Path

from weft.report.data.source import Row, Study
from weft.report.data.units import quantity, settings_label

MAX_FILES = 20


def left_files(study: Study, out: Path, kind: str) -> Row:
    """The files of a `kind`: `rows` with the link from the page at `out`, the settings and the
    size of each; `left` counts the rest."""
    rows = study.query(
        "SELECT point_id, path, bytes FROM files"
        " WHERE experiment = getvariable('experiment') AND kind = ? ORDER BY point_id",
        [kind],
    )
    results = study.folder.results.path
    settings = study.settings_of(row["point_id"] for row in rows)
    known = [row for row in rows if row["point_id"] in settings]
    found = [
        {
            "link": _link(results / row["path"], out),
            "name": Path(row["path"]).name,
            "settings": _label(study, settings[row["point_id"]]),
            "size": quantity(row["bytes"], "B"),
        }
        for row in known[:MAX_FILES]
    ]
    return {"rows": found, "left": len(known) - len(found)}


def _link(file: Path, out: Path) -> str:
    return Path(os.path.relpath(file, out.absolute().parent)).as_posix()


def _label(study: Study, settings: Row) -> str:
    keys = [k for k in study.distinguishing() if settings.get(k) is not None]
    return settings_label((k, settings[k]) for k in keys) or "the only point"
