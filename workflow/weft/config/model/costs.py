"""What messages cost by their size, as a calibration has measured it."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, field_validator

from weft.config.language.quantities import Delay, Rate, Size
from weft.config.language.section import Settings, SpecName

#: The curves of a placement.
CURVES = ("one_way", "two_way", "gap", "duplex", "sent", "copying", "put")

#: As the simulators check it.
LONGEST_S = 1.0


def _short(seconds: float) -> float:
    if seconds > LONGEST_S:
        raise ValueError(f"{seconds:g} s; must be at most {LONGEST_S:g} s")
    return seconds


Short = Annotated[Delay, AfterValidator(_short)]


class Piece(Settings):
    """A straight piece of a curve, up to the size from which the next one holds."""

    size: Annotated[Size, SpecName("from_bytes")]
    """The smallest message of the piece."""
    time: Annotated[Short, SpecName("time_s")]
    """How long that message takes."""
    byte_time: Annotated[Short, SpecName("byte_time_s")]
    """How long each further byte takes."""


class MessageCurves(Settings):
    """Times of messages between two ranks that do nothing else, from the call of the sender until
    the receiver has all."""

    eager_limit: Annotated[Size | None, SpecName("eager_limit_bytes")] = None
    """Messages above it wait for their receive; the engine's option decides unless given."""
    one_way: Annotated[list[Piece], Field(min_length=1)]
    """One message; T1(n) = S1 + n M1(n)."""
    two_way: Annotated[list[Piece] | None, Field(min_length=1)] = None
    """Two ranks send each other a message at the same time; T2(n) = S2 + n M2(n). As `one_way`
    unless given."""
    gap: Annotated[list[Piece] | None, Field(min_length=1)] = None
    """From one message to the next where many go from one rank to another: how long a rank is busy
    with each. Half of `two_way` unless given."""
    duplex: Annotated[list[Piece] | None, Field(min_length=1)] = None
    """The same where the other rank sends as many meanwhile: a rank that sends and receives does
    both for so long. Two of `gap` unless given, which also bounds it; needs `gap`."""
    sent: Annotated[list[Piece] | None, Field(min_length=1)] = None
    """The call that sends a message; at most `one_way`. As long as the rank is busy with it unless
    given."""
    copying: Annotated[list[Piece] | None, Field(min_length=1)] = None
    """A copy within the memory of a rank, such as that of its own block of an all-to-all; nothing
    unless given."""
    put: Annotated[list[Piece] | None, Field(min_length=1)] = None
    """A put until the caller knows that it is complete; as `one_way` unless given."""

    @field_validator(*CURVES)
    @classmethod
    def _rises(cls, pieces: list[Piece] | None) -> list[Piece] | None:
        sizes = [piece.size for piece in pieces or ()]
        if sizes and (sizes[0] != 0 or sorted(set(sizes)) != sizes):
            raise ValueError("the sizes of the pieces begin with 0 B and rise")
        return pieces

    def spec(self) -> dict[str, object]:
        """As the base class, with each piece as plain values."""
        found = super().spec()
        for name in CURVES:
            if name in found:
                found[name] = [piece.spec() for piece in found[name]]
        return found


class LogGPConstants(Settings):
    """The constants of LogGP, for the cost models `logp` and `loggp`."""

    latency: Annotated[Short, SpecName("latency_s")]
    """L."""
    overhead: Annotated[Short, SpecName("overhead_s")]
    """o, on each side."""
    gap: Annotated[Short, SpecName("gap_s")]
    """g, the least time between two messages of a rank."""
    byte_time: Annotated[Short, SpecName("byte_time_s")]
    """G, the time of each byte of a long message."""


class MessageCosts(Settings):
    """What messages cost by their size. Simulators of programs take exactly these times for two
    ranks alone; the closed forms `piecewise` and `model_2` to `model_4` calculate with them."""

    link_bandwidth: Annotated[Rate, SpecName("link_bandwidth_bytes_per_s")]
    """What the links have of these times, in place of `bandwidth`: the rest is software."""
    link_latency: Annotated[Short, SpecName("link_latency_s")]
    """The same in place of `latency`."""
    between_nodes: MessageCurves
    """Messages from node to node."""
    inside_node: MessageCurves | None = None
    """Messages of ranks on one node; what `nic` says unless given."""
    loggp: LogGPConstants | None = None
    """The constants of LogGP; those of `engine.model` unless given."""

    def spec(self) -> dict[str, object]:
        """As the base class, with its sections as plain values."""
        inner = {"between_nodes": self.between_nodes, "inside_node": self.inside_node}
        sections = {**inner, "loggp": self.loggp}
        plain = {key: part.spec() for key, part in sections.items() if part is not None}
        return {**super().spec(), **plain}
