"""What holds for every simulator of weft that runs programs, whatever its network."""

from __future__ import annotations

from weft.config.model.declaration import EngineFile, LeftOut, Refusal

#: Programs of weft that only communicate, or say with MGEN_Comp how long they compute.
_COMMUNICATING = (
    "allgather", "alltoall", "alltoall_bruck", "alltoall_pairwise", "alltoall_ring", "barrier",
    "barrier_dissemination", "barrier_recursive_doubling", "barrier_ring", "bcast",
    "group_creation", "group_multicast", "halo_exchange", "multicast", "nbody_exchange", "pingpong",
    "pingpong_pairs", "point_to_point", "random_ring", "spaced_traffic", "training_step",
)  # fmt: skip
#: A trace says how long its ranks compute, too.
_REPLAY = "programs/replay/main.c"
#: Sources of all of these.
COMMUNICATING = (*(f"programs/{name}.c" for name in _COMMUNICATING), _REPLAY)
_SOURCES = ", ".join(COMMUNICATING)
#: Programs of weft that would measure nonsense, or end, without the data of their messages.
NEEDING_DATA = (
    "programs/allreduce.c", "programs/group_multicast.c", "programs/spaced_traffic.c",
)  # fmt: skip
#: Programs of weft that measure one collective.
TIMED_COLLECTIVES = {f"programs/{name}.c": name for name in
                     ("allgather", "allreduce", "alltoall", "barrier", "bcast")}  # fmt: skip
#: How the note about computing begins.
FREE_COMPUTING = "computing takes no time in this prediction"
_OF_PROGRAMS = "workload.kind == program"

_LEAVES_OUT = [
    LeftOut(
        text=f"{FREE_COMPUTING}: what the program does between its calls is left out, unless the "
        "program declares how long it takes",
        when=f"{_OF_PROGRAMS} and options.compute == declared"
        f" and workload.source not in [{_SOURCES}]",
    ),
    LeftOut(
        text="computing takes the processor time that was measured in the simulator, where one "
        "rank runs at a time: how ranks slow each other down in caches and memory is left out",
        when=f"{_OF_PROGRAMS} and options.compute in [measured, sampled]",
    ),
    LeftOut(
        text="of sampled loops only the first passes ran, the others take the mean time of those: "
        "what the program computes or prints is not that of a real run",
        when=f"{_OF_PROGRAMS} and options.compute == sampled",
    ),
    LeftOut(
        text="computing takes a time for each instruction that was counted in the simulator: how "
        "long instructions wait for memory is left out",
        when=f"{_OF_PROGRAMS} and options.compute == scaled",
    ),
    LeftOut(
        text="ranks of one node do not share its processor",
        when=f"{_OF_PROGRAMS} and options.ranks_per_node > 1",
    ),
    LeftOut(
        text="messages carry no data (payload: sizes): what the program computes, prints or "
        "decides from what it receives is not that of a real run",
        when=f"{_OF_PROGRAMS} and options.payload == sizes and workload.source not in [{_SOURCES}]",
    ),
]
_REFUSES = [
    Refusal(
        when=f"{_OF_PROGRAMS} and workload.source in [{', '.join(NEEDING_DATA)}]"
        " and options.payload == sizes",
        because="the program reads what its messages carry; set payload to delivered, or leave out "
        "payload",
    ),
    Refusal(
        when="options.zero_copy_limit_bytes < options.eager_limit_bytes",
        because="messages below eager_limit are copied; use a zero_copy_limit of at least "
        "eager_limit, or null",
    ),
    Refusal(
        when="options.rank_to_node != file and options.rank_file != null",
        because="rank_file needs rank_to_node file; set that, or leave out rank_file",
    ),
    Refusal(
        when="options.rank_file == null and options.rank_to_node == file",
        because="rank_to_node file needs rank_file, like data/ranks.csv with the columns rank and "
        "node",
    ),
    Refusal(
        when=f"{_OF_PROGRAMS} and workload.source == {_REPLAY} and options.compute != declared",
        because="a trace says how long its ranks compute; leave out compute",
    ),
    Refusal(
        when="options.compute == declared and options.compute_factor != 1",
        because="compute_factor multiplies measured times; set compute to measured, sampled or "
        "scaled, or leave out compute_factor",
    ),
    Refusal(
        when=f"{_OF_PROGRAMS} and number of workload.message_bytes > 1 and options.tables != []",
        because="tables need exactly one message_size, or a program without sizes",
    ),
]


def with_program_rules(file: EngineFile) -> EngineFile:
    """The declaration of a simulator of weft, with what its crate `programs` leaves out and refuses
    if it runs programs."""
    if not file.program_source:
        return file
    both = {"leaves_out": _LEAVES_OUT + file.leaves_out, "refuses": file.refuses + _REFUSES}
    return file.model_copy(update=both)
