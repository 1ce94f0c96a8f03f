"""What there is: topologies, patterns, workloads and the options of weft's own engines.

The simulators say it, each part beside the code that does it; `configs/catalogue.json` is what they
print (`make catalogue`), so planning needs no compiler.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from weft.tables.declared import CATALOGUE_FILE
from weft.tables.metrics import of_each_job


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Key(_Entry):
    """A key of a topology."""

    name: str
    meaning: str
    type: Literal["integer", "integers", "choice", "file", "text", "texts"]
    #: Of an integer, or of each in a list.
    minimum: int | None = None
    maximum: int | None = None
    #: The words of a choice.
    allowed: list[str] = []
    #: `nothing` where another key says the same.
    default: Literal["required", "nothing"] | dict[Literal["number", "word", "formula"], int | str]
    #: Whether a spec leaves the key out where it has its default.
    unsaid: bool = False

    @property
    def value(self) -> int | str | None:
        """The default, where it does not depend on other keys."""
        known = self.default if isinstance(self.default, dict) else {}
        return known.get("number", known.get("word"))

    @property
    def formula(self) -> str | None:
        """The default as a formula of other keys."""
        found = self.default.get("formula") if isinstance(self.default, dict) else None
        return None if found is None else str(found)


class Routing(_Entry):
    """A routing function, and what it needs so that packets cannot deadlock."""

    name: str
    way: str
    #: Whether source and destination alone decide the way.
    is_static: bool
    #: Whether messages of the same source and destination may take several ways.
    is_by_message: bool
    #: Classes that it divides the virtual channels of a port into, and what each is for.
    classes: int
    each: str
    #: Whether two packets must never share the buffer of a virtual channel.
    needs_own_buffers: bool


class RingClasses(_Entry):
    """A way to divide the virtual channels of a ring."""

    name: str
    multiple_of: int
    meaning: str


class ChannelClass(_Entry):
    """A class of channels; `*` stands for a number in its name and in those of its channels."""

    name: str
    #: Of each number, the first value that it does not have, as a formula of the keys.
    below: list[str]
    #: The least value of the first number.
    least: int = 0
    #: A formula that is above 0 where the class is there, if it is not always.
    positive: str | None = None


class Example(_Entry):
    """Keys of a small topology, and its number of nodes."""

    keys: dict[str, int | list[int]]
    nodes: int


class TopologyEntry(_Entry):
    """A topology."""

    kind: str
    meaning: str
    keys: list[Key]
    #: A formula of the keys.
    nodes: str
    has_digits: bool
    #: The first one is the default.
    routings: list[Routing]
    ring_classes: list[RingClasses]
    #: Whether each node may have a virtual channel of its own.
    per_destination: bool
    classes: list[ChannelClass]
    #: Classes that `taper` makes slower.
    tapered: list[str]
    examples: list[Example]

    @property
    def has_routing_key(self) -> bool:
        """Whether an experiment chooses among its routings."""
        return any(key.name == "routing" for key in self.keys)


class PatternEntry(_Entry):
    """A traffic pattern: who receives what node s of N sends."""

    name: str
    receiver: str
    needs: Literal["nothing", "power_of_two", "even_power_of_two", "digits", "file"]


class Workloads(_Entry):
    """Words of workloads."""

    kinds: list[str]
    injection_processes: list[str]
    searches: list[str]


class MetricEntry(_Entry):
    """A metric, with its unit as stored."""

    name: str
    unit: str
    #: The kinds of workload whose points may have it, a search by its word; all unless given.
    of: list[str] = []


class FilledEntry(_Entry):
    """A side table of an engine, with the kinds of workload whose points may have it."""

    name: str
    of: list[str]


class EngineEntry(_Entry):
    """The part of an engine's declaration that its code decides, in the declaration's words."""

    answers: list[str]
    metrics: list[MetricEntry]
    side_tables: list[FilledEntry]
    supports: dict[str, list[str]] = {}
    virtual_channels: dict[str, str | int] | None = None
    routers: dict[str, int] | None = None
    options: list[dict[str, object]]

    def declared(self) -> dict[str, object]:
        """As `configs/engine/<name>.yaml` would say it."""
        plain = self.model_dump(exclude_none=True)
        options = {each["name"]: {**each} for each in self.options}
        for option in options.values():
            del option["name"]
        metrics: dict[str, list[str]] = {}
        for metric in self.metrics:
            for kind in metric.of or self.answers:
                metrics.setdefault(kind, []).extend(of_each_job(metric.name))
        tables = {table.name: table.of for table in self.side_tables}
        return {**plain, "metrics": metrics, "side_tables": tables, "options": options}


class Catalogue(_Entry):
    """Everything."""

    most_nodes: int
    topologies: list[TopologyEntry]
    patterns: list[PatternEntry]
    workloads: Workloads
    #: `weft.tables.declared` has their columns.
    side_tables: dict[str, object]
    engines: dict[str, EngineEntry]


CATALOGUE = Catalogue.model_validate_json(CATALOGUE_FILE.read_bytes())
#: The units of what weft's own simulators give.
METRIC_UNITS = {
    name: metric.unit
    for engine in CATALOGUE.engines.values()
    for metric in engine.metrics
    for name in (metric.name, *of_each_job(metric.name))
}
