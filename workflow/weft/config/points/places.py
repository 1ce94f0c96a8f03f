"""Where the files are that an experiment names: beside it where it lies outside the project, else
in the project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from weft.config.language.errors import Problem, nearest, unknown
from weft.config.model.experiment import Experiment

SHIPPED = "programs"


@dataclass(frozen=True)
class Places:
    """Where the files of one experiment are looked for.

    `root` is the project in which jobs run: points name files by their paths from it. `beside` are
    the folders of an experiment outside of the project: that of its file, and the one above.
    """

    configs_dir: Path
    beside: tuple[Path, ...] = ()

    @classmethod
    def of(cls, experiment: Experiment) -> Places:
        """Those of an experiment."""
        file, configs = experiment.file, experiment.configs_dir
        own, folder = file.is_relative_to(configs), file.parent
        return cls(configs, () if own else (folder, folder.parent))

    @property
    def root(self) -> Path:
        """The project."""
        return self.configs_dir.parent

    @cached_property
    def programs(self) -> dict[str, Path]:
        """The folders in which programs are looked for, as messages name them."""
        inside = (self.configs_dir / "experiment", self.root / SHIPPED)
        near = {str(folder): folder for folder in self.beside[:1]}
        return near | {str(folder.relative_to(self.root)): folder for folder in inside}

    def find(self, file: str) -> str:
        """The path of a file from the project; as it is written where it is not beside the
        experiment."""
        found = (folder / file for folder in self.beside)
        return next((self.shown(path) for path in found if path.is_file()), file)

    def problem(self, file: str | None) -> str | None:
        """Why the file, which `find` gave, cannot be read; None where it can, or there is none."""
        if file is None:
            return None
        path = self.root / file
        try:
            with path.open("rb"):
                return None
        except FileNotFoundError:
            places = " and ".join(map(str, (*self.beside, self.root)))
            return f"there is no file {file} (looked in {places}){nearest(file, self._known(file))}"
        except OSError as error:
            return f"{file} cannot be read: {error.strerror}"

    def program(self, name: str) -> str | None:
        """The path of a program's source from the project; None if there is no such program."""
        found = (folder / f"{name}.c" for folder in self.programs.values())
        path = next((path for path in found if path.is_file()), None)
        return self.shown(path) if path else None

    def no_program(self, name: str) -> Problem:
        """What to say of a program that there is not."""
        known = {path.stem for folder in self.programs.values() for path in folder.glob("*.c")}
        looked = " and ".join(self.programs)
        message = f"{unknown('program', name, known)} (looked for {name}.c in {looked})"
        return Problem("workload.program", message)

    def _known(self, file: str) -> Iterator[str]:
        for folder in (*self.beside, self.root):
            inner = (folder / file).parent
            yield from sorted(str(p.relative_to(folder)) for p in inner.glob("*") if p.is_file())

    def shown(self, path: Path) -> str:
        """The path from the project, with links followed, because `..` counts from their ends."""
        if path.is_relative_to(self.root):
            return str(path.relative_to(self.root))
        return os.path.relpath(path.resolve(), self.root.resolve())
