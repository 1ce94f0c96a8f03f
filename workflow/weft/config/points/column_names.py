"""Names of the columns in which a point's keys end up: `network.latency` is `network.latency_s`."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from weft.config.language.section import key_names, section_of
from weft.config.model.engine import Engines
from weft.config.model.experiment import POINT_GROUPS, Experiment
from weft.config.model.kinds import KINDS
from weft.config.model.network import Network

#: Columns that no section holds; `variant` is the name that the report gives to settings.
PLAIN = ("engine", "replicate", "seed", "message_bytes", "variant")


def column(key: str, engines: Engines) -> str:
    """The column of a dotted key of the experiment file; groups keep their names."""
    section, field = section_of(key)
    for model in _models(section, engines):
        if name := key_names(model).get(field):
            return _column(section, name)
    return key


def _column(section: str, name: str) -> str:
    if name == "message_bytes":
        return name
    return f"options.{name}" if section.startswith("engine.") else f"{section}.{name}"


def column_names(experiment: Experiment) -> Mapping[str, str]:
    """Every key that a figure may name, with its column."""
    names = {key: key for key in (*PLAIN, *experiment.sweep.groups())}
    engines = experiment.declared
    sections = [*POINT_GROUPS, *(f"engine.{name}" for name in engines)]
    for section in sections:
        for model in _models(section, engines):
            for field, name in key_names(model).items():
                names.setdefault(f"{section}.{field}", _column(section, name))
    names["topology.nodes"] = "topology.nodes"
    names.update({name: name for name in list(names.values())})
    return names


def _models(section: str, engines: Engines) -> list[type[BaseModel]]:
    if section in KINDS:
        return list(KINDS[section].values())
    if section.startswith("engine."):
        found = engines.get(section.removeprefix("engine."))
        return [found.model] if found else []
    return [Network] if section == "network" else []
