"""How near engines are to the machine, and what their predictions leave out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.config.language.condition import Condition, parse_condition
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.declaration import FIDELITIES, Fidelity
from weft.config.model.own_programs import FREE_COMPUTING
from weft.plan.report import EngineFacts
from weft.report.data.caveats import Caveat
from weft.report.data.source import Study
from weft.report.data.units import listing

MACHINE = FIDELITIES[-1]
#: How a question names an engine to which it holds others.
_TO = r"\b(?:to|against|than|from|near|as|like|versus|(?:instead|in place) of)\s+(?:the\s+)?{}\b"


@dataclass(frozen=True, slots=True)
class LeftOutNote:
    """What the predictions of all `engines` leave out, and those of no other engine."""

    engines: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def caveat(self) -> Caveat:
        """As a page says it."""
        verb = "leaves" if len(self.engines) == 1 else "leave"
        things = "one thing" if len(self.texts) == 1 else f"{len(self.texts)} things"
        left = "; ".join(self.texts)
        return Caveat(
            f"{listing(self.engines)} {verb} out {things}.", f"{left[0].upper()}{left[1:]}."
        )


def fidelity(study: Study, engine: str) -> Fidelity:
    """How near `engine` is to the machine, as it declares; a formula unless it says."""
    return _facts(study, engine).fidelity


def highest(study: Study, engines: Sequence[str]) -> str:
    """The engine nearest to the machine.

    Of equal ones that to which the question holds the others, else the first that simulates flits,
    else the first.
    """
    first, *others = nearest_first(study, engines)
    equal = [first, *(each for each in others if fidelity(study, each) == fidelity(study, first))]
    held_to = [each for each in equal if re.search(_TO.format(each), study.plan.question)]
    return next(iter([*held_to, *filter(_simulates_flits, equal)]), first)


def _simulates_flits(engine: str) -> bool:
    entry = CATALOGUE.engines.get(engine)
    return entry is not None and any(str(o["name"]).endswith("_flits") for o in entry.options)


def nearest_first(study: Study, engines: Sequence[str]) -> list[str]:
    """Engines by how near they are to the machine; equal ones in the order of the plan."""
    return sorted(engines, key=lambda each: FIDELITIES.index(fidelity(study, each)), reverse=True)


def left_out(study: Study) -> list[LeftOutNote]:
    """What the engines that answered leave out of the points that were planned, but for what
    `free_computing` says. Engines share the notes on what all of them leave out."""
    warned = _has_machine(study)
    of_engines: dict[tuple[str, ...], tuple[str, ...]] = {}
    for text, engines in _engines_of_texts(study).items():
        if not (warned and text.startswith(FREE_COMPUTING)):
            of_engines[engines] = (*of_engines.get(engines, ()), text)
    return [LeftOutNote(engines, texts) for engines, texts in of_engines.items()]


def free_computing(study: Study) -> list[Caveat]:
    """A warning where a program's time on the machine stands beside predictions without its
    computing."""
    free = [
        engine for text, engines in _engines_of_texts(study).items()
        if text.startswith(FREE_COMPUTING)
        for engine in engines
    ]  # fmt: skip
    if not free or not _has_machine(study):
        return []
    return [
        Caveat(
            f"Computing is free in the predictions of {listing(free)}.",
            "They leave out what the program does between its calls, which the machine's time"
            " contains. A program may declare how long it computes.",
        )
    ]


def _has_machine(study: Study) -> bool:
    return any(fidelity(study, engine) == MACHINE for engine in study.engines)


def _engines_of_texts(study: Study) -> dict[str, tuple[str, ...]]:
    done = {row["engine"] for row in study.query(
        "SELECT DISTINCT axes.engine AS engine FROM final_runs JOIN axes USING (point_id)"
        " WHERE status = 'done'"
    )}  # fmt: skip
    of_text: dict[str, tuple[str, ...]] = {}
    for engine in study.engines:
        if engine in done:
            for text in _texts(study, engine):
                of_text[text] = (*of_text.get(text, ()), engine)
    return of_text


def _texts(study: Study, engine: str) -> tuple[str, ...]:
    specs = [
        spec for point in study.distinct
        if point.engine == engine
        for spec in _of_programs(point.spec)
    ]  # fmt: skip
    # A condition is parsed once, not for each of the many settings.
    conditions = [
        (text, when and parse_condition(when)) for text, when in _facts(study, engine).leaves_out
    ]
    return tuple(
        text for text, condition in conditions
        if not condition or any(_holds(condition, spec) for spec in specs)
    )  # fmt: skip


def _of_programs(spec: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The spec, or one for each of its jobs: the engine leaves out of them what it leaves out of
    any program."""
    workload = spec.get("workload")
    jobs = workload.get("jobs") if isinstance(workload, Mapping) else None
    if not isinstance(jobs, Sequence):
        return [spec]
    return [{**spec, "workload": job} for job in jobs if isinstance(job, Mapping)]


def _holds(condition: Condition, spec: Mapping[str, object]) -> bool:
    def value_of(key: str) -> object:
        found: object = spec
        for step in key.split("."):
            found = found.get(step) if isinstance(found, Mapping) else None
        return found

    return condition.holds(value_of)


def _facts(study: Study, engine: str) -> EngineFacts:
    return study.plan.report.engines.get(engine) or EngineFacts()
