"""The sentence about ranks that exchange most."""

from collections.abc import Iterable

import pytest
from weft.report.kinds.rank_pairs.finding import exchange
from weft.report.kinds.rank_pairs.rows import Matrix, RankPair

KIB = 1024


def pairs(sent: Iterable[tuple[int, int, int]]) -> list[RankPair]:
    return [RankPair(a, b, messages=2, bytes=size) for a, b, size in sent]


def ring(ranks: int) -> list[RankPair]:
    return pairs((a, (a + step) % ranks, KIB) for a in range(ranks) for step in (1, -1))


def line(ranks: int) -> list[RankPair]:
    ends = ((a, a + step) for a in range(ranks) for step in (-1, 1))
    return pairs((a, b, KIB) for a, b in ends if 0 <= b < ranks)


def everybody(ranks: int) -> list[RankPair]:
    return pairs((a, b, KIB) for a in range(ranks) for b in range(ranks))


@pytest.mark.parametrize(
    ("ranks", "found", "said"),
    [
        (4, everybody(4), "each rank sends 1 KiB to every other rank"),
        (
            8,
            line(8),
            "each rank sends 1 KiB to each of 1 to 2 other ranks whose numbers differ by 1",
        ),
        (
            8,
            ring(8),
            "each rank sends 1 KiB to each of 2 other ranks whose numbers differ by 1 modulo 8",
        ),
        (4, pairs([(1, 0, KIB)]), "all data goes from rank 1 to rank 0 (1 KiB)"),
        (4, pairs([(1, 0, KIB), (1, 2, KIB)]), "1 rank sends 1 KiB to each of 2 other ranks"),
        (
            4,
            pairs([(0, 1, 3 * KIB), (1, 2, KIB), (2, 2, 9 * KIB)]),
            "most data goes from rank 0 to rank 1 (3 KiB, 75% of all)",
        ),
        (
            4,
            pairs([(0, 1, 3 * KIB), (1, 3, 3 * KIB), (2, 3, 2 * KIB)]),
            "most data goes between 2 of 3 pairs of ranks, such as from rank 0 to rank 1"
            " (3 KiB each, 75% of all)",
        ),
        (4, pairs([(2, 2, KIB)]), ""),
        (4, [], ""),
    ],
)
def test_pairs_with_most_data(ranks: int, found: list[RankPair], said: str) -> None:
    assert exchange(Matrix(None, found, ranks, 1), "bytes") == said
