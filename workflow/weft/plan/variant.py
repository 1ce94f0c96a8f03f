"""Names of experiments that were run otherwise than written: `permutations@topology.k=4`.

Such a variant has a plan, rows and a page of its own, so that it replaces nothing of the experiment
as written. Its name is the experiment's, `@`, and the name of the run or the overrides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from weft.files import replace_changed, sealed, unsealed
from weft.files.layout import ExperimentFolder
from weft.plan.model import short_digest

AT, AND = "@", "+"
QUICK = "quick"
#: What may follow the `@`; everything that a file name, a URL and a bind mount can hold.
SUFFIX = r"[A-Za-z0-9][A-Za-z0-9_.=+\-]*"
LONGEST_SUFFIX = 60
#: So that a file's name has 255 bytes at most, whatever the experiment is called.
LONGEST_RUN = 40
_NAMED = re.compile(SUFFIX)
_STRANGE = re.compile(r"[^A-Za-z0-9_.=\-]+")


@dataclass(frozen=True, slots=True)
class Changes:
    """What a command line changes in every experiment that it asks for.

    `run` names the run, `quick` takes each experiment's own short form, `overrides` come last.
    """

    overrides: tuple[str, ...] = ()
    run: str | None = None
    quick: bool = False

    def __bool__(self) -> bool:
        return bool(self.overrides or self.run or self.quick)

    def name(self, experiment: str) -> str:
        """What the experiment is called under these changes.

        Raises ValueError for a name of a run that cannot stand in a file's name.
        """
        runs = [name for name in (self.run, QUICK if self.quick else None) if name]
        return variant_name(experiment, self.overrides, runs)


def write_changes(changes: Changes, folder: Path) -> None:
    """Note in the `folder` of a variant's results how it was asked for."""
    replace_changed(ExperimentFolder(folder).variant, sealed(asdict(changes)) + "\n")


def read_changes(folder: Path) -> Changes | None:
    """What was noted, or None: not a variant, or never run."""
    try:
        line = ExperimentFolder(folder).variant.read_bytes().rstrip(b"\n")
        found = unsealed(line, required=False)
        return Changes(tuple(found["overrides"]), found["run"], bool(found["quick"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def base_name(name: str) -> str:
    """The experiment that `name` is, or is a variant of."""
    return name.partition(AT)[0]


def variant_name(name: str, overrides: Iterable[str] = (), runs: Sequence[str] = ()) -> str:
    """`name` itself, or that of the variant made by `overrides` in a run of these names.

    Overrides of the machine say where points are computed and not which, so they make no variant.
    Raises ValueError for a name of a run that cannot stand in a file's name.
    """
    for run in runs:
        if not _NAMED.fullmatch(run):
            raise ValueError(f"--config run={run}: use letters, digits, '.', '-', '=' and '_'")
        if len(run) > LONGEST_RUN:
            raise ValueError(f"--config run={run}: use at most {LONGEST_RUN} characters")
    changes = [text for text in overrides if not is_of_machine(text)]
    if not changes and not runs:
        return name
    return name + AT + AND.join([*runs, *([_suffix(changes)] if changes else [])])


def is_of_machine(override: str) -> bool:
    """Whether an override changes the machine alone."""
    key = override.lstrip("+~").partition("=")[0].strip()
    return key == "machine" or key.startswith("machine.")


def _suffix(changes: Sequence[str]) -> str:
    """The overrides as part of a file's name; a digest replaces what such a name cannot hold."""
    text = AND.join(changes)
    plain = AND.join(_STRANGE.sub("_", change).strip("_") for change in changes)
    if plain == text and len(text) <= LONGEST_SUFFIX and _NAMED.fullmatch(plain):
        return plain
    kept = plain[: LONGEST_SUFFIX - 7].strip("_.+-=") or "changed"
    return f"{kept}-{short_digest(list(changes))[:6]}"
