"""Checks that look at more than one section: figures, answers, conditions."""
