"""The name of an experiment's collection: another one whenever the earlier one is outdated.

Snakemake does not miss a stamp that is gone while the page made from it is there. The name is a
parameter of the rules that make pages, so that they run again, and with them the collection. The
file is an input of the collection, so that both run again also without Snakemake's notes.
"""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from weft.files import replace_text
from weft.files.layout import Results


def collection_name(results: Path, experiment: str) -> str:
    """The name; empty before the first collection, and where something has damaged the file."""
    try:
        return Results(results).experiment(experiment).collection.read_text()
    except (OSError, UnicodeDecodeError):
        return ""


def rename_collection(results: Path, experiment: str) -> None:
    """Give the next collection a name of its own."""
    replace_text(Results(results).experiment(experiment).collection, uuid4().hex)
