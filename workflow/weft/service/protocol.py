"""What a worker and the server say to each other, as JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

#: Bytes of a result in one request.
PIECE_BYTES = 1 << 20
#: How much of the log a worker sends at most.
LOG_CHARACTERS = 20_000
VERSION_HEADER = "X-Weft-Version"
#: Tells processes with the same token apart.
FOLDER_HEADER = "X-Weft-Folder"
#: As many as every database holds.
Count = Annotated[int, Field(ge=0, le=2_147_483_647)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SentFile(_Message):
    """A file of a task; its content has its own address."""

    path: str
    sha256: str
    size: int


class ClaimRequest(_Message):
    """Asks for a task."""

    #: Layers of confinement that it lacks, each with the reason; without any it takes programs.
    missing_layers: list[str] = Field(default=["all: the worker does not say"], max_length=20)


class Offer(_Message):
    """A task for the worker that asked; `lease` proves from now on that it is its task."""

    task: str
    lease: str
    lease_s: float
    experiment: str
    experiment_yaml: str
    timeout_s: int
    files: list[SentFile]
    result_bytes: int


class Progress(_Message):
    """How far a task has come."""

    lease: str
    points: Count = 0
    ended: Count = 0
    shared: Count = 0
    log_tail: str = Field(default="", max_length=LOG_CHARACTERS)


class Order(_Message):
    """What the worker shall do now: go on, or stop and pack."""

    order: Literal["go on", "stop"]
    #: Why it shall stop.
    reason: str = ""


class Lease(_Message):
    """Names the task's holder."""

    lease: str


class Interruption(_Message):
    """Everything that ran has ended before its time, and nothing is packed yet."""

    lease: str
    reason: str = Field(max_length=5000)


class Received(_Message):
    """How much of a result has arrived."""

    received: int


class Outcome(_Message):
    """How a task ended, after its result, if it has one, is uploaded."""

    lease: str
    outcome: Literal["done", "failed", "stopped"]
    reason: str = Field(default="", max_length=5000)
    #: Outputs that were too large or no files, one a line.
    left_out: str = Field(default="", max_length=20_000)
    result_bytes: Annotated[int, Field(ge=0)] | None = None
    result_sha256: str = ""
    points: Count = 0
    ended: Count = 0
    shared: Count = 0
    log_tail: str = Field(default="", max_length=LOG_CHARACTERS)
