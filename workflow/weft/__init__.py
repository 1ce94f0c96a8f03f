"""weft: declarative experiments for HPC interconnects.

In a script or a notebook, beside what the command `weft` prints:

    >>> import weft
    >>> weft.experiments()                  # what there is, and how much of it is answered
    >>> weft.answers("pingpong").to_pandas()
    >>> weft.figure("pingpong", 0)          # an Altair chart

Reading changes nothing: `snakemake` computes, this looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.3.0"
__all__ = ["Answers", "ExperimentState", "Project", "answers", "experiments", "figure"]

if TYPE_CHECKING:
    from weft.read import Answers, ExperimentState, Project, answers, experiments, figure


def __getattr__(name: str) -> object:
    # Jobs import weft by the thousand: what only readers need loads when it is asked for.
    if name in __all__:
        import weft.read

        return getattr(weft.read, name)
    raise AttributeError(f"module 'weft' has no attribute '{name}'")


def __dir__() -> list[str]:
    # What a notebook completes after `weft.`, before any of it is loaded.
    return sorted({*globals(), *__all__})
