"""Names in figures, questions and report options: keys, metrics and engines that there are not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from weft.config.check.described_metrics import metric_directions, metric_labels
from weft.config.compose.composition import group_choices
from weft.config.language.errors import Problem, unknown
from weft.config.model.answer import Agreement, AnswerRequest, Cost
from weft.config.model.experiment import POINT_GROUPS, Experiment
from weft.config.model.figure import Figure
from weft.config.model.placed import Placed
from weft.config.points.column_names import column_names


def page_problems(experiment: Experiment) -> list[Problem]:
    """Figures, questions and report options with keys, metrics or engines that do not exist."""
    known = _Known(experiment)
    found = [problem for figure in experiment.figures for problem in known.in_figure(figure)]
    for question in experiment.questions:
        found += known.in_question(question)
    return [*found, *known.in_variants(), *known.in_reference()]


@dataclass(frozen=True)
class _Known:
    """The names that an experiment may use."""

    experiment: Experiment

    @cached_property
    def keys(self) -> Mapping[str, str]:
        return column_names(self.experiment)

    @cached_property
    def metrics(self) -> Mapping[str, str]:
        return metric_directions(self.experiment.configs_dir)

    def no_metrics(self, place: str, names: Collection[str]) -> Iterator[Problem]:
        labels = metric_labels(self.experiment.configs_dir)
        yield from _unknown(place, "metric", names, self.metrics, labels)

    def no_keys(self, place: str, names: Collection[str]) -> Iterator[Problem]:
        for name in names:
            if name in POINT_GROUPS and name not in self.keys:
                # One that names what is not there is a mistake of the sweep alone.
                if not isinstance(self.experiment.settings.sweep.get(name), list):
                    yield Problem(place, self._no_group(name))
            else:
                yield from _unknown(place, "key", [name], self.keys)

    def _no_group(self, group: str) -> str:
        """What is wrong with a group of which the sweep chooses no files."""
        swept = [k for k in self.experiment.sweep.swept_keys() if k.startswith(f"{group}.")]
        keys = f"; did you mean {' or '.join(map(repr, swept))}, as swept here?" if swept else ""
        return (
            f"unknown key '{group}'{keys or ';'} {group} is a key only where the sweep chooses "
            f"whole files, as {group}: [{', '.join(self._choices(group))}] below sweep"
        )

    def _choices(self, group: str) -> list[str]:
        choices = group_choices((self.experiment.configs_dir,), group)
        own = self.experiment.choices.get(group, "")
        return [*filter(None, [own]), *(name for name in choices if name != own)][:2]

    def in_figure(self, figure: Placed[Figure]) -> Iterator[Problem]:
        for field, keys in figure.asked.keys().items():
            yield from self.no_keys(f"{figure.place}.{field}", keys)
        for field, metrics in figure.asked.metrics().items() if self.metrics else ():
            yield from self.no_metrics(f"{figure.place}.{field}", metrics)
        for field, named in figure.asked.engines().items():
            engines = self.experiment.engines
            yield from _unknown(f"{figure.place}.{field}", "engine", named, engines)

    def in_question(self, question: Placed[AnswerRequest]) -> Iterator[Problem]:
        asked, place = question.asked, question.place
        for field, keys in {**asked.keys(), "where": list(asked.where)}.items():
            yield from self.no_keys(f"{place}.{field}", keys)
        if asked.of is not None and self.metrics:
            yield from self.no_metrics(f"{place}.of", [asked.of])
            yield from self._undirected(question, asked.of)
        if isinstance(asked, Agreement | Cost) and asked.to is not None:
            derived = ["derived"] if isinstance(asked, Agreement) else []
            engines = (*self.experiment.engines, "published", *derived)
            yield from _unknown(f"{place}.to", "engine", [asked.to], engines)

    def _undirected(self, question: Placed[AnswerRequest], metric: str) -> Iterator[Problem]:
        if self.metrics.get(metric) == "neutral" and question.kind == "best":
            directed = [each for each, better in self.metrics.items() if better != "neutral"]
            choose = f"choose one of: {', '.join(directed)}"
            message = f"{metric} has no better direction; {choose}"
            yield Problem(f"{question.place}.of", message)

    def in_variants(self) -> Iterator[Problem]:
        for name, settings in self.experiment.report.variants.items():
            yield from self.no_keys(f"report.variants.{name}", settings)

    def in_reference(self) -> Iterator[Problem]:
        name, known = self.experiment.report.reference, (*self.experiment.engines, "published")
        yield from _unknown("report.reference", "engine", [name] if name else [], known)


def _unknown(
    place: str,
    word: str,
    names: Collection[str],
    known: Collection[str],
    also: Mapping[str, str] | None = None,
) -> Iterator[Problem]:
    for name in names:
        if name not in known:
            yield Problem(place, unknown(word, name, known, also))
