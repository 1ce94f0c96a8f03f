"""What a release says by itself: `INSTALL.md`, and the script `install`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from weft.release.parts import ReleasedImages

_INSIDE = Path(__file__).parent / "inside"


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """What the reader of a release must know; `…_need` are 2.x of the C library."""

    name: str
    commit: str
    python: str
    processor: str
    packages_need: int
    simulators_need: int
    images: ReleasedImages


def write_instructions(facts: ReleaseFacts, folder: Path) -> None:
    """Write both files into the folder of the release."""
    environment = Environment(
        loader=FileSystemLoader(_INSIDE),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for name in ("INSTALL.md", "install"):
        text = environment.get_template(name).render(asdict(facts))
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "install").chmod(0o755)
