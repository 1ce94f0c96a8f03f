"""What can be composed of an experiment: what is of the wrong shape is set aside, so that all other
mistakes are reported as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from weft.config.compose.composition import (
    Composed,
    ComposeError,
    Composition,
    compose_experiment,
    started_from,
)
from weft.config.compose.section_shapes import no_sections, section_problems, without_places
from weft.config.language.errors import ConfigError, Problem
from weft.config.model.experiment import GROUPS, POINT_GROUPS, ExperimentFile


@dataclass(frozen=True, slots=True)
class Readable:
    """What is composed of `asked`, and the mistakes of what is not.

    Of the sections `unread`, nothing is known: what else seems wrong in them may be right.
    """

    asked: Composition
    composed: Composed
    problems: tuple[Problem, ...] = ()
    errors: tuple[ConfigError, ...] = ()
    unread: frozenset[str] = frozenset()


def readable(asked: Composition) -> Readable:
    """Compose the experiment as far as possible.

    Raises ComposeError where nothing can be composed.
    """
    try:
        found = Readable(asked, compose_experiment(asked))
    except ComposeError as error:
        if error.composed is not None:
            found = Readable(asked, error.composed, errors=tuple(error.errors))
        else:
            return _without_choices(asked, error)
    sections = found.composed.sections
    places = frozenset(place for place, _ in no_sections(sections))
    if not places:
        return found
    return replace(
        found,
        composed=replace(found.composed, sections=without_places(sections, places)),
        problems=tuple(section_problems(sections)),
        unread=frozenset(place[0] for place in places if len(place) == 1),
    )


def _without_choices(asked: Composition, error: ComposeError) -> Readable:
    """Compose the experiment without the entries of `defaults` that are wrong."""
    wrong = frozenset(problem.key for problem in error.problems)
    raw = next(started_from(asked.folders, asked.experiment, set()), {})
    unread = _chosen(wrong, raw)
    if not wrong or asked.without or not unread:
        raise error
    try:
        found = readable(replace(asked, without=wrong))
    except ComposeError:
        raise error from None
    gone = frozenset((section,) for section in unread)
    return replace(
        found,
        composed=replace(found.composed, sections=without_places(found.composed.sections, gone)),
        problems=(*error.problems, *found.problems),
        unread=found.unread | unread,
    )


def _chosen(wrong: frozenset[str], raw: Mapping[str, object]) -> frozenset[str]:
    """The sections that wrong entries of `defaults` may have been about; none if the file may lack
    more without them."""
    written = raw.get("defaults")
    entries: Sequence[object] = written if isinstance(written, list) else ()
    places = {f"defaults[{i}]": entry for i, entry in enumerate(entries)}
    found: set[str] = set()
    for key in wrong:
        entry = places.get(key)
        if isinstance(entry, Mapping):
            groups = {str(each).rpartition("/")[2].partition("@")[0] for each in entry}
            found |= groups if groups <= {*GROUPS} else {*POINT_GROUPS}
        elif key.startswith("defaults") and _required() <= raw.keys():
            # It may stand for a group, or for an experiment that gives what this one has, too.
            found |= {*POINT_GROUPS}
        else:
            return frozenset()
    return frozenset(found)


def _required() -> set[str]:
    fields = ExperimentFile.model_fields.items()
    return {key for key, field in fields if field.is_required()}
