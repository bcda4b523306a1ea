# SPDX-License-Identifier: MIT
"""Scenes, and runs in files."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import _weft as _w
from ._arrays import ArrayLike, Floats, Ints, Levels, Path, array_of, array_or_none, choice, given, new_array
from ._mesh import Check, check
from ._sim import Cloth, Collider, Sim

AXES = ("y", "z")
Sets = Union[Sequence[str], Mapping[str, Any]]


def _plain(value: Any) -> Any:
    """For JSON: arrays and numbers of numpy, paths."""
    return value.tolist() if hasattr(value, "tolist") else os.fspath(value)


def _texts(sets: Sets) -> List[str]:
    """Values of a mapping become JSON, which YAML contains."""
    if isinstance(sets, Mapping):
        return [f"{path}={json.dumps(value, default=_plain)}" for path, value in sets.items()]
    if isinstance(sets, str):
        raise TypeError(f"sets is {sets!r}, it must be a list of texts, or a dict")
    return list(sets)


class Scene:
    """A scene: Scene.load("x.yaml"), Scene.parse(text), or built in Python, Scene({"cloths": …}), with the keys of
    scene files (scene_reference()). content() gives such a dict of any scene, to be edited. `sets` change values: a
    dict {"cloths.sheet.fabric": "silk"}, or texts "cloths.sheet.fabric=silk"."""

    def __init__(self, content: Mapping[str, Any], sets: Sets = (), name: str = "scene",
                 folder: Optional[str] = ".") -> None:
        self._open((name, json.dumps(content, default=_plain), _texts(sets), folder))

    def _open(self, source: Tuple[Any, ...]) -> None:
        self._source = source
        self._capsule = _w.scene_load(*source)
        self.info: Dict[str, Any] = _w.scene_info(self._capsule)

    @classmethod
    def _of(cls, source: Tuple[Any, ...]) -> "Scene":
        scene = cls.__new__(cls)
        scene._open(source)
        return scene

    @classmethod
    def load(cls, path: Path, sets: Sets = ()) -> "Scene":
        """A YAML or JSON file."""
        return cls._of((os.path.abspath(os.fspath(path)), None, _texts(sets), None))

    @classmethod
    def parse(cls, text: str, sets: Sets = (), name: str = "scene", folder: Optional[str] = ".") -> "Scene":
        """The text of such a file; `name` stands for it in messages, meshes are looked for from `folder`."""
        return cls._of((name, text, _texts(sets), folder))

    def set(self, *sets: Union[str, Mapping[str, Any]], **values: Any) -> "Scene":
        """The same scene with other values: set("output.frames=10"), set({"cloths.sheet.fabric": "silk"})."""
        name, text, old, folder = self._source
        for k, s in enumerate(sets):
            if not isinstance(s, (str, Mapping)):
                raise TypeError(f"sets[{k}] is {s!r}, it must be a text or a dict")
        more = [t for s in sets for t in (_texts([s]) if isinstance(s, str) else _texts(s))]
        return self._of((name, text, [*old, *more, *_texts(values)], folder))

    def resolve(self) -> str:
        """Its text, every default written out."""
        return _w.scene_text("resolve", self._capsule)

    def content(self) -> Dict[str, Any]:
        """The same as a dict of plain Python, to be changed at will: Scene(content) is the scene of it."""
        content: Dict[str, Any] = json.loads(_w.scene_text("json", self._capsule))
        return content

    def stage(self, n_threads: int = 1) -> "Stage":
        """A simulation of it."""
        return Stage(self, n_threads)

    def colliders(self) -> List[Dict[str, Any]]:
        """How they are drawn: name, kind, measures, colour."""
        return _w.scene_colliders(self._capsule)

    def collider_pose(self, collider: Union[str, int], time: float) -> Tuple[Tuple[float, ...], Any]:
        """Where it is at a time, s: position, rotation by rows."""
        position, rotation = _w.scene_collider_pose(self._capsule, self._collider(collider), time)
        return position, rotation

    def collider_mesh(self, collider: Union[str, int], time: float) -> Tuple[Floats, Ints]:
        """Points of a mesh at a time, s, and its triangles."""
        x, t = _w.scene_collider_mesh(self._capsule, self._collider(collider), time)
        return array_of(x, "d", 3), array_of(t, "i", 3)

    def _collider(self, collider: Union[str, int]) -> int:
        return choice(collider, self.info["colliders"], "collider")

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_scene_of, self._source)

    def __repr__(self) -> str:
        i = self.info
        return f"<Scene {i['name']}: {len(i['cloths'])} cloths, {len(i['colliders'])} colliders, {i['frames']} frames>"

    def _repr_html_(self) -> str:
        from ._view import page_of
        return page_of(self).frame()


def _scene_of(*source: Any) -> Scene:
    return Scene._of(source)


def scene_schema() -> str:
    """JSON Schema of scene files."""
    return _w.scene_text("schema", None)


def scene_reference() -> str:
    """The reference page of scenes, Markdown."""
    return _w.scene_text("page", None)


class Stage:
    """A scene that runs: `sim`, `cloths` and `colliders` by name; advance() is a frame."""

    def __init__(self, scene: Scene, n_threads: int = 1) -> None:
        # A motion's file is read by one stage only: threads may run two of them.
        capsule = _w.scene_load(*scene._source) if scene.info["has_motion"] else scene._capsule
        handle, cloths, colliders = _w.scene_stage(capsule, n_threads)
        self.scene = scene
        self.sim = Sim._of(handle)
        self.cloths: Dict[str, Cloth] = {k: self.sim._keep(v) for k, v in zip(scene.info["cloths"], cloths)}
        self.colliders: Dict[str, Collider] = {
            name: self.sim._keep_collider(number, definition)
            for name, number, definition in zip(scene.info["colliders"], colliders, scene.colliders())}

    def advance(self) -> int:
        """One frame. 0, or the number of a warning."""
        return _w.sim_step(self.sim._handle, 0.0)

    def frames(self, n: Optional[int] = None) -> Iterator[int]:
        """Advances by n frames (those of the scene) and yields their numbers."""
        for frame in range(1, (self.scene.info["frames"] if n is None else n) + 1):
            self.advance()
            yield frame

    def record(self, path: Path, n: Optional[int] = None) -> "Run":
        """Runs n frames (those of the scene) into a cache file, which is then a Run: for pictures and exports."""
        i = self.scene.info
        columns = list(self.sim.stats)
        with RunWriter(path, i["cloths"], fps=i["fps"], columns=columns, scene=self.scene.resolve()) as out:
            out.add_stage(self)
            for _ in self.frames(n):
                out.add_stage(self)
        return Run(path)

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, *unused: object) -> None:
        self.sim.close()

    def __repr__(self) -> str:
        return f"<Stage of {self.scene!r}, {self.sim!r}>"

    def _repr_html_(self) -> str:
        from ._view import page_of
        return page_of(self).frame()


# ---- runs --------------------------------------------------------------------------------------------------------


class Frame:
    """A frame of a run: `number`, `time` s, `hash`, `stats`; arrays are read when asked for."""

    def __init__(self, run: "Run", number: int) -> None:
        self.run, self.number = run, number
        self.time, self.hash, columns = _w.cache_head(run._capsule, number)
        self.stats: Dict[str, float] = dict(zip(run.info["columns"], array_of(columns, "d").tolist()))

    def positions(self, cloth: Union[str, int] = 0, out: Any = None) -> Floats:
        """m; `out` may be float64 or float32."""
        k = self.run._cloth(cloth)
        if out is None:
            out = new_array((self.topology(cloth)["n_nodes"], 3))
        _w.cache_positions(self.run._capsule, self.number, k, out)
        rows: Floats = out
        return rows

    def pressures(self, cloth: Union[str, int] = 0, out: Any = None) -> Floats:
        """What contacts pressed on nodes in the last step, Pa, to 0.4 %; NaN: the run has not stored it."""
        k = self.run._cloth(cloth)
        if out is None:
            out = new_array((self.topology(cloth)["n_nodes"],))
        _w.cache_contacts(self.run._capsule, self.number, k, out, None)
        rows: Floats = out
        return rows

    def squeezed(self, cloth: Union[str, int] = 0, out: Any = None) -> Levels:
        """Of nodes, 1: colliders left it no room in the last step."""
        k = self.run._cloth(cloth)
        if out is None:
            out = new_array((self.topology(cloth)["n_nodes"],), "B")
        _w.cache_contacts(self.run._capsule, self.number, k, None, out)
        rows: Levels = out
        return rows

    def topology(self, cloth: Union[str, int] = 0) -> Dict[str, Any]:
        """n_nodes, revision, triangles, rest_lengths, levels, shape, and the faces that people gave: face_start,
        corners, uv, corner_uv; None where there is none."""
        t = dict(_w.cache_topology(self.run._capsule, self.number, self.run._cloth(cloth)))
        for name, kind, columns in (("triangles", "i", 3), ("rest_lengths", "d", 3), ("levels", "B", 1),
                                    ("face_start", "i", 1), ("corners", "i", 1), ("uv", "d", 2),
                                    ("corner_uv", "i", 1)):
            t[name] = array_or_none(t[name], kind, columns)
        return t

    def triangles(self, cloth: Union[str, int] = 0) -> Ints:
        """Three nodes each."""
        rows: Ints = self.topology(cloth)["triangles"]
        return rows

    def check(self, cloth: Union[str, int] = 0) -> Check:
        """Where does it intersect itself?"""
        return check(self.positions(cloth), self.triangles(cloth))

    def restart(self) -> Tuple[int, Optional[bytes]]:
        """The last restart point at or before it: its frame (-1: none) and the snapshot."""
        at, data = _w.cache_restart(self.run._capsule, self.number)
        return at, data

    def scene(self) -> Scene:
        """The scene that made it."""
        return Scene.parse(_w.cache_scene(self.run._capsule, self.number)[1], name=self.run.path,
                           folder=os.path.dirname(os.path.abspath(self.run.path)))

    def __repr__(self) -> str:
        return f"<Frame {self.number} at {self.time:.3f} s>"

    def _repr_html_(self) -> str:
        from ._view import page_of
        return page_of(self).frame()


class Run:
    """A run's folder or its cache.weft: run[3].positions("sheet"), len(run), run[::10], for frame in run."""

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self._file = os.path.join(self.path, "cache.weft") if os.path.isdir(self.path) else self.path
        self._capsule = _w.cache_open(self._file)
        self.info: Dict[str, Any] = _w.cache_info(self._capsule)

    def _cloth(self, cloth: Union[str, int]) -> int:
        return choice(cloth, self.info["cloths"], "cloth")

    def __len__(self) -> int:
        return int(self.info["n_frames"])

    @overload
    def __getitem__(self, frame: int) -> Frame: ...

    @overload
    def __getitem__(self, frame: slice) -> List[Frame]: ...

    def __getitem__(self, frame: Union[int, slice]) -> Union[Frame, List[Frame]]:
        n = len(self)
        if isinstance(frame, slice):
            return [Frame(self, i) for i in range(*frame.indices(n))]
        if not isinstance(frame, int):
            raise TypeError(f"frame is {frame!r}, it must be a number or a slice")
        if not -n <= frame < n:
            raise IndexError(f"frame {frame} of {n}")
        return Frame(self, frame % n)

    def __iter__(self) -> Iterator[Frame]:
        return (self[i] for i in range(len(self)))

    def check(self) -> Tuple[bool, int, str]:
        """Reads the whole file: is it damaged, how many frames can be kept, and what is damaged first."""
        found, n_frames, text = _w.cache_check(self._capsule)
        return found, n_frames, text

    def export(self, path: Path, *, format: Union[str, int, None] = None, cloth: Union[str, int, None] = None,
               start: Optional[int] = None, to: Optional[int] = None, every: Optional[int] = None,
               axes: Union[str, int, None] = None, scale: Optional[float] = None, fps: Optional[float] = None,
               force: Optional[bool] = None, as_triangles: Optional[bool] = None,
               progress: Optional[Callable[[int, int], Any]] = None) -> Dict[str, Any]:
        """obj, ply, pc2, mdd, glb, usda or npz, by the name's ending. progress(done, n) is called after each frame;
        what it returns, if false but not None, stops."""
        names = [name for name, _ in _w.export_formats()]
        options = given(to=to, every=every, scale=scale, fps=fps, force=force, as_triangles=as_triangles)
        chosen = os.path.splitext(os.fspath(path))[1].lstrip(".") if format is None else format
        options["format"] = choice(chosen, names, "format")
        if start is not None:
            options["from"] = start
        if cloth is not None:
            options["cloth"] = self._cloth(cloth)
        if axes is not None:
            options["axes"] = choice(axes, AXES, "axes")
        return _w.export_run(self._file, os.fspath(path), options, progress)

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Run, (self.path,))

    def __repr__(self) -> str:
        return f"<Run {self.path}: {len(self)} frames of {', '.join(self.info['cloths'])}>"

    def _repr_html_(self) -> str:
        from ._view import page_of
        return page_of(self).frame()


def export_formats() -> Dict[str, str]:
    """Names of formats, and what they hold."""
    return dict(_w.export_formats())


class RunWriter:
    """Writes a cache file, frame by frame: for each cloth add_topology, then add_frame. A frame that is written stays,
    whatever happens then. after: go on with a file that is there, after its frame of that number (-1: anew)."""

    def __init__(self, path: Path, cloths: Sequence[str], *, fps: float = 60.0, columns: Sequence[str] = (),
                 scene: str = "", level: int = 1, after: Optional[int] = None) -> None:
        self.path = os.fspath(path)
        self.cloths, self.columns = list(cloths), list(columns)
        self._capsule = _w.cache_create(self.path, fps, tuple(cloths), tuple(columns), scene, level,
                                        -2 if after is None else after)
        self._revisions: Dict[int, int] = {}

    def add_topology(self, cloth: Union[str, int], n_nodes: int, triangles: ArrayLike, *, revision: int = 0,
                     rest_lengths: Optional[ArrayLike] = None) -> None:
        """What a cloth's points are, before the first frame that has them so."""
        _w.cache_add_topology(self._capsule, choice(cloth, self.cloths, "cloth"), revision, n_nodes, triangles,
                              rest_lengths)

    def add_frame(self, time: float, positions: Sequence[ArrayLike], *, hash: int = 0,
                  columns: Sequence[float] = (), pressures: Sequence[ArrayLike] = ()) -> None:
        """Positions of each cloth, m; time s; pressures, if any, of the nodes of each cloth, Pa."""
        _w.cache_add_frame(self._capsule, time, hash, list(columns), tuple(positions), tuple(pressures))

    def add_stage(self, stage: Stage) -> None:
        """A frame of a stage as it is now."""
        cloths = list(stage.cloths.values())
        for k, cloth in enumerate(cloths):
            revision = int(cloth.info["revision"])
            if self._revisions.get(k) != revision:
                _w.cache_add_stage(self._capsule, stage.sim._handle, k)
                self._revisions[k] = revision
        stats = stage.sim.stats
        self.add_frame(stage.sim.time, [c.positions() for c in cloths], hash=stage.sim.hash,
                       columns=[float(stats[name]) for name in self.columns],
                       pressures=[c.pressures() for c in cloths])

    def add_sim(self, sim: Sim) -> None:
        """A frame of a simulation with as many cloths."""
        for k, cloth in enumerate(sim.cloths):
            revision = int(cloth.info["revision"])
            if self._revisions.get(k) != revision:
                self.add_topology(k, cloth.n_nodes, cloth.triangles(), revision=revision,
                                  rest_lengths=cloth.rest_lengths())
                self._revisions[k] = revision
        stats = sim.stats
        self.add_frame(sim.time, [c.positions() for c in sim.cloths], hash=sim.hash,
                       columns=[float(stats[name]) for name in self.columns],
                       pressures=[c.pressures() for c in sim.cloths])

    def add_restart(self, snapshot: bytes) -> None:
        """A snapshot of the state at the last frame."""
        _w.cache_add_restart(self._capsule, snapshot)

    def close(self) -> None:
        """Writes the index. Closing again is fine."""
        _w.cache_close(self._capsule)

    def __enter__(self) -> "RunWriter":
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<RunWriter {self.path}: {', '.join(self.cloths)}>"
