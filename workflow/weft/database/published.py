"""Published numbers as rows of the table `published`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from weft.tables.published import PublishedError, published_files, read_published


def published_rows(papers: Path) -> Iterator[dict[str, object]]:
    """The rows of all papers.

    A file with a mistake is left out, and the mistake printed: the plan has refused experiments
    that show its numbers, and others do not need them.
    """
    for path in published_files(papers):
        try:
            numbers = read_published(path)
        except PublishedError as error:
            print(f"weft: {error}; its numbers are left out", file=sys.stderr, flush=True)
            continue
        for each in numbers:
            coordinates = json.dumps(each.coordinates, sort_keys=True)
            yield {**asdict(each), "coordinates": coordinates}
