"""What items of papers are called in sentences: `Table 6 of the paper`, not `multicast/table6`."""

from __future__ import annotations

import re
from collections.abc import Sequence

import yaml

from weft.config.language.yaml_loader import LOADER
from weft.report.data.source import Study
from weft.report.data.units import listing

#: A title begins with what the paper calls the item: `Table 6: the best d`.
_CALLED = re.compile(r"(?:Tables?|Figures?|Section) [^:]*")


def cited(study: Study, references: Sequence[str]) -> str:
    """The `paper/item` references as the papers call them.

    An item without such a title keeps its whole title; a paper without a file, its reference.
    """
    return listing(_named(study, reference) for reference in references)


def _named(study: Study, reference: str) -> str:
    paper, _, item = reference.partition("/")
    path = study.configs / "paper" / f"{paper}.yaml"
    if not path.is_file():
        return reference
    about = yaml.load(path.read_text(), Loader=LOADER)
    title = str(about.get("items", {}).get(item, {}).get("title", ""))
    if not title:
        return reference
    called = _CALLED.match(title)
    return f"{called[0]} of the paper" if called else f"“{title}”"
