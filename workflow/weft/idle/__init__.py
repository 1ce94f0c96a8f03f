"""Simulations on nodes of an allocation that have nothing to measure."""
