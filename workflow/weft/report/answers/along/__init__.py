"""How a metric goes along an axis."""
