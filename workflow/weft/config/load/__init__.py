"""From the `configs` folder to checked experiments."""
