"""Programs that a project's own Makefile or CMake builds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Annotated, TypedDict

from pydantic import AfterValidator, BeforeValidator, Field

from weft.config.language.section import ProjectFile, Settings

#: Programs that run words as commands: a list of words needs none of them.
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh", "fish")


def below(path: str) -> str:
    """A path that stays in its folder.

    Raises ValueError for others.
    """
    parts = PurePosixPath(path).parts
    if not parts or path.startswith(("/", "~")) or ".." in parts:
        raise ValueError(f"'{path}' leads out of the folder that is built")
    return path


def _pattern(path: str) -> str:
    below(path.removeprefix("!"))
    return path


def _word(word: str) -> str:
    if "\0" in word:
        raise ValueError("a word holds no zero byte")
    return word


def _command(words: list[str]) -> list[str]:
    name = PurePosixPath(words[0]).name
    if name in _SHELLS and "-c" in words[1:2]:
        raise ValueError(
            f"'{words[0]} -c' begins a shell: write the words of its command, or a list of commands"
        )
    if any(mark in words[0] for mark in " ;|&<>$`"):
        raise ValueError(
            f"'{words[0]}' is not the name of a program: write every word as an entry of its own"
        )
    return words


def _several(value: object) -> object:
    """One command is a list of words, several are a list of such lists."""
    if isinstance(value, str):
        raise ValueError(f"write a list of words, like {value.split()!r}".replace("'", ""))
    return [value] if isinstance(value, list) and value and isinstance(value[0], str) else value


Command = Annotated[
    list[Annotated[str, AfterValidator(_word)]], Field(min_length=1), AfterValidator(_command)
]


class OwnBuild(Settings):
    """How a project builds its program: in a copy of its folder, and in a sandbox."""

    folder: Annotated[str, ProjectFile(), Field(min_length=1)]
    """The folder of the project, in which the commands run. Its path counts from the folder of the
    experiment file, else from the project of weft."""
    command: Annotated[list[Command], Field(min_length=1, max_length=20), BeforeValidator(_several)]
    """The words of a command, like `[make, -j2]`, or a list of commands. No shell reads them.
    `{folder}` stands for the absolute path of the folder.
    `weft-cc`, `weft-c++` and the names of wrappers of MPI libraries, like `mpicc`, are compilers
    with the MPI of whoever asks: the simulator's or the machine's."""
    executable: Annotated[str, AfterValidator(below)]
    """The program that the commands make, by its path from the folder."""
    files: Annotated[list[Annotated[str, AfterValidator(_pattern)]], Field(min_length=1)] = Field(
        default=["**"]
    )
    """What is copied, and is a part of the point: patterns of paths from the folder. `**` stands
    for all folders, and `!docs/**` leaves files out again. Names that begin with a dot need a
    pattern that says so."""


class MakeSpec(TypedDict):
    """What a job runs to build a program; `folder` is a path from the root of the build."""

    folder: str
    command: Sequence[Sequence[str]]
    executable: str
