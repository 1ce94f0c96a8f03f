"""A new experiment file that can be run as it stands."""

from __future__ import annotations

import re
from pathlib import Path

from weft.config.compose.composition import experiment_files
from weft.config.generate.schema import schema_file
from weft.config.language.errors import unknown
from weft.read import Project, ReadError

TEMPLATE = Path(__file__).with_name("experiment.yaml")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
#: What editors check the file by; a path from the file, or a whole one.
SCHEMA = re.compile(r"(?<=^# yaml-language-server: \$schema=).*$", re.MULTILINE)
TITLE = re.compile(r"^title:.*$", re.MULTILINE)


def new_experiment(project: Project, name: str, like: str | None) -> Path:
    """Write the file and return its path.

    Raises ReadError when the name is no name for an experiment or is taken, and when there is no
    experiment to be `like`.
    """
    if not NAME.fullmatch(name):
        raise ReadError(f"'{name}' is not a valid name: use letters, digits, '-' and '_'")
    known = experiment_files(project.configs, *project.search_path)
    if name in known:
        raise ReadError(f"{known[name][0]} exists already; choose another name")
    if like is not None and like not in known:
        raise ReadError(unknown("experiment", like, known))
    source = known[like][0] if like else TEMPLATE
    path = project.experiment_folder / f"{name}.yaml"
    text = TITLE.sub(f"title: {name.replace('_', ' ')}", source.read_text(), count=1)
    path.write_text(SCHEMA.sub(lambda _: _schema(project), text, count=1))
    return path


def _schema(project: Project) -> str:
    """The schema of experiments, as a file in the folder of experiments names it."""
    schema = project.configs / "schema" / schema_file("experiment")
    return str(schema.resolve()) if project.own else f"../schema/{schema.name}"
