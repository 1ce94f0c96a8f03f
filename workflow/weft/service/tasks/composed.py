"""The checks of the command line, and what only a service refuses; without Django."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from weft.config import ConfigError, ConfigErrors, Experiment, load_experiments
from weft.config.compose.experiment_list import name_mistakes
from weft.plan import expand
from weft.plan.costs import Costs
from weft.service.project import NAME, make_project, upload_problem
from weft.service.tasks.plain_yaml import yaml_problem
from weft.service.tasks.programs import runs_strange_code
from weft.service.tasks.shares import Share, shares_of

#: What an experiment of a stranger may not bring: it decides what runs on the machine itself.
_SITE_KEYS = ("machine", "search_path", "hydra")
_LONGEST_YAML = 200_000
NAME_PROBLEM = "use letters, digits, '-' and '_', at most 64"
_UPWARD = re.compile(r"(^|/)\.\.(/|$)")
_PATH_KEYS = ("file", "routes", "source", "input", "program")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake: the dotted key (may be empty), what is wrong, and the line if it is known."""

    key: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.key}: {self.message}" if self.key else f"{place}{self.message}"


@dataclass(frozen=True, slots=True)
class Checked:
    """What is known of an experiment before it runs."""

    mistakes: tuple[Mistake, ...] = ()
    title: str = ""
    points: int = 0
    engines: tuple[str, ...] = ()
    shares: tuple[Share, ...] = ()
    #: Whether it runs code that is not weft's.
    brings_program: bool = False


def composed(
    name: str, experiment_yaml: str, files: Mapping[str, bytes], costs: Costs | None = None
) -> Checked:
    """Compose, check and expand an experiment as the planner does; estimate it by `costs`.

    It reads what strangers have written, so it may take any time and memory: call it by `checked`.
    """
    if mistakes := tuple(_outer_mistakes(name, experiment_yaml, files)):
        return Checked(mistakes)
    with tempfile.TemporaryDirectory(prefix="weft-check-") as folder:
        project = make_project(Path(folder), name, experiment_yaml, files)
        try:
            (experiment,) = load_experiments(project.configs, [name])
            if mistakes := tuple(_strange(experiment)):
                return Checked(mistakes)
            points = expand(experiment, None)
            shares = tuple(shares_of(points, costs or Costs()))
            strange = runs_strange_code(points.texts("workload"))
        except ConfigErrors as errors:
            return Checked(tuple(map(_mistake, errors.errors)))
        except (ValueError, OSError) as error:
            return Checked((Mistake("", str(error).replace(f"{folder}/", "")),))
    engines = tuple(experiment.engines)
    return Checked((), experiment.settings.title, len(points), engines, shares, strange)


def _outer_mistakes(name: str, text: str, files: Mapping[str, bytes]) -> Iterator[Mistake]:
    if not NAME.fullmatch(name):
        yield Mistake("name", NAME_PROBLEM)
    elif problem := next(name_mistakes(name), None):
        yield Mistake("name", problem)
    if len(text) > _LONGEST_YAML:
        yield Mistake("", f"an experiment has at most {_LONGEST_YAML:,} characters")
        return
    for path, content in files.items():
        if problem := upload_problem(path):
            yield Mistake(path, problem)
        elif not content:
            yield Mistake(path, "the file is empty")
    if found := yaml_problem(text):
        yield Mistake("", *found)
        return
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    yield from _site_keys(root)
    yield from _foreign_paths(root, "")


def _line(node: yaml.Event | yaml.Node) -> int | None:
    return node.start_mark.line + 1 if node.start_mark else None


def _foreign_paths(node: yaml.Node | None, key: str) -> Iterator[Mistake]:
    """Texts that lead out of the task's folder, and paths put together from other keys."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _foreign_paths(name, key)
            yield from _foreign_paths(value, str(name.value))
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _foreign_paths(value, key)
    elif isinstance(node, yaml.ScalarNode):
        text = str(node.value)
        if text.startswith(("/", "~")) or _UPWARD.search(text):
            yield Mistake(key, "may not lead out of the task's own folder", _line(node))
        elif "${" in text and key.rpartition(".")[2] in _PATH_KEYS:
            yield Mistake(key, "a path may not be put together from other keys", _line(node))


def _site_keys(root: yaml.Node | None) -> Iterator[Mistake]:
    if not isinstance(root, yaml.MappingNode):
        return
    for key, value in root.value:
        line = _line(key)
        if str(key.value) in _SITE_KEYS:
            yield Mistake(str(key.value), "belongs to the server's site", line)
        if key.value == "defaults" and isinstance(value, yaml.SequenceNode):
            for entry in value.value:
                group = entry.value[0][0] if isinstance(entry, yaml.MappingNode) else entry
                if "machine" in str(group.value):
                    said = "the machine belongs to the server's site"
                    yield Mistake("defaults", said, _line(entry))


def _strange(experiment: Experiment) -> Iterator[Mistake]:
    """What runs outside of weft's own simulators."""
    for name in experiment.engines:
        declared = experiment.declared[name]
        if declared.program != "crate":
            yield Mistake("engines", f"'{name}' is not offered here: it is not a simulator of weft")


def _mistake(error: ConfigError) -> Mistake:
    line = getattr(error.mark, "line", None)
    return Mistake(error.key, error.message, line if isinstance(line, int) else None)
