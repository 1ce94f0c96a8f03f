"""Where a project is: the folder with `Snakefile`, `configs`, `results` and `reports`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from weft.database import reading
from weft.files.layout import Layout, page_name
from weft.plan.outcome import DamagedError
from weft.read.errors import ReadError
from weft.read.workspace import workspace

#: Names a project for every command and script, whatever the working folder.
VARIABLE = "WEFT_PROJECT"


@dataclass(frozen=True, slots=True)
class Project:
    """The paths of one project.

    `own` is a folder of a user's, whose experiments and groups stand beside those of the project;
    its results lie in it, and `root` is then a workspace in it that links to the project.
    """

    root: Path
    own: Path | None = None

    @classmethod
    def find(
        cls, given: Path | str | None = None, own: Path | None = None, begins: bool = False
    ) -> Project:
        """The project `given`, else WEFT_PROJECT, else the one around the working folder, else
        the one that this package is part of; with experiments of one's `own` in their workspace,
        whose folder need not be there yet where something `begins` in it.

        Raises ReadError when a folder that was named is no project, or has no experiments.
        """
        found = cls._find(given)
        if own is None:
            return found
        # Paths below it are told from those of the project by how they begin.
        folder = Path(os.path.normpath(own.expanduser().absolute()))
        return cls(workspace(found.root, folder, begins), folder)

    @classmethod
    def _find(cls, given: Path | str | None) -> Project:
        named = given or os.environ.get(VARIABLE)
        if named:
            root = Path(named).expanduser().absolute()
            if not Layout(root).is_project():
                raise ReadError(f"{root} is not a weft project: it has no Snakefile and configs/")
            return cls(root)
        return cls(Layout.around(Path.cwd()).root)

    @property
    def search_path(self) -> tuple[Path, ...]:
        """Folders with more experiments and groups."""
        return (self.own,) if self.own else ()

    @property
    def experiment_folder(self) -> Path:
        """Where a new experiment belongs."""
        return (self.own or self.configs) / "experiment"

    def run_command(self, experiment: str, *more: str) -> str:
        """What a person types to run an experiment."""
        if self.own:
            words = ["weft", "--experiments", str(self.own), "run", experiment]
        else:
            words = ["snakemake", page_name(experiment)]
        return shlex.join([*words, *more])

    @property
    def layout(self) -> Layout:
        """Where everything lies."""
        return Layout(self.root)

    @property
    def configs(self) -> Path:
        """The Hydra tree."""
        return self.layout.configs

    @property
    def left(self) -> Layout:
        """Where what runs leave lies, not by the links of a workspace."""
        return Layout(self.own or self.root)

    @property
    def results(self) -> Path:
        """What was computed."""
        return self.left.results.path

    @property
    def reports(self) -> Path:
        """The pages."""
        return self.left.reports.path

    @property
    def database(self) -> Path:
        """All collected tables."""
        return self.left.results.database

    def plan(self, experiment: str) -> Path:
        """The plan of an experiment that was run or planned.

        Raises ReadError when there is none.
        """
        path = self.layout.results.experiment(experiment).plan
        if not path.exists():
            raise ReadError(
                f"'{experiment}' has not been run: {self.run_command(experiment)} runs it"
            )
        return path

    @contextmanager
    def connect(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The database, read-only; a collection at the same time does no harm.

        Raises ReadError when nothing was collected yet, and where the file cannot be read.
        """
        if not self.database.exists():
            raise ReadError(f"{self.database} does not exist: nothing has been run here yet")
        try:
            with reading(self.database) as connection:
                yield connection
        except (DamagedError, OSError) as error:
            raise ReadError(str(error)) from error
