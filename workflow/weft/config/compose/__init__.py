"""From files and overrides to the sections of one experiment, by Hydra."""
