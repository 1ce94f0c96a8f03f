"""What rules look up of an experiment or a paper: plain values, for Snakemake and for JSON."""

from __future__ import annotations

from typing import TypedDict

from weft.prepare.jobs.job_needs import StoredNeeds


class Found(TypedDict):
    """What the main process has found out about one experiment, for jobs on other machines too."""

    #: The `status` files of its shards.
    status: list[str]
    #: The metrics that were measured.
    measured: list[str]
    #: The calibration file of the shards that need it.
    calibration: dict[str, str]
    #: Where measurements ran, for the shards that need it.
    placement: dict[str, str]
    #: The image of each shard that runs in one.
    images: dict[str, str]
    #: Of each open shard whose engine cannot run here, a file that no job can write.
    ready: dict[str, str]
    #: The engines that cannot run here, with the reason.
    obstacles: dict[str, str]
    #: The number of points of shards that have few.
    few: dict[str, int]
    #: A digest of its points, with what makes a run collect again.
    points: str
    #: The name of its collection, which is another one whenever that must be made again.
    collection: str
    #: Stamps of what its page shows.
    beside: list[str]
    needs: StoredNeeds
    #: As in `Schedule`.
    simulators: str


class Look(TypedDict):
    """Where a run finds an experiment's files: a look at what would run replaces none of them."""

    plan: str
    #: Shard files that lie elsewhere.
    changed: dict[str, str]
    #: Newer than the collection when that is outdated.
    stale: list[str]


class LookedUp(Found, Look):
    """What rules look up of an experiment."""


class PaperFiles(TypedDict):
    """The files behind the page of a paper."""

    plans: list[str]
    collected: list[str]
    collections: list[str]


class ArchiveParts(TypedDict):
    """What goes into the archive of a page."""

    plans: list[str]
    #: The files that its experiments are composed of.
    sources: list[str]
    wheels: bool
    anonymous: bool
