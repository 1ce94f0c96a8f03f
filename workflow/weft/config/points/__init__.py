"""Sections with swept values put in: the questions that an experiment asks of its engines."""
