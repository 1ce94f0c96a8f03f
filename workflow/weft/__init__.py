"""weft: a declarative experiment pipeline for HPC interconnects."""

__version__ = "0.1.0"
