"""Queues and the workers that serve them."""
