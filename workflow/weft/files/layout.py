"""Where everything lies: below the folder of a project, and in it below `results` and `reports`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: The clone that this package is part of.
CLONE = Path(__file__).resolve().parents[3]

PLAN, STAMP, STATUS = "plan.json", "collected.json", "status.json"
JOURNAL, JOBS, LOG = "journal.jsonl", "jobs.jsonl", "run.log"
#: The folder of comparisons below that of the reports.
COMPARISONS = "compare"
DATABASE, SCHEDULE = "weft.duckdb", "schedule.json"


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
    def calibration(self) -> Path:
        """Link parameters fitted from the experiment's own measurements."""
        return self.path / "calibration.json"

    @property
    def variant(self) -> Path:
        """How a variant was asked for."""
        return self.path / "variant.json"

    @property
    def held(self) -> Path:
        """Sizes and times of the files that the database holds."""
        return self.path / "held.json"

    @property
    def schedule(self) -> Path:
        """What the main process planned, for the jobs that it starts."""
        return self.path / SCHEDULE

    def order(self, shard_id: str) -> Path:
        """What a shard shall compute."""
        return self.path / "shards" / f"{shard_id}.json"

    def orders(self) -> Iterator[Path]:
        """The orders of all shards."""
        return (self.path / "shards").glob("*.json")

    def shard(self, engine: str, shard_id: str) -> ShardFolder:
        """What a shard leaves."""
        return ShardFolder(self.path / engine / shard_id)

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

    @property
    def project(self) -> Layout:
        """The project whose results these are."""
        return Layout(self.path.parent)


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of a project."""

    root: Path

    @classmethod
    def around(cls, here: Path) -> Layout:
        """The project that holds the folder `here`, else the clone."""
        found = (each for each in map(cls, (here, *here.parents)) if each.is_project())
        return next(found, cls(CLONE))

    @classmethod
    def here(cls, holding: str) -> Layout:
        """The working folder if it has the file or folder `holding`, else the clone."""
        here = Path.cwd()
        return cls(here if (here / holding).exists() else CLONE)

    def is_project(self) -> bool:
        """Whether a run can start in the folder."""
        return (self.root / "Snakefile").is_file() and self.configs.is_dir()

    @property
    def configs(self) -> Path:
        """The Hydra tree."""
        return self.root / "configs"

    @property
    def results(self) -> Results:
        """What was computed."""
        return Results(self.root / "results")

    @property
    def reports(self) -> Path:
        """The pages."""
        return self.root / "reports"


#: The project by paths from its own folder, in which Snakemake runs.
RELATIVE = Layout(Path())


def log_name(experiment: str, engine: str, shard_id: str) -> str:
    """The log of a shard as a page names it: its path from the project."""
    return str(RELATIVE.results.experiment(experiment).shard(engine, shard_id).log)
