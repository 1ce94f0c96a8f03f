"""How experiment files are written: values, keys, and what is said about mistakes in them."""
