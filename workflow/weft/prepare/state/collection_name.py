"""The name of an experiment's collection: another one whenever the earlier one is outdated.

Snakemake does not miss a stamp that is gone while the page made from it is there. The name is a
parameter of the rules that make pages, so that they run again, and with them the collection. The
file is an input of the collection, so that both run again also without Snakemake's notes.
"""

from __future__ import annotations

from uuid import uuid4

from weft.files import replace_text, sealed, unsealed
from weft.files.layout import ExperimentFolder
from weft.plan.outcome import DamagedError


def collection_name(folder: ExperimentFolder) -> str:
    """The name; empty before the first collection, and where something has damaged the file."""
    try:
        return read_name(folder)
    except (OSError, DamagedError):
        return ""


def read_name(folder: ExperimentFolder) -> str:
    """The name.

    Raises DamagedError for a file that is not what was written, and OSError where there is none.
    """
    line = folder.collection.read_bytes().rstrip(b"\n")
    try:
        return str(unsealed(line, required=True)["name"])
    except (ValueError, KeyError) as error:
        raise DamagedError(f"{folder.collection} is damaged ({error})") from error


def rename_collection(folder: ExperimentFolder) -> None:
    """Give the next collection a name of its own."""
    replace_text(folder.collection, sealed({"name": uuid4().hex}) + "\n")
