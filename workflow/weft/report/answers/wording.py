"""What sentences share: names of places, and values with their scatter."""

from __future__ import annotations

from collections.abc import Sequence

from weft.report.data.aggregates import MeanValue
from weft.report.data.intervals import confidence, interval
from weft.report.data.settings_in_words import lowered, placed
from weft.report.data.source import Study
from weft.report.data.units import quantity, with_spread


def at(settings: Sequence[tuple[str, object]]) -> str:
    """` at k = 4`; nothing where there are no settings."""
    text = placed(settings)
    return f" {text}" if text else ""


def headed(settings: Sequence[tuple[str, object]], text: str) -> str:
    """A sentence that begins with what it is about: `At k = 4: the network saturates …`."""
    given = [each for each in settings if each[1] is not None]
    if given:
        place = placed(given)
        return f"{place[0].upper()}{place[1:]}: {text}."
    # Names of engines and settings stay as they are.
    first = text.partition(" ")[0]
    return f"{text[0].upper()}{text[1:]}." if first in _OPENINGS else f"{text}."


_OPENINGS = ("the", "along", "of", "against", "for", "from", "while")


def name(study: Study, metric: str) -> str:
    """A metric's name within a sentence."""
    return lowered(study.metrics[metric].label)


def value(study: Study, metric: str, mean: MeanValue) -> str:
    """A mean with its confidence interval, where there are replicates."""
    unit, level = study.metrics[metric].unit, confidence(study)
    low, _ = interval(mean.mean, mean.sd, mean.n, level)
    if low is None:
        return quantity(mean.mean, unit)
    text = with_spread(mean.mean, mean.mean - low, unit)
    return f"{text} ({level:.0%}, {mean.n} values)"
