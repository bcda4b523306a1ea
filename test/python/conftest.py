# SPDX-License-Identifier: MIT
"""The package is that of the build; WEFT_BUILD names another folder than build/."""
import os
import pathlib
import signal
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("WEFT_BUILD", "build")
sys.path.insert(0, str(BUILD / "python"))

# Who is started in the background is told to ignore Ctrl-C, and tests that raise it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
