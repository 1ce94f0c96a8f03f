"""YAML of strangers: a few lines may stand for more than any memory holds, or any time parses."""

from __future__ import annotations

import yaml

#: Sections in sections; an experiment needs a handful.
_DEEPEST = 40
_BEGINS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


def yaml_problem(text: str) -> tuple[str, int | None] | None:
    """What is wrong with a text before anything of it is built, and its line; None if nothing is.

    The text is read event by event, so that the first problem ends the reading.
    """
    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            line = event.start_mark.line + 1 if event.start_mark else None
            if isinstance(event, yaml.AliasEvent):
                return "aliases are not allowed here", line
            depth += isinstance(event, _BEGINS) - isinstance(event, _ENDS)
            if depth > _DEEPEST:
                return f"sections are nested more than {_DEEPEST} deep", line
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it is not YAML"
        return str(problem), mark.line + 1 if mark else None
    return None
