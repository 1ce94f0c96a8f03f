"""Kinds of figures; the module `x` draws figures of the kind `x`, and says how in `KIND`."""
