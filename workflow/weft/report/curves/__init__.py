"""Rows and charts of lines, bars and tables: values along an axis, a series for each colour."""
