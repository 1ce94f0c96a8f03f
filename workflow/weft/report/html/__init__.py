"""Drawings and templates as HTML files that stand alone."""
