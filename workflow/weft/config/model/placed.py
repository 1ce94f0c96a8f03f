"""The entries of `figures:`, `answer:` and `expect:`, parsed once, each with the place where it is
written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import ValidationError

from weft.config.language.errors import Problem, problems, unknown
from weft.config.language.section import Settings
from weft.config.model.answer import EARLIER, QUESTIONS, REPLACED, AnswerRequest
from weft.config.model.expectation import EXPECTATIONS, Expectation
from weft.config.model.figure import Figure
from weft.config.model.figures import FIGURES

Asked = TypeVar("Asked", bound=Settings)


@dataclass(frozen=True, slots=True)
class Placed(Generic[Asked]):
    """What is asked under the dotted key `place`, which ends with its `kind`, or is that of a whole
    entry of `expect`."""

    place: str
    kind: str
    asked: Asked


@dataclass(frozen=True, slots=True)
class _Entries(Generic[Asked]):
    """What the entries of a list may be, and how messages speak of them."""

    word: str
    models: Mapping[str, type[Asked]]
    expected: str
    fields: str
    earlier: Mapping[str, tuple[str, Mapping[str, object]]] = field(default_factory=dict)
    """Names of earlier versions: what each is now, and the fields that it then has."""
    replaced: Mapping[str, str] = field(default_factory=dict)
    """Other names of earlier versions, and what to write instead."""

    def parsed(
        self, entries: Iterable[tuple[str, object]]
    ) -> tuple[tuple[Placed[Asked], ...], list[Problem]]:
        """The entries, which come with their places, and what is wrong with the others."""
        found: list[Placed[Asked]] = []
        wrong: list[Problem] = []
        for place, entry in entries:
            one = self._one(place, entry)
            if isinstance(one, Placed):
                found.append(one)
            else:
                wrong += one
        return tuple(found), wrong

    def _one(self, place: str, entry: object) -> Placed[Asked] | list[Problem]:
        if not isinstance(entry, Mapping) or len(entry) != 1:
            return [Problem(place, f"expected one {self.expected}")]
        ((kind, fields),) = ((str(kind), fields) for kind, fields in entry.items())
        now, more = self.earlier.get(kind, (kind, {}))
        model = self.models.get(now)
        if kind in self.replaced:
            instead = f"this version has no {self.word} {kind}; write {self.replaced[kind]}"
            return [Problem(place, instead)]
        if model is None:
            return [Problem(place, unknown(self.word, kind, self.models))]
        place = f"{place}.{kind}"
        if not isinstance(fields, Mapping):
            return [Problem(place, f"expected fields, like {self.fields}")]
        try:
            return Placed(place, now, model.model_validate({**more, **fields}))
        except ValidationError as error:
            return problems(error, model, place)


_FIGURES: _Entries[Figure] = _Entries(
    "figure",
    FIGURES,
    "mark with its fields, like {line: {x: topology.k, y: makespan_s}}",
    "{x: topology.k}",
)
_QUESTIONS: _Entries[AnswerRequest] = _Entries(
    "question",
    QUESTIONS,
    "question with its fields, like [best, {along: {over: workload.injection_rate}}]",
    "{of: makespan_s}",
    EARLIER,
    REPLACED,
)


def placed_figures(given: Iterable[object]) -> tuple[tuple[Placed[Figure], ...], list[Problem]]:
    """The figures of `figures:`, and what is wrong with the others."""
    return _FIGURES.parsed((f"figures[{i}]", entry) for i, entry in enumerate(given))


def placed_questions(given: object) -> tuple[tuple[Placed[AnswerRequest], ...], list[Problem]]:
    """The questions of `answer:`, one or a list of them, and what is wrong with the others."""
    several = isinstance(given, list)
    entries = enumerate(given if isinstance(given, list) else [given])
    return _QUESTIONS.parsed(
        (
            f"answer[{i}]" if several else "answer",
            {entry: {}} if isinstance(entry, str) else entry,
        )
        for i, entry in entries
    )


def placed_expectations(
    given: Iterable[object],
) -> tuple[tuple[Placed[Expectation], ...], list[Problem]]:
    """The statements of `expect:`, and what is wrong with the others."""
    found: list[Placed[Expectation]] = []
    wrong: list[Problem] = []
    for i, entry in enumerate(given):
        one = _stated(f"expect[{i}]", entry)
        if isinstance(one, Placed):
            found.append(one)
        else:
            wrong += one
    return tuple(found), wrong


def _stated(place: str, entry: object) -> Placed[Expectation] | list[Problem]:
    kinds = [*EXPECTATIONS]
    if not isinstance(entry, Mapping) or not entry:
        listed = ", ".join(kinds[:-1])
        example = "{metric: makespan_s, below: 2 ms}"
        return [Problem(place, f"expected a statement like {example}, or one with {listed}")]
    named = [kind for kind in kinds[:-1] if kind in entry]
    if len(named) > 1:
        return [
            Problem(place, f"{' and '.join(named)} are two statements; write an entry for each")
        ]
    kind = named[0] if named else kinds[-1]
    if not named and kind not in entry:
        key = str(next(iter(entry)))
        return [Problem(f"{place}.{key}", unknown("statement", key, kinds))]
    model = EXPECTATIONS[kind]
    try:
        return Placed(place, kind, model.model_validate(dict(entry)))
    except ValidationError as error:
        return problems(error, model, place)
