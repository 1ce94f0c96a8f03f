"""What a definition says by itself: parent images, build arguments, inputs, the apt lock."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from weft.files.layout import CLONE
from weft.images.errors import ImageError

FOLDER = Path("containers")
#: The only build argument that is no parent image: the machine's Debian mirror.
MIRROR = "mirror"
_HEADER = re.compile(r"^([A-Za-z]+)\s*:\s*(.*)$")
_ARGUMENT = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition file: its text, the images it starts from, and what it takes of the project."""

    name: str
    text: str
    parents: tuple[str, ...]
    inputs: tuple[str, ...]

    @property
    def file(self) -> Path:
        """The definition's path, relative to the project."""
        return FOLDER / f"{self.name}.def"

    @property
    def lock(self) -> str | None:
        """The lock of its packages, relative to the project; None when it installs none."""
        own = f"envs/{self.name}.apt.lock"
        return own if own in self.inputs else None

    @property
    def needs_mirror(self) -> bool:
        """Whether it installs a Debian, and so asks for the build argument `mirror`."""
        return MIRROR in _ARGUMENT.findall(self.text)


def names(root: Path = CLONE) -> list[str]:
    """All definitions, sorted."""
    return sorted(path.stem for path in (root / FOLDER).glob("*.def"))


def has_definition(name: str, root: Path = CLONE) -> bool:
    """Whether there is a `containers/<name>.def`."""
    return (root / FOLDER / f"{name}.def").is_file()


def read_definition(name: str, root: Path = CLONE) -> Definition:
    """The definition of the image `name`.

    Raises ImageError when there is none, or when it asks for an image or argument there is not.
    """
    path = root / FOLDER / f"{name}.def"
    try:
        text = path.read_text()
    except FileNotFoundError:
        raise ImageError(_unknown("image", name, names(root))) from None
    arguments = [each for each in dict.fromkeys(_ARGUMENT.findall(text)) if each != MIRROR]
    for each in arguments:
        if not has_definition(each, root):
            allowed = [MIRROR, *names(root)]
            raise ImageError(f"{FOLDER / path.name}: {_unknown('build argument', each, allowed)}")
    return Definition(name, text, tuple(arguments), tuple(_files(text)))


def _files(text: str) -> list[str]:
    """The first word of every line below a `%files` that copies from the project."""
    found: list[str] = []
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("%"):
            inside = line.split() == ["%files"]
        elif (header := _HEADER.match(line)) and header[1].lower() == "bootstrap":
            inside = False
        elif inside and line and not line.startswith("#"):
            found.append(shlex.split(line)[0])
    return list(dict.fromkeys(found))


def _unknown(what: str, name: str, known: list[str]) -> str:
    from weft.config.language.errors import unknown  # it brings pydantic, which no job needs

    return f"{unknown(what, name, known)} (files {FOLDER}/*.def)"
