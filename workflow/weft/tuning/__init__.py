"""Switch points of collectives: the best algorithm by ranks and sizes, as programs and MPI
libraries read it."""

from weft.tuning.export import write_tuning

__all__ = ["write_tuning"]
