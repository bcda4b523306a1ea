# SPDX-License-Identifier: MIT
"""Looking at things: the 3D player of reports, in notebooks and in the browser.

A page is one file with everything in it, which needs no network. In a notebook it stands in a frame of its own, so that
neither disturbs the other."""
from __future__ import annotations

import html
import math
import os
import pathlib
import re
import tempfile
import webbrowser
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import _weft as _w
from ._arrays import ArrayLike, Path, array_of
from ._garment import Sewn
from ._mesh import Check
from ._scene import Frame, Run, Scene, Stage
from ._sim import COLLIDERS, Sim

Color = Tuple[float, float, float]
FRONTS: Sequence[Color] = ((0.80, 0.26, 0.22), (0.20, 0.42, 0.70), (0.25, 0.55, 0.35), (0.75, 0.55, 0.15))
BACK: Color = (0.86, 0.78, 0.62)
SOLID: Color = (0.62, 0.64, 0.68)
MOST = 8e6  # bytes of frames in a page


class Page:
    """A player as HTML: `frame()` for notebooks, `write(path)` a whole file, `text()` it."""

    def __init__(self, head: str, chunks: List[str], title: str, n_frames: int, error: float) -> None:
        self.title, self.n_frames, self.error = title, n_frames, error
        self._head, self._chunks = head, chunks

    def text(self) -> str:
        """The file's content."""
        folder = pathlib.Path(__file__).parent
        body = (folder / "player.html").read_text("utf-8")
        body = body.replace("<!-- include player_parts.html -->\n", (folder / "player_parts.html").read_text("utf-8"))
        body = re.sub(r"<!-- if clip_head -->\n", "", body)
        body = re.sub(r"<!-- each clip_chunk -->\n(.*?)<!-- end -->\n",
                      lambda m: "".join(m[1].replace("{{clip_bytes}}", c) for c in self._chunks), body, flags=re.S)
        body = body.replace("<!-- end -->\n", "").replace("{{clip_head}}", html.escape(self._head))
        body = body.replace("<!-- include player.js -->", (folder / "player.js").read_text("utf-8"))
        style = (folder / "player.css").read_text("utf-8")
        return (f"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                f"<meta name=\"viewport\" content=\"width=device-width\">\n<title>{html.escape(self.title)}</title>\n"
                f"<style>{_colors()}{style}{_STYLE}</style></head>\n<body>\n{body}</body></html>\n")

    def frame(self, height: int = 490) -> str:
        """For a notebook: the page in a frame of its own."""
        return (f'<iframe srcdoc="{html.escape(self.text())}" title="{html.escape(self.title)}" '
                f'style="width:100%;height:{height}px;border:0" allow="fullscreen"></iframe>')

    def _repr_html_(self) -> str:
        return self.frame()

    def write(self, path: Path) -> str:
        """Its path."""
        pathlib.Path(path).write_text(self.text(), "utf-8")
        return os.fspath(path)

    def __repr__(self) -> str:
        return f"<Page {self.title}: {self.n_frames} frames>"


def _colors() -> str:
    """Those that the reports have: the rules of :root."""
    style = (pathlib.Path(__file__).parent / "style.css").read_text("utf-8")
    light = re.search(r"^:root \{.*?^\}", style, re.S | re.M)
    dark = re.search(r"^@media \(prefers-color-scheme: dark\) \{\s*:root \{.*?\}\s*\}", style, re.S | re.M)
    return "\n".join(rule[0] for rule in (light, dark) if rule)


_STYLE = """
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: var(--bg); color: var(--ink) }
.weft-player { margin: 0 }
.weft-stage > canvas { height: max(240px, calc(100vh - 150px)) }
"""


class Clip:
    """Frames for the player. Clip(sim) shows a simulation's cloths and colliders: add() takes a frame of it; view(clip)
    or the last line of a notebook's cell shows them."""

    def __init__(self, sim: Optional[Sim] = None, *, title: str = "Weft", fps: float = 60.0) -> None:
        self._capsule = _w.clip_create(title, fps)
        self.sim, self.title, self.n_frames = sim, title, 0
        self._parts: List[Tuple[Any, int]] = []
        self._meshes: Dict[int, Any] = {}  # per part what tells its topology
        self._n_cloths = 0
        if sim is not None:
            self._cover(sim)

    def _part(self, name: str, is_collider: bool = False, front: Optional[Color] = None, back: Color = BACK) -> int:
        if front is None:
            front = SOLID if is_collider else FRONTS[self._n_cloths % len(FRONTS)]
            self._n_cloths += not is_collider
        return _w.clip_part_add(self._capsule, name, is_collider, front, SOLID if is_collider else back)

    def _cover(self, sim: Sim) -> None:
        self._cloths = [(c, self._part(f"cloth {i + 1}")) for i, c in enumerate(sim.cloths)]
        self._solids, self._bodies = [], []
        for i, c in enumerate(sim.colliders):
            kind = c.info["kind"]
            name = str(c.definition.get("name", f"{COLLIDERS[kind]} {i + 1}"))
            if kind == COLLIDERS.index("mesh"):
                self._bodies.append((c, self._part(name, True)))
            else:
                d = {k: v for k, v in c.definition.items() if k in ("radius", "height", "size")}
                color = c.definition.get("color", SOLID)
                self._solids.append((c, _w.clip_solid_add(self._capsule, name, {**d, "kind": kind}, color)))

    def begin(self, number: int, time: float) -> None:
        """A new frame."""
        _w.clip_frame_add(self._capsule, number, time)
        self.n_frames += 1

    def put(self, part: int, key: Any, positions: ArrayLike, triangles: Any, *, n_nodes: int,
            rest_lengths: Optional[ArrayLike] = None, uv: Optional[ArrayLike] = None,
            levels: Optional[bytes] = None) -> None:
        """A part's points in this frame; the mesh, too, where `key` is another than before."""
        if part not in self._meshes or self._meshes[part] != key:
            _w.clip_mesh_set(self._capsule, part, n_nodes, triangles() if callable(triangles) else triangles,
                             rest_lengths, uv, levels)
            self._meshes[part] = key
        _w.clip_points_set(self._capsule, part, positions)

    def add(self) -> None:
        """A frame of the simulation as it is now."""
        if self.sim is None:
            raise ValueError("this clip is of no simulation")
        self.begin(self.n_frames, self.sim.time)
        for cloth, part in self._cloths:
            key = cloth.info["revision"]
            fresh = self._meshes.get(part) != key
            self.put(part, key, cloth.positions(), cloth.triangles, n_nodes=cloth.n_nodes,
                     rest_lengths=cloth.rest_lengths() if fresh else None, uv=cloth.uv() if fresh else None,
                     levels=bytes(cloth.levels()) if fresh else None)
            _w.clip_pressures_set(self._capsule, part, cloth.pressures())
        for body, part in self._bodies:
            self.put(part, 0, body.vertices(), body.triangles, n_nodes=body.info["n_vertices"])
        for solid, number in self._solids:
            _w.clip_pose_set(self._capsule, number, *solid.pose())

    def page(self, *, megabytes: float = MOST / 1e6) -> Page:
        """The player with these frames; more than `megabytes` are coarser, then fewer."""
        if self.n_frames == 0:
            raise ValueError("the clip has no frame yet: add() takes one")
        head, chunks, n_frames, error = _w.clip_text(self._capsule, 1e6 * megabytes, 0.05, 4)
        return Page(head, chunks, self.title, n_frames, error)

    def _repr_html_(self) -> str:
        return self.page().frame()

    def __repr__(self) -> str:
        return f"<Clip {self.title}: {self.n_frames} frames>"


def _surface_clip(title: str, positions: ArrayLike, triangles: ArrayLike, check: Optional[Check] = None) -> Clip:
    x = array_of(_w.points_of(positions), "d", 3)
    n, corners = _w.corners_of(triangles, len(x))
    clip = Clip(title=title)
    part = clip._part("surface")
    clip.begin(0, 0.0)
    clip.put(part, 0, x, array_of(corners, "i", 3), n_nodes=len(x))
    if check is not None:
        blame = bytearray(n)
        for pair in check.pairs.tolist():
            blame[pair[0]] = blame[pair[1]] = 1
        for triangle, _, _, _ in check.near:
            blame[triangle] = blame[triangle] or 2
        _w.clip_blame_set(clip._capsule, part, bytes(blame))
        for points, (contour, closed) in zip(check.contours, check._lines):
            _w.clip_line_add(clip._capsule, points, closed, contour)
    return clip


def _frames_clip(run: Run, frames: Sequence[Frame]) -> Clip:
    clip = Clip(title=os.path.basename(os.path.abspath(run.path)), fps=run.info["fps"])
    parts = [clip._part(name) for name in run.info["cloths"]]
    scene = _scene_of(frames)
    solids: List[Tuple[int, int, bool]] = []
    for i, c in enumerate(scene.colliders() if scene else []):
        if not c["visible"]:
            continue
        if c["is_mesh"]:
            solids.append((i, clip._part(c["name"], True, c["color"]), True))
        else:
            definition = {k: c[k] for k in ("kind", "radius", "height", "size")}
            solids.append((i, _w.clip_solid_add(clip._capsule, c["name"], definition, c["color"]), False))
    for frame in frames:
        clip.begin(frame.number, frame.time)
        for k, part in enumerate(parts):
            t = frame.topology(k)
            levels = None if t["levels"] is None else bytes(t["levels"])
            clip.put(part, (t["revision"], t["n_nodes"], len(t["triangles"])), frame.positions(k), t["triangles"],
                     n_nodes=t["n_nodes"], rest_lengths=t["rest_lengths"], levels=levels)
            _w.clip_pressures_set(clip._capsule, part, frame.pressures(k))
        for i, number, is_mesh in solids:
            _pose(clip, scene, i, number, is_mesh, frame.time)
    return clip


def _pose(clip: Clip, scene: Any, collider: int, number: int, is_mesh: bool, time: float) -> None:
    if is_mesh:
        x, t = scene.collider_mesh(collider, time)
        clip.put(number, 0, x, t, n_nodes=len(x))
    else:
        _w.clip_pose_set(clip._capsule, number, *scene.collider_pose(collider, time))


def _scene_of(frames: Sequence[Frame]) -> Optional[Scene]:
    """Meshes that are no longer there are left out with all of the scene."""
    try:
        scene = frames[-1].scene() if frames else None
        for i, c in enumerate(scene.colliders() if scene else []):
            if scene and c["is_mesh"] and c["visible"]:
                scene.collider_mesh(i, 0.0)
        return scene
    except (ValueError, OSError, LookupError):
        return None


def clip_of(thing: Any) -> Clip:
    """The frames that show a thing."""
    if isinstance(thing, Clip):
        return thing
    if isinstance(thing, Run):
        n = len(thing)
        every = max(1, math.ceil(n / 300))
        numbers = list(range(0, n, every))
        if n and numbers[-1] != n - 1:
            numbers.append(n - 1)
        return _frames_clip(thing, [thing[i] for i in numbers])
    if isinstance(thing, Frame):
        return _frames_clip(thing.run, [thing])
    if isinstance(thing, Check):
        return _surface_clip("where it intersects", *thing._surface, thing)
    if isinstance(thing, tuple) and len(thing) == 2:
        return _surface_clip("a mesh", *thing)
    if isinstance(thing, Scene):
        with thing.stage() as stage:
            return clip_of(stage)
    sim = thing if isinstance(thing, Sim) else getattr(thing, "sim", None)
    if not isinstance(sim, Sim):
        raise TypeError(f"thing is a {type(thing).__name__}, which cannot be shown: a Sim, Stage, Sewn, Scene, Run, "
                        "Frame, Check or Clip can, and a tuple of positions and triangles")
    name = thing.scene.info["name"] if isinstance(thing, Stage) else "a simulation"
    clip = Clip(sim, title=str(name))
    clip.add()
    return clip


def page_of(thing: Any) -> Page:
    return clip_of(thing).page()


def view(thing: Union[Sim, Stage, Sewn, Scene, Run, Frame, Check, Clip, Tuple[ArrayLike, ArrayLike]],
         path: Optional[Path] = None, *, show: bool = True, megabytes: float = MOST / 1e6) -> Page:
    """Shows a thing in the 3D player: opens the browser (show), or, in a notebook, is the cell's output. `path`: the
    file that is written; else one in the folder for temporary files."""
    page = clip_of(thing).page(megabytes=megabytes)
    in_notebook = "get_ipython" in dir(__import__("builtins"))
    if path is not None:
        page.write(path)
    if show and not in_notebook:
        if path is None:
            number, path = tempfile.mkstemp(prefix="weft-", suffix=".html")
            os.close(number)
            page.write(path)
        webbrowser.open(pathlib.Path(path).absolute().as_uri())
    return page
