"""What a finished run says of itself, for the page of its task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weft.files import unsealed
from weft.files.layout import ExperimentFolder, ShardFolder
from weft.plan.plan import Plan

#: How many reasons of failed points a page shows.
_MOST_REASONS = 3
_LONGEST = 1500
#: Lines of a shard's log that say how its programs were confined, and what they were denied.
_OF_CONFINEMENT = ("runs in a sandbox", "programs are confined", "programs run without confinement",
                   "the confinement denies", "the sandbox was ended")  # fmt: skip
_MOST_LINES = 50


@dataclass(frozen=True, slots=True)
class RunAccount:
    """Texts, each empty where there is nothing to say."""

    failures: str = ""
    left_out: str = ""
    confinement: str = ""

    @classmethod
    def of(cls, plan: Plan, folder: ExperimentFolder) -> RunAccount:
        """Read what the shards of a plan have left."""
        shards = [folder.shard(shard.engine, shard.shard_id) for shard in plan.shards]
        reasons = [reason for shard in shards for reason in _reasons(shard)]
        said = ""
        if reasons:
            each = list(dict.fromkeys(reason[:_LONGEST] for reason in reasons))[:_MOST_REASONS]
            plural = "" if len(reasons) == 1 else "s"
            said = "\n".join([f"{len(reasons)} point{plural} failed:", *each])
        lists = (_text(shard.left_out) for shard in shards)
        lines = (line for shard in shards for line in _text(shard.log).splitlines())
        of_confinement = (line for line in lines if any(word in line for word in _OF_CONFINEMENT))
        shown = list(dict.fromkeys(of_confinement))[:_MOST_LINES]
        return cls(said, "".join(lists), "".join(f"{line}\n" for line in shown))


def _reasons(shard: ShardFolder) -> Iterator[str]:
    for line in _text(shard.journal).splitlines():
        try:
            fields = unsealed(line.encode(), required=True)
        except ValueError:
            continue
        if fields.get("status") == "failed":
            yield str(fields.get("error") or "")


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
