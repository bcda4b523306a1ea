# SPDX-License-Identifier: MIT
"""Units, ranges and defaults from the C headers (_fields.py) for the docstrings of what takes them."""
import inspect
from typing import Any, Dict, Tuple

from ._fields import STRUCTS, TAKES


def fields_of(name: str) -> Dict[str, str]:
    """What the headers say of the fields of the structs that a callable takes."""
    return {field: text for struct in TAKES.get(name, ()) for field, text in STRUCTS[struct].items()}


def arguments_of(thing: Any) -> Tuple[str, ...]:
    """Names of its parameters, or of its keys."""
    if hasattr(thing, "__total__"):
        return tuple(thing.__annotations__)
    return tuple(inspect.signature(thing).parameters)


def known_fields(name: str, thing: Any) -> Dict[str, str]:
    """Those that are arguments."""
    known = arguments_of(thing) if name in TAKES else ()
    return {field: text for field, text in fields_of(name).items() if field in known}


def document(package: Dict[str, Any]) -> None:
    """Puts them behind the docstrings."""
    for name in TAKES:
        owner, _, method = name.partition(".")
        thing = package[owner]
        function = inspect.getattr_static(thing, method) if method else thing
        function = getattr(function, "__func__", function)
        lines = [f"    {field}: {text}" for field, text in known_fields(name, function).items()]
        if function.__doc__ and lines:
            function.__doc__ += "\n\n" + "\n".join(lines)
