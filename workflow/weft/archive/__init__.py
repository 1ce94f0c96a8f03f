"""Archives: a page with all that it is made of, as one ZIP file that can make it again."""
