"""`answer:` of an experiment: the questions that the box on top of its report answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError

from weft.config.language.errors import Problem, problems, unknown
from weft.config.language.section import Settings
from weft.config.model.figures import Choice

_EXAMPLE = "[best, {saturation: {over: workload.injection_rate}}]"
Keys = str | list[str]


class AnswerRequest(Settings):
    """Base of all questions. What is not given follows from the first figure of the metric."""

    of: str | None = None
    """A metric; those that the figures show unless given."""
    where: dict[str, Choice] = Field(default_factory=dict)
    """Only answers with this value, or one of these; what the figures show unless given."""

    def keys(self) -> dict[str, list[str]]:
        """The dotted keys that must vary, by field."""
        named = {field: getattr(self, field, None) for field in ("over", "among", "each")}
        return {field: listed(given) for field, given in named.items() if given}


class _AmongSeries(AnswerRequest):
    """Base of questions about series along an axis."""

    over: str | None = None
    """The key along which series are compared; the x of the figure unless given."""
    among: Keys | None = None
    """The key, or keys, whose values are the series; those of the figure unless given."""
    each: Keys | None = None
    """Keys whose values get a sentence each; the rows of the figure unless given."""


class Best(_AmongSeries):
    """Which series is best, where, and by how much."""


class Saturation(_AmongSeries):
    """Between which loads a network saturates, or from where on a metric has levelled off."""

    within: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """How near to its best value a metric has levelled off."""


class Crossover(_AmongSeries):
    """Where two series change places."""


class Agreement(AnswerRequest):
    """How near the engines are to their reference, and whether they suffice."""

    to: str | None = None
    """The engine that is the reference, or `published`, or `derived` for what was derived from a
    paper's model; as `report.reference` unless given."""
    within: Annotated[float, Field(gt=0, lt=1)] = 0.1
    """How far off an answer may be and still suffice."""


QUESTIONS: dict[str, type[AnswerRequest]] = {
    "best": Best,
    "saturation": Saturation,
    "crossover": Crossover,
    "agreement": Agreement,
}


def listed(given: Keys | None) -> list[str]:
    """One name, or a list of names, as a list."""
    return [given] if isinstance(given, str) else list(given or ())


def parse_answer(given: Any) -> tuple[list[tuple[str, str, AnswerRequest]], list[Problem]]:
    """The questions of `answer:`, each with its place and kind, and what is wrong with it."""
    entries = list(given) if isinstance(given, list) else [given]
    found: list[tuple[str, str, AnswerRequest]] = []
    wrong: list[Problem] = []
    for number, entry in enumerate(entries):
        place = f"answer[{number}]" if isinstance(given, list) else "answer"
        asked = _parsed(place, entry)
        if isinstance(asked, list):
            wrong += asked
        else:
            found.append(asked)
    return found, wrong


def _parsed(place: str, entry: Any) -> tuple[str, str, AnswerRequest] | list[Problem]:
    if isinstance(entry, str):
        entry = {entry: {}}
    if not isinstance(entry, Mapping) or len(entry) != 1:
        return [Problem(place, f"expected one question with its fields, like {_EXAMPLE}")]
    kind, fields = next(iter(entry.items()))
    model = QUESTIONS.get(str(kind))
    if model is None:
        return [Problem(place, unknown("question", str(kind), QUESTIONS))]
    where = f"{place}.{kind}"
    if not isinstance(fields, Mapping):
        return [Problem(where, "expected fields, like {of: makespan_s}")]
    try:
        return where, str(kind), model.model_validate(dict(fields))
    except ValidationError as error:
        return problems(error, model, where)


def name_problems(
    given: Any, keys: Iterable[str], engines: Iterable[str], metrics: Mapping[str, str]
) -> Iterator[Problem]:
    """Names that do not exist, of the keys, engines and metrics (with what is better) there are."""
    found, wrong = parse_answer(given)
    yield from wrong
    for place, kind, asked in found:
        for field, names in {**asked.keys(), "where": list(asked.where)}.items():
            for name in names:
                if name not in keys:
                    yield Problem(f"{place}.{field}", unknown("key", name, keys))
        if asked.of is not None and metrics:
            yield from _metric_problems(place, kind, asked.of, metrics)
        reference, known = getattr(asked, "to", None), [*engines, "published", "derived"]
        if reference is not None and reference not in known:
            yield Problem(f"{place}.to", unknown("engine", reference, known))


def _metric_problems(
    place: str, kind: str, name: str, metrics: Mapping[str, str]
) -> Iterator[Problem]:
    if name not in metrics:
        yield Problem(f"{place}.of", unknown("metric", name, metrics))
    elif metrics[name] == "neutral" and kind in ("best", "crossover"):
        directed = [each for each, better in metrics.items() if better != "neutral"]
        message = f"{name} has no direction that is better; choose one of: {', '.join(directed)}"
        yield Problem(f"{place}.of", message)
