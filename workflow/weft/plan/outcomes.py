"""How the shards of an experiment ended, and which of them the database holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from weft.files import JsonObject, replace_text, sealed, unsealed
from weft.files.layout import ExperimentFolder
from weft.plan.model import Shard
from weft.plan.outcome import DamagedError, Look, ShardOutcome, read_outcome


@dataclass(frozen=True, slots=True)
class Held:
    """A shard in the database: the seal of its outcome, and how its files looked then."""

    seal: str
    files: Mapping[str, Look]


@dataclass(slots=True)
class Outcomes:
    """A look-up of the outcomes of shards below `folder`; None for one that has not ended.

    One with a missing or altered file has not ended, and stands in `damaged` with the reason. Each
    is looked at once. Files that look as when they came into the database are read only by
    `read_all`.
    """

    folder: Path
    damaged: dict[str, str] = field(default_factory=dict)
    _known: dict[str, ShardOutcome | None] = field(default_factory=dict)
    _held: Mapping[str, Held] | None = None
    _looks: bool = True

    def __call__(self, shard: Shard) -> ShardOutcome | None:
        """The outcome of `shard`."""
        if shard.shard_id not in self._known:
            self._known[shard.shard_id] = self._found(shard)
        return self._known[shard.shard_id]

    def read_all(self) -> None:
        """From now on read every file of shards that ended, however it looks."""
        self._looks = False
        ended = self.held.keys() - self.damaged.keys()
        self._known = {name: each for name, each in self._known.items() if name not in ended}

    @property
    def held(self) -> Mapping[str, Held]:
        """What the database holds, by shard."""
        if self._held is None:
            self._held = read_held(self.folder)
        return self._held

    def _found(self, shard: Shard) -> ShardOutcome | None:
        known = self.held.get(shard.shard_id) if self._looks else None
        place = self.folder / shard.engine / shard.shard_id
        try:
            return read_outcome(place, known.files if known else None)
        except DamagedError as error:
            self.damaged[shard.shard_id] = str(error)
            return None


def read_held(folder: Path) -> dict[str, Held]:
    """What the database holds of the experiment in `folder`; nothing where that cannot be read."""
    try:
        return _read(ExperimentFolder(folder).held)
    except (OSError, DamagedError):
        return {}


def held_damage(folder: Path) -> str | None:
    """How the note of what the database holds is damaged; None where it is whole or not there."""
    try:
        _read(ExperimentFolder(folder).held)
    except DamagedError as error:
        return error.what
    except OSError:
        pass
    return None


def _read(path: Path) -> dict[str, Held]:
    line = path.read_bytes().rstrip(b"\n")
    try:
        found = unsealed(line, required=True)["shards"]
        return {name: _held(entry) for name, entry in found.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedError(f"{path} is damaged ({error})") from error


def _held(entry: JsonObject) -> Held:
    return Held(entry["seal"], {name: (look[0], look[1]) for name, look in entry["files"].items()})


def write_held(folder: Path, held: Mapping[str, Held]) -> None:
    """Record what the database holds of the experiment in `folder`."""
    shards = {name: {"seal": each.seal, "files": dict(each.files)} for name, each in held.items()}
    replace_text(ExperimentFolder(folder).held, sealed({"shards": shards}) + "\n")
