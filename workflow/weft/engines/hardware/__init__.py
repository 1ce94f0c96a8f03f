"""The engine `hardware`: programs built, launched and read back on real machines."""
