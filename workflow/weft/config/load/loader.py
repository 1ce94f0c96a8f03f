"""From the `configs` folder to checked experiments; reports all mistakes at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from weft.config.check.expectations import expected_problems, stated_problems
from weft.config.check.experiment_file import written_problems
from weft.config.check.figure_needs import asked_problems
from weft.config.check.page_names import page_problems
from weft.config.check.sections import (
    fixed_sections,
    point_sections,
    sweep_key_problems,
    unasked_problems,
)
from weft.config.check.side_tables import table_problems
from weft.config.check.unmatched_conditions import unmatched_problems
from weft.config.check.where_filters import where_problems
from weft.config.compose.composition import (
    Composed,
    ComposeError,
    Composition,
    group_choices,
)
from weft.config.compose.key_origin import Origin
from weft.config.compose.overrides import Overrides, split_overrides
from weft.config.compose.search_path import searched
from weft.config.language.errors import ConfigError, ConfigErrors, Problem, problems, unknown
from weft.config.language.file_limits import value_problems
from weft.config.load.named import chosen_files
from weft.config.load.readable import Readable, readable
from weft.config.load.short_form import short_form_problems
from weft.config.load.top_level import TopLevel, named_engines, top_level
from weft.config.model.engine import Engines, declared_engines
from weft.config.model.experiment import GROUPS, POINT_GROUPS, Choices, Experiment, ExperimentFile
from weft.config.model.sweep import Sweep, parse_sweep
from weft.config.points.chosen_in_si import chosen_in_si
from weft.config.points.linked_values import LinkError, first_values, has_links, resolved_beside
from weft.config.points.point_count import condition_problems, count_problems, most_points
from weft.config.points.questions import EachQuestion, Questions

#: What else is made of an experiment's questions while they are checked, so that they are formed
#: once.
Making = Callable[[Experiment, Questions], EachQuestion]


def load_experiments(
    configs_dir: Path,
    names: Sequence[str] | None = None,
    overrides: Mapping[str, Sequence[str]] | None = None,
    search_path: Sequence[Path] = (),
    making: Making | None = None,
) -> list[Experiment]:
    """Compose and check experiments; `names` None means all files, sorted.

    `overrides` are `key=value` texts by experiment. An override of a swept key replaces its
    sweep. Experiments and groups of `search_path` stand beside those of `configs_dir`. `making` is
    shown the questions of each experiment that has no mistake so far.

    Raises ConfigErrors with all mistakes of all files.
    """
    folders = searched(configs_dir, search_path)
    tree = tree_of(folders)
    files, errors = chosen_files(folders, names, overrides or {})
    errors += _override_errors(folders, overrides or {})
    loaded: list[Experiment] = []
    for file in files:
        texts = (overrides or {}).get(file.stem, ())
        loader = Loader(tree, file, texts, making=making)
        experiment, found = loader.load()
        if experiment is not None and not texts:
            found += loader.short_form(experiment, beside=found)
        errors += found
        if experiment is not None and not found:
            loaded.append(experiment)
    if errors:
        raise ConfigErrors(_once(errors))
    return loaded


def _once(errors: Sequence[ConfigError]) -> list[ConfigError]:
    """Report a mistake in an override once, for the first experiment that it concerns."""
    found: dict[tuple[str, str, str], ConfigError] = {}
    for error in errors:
        override = error.file.partition(" with override ")[2]
        found.setdefault((override or error.file, error.key, error.message), error)
    return list(found.values())


def _override_errors(
    folders: Sequence[Path], overrides: Mapping[str, Sequence[str]]
) -> list[ConfigError]:
    """Mistakes that belong to no experiment, so that they are reported once."""
    found = [split_overrides(folders, texts)[1] for texts in overrides.values()]
    return [ConfigError("--config overrides", p.key, p.message) for each in found for p in each]


@dataclass(frozen=True)
class Tree:
    """What is the same for all experiments of the folders."""

    folders: tuple[Path, ...]
    engines: Engines
    most_points: int


def tree_of(folders: tuple[Path, ...]) -> Tree:
    """What all experiments share; raises ConfigErrors for mistakes there."""
    return Tree(folders, declared_engines(folders[0]), most_points(folders[0]))


class Loader:
    """The steps from one file to one experiment, gathering mistakes on the way.

    One that is not `thorough` forms no point.
    """

    def __init__(
        self,
        tree: Tree,
        file: Path,
        texts: Sequence[str] = (),
        *,
        thorough: bool = True,
        making: Making | None = None,
    ) -> None:
        self.making = making
        self.tree, self.folders, self.file, self.texts = tree, tree.folders, file, tuple(texts)
        self.engines, self.most_points, self.thorough = tree.engines, tree.most_points, thorough
        self.problems: list[Problem] = []
        #: Mistakes whose places are known already.
        self.errors: list[ConfigError] = []
        self.top = TopLevel()
        #: Sections of which nothing is known, and whether a part of any is set aside.
        self.unread: frozenset[str] = frozenset()
        self.partial = False
        #: What Hydra looked for.
        self.files: dict[str, str | None] = {}

    def load(self) -> tuple[Experiment | None, list[ConfigError]]:
        """The experiment, unless nothing can be made of the file, and its mistakes."""
        overrides, unreadable = split_overrides(self.folders, self.texts)
        if unreadable:
            return None, []
        asked = Composition(self.folders, self.file.stem, overrides.choices, overrides.lines)
        origin = Origin(asked, self.file, overrides)
        try:
            found = self._readable(asked)
            origin = replace(origin, asked=found.asked)
            experiment = self._experiment(found.asked, found.composed, overrides)
        except ComposeError as error:
            problems = [overrides.blamed(each) for each in error.problems]
            return None, [*origin.shown(error.errors), *origin.errors(problems)]
        except LinkError as error:
            # What is set aside may be what it refers to.
            wrong = [] if self.partial else [error.problem]
            places = origin.chosen(dict(error.choices)).errors(wrong)
            return None, [*self._placed(origin), *places]
        return experiment, self._placed(origin)

    def _placed(self, origin: Origin) -> list[ConfigError]:
        return [*origin.shown(self.errors), *origin.errors(dict.fromkeys(self.problems))]

    def _readable(self, asked: Composition) -> Readable:
        """What can be composed; the mistakes of what cannot are noted."""
        found = readable(asked)
        self.problems += found.problems
        self.errors += [each for each in found.errors if each not in self.errors]
        self.unread |= found.unread
        self.partial = self.partial or bool(found.problems)
        return found

    def short_form(
        self, experiment: Experiment, beside: Sequence[ConfigError] = ()
    ) -> list[ConfigError]:
        """The mistakes in the overrides of the short form; of an experiment that has mistakes
        `beside` them, only those that are certainly theirs."""

        def check(texts: Sequence[str]) -> list[ConfigError]:
            errors = Loader(self.tree, self.file, (*self.texts, *texts)).load()[1]
            return [each for each in errors if not beside or " with override " in each.file]

        found = short_form_problems(self.folders, experiment.settings.quick, check)
        plain = Composition(self.folders, self.file.stem)
        return Origin(plain, self.file, Overrides()).errors(found)

    def _experiment(
        self, asked: Composition, composed: Composed, overrides: Overrides
    ) -> Experiment | None:
        swept = first_values(composed.sections.get("sweep")) | first_values(overrides.sweep)
        composed, sections = self._resolved(composed, swept)
        endless = [*value_problems(sections), *value_problems(overrides.sweep, "sweep")]
        if endless:
            self.problems += endless
            return None
        settings = self._settings(sections)
        sweep = self._sweep(settings, overrides)
        if too_many := count_problems(settings, sweep, self.most_points):
            self.problems += too_many
            return None
        every = self._compositions(sweep, asked, composed)
        for each in (composed, *every.values()):
            self.files |= each.files
        fixed = fixed_sections(settings, self.engines)
        self.problems += fixed.problems
        experiment = Experiment(
            name=self.file.stem,
            file=self.file,
            configs_dir=self.folders[0],
            settings=settings,
            sweep=sweep,
            bases={
                row: point_sections(resolved_beside(each.sections, swept, row), self.engines)
                for row, each in every.items()
            },
            linked={
                row: {**each.sections, **point_sections(each.sections, self.engines)}
                for row, each in every.items()
                if has_links(each.sections)
            },
            machine=replace(fixed.machine, name=composed.choices.get("machine", "")),
            report=fixed.report,
            figures=fixed.figures,
            questions=fixed.questions,
            expectations=fixed.expectations,
            declared=self.engines,
            overrides=self.texts,
            choices={group: composed.choices.get(group, "") for group in POINT_GROUPS},
        )
        experiment = chosen_in_si(experiment)
        # Of groups that are not there, no keys are known either.
        groups = {f"sweep.{group}" for group in POINT_GROUPS} & {p.key for p in self.problems}
        found = sweep_key_problems(experiment)
        wrong = [p for p in found if not p.key.startswith(tuple(f"{g}." for g in groups))]
        self.problems += wrong
        self.problems += page_problems(experiment)
        self.problems += stated_problems(experiment)
        self.problems += written_problems(experiment, self.folders)
        endless = [] if wrong or groups else condition_problems(experiment, self.most_points)
        self.problems += endless
        if self.thorough and not wrong and not groups and not endless:
            self.problems += unasked_problems(experiment)
            questions = Questions(experiment, apart=self.partial)
            unswept = _unswept(self.problems)
            alone = not self.problems
            sound = alone and not self.errors
            making = self.making(experiment, questions) if self.making and sound else None
            found = questions.problems(alone, making)
            self.problems += [each for each in found if not self._hides(each, unswept)]
            if not self.problems:
                self.problems += unmatched_problems(experiment, questions.resolver.value)
                self.problems += where_problems(experiment, questions.resolver.parts())
                self.problems += asked_problems(experiment, questions.resolver.parts())
                self.problems += expected_problems(experiment, questions.resolver.parts())
                self.problems += table_problems(experiment, questions)
        return experiment

    def _resolved(
        self, composed: Composed, swept: Mapping[str, object]
    ) -> tuple[Composed, dict[str, object]]:
        """What is composed and its sections without links; a section with one that leads nowhere is
        set aside.

        Raises LinkError for one that is elsewhere.
        """
        while True:
            try:
                return composed, resolved_beside(composed.sections, swept)
            except LinkError as error:
                section = error.problem.key.partition(".")[0]
                if section not in GROUPS or section not in composed.sections:
                    raise
                # Another link may only refer to what is set aside.
                self.problems += [] if self.partial else [error.problem]
                self.unread, self.partial = self.unread | {section}, True
                left = {key: each for key, each in composed.sections.items() if key != section}
                composed = replace(composed, sections=left)

    def _hides(self, later: Problem, unswept: Collection[str]) -> bool:
        return later.key.partition(".")[0] in self.unread or self.top.hides(later, unswept)

    def _settings(self, sections: dict[str, object]) -> ExperimentFile:
        context = {"engines": self.engines}
        try:
            return ExperimentFile.model_validate(sections, context=context)
        except ValidationError as error:
            self.top = top_level(problems(error, ExperimentFile), sections, self.engines)
            self.problems += self.top.problems
            # Go on with the sound parts, so that other mistakes are reported as well.
            wrong = {detail["loc"][0] for detail in error.errors()}
            sound = {key: value for key, value in sections.items() if key not in wrong}
            engines = list(named_engines(sections.get("engines"), self.engines))
            # The one that answers most, so that no message is about the stand-in.
            most = max(self.engines, key=lambda name: len(self.engines[name].answers))
            stand_in = {"title": "-", "question": "-", "engines": engines or [most]}
            return ExperimentFile.model_validate({**stand_in, **sound})

    def _sweep(self, settings: ExperimentFile, overrides: Overrides) -> Sweep:
        sweep, found = parse_sweep(settings.sweep)
        replaced, more = parse_sweep(overrides.sweep)
        self.problems += [*found, *more]
        missing = overrides.dropped - {*sweep.swept_keys()}
        self.problems += [Problem(f"sweep.{key}", "nothing is swept here") for key in missing]
        gone = {*overrides.keys, *overrides.dropped, *replaced.swept_keys()}
        kept = sweep.without(frozenset(gone))
        merged = Sweep((*kept.axes, *replaced.axes), (*kept.excluded, *replaced.excluded))
        return merged.without(frozenset(self._wrong_groups(merged)))

    def _wrong_groups(self, sweep: Sweep) -> set[str]:
        wrong: set[str] = set()
        for axis in sweep.axes:
            for i, key in enumerate(axis.keys):
                known = group_choices(self.folders, key) if key in GROUPS else []
                bad = {str(row[i]) for row in axis.rows if key in POINT_GROUPS} - set(known)
                texts = sorted(unknown(key, name, known) for name in bad)
                self.problems += [Problem(f"sweep.{key}", text) for text in texts]
                wrong |= {key} if bad else set()
        return wrong

    def _compositions(
        self, sweep: Sweep, asked: Composition, composed: Composed
    ) -> dict[Choices, Composed]:
        """One for each combination of swept groups."""
        every: dict[Choices, Composed] = {}
        for row in sweep.group_rows():
            choices = {**asked.choices, **row}
            found = replace(asked, choices=choices)
            every[tuple(sorted(row.items()))] = self._readable(found).composed if row else composed
        # The unswept choice stands in where a condition leaves a group unswept.
        if sweep.groups(conditional=True):
            own = tuple(sorted((g, composed.choices.get(g, "")) for g in sweep.groups()))
            every.setdefault(own, composed)
        return every


def _unswept(found: Sequence[Problem]) -> set[str]:
    """Sections that lack what an axis gives that cannot be read: nothing is missing there."""
    axes = {each.key.split(".")[1] for each in found if each.key.startswith("sweep.")}
    return {*axes, *(POINT_GROUPS if any(axis.startswith("zip") for axis in axes) else ())}
