"""Prices of the parts of a network, in an experiment file."""

import pytest

from tests.config.conftest import Tree, tree

__all__ = ["tree"]


def test_prices_go_to_the_plan_and_a_cable_has_one_price_unless_told(tree: Tree) -> None:
    tree.experiment("report: {prices: {switch: 100, cable: 2.5}}\n")
    prices = tree.load().report.prices
    assert prices is not None
    assert (prices.switch, prices.port, prices.of_node_cable) == (100.0, 0.0, 2.5)


def test_without_prices_there_are_none(tree: Tree) -> None:
    tree.experiment("")
    assert tree.load().report.prices is None


@pytest.mark.parametrize(
    ("given", "key", "words"),
    [
        ("{swich: 1}", "report.prices.swich", "switch"),
        ("{switch: -1}", "report.prices.switch", "0"),
        ("{port: dear}", "report.prices.port", "number"),
    ],
)
def test_a_mistake_in_a_price_is_named(tree: Tree, given: str, key: str, words: str) -> None:
    tree.refuses(f"report: {{prices: {given}}}\n", key, words)
