"""Folders of a user's own, outside the clone, whose experiments and groups stand beside weft's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from weft.config.language.errors import ConfigError, ConfigErrors
from weft.config.language.yaml_files import shown_path
from weft.config.model.experiment import GROUPS

PLACE = "--config search_path"
#: What stays weft's: engines are declared, and papers lie, in its own tree.
_NOT_THEIRS = ("engine", "paper", "schema")


def searched(configs_dir: Path, search_path: Sequence[Path]) -> tuple[Path, ...]:
    """The tree and the folders of the search path, each once.

    Raises ConfigErrors for a folder that does not exist, and for names that are in two of them.
    """
    # A workspace outside the clone links to the clone's tree: files count from the workspace.
    own = configs_dir.absolute()
    theirs = dict.fromkeys(folder.expanduser().resolve() for folder in search_path)
    folders = (own, *(folder for folder in theirs if folder != own.resolve()))
    wrong = [message for folder in folders[1:] for message in _folder_problems(folder)]
    wrong += _clashes(folders)
    if wrong:
        raise ConfigErrors(ConfigError(PLACE, "", message) for message in wrong)
    return folders


def _folder_problems(folder: Path) -> Iterator[str]:
    if not folder.is_dir():
        yield f"there is no folder {folder}"
        return
    for name in _NOT_THEIRS:
        if (folder / name).is_dir():
            yield f"{folder / name} would not be read: {name} belongs in weft's own configs/"
    if not any((folder / name).is_dir() for name in ("experiment", *GROUPS)):
        expected = ", ".join(f"{name}/" for name in ("experiment", *GROUPS))
        yield f"{folder} has none of the folders {expected}"


def _clashes(folders: Sequence[Path]) -> Iterator[str]:
    """Files that one folder would hide from another; those of one tree are its own matter."""
    seen: dict[Path, tuple[Path, Path]] = {}
    for folder in folders:
        files = [*folder.glob("*.y*ml"), *folder.glob("*/*.y*ml")] if len(folders) > 1 else []
        for file in sorted(files):
            name = file.relative_to(folder).with_suffix("")
            tree, first = seen.setdefault(name, (folder, file))
            # One folder may lie in another: the workspace of `--experiments` links to the clone's.
            if tree != folder:
                both = f"{shown_path(folders[0], first)} and {shown_path(folders[0], file)}"
                yield f"{both} have the same name; rename one"
