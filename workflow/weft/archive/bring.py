"""Results of an archive among those of a project: archived shards then count as finished."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from weft.archive.contents import ArchiveError, plain_reason
from weft.archive.read import OpenArchive
from weft.engines.order import ShardOrder
from weft.engines.shards import resolve
from weft.files import parsed_json, replace_bytes, unsealed
from weft.files.layout import RELATIVE, ExperimentFolder, ShardFolder
from weft.plan.identity import point_id
from weft.plan.model import needs_calibration, short_digest
from weft.plan.spec import Calibration

#: Of files that a shard leaves.
_ENDINGS = (".parquet", ".jsonl", ".json", ".log")


@dataclass(slots=True)
class Bringing:
    """Brings the shards of the experiment that `archive` calls `name` into `folder`.

    What is there already stays: a shard with a journal or a status is the user's own.
    """

    archive: OpenArchive
    name: str
    folder: ExperimentFolder
    #: How many shards of the experiment the archive has.
    count: int = 0
    #: Those that are in `folder` now, and those of them that were not before.
    there: list[ShardFolder] = field(default_factory=list)
    brought: list[ShardFolder] = field(default_factory=list)

    def bring(self) -> None:
        """Write every shard whose files answer the points that it names.

        Raises ArchiveError for one whose points or answers are others than it says.
        """
        inside = RELATIVE.results.experiment(self.name)
        fitted = self._content(inside.calibration)
        mine = self.folder.calibration.read_bytes() if self.folder.calibration.is_file() else None
        engines = {str(shard["shard_id"]): str(shard["engine"]) for shard in self._shards(inside)}
        self.count = len(engines)
        for shard_id, engine in engines.items():
            source, target = inside.shard(engine, shard_id), self.folder.shard(engine, shard_id)
            order, status = self._content(inside.order(shard_id)), self._content(source.status)
            if order is None or status is None:
                continue
            if target.status.exists() or target.journal.exists():
                if _same_points(target.status, status):
                    self.there.append(target)
                continue
            fits = self._checked(shard_id, order, source, fitted)
            if fits and mine is not None and mine != fitted:
                continue
            # First, so that what it orders is no older than it.
            if not self.folder.order(shard_id).exists():
                replace_bytes(self.folder.order(shard_id), order)
            self._write(source, target)
            self.brought.append(target)
            self.there.append(target)
        if self.brought and fitted is not None and mine is None:
            replace_bytes(self.folder.calibration, fitted)
        stated = self._content(inside.expectations)
        if self.brought and stated is not None and not self.folder.expectations.exists():
            # They were stated before these results, and not when somebody takes them.
            replace_bytes(self.folder.expectations, stated)
        if self.brought:
            self._bring_computing(inside)

    def date(self) -> None:
        """Date all files that were brought to this moment: Snakemake finds nothing older than what
        it was made of."""
        files = [path for left in self.brought for path in left.path.iterdir()]
        if self.brought and self.folder.calibration.is_file():
            files.append(self.folder.calibration)
        for path in files:
            os.utime(path)

    def _shards(self, inside: ExperimentFolder) -> list[Mapping[str, object]]:
        try:
            shards = parsed_json(self.archive.content(inside.plan.as_posix()))["shards"]
            return [dict(shard) for shard in shards]
        except (ValueError, KeyError, TypeError) as error:
            path = f"{self.archive.path}: {inside.plan}"
            raise ArchiveError(
                f"{path} is not a plan that weft can read ({plain_reason(error)})"
            ) from error

    def _checked(
        self, shard_id: str, order: bytes, source: ShardFolder, fitted: bytes | None
    ) -> bool:
        """Whether the shard's points need a calibration; raises ArchiveError where the order or the
        journal is not of the points that it names."""
        wrong = f"{self.archive.path}: shard {shard_id} of {self.name}"
        try:
            asked = cast("ShardOrder", unsealed(order.rstrip(b"\n"), required=True))
            for point in asked["points"]:
                spec = {key: value for key, value in point.items() if key != "point_id"}
                # An earlier weft named points by the folders of files, too.
                if point["point_id"] not in (point_id(spec), short_digest(spec)):
                    problem = f"names a point {point['point_id']} that has another content"
                    raise ArchiveError(f"{wrong} {problem}")
            calibration = cast("Calibration", parsed_json(fitted)) if fitted else None
            wanted = {point["digest"] for point in resolve(asked, calibration)["points"]}
            answered = set(self._digests(source))
        except ArchiveError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise ArchiveError(f"{wrong} cannot be read ({plain_reason(error)})") from error
        if not wanted <= answered:
            raise ArchiveError(f"{wrong} has answers to points that it does not name")
        return any(needs_calibration(point["network"]) for point in asked["points"])

    def _bring_computing(self, inside: ExperimentFolder) -> None:
        """What programs compute, so that later points have the same; times that are here stay."""
        for name in self.archive.below(inside.computing.as_posix()):
            target = self.folder.computing / Path(name).name
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                replace_bytes(target, self.archive.content(name))

    def _digests(self, source: ShardFolder) -> Iterator[str]:
        journal = self._content(source.journal) or b""
        for line in journal.splitlines():
            yield str(unsealed(line, required=False)["digest"])

    def _write(self, source: ShardFolder, target: ShardFolder) -> None:
        """All files of a shard; its status, which marks it as finished, comes last."""
        last = source.status.as_posix()
        names = [
            name
            for name in self.archive.below(source.path.as_posix())
            if Path(name).suffix in _ENDINGS and Path(name).parent == source.path and name != last
        ]
        for name in [*names, last]:
            replace_bytes(target.path / Path(name).name, self.archive.content(name))

    def _content(self, path: object) -> bytes | None:
        name = str(path)
        return self.archive.content(name) if name in self.archive.names else None


def _same_points(mine: Path, archived: bytes) -> bool:
    """Whether a shard of the user's own ended as the archived one, whose paths are left out."""
    try:
        both = [
            unsealed(text.rstrip(b"\n"), required=True) for text in (mine.read_bytes(), archived)
        ]
    except (OSError, ValueError):
        return False
    return both[0].get("done") == both[1].get("done")
