# SPDX-License-Identifier: MIT
"""Meshes without a simulation: the exact check, untangling, collision detection, files."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Sequence, Tuple, TypedDict, Union

from . import _weft as _w
from ._arrays import ArrayLike, Floats, Ints, Longs, Path, Vec3, array_of, array_or_none, choice, given, new_array

DETECT = ("proven", "fast", "cones", "classical")
METHODS = ("cloth", "contours")
VERDICTS = ("repaired", "distorted", "tangled", "not repairable")
MESHES = ("obj", "ply", "stl")
SOLIDS = ("plane", "sphere", "capsule", "cylinder", "box")
PRIMITIVES = ("vertex_triangle", "edge_edge")


class Solid(TypedDict, total=False):
    """An analytic collider for check and untangle: kind is its name, the rest as Sim.add_collider has it."""

    kind: Union[str, int]
    radius: float
    height: float
    size: Vec3
    position: Vec3
    rotation: Sequence[float]


Filter = Union[Tuple[int, int], Tuple[int, int, bool]]


def _rows(filters: Optional[Sequence[Filter]]) -> Any:
    """Category, mask and, if it is not told, true."""
    return None if filters is None else [(*f, True) if isinstance(f, tuple) and len(f) == 2 else f for f in filters]


def _solids(solids: Sequence[Solid]) -> List[Dict[str, Any]]:
    for k, s in enumerate(solids):
        if not isinstance(s, dict):
            raise TypeError(f"solids[{k}] is {s!r}, it must be a dict")
    return [{**s, "kind": choice(s.get("kind", "plane"), SOLIDS, "kind")} for s in solids]


class Check:
    """Where surfaces intersect; true if they do, or are too near solids. Arrays by pair: `pairs` the two triangles,
    `kinds` 1 cross, 2 coplanar, 3 degenerate, `ends` of the segment they share, m. `contours`: lines as arrays of
    points, m; `contour_info`: length, centre, box … of each contour. `near`: (triangle, solid, distance m, place) of
    triangles too near solids; `degenerate`: triangles without area."""

    def __init__(self, found: Tuple[Any, ...], more: Tuple[Any, ...], positions: Any, triangles: Any) -> None:
        pairs, kinds, ends, lines, self.n_contours, self.n_cloth_pairs, self.n_collider_pairs, self.n_tested = found
        self.pairs: Ints = array_of(pairs, "i", 2)
        self.kinds: Ints = array_of(kinds, "i")
        self.ends: Floats = array_of(ends, "d", 6)
        self.contours: List[Floats] = [array_of(points, "d", 3) for _, _, points in lines]
        self._lines = [(contour, closed) for contour, closed, _ in lines]
        self.contour_info: List[Dict[str, Any]] = more[0]
        self.near: List[Tuple[int, int, float, Tuple[float, ...]]] = more[1]
        self.degenerate: Ints = array_of(more[2], "i")
        self._surface = (positions, triangles)

    def __bool__(self) -> bool:
        return len(self.pairs) > 0 or len(self.near) > 0

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        near = f", {len(self.near)} triangles too near solids" if self.near else ""
        return f"<Check: {len(self.pairs)} pairs intersect, {self.n_contours} contours{near}>"

    def _repr_html_(self) -> str:
        from ._view import page_of
        return page_of(self).frame()


def check(positions: ArrayLike, triangles: ArrayLike, *, objects: Optional[ArrayLike] = None,
          colliders: Optional[ArrayLike] = None, same: Optional[ArrayLike] = None, solids: Sequence[Solid] = (),
          thickness: Optional[ArrayLike] = None, filters: Optional[Sequence[Filter]] = None,
          solid_filters: Optional[Sequence[Filter]] = None, n_threads: int = 1) -> Check:
    """Where do triangles intersect? Exact. `objects`: of each triangle; `colliders`: objects not tested together;
    `same`: of each node, one that it is sewn to; `thickness`: of each object, to be kept from solids, m; `filters` of
    each object and `solid_filters` of each solid, as Cloth.filter and Collider.filter give them: what does not collide
    is not looked at."""
    found, more = _w.audit(positions, triangles, objects, colliders, same, _solids(solids), thickness,
                           _rows(filters), _rows(solid_filters), n_threads)
    return Check(found, more, positions, triangles)


def untangle(positions: ArrayLike, triangles: ArrayLike, *, objects: Optional[ArrayLike] = None,
             colliders: Optional[ArrayLike] = None, masses: Optional[ArrayLike] = None,
             rigid: Optional[ArrayLike] = None, sides: Optional[ArrayLike] = None,
             layers: Optional[ArrayLike] = None, solids: Sequence[Solid] = (), method: Union[str, int] = "cloth",
             thickness: Optional[float] = None, gap: Optional[float] = None, step: Optional[float] = None,
             rigid_step: Optional[float] = None, average: Optional[bool] = None,
             fixed_strategy: Optional[bool] = None, as_published: Optional[bool] = None,
             keep_shape: Optional[bool] = None, max_iterations: Optional[int] = None,
             pair_limit: Optional[int] = None, n_threads: Optional[int] = None) -> Tuple[Floats, Dict[str, Any]]:
    """Positions in which less intersects, and a report: `verdict` is repaired, distorted, tangled or not repairable;
    there is no guarantee that nothing intersects. `objects`: of each triangle; `colliders` do not move, `rigid` ones
    move as a whole; `sides` of each object: 0 found out, 1 out, -1 in, 2 none; `layers`: rows of inner and outer
    object."""
    options = given(thickness=thickness, gap=gap, step=step, rigid_step=rigid_step, average=average,
                    fixed_strategy=fixed_strategy, as_published=as_published, keep_shape=keep_shape,
                    max_iterations=max_iterations, pair_limit=pair_limit, n_threads=n_threads)
    options["method"] = choice(method, METHODS, "method")
    x, report = _w.untangle(positions, triangles, objects, colliders, masses, rigid, sides, layers, _solids(solids),
                            options)
    report["verdict"] = VERDICTS[report["verdict"]]
    report["method"] = METHODS[report["method"]]
    return array_of(x, "d", 3), report


class Hit:
    """`time` of contact in [0, 1], proven lower bound `time_lower`, `weights` of the four corners, `normal`."""

    def __init__(self, time: float, time_lower: float, weights: Tuple[float, ...], normal: Tuple[float, ...]) -> None:
        self.time, self.time_lower, self.weights, self.normal = time, time_lower, weights, normal

    def __repr__(self) -> str:
        return f"<Hit at {self.time:g}>"


def ccd(kind: str, x0: ArrayLike, x1: ArrayLike, thickness: float = 0.0) -> Optional[Hit]:
    """Do a vertex and a triangle ("vertex_triangle") or two edges ("edge_edge") meet on their way? Never a miss."""
    hit = _w.ccd(bool(choice(kind, PRIMITIVES, "kind")), x0, x1, thickness)
    return Hit(*hit) if hit else None


def ccd_thickness(kind: str, x: ArrayLike, thickness: float, factor: float) -> float:
    """The thickness to ask with where pairs may be closer than they should."""
    return _w.ccd_thickness(bool(choice(kind, PRIMITIVES, "kind")), x, thickness, factor)


def ccd_find(kind: str, x0: ArrayLike, x1: ArrayLike, primitives: ArrayLike, pairs: ArrayLike,
             thickness: float = 0.0) -> Longs:
    """Which of many pairs meet: their numbers."""
    found: Longs = array_of(_w.ccd_many(bool(choice(kind, PRIMITIVES, "kind")), x0, x1, primitives, pairs, thickness),
                            "q")
    return found


class Detected:
    """`vertex_triangle`, `edge_edge` (of `edges`) and `triangle_pairs` that may touch."""

    def __init__(self, found: Tuple[bytes, bytes, bytes, bytes]) -> None:
        arrays: List[Ints] = [array_of(b, "i", 2) for b in found]
        self.vertex_triangle, self.edge_edge, self.triangle_pairs, self.edges = arrays

    def __repr__(self) -> str:
        return (f"<Detected: {len(self.vertex_triangle)} vertex–triangle, {len(self.edge_edge)} edge–edge, "
                f"{len(self.triangle_pairs)} triangle pairs>")


def detect(positions: ArrayLike, triangles: ArrayLike, *, moved: Optional[ArrayLike] = None,
           objects: Optional[ArrayLike] = None, fixed: Optional[ArrayLike] = None, inflate: float = 0.0,
           thickness: float = 0.0, mode: Union[str, int] = "proven", triangle_pairs: bool = False,
           n_threads: int = 1) -> Detected:
    """Which primitives may touch, at `positions` or on the way to `moved`; boxes are larger by `inflate`, m."""
    return Detected(_w.detect(positions, moved, triangles, objects, fixed, inflate, thickness,
                              choice(mode, DETECT, "mode"), triangle_pairs, n_threads))


# ---- files -------------------------------------------------------------------------------------------------------


class Mesh:
    """Polygons of a file: face i has the corners face_start[i] to face_start[i + 1], which are nodes; `uv` and
    `corner_uv`, `groups` and `face_group` as the file has them, or None; `triangles`: the polygons cut into them."""

    def __init__(self, data: Dict[str, Any]) -> None:
        self.positions: Floats = array_of(data["positions"], "d", 3)
        self.face_start: Ints = array_of(data["face_start"], "i")
        self.corners: Ints = array_of(data["corners"], "i")
        self.triangles: Ints = array_of(data["triangles"], "i", 3)
        self.uv: Optional[Floats] = array_or_none(data["uv"], "d", 2)
        self.corner_uv: Optional[Ints] = array_or_none(data["corner_uv"], "i")
        self.face_group: Optional[Ints] = array_or_none(data["face_group"], "i")
        self.groups: List[str] = data["groups"]

    @classmethod
    def read(cls, path: Path) -> "Mesh":
        """An OBJ, PLY or STL file."""
        return cls(_w.mesh_read(os.fspath(path), None, 0))

    @classmethod
    def parse(cls, data: Union[bytes, str], format: Union[str, int] = "obj", name: str = "mesh") -> "Mesh":
        """The content of such a file; `name` stands for it in messages."""
        return cls(_w.mesh_read(name, data.encode() if isinstance(data, str) else data,
                                choice(format, MESHES, "format")))

    def write(self, path: Path) -> None:
        """OBJ, PLY or STL by the name's ending, without loss."""
        _w.mesh_write(os.fspath(path), _format_of(path), self.positions, self.face_start, self.corners, self.uv,
                      self.corner_uv)

    def __repr__(self) -> str:
        return f"<Mesh: {len(self.positions)} nodes, {len(self.face_start) - 1} faces>"


def _format_of(path: Path) -> int:
    return choice(os.path.splitext(os.fspath(path))[1].lower().lstrip("."), MESHES, "the file's ending")


def read_mesh(path: Path) -> Tuple[Floats, Ints]:
    """Positions and triangles of an OBJ, PLY or STL file. Mesh.read has polygons and uv."""
    mesh = Mesh.read(path)
    return mesh.positions, mesh.triangles


def write_mesh(path: Path, positions: ArrayLike, triangles: ArrayLike) -> None:
    """OBJ, PLY or STL by the name's ending, without loss."""
    x = array_of(_w.points_of(positions), "d", 3)
    n, corners = _w.corners_of(triangles, len(x))
    _w.mesh_write(os.fspath(path), _format_of(path), x, range(0, 3 * n + 1, 3), array_of(corners, "i"), None, None)


class Motion:
    """Points that move over one topology: PC2, MDD, or an OBJ sequence given as "name_####.obj"."""

    def __init__(self, path: Path, fps: float = 60.0) -> None:
        self.path = os.fspath(path)
        self.fps = fps
        self._capsule, self.n_points, self.n_frames, self.start, self.duration = _w.motion_open(self.path, fps)

    def __len__(self) -> int:
        return int(self.n_frames)

    def sample(self, time: float, out: Any = None) -> Floats:
        """At a time, s, linear between frames; m."""
        rows: Floats = new_array((self.n_points, 3)) if out is None else out
        _w.motion_points(self._capsule, -1, time, rows)
        return rows

    def frame(self, number: int, out: Any = None) -> Tuple[float, Floats]:
        """The time of a frame, s, and its points, m."""
        if not 0 <= number < self.n_frames:
            raise IndexError(f"frame {number} of {self.n_frames}")
        rows: Floats = new_array((self.n_points, 3)) if out is None else out
        return _w.motion_points(self._capsule, number, 0.0, rows), rows

    def file(self, number: int) -> Optional[str]:
        """The file of a frame of a sequence."""
        return _w.motion_file(self._capsule, number)

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Motion, (self.path, self.fps))

    def __repr__(self) -> str:
        return f"<Motion {self.path}: {self.n_points} points, {self.n_frames} frames>"
