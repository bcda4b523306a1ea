# SPDX-License-Identifier: MIT
"""Fabrics, and how a cloth is made of them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Sequence, Tuple, TypedDict, Union

from . import _weft as _w
from ._arrays import ArrayLike, choice, given

STRETCH = ("springs", "membrane")
LAWS = ("consistent", "villard")
BENDING = ("auto", "beams", "tensor", "hinges")
LIMITS = ("stiffen", "provot", "none")


class Fabric:
    """What cloth is made of: Fabric("cotton"), Fabric(density=0.2), Fabric("silk", friction=0.1). A fabric does not
    change: replace() makes another."""

    if TYPE_CHECKING:
        density: float
        stretch_warp: float
        stretch_weft: float
        shear: float
        poisson: float
        bending_warp: float
        bending_weft: float
        damping_stretch: float
        damping_bending: float
        thickness: float
        friction: float
        dissipation: float
        stretch_limit: float

    def __init__(self, name: Optional[str] = None, *, density: Optional[float] = None,
                 stretch_warp: Optional[float] = None, stretch_weft: Optional[float] = None,
                 shear: Optional[float] = None, poisson: Optional[float] = None,
                 bending_warp: Optional[float] = None, bending_weft: Optional[float] = None,
                 damping_stretch: Optional[float] = None, damping_bending: Optional[float] = None,
                 thickness: Optional[float] = None, friction: Optional[float] = None,
                 dissipation: Optional[float] = None, stretch_limit: Optional[float] = None) -> None:
        fields: Dict[str, float] = _w.fabric_find(name)
        fields.update(given(
            density=density, stretch_warp=stretch_warp, stretch_weft=stretch_weft, shear=shear, poisson=poisson,
            bending_warp=bending_warp, bending_weft=bending_weft, damping_stretch=damping_stretch,
            damping_bending=damping_bending, thickness=thickness, friction=friction, dissipation=dissipation,
            stretch_limit=stretch_limit))
        _w.fabric_check(fields)
        self.name = name
        self.fields = fields

    def replace(self, **fields: float) -> "Fabric":
        """The same fabric with other values."""
        return Fabric(None, **{**self.fields, **fields})

    def __getattr__(self, field: str) -> float:
        fields = self.__dict__.get("fields", {})
        if field in fields:
            value: float = fields[field]
            return value
        raise AttributeError(f"a fabric has nothing called {field!r}")

    def __repr__(self) -> str:
        f = self.fields
        return f"<Fabric {self.name or 'own'}: {f['density']:g} kg/m², {f['stretch_warp']:g} N/m>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fabric) and self.fields == other.fields

    def __hash__(self) -> int:
        return hash(tuple(self.fields.values()))

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_fabric_of, (self.name, self.fields))


def _fabric_of(name: Optional[str], fields: Dict[str, float]) -> Fabric:
    fabric = Fabric(None, **fields)
    fabric.name = name
    return fabric


def fabrics() -> Dict[str, str]:
    """Names of the library's fabrics, and where their numbers come from."""
    return dict(_w.fabric_list())


FabricLike = Union[None, str, Fabric]


def fields_of(fabric: FabricLike, what: str = "fabric") -> Dict[str, float]:
    if isinstance(fabric, Fabric):
        return fabric.fields
    if not (fabric is None or isinstance(fabric, str)):
        raise TypeError(f"{what} is {fabric!r}, it must be a Fabric, or the name of one")
    return dict(_w.fabric_find(fabric))


class Adapt(TypedDict, total=False):
    """Detail where the cloth bends, as `adapt=` of a cloth."""

    max_level: int
    refine_angle: float
    coarsen_angle: float
    coarsen_way: float
    min_size: float
    node_limit: int
    interval: float


SizeFn = Callable[[Tuple[float, float, float], Tuple[float, float]], float]
AdaptLike = Union[None, int, Adapt]


def model_of(*, fabric: FabricLike = None, fabrics: Optional[Sequence[FabricLike]] = None,
             face_fabric: Optional[ArrayLike] = None, face_panel: Optional[ArrayLike] = None,
             panel_fabric: Optional[ArrayLike] = None, adapt: AdaptLike = None, size: Optional[SizeFn] = None,
             stretch: Union[str, int, None] = None, law: Union[str, int, None] = None,
             bending: Union[str, int, None] = None, limit: Union[str, int, None] = None,
             pressure: Optional[float] = None) -> Tuple[Any, ...]:
    """What grids, meshes and sewn garments have in common, as C wants it."""
    named = (("stretch", stretch, STRETCH), ("law", law, LAWS), ("bending", bending, BENDING),
             ("limit", limit, LIMITS))
    model: Dict[str, Any] = {name: choice(value, names, name) for name, value, names in named if value is not None}
    model.update(given(pressure=pressure))
    chosen = [fields_of(fabric)] if fabrics is None else [fields_of(f, f"fabrics[{k}]") for k, f in enumerate(fabrics)]
    if isinstance(adapt, bool):
        raise TypeError("adapt must be a number of levels, or a dict")
    levels: Any = {"max_level": adapt} if isinstance(adapt, int) else adapt
    if size is not None and levels is None:
        raise ValueError("size needs adapt: how often elements may split")
    return (model, levels, size, chosen, face_fabric, face_panel, panel_fabric)
