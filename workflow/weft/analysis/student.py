"""Student's t distribution."""

from __future__ import annotations


def quantile(freedom: float, probability: float) -> float:
    """Where the distribution with these degrees of freedom reaches this probability."""
    # On first use: most runs have no replicates.
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))
