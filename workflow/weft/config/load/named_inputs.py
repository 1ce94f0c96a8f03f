"""The files that an experiment names, beside those that it is composed of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from weft.config.compose.cache import Files, file_digest
from weft.config.model.experiment import Experiment
from weft.config.points.places import Places


def named_inputs(experiment: Experiment) -> Files:
    """Traces, lists, networks and programs, with the digests of their contents.

    Every text that is the name of a file counts, whatever key it belongs to.
    """
    places = Places.of(experiment)
    rows = [row for axis in experiment.sweep.axes for row in axis.rows]
    texts = set(_texts([list(experiment.bases.values()), rows]))
    names = {name for text in texts for name in (places.find(text), places.program(text)) if name}
    paths = [path for name in sorted(names) if (path := places.root / name).is_file()]
    return {str(path): file_digest(path) for path in paths}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, Sequence):
        for each in value:
            yield from _texts(each)
