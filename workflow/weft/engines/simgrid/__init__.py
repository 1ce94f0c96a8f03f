"""Engine `simgrid`: SimGrid plays lists of messages over weft's routes."""
