"""Releases: a folder from which a site without the internet installs weft."""
