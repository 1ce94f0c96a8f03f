"""How near a prediction is to its reference, where it suffices, and what it saves."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from weft.analysis.comparison import Comparison, compare
from weft.config.model.figure import Figure
from weft.report.answers.bar import bar_sentences
from weft.report.answers.elsewhere import elsewhere_sentences
from weft.report.answers.questions import Ask
from weft.report.answers.sufficing import sufficing_sentences
from weft.report.answers.wording import at, key_name, name
from weft.report.data.distinguishing_settings import place
from weft.report.data.fidelity import MACHINE, fidelity
from weft.report.data.references import along_variants, comparisons, engine_of, engine_series
from weft.report.data.scatter import scatter_text
from weft.report.data.source import Study
from weft.report.data.units import (
    ROUNDING,
    counted,
    deviation,
    listing,
    quantity,
    short,
    value_label,
)

#: How far a prediction may be off and still suffice, unless the question says.
NEAR = 0.1
#: Values that differ by less are said to be so near, and no more.
_VERY_NEAR = 5e-4
#: A placeholder in a sentence for the series that suffice, until their number is known.
_ENOUGH = "\0"


def agreement_sentences(
    study: Study, ask: Ask, references: Sequence[str], figures: Sequence[Figure] = ()
) -> list[str]:
    """A sentence for each series that is compared with a reference."""
    every = _comparisons(study, ask, references, figures)
    found = one_per_series([each for each in every if not each.fitted])
    if ask.worst:
        return bar_sentences(study, ask, found)
    if every and not found:
        return []
    if not found:
        return elsewhere_sentences(study, ask, references)
    near = ask.within or NEAR
    if ask.each:
        return sufficing_sentences(study, ask, found, near)
    said = [(_compared(study, each, near), each.of) for each in found]
    return [_sentence(study, text, [of for own, of in said if own == text])
            for text in dict.fromkeys(text for text, _ in said)]  # fmt: skip


def fit_sentences(
    study: Study, ask: Ask, references: Sequence[str], figures: Sequence[Figure] = ()
) -> list[str]:
    """How near series are to what their network was fitted to: no prediction."""
    every = _comparisons(study, ask, references, figures)
    near, said = ask.within or NEAR, dict[str, list[str]]()
    for c in one_per_series([each for each in every if each.fitted]):
        close = sum(1 / (1 + near) <= ratio.ratio <= 1 + near for ratio in c.ratios)
        text = (
            f"the {name(study, c.metric)} of {c.to} is what the network was fitted to, so no"
            f" prediction: within {near:.0%} at {close:,} of {counted(c.matched, 'value')}, the"
            f" worst off by {deviation(c.max_factor)}{at(place(study, c.worst.coordinates))}."
        )
        said.setdefault(text, []).append(c.of)
    return [f"For {listing(of)}, {text}" for text, of in said.items()]


def _comparisons(
    study: Study, ask: Ask, references: Sequence[str], figures: Sequence[Figure]
) -> list[Comparison]:
    places = along_variants(figures, ask.of)
    return comparisons(study, ask.of, references, ask.wheres, ask.to, places)


def one_per_series(found: Sequence[Comparison]) -> list[Comparison]:
    """One comparison per series: with the reference that covers most values, else the first."""
    chosen: dict[str, Comparison] = {}
    for comparison in found:
        best = chosen.get(comparison.of)
        if best is None or comparison.matched > best.matched:
            chosen[comparison.of] = comparison
    return list(chosen.values())


def _sentence(study: Study, text: str, of: Sequence[str]) -> str:
    """What all series `of` give alike."""
    if len(of) == 1:
        return f"{of[0]} gives {text}".replace(_ENOUGH, f"{engine_of(study, of[0])} suffices")
    both = f"{', '.join(of[:-1])} and {of[-1]}"
    return f"{both} give {text}".replace(_ENOUGH, "each of them suffices")


def _compared(study: Study, c: Comparison, near: float) -> str:
    """What a series gives, as the sentence goes on behind its name and the verb."""
    what, scatter = name(study, c.metric), scatter_text(c.worst)
    where = at(place(study, c.worst.coordinates)) + (f" ({scatter})" if scatter else "")
    unit = study.metrics[c.metric].unit
    recorded = "from the same recorded times of computing, " if _is_recorded(study, c) else ""
    all_values = f", at all {c.matched:,} values compared{_saving(study, c)}."
    if c.max_factor <= 1 + ROUNDING:
        alike = f"{recorded or 'exactly '}the same {what} as {c.to}"
        value = quantity(c.worst.of, unit)
        return f"{alike}{all_values if c.matched > 1 else f': {value}{_saving(study, c)}.'}"
    if c.matched == 1:
        both = f"{quantity(c.worst.of, unit)} against {quantity(c.worst.to, unit)}"
        off = deviation(c.max_factor)
        return f"{recorded}the {what} within {off} of {c.to}: {both}{where}."
    if c.max_factor <= 1 + _VERY_NEAR:
        return f"{recorded}the {what} within {_VERY_NEAR:.2%} of {c.to}{all_values}"
    close = [r for r in c.ratios if 1 / (1 + near) <= r.ratio <= 1 + near]
    share = f"within {near:.0%} at {len(close) or 'none'} of {c.matched:,} values"
    if len(close) == c.matched:
        enough = engine_of(study, c.of) and engine_of(study, c.to)
        return (
            f"the {what} within {near:.0%} of {c.to} at all {c.matched:,} values; the"
            f" worst is off by {deviation(c.max_factor)}{where}"
            f"{f', so {_ENOUGH} here' if enough else ''}{_saving(study, c)}."
        )
    return (
        f"the {what} within {deviation(c.median_factor)} (median) of {c.to}, {share}"
        f"{_from(c, close)}; the worst is off by {deviation(c.max_factor)}{where}."
    )


def _is_recorded(study: Study, c: Comparison) -> bool:
    """Whether both read the same recorded times of computing: then being alike is no finding."""
    ends = [engine_of(study, label) for label in (c.of, c.to)]
    recorded = {
        s["engine"] for s in study.settings if s.get("options.compute") in ("measured", "sampled")
    }  # fmt: skip
    return None not in ends and set(ends) <= recorded


def _from(c: Comparison, close: Sequence[object]) -> str:
    """` (from 64 KiB on)`: where the values that are near stand together at one end of an axis."""
    keys = [
        key for key in {k for r in c.ratios for k in r.coordinates}
        if len({repr(r.coordinates.get(key)) for r in c.ratios}) > 1
    ]  # fmt: skip
    if len(keys) != 1 or not close:
        return ""
    (key,) = keys
    xs = [(r.coordinates.get(key), r in close) for r in c.ratios]
    numbers = sorted((x, near) for x, near in xs if isinstance(x, int | float))
    if len(numbers) < len(xs):
        return ""
    flags = [near for _, near in numbers]
    if flags == sorted(flags):
        return f" (from {key_name(key)} = {value_label(key, numbers[flags.index(True)][0])} on)"
    if flags == sorted(flags, reverse=True):
        return f" (up to {key_name(key)} = {value_label(key, numbers[flags.index(False) - 1][0])})"
    return ""


def _saving(study: Study, c: Comparison) -> str:
    """`; it takes 1/90 of the CPU time (median)` beside a reference that is a simulator, too."""
    ends = [engine_of(study, label) for label in (c.of, c.to)]
    if None in ends or ends[0] == ends[1] or MACHINE in [fidelity(study, str(e)) for e in ends]:
        return ""
    series = engine_series(study, "cpu_s")
    both = compare("cpu_s", (c.of, series.get(c.of, [])), (c.to, series.get(c.to, [])))
    if not both.matched:
        return ""
    ratio = median(1 / each.ratio for each in both.ratios)
    # Of a much cheaper model a percentage would round to nothing.
    share = f"{1 / ratio:.0%}" if ratio < 10 else f"1/{short(float(f'{ratio:.2g}'))}"
    return f"; it takes {share} of its CPU time (median)" if ratio > 1 else ""
