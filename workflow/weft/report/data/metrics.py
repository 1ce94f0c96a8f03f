"""What every metric means, read from `configs/report/metrics.yaml`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast, get_args

import yaml

from weft.config.language.yaml_loader import LOADER
from weft.config.model.catalogue import METRIC_UNITS
from weft.files import replace_text
from weft.tables.metrics import COMPUTING_SPREAD, COSTS, MOST_JOBS, of_each_job, unit_by_name

Direction = Literal["lower", "higher", "neutral"]
#: What describes a run itself or follows from its settings: shown only where there is no other.
RUN = (
    "cycle_s", "offered_rate", "packets_measured", "warmup_cycles", "measured_cycles",
    "simulated_cycles", "flit_router_visits", COMPUTING_SPREAD,
)  # fmt: skip
_MOST = 4
_BETTER = {"lower": "lower is better", "higher": "higher is better", "neutral": "neutral"}


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: its stored unit, which direction is better, and its human name."""

    name: str
    unit: str
    direction: Direction
    label: str
    description: str

    def of_jobs(self) -> Iterator[tuple[str, Metric]]:
        """It under its name, or under that of each job, if it holds `{n}`."""
        for number, name in enumerate(of_each_job(self.name), start=1):
            label, text = (
                part.replace("{n}", str(number)) for part in (self.label, self.description)
            )
            yield name, replace(self, name=name, label=label, description=text)

    @property
    def around(self) -> float | None:
        """The value that says that nothing differs, around which figures are drawn; else None."""
        return 1.0 if self.name.endswith("_slowdown") else None


class Metrics(dict[str, Metric]):
    """Metrics by name; an unknown name yields a readable stand-in."""

    def __missing__(self, name: str) -> Metric:
        text = name.removesuffix("_s").replace("_", " ")
        return Metric(
            name, unit_by_name(name), "neutral", text[:1].upper() + text[1:], "Not described."
        )


def load_metrics(configs: Path) -> Metrics:
    """Read the metrics below `configs`; the catalogue has the units of weft's own simulators.

    Raises ValueError that names the metric when a field is missing or a direction unknown.
    """
    return Metrics(
        {name: metric for each in _described(configs) for name, metric in each.of_jobs()}
    )


def _described(configs: Path) -> list[Metric]:
    """As the file says: one for all jobs."""
    path = configs / "report" / "metrics.yaml"
    return [_metric(path, name, fields) for name, fields in _mapping(path).items()]


def _mapping(path: Path) -> Mapping[str, Mapping[str, str]]:
    return cast("Mapping[str, Mapping[str, str]]", yaml.load(path.read_text(), Loader=LOADER))


def _metric(path: Path, name: str, fields: Mapping[str, str]) -> Metric:
    if name in METRIC_UNITS:
        fields = {"unit": METRIC_UNITS[name], **fields}
        if fields["unit"] != METRIC_UNITS[name]:
            raise ValueError(f"{path}: {name} has the unit {METRIC_UNITS[name]} in the catalogue")
    wanted = {"unit", "direction", "label", "description"}
    if set(fields) != wanted:
        raise ValueError(f"{path}: {name} needs exactly {sorted(wanted)}, has {sorted(fields)}")
    if fields["direction"] not in get_args(Direction):
        raise ValueError(f"{path}: {name}.direction must be one of {get_args(Direction)}")
    return Metric(
        name,
        str(fields["unit"]),
        cast("Direction", fields["direction"]),
        fields["label"],
        fields["description"].strip(),
    )


def telling(answered: Iterable[str]) -> list[str]:
    """Those of the metrics `answered` that say more than what a run cost or was asked to do."""
    names = [name for name in answered if name not in COSTS]
    return [name for name in names if name not in RUN] or names


def leading(answered: Iterable[str]) -> list[str]:
    """The few metrics that matter most, of those `answered`, in their order."""
    return telling(answered)[:_MOST]


def metrics_markdown(configs: Path) -> str:
    """The text of `docs/metrics.md`."""
    lines = [
        "# Metrics",
        "",
        "Generated from `configs/report/metrics.yaml`, and units of weft's simulators from"
        " `configs/catalogue.json`, by `make schema`; edit the former. `{n}` is the number"
        f" of a job, from 1 to {MOST_JOBS}.",
        "",
        "| metric | name in reports | unit | better | meaning |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| `{m.name}` | {m.label} | {m.unit} | {_BETTER[m.direction]} | {m.description} |"
        for m in _described(configs)
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    replace_text(Path(sys.argv[1]), metrics_markdown(Path("configs")))
