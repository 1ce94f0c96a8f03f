"""Engine `smpi`: SimGrid's SMPI runs programs of weft over weft's routes."""
