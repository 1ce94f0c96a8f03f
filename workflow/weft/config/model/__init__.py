"""The models of an experiment: each section, engines as declared, and the sweep."""
