"""A result on its way to the server, piece by piece."""

from __future__ import annotations

from pathlib import Path

from weft.service.protocol import PIECE_BYTES, Received
from weft.service.worker.connection import Connection, insist


def upload(archive: Path, server: Connection, path: str, lease: str, patience_s: float) -> None:
    """Send what the server does not have yet; `path` is the address of the task's result."""

    def sent(offset: int, content: bytes) -> int:
        kind = "application/octet-stream"
        answer = insist(
            lambda: server.call(
                "PUT", f"{path}/{offset}", content, X_Weft_Lease=lease, Content_Type=kind
            ),
            patience_s,
        )
        return Received.model_validate_json(answer).received

    there = sent(0, b"")
    with archive.open("rb") as file:
        while there < archive.stat().st_size:
            file.seek(there)
            there = sent(there, file.read(PIECE_BYTES))
