"""weft: a declarative experiment pipeline for HPC interconnects."""
