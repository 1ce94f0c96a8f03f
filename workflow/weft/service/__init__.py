"""weft as a service: a web server with a queue, and workers that pull tasks from it."""
