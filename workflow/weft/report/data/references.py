"""Which reference each series is compared with: the engine of highest fidelity, or a paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from weft.analysis.comparison import Answer, Comparison, compare
from weft.analysis.findings import Value
from weft.config.model.figure import Figure, Plotted
from weft.config.model.figures import Ratio
from weft.report.data.axes import SIZE
from weft.report.data.draws import value_of
from weft.report.data.fidelity import MACHINE, fidelity, highest
from weft.report.data.fit_errors import FITTED, is_fitted
from weft.report.data.flagged import has_busy_fit, reason
from weft.report.data.metrics import leading
from weft.report.data.overlays import kind_of, planned
from weft.report.data.settings import VARIANT, follows
from weft.report.data.settings import place as at
from weft.report.data.source import NOWHERE, Study, Where
from weft.report.data.units import series_label, value_label
from weft.tables.metrics import COSTS

#: What `report.reference` and `to` call the numbers of others.
PUBLISHED = "published"
#: What was derived from a paper's model, which only a question can ask for.
DERIVED = "derived"
#: Without a filter.
EVERYWHERE: tuple[Where, ...] = (NOWHERE,)


def engine_series(
    study: Study, metric: str, wheres: Sequence[Where] = EVERYWHERE, also: Iterable[str] = ()
) -> dict[str, list[Answer]]:
    """Means over replicates by series: one for each engine and variant; what any filter admits.

    Without variants, options that vary in one engine make series of its own, unless the place
    alone decides them. An option that varies in several engines, as the algorithm of a collective,
    is a place: each of its values is compared with itself. So are variants where the keys `also`
    name them, as those along the axis of a figure.
    """
    settings = [key for key in study.swept if not key.startswith("options.")]
    chosen = study.settings
    options = [
        key
        for key in study.swept
        if key not in settings
        and not follows(chosen, key, ["engine", *settings])
        and not _is_shared(study, key)
    ]
    also = list(also)
    names = [VARIANT] if varies(study, VARIANT) else options
    names = [] if VARIANT in also else names
    places = [key for key in dict.fromkeys((*study.swept, *also)) if key not in ("engine", *names)]
    places.append(SIZE)
    found: dict[str, list[Answer]] = {}
    keys = ["engine", *names, *places]
    rows = {
        at(row.place, keys): row for where in wheres for row in study.means(metric, keys, where)
    }
    drawn: dict[tuple[str, ...], Value] = {}
    for where in wheres if max(study.seeds_of_engines.values()) > 1 else ():
        replicates = study.replicates(metric, keys, where)
        drawn |= {at(row.place, keys): value_of(study, row) for row in replicates}
    for row in sorted(rows.values(), key=lambda row: study.engines.index(row.place["engine"])):
        here = {key: value for key in places if (value := row.place[key]) is not None}
        label = series_label(["engine", *names], row.place)
        whole = drawn.get(at(row.place, keys))
        whole = replace(whole, mean=row.mean) if whole else None
        answer = Answer(here, row.mean, reason(row), whole)
        found.setdefault(label, []).append(answer)
    return found


def _is_shared(study: Study, key: str) -> bool:
    """Whether `key` has several values in each of several engines."""
    found: dict[object, set[str]] = {}
    for settings in study.settings:
        if settings.get(key) is not None:
            found.setdefault(settings["engine"], set()).add(repr(settings[key]))
    return sum(len(values) > 1 for values in found.values()) > 1


def varies(study: Study, key: str) -> bool:
    """Whether the plan has several values of `key`."""
    return len(study.values.get(key, ())) > 1


@dataclass(frozen=True, slots=True)
class Others:
    """Published values of one series; with an `engine`, only its series are compared with it."""

    name: str
    engine: str | None
    variant: str | None
    answers: list[Answer]

    def suits(self, series: str) -> bool:
        """Whether our `series` answers the question that these values answer."""
        engine, _, rest = series.partition(" · ")
        same = self.engine is None or value_label("engine", self.engine) == engine
        return same and self.variant in (None, rest)


def joined(others: Iterable[Others]) -> list[str]:
    """Keys that values of others must be joined on."""
    keys = {key for each in others for answer in each.answers for key in answer.coordinates}
    return sorted(keys)


def published_series(
    study: Study,
    metric: str,
    references: Sequence[str],
    derived: bool = False,
    variants_are_places: bool = False,
) -> list[Others]:
    """Published and measured values of `metric` that this experiment could answer, by series.

    With `derived` those that were derived from the paper's model instead. A variant is part of
    what series they suit, or one of the coordinates.
    """
    if derived:
        pairs = [reference.partition("/") for reference in references]
        references = [f"{paper}/derived_{item}" for paper, _, item in pairs]
    found: dict[tuple[str, str | None, str | None], list[Answer]] = {}
    for entry in study.published(references):
        where, kind = dict(entry.place), kind_of(entry.item)
        if entry.metric != metric or not planned(study, where):
            continue
        if (kind == "derived") != derived:
            continue
        name = entry.series if kind != "published" else f"published {entry.series}"
        variant = None if variants_are_places else where.pop(VARIANT, None)
        key = (name, where.pop("engine", None), variant)
        # A size is no parameter of a point: with one size alone it still has to be the same.
        known = {k: value for k, value in where.items() if k == SIZE or varies(study, k)}
        found.setdefault(key, []).append(Answer(known, entry.value))
    return [Others(*key, answers) for key, answers in found.items()]


def comparisons(
    study: Study,
    metric: str,
    references: Sequence[str],
    wheres: Sequence[Where] = EVERYWHERE,
    to: str | None = None,
    variants_are_places: bool = False,
) -> list[Comparison]:
    """Every series against those of the reference engine, and against numbers of others.

    The reference is the engine nearest to the machine of those that answered, or `to`, or the one
    that the report names. What is asked about `to` is not answered by another one. A simulator is
    no reference beside numbers of others, unless named. Variants are series, or places of one.
    What the network was fitted to is a comparison of its own.
    """
    said = to or study.plan.report.reference
    wanted = references if said in (None, PUBLISHED, DERIVED) else ()
    others = published_series(study, metric, wanted, said == DERIVED, variants_are_places)
    variants = [VARIANT] if variants_are_places else []
    ours = engine_series(study, metric, wheres, also=[*joined(others), *variants])
    beside = [
        compare(metric, of, (each.name, each.answers))
        for of in ours.items()
        for each in others
        if each.suits(of[0])
    ]
    engines = list(dict.fromkeys(name for label in ours if (name := engine_of(study, label))))
    found = []
    named = to is not None and to in study.engines
    reference = said if named or said in engines else highest(study, engines) if engines else None
    judged = said in (PUBLISHED, DERIVED) or (said != reference and any(c.matched for c in beside))
    if reference and not (judged and fidelity(study, reference) != MACHINE):
        held = {k: v for k, v in ours.items() if engine_of(study, k) == reference}
        predicted = {k: v for k, v in ours.items() if k not in held}
        pairs = [compare(metric, of, to) for of in predicted.items() for to in held.items()]
        found = [part for pair in pairs for part in _without_fits(study, pair)]
        # What a network says that was fitted to a busy machine is no prediction about any other.
        is_void = fidelity(study, reference) == MACHINE and has_busy_fit(study)
        found = [c for c in found if not (is_void and _is_on_fit(study, c.of))]
    return [comparison for comparison in [*found, *beside] if comparison.matched]


def _is_on_fit(study: Study, label: str) -> bool:
    chosen = study.chosen({"engine": engine_of(study, label)})
    return any(settings.get(FITTED) for settings in chosen)


def _without_fits(study: Study, c: Comparison) -> list[Comparison]:
    """The predictions of a comparison, and what the network was fitted to."""
    engine = str(engine_of(study, c.of))
    fits = [r for r in c.shown if is_fitted(study, c.metric, engine, r.coordinates)]
    if not fits:
        return [c]
    return [
        c.of_ratios(lambda ratio: ratio not in fits, fitted=False),
        c.of_ratios(lambda ratio: ratio in fits, fitted=True),
    ]


def engine_of(study: Study, label: str) -> str | None:
    """The engine of the series that is called `label`."""
    name = label.split(" · ")[0]
    return next((each for each in study.engines if value_label("engine", each) == name), None)


def named(study: Study, figure: Ratio) -> list[Comparison]:
    """The comparisons that a `ratio` figure asks for by its `of` and `to`."""
    names = figure.overlaid or ((figure.to,) if "/" in figure.to else ())
    found = published_series(study, figure.y, names)
    shown = [k for k in (figure.x, figure.row, figure.color) if k and k != SIZE]
    ours = engine_series(study, figure.y, [figure.where], [*joined(found), *shown])
    of = [item for item in ours.items() if any(_is(item[0], each) for each in figure.divided)]
    to = [item for item in ours.items() if _is(item[0], figure.to)]
    to = to or [(each.name, each.answers) for each in found]
    pairs = [(a, b) for a in of for b in to if a[0] != b[0]]
    return [c for c in (compare(figure.y, a, b) for a, b in pairs) if c.shown]


def _is(label: str, name: str | None) -> bool:
    return name is not None and name in (label, label.split(" · ")[0])


def report_metrics(study: Study, figures: Sequence[Figure]) -> list[str]:
    """Metrics the page is about: those of its figures, else whatever was answered."""
    asked = [figure.metric for figure in figures if figure.metric in study.answered]
    names = [name for name in dict.fromkeys(asked) if name not in COSTS]
    return names or leading(study.answered)


def metric_wheres(figures: Sequence[Figure], metric: str) -> tuple[Where, ...]:
    """The filters of the figures that show `metric`: what none of them admits is not shown."""
    found = {repr(figure.where): figure.where for figure in figures if figure.metric == metric}
    return tuple(found.values()) if found and all(found.values()) else EVERYWHERE


def along_variants(figures: Sequence[Figure], metric: str) -> bool:
    """Whether variants are the axis of each figure that shows `metric`."""
    axes = {each.x for each in figures if isinstance(each, Plotted) and each.metric == metric}
    return axes == {VARIANT}


def report_references(figures: Sequence[Figure]) -> list[str]:
    """All published items that the figures overlay."""
    return list(dict.fromkeys(name for figure in figures for name in figure.overlaid))
