"""Whether ranks ran where they were asked to: judged by what the ranks themselves saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: What `bind` asks for -> the header's key with the parts of the node that a rank may use.
PARTS = {"core": "cores", "socket": "sockets", "numa": "numas"}


def binding(
    asked: str, hosts: Sequence[str], places: Mapping[str, Sequence[str]]
) -> dict[str, object]:
    """`asked`, `found` (processors by rank), `ok`, and `problem` in words where it is not.

    `places` holds for every rank its `cpus`, `cores`, `sockets` and `numas`, as "0-3,8".
    """
    problem = _unbound(asked, hosts, places) or _shared_core(hosts, places.get("cores", ()))
    return {
        "asked": asked,
        "found": list(places.get("cpus", ())),
        "ok": problem is None,
        "problem": problem,
    }


def _unbound(asked: str, hosts: Sequence[str], places: Mapping[str, Sequence[str]]) -> str | None:
    key = PARTS.get(asked)
    for rank, text in enumerate(places.get(key, ()) if key else ()):
        if text == "unknown":
            return f"rank {rank} on {hosts[rank]} does not know which {asked} it is bound to"
        if len(expand(text)) > 1:
            return f"asked for one {asked}, but rank {rank} on {hosts[rank]} may use {key} {text}"
    return None


def _shared_core(hosts: Sequence[str], cores: Sequence[str]) -> str | None:
    """Two ranks of a node that are bound to the same core, in words; they slow each other down."""
    first: dict[tuple[str, str], int] = {}
    for rank, (host, text) in enumerate(zip(hosts, cores, strict=False)):
        if text != "unknown" and len(expand(text)) == 1:
            other = first.setdefault((host, text), rank)
            if other != rank:
                return f"ranks {other} and {rank} on {host} share core {text}"
    return None


def crowded_hosts(hosts: Sequence[str], cpus: Sequence[str]) -> bool:
    """Whether some node has more ranks than processors that they may use."""
    usable: dict[str, set[int]] = {}
    for host, text in zip(hosts, cpus, strict=False):
        if text == "unknown":
            return False
        usable.setdefault(host, set()).update(expand(text))
    return any(hosts.count(host) > len(found) for host, found in usable.items())


def expand(text: str) -> list[int]:
    """The numbers of "0-3,8"."""
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers
