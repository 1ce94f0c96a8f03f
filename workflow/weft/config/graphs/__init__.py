"""Networks of one's own: files that list nodes, switches and links, read into one model."""
