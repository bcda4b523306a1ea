# SPDX-License-Identifier: MIT
"""What the library refuses, as exceptions."""
from __future__ import annotations

import signal
import threading
from typing import Dict, Type

from . import _weft as _w


class Error(Exception):
    """What the library refuses. `code` is weft_result, `element` the node, face … that the text names, or -1."""

    def __init__(self, text: str, code: int = 0, element: int = -1) -> None:
        super().__init__(text, code, element)
        self.code = code
        self.element = element

    def __str__(self) -> str:
        return str(self.args[0])


class ArgumentError(Error, ValueError):
    """A value, an index or an element that makes no sense."""


class NotFoundError(Error, LookupError):
    """A name or an id that there is not, or no longer."""


class StepError(Error, RuntimeError):
    """A step that could not be done; the last good state stands."""


class Cancelled(Error):
    """cancel() was called, or a progress function said stop; the last good state stands."""


class FileError(Error, OSError):
    """A file that cannot be read or written, or whose content is wrong: the text says where."""

    def __str__(self) -> str:
        return str(self.args[0])


class BusyError(Error, RuntimeError):
    """Called from within a callback, where the simulation is at work."""


_KINDS: Dict[int, Type[Error]] = {
    -11: NotFoundError, -12: NotFoundError, -13: Cancelled, -14: StepError, -15: FileError, -16: FileError,
    -17: FileError, -18: FileError, -19: FileError, -20: FileError, -22: BusyError,
}


def _make_error(code: int, element: int, text: str) -> Error:
    return _KINDS.get(code, ArgumentError)(text, code, element)


_w.set_error_maker(_make_error)
_w.set_main_thread(threading.main_thread().ident or 0, signal.getsignal, signal.default_int_handler)

WARNINGS: Dict[int, str] = {1: "halved", 2: "not converged", 3: "squeezed", 4: "node limit", 5: "stretched"}


def result_name(code: int) -> str:
    """Short name of a result, like "index out of range"."""
    return str(_w.result_name(code))
