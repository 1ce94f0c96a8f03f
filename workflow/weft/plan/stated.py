"""When an experiment stated what it expects: `expectations.json` beside its plan.

Every plan compares. The file gets another version where the expectations are not those of the last
one, so that a reader sees what was stated after results were known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from weft.files import replace_text, sealed, unsealed
from weft.files.layout import JOURNAL, STATUS, ExperimentFolder
from weft.plan.model import short_digest
from weft.plan.outcome import DamagedError
from weft.plan.plan import Plan


@dataclass(frozen=True, slots=True)
class StatedVersion:
    """The `expectations` that were stated at a `date`, an ISO text in UTC.

    `digest` is that of the expectations in any order. `after_results` says whether a point of the
    experiment had a result then.
    """

    date: str
    digest: str
    after_results: bool
    expectations: tuple[str, ...]


def stated_texts(plan: Plan) -> list[str]:
    """What a plan expects, as its file has it, without reading the models of its page."""
    stored = plan.stored_report.get("expect")
    return [str(each["written"]) for each in stored] if isinstance(stored, list | tuple) else []


def read_stated(folder: ExperimentFolder) -> list[StatedVersion]:
    """All versions, the first one first; none where nothing was ever expected.

    Raises DamagedError for a file that is not what was written.
    """
    path = folder.expectations
    try:
        found = unsealed(path.read_bytes().rstrip(b"\n"), required=True)["versions"]
        return [
            StatedVersion(
                str(each["date"]),
                str(each["digest"]),
                bool(each["after_results"]),
                tuple(map(str, each["expectations"])),
            )
            for each in found
        ]
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError) as error:
        remedy = "delete it, and the next run dates the expectations anew"
        raise DamagedError(f"{path} is damaged ({error})", remedy) from error


def note_stated(folder: ExperimentFolder, expectations: Sequence[str], now: datetime) -> None:
    """Note what is expected at the moment `now`, in UTC, where that is not what was noted last.

    Raises DamagedError for a file that is not what was written: its dates would be lost.
    """
    versions = read_stated(folder)
    digest = short_digest(sorted(expectations))
    last = versions[-1].digest if versions else short_digest([])
    if digest == last:
        return
    date = now.isoformat(timespec="seconds")
    new = StatedVersion(date, digest, _has_results(folder), tuple(expectations))
    text = sealed({"versions": [asdict(each) for each in (*versions, new)]})
    replace_text(folder.expectations, text + "\n")


def _has_results(folder: ExperimentFolder) -> bool:
    """Whether a shard of the experiment, planned or not, has ended a point."""
    journals = folder.path.glob(f"*/*/{JOURNAL}")
    return any(folder.path.glob(f"*/*/{STATUS}")) or any(j.stat().st_size for j in journals)
