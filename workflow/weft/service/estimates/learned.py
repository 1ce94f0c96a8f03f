"""Estimates of processor time: read from results, kept as means, asked before a submission."""

from __future__ import annotations

import json
import logging
import math
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import cast

from django.db import transaction

from weft.files import unsealed
from weft.files.layout import RELATIVE, ExperimentFolder
from weft.plan.costs import SHORTEST_S, Costs, Observed, kind, work
from weft.plan.spec import PointSpec
from weft.service.estimates.models import EarlierRuns

_log = logging.getLogger(__name__)
#: Of one file in an archive; a plan with more points teaches nothing new.
_MOST_BYTES = 20_000_000


@dataclass(slots=True)
class _Mean:
    count: int = 0
    total: float = 0.0


def learn(archive: Path, experiment: str) -> None:
    """Take in what the points of a result took; one that cannot be read teaches nothing."""
    try:
        found = _points(archive, experiment)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        _log.warning("no estimates from %s: %s", archive, error)
        return
    with transaction.atomic():
        for (named, amount), mean in found.items():
            row, _ = EarlierRuns.objects.select_for_update().get_or_create(kind=named, work=amount)
            total = row.count * row.log_seconds + mean.total
            row.count += mean.count
            row.log_seconds = total / row.count
            row.save()


def known_costs() -> Costs:
    """Estimates from all results that this server has taken."""
    rows = EarlierRuns.objects.all().iterator()
    return Costs(
        "", [Observed("", tuple(json.loads(r.kind)), r.work, r.count, r.log_seconds, 0.0)
             for r in rows if r.count]
    )  # fmt: skip


def _points(path: Path, experiment: str) -> dict[tuple[str, float], _Mean]:
    found: dict[tuple[str, float], _Mean] = {}
    with zipfile.ZipFile(path) as archive:
        folder = RELATIVE.results.experiment(experiment)
        took = dict(_took(archive, folder))
        for name in _named(archive, folder.order("*")):
            for spec in json.loads(_read(archive, name))["points"]:
                seconds = took.get(str(spec["point_id"]))
                if seconds is None:
                    continue
                like = cast("PointSpec", spec)
                mean = found.setdefault((json.dumps(kind(like)), work(like)), _Mean())
                mean.count += 1
                mean.total += math.log(max(seconds, SHORTEST_S))
    return found


def _took(archive: zipfile.ZipFile, folder: ExperimentFolder) -> Iterator[tuple[str, float]]:
    """Points that were done, with their processor seconds."""
    for name in _named(archive, folder.shard("*", "*").journal):
        for line in _read(archive, name).splitlines():
            fields = unsealed(line, required=True)
            seconds = fields.get("cpu_s")
            if fields.get("status") == "done" and isinstance(seconds, float | int):
                yield str(fields["point_id"]), float(seconds)


def _named(archive: zipfile.ZipFile, pattern: Path) -> list[str]:
    """Files of an archive whose path, with `*` in it, is that of the project."""
    return [
        each.filename
        for each in archive.infolist()
        if fnmatchcase(each.filename, str(pattern)) and each.file_size <= _MOST_BYTES
    ]


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as file:
        return file.read(_MOST_BYTES)
