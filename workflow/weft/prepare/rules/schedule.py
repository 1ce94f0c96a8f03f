"""The plans as the plain values that rules look up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from weft.engines import engine, engine_names
from weft.files import replace_changed, sealed, unsealed
from weft.files.layout import RELATIVE, ExperimentFolder, Results, ShardFolder
from weft.plan.model import SIMULATE_THREADS, Shard
from weft.plan.plan import Plan
from weft.plan.variant import base_name
from weft.prepare.jobs.entries import ArchiveParts, Found, Look, LookedUp, PaperFiles
from weft.prepare.jobs.job_needs import JobNeeds, Wildcards
from weft.prepare.jobs.resources import Resources, no_resources
from weft.prepare.jobs.shard_images import shard_images
from weft.prepare.messages.summary import RunSummary, collection
from weft.prepare.state.collection_name import collection_name
from weft.progress import ShardWatch

if TYPE_CHECKING:
    from weft.prepare.request.archive_source import ArchivedPage


@dataclass(frozen=True, slots=True)
class Schedule:
    """What rules need to know; `resources` is what jobs request, `summary` how a run ended."""

    experiments: tuple[str, ...]
    papers: Mapping[str, tuple[str, ...]]
    entries: Mapping[str, LookedUp]
    of_papers: Mapping[str, PaperFiles]
    resources: Resources
    #: A pattern of the simulating engines' names.
    simulators: str
    #: What a progress line looks at; empty in a job.
    watches: Sequence[ShardWatch] = ()
    summary: RunSummary = field(default_factory=RunSummary)
    #: What `plan` prints of measurements on a batch system; empty in a job.
    ways: Sequence[str] = ()
    #: The page of the archive from which the run took results.
    archived: ArchivedPage | None = None
    #: By page, of the archives that are asked for.
    archives: Mapping[str, ArchiveParts] = field(default_factory=dict)
    #: Files that were asked for under another name than rules know, with those that are meant.
    aliases: Mapping[str, str] = field(default_factory=dict)
    #: By name the first mistake of experiments that are not part of the run, for the index.
    broken: Mapping[str, str] = field(default_factory=dict)
    #: Targets whose experiments have mistakes, each with its experiment and what is wrong.
    mistaken: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def check(self) -> None:
        """End the process with code 1 where a run whose jobs all ended well is a failure."""
        if self.archived is not None:
            self.archived.check()
        self.summary.check()

    @property
    def lookup(self) -> dict[str, object]:
        """All that rules look up: by experiment, by paper in `papers`, by page in `archives`."""
        return {**self.entries, "papers": self.of_papers, "archives": self.archives}

    def find(
        self, path: str, default: Sequence[str] | None = None
    ) -> Callable[[Wildcards], object]:
        """What rules ask for: the value of `lookup` at `path`, such as `{experiment}/status`, as a
        function of wildcards.

        Snakemake's own `lookup` visits every value of every experiment for each file that it
        looks up. The function raises KeyError where nothing is there and no `default` is given.
        """
        everything, keys = self.lookup, path.split("/")

        def found(wildcards: Wildcards) -> object:
            here: object = everything
            for key in keys:
                name = getattr(wildcards, key[1:-1]) if key.startswith("{") else key
                if not isinstance(here, Mapping) or name not in here:
                    if default is None:
                        raise KeyError(f"{name} of {path}")
                    return default
                here = here[name]
            return here

        return found

    def threads(self, wildcards: Wildcards) -> int:
        """Points that a job simulates at a time: no more than its shard has."""
        return self.entries[wildcards.experiment]["few"].get(wildcards.shard, SIMULATE_THREADS)

    def running(self, experiment: str) -> str:
        """The name under which this command runs an experiment, perhaps that of a variant."""
        return next(name for name in self.experiments if base_name(name) == experiment)

    @property
    def plans(self) -> list[str]:
        """The plans of all experiments asked for."""
        return [self.entries[name]["plan"] for name in self.experiments]

    @property
    def reports(self) -> list[str]:
        """The reports of all experiments asked for."""
        return [str(RELATIVE.reports.page(name)) for name in self.experiments]

    @property
    def paper_reports(self) -> list[str]:
        """The reports of all papers asked for."""
        return [str(RELATIVE.reports.paper(name)) for name in self.papers]


def empty_schedule(aliases: Mapping[str, str]) -> Schedule:
    """The schedule of a command line that needs no plan."""
    return Schedule((), {}, {}, {}, no_resources(), _simulators(), aliases=aliases)


def schedule(
    plans: Iterable[tuple[Plan, JobNeeds]],
    results: Path,
    papers: Mapping[str, tuple[str, ...]],
    *,
    partial: bool,
    containers: bool,
    looking: Mapping[str, Look] | None = None,
    watches: Sequence[ShardWatch] = (),
    strict: bool = False,
    judged_by: Path | None = None,
    aliases: Mapping[str, str] | None = None,
    obstacles: Mapping[str, Mapping[str, str]] | None = None,
    archives: Mapping[str, ArchiveParts] | None = None,
    archived: ArchivedPage | None = None,
    broken: Mapping[str, str] | None = None,
) -> Schedule:
    """The schedule of `plans`, each with what its jobs need; if `partial` of what is finished.

    `judged_by` is the folder of metrics where a run has to meet what was expected of it.
    `obstacles` has per experiment the engines that cannot run their open shards, with the reason.

    Writes it beside the plans, so that a job on another machine need not read those, unless
    only `looking`, which gives per experiment its `files` (`weft.prepare.plans.planning`). Raises
    weft.images.ImageError when an image is needed and has no definition.
    """
    found: dict[str, Found] = {}
    plans = list(plans)
    names = {plan.experiment for plan, _ in plans}
    for plan, needs in plans:
        stopped = (obstacles or {}).get(plan.experiment, {})
        entry = _found(plan, needs, results, partial, containers, stopped)
        entry["beside"] = _beside(plan, names, results)
        judges = judged_by is not None and bool(plan.stored_report.get("expect"))
        entry["points"] = collection(
            entry["points"], results, plan.experiment, strict=strict, judges=judges
        )
        if looking is None:
            file = Results(results).experiment(plan.experiment).schedule
            replace_changed(file, sealed(entry) + "\n")
        found[plan.experiment] = entry
    return replace(
        _schedule(found, results, papers, looking),
        watches=watches,
        summary=RunSummary(tuple(found), results, strict=strict, judged_by=judged_by),
        aliases=aliases or {},
        archives=archives or {},
        archived=archived,
        broken=broken or {},
    )


def read_schedule(results: Path) -> Schedule:
    """The schedule that the main process has written."""
    found = {
        # Those of experiments that are not part of the run may be of an earlier weft.
        folder.name: cast(
            "Found", unsealed(folder.schedule.read_bytes().rstrip(b"\n"), required=False)
        )
        for folder in Results(results).scheduled()
    }
    return _schedule(found, results, ask=False)


def _schedule(
    found: Mapping[str, Found],
    results: Path,
    papers: Mapping[str, tuple[str, ...]] | None = None,
    looking: Mapping[str, Look] | None = None,
    *,
    ask: bool = True,
) -> Schedule:
    papers, looking = papers or {}, looking or {}
    entries: dict[str, LookedUp] = {
        name: {**entry, **_look(results, name, looking.get(name))} for name, entry in found.items()
    }
    of_papers: dict[str, PaperFiles] = {
        paper: {
            "plans": [entries[name]["plan"] for name in names],
            "collected": [str(Results(results).experiment(name).stamp) for name in names],
            "collections": [entries[name]["collection"] for name in names],
        }
        for paper, names in papers.items()
    }
    needs = {name: JobNeeds.read(entry["needs"]) for name, entry in found.items()}
    # From the main process, so that a job need not check every declaration again.
    programs = next((entry["simulators"] for entry in found.values()), None) or _simulators()
    resources = Resources(needs, results, ask)
    return Schedule(tuple(found), papers, entries, of_papers, resources, programs)


def _look(results: Path, name: str, seen: Look | None) -> Look:
    """Where a run finds the files, or what a look has `seen`."""
    folder = Results(results).experiment(name)
    found = seen or Look(plan=str(folder.plan), changed={}, stale=[])
    # Newer than the page as soon as that is outdated, so that Snakemake makes it again also where
    # somebody has removed its notes.
    named = [str(folder.collection)] if folder.collection.is_file() else []
    return {**found, "stale": [*named, *found["stale"]]}


def _simulators() -> str:
    return "|".join(engine_names("simulator"))


def _found(
    plan: Plan,
    needs: JobNeeds,
    results: Path,
    partial: bool,
    containers: bool,
    obstacles: Mapping[str, str],
) -> Found:
    folder = Results(results).experiment(plan.experiment)
    shards = [s for s in plan.shards if not partial or _finished(folder, s)]
    waiting = _waiting(plan, "calibration")
    return {
        "status": [str(_left(folder, shard).status) for shard in shards],
        "measured": [
            str(_left(folder, shard).table("metrics")) for shard in _true(plan, shards, waiting)
        ],
        "calibration": {shard.shard_id: str(folder.calibration) for shard in waiting},
        "placement": {
            shard.shard_id: str(folder.placement) for shard in _waiting(plan, "placement")
        },
        "images": shard_images(plan, results, containers, obstacles),
        "ready": {
            shard.shard_id: str(folder.ready(shard.engine))
            for shard in plan.shards
            if shard.engine in obstacles and not _finished(folder, shard)
        },
        "obstacles": dict(obstacles),
        "few": {
            shard.shard_id: len(shard.point_ids)
            for shard in plan.shards
            if len(shard.point_ids) < SIMULATE_THREADS
        },
        "points": plan.points.digest,
        "collection": collection_name(folder),
        "beside": [],
        "needs": needs.stored(),
        "simulators": _simulators(),
    }


def _beside(plan: Plan, running: Collection[str], results: Path) -> list[str]:
    """Stamps of what the report shows side by side.

    Those outside this run go by absolute paths, which no rule makes, and may not be there yet.
    """
    found = []
    for name in plan.report.compare or ():
        stamp = Results(results).experiment(name).stamp
        if name in running:
            found.append(str(stamp))
        elif stamp.is_file():
            found.append(str(stamp.absolute()))
    return found


def _left(folder: ExperimentFolder, shard: Shard) -> ShardFolder:
    return folder.shard(shard.engine, shard.shard_id)


def _finished(folder: ExperimentFolder, shard: Shard) -> bool:
    return _left(folder, shard).status.exists()


def _true(plan: Plan, shards: Sequence[Shard], waiting: Sequence[Shard]) -> list[Shard]:
    """Those that a calibration reads: measurements, else what the reference simulates."""
    measured = [shard for shard in shards if engine(shard.engine).kind == "hardware"]
    if measured or not waiting:
        return measured
    waits = {shard.shard_id for shard in waiting}
    return [
        shard
        for shard in shards
        if shard.engine == plan.report.reference and shard.shard_id not in waits
    ]


def _waiting(plan: Plan, what: Literal["calibration", "placement"]) -> list[Shard]:
    """The shards with points that wait for something measured."""
    # On first use: a job reads what is written here, and needs no Arrow for it.
    from weft.plan.points import calibrated, placed_as_measured

    waiting = (calibrated if what == "calibration" else placed_as_measured)(plan.points)
    return [shard for shard, places in plan.placed() if waiting[places].any()]
