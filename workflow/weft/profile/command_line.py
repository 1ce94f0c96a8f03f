"""Snakemake's command line, parsed by Snakemake's own parser once in each process.

The default profile asks first, then the Snakefile. A process that starts by `weft.launch` asks
before both. Snakemake itself hands its arguments to no Snakefile.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

#: Snakemake's names of the arguments that ask for a dry run, a list, a drawing or a check.
LOOKS = (
    "dryrun", "lint", "unlock", "list_rules", "list_target_rules", "list_changes",
    "list_input_changes", "list_params_changes", "list_untracked", "summary", "detailed_summary",
    "dag", "rulegraph", "filegraph", "d3dag", "report",
)  # fmt: skip
#: What stands for no profile at all.
NO_PROFILE = "none"
_PROFILE = "SNAKEMAKE_PROFILE"


@dataclass(frozen=True, slots=True)
class CommandLine:
    """What weft asks of a command line; `settings` are the entries of `--config` as written.

    A command that only `looks` locks nothing and replaces no file of a run.
    """

    targets: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    configfiles: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    #: `--profile`, or the variable that names the profiles where the option does not.
    profile_source: str = "--profile "
    workflow_profile: str | None = None
    #: Whether it says where jobs run: by a profile or an executor.
    names_a_place: bool = False
    dry_run: bool = False
    looks: bool = False


@cache
def command_line(parser: Callable[[], ArgumentParser], words: tuple[str, ...]) -> CommandLine:
    """What `words` say, by the `parser` that Snakemake makes.

    Ends the process as Snakemake does where they are no command line.
    """
    found = parser().parse_args(words)
    targets = tuple(sorted(found.targets or ()))
    of_the_environment = found.profile and found.profile == [os.environ.get(_PROFILE)]
    return CommandLine(
        targets=targets,
        settings=_texts(found.config),
        configfiles=_texts(found.configfile),
        profiles=tuple(each for each in _texts(found.profile) if each not in ("", NO_PROFILE)),
        profile_source=f"{_PROFILE}=" if of_the_environment else "--profile ",
        workflow_profile=found.workflow_profile,
        names_a_place=bool(found.profile or found.executor) or _PROFILE in os.environ,
        dry_run=bool(found.dryrun),
        # `plan` alone only shows. An argument without a value may be given with an empty list.
        looks={*targets} == {"plan"}
        or any(getattr(found, name) not in (None, False) for name in LOOKS),
    )


def _texts(given: Iterable[object] | None) -> tuple[str, ...]:
    return tuple(map(str, given or ()))
