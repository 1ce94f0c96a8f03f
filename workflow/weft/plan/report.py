"""What the page of a plan shows: the JSON in `plan.json`, read by the models of experiment files.

Keys of figures, questions and expectations are columns here, and quantities are numbers in SI
units, but for the bounds of expectations, which are as written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
)

from weft.config.language.errors import problems
from weft.config.language.quantities import STORED
from weft.config.language.section import Settings
from weft.config.model.answer import QUESTIONS, AnswerRequest
from weft.config.model.declaration import FIDELITIES, Fidelity
from weft.config.model.expectation import EXPECTATIONS, Expectation
from weft.config.model.figure import Choice, Figure
from weft.config.model.figures import FIGURES
from weft.config.model.report import ReportOptions

_MARKS = {model: mark for mark, model in FIGURES.items()}
_KINDS = {model: kind for kind, model in QUESTIONS.items()}
_STATED = {model: kind for kind, model in EXPECTATIONS.items()}


def _figure(stored: Figure | Mapping[str, Mapping[str, object]]) -> Figure:
    if isinstance(stored, Figure):
        return stored
    ((mark, fields),) = stored.items()
    if mark not in FIGURES:
        raise ValueError(f"this version of weft draws no {mark}")
    return FIGURES[mark].model_validate(fields, context=STORED)


def _question(stored: AnswerRequest | Mapping[str, object]) -> AnswerRequest:
    if isinstance(stored, AnswerRequest):
        return stored
    kind = str(stored.get("kind"))
    if kind not in QUESTIONS:
        raise ValueError(f"this version of weft answers no question {kind}")
    fields = {key: value for key, value in stored.items() if key != "kind"}
    return QUESTIONS[kind].model_validate(fields, context=STORED)


def _statement(stored: Expectation | Mapping[str, object]) -> Expectation:
    if isinstance(stored, Expectation):
        return stored
    kind = str(stored.get("kind"))
    if kind not in EXPECTATIONS:
        raise ValueError(f"this version of weft judges no expectation {kind}")
    fields = {key: value for key, value in stored.items() if key != "kind"}
    return EXPECTATIONS[kind].model_validate(fields, context=STORED)


def _stored_statement(stated: Expectation) -> dict[str, object]:
    return {"kind": _STATED[type(stated)], **stated.model_dump(exclude_none=True)}


def _stored_figure(figure: Figure) -> dict[str, dict[str, object]]:
    return {_MARKS[type(figure)]: figure.model_dump(exclude_none=True)}


def _stored_question(question: AnswerRequest) -> dict[str, object]:
    return {"kind": _KINDS[type(question)], **question.model_dump(exclude_none=True)}


class EngineFacts(Settings):
    """What a page says about an engine, as its declaration does."""

    model_config = ConfigDict(strict=False)

    fidelity: Fidelity = FIDELITIES[0]
    leaves_out: tuple[tuple[str, str | None], ...] = ()
    """Sentences, each with the condition of the points for which it holds; None for all."""


class PlannedExpectation(Settings):
    """A statement of `expect:`, with the engines whose answers it is about."""

    model_config = ConfigDict(strict=False)

    written: str
    """As the file has it, in one line."""
    statement: Annotated[
        Expectation, BeforeValidator(_statement), PlainSerializer(_stored_statement)
    ]
    engines: tuple[str, ...]
    """Those that may give the metric, or the one that the statement names."""
    metrics: tuple[str, ...]
    """The metrics that it is about; none of those of maps of choices."""


class PlannedReport(ReportOptions):
    """What a page shows, and how."""

    # Tuples are lists in JSON, and a plan of another weft may hold more.
    model_config = ConfigDict(strict=False, extra="ignore")

    paper: str | None = None
    search_path: str | None = None
    """The folder of a user's own that holds the experiment; None in weft's own `configs/`."""
    figures: tuple[
        Annotated[Figure, BeforeValidator(_figure), PlainSerializer(_stored_figure)], ...
    ] = ()
    answer: tuple[
        Annotated[AnswerRequest, BeforeValidator(_question), PlainSerializer(_stored_question)],
        ...,
    ] = ()
    expect: tuple[PlannedExpectation, ...] = ()
    variants: tuple[tuple[str, Mapping[str, Choice]], ...] = ()
    """Names of settings: the first one that fits names a point."""
    engines: Mapping[str, EngineFacts] = Field(default_factory=dict)

    @classmethod
    def read(cls, stored: Mapping[str, object], experiment: str) -> PlannedReport:
        """The report of a plan of `experiment`.

        Raises ValueError, saying what to do, when no page can be made of it.
        """
        try:
            return cls.model_validate(stored)
        except ValidationError as error:
            first = problems(error, cls, "report")[0]
            raise ValueError(
                f"another version of weft wrote the plan of {experiment} "
                f"({first.key}: {first.message}); "
                f"`snakemake reports/{experiment}.html` writes it again"
            ) from error

    def stored(self) -> dict[str, object]:
        """As `plan.json` holds it, without the options that were not given."""
        return {"paper": self.paper, **self.model_dump(mode="json", exclude_none=True)}
