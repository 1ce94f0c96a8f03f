"""What is wrong at the top of an experiment file, and what therefore nothing can be said about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from weft.config.language.errors import Problem, meant
from weft.config.model.answer import QUESTIONS
from weft.config.model.experiment import POINT_GROUPS, ExperimentFile

#: How a message about a key begins that another, wrong key was to give.
_MISSING = "this key is required"


@dataclass(frozen=True, slots=True)
class TopLevel:
    """The mistakes in keys at the top of a file; `unread` are the sections that they hide."""

    problems: tuple[Problem, ...] = ()
    unread: frozenset[str] = frozenset()

    def hides(self, later: Problem, axes: Collection[str]) -> bool:
        """Whether a later message may only follow from what could not be read: a section, the whole
        sweep, or `axes` of it. A sweep gives what its sections lack."""
        section = later.key.partition(".")[0]
        swept = section in axes or (section in POINT_GROUPS and "sweep" in self.unread)
        lacking = later.key == section or later.message.startswith(_MISSING)
        return lacking and (swept or section in self.unread)


def top_level(
    found: Sequence[Problem], sections: Mapping[str, object], engines: Collection[str]
) -> TopLevel:
    """What Pydantic found at the top, in words that say what belongs there."""
    wrong = {problem.key.partition(".")[0].partition("[")[0] for problem in found}
    known = [*ExperimentFile.model_fields]
    misspelt = {near for key in wrong - {*known} if (near := meant(key, known))}
    said = [p for p in found if p.key not in misspelt or not p.message.startswith(_MISSING)]
    # Of a value that is of no kind that the key takes, Pydantic says so once for each kind.
    reworded = dict.fromkeys(_reworded(problem, sections, engines) for problem in said)
    return TopLevel(tuple(reworded), frozenset(wrong | misspelt))


def _reworded(
    problem: Problem, sections: Mapping[str, object], engines: Collection[str]
) -> Problem:
    key = problem.key
    if key in engines and key not in ExperimentFile.model_fields:
        where = f"options of an engine stand below engine: write engine: {{{key}: {{…}}}}"
        return replace(problem, message=where)
    if key == "options":
        named = list(named_engines(sections.get("engines"), engines)) or ["packet"]
        where = f"options of an engine stand below engine: write engine: {{{named[0]}: {{…}}}}"
        return replace(problem, message=where)
    written = sections.get(key)
    if key == "answer" and problem.message.startswith("expected"):
        message = f"expected a question, or a list of them, of {', '.join(QUESTIONS)}"
        return replace(problem, message=f"{message}; got {written!r}")
    if key == "engines" and isinstance(written, str):
        listed = ", ".join(written.replace(",", " ").split())
        return replace(problem, message=f"expected a list of engines: write engines: [{listed}]")
    if key == "engines" and isinstance(written, Mapping):
        listed = f"write engines: [{', '.join(map(str, written))}]"
        message = f"expected a list of engines: {listed}, and their options below engine"
        return replace(problem, message=message)
    return problem


def named_engines(written: object, engines: Collection[str]) -> Iterator[str]:
    """The engines that a wrong value of `engines` still names."""
    names = written.replace(",", " ").split() if isinstance(written, str) else written
    found = names if isinstance(names, Mapping | list) else ()
    return iter(dict.fromkeys(name for name in map(str, found) if name in engines))
