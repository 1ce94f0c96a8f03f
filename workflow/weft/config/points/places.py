"""Where the files are that an experiment names: beside it where it lies outside the project, else
in the project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from weft.config.language.errors import Problem, nearest, unknown
from weft.config.language.section import Settings
from weft.config.model.experiment import Experiment
from weft.config.points.named_files import named_files
from weft.files.layout import CLONE

SHIPPED = "programs"


@dataclass(frozen=True)
class Places:
    """Where the files of one experiment are looked for.

    `root` is the project in which jobs run: points name files by their paths from it. `beside` are
    the folders of an experiment outside of the project: that of its file, and the one above.
    `readable` are further folders whose files the machine file lets experiments name.
    """

    configs_dir: Path
    beside: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()

    @classmethod
    def of(cls, experiment: Experiment) -> Places:
        """Those of an experiment."""
        file, configs = experiment.file, experiment.configs_dir
        own, folder = file.is_relative_to(configs), file.parent
        readable = tuple(map(Path, experiment.machine.readable))
        return cls(configs, () if own else (folder, folder.parent), readable)

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

    @cached_property
    def _allowed(self) -> tuple[Path, ...]:
        """Folders below which an experiment may read. A workspace links to weft's own."""
        own = (self.root, self.configs_dir, CLONE / self.configs_dir.name, CLONE / SHIPPED)
        return tuple({each.resolve() for each in (*own, *self.beside, *self.readable)})

    def stray(self, path: Path) -> str | None:
        """Why an experiment may not read a file: what the path leads to, after all links, lies
        elsewhere than it may. None where it may."""
        real = Path(os.path.realpath(path))
        if any(real.is_relative_to(folder) for folder in self._allowed):
            return None
        return (
            f"{real}, which lies neither in the project nor in the experiment's folder; allow it "
            f"with readable: [{real.parent}] in the machine file"
        )

    def stray_file(self, section: str, model: Settings) -> Problem | None:
        """The first file or folder of a section that the experiment may not read."""
        for key, text in named_files(model, section):
            for path in self._meant(text):
                if stray := self.stray(path):
                    said = stray if stray.startswith(f"{text},") else f"{text} leads to {stray}"
                    return Problem(key, said)
        return None

    def _meant(self, text: str) -> list[Path]:
        """What a path or a pattern may mean, from every folder in which it is looked for. Of what
        is not there other messages say so."""
        bases = (*self.beside, self.configs_dir / "experiment", self.root)
        found = [base / text for base in bases]
        there = [path for path in found if os.path.exists(path)]  # noqa: PTH110 (raises nothing)
        if there or text.startswith("/") or not any(mark in text for mark in "*?["):
            return there
        with suppress(ValueError):
            there = [path for base in bases for path in base.glob(text.removeprefix("!"))]
        return there

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
