"""`python -m weft.service.manage …`: Django's commands, and those of the service."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "weft.service.settings")
    execute_from_command_line(sys.argv)
