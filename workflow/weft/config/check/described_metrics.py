"""What `configs/report/metrics.yaml` says of metrics, as checks need it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from weft.config.language.yaml_files import parsed
from weft.config.model.catalogue import METRIC_UNITS
from weft.tables.metrics import COSTS, of_each_job, unit_by_name


def metric_directions(configs_dir: Path) -> dict[str, str]:
    """The metrics of `report/metrics.yaml`, each with what is better: lower, higher or neutral;
    none where there is no such file."""
    return {name: str(each.get("direction", "neutral")) for name, each in _metrics(configs_dir)}


def metric_labels(configs_dir: Path) -> dict[str, str]:
    """The metrics of `report/metrics.yaml` by their names in reports."""
    return {str(each["label"]): name for name, each in _metrics(configs_dir) if "label" in each}


def metric_unit(configs_dir: Path, metric: str) -> str:
    """The unit in which a metric is stored; its name says it where nobody describes it."""
    described = {n: str(each["unit"]) for n, each in _metrics(configs_dir) if "unit" in each}
    return {**described, **METRIC_UNITS, **COSTS}.get(metric) or unit_by_name(metric)


def _metrics(configs_dir: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    file = configs_dir / "report" / "metrics.yaml"
    raw = parsed(file.read_text(encoding="utf-8")) if file.is_file() else {}
    for name, each in raw.items() if isinstance(raw, Mapping) else ():
        said = each if isinstance(each, Mapping) else {}
        for number, of_job in enumerate(of_each_job(str(name)), start=1):
            yield of_job, {key: str(text).replace("{n}", str(number)) for key, text in said.items()}
