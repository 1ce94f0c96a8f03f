"""Checks of an experiment file itself: for keys that would have no effect, and for keys that no
experiment may set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from weft.config.check.published import published_problems
from weft.config.compose.composition import experiment_files
from weft.config.compose.machine_keys import quick_problems
from weft.config.language.condition import equal
from weft.config.language.errors import ConfigError, Problem, nearest
from weft.config.language.flow_text import written
from weft.config.language.yaml_files import read_raw
from weft.config.model.experiment import Experiment

#: An experiment, or a run of one under a name or overrides.
_RUN = re.compile(r"\w[\w\-]*(@[A-Za-z0-9][A-Za-z0-9_.=+\-]*)?", re.ASCII)


def written_problems(experiment: Experiment, folders: Sequence[Path]) -> Iterator[Problem]:
    """Mistakes that no model sees, under the keys where they are written."""
    raw = read_raw(experiment.file, experiment.file.name)
    own = {} if isinstance(raw, ConfigError) else raw
    yield from quick_problems(experiment.settings.quick)
    yield from _doubled(own)
    yield from _unasked_options(own, experiment)
    yield from published_problems(experiment)
    yield from _compared(experiment, folders)
    yield from _misspelt(experiment)


def _doubled(raw: Mapping[str, object]) -> Iterator[Problem]:
    entries = raw.get("defaults")
    seen: set[str] = set()
    for i, entry in enumerate(entries if isinstance(entries, list) else ()):
        for key in map(str, entry) if isinstance(entry, Mapping) else ():
            if key in seen:
                yield Problem(f"defaults[{i}]", f"'{key}' is given twice: keep one of them")
            seen.add(key)


def _unasked_options(raw: Mapping[str, object], experiment: Experiment) -> Iterator[Problem]:
    options = raw.get("engine")
    overridden = any(text.lstrip("+").startswith("engines=") for text in experiment.overrides)
    for name in options if isinstance(options, Mapping) and not overridden else ():
        if name in experiment.declared and name not in experiment.engines:
            listed = ", ".join(experiment.engines)
            yield Problem(f"engine.{name}", f"{name} is not among engines, which are {listed}")


def _compared(experiment: Experiment, folders: Sequence[Path]) -> Iterator[Problem]:
    """Names under `report.compare` that are neither an experiment nor a run of one."""
    names = experiment.report.compare or ()
    known = experiment_files(*folders) if names else ()
    for i, name in enumerate(names):
        if not _RUN.fullmatch(name):
            yield Problem(f"report.compare[{i}]", f"'{name}' is not a name like x or x@before")
        elif (base := name.partition("@")[0]) not in known:
            near = nearest(base, known) or "; there is no such file"
            yield Problem(f"report.compare[{i}]", f"unknown experiment '{base}'{near}")


def _misspelt(experiment: Experiment) -> Iterator[Problem]:
    """Values in lists of conditions and exclusions that their key never has.

    It checks only keys that are swept unconditionally, because only their values are all known.
    Overrides switch this check off, because they may have removed the values.
    """
    if experiment.overrides:
        return
    values: dict[str, list[object]] = {"engine": list(experiment.engines)}
    for axis in experiment.sweep.axes:
        for i, key in enumerate(axis.keys if axis.when is None else ()):
            values[key] = [row[i] for row in axis.rows]
    for place, key, asked in _lists(experiment):
        known = values.get(key, [])
        wrong = [v for v in asked if not any(equal(v, each) for each in known)]
        # A list of which nothing holds leaves out no point, which is a mistake of its own.
        for value in wrong if known and len(wrong) < len(asked) else ():
            texts = [written(each) for each in dict.fromkeys(map(written, known))]
            guess = nearest(written(value), texts) or ";"
            shown = ", ".join(texts[:20])
            yield Problem(place, f"{key} is never '{written(value)}'{guess} its values are {shown}")


def _lists(experiment: Experiment) -> Iterator[tuple[str, str, Sequence[object]]]:
    for i, rule in enumerate(experiment.sweep.excluded):
        for key, asked in rule.items():
            # One value alone that nothing has leaves out no point, which is a mistake of its own.
            if len(asked) > 1:
                yield f"sweep.exclude[{i}]", key, asked
    for axis in experiment.sweep.axes:
        for term in axis.when.terms if axis.when else ():
            if len(term.allowed) > 1 and not (term.divisor or term.counted):
                yield f"sweep.{axis.keys[0]}.when", term.key, term.allowed
