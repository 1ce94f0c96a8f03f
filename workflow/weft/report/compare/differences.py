"""What differs between two experiments beside their answers: settings, versions, machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from weft.report.data.settings import plain
from weft.report.data.source import Study
from weft.report.data.units import value_label
from weft.report.record.provenance import provenance

_MOST = 6
#: They differ between any two runs and do not explain why values differ.
_ALWAYS = ("Slurm jobs", "Commands")


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting or a recorded fact in the words of either side."""

    name: str
    a: str
    b: str


def settings_differences(a: Study, b: Study) -> list[Difference]:
    """Parameters of the points whose planned values differ."""
    keys = dict.fromkeys([*a.values, *b.values])
    sides = [{key: _shown(key, study.values.get(key, ())) for key in keys} for study in (a, b)]
    return _differing(*sides)


def facts_differences(a: Study, b: Study) -> list[Difference]:
    """Versions, hosts, images and times of the runs, and the machine that was asked for."""
    return _differing(*(dict(_facts(study)) for study in (a, b)))


def _facts(study: Study) -> Iterator[tuple[str, str]]:
    for name, facts in provenance(study):
        if name not in _ALWAYS:
            yield name, "; ".join(fact.text for fact in facts)
    for key, value in _flat(study.plan.machine.plain(), "machine."):
        yield key, str(plain(value))


def _flat(tree: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _shown(key: str, values: Iterable[object]) -> str:
    texts = [value_label(key, value) for value in values]
    more = f" and {len(texts) - _MOST:,} more" if len(texts) > _MOST else ""
    return ", ".join(texts[:_MOST]) + more


def _differing(a: Mapping[str, str], b: Mapping[str, str]) -> list[Difference]:
    names: Sequence[str] = list(dict.fromkeys([*a, *b]))
    found = [Difference(name, a.get(name) or "–", b.get(name) or "–") for name in names]
    return [each for each in found if each.a != each.b]
