"""The answer box of a comparison: how much changed, where most, and what may explain it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.analysis.findings import Value
from weft.plan.variant import AT, base_name
from weft.report.compare.changes import Compared, Pair, Verdict
from weft.report.compare.differences import Difference
from weft.report.compare.rows import Entry
from weft.report.data.metrics import Metrics
from weft.report.data.units import counted, factor, listing, quantity, scale_for, settings_label

_MOST = 4


@dataclass(frozen=True, slots=True)
class Names:
    """What the two sides are called on the page."""

    a: str
    b: str


def names(a: str, b: str) -> Names:
    """Runs of one experiment are named by what distinguishes them."""
    if base_name(a) != base_name(b) or a == b:
        return Names(a, b)
    return Names(*(name.partition(AT)[2] or "as written" for name in (a, b)))


def sentences(
    found: Compared,
    differing: Sequence[Difference],
    metrics: Metrics,
    called: Names,
    fits: Sequence[str],
) -> list[str]:
    """What the answer box says; `fits` are sentences about new fits of the network."""
    return [
        _verdict(found, called),
        *fits,
        *_largest(found, metrics, called),
        *_unjudged(found),
        *_lacking(found),
        *_only(found.only_a, called.a, metrics),
        *_only(found.only_b, called.b, metrics),
        _settings(differing),
    ]


def _lacking(found: Compared) -> list[str]:
    many = sum(pair.lacking for pair in found.pairs)
    if not many:
        return []
    at = counted(many, "value")
    return [f"At {at} only one of the two has some of the seeds: those that both have count."]


def _verdict(found: Compared, called: Names) -> str:
    if not found.pairs:
        return f"{called.a} and {called.b} have no value in common."
    if not found.judged:
        return f"None of the {counted(len(found.pairs), 'value')} that both have can be judged."
    changed, all_of = len(found.changes), counted(found.judged, "value")
    if not changed:
        return f"No change beyond scatter among the {all_of} that both have."
    return (
        f"{changed:,} of {all_of} changed by more than the scatter from {called.a} to {called.b}."
    )


def _largest(found: Compared, metrics: Metrics, called: Names) -> list[str]:
    """The largest change of each metric: first of those of which less or more is better, and among
    them of those that changed most."""
    first: dict[str, Pair] = {}
    for pair in sorted(found.changes, key=lambda p: metrics[p.metric].direction == "neutral"):
        first.setdefault(pair.metric, pair)
    notes = [
        f"{metrics[name].label}: most {place_text(pair, found.distinguishing)}, from"
        f" {quantity(pair.a.mean, metrics[name].unit)} to"
        f" {quantity(pair.b.mean, metrics[name].unit)}{_times(pair)}."
        for name, pair in first.items()
    ]
    left = len(notes) - _MOST
    more = [f"{counted(left, 'further metric')} changed, too."] if left > 0 else []
    return notes[:_MOST] + more


def place_text(pair: Pair, keys: Sequence[str]) -> str:
    """`for flow at k = 4`."""
    given = pair.coordinates
    settings = [(k, given[k]) for k in keys if given[k] is not None]
    where = f" at {settings_label(settings)}" if settings else ""
    return f"for {given['engine']}{where}"


def _times(pair: Pair) -> str:
    return f" ({change_text(pair.a, pair.b)})" if pair.a.mean * pair.b.mean > 0 else ""


def change_text(a: Value, b: Value) -> str:
    """`+12 %`, or a factor where that is easier to read."""
    if a.mean * b.mean <= 0:
        return "–"
    ratio = b.mean / a.mean
    if ratio > 2:
        return factor(ratio)
    return f"{100 * (ratio - 1):+.3g}%".replace("-", "−")


def _unjudged(found: Compared) -> list[str]:
    flagged, unknown = (len(found.having(v)) for v in (Verdict.FLAGGED, Verdict.UNKNOWN))
    notes = []
    if flagged:
        notes.append(f"{counted(flagged, 'value')} not to be trusted: nothing is judged.")
    if unknown:
        notes.append(f"{counted(unknown, 'value')} measured without repetitions: scatter unknown.")
    return notes


def _only(entries: Sequence[Entry], name: str, metrics: Metrics) -> list[str]:
    if not entries:
        return []
    labels = list(dict.fromkeys(metrics[each.metric].label.lower() for each in entries))
    more = ["others"] if len(labels) > _MOST else []
    shown = listing([*labels[:_MOST], *more])
    return [f"Only {name} has {counted(len(entries), 'value')}, of {shown}."]


def _settings(differing: Sequence[Difference]) -> str:
    if not differing:
        return "The settings of both are the same."
    notes = [f"{each.name} ({each.a} → {each.b})" for each in differing[:_MOST]]
    more = ["others"] if len(differing) > _MOST else []
    return f"Settings that differ: {listing([*notes, *more])}."


def scaled_pair(pair: Pair, unit: str) -> tuple[str, str]:
    """Both values in one unit."""
    scale = scale_for(unit, [pair.a.mean, pair.b.mean])
    return scale.text(pair.a.mean), scale.text(pair.b.mean)
