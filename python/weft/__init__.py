# SPDX-License-Identifier: MIT
"""Weft drapes cloth: sheets in SI units that behave the same on any mesh, to the last bit the same on any machine.

    import weft
    sim = weft.Sim()
    ball = sim.add_collider("sphere", radius=0.2)
    cloth = sim.add_grid(41, 41, 0.72, 0.72, corner=(-0.36, 0.25, 0.36), fabric="cotton")
    for _ in range(60):
        sim.step(1 / 60)
    print(cloth.positions())

Lengths are metres, times seconds, masses kilograms. Arrays come in by the buffer protocol (numpy's, array.array,
memoryview; float32 too) or as sequences, and go out as numpy arrays, or memoryviews where there is no numpy; `out=`
fills an array of yours. What a field means, its unit, range and default stand in the C headers, by the same name.
"""
from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import _weft as _w

try:
    import numpy as _np
except ImportError:  # memoryviews do
    _np = None  # type: ignore[assignment]

__version__: str = _w.version()
Array = Any
Path = Union[str, "os.PathLike[str]"]

# ---- errors ------------------------------------------------------------------------------------------------------


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
    """cancel() was called; the last good state stands."""


class FileError(Error, OSError):
    """A file that cannot be read or written, or whose content is wrong: the text says where."""

    def __str__(self) -> str:
        return str(self.args[0])


class BusyError(Error, RuntimeError):
    """Called from within a callback, where the simulation is at work."""


_KINDS: Dict[int, type] = {
    -11: NotFoundError, -12: NotFoundError, -13: Cancelled, -14: StepError, -15: FileError, -16: FileError,
    -17: FileError, -18: FileError, -19: FileError, -20: FileError, -22: BusyError,
}


def _make_error(code: int, element: int, text: str) -> Error:
    error: Error = _KINDS.get(code, ArgumentError)(text, code, element)
    return error


_w.set_error_maker(_make_error)

WARNINGS = {1: "halved", 2: "not converged", 3: "squeezed", 4: "node limit"}

# ---- arrays ------------------------------------------------------------------------------------------------------

_FORMATS = {"d": ("float64", 8), "i": ("int32", 4), "B": ("uint8", 1), "q": ("int64", 8)}


def _new(shape: Tuple[int, ...], kind: str = "d") -> Array:
    name, size = _FORMATS[kind]
    if _np is not None:
        return _np.zeros(shape, name)
    n = 1
    for k in shape:
        n *= k
    if n == 0:
        return memoryview(bytearray(size)).cast(kind)[:0]
    return memoryview(bytearray(size * n)).cast("B").cast(kind, list(shape))


def _array(data: bytes, kind: str, columns: int = 1) -> Array:
    name, size = _FORMATS[kind]
    n = len(data) // size // columns
    shape = (n, columns) if columns > 1 else (n,)
    if _np is not None:
        return _np.frombuffer(data, name).reshape(shape).copy()
    out = _new(shape, kind)
    if n:
        out.cast("B")[:] = data
    return out


def _choice(value: Union[str, int], names: Sequence[str], what: str) -> int:
    if isinstance(value, str):
        if value not in names:
            raise ValueError(f"{what} is {value!r}, it must be one of {', '.join(names)}")
        return list(names).index(value)
    return value


INTEGRATORS = ("bdf2", "implicit", "explicit")
RESPONSES = ("weft", "provot", "none")
COLLIDERS = ("plane", "sphere", "capsule", "cylinder", "box", "mesh")
ATTACHMENTS = ("pin", "rod", "collider", "soft")
STRETCH = ("springs", "membrane")
BENDING = ("auto", "beams", "tensor", "hinges")
LIMITS = ("stiffen", "provot", "none")
DETECT = ("proven", "fast", "cones", "classical")

# ---- fabrics -----------------------------------------------------------------------------------------------------


class Fabric:
    """What cloth is made of: Fabric("cotton"), Fabric(density=0.2), Fabric("silk", friction=0.1).

    Fields as in weft/fabric.h: density kg/m²; stretch_warp, stretch_weft, shear N/m; poisson; bending_warp,
    bending_weft N·m; damping_stretch, damping_bending s; thickness m; friction; dissipation; stretch_limit."""

    def __init__(self, name: Optional[str] = None, **fields: float) -> None:
        values = _w.fabric_find(name)
        unknown = [k for k in fields if k not in values]
        if unknown:
            raise TypeError(f"a fabric has nothing called {unknown[0]!r}")
        values.update(fields)
        _w.fabric_check(values)
        self.name = name
        self.fields: Dict[str, float] = values

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


def _fields_of(fabric: FabricLike) -> Dict[str, float]:
    if isinstance(fabric, Fabric):
        return fabric.fields
    return dict(_w.fabric_find(fabric))


def _model(options: Dict[str, Any]) -> Tuple[Any, ...]:
    fabric = options.pop("fabric", None)
    several = options.pop("fabrics", None)
    adapt = options.pop("adapt", None)
    size = options.pop("size", None)
    faces = [options.pop(k, None) for k in ("face_fabric", "face_panel", "panel_fabric")]
    names = {"stretch": STRETCH, "bending": BENDING, "limit": LIMITS, "law": ("consistent", "villard")}
    model = {k: _choice(options.pop(k), v, k) for k, v in names.items() if k in options}
    if "pressure" in options:
        model["pressure"] = options.pop("pressure")
    chosen = [_fields_of(f) for f in (several if several is not None else [fabric])]
    if isinstance(adapt, int) and not isinstance(adapt, bool):
        adapt = {"max_level": adapt}
    return (model, adapt, size, chosen, *faces)


# ---- the simulation ----------------------------------------------------------------------------------------------

ForceFn = Callable[["Cloth", float, Array, Array, Array, Array], None]


class Sim:
    """A simulation. Options as in weft_sim_def (weft/sim.h): gravity, integrator, n_threads, wind, newton_limit …

    force(cloth, time, positions, velocities, masses, forces) adds newtons to `forces`; log(level, text) is told what
    happens. What a callback raises comes out of the call that it interrupts."""

    def __init__(self, *, force: Optional[ForceFn] = None, log: Optional[Callable[[int, str], None]] = None,
                 **options: Any) -> None:
        for key, names in (("integrator", INTEGRATORS), ("response", RESPONSES)):
            if key in options:
                options[key] = _choice(options[key], names, key)
        self._cloths: Dict[int, Cloth] = {}
        self._handle = _w.sim_create(options, self._call(force) if force else None, log)

    @classmethod
    def _of(cls, handle: Any) -> "Sim":
        sim = cls.__new__(cls)
        sim._cloths = {}
        sim._handle = handle
        return sim

    def _call(self, force: ForceFn) -> Callable[..., None]:
        def call(cloth: int, time: float, n: int, x: bytes, v: bytes, m: bytes, f: bytearray) -> None:
            if _np is not None:
                out = _np.frombuffer(f, "float64").reshape(n, 3)
            else:
                out = memoryview(f).cast("d", [n, 3])
            force(self._cloths.get(cloth) or Cloth(self, cloth), time, _array(x, "d", 3), _array(v, "d", 3),
                  _array(m, "d"), out)
        return call

    def __enter__(self) -> "Sim":
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees it; everything in it is gone. Closing again is fine."""
        _w.sim_destroy(self._handle)

    def step(self, h: float) -> int:
        """Moves on by h seconds, [1e-7, 0.5]. 0, or the number of a warning (WARNINGS). `stats` tells the rest."""
        if not h > 0:
            raise ArgumentError(f"h is {h}, it must be in [1e-7, 0.5]", -4)
        code: int = _w.sim_step(self._handle, h)
        return code

    def cancel(self) -> None:
        """From any thread or callback: the step that runs, or else the next, raises Cancelled soon."""
        _w.sim_cancel(self._handle)

    @property
    def stats(self) -> Dict[str, float]:
        """Of the last step; stats_fields() has units and meanings."""
        return dict(_w.sim_stats(self._handle))

    @property
    def time(self) -> float:
        return float(_w.sim_time(self._handle))

    @property
    def hash(self) -> int:
        """Of the state: the same for the same input, whatever the number of threads."""
        return int(_w.sim_hash(self._handle))

    def snapshot(self) -> bytes:
        """The state; definitions are not in it."""
        data: bytes = _w.sim_snapshot(self._handle)
        return data

    def restore(self, data: bytes, cloths_only: bool = False) -> None:
        """Goes on from a snapshot of a simulation that was set up the same way, bit for bit."""
        _w.sim_restore(self._handle, data, cloths_only)

    def set_wind(self, wind: Sequence[float]) -> None:
        """m/s."""
        _w.sim_set(self._handle, "wind", wind)

    def set_gravity(self, gravity: Sequence[float]) -> None:
        """m/s²."""
        _w.sim_set(self._handle, "gravity", gravity)

    def set_air_viscosity(self, viscosity: float) -> None:
        """N·s/m³."""
        _w.sim_set(self._handle, "air_viscosity", viscosity)

    def squeezed(self) -> List[Tuple[Any, ...]]:
        """Pairs that colliders left no room in the last step: (edges, four of (of_collider, index, node))."""
        pairs: List[Tuple[Any, ...]] = _w.sim_squeezed(self._handle)
        return pairs

    def _keep(self, number: int) -> "Cloth":
        cloth = self._cloths[number] = Cloth(self, number)
        return cloth

    def add_grid(self, n_warp: int, n_weft: int, size_warp: float, size_weft: float, *, fabric: FabricLike = None,
                 **options: Any) -> "Cloth":
        """A rectangle of n_warp × n_weft nodes; corner, axis_warp, axis_weft, velocity, adapt, bending, stretch …"""
        options["fabric"] = fabric
        model = _model(options)
        options.update(n_warp=n_warp, n_weft=n_weft, size_warp=size_warp, size_weft=size_weft)
        return self._keep(_w.cloth_create_grid(self._handle, options, model))

    def add_mesh(self, positions: Array, triangles: Optional[Array] = None, quads: Optional[Array] = None, *,
                 uv: Optional[Array] = None, velocities: Optional[Array] = None,
                 rest_positions: Optional[Array] = None, node_mass: Optional[Array] = None, **options: Any) -> "Cloth":
        """Cloth from a mesh; see weft_mesh_def in weft/cloth.h."""
        model = _model(options)
        if options:
            raise TypeError(f"a cloth has nothing called {next(iter(options))!r}")
        return self._keep(_w.cloth_create_mesh(self._handle, positions, triangles, quads, uv, velocities,
                                               rest_positions, node_mass, model))

    def add_collider(self, kind: Union[str, int] = "plane", *, keys: Optional[Array] = None,
                     vertices: Optional[Array] = None, triangles: Optional[Array] = None,
                     **options: Any) -> "Collider":
        """plane, sphere, capsule, cylinder, box or mesh: radius, height, size, position, rotation, friction,
        dissipation; keys are rows of time, x, y, z and a quaternion x, y, z, w."""
        options["kind"] = _choice(kind, COLLIDERS, "kind")
        return Collider(self, _w.collider_create(self._handle, options, keys, vertices, triangles))

    def attach(self, cloth: "Cloth", nodes: Array, kind: Union[str, int] = "pin", *, targets: Optional[Array] = None,
               keys: Optional[Array] = None, weights: Optional[Array] = None, collider: Optional["Collider"] = None,
               start: float = 0.0, until: float = float("inf"), **options: Any) -> "Attachment":
        """Holds nodes: pin, rod (rod_point, rod_direction, rod_friction), collider, soft (stiffness, weights), from
        the time `start` on and before `until`."""
        options.update({"kind": _choice(kind, ATTACHMENTS, "kind"), "from": start, "until": until})
        number = _w.attachment_create(self._handle, cloth._number(self), collider._number(self) if collider else 0,
                                      options, nodes, targets, keys, weights)
        return Attachment(self, number)

    def tie(self, cloth_a: "Cloth", nodes_a: Array, cloth_b: "Cloth", nodes_b: Array, **options: float) -> "Tie":
        """Springs between pairs of nodes: stiffness N/m, length m, damping s."""
        number = _w.tie_create(self._handle, cloth_a._number(self), cloth_b._number(self), options, nodes_a, nodes_b)
        return Tie(self, number)

    def __repr__(self) -> str:
        try:
            return f"<Sim at {self.time:.3f} s, {len(self._cloths)} cloths>"
        except (ValueError, RuntimeError):
            return "<Sim, closed or at work>"


class _Thing:
    _what = ""

    def __init__(self, sim: Sim, number: int) -> None:
        self.sim = sim
        self._id = number

    def _number(self, sim: Sim) -> int:
        if self.sim is not sim:
            raise ValueError(f"the {self._what} is of another simulation")
        return self._id

    def remove(self) -> None:
        """Takes it out of the simulation; also what names it."""
        _w.thing_remove(self.sim._handle, self._what, self._id)
        if self._what == "cloth":
            self.sim._cloths.pop(self._id, None)

    def _set_filter(self, category: int, mask: int, itself: bool = True) -> None:
        for name, value in (("category", category), ("mask", mask)):
            if not isinstance(value, int) or not 0 <= value < 1 << 32:
                raise ArgumentError(f"{name} is {value!r}, it must be an integer of 32 bits, from 0 on", -4)
        _w.thing_filter(self.sim._handle, self._what, self._id, category, mask, itself)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._id & 0xffffffff} of {self.sim!r}>"


class Cloth(_Thing):
    """A piece of cloth. Arrays have a row a node, or a triangle; with `out=` they go into an array of yours."""

    _what = "cloth"

    @property
    def info(self) -> Dict[str, float]:
        """n_nodes, n_active, n_triangles, n_faces, level, revision, mass kg, area m², edge_length m …"""
        return dict(_w.cloth_info(self.sim._handle, self._id, "info", None))

    @property
    def n_nodes(self) -> int:
        return int(self.info["n_nodes"])

    @property
    def n_triangles(self) -> int:
        return int(self.info["n_triangles"])

    def _vectors(self, what: str, out: Optional[Array]) -> Array:
        if out is None:
            out = _new((self.n_nodes, 3))
        _w.cloth_vectors(self.sim._handle, self._id, what, out)
        return out

    def positions(self, out: Optional[Array] = None) -> Array:
        """m; `out` may be float64 or float32, with any stride from row to row."""
        return self._vectors("positions", out)

    def velocities(self, out: Optional[Array] = None) -> Array:
        """m/s."""
        return self._vectors("velocities", out)

    def normals(self, out: Optional[Array] = None) -> Array:
        """Unit vectors, zero where undefined."""
        return self._vectors("normals", out)

    def _data(self, what: str, shape: Tuple[int, ...], kind: str, out: Optional[Array]) -> Array:
        if out is None:
            out = _new(shape, kind)
        _w.cloth_data(self.sim._handle, self._id, what, out)
        return out

    def triangles(self, out: Optional[Array] = None) -> Array:
        return self._data("triangles", (self.n_triangles, 3), "i", out)

    def masses(self, out: Optional[Array] = None) -> Array:
        """kg."""
        return self._data("masses", (self.n_nodes,), "d", out)

    def uv(self, out: Optional[Array] = None) -> Array:
        """Material coordinates, m."""
        return self._data("uv", (self.n_nodes, 2), "d", out)

    def rest_lengths(self, out: Optional[Array] = None) -> Array:
        """Of the three sides of each triangle, m; 0: drawn only."""
        return self._data("rest_lengths", (self.n_triangles, 3), "d", out)

    def levels(self, out: Optional[Array] = None) -> Array:
        return self._data("levels", (self.n_triangles,), "B", out)

    def panels(self, out: Optional[Array] = None) -> Array:
        return self._data("panels", (self.n_triangles,), "i", out)

    def set_positions(self, positions: Array) -> None:
        _w.cloth_set(self.sim._handle, self._id, "positions", positions)

    def set_velocities(self, velocities: Array) -> None:
        _w.cloth_set(self.sim._handle, self._id, "velocities", velocities)

    def fabric(self, number: int = 0) -> Fabric:
        return Fabric(None, **_w.cloth_fabric(self.sim._handle, self._id, number, None))

    def set_fabric(self, fabric: FabricLike, number: int = 0) -> None:
        """Another fabric from the next step on."""
        _w.cloth_fabric(self.sim._handle, self._id, number, _fields_of(fabric))

    def set_adapt(self, max_level: int, *, size: Optional[Callable[..., float]] = None, **options: float) -> None:
        """Another adaptivity from the next step on; size(position, uv) tells how long sides may be, m."""
        fields: Dict[str, float] = {"max_level": max_level}
        fields.update(options)
        _w.cloth_set_adapt(self.sim._handle, self._id, fields, size)

    def shape(self) -> bytes:
        """Which faces have split, for set_shape of a cloth that was made the same way."""
        data: bytes = _w.cloth_shape(self.sim._handle, self._id, None)
        return data

    def set_shape(self, shape: bytes) -> None:
        _w.cloth_shape(self.sim._handle, self._id, bytes(shape))

    def uniform(self, level: int) -> Tuple[Array, Array, Array]:
        """Positions, triangles, faces on the uniform mesh of a level: one topology at any time."""
        x, t, f = _w.cloth_uniform(self.sim._handle, self._id, level)
        return _array(x, "d", 3), _array(t, "i", 3), _array(f, "i", 4)

    def set_filter(self, category: int = 1, mask: int = 0xFFFFFFFF, itself: bool = True) -> None:
        """What it collides with: things with a category in its mask, and whose mask has one of its categories (bits)."""
        self._set_filter(category, mask, itself)

    def filter(self) -> Tuple[int, int, bool]:
        """category, mask, itself."""
        category, mask, itself = _w.thing_filter(self.sim._handle, self._what, self._id)
        return category, mask, bool(itself)

    def pin(self, nodes: Array, **options: Any) -> "Attachment":
        """Shorthand of Sim.attach."""
        return self.sim.attach(self, nodes, "pin", **options)

    def check(self) -> "Check":
        """Where does it intersect itself?"""
        return check(self.positions(), self.triangles())


class Collider(_Thing):
    """What cloth collides with."""

    _what = "collider"

    def set_pose(self, position: Sequence[float], rotation: Sequence[float] = (0, 0, 0, 1)) -> None:
        """Where it is at the end of the next step: m, and a quaternion x, y, z, w."""
        _w.collider_set_pose(self.sim._handle, self._id, tuple(position), tuple(rotation))

    def set_keys(self, keys: Array) -> None:
        """Rows of time, x, y, z and a quaternion x, y, z, w."""
        _w.collider_set_keys(self.sim._handle, self._id, keys)

    def pose(self) -> Tuple[Tuple[float, ...], Tuple[Tuple[float, ...], ...]]:
        """Position, and rotation by rows."""
        position, rotation = _w.collider_pose(self.sim._handle, self._id)
        return position, rotation

    def set_friction(self, friction: float, dissipation: float = 1.0) -> None:
        """Times the fabric's."""
        _w.collider_friction(self.sim._handle, self._id, friction, dissipation)

    def friction(self) -> Tuple[float, float]:
        friction, dissipation = _w.collider_friction(self.sim._handle, self._id)
        return friction, dissipation

    def set_filter(self, category: int = 1, mask: int = 0xFFFFFFFF) -> None:
        """Which cloths collide with it, as Cloth.set_filter."""
        self._set_filter(category, mask)

    def filter(self) -> Tuple[int, int]:
        """category, mask."""
        category, mask, _ = _w.thing_filter(self.sim._handle, self._what, self._id)
        return category, mask

    def set_vertices(self, vertices: Array, at_once: bool = False) -> None:
        """Meshes: where vertices are at the end of the next step, or (at_once) now."""
        _w.collider_set_vertices(self.sim._handle, self._id, vertices, at_once)

    @property
    def info(self) -> Dict[str, Any]:
        return dict(_w.collider_info(self.sim._handle, self._id))

    def vertices(self, out: Optional[Array] = None) -> Array:
        out = _new((self.info["n_vertices"], 3)) if out is None else out
        _w.collider_data(self.sim._handle, self._id, False, out)
        return out

    def triangles(self, out: Optional[Array] = None) -> Array:
        out = _new((self.info["n_triangles"], 3), "i") if out is None else out
        _w.collider_data(self.sim._handle, self._id, True, out)
        return out

    def force(self) -> Tuple[Tuple[float, ...], Tuple[float, ...]]:
        """What cloth exerted on it during the last step: force N, torque N·m."""
        force, torque = _w.collider_force(self.sim._handle, self._id)
        return force, torque

    def clearance(self, cloth: Cloth) -> float:
        """Least distance of the cloth, m; negative inside."""
        return float(_w.collider_clearance(self.sim._handle, self._id, cloth._number(self.sim)))


class Attachment(_Thing):
    """Holds nodes."""

    _what = "attachment"

    def set_targets(self, targets: Array) -> None:
        _w.attachment_set_targets(self.sim._handle, self._id, targets)

    def add_nodes(self, nodes: Array, targets: Optional[Array] = None) -> None:
        """Holds these, too, where they are or at targets."""
        _w.attachment_nodes(self.sim._handle, self._id, nodes, targets)

    def drop_nodes(self, nodes: Array) -> None:
        """Holds these no longer."""
        _w.attachment_nodes(self.sim._handle, self._id, nodes, False)

    @property
    def nodes(self) -> Array:
        return _array(_w.attachment_get(self.sim._handle, self._id)[0], "i")

    def force(self) -> Tuple[float, ...]:
        """What the cloth exerted on it during the last step, N."""
        total: Tuple[float, ...] = _w.attachment_get(self.sim._handle, self._id)[1]
        return total

    def forces(self) -> Array:
        """The same node by node."""
        return _array(_w.attachment_get(self.sim._handle, self._id)[2], "d", 3)


class Tie(_Thing):
    """Springs between pairs of nodes."""

    _what = "tie"

    def set_pull(self, stiffness: Array, length: Array) -> None:
        """Of each pair: N/m, m."""
        _w.tie_set_pull(self.sim._handle, self._id, stiffness, length)

    def weld(self, within: float) -> None:
        """Sews for good what is nearer than `within`, m."""
        _w.tie_weld(self.sim._handle, self._id, within)


def stats_fields() -> Dict[str, Tuple[str, str, str]]:
    """Statistics of a step: name to (column, unit, meaning)."""
    return {name: (column, unit, text) for name, column, unit, text, _ in _w.stats_list()}


def snapshot_check(data: bytes) -> None:
    """Raises if bytes are no whole snapshot of this version."""
    _w.snapshot_check(data)


def keys_at(keys: Array, time: float) -> Tuple[Tuple[float, ...], Tuple[Tuple[float, ...], ...]]:
    """Where keys put a thing: position, rotation by rows."""
    position, rotation = _w.keys_at(keys, time)
    return position, rotation


# ---- meshes ------------------------------------------------------------------------------------------------------


class Check:
    """Where surfaces intersect; true if they do. `pairs`: triangles; `kinds`: 1 cross, 2 coplanar, 3 degenerate;
    `ends`: of the segment they share, m; `contours`: lines as arrays of points, m."""

    def __init__(self, found: Tuple[Any, ...]) -> None:
        pairs, kinds, ends, lines, self.n_contours, self.n_cloth_pairs, self.n_collider_pairs, self.n_tested = found
        self.pairs = _array(pairs, "i", 2)
        self.kinds = _array(kinds, "i")
        self.ends = _array(ends, "d", 6)
        self.contours: List[Array] = [_array(points, "d", 3) for _, _, points in lines]

    def __bool__(self) -> bool:
        return len(self.pairs) > 0

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"<Check: {len(self.pairs)} pairs intersect, {self.n_contours} contours>"


def check(positions: Array, triangles: Array, *, objects: Optional[Array] = None, colliders: Optional[Array] = None,
          same: Optional[Array] = None, n_threads: int = 1) -> Check:
    """Where do triangles intersect? Exact. `objects`: of each triangle; `colliders`: objects not tested together."""
    return Check(_w.audit(positions, triangles, objects, colliders, same, n_threads))


def untangle(positions: Array, triangles: Array, *, objects: Optional[Array] = None,
             colliders: Optional[Array] = None, masses: Optional[Array] = None,
             **options: Any) -> Tuple[Array, Dict[str, float]]:
    """Positions in which less intersects, and a report; there is no guarantee that nothing does."""
    x, report = _w.untangle(positions, triangles, objects, colliders, masses, options)
    return _array(x, "d", 3), report


class Hit:
    """`time` of contact in [0, 1], proven lower bound `time_lower`, `weights` of the four corners, `normal`."""

    def __init__(self, time: float, time_lower: float, weights: Tuple[float, ...], normal: Tuple[float, ...]) -> None:
        self.time, self.time_lower, self.weights, self.normal = time, time_lower, weights, normal

    def __repr__(self) -> str:
        return f"<Hit at {self.time:g}>"


def ccd(kind: str, x0: Array, x1: Array, thickness: float = 0.0) -> Optional[Hit]:
    """Do a vertex and a triangle ("vertex_triangle") or two edges ("edge_edge") meet on their way? Never a miss."""
    hit = _w.ccd(bool(_choice(kind, ("vertex_triangle", "edge_edge"), "kind")), x0, x1, thickness)
    return Hit(*hit) if hit else None


def ccd_thickness(kind: str, x: Array, thickness: float, factor: float) -> float:
    """The thickness to ask with where pairs may be closer than they should."""
    edges = bool(_choice(kind, ("vertex_triangle", "edge_edge"), "kind"))
    return float(_w.ccd_thickness(edges, x, thickness, factor))


def ccd_find(kind: str, x0: Array, x1: Array, primitives: Array, pairs: Array, thickness: float = 0.0) -> Array:
    """Which of many pairs meet: their numbers."""
    edges = bool(_choice(kind, ("vertex_triangle", "edge_edge"), "kind"))
    return _array(_w.ccd_many(edges, x0, x1, primitives, pairs, thickness), "q")


class Detected:
    """`vertex_triangle`, `edge_edge` (of `edges`) and `triangle_pairs` that may touch."""

    def __init__(self, found: Tuple[bytes, bytes, bytes, bytes]) -> None:
        self.vertex_triangle, self.edge_edge, self.triangle_pairs, self.edges = (_array(b, "i", 2) for b in found)

    def __repr__(self) -> str:
        return (f"<Detected: {len(self.vertex_triangle)} vertex–triangle, {len(self.edge_edge)} edge–edge, "
                f"{len(self.triangle_pairs)} triangle pairs>")


def detect(positions: Array, triangles: Array, *, moved: Optional[Array] = None, objects: Optional[Array] = None,
           fixed: Optional[Array] = None, inflate: float = 0.0, thickness: float = 0.0, mode: str = "proven",
           triangle_pairs: bool = False, n_threads: int = 1) -> Detected:
    """Which primitives may touch, at `positions` or on the way to `moved`."""
    return Detected(_w.detect(positions, moved, triangles, objects, fixed, inflate, thickness,
                              _choice(mode, DETECT, "mode"), triangle_pairs, n_threads))


def read_mesh(path: Path) -> Tuple[Array, Array]:
    """Positions and triangles of an OBJ, PLY or STL file."""
    x, t = _w.mesh_read(os.fspath(path))
    return _array(x, "d", 3), _array(t, "i", 3)


def write_mesh(path: Path, positions: Array, triangles: Array) -> None:
    """OBJ, PLY or STL by the name's ending, without loss."""
    ending = os.path.splitext(os.fspath(path))[1].lower().lstrip(".")
    _w.mesh_write(os.fspath(path), _choice(ending, ("obj", "ply", "stl"), "the file's ending"), positions, triangles)


# ---- scenes and runs ---------------------------------------------------------------------------------------------


class Scene:
    """A scene: Scene.load("x.yaml"), Scene.parse(text); `sets` are texts like "cloths.sheet.fabric=silk"."""

    def __init__(self, capsule: Any, source: Tuple[Any, ...]) -> None:
        self._capsule = capsule
        self._source = source
        self.info: Dict[str, Any] = _w.scene_info(capsule)

    @classmethod
    def load(cls, path: Path, sets: Sequence[str] = ()) -> "Scene":
        source = (os.path.abspath(os.fspath(path)), None, list(sets), None)
        return cls(_w.scene_load(*source), source)

    @classmethod
    def parse(cls, text: str, sets: Sequence[str] = (), name: str = "scene", folder: Optional[str] = ".") -> "Scene":
        source = (name, text, list(sets), folder)
        return cls(_w.scene_load(*source), source)

    def set(self, *sets: str) -> "Scene":
        """The same scene with other values."""
        name, text, old, folder = self._source
        source = (name, text, [*old, *sets], folder)
        return type(self)(_w.scene_load(*source), source)

    def resolve(self) -> str:
        """Its text, every default written out."""
        return str(_w.scene_text("resolve", self._capsule))

    def stage(self, n_threads: int = 1) -> "Stage":
        """A simulation of it."""
        return Stage(self, n_threads)

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_scene_of, self._source)

    def __repr__(self) -> str:
        i = self.info
        return f"<Scene {i['name']}: {len(i['cloths'])} cloths, {len(i['colliders'])} colliders, {i['frames']} frames>"


def _scene_of(*source: Any) -> Scene:
    return Scene(_w.scene_load(*source), source)


def scene_schema() -> str:
    """JSON Schema of scene files."""
    return str(_w.scene_text("schema", None))


def scene_reference() -> str:
    """The reference page of scenes, Markdown."""
    return str(_w.scene_text("page", None))


class Stage:
    """A scene that runs: `sim`, `cloths` and `colliders` by name; advance() is a frame."""

    def __init__(self, scene: Scene, n_threads: int = 1) -> None:
        handle, cloths, colliders = _w.scene_stage(scene._capsule, n_threads)
        self.scene = scene
        self.sim = Sim._of(handle)
        self.cloths = {k: self.sim._keep(v) for k, v in zip(scene.info["cloths"], cloths)}
        self.colliders = {k: Collider(self.sim, v) for k, v in zip(scene.info["colliders"], colliders)}

    def advance(self) -> int:
        """One frame."""
        return int(_w.sim_step(self.sim._handle, 0.0))

    def frames(self, n: Optional[int] = None) -> Iterator[int]:
        """Advances by n frames (those of the scene) and yields their numbers."""
        for frame in range(1, (self.scene.info["frames"] if n is None else n) + 1):
            self.advance()
            yield frame

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, *unused: object) -> None:
        self.sim.close()

    def __repr__(self) -> str:
        return f"<Stage of {self.scene!r}, {self.sim!r}>"


class Frame:
    """A frame of a run; arrays are read when asked for."""

    def __init__(self, run: "Run", number: int) -> None:
        self.run, self.number = run, number
        self.time, self.hash, columns = _w.cache_head(run._capsule, number)
        self.stats: Dict[str, float] = dict(zip(run.info["columns"], _array(columns, "d").tolist()))

    def positions(self, cloth: Union[str, int] = 0, out: Optional[Array] = None) -> Array:
        """m."""
        k = self.run._cloth(cloth)
        if out is None:
            out = _new((_w.cache_topology(self.run._capsule, self.number, k)[0], 3))
        _w.cache_positions(self.run._capsule, self.number, k, out)
        return out

    def triangles(self, cloth: Union[str, int] = 0) -> Array:
        return _array(_w.cache_topology(self.run._capsule, self.number, self.run._cloth(cloth))[1], "i", 3)

    def __repr__(self) -> str:
        return f"<Frame {self.number} at {self.time:.3f} s>"


class Run:
    """A run's folder or its cache.weft: run[3].positions("sheet"), len(run), for frame in run."""

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        file = os.path.join(self.path, "cache.weft") if os.path.isdir(self.path) else self.path
        self._capsule = _w.cache_open(file)
        self.info: Dict[str, Any] = _w.cache_info(self._capsule)

    def _cloth(self, cloth: Union[str, int]) -> int:
        return _choice(cloth, self.info["cloths"], "cloth")

    def __len__(self) -> int:
        return int(self.info["n_frames"])

    def __getitem__(self, frame: int) -> Frame:
        n = len(self)
        if not -n <= frame < n:
            raise IndexError(f"frame {frame} of {n}")
        return Frame(self, frame % n)

    def __iter__(self) -> Iterator[Frame]:
        return (self[i] for i in range(len(self)))

    def export(self, path: Path, *, format: Optional[str] = None,
               progress: Optional[Callable[[int, int], Any]] = None, **options: Any) -> Dict[str, Any]:
        """obj, ply, pc2, mdd, glb, usda or npz, by the name's ending; cloth, start, to, every, scale, fps, force …"""
        names = [name for name, _ in _w.export_formats()]
        chosen = format or os.path.splitext(os.fspath(path))[1].lstrip(".")
        options["format"] = _choice(chosen, names, "format")
        if "start" in options:
            options["from"] = options.pop("start")
        result: Dict[str, Any] = _w.export_run(self._capsule, os.fspath(path), options, progress)
        return result

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Run, (self.path,))

    def __repr__(self) -> str:
        return f"<Run {self.path}: {len(self)} frames of {', '.join(self.info['cloths'])}>"


def export_formats() -> Dict[str, str]:
    return dict(_w.export_formats())


# ---- garments ----------------------------------------------------------------------------------------------------


class Pattern:
    """A sewing pattern: Pattern.read("shirt.json"), Pattern.draft("skirt", waist=0.7)."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule
        panels, self.n_seams = _w.pattern_info(capsule)
        self.panels: Dict[str, Dict[str, Any]] = {
            name: {"area": area, "perimeter": perimeter, "rib": rib} for name, area, perimeter, rib in panels}

    @classmethod
    def read(cls, path: Path) -> "Pattern":
        return cls(_w.pattern_open(os.fspath(path), None, None))

    @classmethod
    def draft(cls, name: str, **measures: float) -> "Pattern":
        """tshirt, skirt or trousers, to measures in metres."""
        return cls(_w.pattern_open(None, name, measures))

    def check(self, ratio: float = 2.0) -> None:
        """Raises if outlines or seams are wrong."""
        _w.pattern_do("check", self._capsule, None, ratio, False)

    def write(self, path: Path, force: bool = False) -> None:
        _w.pattern_do("write", self._capsule, os.fspath(path), 2.0, force)

    def write_svg(self, path: Path, force: bool = False) -> None:
        _w.pattern_do("svg", self._capsule, os.fspath(path), 2.0, force)

    def __repr__(self) -> str:
        return f"<Pattern: {', '.join(self.panels)}; {self.n_seams} seams>"


def drafts() -> Dict[str, str]:
    """Patterns that Pattern.draft knows."""
    return dict(_w.draft_list())


def form(arm_angle: float = 45.0, n_triangles: int = 26000, **measures: float) -> Tuple[Array, Array]:
    """A dress form to measures in metres: positions and triangles."""
    x, t = _w.form(measures, {"arm_angle": arm_angle, "n_triangles": n_triangles})
    return _array(x, "d", 3), _array(t, "i", 3)


class Sewn:
    """A garment that was sewn: `sim`, `cloth`, `body`, `report`."""

    def __init__(self, sim: Sim, cloth: Cloth, body: Collider, report: Dict[str, float]) -> None:
        self.sim, self.cloth, self.body, self.report = sim, cloth, body, report

    def __repr__(self) -> str:
        r = self.report
        return f"<Sewn: {r['n_welded']:g} of {r['n_seams']:g} seams, {r['n_steps']:g} steps>"


def sew(pattern: Pattern, body: Tuple[Array, Array], *, size: float = 0.02, fabric: FabricLike = None,
        progress: Optional[Callable[[int, int], Any]] = None, **options: Any) -> Sewn:
    """Cuts a pattern, puts it round a body (positions, triangles), sews it and lets it settle."""
    handle, cloth, solid, report = _w.sew_all(pattern._capsule, body[0], body[1], {"size": size}, options,
                                              _fields_of(fabric), progress)
    sim = Sim._of(handle)
    return Sewn(sim, sim._keep(cloth), Collider(sim, solid), report)
