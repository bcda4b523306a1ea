# SPDX-License-Identifier: MIT
"""Arrays in and out, choices by name, and what arguments are."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Optional, Sequence, Tuple, Union

try:
    import numpy as _np
except ImportError:  # memoryviews do
    _np = None  # type: ignore[assignment]

if TYPE_CHECKING:
    import array
    import numpy as np
    import numpy.typing as npt
    from typing import Protocol

    class _DLPack(Protocol):
        def __dlpack__(self) -> Any: ...
        def __dlpack_device__(self) -> Any: ...

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int32]
    Longs = npt.NDArray[np.int64]
    Levels = npt.NDArray[np.uint8]
    ArrayLike = Union[npt.ArrayLike, memoryview, "array.array[Any]", _DLPack]
    Vec3 = Union[Sequence[float], Floats]
else:
    Floats = Ints = Longs = Levels = ArrayLike = Any
    Vec3 = Sequence[float]  # and what is like one

Path = Union[str, "os.PathLike[str]"]

_FORMATS = {"d": ("float64", 8), "i": ("int32", 4), "B": ("uint8", 1), "q": ("int64", 8)}


def new_array(shape: Tuple[int, ...], kind: str = "d") -> Any:
    """Of zeros: numpy's, or a memoryview where there is no numpy."""
    name, size = _FORMATS[kind]
    if _np is not None:
        return _np.zeros(shape, name)
    n = 1
    for k in shape:
        n *= k
    if n == 0:
        return memoryview(bytearray(size)).cast(kind)[:0]
    return memoryview(bytearray(size * n)).cast("B").cast(kind, list(shape))


def array_of(data: bytes, kind: str, columns: int = 1) -> Any:
    """What C has handed over as bytes."""
    name, size = _FORMATS[kind]
    n = len(data) // size // columns
    shape = (n, columns) if columns > 1 else (n,)
    if _np is not None:
        return _np.frombuffer(data, name).reshape(shape).copy()
    out = new_array(shape, kind)
    if n:
        out.cast("B")[:] = data
    return out


def array_or_none(data: Optional[bytes], kind: str, columns: int = 1) -> Any:
    return None if data is None else array_of(data, kind, columns)


def forces_view(data: bytearray, n: int) -> Any:
    """Rows of three doubles in the bytes themselves."""
    if _np is not None:
        return _np.frombuffer(data, "float64").reshape(n, 3)
    return memoryview(data).cast("d", [n, 3])


def numbers(value: Iterable[Any], n: int, what: str) -> Tuple[float, ...]:
    """As many numbers as there must be."""
    out = tuple(float(x) for x in value)
    if len(out) != n:
        raise ValueError(f"{what} has {len(out)} numbers, {n} are needed")
    return out


def choice(value: Union[str, int], names: Sequence[str], what: str) -> int:
    """The number of a name; a number stays."""
    if isinstance(value, str):
        if value not in names:
            raise ValueError(f"{what} is {value!r}, it must be one of {', '.join(names)}")
        return list(names).index(value)
    return value


def given(**options: Any) -> Dict[str, Any]:
    """Without those that were left out."""
    return {name: value for name, value in options.items() if value is not None}
