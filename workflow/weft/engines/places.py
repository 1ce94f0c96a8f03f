"""Where each line of a journal was computed: a killed job may go on elsewhere or in an image."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weft.engines.base import ShardJob
from weft.engines.jobs import read_jobs
from weft.engines.provenance import machine_facts
from weft.images import squashfs_sha256

IMAGES = Path("containers/images")


@dataclass(frozen=True, slots=True)
class RankPlace:
    """A host, and the image there with the digest of its file system, if it is known."""

    host: str
    image: str | None = None
    image_sha256: str | None = None


def places(job: ShardJob, lines: int) -> Iterator[RankPlace]:
    """The place of each line of a journal that has `lines`, by the history of the shard's jobs."""
    starts = [(0, _place(machine_facts().host, job.image))]
    folder = job.image.parent if job.image else IMAGES
    for each in read_jobs(job.directory):
        if "points_before" in each and "host" in each:
            named = each.get("image")
            image = folder / named if named else None
            starts.append((each["points_before"], _place(each["host"], image)))
    for line in range(lines):
        yield [place for before, place in starts if before <= line][-1]


def _place(host: str, image: Path | None) -> RankPlace:
    return RankPlace(host, image.name, squashfs_sha256(image)) if image else RankPlace(host)
