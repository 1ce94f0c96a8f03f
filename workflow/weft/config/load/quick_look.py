"""Experiments that nobody asked for: what a quick look at them shows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from weft.config.compose.composition import experiment_files, started_from
from weft.config.compose.experiment_list import listed
from weft.config.compose.search_path import searched
from weft.config.language.errors import ConfigError
from weft.config.language.yaml_files import cause, shown_path
from weft.config.load.loader import Loader, Tree, tree_of
from weft.config.load.named import chosen_files
from weft.config.load.sound import Sound


def other_mistakes(
    configs_dir: Path, asked: Collection[str], search_path: Sequence[Path] = ()
) -> list[ConfigError]:
    """What is wrong with the experiments that are not `asked`, as far as a quick look shows.

    No point of theirs is formed, and nothing that happens on the way is more than a mistake.
    """
    folders = searched(configs_dir, search_path)
    names = sorted(experiment_files(*folders).keys() - set(asked))
    files, errors = chosen_files(folders, names, {})
    errors += listed(*folders).wrong.values()
    sound = Sound(folders)
    unknown = [file for file in files if not sound.knows(file.stem)]
    if unknown:
        tree = tree_of(folders)
        for file in unknown:
            errors += _looked_at(tree, file, sound)
    return list(dict.fromkeys(errors))


def _looked_at(tree: Tree, file: Path, sound: Sound) -> list[ConfigError]:
    loader = Loader(tree, file, thorough=False)
    try:
        found = loader.load()[1]
    except Exception as error:
        shown = shown_path(tree.folders[0], file)
        return [ConfigError(shown, "", f"cannot be checked: {cause(error)}")]
    if not found:
        sound.add(file.stem, loader.files)
    return found


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
