"""The side table that BookSim2 can fill."""

from __future__ import annotations

from pathlib import Path

from weft.engines.booksim.output import Output
from weft.files import replace_text
from weft.tables.declared import DECLARED


def write_nodes(output: Output, directory: Path, point_id: str) -> None:
    """Write `nodes-<point_id>.csv`: flits per cycle that each node has sent and received."""
    sent, received = output.rows.get("sent_flits", ()), output.rows.get("accepted_flits", ())
    rates = zip(sent, received, strict=True)
    rows = [
        f"{node},{injected:g},{accepted:g}\n" for node, (injected, accepted) in enumerate(rates)
    ]
    replace_text(directory / f"nodes-{point_id}.csv", DECLARED["nodes"].header() + "".join(rows))
