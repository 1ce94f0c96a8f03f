"""The states in which a rank of a program can be, and their colours."""

from __future__ import annotations

from weft.report.draw.palette import COLOURS

#: The names that a reader sees; of a measured call nobody knows what a rank does in it.
STATES = {
    "compute": "computes",
    "software": "works in calls",
    "network": "waits for the network",
    "waiting": "waits for another rank",
    "call": "is in a call",
}
_COLOURS = (COLOURS[2], COLOURS[0], COLOURS[4], COLOURS[1], COLOURS[3])
STATE_COLOURS = dict(zip(STATES, _COLOURS, strict=True))
