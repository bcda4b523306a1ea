# SPDX-License-Identifier: MIT
"""Simulations, and the things in them."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, SupportsFloat, Tuple, Union

from . import _weft as _w
from ._arrays import (ArrayLike, Floats, Ints, Levels, Vec3, array_of, choice, forces_view, given, new_array,
                      numbers)
from ._errors import ArgumentError
from ._fabric import Adapt, AdaptLike, Fabric, FabricLike, SizeFn, fields_of, model_of
from ._mesh import Check, check

INTEGRATORS = ("bdf2", "implicit", "explicit")
RESPONSES = ("weft", "provot", "none")
CONTACTS = ("coarse", "fine")
COLLIDERS = ("plane", "sphere", "capsule", "cylinder", "box", "mesh")
SIDES = {"dynamic": 0, "out": 1, "in": -1, "plain": 2}
ATTACHMENTS = ("pin", "rod", "collider", "soft", "clamp")

ForceFn = Callable[["Cloth", float, Any, Any, Any, Any], None]
LogFn = Callable[[int, str], None]
Name = Union[str, int, None]
Stats = Dict[str, float]
Matrix = Tuple[Tuple[float, ...], ...]


class Sim:
    """A simulation; everything that moves together.

    force(cloth, time, positions, velocities, masses, forces) adds newtons to `forces`; log(level, text) is told what
    happens (level 0 debug, 1 information, 2 a warning). What a callback raises comes out of the call that it
    interrupts. Callbacks may read the simulation, not change it."""

    def __init__(self, *, force: Optional[ForceFn] = None, log: Optional[LogFn] = None,
                 gravity: Optional[Vec3] = None, integrator: Name = None, n_threads: Optional[int] = None,
                 newton_tolerance: Optional[float] = None, newton_limit: Optional[int] = None,
                 linear_tolerance: Optional[float] = None, linear_limit: Optional[int] = None,
                 halving_limit: Optional[int] = None, velocity_bound: Optional[float] = None,
                 contact_radius: Optional[float] = None, contact_stiffness: Optional[float] = None,
                 pair_radius: Optional[float] = None, contact: Name = None, response: Name = None,
                 wind: Optional[Vec3] = None,
                 air_density: Optional[float] = None, drag_normal: Optional[float] = None,
                 drag_tangential: Optional[float] = None, air_viscosity: Optional[float] = None,
                 world_scale: Optional[int] = None) -> None:
        options = given(
            gravity=gravity, n_threads=n_threads, newton_tolerance=newton_tolerance, newton_limit=newton_limit,
            linear_tolerance=linear_tolerance, linear_limit=linear_limit, halving_limit=halving_limit,
            velocity_bound=velocity_bound, contact_radius=contact_radius, contact_stiffness=contact_stiffness,
            pair_radius=pair_radius, wind=wind, air_density=air_density, drag_normal=drag_normal,
            drag_tangential=drag_tangential, air_viscosity=air_viscosity, world_scale=world_scale)
        for name, value, names in (("integrator", integrator, INTEGRATORS), ("contact", contact, CONTACTS),
                                   ("response", response, RESPONSES)):
            if value is not None:
                options[name] = choice(value, names, name)
        self._start()
        self._handle = _w.sim_create(options, self._call(force) if force else None, log)

    def _start(self) -> None:
        self._cloths: Dict[int, Cloth] = {}
        self._colliders: Dict[int, Collider] = {}

    @classmethod
    def _of(cls, handle: Any) -> "Sim":
        sim = cls.__new__(cls)
        sim._start()
        sim._handle = handle
        return sim

    def _call(self, force: ForceFn) -> Callable[..., None]:
        def call(cloth: int, time: float, n: int, x: bytes, v: bytes, m: bytes, f: bytearray) -> None:
            force(self._cloths.get(cloth) or Cloth(self, cloth), time, array_of(x, "d", 3), array_of(v, "d", 3),
                  array_of(m, "d"), forces_view(f, n))
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
        if not isinstance(h, SupportsFloat):
            raise TypeError(f"h is {h!r}, it must be a number of seconds")
        if not float(h) > 0:
            raise ArgumentError(f"h is {h}, it must be in [1e-7, 0.5]", -4)
        return _w.sim_step(self._handle, h)

    def cancel(self) -> None:
        """From any thread or callback: the step that runs, or else the next, raises Cancelled soon."""
        _w.sim_cancel(self._handle)

    @property
    def stats(self) -> Stats:
        """Of the last step; stats_fields() has units and meanings, add_stats makes those of several steps."""
        return _w.sim_stats(self._handle)

    @property
    def time(self) -> float:
        """s."""
        return _w.sim_time(self._handle)

    @property
    def hash(self) -> int:
        """Of the state: the same for the same input, whatever the number of threads."""
        return _w.sim_hash(self._handle)

    @property
    def cloths(self) -> List["Cloth"]:
        """In the order in which they were added."""
        return list(self._cloths.values())

    @property
    def colliders(self) -> List["Collider"]:
        """In the order in which they were added."""
        return list(self._colliders.values())

    def snapshot(self) -> bytes:
        """The state; definitions are not in it."""
        return _w.sim_snapshot(self._handle)

    def restore(self, data: bytes, cloths_only: bool = False) -> None:
        """Goes on from a snapshot of a simulation that was set up the same way, bit for bit. cloths_only: colliders and
        attachments may be others."""
        _w.sim_restore(self._handle, data, cloths_only)

    def set_wind(self, wind: Vec3) -> None:
        """m/s."""
        _w.sim_set(self._handle, "wind", wind)

    def set_gravity(self, gravity: Vec3) -> None:
        """m/s²."""
        _w.sim_set(self._handle, "gravity", gravity)

    def set_air_viscosity(self, viscosity: float) -> None:
        """N·s/m³."""
        _w.sim_set(self._handle, "air_viscosity", viscosity)

    def squeezed(self) -> List[Tuple[Any, ...]]:
        """Pairs that colliders left no room in the last step: (edges, four of (of_collider, index, node))."""
        return _w.sim_squeezed(self._handle)

    def set_layers(self, layers: Sequence[Tuple["Cloth", "Cloth"]]) -> None:
        """Which cloth is worn over which: pairs of the inner and the outer one, in place of those before. Where they
        intersect, each goes to its side; their fronts are outside."""
        pairs = []
        for k, pair in enumerate(layers):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(c, Cloth) for c in pair):
                raise TypeError(f"layers[{k}] is {pair!r}, it must be two cloths, the inner and the outer one")
            pairs.append((pair[0]._number(self), pair[1]._number(self)))
        _w.sim_set_layers(self._handle, pairs)

    def layers(self) -> List[Tuple["Cloth", "Cloth"]]:
        """Pairs of the inner and the outer cloth."""
        return [(self._cloths[a], self._cloths[b]) for a, b in _w.sim_get_layers(self._handle)]

    def _keep(self, number: int) -> "Cloth":
        cloth = self._cloths[number] = Cloth(self, number)
        return cloth

    def _keep_collider(self, number: int, options: Dict[str, Any]) -> "Collider":
        collider = self._colliders[number] = Collider(self, number)
        collider.definition = options
        return collider

    def add_grid(self, n_warp: int, n_weft: int, size_warp: float, size_weft: float, *,
                 corner: Optional[Vec3] = None, axis_warp: Optional[Vec3] = None, axis_weft: Optional[Vec3] = None,
                 velocity: Optional[Vec3] = None, fabric: FabricLike = None,
                 fabrics: Optional[Sequence[FabricLike]] = None, face_fabric: Optional[ArrayLike] = None,
                 face_panel: Optional[ArrayLike] = None, panel_fabric: Optional[ArrayLike] = None,
                 adapt: AdaptLike = None, size: Optional[SizeFn] = None, stretch: Name = None, law: Name = None,
                 bending: Name = None, limit: Name = None, pressure: Optional[float] = None) -> "Cloth":
        """A flat rectangle of n_warp × n_weft nodes. adapt: how often elements may split, or a dict (Adapt);
        size(position, uv): how long sides may be there, m."""
        model = model_of(fabric=fabric, fabrics=fabrics, face_fabric=face_fabric, face_panel=face_panel,
                         panel_fabric=panel_fabric, adapt=adapt, size=size, stretch=stretch, law=law,
                         bending=bending, limit=limit, pressure=pressure)
        options = given(corner=corner, axis_warp=axis_warp, axis_weft=axis_weft, velocity=velocity)
        options.update(n_warp=n_warp, n_weft=n_weft, size_warp=size_warp, size_weft=size_weft)
        return self._keep(_w.cloth_create_grid(self._handle, options, model))

    def add_mesh(self, positions: ArrayLike, triangles: Optional[ArrayLike] = None,
                 quads: Optional[ArrayLike] = None, *, uv: Optional[ArrayLike] = None,
                 velocities: Optional[ArrayLike] = None, rest_positions: Optional[ArrayLike] = None,
                 node_mass: Optional[ArrayLike] = None, fabric: FabricLike = None,
                 fabrics: Optional[Sequence[FabricLike]] = None, face_fabric: Optional[ArrayLike] = None,
                 face_panel: Optional[ArrayLike] = None, panel_fabric: Optional[ArrayLike] = None,
                 adapt: AdaptLike = None, size: Optional[SizeFn] = None, stretch: Name = None, law: Name = None,
                 bending: Name = None, limit: Name = None, pressure: Optional[float] = None) -> "Cloth":
        """Cloth from a mesh of triangles, quads, or both."""
        model = model_of(fabric=fabric, fabrics=fabrics, face_fabric=face_fabric, face_panel=face_panel,
                         panel_fabric=panel_fabric, adapt=adapt, size=size, stretch=stretch, law=law,
                         bending=bending, limit=limit, pressure=pressure)
        return self._keep(_w.cloth_create_mesh(self._handle, positions, triangles, quads, uv, velocities,
                                               rest_positions, node_mass, model))

    def add_collider(self, kind: Union[str, int] = "plane", *, radius: Optional[float] = None,
                     height: Optional[float] = None, size: Optional[Vec3] = None, position: Optional[Vec3] = None,
                     rotation: Optional[Sequence[float]] = None, friction: Optional[float] = None,
                     dissipation: Optional[float] = None, keys: Optional[ArrayLike] = None,
                     vertices: Optional[ArrayLike] = None, triangles: Optional[ArrayLike] = None) -> "Collider":
        """plane, sphere, capsule, cylinder, box or mesh. rotation is a quaternion x, y, z, w; keys are rows of time, x,
        y, z and a quaternion."""
        options = given(radius=radius, height=height, size=size, position=position, rotation=rotation,
                        friction=friction, dissipation=dissipation)
        options["kind"] = choice(kind, COLLIDERS, "kind")
        return self._keep_collider(_w.collider_create(self._handle, options, keys, vertices, triangles), options)

    def attach(self, cloth: "Cloth", nodes: ArrayLike, kind: Union[str, int] = "pin", *,
               targets: Optional[ArrayLike] = None, keys: Optional[ArrayLike] = None,
               weights: Optional[ArrayLike] = None, collider: Optional["Collider"] = None,
               stiffness: Optional[float] = None, rod_point: Optional[Vec3] = None,
               rod_direction: Optional[Vec3] = None, rod_friction: Optional[float] = None, start: float = 0.0,
               until: float = float("inf")) -> "Attachment":
        """Holds nodes: pin, rod, collider, soft or clamp, in steps from the time `start` on and before `until`, s.

        A clamp holds a line of border nodes, and the direction in which the cloth leaves it.
        """
        options = given(stiffness=stiffness, rod_point=rod_point, rod_direction=rod_direction,
                        rod_friction=rod_friction)
        options.update({"kind": choice(kind, ATTACHMENTS, "kind"), "from": start, "until": until})
        number = _w.attachment_create(self._handle, cloth._number(self), collider._number(self) if collider else 0,
                                      options, nodes, targets, keys, weights)
        return Attachment(self, number)

    def tie(self, cloth_a: "Cloth", nodes_a: ArrayLike, cloth_b: "Cloth", nodes_b: ArrayLike, *,
            stiffness: Optional[float] = None, length: Optional[float] = None,
            damping: Optional[float] = None) -> "Tie":
        """Springs between pairs of nodes."""
        options = given(stiffness=stiffness, length=length, damping=damping)
        number = _w.tie_create(self._handle, cloth_a._number(self), cloth_b._number(self), options, nodes_a, nodes_b)
        return Tie(self, number)

    def __repr__(self) -> str:
        try:
            return f"<Sim at {self.time:.3f} s, {len(self._cloths)} cloths, {len(self._colliders)} colliders>"
        except (ValueError, RuntimeError):
            return "<Sim, closed or at work>"

    def _repr_html_(self) -> str:
        from ._view import page_of
        return page_of(self).frame()


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
        self.sim._cloths.pop(self._id if self._what == "cloth" else -1, None)
        self.sim._colliders.pop(self._id if self._what == "collider" else -1, None)

    def set_side(self, side: Union[str, int]) -> None:
        """Where other things belong that intersect it: "dynamic" (found out; of closed meshes, outside), "out" (where
        normals point), "in", "plain" (on neither side). Of cloths and meshes."""
        if isinstance(side, str) and side not in SIDES:
            raise ArgumentError(f"side is {side!r}, it must be one of {', '.join(SIDES)}", -4)
        _w.thing_side(self.sim._handle, self._what, self._id, SIDES[side] if isinstance(side, str) else side)

    def side(self) -> str:
        """As set_side has it."""
        number = _w.thing_side(self.sim._handle, self._what, self._id)
        return next(name for name, value in SIDES.items() if value == number)

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
        return _w.cloth_info(self.sim._handle, self._id, "info", None)

    @property
    def n_nodes(self) -> int:
        """Rows of positions."""
        return int(self.info["n_nodes"])

    @property
    def n_triangles(self) -> int:
        """Rows of triangles."""
        return int(self.info["n_triangles"])

    def _vectors(self, what: str, out: Any) -> Floats:
        if out is None:
            out = new_array((self.n_nodes, 3))
        _w.cloth_vectors(self.sim._handle, self._id, what, out)
        rows: Floats = out
        return rows

    def positions(self, out: Any = None) -> Floats:
        """m; `out` may be float64 or float32, with any stride from row to row."""
        return self._vectors("positions", out)

    def velocities(self, out: Any = None) -> Floats:
        """m/s; as positions."""
        return self._vectors("velocities", out)

    def normals(self, out: Any = None) -> Floats:
        """Unit vectors, zero where undefined; as positions."""
        return self._vectors("normals", out)

    def _data(self, what: str, shape: Tuple[int, ...], kind: str, out: Any) -> Any:
        if out is None:
            out = new_array(shape, kind)
        _w.cloth_data(self.sim._handle, self._id, what, out)
        return out

    def triangles(self, out: Any = None) -> Ints:
        """Three nodes each, counter-clockwise seen from the front."""
        rows: Ints = self._data("triangles", (self.n_triangles, 3), "i", out)
        return rows

    def masses(self, out: Any = None) -> Floats:
        """Of nodes, kg."""
        rows: Floats = self._data("masses", (self.n_nodes,), "d", out)
        return rows

    def pressures(self, out: Any = None) -> Floats:
        """What contacts pressed on nodes in the last step, from both sides together, Pa."""
        rows: Floats = self._data("contact_pressures", (self.n_nodes,), "d", out)
        return rows

    def uv(self, out: Any = None) -> Floats:
        """Material coordinates of nodes, m."""
        rows: Floats = self._data("uv", (self.n_nodes, 2), "d", out)
        return rows

    def rest_lengths(self, out: Any = None) -> Floats:
        """Of the three sides of each triangle, m; 0: drawn only."""
        rows: Floats = self._data("rest_lengths", (self.n_triangles, 3), "d", out)
        return rows

    def levels(self, out: Any = None) -> Levels:
        """Of triangles: how often their face has split."""
        rows: Levels = self._data("levels", (self.n_triangles,), "B", out)
        return rows

    def panels(self, out: Any = None) -> Ints:
        """Of triangles: the panel of their face."""
        rows: Ints = self._data("panels", (self.n_triangles,), "i", out)
        return rows

    def set_positions(self, positions: ArrayLike) -> None:
        """Puts nodes elsewhere, m."""
        _w.cloth_set(self.sim._handle, self._id, "positions", positions)

    def set_velocities(self, velocities: ArrayLike) -> None:
        """m/s."""
        _w.cloth_set(self.sim._handle, self._id, "velocities", velocities)

    def fabric(self, number: int = 0) -> Fabric:
        """What it is made of."""
        fields: Dict[str, float] = _w.cloth_fabric(self.sim._handle, self._id, number, None)
        return Fabric(None, **fields)

    def set_fabric(self, fabric: FabricLike, number: int = 0) -> None:
        """Another fabric from the next step on."""
        _w.cloth_fabric(self.sim._handle, self._id, number, fields_of(fabric))

    def set_adapt(self, adapt: Union[int, Adapt], *, size: Optional[SizeFn] = None) -> None:
        """Another adaptivity from the next step on; size(position, uv) tells how long sides may be, m."""
        _w.cloth_set_adapt(self.sim._handle, self._id, {"max_level": adapt} if isinstance(adapt, int) else adapt,
                           size)

    def shape(self) -> bytes:
        """Which faces have split, for set_shape of a cloth that was made the same way."""
        return _w.cloth_shape(self.sim._handle, self._id, None)

    def set_shape(self, shape: bytes) -> None:
        """Splits faces as those of another cloth have."""
        _w.cloth_shape(self.sim._handle, self._id, memoryview(shape).tobytes())

    def uniform(self, level: int) -> Tuple[Floats, Ints, Ints, Floats]:
        """Positions, triangles, faces and uv on the uniform mesh of a level: one topology at any time."""
        x, t, f, uv = _w.cloth_uniform(self.sim._handle, self._id, level)
        return array_of(x, "d", 3), array_of(t, "i", 3), array_of(f, "i", 4), array_of(uv, "d", 2)

    def set_filter(self, category: int = 1, mask: int = 0xFFFFFFFF, itself: bool = True) -> None:
        """What it collides with: things with a category in its mask, and whose mask has one of its categories
        (bits); and whether with itself."""
        self._set_filter(category, mask, itself)

    def filter(self) -> Tuple[int, int, bool]:
        """category, mask, itself."""
        category, mask, itself = _w.thing_filter(self.sim._handle, self._what, self._id)
        return category, mask, bool(itself)

    def pin(self, nodes: ArrayLike, *, targets: Optional[ArrayLike] = None, keys: Optional[ArrayLike] = None,
            start: float = 0.0, until: float = float("inf")) -> "Attachment":
        """Holds nodes: shorthand of Sim.attach."""
        return self.sim.attach(self, nodes, "pin", targets=targets, keys=keys, start=start, until=until)

    def check(self) -> Check:
        """Where does it intersect itself?"""
        return check(self.positions(), self.triangles(), filters=[self.filter()])


class Collider(_Thing):
    """What cloth collides with."""

    _what = "collider"
    definition: Dict[str, Any] = {}

    def set_pose(self, position: Vec3, rotation: Sequence[float] = (0, 0, 0, 1)) -> None:
        """Where it is at the end of the next step: m, and a quaternion x, y, z, w."""
        _w.collider_set_pose(self.sim._handle, self._id, numbers(position, 3, "position"),
                             numbers(rotation, 4, "rotation"))

    def set_keys(self, keys: ArrayLike) -> None:
        """Rows of time, x, y, z and a quaternion x, y, z, w."""
        _w.collider_set_keys(self.sim._handle, self._id, keys)

    def pose(self) -> Tuple[Tuple[float, ...], Matrix]:
        """Position, and rotation by rows."""
        position, rotation = _w.collider_pose(self.sim._handle, self._id)
        return position, rotation

    def set_friction(self, friction: float, dissipation: float = 1.0) -> None:
        """Times the fabric's."""
        _w.collider_friction(self.sim._handle, self._id, friction, dissipation)

    def friction(self) -> Tuple[float, float]:
        """Times the fabric's friction and dissipation."""
        friction, dissipation = _w.collider_friction(self.sim._handle, self._id)
        return friction, dissipation

    def set_filter(self, category: int = 1, mask: int = 0xFFFFFFFF) -> None:
        """Which cloths collide with it, as Cloth.set_filter."""
        self._set_filter(category, mask)

    def filter(self) -> Tuple[int, int]:
        """category, mask."""
        category, mask, _ = _w.thing_filter(self.sim._handle, self._what, self._id)
        return category, mask

    def set_vertices(self, vertices: ArrayLike, at_once: bool = False) -> None:
        """Meshes: where vertices are at the end of the next step, or (at_once) now, m."""
        _w.collider_set_vertices(self.sim._handle, self._id, vertices, at_once)

    @property
    def info(self) -> Dict[str, Any]:
        """kind, n_vertices, n_triangles, closed, volume m³ …"""
        return _w.collider_info(self.sim._handle, self._id)

    def vertices(self, out: Any = None) -> Floats:
        """Of a mesh, now, m."""
        rows: Floats = new_array((self.info["n_vertices"], 3)) if out is None else out
        _w.collider_data(self.sim._handle, self._id, False, rows)
        return rows

    def triangles(self, out: Any = None) -> Ints:
        """Of a mesh."""
        rows: Ints = new_array((self.info["n_triangles"], 3), "i") if out is None else out
        _w.collider_data(self.sim._handle, self._id, True, rows)
        return rows

    def force(self) -> Tuple[Tuple[float, ...], Tuple[float, ...]]:
        """What cloth exerted on it during the last step: force N, torque N·m."""
        force, torque = _w.collider_force(self.sim._handle, self._id)
        return force, torque

    def clearance(self, cloth: Cloth) -> float:
        """Least distance of the cloth, m; negative inside."""
        return _w.collider_clearance(self.sim._handle, self._id, cloth._number(self.sim))


class Attachment(_Thing):
    """Holds nodes."""

    _what = "attachment"

    def set_targets(self, targets: ArrayLike) -> None:
        """Where they are held from the end of the next step on, m."""
        _w.attachment_set_targets(self.sim._handle, self._id, targets)

    def add_nodes(self, nodes: ArrayLike, targets: Optional[ArrayLike] = None) -> None:
        """Holds these, too, where they are or at targets."""
        _w.attachment_nodes(self.sim._handle, self._id, nodes, targets)

    def drop_nodes(self, nodes: ArrayLike) -> None:
        """Holds these no longer."""
        _w.attachment_nodes(self.sim._handle, self._id, nodes, False)

    @property
    def nodes(self) -> Ints:
        """Those it holds: numbers change where a cloth adapts."""
        rows: Ints = array_of(_w.attachment_get(self.sim._handle, self._id)[0], "i")
        return rows

    def force(self) -> Tuple[float, ...]:
        """What the cloth exerted on it during the last step, N."""
        return _w.attachment_get(self.sim._handle, self._id)[1]

    def forces(self) -> Floats:
        """The same node by node."""
        rows: Floats = array_of(_w.attachment_get(self.sim._handle, self._id)[2], "d", 3)
        return rows


class Tie(_Thing):
    """Springs between pairs of nodes."""

    _what = "tie"

    def set_pull(self, stiffness: ArrayLike, length: ArrayLike) -> None:
        """Of each pair: N/m, m."""
        _w.tie_set_pull(self.sim._handle, self._id, stiffness, length)

    def weld(self, within: float) -> None:
        """Sews for good what is nearer than `within`, m."""
        _w.tie_weld(self.sim._handle, self._id, within)


def stats_fields() -> Dict[str, Tuple[str, str, str]]:
    """Statistics of a step: name to (column, unit, meaning)."""
    return {name: (column, unit, text) for name, column, unit, text, _ in _w.stats_list()}


def add_stats(total: Optional[Stats], step: Stats) -> Stats:
    """Those of several steps (None: of none) and one more, each added up as it should be."""
    return _w.stats_add(total, step)


def snapshot_check(data: bytes) -> None:
    """Raises if bytes are no whole snapshot of this version."""
    _w.snapshot_check(data)


def keys_at(keys: ArrayLike, time: float) -> Tuple[Tuple[float, ...], Matrix]:
    """Where keys put a thing: position, rotation by rows."""
    position, rotation = _w.keys_at(keys, time)
    return position, rotation
