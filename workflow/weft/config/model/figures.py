"""Figures: the kinds that `figures:` may name, each with its fields."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from weft.config.language.quantities import Time
from weft.config.model.figure import Divisor, Figure, Plotted, Published, Value, one_or_more
from weft.config.model.program_figures import (
    CriticalPath,
    ProgramCalls,
    RankPairs,
    RankTimeline,
)


class Curves(Plotted):
    """Base of figures with series: one for each colour."""

    y: str
    """A metric."""
    color: str = "engine"
    """A key; each of its values gets a colour."""
    published: Published | list[Published] | None = None
    """Published numbers to lay over it, as paper/item; one or several."""

    @property
    def metric(self) -> str:
        """The metric that the figure is about."""
        return self.y

    @property
    def overlaid(self) -> tuple[str, ...]:
        """The published items that lie over the figure, as paper/item."""
        return one_or_more(self.published)

    def keys(self) -> dict[str, list[str]]:
        """The dotted keys that the figure names, by field."""
        return {**super().keys(), "color": [self.color]}

    def metrics(self) -> dict[str, list[str]]:
        """The metrics that the figure names, by field."""
        return {"y": [self.y]}


class Line(Curves):
    """One line for each colour."""

    log_x: bool | None = None
    """Logarithmic x axis; null is that of a key in bytes."""
    log_y: bool | None = None
    """Logarithmic y axis; null is that of values over bytes that lie far apart."""
    band: Annotated[list[str], Field(min_length=2, max_length=2)] | None = None
    """Two metrics that bound a band, such as those of the lowest and the highest node."""

    def metrics(self) -> dict[str, list[str]]:
        """The metrics that the figure names, by field."""
        return {**super().metrics(), "band": self.band or []}


class Bar(Curves):
    """Bars side by side."""

    log_y: bool = False
    """Logarithmic y axis."""


class Table(Curves):
    """The numbers themselves."""

    @model_validator(mode="after")
    def _no_ranges(self) -> Self:
        if self.free:
            raise ValueError("a table has no axes, so free has no effect")
        return self


class Scaling(Figure):
    """How much faster a program is on more ranks than on the fewest, beside the ideal."""

    of: str
    """A metric that is a time."""
    color: str = "engine"
    """A key; each of its values gets a colour."""

    @property
    def metric(self) -> str:
        """The metric that the figure is about."""
        return self.of

    def keys(self) -> dict[str, list[str]]:
        """The dotted keys that the figure names, by field."""
        return {**super().keys(), "color": [self.color]}

    def metrics(self) -> dict[str, list[str]]:
        """The metrics that the figure names, by field."""
        return {"of": [self.of]}

    @property
    def times(self) -> Line:
        """The times themselves, over ranks."""
        return Line(
            x="workload.ranks",
            y=self.of,
            color=self.color,
            row=self.row,
            where=self.where,
            log_x=True,
            log_y=True,
        )


class Ratio(Curves):
    """The ratio of two engines' answers; of several engines to one, a series each."""

    of: str | Annotated[list[str], Field(min_length=1)]
    """The engine whose answers are divided; one or several."""
    to: Divisor
    """The engine by whose answers they are divided."""
    log_x: bool | None = None
    """Logarithmic x axis; null is that of a key in bytes."""
    scatter: bool = False
    """Show how far replicates of `to` are from their mean, as a band around 1."""

    @property
    def divided(self) -> tuple[str, ...]:
        """The engines above the bar."""
        return one_or_more(self.of)

    def engines(self) -> dict[str, list[str]]:
        """The engines that the figure names, by field."""
        return {"of": list(self.divided), "to": [self.to]}


class Map(Plotted):
    """A heat map: every cell shows a metric, or the ratio of two engines' answers."""

    y: Annotated[list[str], Field(min_length=1)]
    """The keys whose combined values make the rows of the map."""
    value: str
    """A metric."""
    of: str | None = None
    """The engine whose answers are divided; without `of` and `to` the map shows the metric
    itself."""
    to: Divisor | None = None
    """The engine by whose answers they are divided."""
    within: Annotated[float, Field(gt=0, lt=1)] | None = None
    """How far from 1 a ratio may be and still count as agreement."""

    @property
    def metric(self) -> str:
        """The metric that the figure is about."""
        return self.value

    def keys(self) -> dict[str, list[str]]:
        """The dotted keys that the figure names, by field."""
        return {**super().keys(), "y": self.y}

    def metrics(self) -> dict[str, list[str]]:
        """The metrics that the figure names, by field."""
        return {"value": [self.value]}

    def engines(self) -> dict[str, list[str]]:
        """The engines that the figure names, by field."""
        return {field: [name] for field in ("of", "to") if (name := getattr(self, field))}

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.of is None) != (self.to is None):
            raise ValueError("a ratio needs both engines: of and to")
        if self.within is not None and self.of is None:
            raise ValueError("within needs a ratio: give the engines of and to")
        return self


class BestChoice(Plotted):
    """A heat map of the best choice: in every cell the value of a key with the best metric."""

    y: str
    """A key, down the map."""
    value: str
    """A metric."""
    among: str
    """The key whose values are chosen from."""
    published: Published | None = None
    """Choices of others, as paper/item; cells that differ are marked."""
    to: dict[str, Value] | None = None
    """Settings that are taken for the truth. The map then shows how much worse than the best choice
    there the choice here is."""

    @model_validator(mode="after")
    def _one_question(self) -> Self:
        if self.published and self.to:
            raise ValueError("give published, to mark what differs, or to, to show what is lost")
        return self

    @property
    def is_judged(self) -> bool:
        """Whether the choices are held against others or against a truth."""
        return bool(self.published or self.to)

    @property
    def metric(self) -> str:
        """The metric that the figure is about."""
        return self.value

    @property
    def overlaid(self) -> tuple[str, ...]:
        """The published items that lie over the figure, as paper/item."""
        return one_or_more(self.published)

    def keys(self) -> dict[str, list[str]]:
        """The dotted keys that the figure names, by field."""
        return {**super().keys(), "y": [self.y], "among": [self.among], "to": list(self.to or ())}

    def metrics(self) -> dict[str, list[str]]:
        """The metrics that the figure names, by field."""
        return {"value": [self.value]}


Graph = Literal[
    "network_latency", "link_throughput", "buffer_utilisation", "communication_latency",
    "link_distribution", "congestion_ratio",
]  # fmt: skip


class Timeline(Figure):
    """A statistic of the network over simulated time."""

    graph: Graph
    """Which statistic."""
    labels: list[str] | None = None
    """Only these classes, like `x+`; all unless given."""
    start: Time = 0.0
    """Where the time axis begins."""
    end: Time | None = None
    """Where it ends; the end of the program unless given."""
    published: Published | list[Published] | None = None
    """Numbers of others to lay over it, as paper/item; one or several."""
    pulses: bool = False
    """Say how often the throughput of links pulses in each dimension; for `link_throughput`."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The values over time."""
        return ("series",)

    @property
    def overlaid(self) -> tuple[str, ...]:
        """The published items that lie over the figure, as paper/item."""
        return one_or_more(self.published)

    @model_validator(mode="after")
    def _has_values(self) -> Self:
        if self.end is not None and self.end <= self.start:
            raise ValueError("end must be later than start")
        if self.pulses and self.graph != "link_throughput":
            raise ValueError(
                f"pulses are those of the graph link_throughput; {self.graph} has none"
            )
        return self


class Congestion(Figure):
    """Where packets waited longest: router ports, the worst first."""

    count: Annotated[int, Field(ge=1, le=100)] = 20
    """How many ports are shown."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The waits at ports."""
        return ("congestion",)


class NetworkPicture(Figure):
    """The network itself: its switches and links, coloured by how busy the links were."""

    of: Literal["utilisation", "blocked", "shared"] = "utilisation"
    """`utilisation`: the share of its capacity that a link carried; `blocked`: the share of the
    time in which a packet waited for it; `shared`: the utilisation of links that several jobs use,
    and 0 for all others."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The links, and where packets waited for them."""
        return ("links", "congestion") if self.of == "blocked" else ("links",)


class Fit(Figure):
    """The curve that the experiment fitted to its ping-pong, with the residuals below."""

    y: Literal[
        "one_way_time_s",
        "exchange_time_s",
        "gap_time_s",
        "duplex_time_s",
        "sent_time_s",
        "copy_time_s",
        "put_time_s",
    ] = "one_way_time_s"
    """The time that the curve shows: one way, both ways, the gap between messages of one stream or
    of two in opposite directions, the call that sends, a copy in memory, or a put."""
    per_byte: bool = False
    """Show the time of a byte, net of the time of 0 bytes, instead of the time of a message."""

    @property
    def metric(self) -> str:
        """The metric that the figure is about."""
        return self.y

    def metrics(self) -> dict[str, list[str]]:
        """The metrics that the figure names, by field."""
        return {"y": [self.y]}


FIGURES: dict[str, type[Figure]] = {
    "line": Line,
    "bar": Bar,
    "ratio": Ratio,
    "scaling": Scaling,
    "table": Table,
    "map": Map,
    "choice": BestChoice,
    "timeline": Timeline,
    "congestion": Congestion,
    "network": NetworkPicture,
    "calls": ProgramCalls,
    "rank_pairs": RankPairs,
    "rank_timeline": RankTimeline,
    "critical_path": CriticalPath,
    "fit": Fit,
}
