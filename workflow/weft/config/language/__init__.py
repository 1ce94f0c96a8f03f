"""How experiment files are written: values, keys, and the messages about mistakes in them."""
