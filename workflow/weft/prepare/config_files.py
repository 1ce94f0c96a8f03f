"""Files of `--configfile`, before Snakemake opens them: it answers a missing one by a traceback."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from weft.config.language.errors import nearest

OPTIONS = ("--configfile", "--configfiles")


def check_config_files(arguments: Sequence[str]) -> None:
    """End the program with one line where a file of `--configfile` cannot be read.

    Called by profiles/default, the only place that Snakemake asks before it opens them.
    """
    for file in _config_files(arguments):
        try:
            with Path(file).open():
                pass
        except OSError as error:
            raise SystemExit(f"weft: --configfile {file}: {_reason(file, error)}") from None


def _reason(file: str, error: OSError) -> str:
    there = [str(each) for each in Path(file).parent.glob("*.y*ml") if each.is_file()]
    near = nearest(file, there) if isinstance(error, FileNotFoundError) else ""
    return f"{(error.strerror or str(error)).lower()}{near}"


def _config_files(arguments: Sequence[str]) -> Iterator[str]:
    """The words behind the option, up to the next option."""
    taken = False
    for word in arguments:
        name, equals, value = word.partition("=")
        if name in OPTIONS:
            taken = not equals
            if equals:
                yield value
        elif word.startswith("-"):
            taken = False
        elif taken:
            yield word
