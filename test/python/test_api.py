# SPDX-License-Identifier: MIT
"""The API from Python: what it computes is what C computes, and arrays go in and out as they should."""
import array
import inspect
import pickle
import re
import signal
import threading
import time

import numpy as np
import pytest
import weft
from conftest import BUILD, ROOT


def ball(n=21, **options):
    sim = weft.Sim(**options)
    collider = sim.add_collider("sphere", radius=0.2)
    cloth = sim.add_grid(n, n, 0.72, 0.72, corner=(-0.36, 0.25, 0.36), fabric="cotton")
    return sim, collider, cloth


def run(sim, n):
    for _ in range(n):
        sim.step(1 / 60)


def test_cloth_falls_on_a_ball_and_stays_free_of_intersections():
    sim, collider, cloth = ball()
    run(sim, 60)
    x = cloth.positions()
    assert x.shape == (441, 3) and x.dtype == np.float64
    assert collider.clearance(cloth) > 0 and not cloth.check()
    assert collider.force()[0][1] < 0 and sim.time == pytest.approx(1.0)
    assert sim.stats["contacts"] > 0 and "contacts" in weft.stats_fields()


def test_hash_is_the_same_with_two_threads():
    hashes = set()
    for n_threads in (1, 2):
        sim, _, _ = ball(n_threads=n_threads)
        run(sim, 20)
        hashes.add(sim.hash)
    assert len(hashes) == 1


SCENES = ["ball", "hanging", "flag", "spheres", "crossed", "tablecloth"]


@pytest.mark.parametrize("name", SCENES)
def test_scenes_have_the_hashes_of_the_command(name):
    table = (ROOT / "test/tool/scene_hashes.txt").read_text()
    found = re.search(rf"^{name} (\d+) ([0-9a-f]+)", table, re.M)
    with weft.Scene.load(ROOT / f"scenes/{name}.yaml").stage() as stage:
        for _ in stage.frames(int(found.group(1))):
            pass
        assert f"{stage.sim.hash:016x}" == found.group(2)


def test_positions_go_into_arrays_of_the_callers():
    sim, _, cloth = ball()
    run(sim, 3)
    x = cloth.positions()
    f = np.zeros((441, 3), np.float32)
    assert cloth.positions(out=f) is f and np.array_equal(f, x.astype(np.float32))
    wide = np.full((441, 8), -1.0)
    cloth.positions(out=wide[:, 2:5])
    assert np.array_equal(wide[:, 2:5], x) and (wide[:, :2] == -1).all() and (wide[:, 5:] == -1).all()
    cloth.normals(out=f)
    assert np.allclose(np.linalg.norm(f, axis=1), 1, atol=1e-6)
    assert np.array_equal(cloth.uv().shape, (441, 2)) and cloth.triangles().max() == 440


@pytest.mark.parametrize("out", [
    np.zeros((440, 3)), np.zeros((441, 2)), np.zeros(441), np.zeros((441, 3), np.int32), np.zeros((3, 441)).T,
    np.zeros((441, 3))[::-1], np.zeros((441, 3), ">f8"), b"no", None.__class__, 3, np.zeros((441, 3, 1))])
def test_arrays_that_do_not_fit_are_refused(out):
    _, _, cloth = ball()
    with pytest.raises((TypeError, ValueError)):
        cloth.positions(out=out)


def test_read_only_arrays_are_refused():
    _, _, cloth = ball()
    out = np.zeros((441, 3))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        cloth.positions(out=out)


def test_arrays_in_may_have_any_stride_and_kind_and_are_copied():
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1.0]])
    hashes = set()
    for positions in (x, x.astype(np.float32), np.repeat(x, 2, axis=0)[::2], np.asfortranarray(x), x.tolist(),
                      x.astype(int)):
        for triangles in (np.array([[0, 2, 1]]), np.array([[0, 2, 1]], np.int32), [[0, 2, 1]], [(0, 2, 1)]):
            sim = weft.Sim()
            sim.add_mesh(positions, triangles)
            sim.step(0.01)
            hashes.add(sim.hash)
    assert len(hashes) == 1
    flat = array.array("d", [0, -1, 0, 1, -1, 0, 0, -1, 1])
    vertices = memoryview(flat).cast("B").cast("d", [3, 3])
    body = sim.add_collider("mesh", vertices=vertices, triangles=[[0, 1, 2]])
    vertices.release()
    del flat
    assert body.vertices()[1].tolist() == [1, -1, 0]


def test_errors_name_argument_and_element():
    sim = weft.Sim()
    with pytest.raises(weft.ArgumentError, match="node 7") as e:
        sim.add_mesh([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 1, 7]])
    assert e.value.code == -6
    with pytest.raises(ValueError, match=r"positions has the shape \(3, 2\), \(n, 3\) is needed"):
        sim.add_mesh(np.zeros((3, 2)), [[0, 1, 2]])
    with pytest.raises(TypeError, match="triangles has items of format 'd'"):
        sim.add_mesh(np.zeros((3, 3)), np.zeros((1, 3)))
    with pytest.raises(TypeError, match="radiuss"):
        sim.add_collider("sphere", radiuss=1)
    with pytest.raises(TypeError, match="h is 'a'"):
        sim.step("a")
    with pytest.raises(ValueError, match="radius"):
        sim.add_collider("sphere", radius=-1)
    with pytest.raises(LookupError, match="brocade"):
        weft.Fabric("brocade")
    with pytest.raises(OSError, match="nowhere.yaml"):
        weft.Scene.load("nowhere.yaml")
    with pytest.raises(weft.FileError, match="x:1:"):
        weft.Scene.parse("cloths: 7", name="x")


def test_arguments_of_another_type_are_named():
    sim, collider, cloth = ball(n=3)
    for call, text in (
            (lambda: sim.attach(3, [0]), "cloth is 3, it must be a Cloth"),
            (lambda: collider.clearance("x"), "cloth is 'x', it must be a Cloth"),
            (lambda: collider.set_pose(5), "position is 5, it must be a sequence of numbers"),
            (lambda: cloth.uniform("one"), "level is 'one', it must be an integer"),
            (lambda: weft.Scene.load(7), "path is 7, it must be a str or a path"),
            (lambda: weft.Garment(7), "pattern is 7, it must be a Pattern"),
            (lambda: weft.check([[0, 0, 0]], [[0, 0, 0]], solids=[3]), r"solids\[0\] is 3"),
            (lambda: sim.add_mesh([[0, 0, 0]], adapt="fine"), "adapt must be given by names")):
        with pytest.raises(TypeError, match=text):
            call()
    for call, text in ((lambda: cloth.uniform(2**40), "level is 1099511627776, which does not fit 32 bits"),
                       (lambda: weft.Fabric("silk\0b"), "name: there may be no NUL"),
                       (lambda: collider.set_pose((0, 0)), "position has 2 numbers, 3 are needed"),
                       (lambda: weft.check([[0, 0, 0]], [[0, 0, 0]], filters=[(1, -1)]), r"filters\[0\] has category")):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(TypeError, match="unexpected keyword argument 'radiuss'"):
        sim.add_collider("sphere", radiuss=1)
    assert pickle.loads(pickle.dumps(weft.check)) is weft.check and "positions" in str(inspect.signature(weft.check))

    def force(*_):
        return len(3)  # a mistake of the caller's own comes out as it is

    sim = weft.Sim(force=force)
    sim.add_grid(3, 3, 1, 1)
    with pytest.raises(TypeError, match="object of type 'int' has no len"):
        sim.step(0.01)


def test_what_callbacks_raise_comes_out_of_the_step_and_the_simulation_goes_on():
    def force(cloth, time, x, v, m, f):
        if time > 0.05:
            raise KeyError("mine")
        f[:, 1] += 9.81 * m

    sim = weft.Sim(force=force)
    cloth = sim.add_grid(5, 5, 1, 1)
    with pytest.raises(KeyError, match="mine"):
        run(sim, 10)
    assert abs(cloth.positions()[:, 1]).max() < 1e-9  # the force holds the weight
    assert sim.time == pytest.approx(4 / 60)

    def refused(level, text):
        if level == 0:  # of the first step: the model
            raise ZeroDivisionError

    sim = weft.Sim(log=refused)
    sim.add_grid(5, 5, 1, 1)
    with pytest.raises(ZeroDivisionError):
        run(sim, 3)


def test_callbacks_may_read_but_not_change_or_close():
    seen = []

    def force(cloth, time, x, v, m, f):
        seen.append(cloth.positions().shape)
        for call in (lambda: sim.step(0.01), sim.close, lambda: sim.add_grid(3, 3, 1, 1)):
            with pytest.raises(RuntimeError):
                call()

    sim = weft.Sim(force=force)
    sim.add_grid(5, 5, 1, 1)
    sim.step(0.01)
    assert seen == [(25, 3)]


def test_sizes_of_elements_come_from_python():
    sim = weft.Sim()
    cloth = sim.add_grid(3, 3, 1, 1, adapt=2, size=lambda x, uv: 0.2 if uv[0] < 0.5 else 9.0)
    run(sim, 3)
    assert cloth.n_nodes > 9 and cloth.levels().max() > 0


def test_a_second_thread_is_told_that_the_simulation_is_at_work():
    inside, leave = threading.Event(), threading.Event()

    def force(*_):
        inside.set()
        leave.wait(10)

    sim = weft.Sim(force=force)
    cloth = sim.add_grid(5, 5, 1, 1)
    worker = threading.Thread(target=sim.step, args=(0.01,))
    worker.start()
    inside.wait(10)
    with pytest.raises(RuntimeError, match="another thread"):
        cloth.positions()
    with pytest.raises(RuntimeError, match="another thread"):
        sim.close()
    leave.set()
    worker.join()
    cloth.positions()


def test_cancel_from_another_thread_raises_cancelled():
    sim, _, _ = ball()
    sim.cancel()
    with pytest.raises(weft.Cancelled):
        sim.step(1 / 60)
    sim.step(1 / 60)


def test_things_that_are_gone_are_told():
    sim, collider, cloth = ball()
    collider.remove()
    with pytest.raises(weft.NotFoundError):
        collider.pose()
    other = weft.Sim().add_grid(3, 3, 1, 1)
    with pytest.raises(ValueError, match="another simulation"):
        sim.attach(other, [0])
    sim.close()
    sim.close()
    for call in (cloth.positions, lambda: sim.step(0.01), lambda: sim.time, lambda: sim.hash, sim.snapshot):
        with pytest.raises(ValueError, match="closed"):
            call()
    assert "closed" in repr(sim)


def test_snapshots_go_on_bit_for_bit():
    sim, _, _ = ball()
    run(sim, 10)
    kept = sim.snapshot()
    run(sim, 5)
    end = sim.hash
    sim.restore(kept)
    run(sim, 5)
    assert sim.hash == end
    with pytest.raises(weft.FileError):
        sim.restore(kept[:-9])
    weft.snapshot_check(kept)


def test_pins_poses_and_fabrics_change_from_step_to_step():
    sim = weft.Sim()
    cloth = sim.add_grid(6, 6, 0.5, 0.5)
    pin = cloth.pin([0, 5], until=0.5)
    sim.step(1 / 60)
    pin.add_nodes([30, 35])
    run(sim, 10)
    assert pin.nodes.tolist() == [0, 5, 30, 35] and pin.force()[1] < 0 and pin.forces().shape == (4, 3)
    pin.drop_nodes([0, 5])
    run(sim, 25)
    assert cloth.positions()[35, 1] < -0.001
    mass = cloth.info["mass"]
    cloth.set_fabric(weft.Fabric(density=0.6))
    assert cloth.info["mass"] == pytest.approx(4 * mass) and cloth.fabric().density == 0.6
    box = sim.add_collider("box", position=(5, 0, 0))
    box.set_pose((6, 0, 0), (0, 0, 1, 1))
    sim.step(0.01)
    assert box.pose()[0] == (6, 0, 0)


def test_filters_tell_what_collides():
    sim, collider, cloth = ball()
    through = sim.add_grid(6, 6, 0.2, 0.2, corner=(-0.1, 0.3, 0.1))
    through.set_filter(category=2, mask=2, itself=False)
    run(sim, 40)
    assert through.positions()[:, 1].max() < -0.5 < cloth.positions()[:, 1].max()
    assert through.filter() == (2, 2, False) and cloth.filter() == (1, 0xFFFFFFFF, True)
    assert not weft.check(cloth.positions() * [1, 0, 1], cloth.triangles(), filters=[(1, 1, False)])
    collider.set_filter(4, 8)
    assert collider.filter() == (4, 8)
    for wrong in (-1, 1 << 32, 1.5):
        with pytest.raises(ValueError, match="mask is"):
            cloth.set_filter(mask=wrong)


def test_sides_and_layers_say_where_things_go():
    def heights(outer_first):
        sim = weft.Sim()
        a = sim.add_grid(21, 21, 0.4, 0.4, corner=(-0.2, 0, 0.2))
        b = sim.add_grid(21, 21, 0.4, 0.4, corner=(-0.187, -0.019, 0.207), axis_warp=(1, 0.1, 0))
        sim.set_layers([(b, a) if outer_first else (a, b)])
        assert sim.layers() == [(b, a) if outer_first else (a, b)]
        run(sim, 30)
        return a.positions()[:, 1].mean() - b.positions()[:, 1].mean()

    assert heights(True) > 0.005 and heights(False) < -0.005
    sim, collider, cloth = ball()
    cloth.set_side("in")
    collider.set_side(2)
    assert (cloth.side(), collider.side()) == ("in", "plain")
    for wrong in ("up", 7):
        with pytest.raises(ValueError, match="side is"):
            cloth.set_side(wrong)
    with pytest.raises(weft.ArgumentError, match="over itself"):
        sim.set_layers([(cloth, cloth)])


def test_check_and_untangle_tell_and_part_what_intersects():
    grid = np.stack(np.meshgrid(np.arange(5), np.arange(5), indexing="ij"), -1).reshape(-1, 2) * 0.1
    t = [[a, a + 1, a + 6] for i in range(4) for a in range(5 * i, 5 * i + 4)]
    t += [[a, a + 6, a + 5] for i in range(4) for a in range(5 * i, 5 * i + 4)]
    flat = np.column_stack([grid[:, 0], 0 * grid[:, 0], grid[:, 1]])
    tilted = np.column_stack([grid[:, 0] + 0.013, 0.03 - 0.2 * grid[:, 0], grid[:, 1] + 0.007])
    x = np.vstack([flat, tilted])
    faces = np.vstack([t, np.array(t) + 25])
    objects = np.repeat([0, 1], len(t))
    found = weft.check(x, faces, objects=objects)
    assert found and len(found) == len(found.pairs) and found.contours[0].shape[1] == 3
    y, report = weft.untangle(x, faces, objects=objects)
    assert report["pairs_after"] == 0 and not weft.check(y, faces, objects=objects)
    assert not weft.check(x[:25], t)


def test_ccd_and_detection_find_what_meets():
    x0 = [[0.2, 1, 0.2], [0, 0, 0], [1, 0, 0], [0, 0, 1]]
    x1 = [[0.2, -1, 0.2], [0, 0, 0], [1, 0, 0], [0, 0, 1]]
    hit = weft.ccd("vertex_triangle", x0, x1)
    assert hit.time == pytest.approx(0.5) and weft.ccd("vertex_triangle", x0, x0) is None
    assert weft.ccd_find("vertex_triangle", x0, x1, [[1, 2, 3]], [[0, 0]]).tolist() == [0]
    with pytest.raises(IndexError):
        weft.ccd_find("vertex_triangle", x0, x1, [[1, 2, 3]], [[0, 1]])
    found = weft.detect([[0, 0, 0], [1, 0, 0], [0, 0, 1], [0.2, -1, 0.2], [0.2, 1, 0.2], [0.3, 1, 0.2]],
                        [[0, 1, 2], [3, 4, 5]], mode="classical", triangle_pairs=True)
    assert found.triangle_pairs.tolist() == [[0, 1]]


def test_definitions_pickle():
    silk = weft.Fabric("silk", friction=0.1)
    assert pickle.loads(pickle.dumps(silk)) == silk
    scene = weft.Scene.load(ROOT / "scenes/ball.yaml", ["output.frames=3"])
    again = pickle.loads(pickle.dumps(scene))
    assert again.info["frames"] == 3 and again.resolve() == scene.resolve()
    error = pickle.loads(pickle.dumps(weft.ArgumentError("text", -4, 7)))
    assert (error.code, error.element, str(error)) == (-4, 7, "text")
    with pytest.raises(TypeError):
        pickle.dumps(weft.Sim())


def test_runs_are_read_and_exported(tmp_path):
    import subprocess
    out = tmp_path / "run"
    subprocess.run([BUILD / "weft", "run", ROOT / "scenes/ball.yaml", "-o", out, "--frames", "3", "--no-pictures",
                    "-q"], check=True)
    runs = weft.Run(out)
    assert len(runs) == 4 and len(list(runs)) == 4 and "frames" in repr(runs)
    assert runs[-1].positions().shape[1] == 3 and runs[1].triangles().dtype == np.int32
    assert runs[3].time == pytest.approx(3 / 60) and runs[3].stats
    told = runs.export(tmp_path / "a.npz", progress=lambda done, n: True)
    assert told["n_frames"] == 4 and np.load(tmp_path / "a.npz")["vertices_seq"].shape[0] == 4
    with pytest.raises(ZeroDivisionError):
        runs.export(tmp_path / "b.npz", progress=lambda done, n: 1 / 0)
    with pytest.raises(weft.Error):
        runs.export(tmp_path / "c.npz", progress=lambda done, n: False)
    with pytest.raises(IndexError):
        runs[4]


def test_meshes_patterns_and_forms(tmp_path):
    x, t = weft.form(n_triangles=2000)
    weft.write_mesh(tmp_path / "form.obj", x, t)
    y, u = weft.read_mesh(tmp_path / "form.obj")
    assert np.array_equal(x, y) and np.array_equal(t, u) and not weft.check(x, t)
    skirt = weft.Pattern.draft("skirt", waist=0.7)
    skirt.check()
    skirt.write(tmp_path / "skirt.json")
    assert weft.Pattern.read(tmp_path / "skirt.json").panels.keys() == skirt.panels.keys()
    skirt.write_svg(tmp_path / "skirt.svg")
    with pytest.raises(IndexError, match=r"triangles\[0\]"):
        weft.write_mesh(tmp_path / "bad.obj", x[:3], [[0, 1, 3]])


def test_a_skirt_is_sewn_on_a_form():
    steps = []
    sewn = weft.sew(weft.Pattern.draft("skirt"), weft.form(n_triangles=4000), size=0.05, settle_time=0.1,
                    progress=lambda n, phase: steps.append(n))
    assert sewn.report["n_welded"] == sewn.report["n_seams"] and steps
    assert sewn.cloth.n_nodes > 100
    sewn.sim.step(1 / 60)


def interrupt_after(seconds):
    timer = threading.Timer(seconds, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    return timer


def test_interrupts_come_between_steps():
    sim, _, _ = ball(n=41)
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        run(sim, 100000)
    run(sim, 1)


def slow_sim():
    """A step of it takes many seconds: solved to 1e-12 m."""
    sim = weft.Sim(newton_tolerance=1e-12, newton_limit=1000, linear_tolerance=1e-12)
    sim.add_collider("sphere", radius=0.2)
    return sim, sim.add_grid(80, 80, 0.72, 0.72, corner=(-0.36, 0.2005, 0.36))


def test_interrupts_end_a_step_that_takes_long_and_leave_the_last_state():
    sim, cloth = slow_sim()
    before, x = sim.hash, cloth.positions()
    cpu = time.process_time()
    interrupt_after(0.5)
    with pytest.raises(KeyboardInterrupt):
        sim.step(0.4)
    assert time.process_time() - cpu < 10  # the step's own time is a minute
    assert sim.hash == before and np.array_equal(cloth.positions(), x)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    cloth.remove()
    sim.step(1e-7)  # nobody cancels the next


def test_a_handler_of_the_users_own_is_called_when_the_step_is_done():
    seen = []
    sim, _, _ = ball(n=41)
    old = signal.signal(signal.SIGINT, lambda *_: seen.append(sim.time))
    try:
        interrupt_after(0.1)
        while not seen:
            sim.step(1 / 60)
    finally:
        signal.signal(signal.SIGINT, old)
    assert seen


def test_interrupts_end_checks_and_untangling():
    dice = np.random.default_rng(1)
    x = dice.random((60000, 3))
    t = np.arange(60000, dtype=np.int32).reshape(-1, 3)
    for call in (lambda: weft.check(x[:9000] * 0.2, t[:3000]), lambda: weft.untangle(x[:900] * 0.1, t[:300])):
        cpu = time.process_time()
        interrupt_after(0.3)
        with pytest.raises(KeyboardInterrupt):
            while True:
                call()
        assert time.process_time() - cpu < 20
