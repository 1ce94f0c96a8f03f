"""Pages below `reports`, and their archives, by the names of what they show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

#: Pages of no experiment: how the name of a paper's page begins, and the name of the index.
PAPER, INDEX = "paper_", "index"
#: What stands between the names of two compared experiments.
BETWEEN = ".."


@dataclass(frozen=True, slots=True)
class Reports:
    """The folder `reports` of a project."""

    path: Path

    def page(self, name: str) -> Path:
        """The page of an experiment."""
        return self.path / f"{name}.html"

    def paper(self, name: str) -> Path:
        """The page of a paper."""
        return self.page(PAPER + name)

    def papers(self) -> list[str]:
        """The papers that have a page, by name."""
        pages = self.path.glob(f"{PAPER}*.html")
        return sorted(page.stem.removeprefix(PAPER) for page in pages)

    @property
    def comparisons(self) -> Path:
        """The folder of comparisons."""
        return self.path / "compare"

    def comparison(self, first: str, second: str) -> Path:
        """The page that holds two experiments side by side."""
        return self.comparisons / f"{first}{BETWEEN}{second}.html"


@dataclass(frozen=True, slots=True)
class Archives:
    """The folder `archives` of a project."""

    path: Path

    def archive(self, page: str) -> Path:
        """The archive of a page, named like it."""
        return self.path / f"{page}.zip"
