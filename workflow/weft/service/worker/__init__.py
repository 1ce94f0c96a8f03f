"""The worker: pulls tasks, runs the pipeline, brings results; needs no Django."""
