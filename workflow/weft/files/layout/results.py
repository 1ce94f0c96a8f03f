"""What experiments leave below `results`, by the names of its folders and files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PLAN, STAMP, STATUS = "plan.json", "collected.json", "status.json"
JOURNAL, JOBS, LOG, LEFT_OUT = "journal.jsonl", "jobs.jsonl", "run.log", "left_out.txt"
DATABASE, SCHEDULE = "weft.duckdb", "schedule.json"
#: The experiment that gives the switch points of a machine, and the folder of these.
TUNING = "tuning"
#: By kind: files of points that stay as they are, and are found by the table `files`.
LEFT = {"history": "history-{point_id}.json", "trace": "trace-{point_id}.weft-trace"}


@dataclass(frozen=True, slots=True)
class ShardFolder:
    """What one shard leaves: `results/<experiment>/<engine>/<shard>`."""

    path: Path

    @property
    def status(self) -> Path:
        """How the shard ended; there is none before."""
        return self.path / STATUS

    @property
    def journal(self) -> Path:
        """A line for each finished point."""
        return self.path / JOURNAL

    @property
    def jobs(self) -> Path:
        """A line for each start and each end of a job."""
        return self.path / JOBS

    @property
    def log(self) -> Path:
        """What the engine printed."""
        return self.path / LOG

    @property
    def printed(self) -> Path:
        """What programs of finished points have printed, until the next job has begun."""
        return self.path / "printed.log"

    @property
    def left_out(self) -> Path:
        """Outputs that were too large or no files, one a line."""
        return self.path / LEFT_OUT

    @property
    def benchmark(self) -> Path:
        """What each job cost, by Snakemake."""
        return self.path / "benchmark.jsonl"

    def table(self, name: str) -> Path:
        """The rows of a table."""
        return self.path / f"{name}.parquet"

    def left(self) -> list[Path]:
        """The files of points that stay as they are."""
        patterns = (name.format(point_id="*") for name in LEFT.values())
        return sorted(path for pattern in patterns for path in self.path.glob(pattern))

    @property
    def experiment(self) -> ExperimentFolder:
        """The folder of its experiment."""
        return ExperimentFolder(self.path.parents[1])

    @property
    def results(self) -> Results:
        """The folder of all experiments."""
        return Results(self.path.parents[2])


@dataclass(frozen=True, slots=True)
class ExperimentFolder:
    """What one experiment leaves: `results/<experiment>`."""

    path: Path

    @classmethod
    def of_plan(cls, plan: Path) -> ExperimentFolder:
        """The folder in which the file of a plan lies."""
        return cls(plan.absolute().parent)

    @property
    def name(self) -> str:
        """The experiment's name, with that of its variant."""
        return self.path.name

    @property
    def plan(self) -> Path:
        """Points and shards; the points lie in a file beside it."""
        return self.path / PLAN

    @property
    def stamp(self) -> Path:
        """What the database holds of the experiment."""
        return self.path / STAMP

    @property
    def collection(self) -> Path:
        """The name of the newest collection that pages are made of."""
        return self.path / "collection"

    @property
    def calibration(self) -> Path:
        """Link parameters fitted from the experiment's own measurements."""
        return self.path / "calibration.json"

    @property
    def placement(self) -> Path:
        """Where the ranks of the experiment's own measurements ran."""
        return self.path / "placement.json"

    @property
    def computing(self) -> Path:
        """What its programs compute between calls, where that was measured."""
        return self.path / "compute"

    def measured_computing(self) -> list[Path]:
        """The files in `computing`, without those that jobs lock."""
        found = (self.computing.glob(f"*{ending}") for ending in (".times", ".json"))
        return sorted(path for paths in found for path in paths)

    @property
    def variant(self) -> Path:
        """How a variant was asked for."""
        return self.path / "variant.json"

    @property
    def expectations(self) -> Path:
        """When it was stated what shall come out."""
        return self.path / "expectations.json"

    @property
    def held(self) -> Path:
        """Sizes and times of the files that the database holds."""
        return self.path / "held.json"

    @property
    def schedule(self) -> Path:
        """What the main process planned, for the jobs that it starts."""
        return self.path / SCHEDULE

    @property
    def lock(self) -> Path:
        """Held by the run of the experiment."""
        return self.path / ".lock"

    def ready(self, engine: str) -> Path:
        """What shards wait for whose engine cannot run here; nothing writes it."""
        return self.path / f"{engine}.ready"

    def order(self, shard_id: str) -> Path:
        """What a shard shall compute."""
        return self.path / "shards" / f"{shard_id}.json"

    def orders(self) -> Iterator[Path]:
        """The orders of all shards."""
        return (self.path / "shards").glob("*.json")

    def shard(self, engine: str, shard_id: str) -> ShardFolder:
        """What a shard leaves."""
        return ShardFolder(self.path / engine / shard_id)

    def shards(self, engine: str) -> list[ShardFolder]:
        """What all shards of `engine` have left, planned or not."""
        return [ShardFolder(path) for path in sorted((self.path / engine).glob("*/"))]

    @property
    def results(self) -> Results:
        """The folder of all experiments."""
        return Results(self.path.parent)


@dataclass(frozen=True, slots=True)
class Results:
    """The folder `results` of a project."""

    path: Path

    @property
    def database(self) -> Path:
        """All collected tables."""
        return self.path / DATABASE

    def experiment(self, name: str) -> ExperimentFolder:
        """The folder of the experiment called `name`, whether it is there or not."""
        return ExperimentFolder(self.path / name)

    def plans(self) -> list[Path]:
        """The plans that are there, by name."""
        return sorted(self.path.glob(f"*/{PLAN}"))

    def collected(self) -> list[ExperimentFolder]:
        """The experiments that the database holds, by name."""
        return [ExperimentFolder(path.parent) for path in sorted(self.path.glob(f"*/{STAMP}"))]

    def scheduled(self) -> list[ExperimentFolder]:
        """The experiments that a main process has planned for jobs, by name."""
        return [ExperimentFolder(path.parent) for path in sorted(self.path.glob(f"*/{SCHEDULE}"))]
