"""The values of an experiment by place, and the settings that make a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from weft.analysis.findings import Value
from weft.config.model.declaration import FIDELITIES
from weft.report.data.aggregates import Quartiles, ReplicateValues
from weft.report.data.axes import SIZE
from weft.report.data.computing_errors import computing_errors
from weft.report.data.draws import value_of
from weft.report.data.fidelity import fidelity
from weft.report.data.settings import VARIANT, follows, place
from weft.report.data.source import NOWHERE, Study
from weft.tables.metrics import NOT_ANSWERS

#: Digests of files: another program is a difference between runs, and not another place.
_DIGEST = "_sha256"
ComparedPlace = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A metric's value at a place, where replicates are one; `measured` values scatter."""

    metric: str
    coordinates: Mapping[str, object]
    value: Value
    flagged: bool
    measured: bool


def joining(a: Study, b: Study) -> list[str]:
    """The settings beside the engine that distinguish the places of either experiment."""
    found = ["engine"]
    others = [key for study in (a, b) for key in study.values]
    for key in dict.fromkeys([*a.swept, *b.swept, *others]):
        if key in (*found, VARIANT) or key.endswith(_DIGEST):
            continue
        if any(_distinguishes(study, key, found) for study in (a, b)):
            found.append(key)
    return found[1:]


def _distinguishes(study: Study, key: str, known: Sequence[str]) -> bool:
    if len(study.values.get(key, ())) < 2:
        return False
    return not follows(study.settings, key, known)


def entries(study: Study, keys: Sequence[str]) -> dict[ComparedPlace, Entry]:
    """Every answer of `study`, by metric, engine, the settings `keys` and message size."""
    columns = ["engine", *keys, SIZE]
    machine = {name for name in study.engines if fidelity(study, name) == FIDELITIES[-1]}
    found = {}
    for metric in study.answered:
        # A change in a metric that follows from others would be counted twice.
        if metric in NOT_ANSWERS:
            continue
        flags = {place(row.place, columns): row.flag for row in study.means(metric, columns)}
        middles = {place(row.place, columns): row for row in study.quartiles(metric, columns)}
        computing = computing_errors(study, metric, columns, NOWHERE)
        for row in study.replicates(metric, columns):
            at = place(row.place, columns)
            value = _value(study, row, middles.get(at), computing.get(at, 0.0))
            found[(metric, *at)] = Entry(
                metric, row.place, value, bool(flags[at]), row.place["engine"] in machine
            )
    return found


def _value(
    study: Study, replicates: ReplicateValues, middle: Quartiles | None, error: float
) -> Value:
    found = value_of(study, replicates, error)
    if len(found.replicates) > 1 or middle is None or middle.n < 2:
        return found
    return replace(found, middle=(middle.low, middle.high))
