"""Explanations as lines of text."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from weft.engines.native import last_lines
from weft.files.layout import ShardFolder
from weft.plan.variant import base_name
from weft.read import Project
from weft.read.explained import PointRecord, Setting

LOG_LINES = 5


def setting_lines(settings: Sequence[Setting], indent: str = "") -> Iterator[str]:
    """`topology.k = 4`, and to the right what set it."""
    texts = [f"{indent}{each.key} = {each.value}" for each in settings]
    width = min(max(map(len, texts), default=0), 56)
    for text, each in zip(texts, settings, strict=True):
        yield f"{text:<{width}}  {each.origin}"


def point_lines(record: PointRecord, project: Project) -> Iterator[str]:
    """A point's settings, its outcome, its log, and how to compute it again."""
    yield (
        f"{record.point_id} of {record.experiment}: {record.status} · {record.engine} ·"
        f" replicate {record.replicate} · seed {record.seed} · {record.rows:,} values"
    )
    yield from setting_lines(record.settings, "  ")
    if record.error:
        yield f"  error: {record.error.strip()}"
    yield from (f"  note: {note}" for note in record.notes)
    yield from (f"  {kind}: {project.results / path}" for kind, path in record.files)
    if record.shard is None:
        yield "  it has no shard on the disk"
        return
    log = ShardFolder(record.shard).log
    if log.exists():
        yield from (f"  | {line}" for line in last_lines(log, LOG_LINES).splitlines())
        yield f"  log: {log}"
    if record.status == "failed":
        again = ("--config", "retry_failed=true")
        yield f"  again: {project.run_command(base_name(record.experiment), *again)}"
    else:
        yield f"  again: rm -r {shlex.quote(str(record.shard))}"
        yield f"   then: {project.run_command(record.experiment)}"
