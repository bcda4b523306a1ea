# SPDX-License-Identifier: MIT
"""Patterns, bodies, garments, and sewing these."""
from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import _weft as _w
from ._arrays import ArrayLike, Floats, Ints, Path, Vec3, array_of, choice, given, numbers
from ._fabric import AdaptLike, FabricLike, SizeFn, model_of
from ._sim import Cloth, Collider, Name, Sim

PATTERNS = ("outline", "garmentcode", "dxf")
CURVES = ("line", "quadratic", "cubic", "arc")
PHASES = ("pull", "relax", "settle", "done")
Placement = Dict[str, Any]
Surface = Tuple[ArrayLike, ArrayLike]


class Pattern:
    """A sewing pattern: Pattern.read("shirt.json"), Pattern.draft("skirt", waist=0.7), or built: Pattern(), add_panel,
    add_seam. `panels` by name and `seams` say what it has; lengths in metres."""

    def __init__(self) -> None:
        self._capsule = _w.pattern_new()
        self._look()

    @classmethod
    def _of(cls, capsule: Any) -> "Pattern":
        pattern = cls.__new__(cls)
        pattern._capsule = capsule
        pattern._look()
        return pattern

    def _look(self) -> None:
        panels, self.seams = _w.pattern_info(self._capsule)
        self.panels: Dict[str, Dict[str, Any]] = {p["name"]: p for p in panels}
        self.n_seams = len(self.seams)

    @classmethod
    def read(cls, path: Path) -> "Pattern":
        """panel-outline/1, GarmentCode or DXF."""
        return cls._of(_w.pattern_read(os.fspath(path), None, 0))

    @classmethod
    def parse(cls, data: Union[bytes, str], format: Union[str, int, None] = None, name: str = "pattern") -> "Pattern":
        """The content of such a file; the format (outline, garmentcode, dxf) is found out if not told."""
        number = -1 if format is None else choice(format, PATTERNS, "format")
        return cls._of(_w.pattern_read(name, data.encode() if isinstance(data, str) else data, number))

    @classmethod
    def draft(cls, name: str, *, height: Optional[float] = None, chest: Optional[float] = None,
              waist: Optional[float] = None, hips: Optional[float] = None, neck: Optional[float] = None,
              shoulder: Optional[float] = None, arm: Optional[float] = None,
              inseam: Optional[float] = None) -> "Pattern":
        """tshirt, skirt or trousers, to measures in metres."""
        measures = given(height=height, chest=chest, waist=waist, hips=hips, neck=neck, shoulder=shoulder, arm=arm,
                         inseam=inseam)
        return cls._of(_w.pattern_draft(name, measures))

    def add_panel(self, panel: Dict[str, Any]) -> int:
        """Its number. A dict as those of `panels`: name, curves of (kind, from, control, control, radius, is_large,
        is_left) with kind 0 line, 1 quadratic, 2 cubic, 3 arc; edges of (name, first curve, how many, elastic); and, as
        wanted, label, loop_sizes, lines, notches, grain, placement."""
        number = _w.pattern_add_panel(self._capsule, panel)
        self._look()
        return number

    def add_seam(self, a: Sequence[Tuple[int, int, float, float]], b: Sequence[Tuple[int, int, float, float]], *,
                 name: Optional[str] = None, dart: bool = False, same_direction: bool = False) -> int:
        """Its number. Sides are parts (panel, edge, from, to), from and to as shares of the edge."""
        seam = {"name": name, "kind": int(bool(dart)), "a": list(a), "b": list(b), "same_direction": same_direction}
        number = _w.pattern_add_seam(self._capsule, seam)
        self._look()
        return number

    def check(self, ratio: float = 2.0) -> None:
        """Raises if outlines cross, or sides of a seam differ by more than the factor `ratio`."""
        _w.pattern_do("check", self._capsule, None, ratio, False, None, 1600.0)

    def write(self, path: Path, force: bool = False) -> None:
        """As panel-outline/1; force: over a file that is there."""
        _w.pattern_do("write", self._capsule, os.fspath(path), 2.0, force, None, 1600.0)

    def write_svg(self, path: Path, force: bool = False, *, garment: Optional["Garment"] = None,
                  width: float = 1600.0) -> None:
        """A drawing; with a garment also its mesh. width: pixels."""
        drawn = None if garment is None else garment._capsule
        _w.pattern_do("svg", self._capsule, os.fspath(path), 2.0, force, drawn, width)

    def find(self, panel: str, edge: Optional[str] = None) -> Tuple[int, int]:
        """Numbers of a panel and of an edge by their names; -1: there is none."""
        k, edge_number = _w.pattern_find(self._capsule, panel, edge)
        return k, edge_number

    def edge(self, panel: int, edge: int) -> Tuple[float, Floats]:
        """Length of an edge, m, and its points."""
        length, points = _w.pattern_edge(self._capsule, panel, edge)
        return length, array_of(points, "d", 2)

    def set_elastic(self, panel: int, edge: int, elastic: float) -> None:
        """Length at rest over length as drawn, (0, 4]; 1: none."""
        _w.pattern_set_elastic(self._capsule, panel, edge, elastic)
        self._look()

    def set_placement(self, panel: int, placement: Placement) -> None:
        """Where a panel is before it is sewn: a dict as panels have one."""
        _w.set_placement(self._capsule, panel, placement)
        self._look()

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_pattern_of, (list(self.panels.values()), self.seams))

    def __repr__(self) -> str:
        return f"<Pattern: {', '.join(self.panels)}; {self.n_seams} seams>"


_PANEL = ("name", "label", "loop_sizes", "curves", "edges", "lines", "notches", "grain", "placement")


def _pattern_of(panels: List[Dict[str, Any]], seams: List[Dict[str, Any]]) -> Pattern:
    pattern = Pattern()
    for panel in panels:
        _w.pattern_add_panel(pattern._capsule, {k: panel[k] for k in _PANEL})
    for seam in seams:
        _w.pattern_add_seam(pattern._capsule, seam)
    pattern._look()
    return pattern


def turn_panel(panel: Dict[str, Any]) -> Dict[str, Any]:
    """A panel drawn seen from its inside, seen from its outside."""
    return _w.panel_turn({k: panel[k] for k in _PANEL if k in panel})


def curves_turn(panel: Dict[str, Any]) -> float:
    """Twice the area within its curves' ends, m²; positive if they run counter-clockwise, as outlines must."""
    return _w.curves_turn(panel)


def placement_at(placement: Placement, drawn: ArrayLike) -> Floats:
    """Where a placement puts points of a panel's drawing, m."""
    rows: Floats = array_of(_w.placement_at(placement, drawn), "d", 3)
    return rows


def drafts() -> Dict[str, str]:
    """Patterns that Pattern.draft knows."""
    return dict(_w.draft_list())


# ---- bodies ------------------------------------------------------------------------------------------------------


def form(arm_angle: float = 45.0, n_triangles: int = 26000, *, height: Optional[float] = None,
         chest: Optional[float] = None, waist: Optional[float] = None, hips: Optional[float] = None,
         neck: Optional[float] = None, shoulder: Optional[float] = None, arm: Optional[float] = None,
         inseam: Optional[float] = None) -> Tuple[Floats, Ints]:
    """A dress form to measures in metres: positions and triangles. arm_angle: degrees below the horizontal."""
    measures = given(height=height, chest=chest, waist=waist, hips=hips, neck=neck, shoulder=shoulder, arm=arm,
                     inseam=inseam)
    x, t, _ = _w.form(measures, {"arm_angle": arm_angle, "n_triangles": n_triangles})
    return array_of(x, "d", 3), array_of(t, "i", 3)


class Body:
    """A closed mesh that wears garments, metres, y up, facing +z, and its landmarks."""

    def __init__(self, positions: ArrayLike, triangles: ArrayLike) -> None:
        self.surface: Surface = (positions, triangles)
        self._capsule = _w.body_create(positions, triangles)

    @property
    def landmarks(self) -> Dict[str, Any]:
        """low, high, waist.girth, shoulder[0] …: names as in weft/body.h; 0 is left."""
        return dict(_w.body_landmarks(self._capsule, None))

    def set_landmarks(self, landmarks: Dict[str, Any]) -> None:
        """Better known ones; those left out stay."""
        _w.body_landmarks(self._capsule, landmarks)

    def read_landmarks(self, path: Path) -> None:
        """Those that a JSON file tells; others stay."""
        self.set_landmarks(_w.landmarks_read(os.fspath(path), None, self.landmarks))

    def parse_landmarks(self, data: Union[bytes, str], name: str = "landmarks") -> None:
        """The same of the content of such a file."""
        self.set_landmarks(_w.landmarks_read(name, data.encode() if isinstance(data, str) else data, self.landmarks))

    def write_landmarks(self, path: Path, force: bool = False) -> None:
        """As JSON."""
        _w.landmarks_write(os.fspath(path), self.landmarks, force)

    def distance(self, points: ArrayLike) -> Floats:
        """From the surface, m; negative inside."""
        rows: Floats = array_of(_w.body_distance(self._capsule, points), "d")
        return rows

    def slice(self, point: Vec3, normal: Vec3) -> List[Floats]:
        """Closed polygons that a plane cuts out of it."""
        at, across = numbers(point, 3, "point"), numbers(normal, 3, "normal")
        return [array_of(b, "d", 3) for b in _w.body_slice(self._capsule, at, across)]

    def __repr__(self) -> str:
        marks = self.landmarks
        return f"<Body {marks['high'] - marks['low']:.2f} m, waist {marks['waist.girth']:.2f} m>"


# ---- garments ----------------------------------------------------------------------------------------------------


class Garment:
    """A pattern cut into a mesh. `data`: uv, drawn, positions, triangles, quads, face_panel, pairs of (a, b, seam),
    edge_start, edge_nodes, lines, panels, quality."""

    def __init__(self, pattern: Pattern, size: Optional[float] = None, *, seam_ratio: Optional[float] = None,
                 turn: Optional[float] = None) -> None:
        self.pattern = pattern
        self._capsule = _w.garment_create(pattern._capsule, given(size=size, seam_ratio=seam_ratio, turn=turn))

    @property
    def data(self) -> Dict[str, Any]:
        """Everything that it is, as arrays."""
        d = dict(_w.garment_data(self._capsule))
        for name, kind, columns in (("uv", "d", 2), ("drawn", "d", 2), ("positions", "d", 3), ("triangles", "i", 3),
                                    ("quads", "i", 4), ("face_panel", "i", 1), ("pairs", "i", 3),
                                    ("edge_start", "i", 1), ("edge_nodes", "i", 1)):
            d[name] = array_of(d[name], kind, columns)
        d["lines"] = [(panel, line, array_of(nodes, "i")) for panel, line, nodes in d["lines"]]
        return d

    def fit(self, body: Body, *, clearance: Optional[float] = None, gap: Optional[float] = None,
            ignore_hints: Optional[bool] = None, worn: Optional[Surface] = None) -> List[Dict[str, Any]]:
        """Puts every panel round a body, outside of what it wears already; tells how each was put."""
        x, t = worn if worn is not None else (None, None)
        return _w.garment_fit(self._capsule, self.pattern._capsule, body._capsule,
                              given(clearance=clearance, gap=gap, ignore_hints=ignore_hints), x, t)

    def set_placement(self, panel: int, placement: Placement) -> None:
        """Puts the nodes of a panel elsewhere."""
        _w.set_placement(self._capsule, panel, placement)

    def __repr__(self) -> str:
        d = self.data
        return f"<Garment: {len(d['uv'])} nodes, {len(d['panels'])} panels, {len(d['pairs'])} pairs to be sewn>"


class Sewing:
    """Sews a garment that is placed, in a simulation that has the body as a collider: step() until `phase` is done.
    Worn one over the other, the inner is sewn first."""

    def __init__(self, sim: Sim, garment: Garment, body: Optional[Collider] = None, *,
                 seam_stage: Optional[ArrayLike] = None, speed: Optional[float] = None,
                 tension: Optional[float] = None, within: Optional[float] = None, at_last: Optional[float] = None,
                 hem: Optional[float] = None, step: Optional[float] = None, sew_time: Optional[float] = None,
                 relax_time: Optional[float] = None, settle_time: Optional[float] = None,
                 still: Optional[float] = None, gravity: Optional[Vec3] = None,
                 sew_viscosity: Optional[float] = None, settle_viscosity: Optional[float] = None,
                 end_viscosity: Optional[float] = None, fabric: FabricLike = None,
                 fabrics: Optional[Sequence[FabricLike]] = None, face_fabric: Optional[ArrayLike] = None,
                 panel_fabric: Optional[ArrayLike] = None, adapt: AdaptLike = None, size: Optional[SizeFn] = None,
                 stretch: Name = None, law: Name = None, bending: Name = None, limit: Name = None) -> None:
        options = given(speed=speed, tension=tension, within=within, at_last=at_last, hem=hem, step=step,
                        sew_time=sew_time, relax_time=relax_time, settle_time=settle_time, still=still,
                        gravity=gravity, sew_viscosity=sew_viscosity, settle_viscosity=settle_viscosity,
                        end_viscosity=end_viscosity)
        model = model_of(fabric=fabric, fabrics=fabrics, face_fabric=face_fabric, panel_fabric=panel_fabric,
                         adapt=adapt, size=size, stretch=stretch, law=law, bending=bending, limit=limit)
        self.sim, self.garment = sim, garment
        self._capsule = _w.sew_create(sim._handle, garment._capsule, garment.pattern._capsule,
                                      body._number(sim) if body else None, options, model, seam_stage)
        self.cloth: Cloth = sim._keep(_w.sew_cloth(self._capsule))
        self.state: Dict[str, Any] = {"phase": "pull", "n_steps": 0}

    def step(self) -> Dict[str, Any]:
        """One step; phase, gap, n_welded … as they are then."""
        state = _w.sew_step(self._capsule)
        state["phase"] = PHASES[state["phase"]]
        self.state = state
        return state

    def steps(self) -> Iterator[Dict[str, Any]]:
        """All steps that are left."""
        while self.state["phase"] != "done":
            yield self.step()

    def seams(self) -> List[Dict[str, Any]]:
        """name, n_pairs, lengths, gap, gap_pulled, welded of each."""
        return [_w.sew_seam(self._capsule, i) for i in range(self.garment.pattern.n_seams)]

    def same(self) -> Ints:
        """Per node of the garment, the node of lowest number that seams join it to: for check."""
        rows: Ints = array_of(_w.sew_same(self._capsule, len(self.garment.data["uv"])), "i")
        return rows

    def __repr__(self) -> str:
        return f"<Sewing, {self.state['phase']} after {self.state['n_steps']} steps>"


class Sewn:
    """A garment that was sewn: `sim`, `cloth`, `body`, `report`, and the `sewing` with its seams."""

    def __init__(self, sewing: Sewing, body: Collider) -> None:
        self.sewing, self.body = sewing, body
        self.sim, self.cloth, self.report = sewing.sim, sewing.cloth, sewing.state

    def __repr__(self) -> str:
        r = self.report
        return f"<Sewn: {r['n_welded']} of {r['n_seams']} seams, {r['n_steps']} steps>"

    def _repr_html_(self) -> str:
        from ._view import page_of
        return page_of(self).frame()


def sew(pattern: Pattern, body: Union[Body, Surface], *, size: Optional[float] = None, fabric: FabricLike = None,
        progress: Optional[Callable[[int, str], Any]] = None, n_threads: int = 1, **options: Any) -> Sewn:
    """Cuts a pattern with edges of `size` m, puts it round a body (or positions, triangles), sews it and lets it
    settle. progress(n_steps, phase) is called after each step; what it returns, if false but not None, stops. Other
    options are those of Sewing."""
    on = body if isinstance(body, Body) else Body(*body)
    garment = Garment(pattern, size)
    garment.fit(on)
    sim = Sim(n_threads=n_threads)
    solid = sim.add_collider("mesh", vertices=on.surface[0], triangles=on.surface[1])
    sewing = Sewing(sim, garment, solid, fabric=fabric, **options)
    for state in sewing.steps():
        goes_on = progress(state["n_steps"], state["phase"]) if progress else True
        if goes_on is not None and not goes_on:
            from ._errors import Cancelled
            raise Cancelled("progress said stop", -13)
    return Sewn(sewing, solid)
