"""Why the commands of a build have failed, from what they have printed."""

from __future__ import annotations

import re

#: Lines that say why. Of `weft-cc` and the linker also those that no word `error` marks.
_REASONS = re.compile(
    r"[Ee]rror:|undefined reference|multiple definition|CMake Error"
    r"|^weft-(cc|c\+\+|fc): |(^|/)ld: can"
)
#: Lines like those that give no reason: notes of `weft-cc`, and what follows an error.
_NO_REASON = re.compile(
    r" is left out: |^collect2: error: ld returned|some warnings being treated|errors occurred!"
)
#: What make says of a command that has said more, and where it is.
_OF_ANY_COMMAND = re.compile(r"^make.*(\*\*\* \[|ing directory )")
_OF_MAKE = re.compile(
    r"No rule to make target|No such file or directory|Permission denied|Error |not found"
)
#: CMake prints the reason below the place.
_PLACE_OF_CMAKE = re.compile(r"^CMake Error.*:$")
_SHOWN = 3
_LONGEST = 400
#: What a user can do; the first that fits counts.
_HINTS = {
    "cannot open output file": "the copy has no folders that are empty: make them by a command, "
    "like [mkdir, -p, bin]",
    "ld: cannot find": "a build sees the system's libraries and what workload.program.build.files "
    "names",
    "Could NOT find": "a build sees the system's packages: turn this one off in "
    "workload.program.build.command, like -DUSE_IT=OFF",
    "undefined reference": "the command that links lacks a file or a library: name it in the "
    "project's own files or in workload.program.build.command, like LDLIBS=-lm",
    "No such file or directory": "a build sees the system's files and what "
    "workload.program.build.files names",
}


def reason_in(log: str) -> str:
    """The first lines of the output that say why a command failed, else its last line."""
    lines = list(dict.fromkeys(line.strip()[:_LONGEST] for line in _joined(log)))
    printed = [line for line in lines if line and not line.startswith("$")]
    said = [each for each in printed if _REASONS.search(each) and not _NO_REASON.search(each)]
    others = [line for line in printed if not _OF_ANY_COMMAND.search(line)]
    said = said or [line for line in others if _OF_MAKE.search(line)] or (others or printed)[-1:]
    more = f"; and {len(said) - _SHOWN} more" if len(said) > _SHOWN else ""
    text = f"{'; '.join(said[:_SHOWN])}{more}"
    return text + next((f"; {hint}" for words, hint in _HINTS.items() if words in text), "")


def _joined(log: str) -> list[str]:
    """The lines of the output, those of CMake's errors with their reasons."""
    joined: list[str] = []
    for line in log.splitlines():
        if joined and line.strip() and _PLACE_OF_CMAKE.match(joined[-1].strip()):
            joined[-1] += f" {line.strip()}"
        elif line.strip():
            joined.append(line)
    return joined
