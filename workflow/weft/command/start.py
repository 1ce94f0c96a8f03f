"""A new experiment file that can be run as it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from weft.command.program_start import program_experiment
from weft.config.compose.composition import experiment_files
from weft.config.compose.experiment_list import name_mistakes
from weft.config.generate.schema import schema_file
from weft.config.language.errors import unknown
from weft.read import Project, ReadError

TEMPLATE = Path(__file__).with_name("experiment.yaml")
#: What editors check the file by; a path from the file, or a whole one.
SCHEMA = re.compile(r"(?<=^# yaml-language-server: \$schema=).*$", re.MULTILINE)
TITLE = re.compile(r"^title:.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a new experiment begins with: a copy of another one, a program, or else an example."""

    like: str | None = None
    program: Path | None = None
    executable: str | None = None
    """What a program's own Makefile makes."""


def new_experiment(project: Project, name: str, begin: Beginning) -> Path:
    """Write the file and return its path.

    Raises ReadError when the name is no name for an experiment or is taken, when there is no
    experiment to be `like`, and when there is no such program.
    """
    like = begin.like
    if like and begin.program:
        raise ReadError("an experiment is either --like another one or of a --program")
    if begin.executable and begin.program is None:
        raise ReadError("--executable is what a --program makes: name its folder, too")
    for mistake in name_mistakes(name):
        raise ReadError(mistake)
    known = experiment_files(project.configs, *project.search_path)
    if name in known:
        raise ReadError(f"{known[name][0]} exists already; choose another name")
    if like is not None and like not in known:
        raise ReadError(unknown("experiment", like, known))
    if begin.program:
        text = program_experiment(project, begin.program, begin.executable)
    else:
        text = (known[like][0] if like else TEMPLATE).read_text()
    path = project.experiment_folder / f"{name}.yaml"
    text = TITLE.sub(f"title: {name.replace('_', ' ')}", text, count=1)
    path.write_text(SCHEMA.sub(lambda _: _schema(project), text, count=1))
    return path


def _schema(project: Project) -> str:
    """The schema of experiments, as a file in the folder of experiments names it."""
    schema = project.configs / "schema" / schema_file("experiment")
    return str(schema.resolve()) if project.own else f"../schema/{schema.name}"
