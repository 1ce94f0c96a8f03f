"""A check of the experiments that a command did not ask for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pydantic import TypeAdapter

from weft.config.compose.composition import experiment_files, started_from
from weft.config.compose.experiment_list import listed
from weft.config.compose.search_path import searched
from weft.config.language.errors import ConfigError
from weft.config.language.yaml_files import cause, shown_path
from weft.config.load.kept_glimpses import KeptGlimpses
from weft.config.load.loader import Loader, Tree, tree_of
from weft.config.load.named import chosen_files
from weft.config.load.named_inputs import named_inputs
from weft.config.model.experiment import Experiment
from weft.config.points.point_count import at_most

#: A list forms the points of no larger sweep; a run does, which takes seconds for a million.
MOST_FORMED = 20_000


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What a look shows of an experiment. One with `mistakes` cannot be used; nothing else is known
    of it, unless only its points show them. Of very many points a close look checks none."""

    title: str = ""
    question: str = ""
    engines: tuple[str, ...] = ()
    topologies: tuple[str, ...] = ()
    paper: str | None = None
    mistakes: tuple[ConfigError, ...] = ()
    unchecked: bool = False


#: As it is kept.
_KEPT = TypeAdapter(Glimpse)


class QuickLooks:
    """Quick looks at the experiments of the trees `folders`, each once while nothing changes.

    Only `close` ones form the points of an experiment, as a run does, if they are few. `machine`
    are overrides that name the machine of a run.
    """

    def __init__(
        self, folders: tuple[Path, ...], *, close: bool = False, machine: Sequence[str] = ()
    ) -> None:
        self._folders = folders
        self._close = close
        self._machine = tuple(machine)
        kinds = ("close",) if close else ("quick", "close")
        self._known = [KeptGlimpses(folders, (kind, *self._machine)) for kind in kinds]

    def at(self, file: Path) -> Glimpse:
        """What a look at one experiment shows; nothing that happens on the way is more than a
        mistake.

        Raises ConfigErrors for mistakes in what all experiments share.
        """
        for known in self._known:
            kept = known.get(file.stem)
            if kept is not None:
                return _KEPT.validate_python(kept)
        loader = Loader(self._tree, file, self._machine, thorough=False)
        try:
            experiment, mistakes = loader.load()
            if experiment is None or mistakes:
                return Glimpse(mistakes=tuple(mistakes))
            many = self._close and at_most(experiment) > MOST_FORMED
            refusals = self._refusals(experiment) if self._close and not many else ()
        except Exception as error:
            shown = shown_path(self._folders[0], file)
            return Glimpse(mistakes=(ConfigError(shown, "", f"cannot be checked: {cause(error)}"),))
        found = replace(_glimpse(experiment), unchecked=many)
        if refusals:
            return replace(found, mistakes=tuple(refusals))
        files = {**loader.files, **(named_inputs(experiment) if self._close else {})}
        self._known[0].add(file.stem, _KEPT.dump_python(found, mode="json"), files)
        return found

    def _refusals(self, experiment: Experiment) -> list[ConfigError]:
        """For what a run refuses an experiment in which a quick look sees no mistake."""
        loader = Loader(self._tree, experiment.file, self._machine)
        return loader.load()[1] or loader.short_form(experiment)

    @cached_property
    def _tree(self) -> Tree:
        # Only where something is looked at: it takes as long as all that is known.
        return tree_of(self._folders)


def _glimpse(experiment: Experiment) -> Glimpse:
    settings = experiment.settings
    rows = experiment.sweep.group_rows()
    topologies = (str(row.get("topology", experiment.choices["topology"])) for row in rows)
    return Glimpse(
        title=settings.title,
        question=settings.question,
        engines=experiment.engines,
        topologies=tuple(dict.fromkeys(topologies)),
        paper=settings.paper,
    )


def glimpses(
    configs_dir: Path, search_path: Sequence[Path] = (), machine: Sequence[str] = ()
) -> dict[str, Glimpse]:
    """A close look at every experiment, by name; `machine` are overrides that name one.

    Raises ConfigErrors for mistakes in what all experiments share.
    """
    folders = searched(configs_dir, search_path)
    looks = QuickLooks(folders, close=True, machine=machine)
    return {name: _glimpsed(folders, name, looks) for name in experiment_files(*folders)}


def _glimpsed(folders: tuple[Path, ...], name: str, looks: QuickLooks) -> Glimpse:
    files, wrong = chosen_files(folders, [name], {})
    return Glimpse(mistakes=tuple(wrong)) if wrong else looks.at(files[0])


def other_mistakes(
    configs_dir: Path,
    asked: Collection[str],
    search_path: Sequence[Path] = (),
    machine: Sequence[str] = (),
) -> dict[str, tuple[ConfigError, ...]]:
    """By name what is wrong with experiments that are not `asked`, as far as a quick look shows.

    `machine` are overrides that name the machine of the run.

    Raises ConfigErrors for mistakes in what all experiments share.
    """
    folders = searched(configs_dir, search_path)
    looks = QuickLooks(folders, machine=machine)
    names = sorted(experiment_files(*folders).keys() - set(asked))
    found = {name: _glimpsed(folders, name, looks).mistakes for name in names}
    found |= {name: (wrong,) for name, wrong in listed(*folders).wrong.items()}
    return {name: found[name] for name in sorted(found) if found[name]}


def papers(configs_dir: Path, search_path: Sequence[Path] = ()) -> dict[str, list[str]]:
    """The experiments of each paper, as their files say; files that cannot be read have none."""
    found: dict[str, list[str]] = {}
    folders = searched(configs_dir, search_path)
    for name in sorted(experiment_files(*folders)):
        named = (raw.get("paper") for raw in started_from(folders, name, set()))
        paper = next((each for each in named if each is not None), None)
        if isinstance(paper, str):
            found.setdefault(paper, []).append(name)
    return found
