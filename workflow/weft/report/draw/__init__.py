"""Rows as Vega-Lite specifications."""
