"""What is loaded once is not walked again at every look for garbage."""

from __future__ import annotations

import subprocess
import sys

LOOK = """
import gc
from kbportal import asgi
print(gc.get_freeze_count() > 100_000, len(gc.get_objects()) < 1_000)
"""


def test_the_web_process_leaves_what_it_loaded_alone() -> None:
    said = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["True", "True"]
