#!/usr/bin/env python
"""The portal's commands."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kbportal.settings.dev")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (settings first)

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
