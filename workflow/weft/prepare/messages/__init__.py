"""What a command prints: before it computes, as it ends, and for `plan`."""
