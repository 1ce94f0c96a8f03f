"""`python -m weft.launch …` is `snakemake …`, with one line for Ctrl-C from the first moment on,
for too few addresses, and for a profile that is not there.

Python takes a second and some hundred megabytes of addresses to import Snakemake, which reads the
default profile only then.
"""

from __future__ import annotations

import runpy
import sys
from importlib import import_module

from weft.interrupt import end_on_interrupt
from weft.profile.address_space import check_address_space


def _check_profiles(words: tuple[str, ...]) -> None:
    from weft.profile.command_line import command_line
    from weft.profile.profile_names import check_profiles

    snakemake = import_module("snakemake.cli")
    command = command_line(snakemake.get_argument_parser, words)
    check_profiles(command, snakemake.get_profile_dir)


if __name__ == "__main__":
    end_on_interrupt(sys.argv)
    check_address_space()
    _check_profiles(tuple(sys.argv[1:]))
    runpy.run_module("snakemake", run_name="__main__", alter_sys=True)
