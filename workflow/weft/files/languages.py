"""The languages of programs, by the endings of their sources."""

from __future__ import annotations

from pathlib import PurePosixPath

#: Endings of sources, by their language.
ENDINGS = {
    "c": (".c",),
    "c++": (".cc", ".cpp", ".cxx", ".c++", ".C"),
    "fortran": (".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08",
                ".F", ".F90", ".F95", ".F03", ".F08"),
}  # fmt: skip


def language_of(source: str) -> str | None:
    """The language that the ending of a source means."""
    ending = PurePosixPath(source).suffix
    return next((name for name, endings in ENDINGS.items() if ending in endings), None)
