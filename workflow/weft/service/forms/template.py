"""Templates: a file `<name>.yaml` says which keys a form shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from weft.config.language.errors import ConfigError, ConfigErrors, Problem, problems
from weft.config.language.section import Settings
from weft.config.language.yaml_files import placed, read_raw, read_text, shown_path

GROUPS = ("program", "interconnect", "output", "limits")
TIMEOUT = "timeout_s"


class Own(Settings):
    """A file that takes the place of what the form offers."""

    endings: Annotated[list[str], Field(min_length=1)]
    """Endings of names that it may have, like `.csv`."""
    sets: dict[str, str] = Field(default_factory=dict)
    """Keys that change with it, like `topology: graph`. Of a group that changes, the form's other
    keys are left out."""
    several: bool = False
    """Whether several files may take its place together: those of a program."""
    settings: bool = False
    """Whether the file is YAML whose keys count as if they stood in the experiment, and not a file
    that the experiment names."""
    makes: str = ""
    """What the page calls the text beside the file that names what a project's Makefile makes;
    without one there is no such text."""
    label: str = ""
    """What the page calls the file; the name of the key unless given."""
    help: str = ""
    """What the file holds, for whoever has never seen one."""


class ShownKey(Settings):
    """A key that a form shows."""

    key: str
    """The dotted key; `engine.rdma.*` shows every option of an engine."""
    default: object = None
    """What the form starts with; the default of the key unless given."""
    choices: list[str] | dict[str, object] | None = None
    """What it offers; a section gives each word the value that it stands for."""
    needs: dict[str, dict[str, list[str]]] = Field(default_factory=dict)
    """What a choice needs in lists of other keys: a word, a key and what that lists then, too."""
    several: bool = False
    """Whether several of the choices may be taken."""
    own: Own | None = None
    """The file that may stand in its place."""
    label: str = ""
    """What the page calls it; the last part of the key unless given."""
    help: str = ""
    """What it means, before the words of the model."""
    more: bool = False
    """Whether it stands among the settings that few people change. All of a star do."""


class Template(Settings):
    """One tool as a form: what it always says, and the keys of its four groups."""

    title: Annotated[str, Field(min_length=1)]
    """The name of the tool."""
    description: Annotated[str, Field(min_length=1)]
    """What it is for."""
    experiment: dict[str, object]
    """Keys of the experiment that the form does not show."""
    program: list[ShownKey]
    """Who sends what to whom."""
    interconnect: list[ShownKey]
    """Topology, links and routers."""
    output: list[ShownKey]
    """Graphs and tables."""
    limits: list[ShownKey] = Field(default_factory=list)
    """What bounds a run, beside the time-out, which every form has."""

    def groups(self) -> dict[str, list[ShownKey]]:
        """The keys by group."""
        return {name: list(getattr(self, name)) for name in GROUPS}


def template_names(folder: Path) -> list[str]:
    """Templates that may be chosen."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def read_template(folder: Path, name: str) -> Template:
    """A template, without a look at its keys.

    Raises ConfigErrors.
    """
    path = folder / f"{name}.yaml"
    shown = shown_path(folder.parent, path)
    raw = read_raw(path, shown)
    if isinstance(raw, ConfigError):
        raise ConfigErrors([raw])
    try:
        return Template.model_validate(raw)
    except ValidationError as error:
        raise ConfigErrors(placed(problems(error, Template), read_text(path), shown)) from error


def wrong_keys(folder: Path, name: str, found: list[Problem]) -> ConfigErrors:
    """Mistakes in a template, with their lines."""
    path = folder / f"{name}.yaml"
    return ConfigErrors(placed(found, read_text(path), shown_path(folder.parent, path)))
