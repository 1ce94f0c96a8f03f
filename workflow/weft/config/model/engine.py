"""Engines, made from their declarations: what each of them is, and the model of its options."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ValidationError, create_model

from weft.config.language.errors import ConfigError, ConfigErrors, Problem, problems
from weft.config.language.section import Settings
from weft.config.language.yaml_files import placed, read_raw, read_text, shown_path
from weft.config.model.capabilities import Capabilities, capabilities
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.declaration import (
    NAME,
    EngineFile,
    Fidelity,
    MetricKind,
    Option,
    ProgramKind,
    Routers,
    VirtualChannels,
)
from weft.config.model.option import option_field
from weft.config.model.own_programs import with_program_rules
from weft.config.model.table_rules import table_kinds, with_table_rules
from weft.config.model.topology import Count

#: Engines that measure are modules of weft: a declaration alone cannot say how.
MEASURING = frozenset({"hardware"})


class EngineSettings(Settings):
    """Base of all engines; `shard_points` belongs to the plan, the rest to the points."""

    shard_points: Count | None = None
    """Points of one job; unless given, weft divides all points into about forty jobs."""

    def spec(self) -> dict[str, object]:
        """The options of a point."""
        options = super().spec()
        options.pop("shard_points", None)
        return options


@dataclass(frozen=True, slots=True)
class DeclaredEngine:
    """One engine: its file's facts, the model of its options, and their defaults as written, but
    for choices by size."""

    name: str
    program: ProgramKind
    answers: frozenset[str]
    #: What it may write on demand, with the kinds of workload whose points may have it.
    side_tables: Mapping[str, Collection[str]]
    network_sections: bool | Literal["program"]
    network_costs: bool | Literal["program"]
    program_source: bool
    fidelity: Fidelity
    #: By kind of workload, a search by its word; None for any.
    metrics: Mapping[str, Sequence[str]] | None
    model: type[EngineSettings]
    defaults: Mapping[str, object] = field(default_factory=dict)
    #: The kind of workload of the options that other points lack.
    kinds: Mapping[str, str] = field(default_factory=dict)
    #: The choices that a table may make by the size of a message.
    by_size: tuple[str, ...] = ()
    #: By table: the option that is true where the engine writes it; of others `tables` lists them.
    fills: Mapping[str, str] = field(default_factory=dict)
    one_sided: bool = True
    routers: Routers | None = None
    #: Where packets hold virtual channels while they wait for others: the keys about these.
    virtual_channels: VirtualChannels | None = None
    capabilities: Capabilities = field(default_factory=Capabilities)

    def has_sections(self, kind: str | None) -> bool:
        """Whether its points of a kind of workload carry the sections of the network."""
        return self.network_sections in (True, kind)

    def has_costs(self, kind: str | None) -> bool:
        """Whether its points of a kind of workload carry the costs of messages by size."""
        return self.network_costs in (True, kind)

    def lacks(self, kind: str | None) -> tuple[str, ...]:
        """The options that its points of a kind of workload lack."""
        return tuple(key for key, own in self.kinds.items() if own != kind)

    @property
    def has_formulas(self) -> bool:
        """Whether it answers programs by name: then no program of that name needs to exist."""
        return "workload.program" in self.capabilities.supports

    @property
    def reads_arguments(self) -> bool:
        """Whether its points of programs contain the program's arguments."""
        return self.program_source or self.has_formulas

    @property
    def measures(self) -> bool:
        """Whether simulated topologies and networks mean nothing to it."""
        return self.program == "machine"


#: Engines by name, sorted.
Engines = Mapping[str, DeclaredEngine]


def declared_engines(configs_dir: Path) -> Engines:
    """The engines of `configs_dir`.

    Raises ConfigErrors with all mistakes of all declarations.
    """
    found: dict[str, DeclaredEngine] = {}
    wrong: list[ConfigError] = []
    for path in sorted((configs_dir / "engine").glob("*.yaml")):
        shown = shown_path(configs_dir, path)
        raw = read_raw(path, shown)
        if isinstance(raw, ConfigError):
            wrong.append(raw)
            continue
        engine = _declared(path.stem, _Written(raw))
        if isinstance(engine, DeclaredEngine):
            found[path.stem] = engine
        else:
            wrong += placed(engine, read_text(path), shown)
    if wrong:
        raise ConfigErrors(wrong)
    return found


class _Written:
    """A declaration's content, which says the same when it is read again."""

    def __init__(self, raw: Mapping[str, object]) -> None:
        self.raw, self._text = raw, repr(raw)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Written) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


@lru_cache(maxsize=256)
def _declared(name: str, written: _Written) -> DeclaredEngine | list[Problem]:
    raw = dict(written.raw)
    if not re.fullmatch(NAME, name):
        return [Problem("", f"an engine's name is lower case, like 'my_engine'; not '{name}'")]
    said = CATALOGUE.engines[name].declared() if is_own(name, raw) else {}
    if twice := [key for key in said if key in raw]:
        where = f"simulators/{name} declares this; leave it out here"
        return [Problem(key, where) for key in twice]
    file = _file({**raw, **said})
    if not isinstance(file, EngineFile):
        return file
    if said:
        file = with_program_rules(file)
    file = with_table_rules(file)
    if file.static_routes:
        file = file.model_copy(update={"supports": {**_static_routes(), **file.supports}})
    found = list(_mistakes(name, file))
    fields: dict[str, Any] = {}
    for key, option in file.options.items():
        made = option_field(key, option)
        if isinstance(made, list):
            found += made
        else:
            fields[key] = made
    if found:
        return found
    model = create_model(name, __base__=EngineSettings, __doc__=file.description, **fields)
    able = capabilities(name, file, model)
    if isinstance(able, list):
        return able
    return DeclaredEngine(
        name=name,
        program=file.program,
        answers=frozenset(file.answers),
        side_tables=table_kinds(file),
        network_sections=file.network_sections,
        network_costs=file.network_costs,
        program_source=file.program_source,
        one_sided=file.one_sided,
        fidelity=file.fidelity,
        metrics=_by_kind(file.metrics),
        model=model,
        defaults={
            key: option.default
            for key, option in file.options.items()
            # Whether an experiment makes a choice by size matters: a machine may make it, too.
            if option.default is not None and not option.by_size
        },
        kinds={key: option.of for key, option in file.options.items() if option.of},
        by_size=tuple(key for key, option in file.options.items() if option.by_size),
        fills={table: key for key, option in file.options.items() for table in option.fills},
        routers=file.routers,
        virtual_channels=file.virtual_channels,
        capabilities=able,
    )


def _by_kind(
    metrics: Sequence[str] | Mapping[MetricKind, Sequence[str]] | None,
) -> dict[str, Sequence[str]] | None:
    if metrics is None:
        return None
    if isinstance(metrics, Mapping):
        return {str(kind): names for kind, names in metrics.items()}
    return dict.fromkeys(get_args(MetricKind), metrics)


def _static_routes() -> dict[str, list[Any]]:
    """The topologies and routings whose routes are static."""
    ways = [
        (entry, each.name)
        for entry in CATALOGUE.topologies
        for each in entry.routings
        if each.is_static and not each.is_by_message
    ]
    kinds = dict.fromkeys(entry.kind for entry, _ in ways)
    routings = dict.fromkeys(name for entry, name in ways if entry.has_routing_key)
    return {"topology.kind": list(kinds), "topology.routing": list(routings)}


def is_own(name: str, raw: Mapping[str, object]) -> bool:
    """Whether the catalogue has a part of the declaration: of weft's own simulators."""
    return raw.get("program") == "crate" and name in CATALOGUE.engines


def _file(raw: Mapping[str, object]) -> EngineFile | list[Problem]:
    found: list[Problem] = []
    options = raw.get("options")
    # One by one, so that a message about a wrong key lists the keys of an option, not of the file.
    for key, option in options.items() if isinstance(options, Mapping) else ():
        try:
            Option.model_validate(option)
        except ValidationError as error:
            found += problems(error, Option, f"options.{key}")
    try:
        return EngineFile.model_validate(dict(raw))
    except ValidationError as error:
        return found + [p for p in problems(error, EngineFile) if not p.key.startswith("options.")]


def _mistakes(name: str, file: EngineFile) -> Iterator[Problem]:
    if file.program == "machine" and name not in MEASURING:
        known = ", ".join(MEASURING)
        yield Problem("program", f"only {known} measures; write crate, command or image")
    if file.fidelity == "machine" and file.program != "machine":
        yield Problem("fidelity", "only an engine that measures has the fidelity machine")
    for key in file.options:
        if not re.fullmatch(NAME, key):
            yield Problem(f"options.{key}", "an option's name is lower case, like 'window_size'")
        elif hasattr(EngineSettings, key) or key in EngineSettings.model_fields:
            yield Problem(f"options.{key}", "weft uses this name itself; choose another")
