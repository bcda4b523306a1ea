# SPDX-License-Identifier: MIT
"""Arguments that are of another type than they should be are named. The types are those of the signatures; they are
looked at when a call has failed, so that calls which do not fail cost no more."""
from __future__ import annotations

import collections.abc
import functools
import inspect
import operator
import os
import sys
import typing
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

from ._errors import ArgumentError, Error

_INTEGERS = range(-2**31, 2**31)
_WORDS = {int: "an integer", float: "a number", str: "a str", bytes: "bytes", bool: "True or False",
          type(None): "None", os.PathLike: "a path", collections.abc.Callable: "a function",
          collections.abc.Sequence: "a sequence", collections.abc.Mapping: "a dict", dict: "a dict"}
_MAKERS: Dict[Any, Callable[[Any], Any]] = {int: operator.index, float: float, bool: bool}


def _parts(hint: Any) -> Tuple[Any, ...]:
    """A union's members; of another type, itself."""
    return tuple(p for m in typing.get_args(hint) for p in _parts(m)) if typing.get_origin(hint) is typing.Union \
        else (hint,)


def _kind(hint: Any) -> Any:
    return dict if hasattr(hint, "__total__") else typing.get_origin(hint) or hint


def _becomes(make: Callable[[Any], Any], value: Any) -> bool:
    try:
        make(value)
        return not isinstance(value, str)
    except (TypeError, ValueError, OverflowError):
        return False


def _is_sequence(value: Any, of: Tuple[Any, ...]) -> bool:
    if isinstance(value, (str, bytes)) or not (hasattr(value, "__len__") and hasattr(value, "__getitem__")):
        return False
    return of != (float,) or all(_becomes(float, v) for v in value)


def _fits(value: Any, hint: Any) -> bool:
    kind = _kind(hint)
    if kind is Any:
        return True
    if kind in _MAKERS:
        return _becomes(_MAKERS[kind], value)
    if kind is collections.abc.Sequence:
        return _is_sequence(value, typing.get_args(hint))
    return isinstance(value, kind) if isinstance(kind, type) else True


def _words(hint: Any) -> str:
    kind = _kind(hint)
    if kind is collections.abc.Sequence and typing.get_args(hint) == (float,):
        return "a sequence of numbers"
    return _WORDS.get(kind) or f"a {kind.__name__}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _wrong(name: str, value: Any, hint: Any) -> Optional[Exception]:
    """What is to be said of an argument, if it is not as it should be."""
    parts = _parts(hint)
    if not any(_fits(value, part) for part in parts):
        words = [_words(part) for part in parts]
        wanted = " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
        return TypeError(f"{name} is {_shown(value)}, it must be {wanted}")
    if int in parts and float not in parts and isinstance(value, int) and value not in _INTEGERS:
        return ArgumentError(f"{name} is {_shown(value)}, which does not fit 32 bits", -4)
    if isinstance(value, str) and "\0" in value:
        return ArgumentError(f"{name} is {_shown(value)}: there may be no NUL in it", -4)
    return None


def _arguments(function: Callable[..., Any], args: Tuple[Any, ...], by_name: Dict[str, Any]
               ) -> Iterator[Tuple[str, Any, Any]]:
    """Name, value and type of each that was given."""
    hints = typing.get_type_hints(function)
    try:
        bound = inspect.signature(function).bind(*args, **by_name)
    except TypeError:  # too many, too few, or one that is not known: Python tells so
        return
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if name in hints and kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
            yield name, value, hints[name]


def _explained(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **by_name: Any) -> Any:
        try:
            return function(*args, **by_name)
        except (TypeError, AttributeError, OverflowError, LookupError, ValueError) as error:
            if not isinstance(error, Error):
                for name, value, hint in _arguments(function, args, by_name):
                    wrong = _wrong(name, value, hint)
                    if wrong and not str(error).startswith(name):
                        raise wrong from error
            raise
    return call


def _explain_class(cls: type) -> None:
    for name, member in list(vars(cls).items()):
        if isinstance(member, classmethod):
            setattr(cls, name, classmethod(_explained(member.__func__)))
        elif inspect.isfunction(member) and (name[0] != "_" or name == "__init__"):
            setattr(cls, name, _explained(member))


def explain(package: Dict[str, Any]) -> None:
    """Of everything that the package offers."""
    done = set()
    for name in package["__all__"]:
        thing = package[name]
        if inspect.isfunction(thing):
            package[name] = _explained(thing)
            setattr(sys.modules[thing.__module__], name, package[name])  # where pickle looks for it
        elif inspect.isclass(thing) and not issubclass(thing, (dict, Exception)):
            for cls in thing.__mro__:
                if cls.__module__.startswith("weft.") and cls not in done:
                    done.add(cls)
                    _explain_class(cls)
