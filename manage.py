#!/usr/bin/env python
"""The portal's commands."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kbportal.settings.dev")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # a variable that means nothing: its sentence says it all
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
