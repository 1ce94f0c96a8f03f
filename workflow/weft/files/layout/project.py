"""The folders of a project, and where the clone is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from weft.files.layout.pages import Archives, Reports
from weft.files.layout.results import Results

#: The clone that this package is part of, and this package.
CLONE = Path(__file__).resolve().parents[4]
PACKAGE = CLONE / "workflow" / "weft"


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

    @classmethod
    def of(cls, results: Results) -> Layout:
        """The project whose results these are."""
        return cls(results.path.parent)

    @property
    def configs(self) -> Path:
        """The Hydra tree."""
        return self.root / "configs"

    @property
    def results(self) -> Results:
        """What was computed."""
        return Results(self.root / "results")

    @property
    def reports(self) -> Reports:
        """The pages."""
        return Reports(self.root / "reports")

    @property
    def archives(self) -> Archives:
        """Pages with all that they are made of."""
        return Archives(self.root / "archives")

    @property
    def releases(self) -> Path:
        """What sites without the internet install from."""
        return self.root / "release"

    @property
    def unpacked(self) -> Path:
        """What is taken out of archives for a run: experiments and groups that the tree lacks."""
        return self.root / ".snakemake" / "weft" / "archives"

    def named(self, path: Path) -> str | None:
        """The name of a page in `reports`, of one in `archives`, or of the experiment whose results
        hold `path`."""
        if path.parent.name == self.reports.path.name and path.suffix == ".html":
            return path.stem
        if path.parent.name == self.archives.path.name and path.suffix == ".zip":
            return path.stem
        if path.is_relative_to(self.results.path) and path.parent != self.results.path:
            return path.relative_to(self.results.path).parts[0]
        return None


#: The project by paths from its own folder, in which Snakemake runs.
RELATIVE = Layout(Path())


def log_name(experiment: str, engine: str, shard_id: str) -> str:
    """The log of a shard as a page names it: its path from the project."""
    return str(RELATIVE.results.experiment(experiment).shard(engine, shard_id).log)


def page_name(name: str) -> str:
    """The page of an experiment as a command and a message name it: its path from the project."""
    return str(RELATIVE.reports.page(name))
