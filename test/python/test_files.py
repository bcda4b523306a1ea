# SPDX-License-Identifier: MIT
"""What is around simulations: tensors, runs and motions in files, patterns, bodies, sewing, checks with solids."""
import pickle
import threading

import numpy as np
import pytest
import weft
from conftest import ROOT
from test_api import ball, run


class Tensor:
    """A tensor of a framework that has no buffer: all it speaks is DLPack."""

    def __init__(self, array, device=1):
        self.array, self.device = array, device

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device, 0


def test_tensors_go_in_and_out_by_dlpack():
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1.0]])
    hashes = set()
    for positions in (x, Tensor(x), Tensor(x.astype("f4")), Tensor(np.repeat(x, 2, axis=0)[::2]), Tensor(x[::-1])):
        sim = weft.Sim()
        cloth = sim.add_mesh(positions, Tensor(np.array([[0, 2, 1]])))
        sim.step(0.01)
        hashes.add(sim.hash)
    assert len(hashes) == 2  # the last one is another mesh
    out = np.zeros((3, 3), "f4")
    cloth.positions(out=Tensor(out))
    assert np.array_equal(out, cloth.positions().astype("f4"))
    with pytest.raises(BufferError, match="positions is on a device of type 2"):
        sim.add_mesh(Tensor(x, device=2), [[0, 1, 2]])
    with pytest.raises(TypeError, match="format"):
        sim.add_mesh(Tensor(x.astype("f2")), [[0, 1, 2]])


def test_a_run_is_written_and_read_again(tmp_path):
    sim, _, cloth = ball(n=9)
    with weft.RunWriter(tmp_path / "a.weft", ["sheet"], fps=60, columns=["contacts"]) as out:
        for _ in range(3):
            sim.step(1 / 60)
            out.add_sim(sim)
        out.add_restart(sim.snapshot())
        with pytest.raises(ValueError, match="its topology has 81 nodes"):
            out.add_frame(1.0, [np.zeros((80, 3))], columns=[0])
        with pytest.raises(ValueError, match="pressures of cloth 0: 80, its topology has 81 nodes"):
            out.add_frame(1.0, [np.zeros((81, 3))], columns=[0], pressures=[np.zeros(80)])
    with pytest.raises(ValueError, match="closed"):
        out.add_frame(1.0, [np.zeros((81, 3))], columns=[0])
    runs = weft.Run(tmp_path / "a.weft")
    assert len(runs[1:]) == 2 and runs[2].hash == sim.hash and runs.check() == (False, 3, "")
    assert np.array_equal(runs[2].positions("sheet"), cloth.positions())
    pressed = cloth.pressures()
    assert np.allclose(runs[2].pressures(), pressed, rtol=0.004) and not runs[2].squeezed("sheet").any()
    half = np.zeros((81, 5), np.float32)
    runs[2].positions(0, out=half[:, 1:4])
    assert np.array_equal(half[:, 1:4], cloth.positions().astype("f4")) and not half[:, 0].any()
    at, data = runs[2].restart()
    sim.step(1 / 60)
    sim.restore(data)
    assert at == 2 and sim.hash == runs[2].hash
    with weft.RunWriter(tmp_path / "a.weft", ["sheet"], fps=60, columns=["contacts"], after=0) as out:
        out.add_frame(1.0, [cloth.positions()], columns=[7])
    again = weft.Run(tmp_path / "a.weft")
    assert again[1].stats == {"contacts": 7} and np.isnan(again[1].pressures()).all()


def test_a_stage_is_recorded_with_its_scene(tmp_path):
    scene = weft.Scene.load(ROOT / "scenes/ball.yaml", {"output.frames": 3})
    runs = scene.stage().record(tmp_path / "ball.weft")
    assert len(runs) == 4 and runs[-1].stats["contacts"] >= 0 and not runs[-1].check()
    assert runs[0].scene().info["frames"] == 3
    assert runs.export(tmp_path / "ball.npz", cloth="sheet", axes="z", every=2)["n_frames"] == 2


def test_scenes_are_built_in_python():
    scene = weft.Scene({"cloths": {"sheet": {"grid": {"nodes": [5, 5], "size": [0.3, 0.3]}, "fabric": "silk"}},
                        "output": {"frames": 2}})
    assert "1 cloths" in repr(scene) and pickle.loads(pickle.dumps(scene)).resolve() == scene.resolve()
    other = scene.set({"cloths.sheet.grid.nodes": np.array([7, 7])}, "output.frames=3")
    with other.stage() as stage:
        assert list(stage.frames()) == [1, 2, 3] and stage.cloths["sheet"].n_nodes == 49
    with pytest.raises(weft.FileError, match="grids"):
        weft.Scene({"cloths": {"sheet": {"grids": {}}}})
    with pytest.raises(TypeError, match="sets"):
        weft.Scene.load(ROOT / "scenes/ball.yaml", "output.frames=3")


def test_scenes_are_edited_in_python():
    scene = weft.Scene.load(ROOT / "scenes/ball.yaml", {"output.frames": 2})
    content = scene.content()
    assert weft.Scene(content).resolve() == scene.resolve() and content["output"]["frames"] == 2
    content["cloths"]["small"] = {"grid": {"nodes": [5, 5], "size": [0.1, 0.1], "centre": [0, 0.6, 0]},
                                  "filter": {"category": 2, "mask": 2}}
    content["colliders"]["ball"]["radius"] *= 0.5
    content["fabrics"] = {"mine": {"like": "silk", "friction": 0.1}}
    content["cloths"]["sheet"]["fabric"] = "mine"
    edited = weft.Scene(content)
    assert edited.info["cloths"] == ["sheet", "small"]
    assert pickle.loads(pickle.dumps(edited)).content() == edited.content()
    with edited.stage() as stage:
        assert stage.cloths["small"].filter() == (2, 2, True)
        assert stage.cloths["sheet"].fabric().friction == 0.1
        assert list(stage.frames()) == [1, 2]
    content["colliders"]["ball"]["radius"] = -1
    with pytest.raises(ValueError, match="radius is -1 m"):
        weft.Scene(content)


def test_stages_of_one_scene_run_in_threads():
    scene = weft.Scene.load(ROOT / "scenes/ball.yaml", {"output.frames": 10})
    hashes = []

    def work():
        with scene.stage() as stage:
            for _ in stage.frames():
                pass
            hashes.append(stage.sim.hash)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(hashes) == 3 and len(set(hashes)) == 1


def test_motions_are_read_frame_by_frame_and_in_between(tmp_path):
    sim, _, cloth = ball(n=5)
    for i in range(3):
        weft.write_mesh(tmp_path / f"m_{i:04}.obj", cloth.positions() + i, cloth.triangles())
    motion = weft.Motion(tmp_path / "m_####.obj", fps=10)
    assert len(motion) == 3 and motion.n_points == 25 and "m_0001" in motion.file(1)
    assert np.allclose(motion.sample(0.15) - cloth.positions(), 1.5)
    time, x = motion.frame(2)
    assert time == pytest.approx(0.2) and np.allclose(x - cloth.positions(), 2)
    again = pickle.loads(pickle.dumps(motion))
    assert again.n_frames == 3
    with pytest.raises(IndexError):
        motion.frame(3)
    with pytest.raises(ValueError, match=r"\(25, 3\)"):
        motion.sample(0, out=np.zeros((24, 3)))


def test_polygons_and_uv_of_meshes_come_through(tmp_path):
    text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 1\ng left\nf 1/1 2/2 3/2 4/1\n"
    mesh = weft.Mesh.parse(text)
    assert mesh.face_start.tolist() == [0, 4] and len(mesh.triangles) == 2 and mesh.groups == ["left"]
    mesh.write(tmp_path / "a.obj")
    again = weft.Mesh.read(tmp_path / "a.obj")
    assert np.array_equal(again.corner_uv, mesh.corner_uv) and np.array_equal(again.corners, mesh.corners)
    with pytest.raises(weft.FileError, match="mesh:1:"):
        weft.Mesh.parse("v 0 0\n")


SQUARE = {"name": "a",
          "curves": [(0, p, (0, 0), (0, 0), 0, False, False) for p in ((0, 0), (.3, 0), (.3, .4), (0, .4))],
          "edges": [(n, i, 1, 1.0) for i, n in enumerate(("bottom", "right", "top", "left"))]}


def test_patterns_are_built_looked_at_and_pickled(tmp_path):
    pattern = weft.Pattern()
    a = pattern.add_panel(SQUARE)
    b = pattern.add_panel({**SQUARE, "name": "b"})
    pattern.add_seam([(a, 1, 0, 1)], [(b, 3, 0, 1)], name="side")
    pattern.check()
    assert pattern.panels["a"]["area"] == pytest.approx(0.12) and pattern.seams[0]["lengths"] == (0.4, 0.4)
    assert pattern.find("b", "top") == (1, 2) and pattern.find("nobody")[0] == -1
    length, points = pattern.edge(a, 1)
    assert length == pytest.approx(0.4) and points[-1].tolist() == [0.3, 0.4]
    pattern.set_elastic(a, 0, 0.8)
    again = pickle.loads(pickle.dumps(pattern))
    assert again.panels == pattern.panels and again.seams == pattern.seams
    turned = weft.turn_panel(SQUARE)
    assert weft.curves_turn(SQUARE) == pytest.approx(0.24) and turned["curves"] != SQUARE["curves"]
    for name in weft.drafts():
        draft = weft.Pattern.draft(name)
        same = pickle.loads(pickle.dumps(draft))
        assert same.panels == draft.panels and same.seams == draft.seams
    pattern.write(tmp_path / "p.json")
    assert weft.Pattern.parse((tmp_path / "p.json").read_text()).panels.keys() == {"a", "b"}
    with pytest.raises(weft.FileError):
        weft.Pattern.parse("{}")
    for wrong in ({**SQUARE, "edges": [("x", 0, 9, 1.0)]}, {**SQUARE, "curves": [1]}, {"name": 3}, 7):
        with pytest.raises((weft.Error, TypeError)):
            pattern.add_panel(wrong)
    with pytest.raises(weft.Error):
        pattern.add_seam([(0, 9, 0, 1)], [(1, 0, 0, 1)])


def test_bodies_know_their_landmarks(tmp_path):
    body = weft.Body(*weft.form(n_triangles=3000))
    marks = body.landmarks
    assert marks["waist.girth"] == pytest.approx(0.75, abs=0.02) and "waist" in repr(body)
    assert body.distance([[0, marks["waist.y"], 0], [2, 0, 0]])[0] < 0 < body.distance([[2, 0, 0]])[0]
    # trunk and arms
    loops = body.slice((0, marks["waist.y"], 0), (0, 1, 0))
    assert len(loops) == 3 and abs(loops[0][:, 1] - marks["waist.y"]).max() < 1e-9
    body.write_landmarks(tmp_path / "marks.json")
    body.set_landmarks({"low": -0.5})
    assert body.landmarks["low"] == -0.5
    body.read_landmarks(tmp_path / "marks.json")
    body.parse_landmarks((tmp_path / "marks.json").read_text())
    with pytest.raises(TypeError, match="nothing called 'belly'"):
        body.set_landmarks({"belly": 1})
    with pytest.raises(weft.Error):
        weft.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


def test_sewing_goes_by_steps_and_ends_with_its_simulation():
    body = weft.Body(*weft.form(n_triangles=4000))
    garment = weft.Garment(weft.Pattern.draft("skirt"), 0.06)
    fits = garment.fit(body)
    assert len(fits) == len(garment.pattern.panels) and all(f["clearance"] > 0 for f in fits)
    assert len(garment.data["positions"]) == len(garment.data["uv"])
    x = weft.placement_at(fits[0]["placement"], [[0, 0]])
    assert x.shape == (1, 3)
    with weft.Sim() as sim:
        solid = sim.add_collider("mesh", vertices=body.surface[0], triangles=body.surface[1])
        sewing = weft.Sewing(sim, garment, solid, fabric="cotton", sew_time=0.2, settle_time=0.05, relax_time=0.05)
        states = list(sewing.steps())
        assert states[-1]["phase"] == "done" and "done" in repr(sewing)
        assert len(sewing.seams()) == garment.pattern.n_seams and len(sewing.same()) == len(garment.data["uv"])
    with pytest.raises(ValueError, match="closed"):
        sewing.step()
    with pytest.raises(weft.Cancelled):
        weft.sew(garment.pattern, body, size=0.06, progress=lambda n, phase: n < 3)


def test_solids_are_checked_and_left():
    sim, collider, cloth = ball()
    run(sim, 30)
    x, t = cloth.positions(), cloth.triangles()
    sphere = {"kind": "sphere", "radius": 0.2}
    assert not weft.check(x, t, solids=[sphere], thickness=[3e-4])
    found = weft.check(x, t, solids=[{**sphere, "radius": 0.21}], thickness=[3e-4])
    assert found and len(found.near) > 10 and found.near[0][2] < 3e-4 and "too near" in repr(found)
    y, report = weft.untangle(x, t, solids=[{**sphere, "radius": 0.203}], thickness=3e-4)
    assert report["verdict"] in ("repaired", "distorted") and report["inside_before"] > report["inside_after"] == 0
    with pytest.raises(ValueError, match="kind"):
        weft.check(x, t, solids=[{"kind": "cone"}])


def test_statistics_add_up():
    sim, _, _ = ball()
    total = None
    for _ in range(3):
        sim.step(1 / 60)
        total = weft.add_stats(total, sim.stats)
    assert total["n_steps"] >= 3 and total["time"] == sim.time and set(total) == set(weft.stats_fields())
