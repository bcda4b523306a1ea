# SPDX-License-Identifier: MIT
"""The package and the extension under random arguments: they never crash, and the package names the argument."""
import inspect
import os
import random
import re
import time

import numpy as np
import pytest
import weft
from test_api import ball, run
from weft import _weft

ODD = [
    None, 0, 1, -1, 2**40, 1e300, float("nan"), float("inf"), "", "sphere", "nothing", b"", b"x" * 99, [],
    [1], [[1, 2]], [[0, 0, 0]] * 3, [[0, 1, 2]], [[float("nan")] * 3] * 3, {}, object(), np.zeros((3, 3)),
    np.zeros((3, 3), "i4"), np.zeros((0, 3)), np.zeros(3), np.zeros((3, 3), "f4")[::-1],
    np.zeros((3, 3), "c16"),
    True, (0, 0, 1), (0, 0, 0, 1), range(3), lambda *a: 0.1, np.array(["a"]), memoryview(b"abc"),
]

# These wait for the user, take long however little they are given, or change what the others need.
SKIPPED = {"form", "close", "remove", "sim_destroy", "set_error_maker", "set_main_thread", "sew", "steps", "frames",
           "record"}


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """What takes long to make: a run that was recorded, a body, a pattern, a garment."""
    folder = tmp_path_factory.mktemp("lasting")
    scene = weft.Scene({"cloths": {"a": {"grid": {"nodes": [3, 3], "size": [1, 1]}}}, "output": {"frames": 2}})
    runs = scene.stage().record(folder / "a.weft")
    sim, _, cloth = ball(n=3)
    for i in range(2):
        weft.write_mesh(folder / f"m_{i:04}.obj", cloth.positions(), cloth.triangles())
    body = weft.Body(*weft.form(n_triangles=3000))
    skirt = weft.Pattern.draft("skirt")
    return [scene, runs, runs[1], body, skirt, weft.Garment(skirt, 0.2), weft.Motion(folder / "m_####.obj"),
            weft.Mesh.read(folder / "m_0000.obj"), weft.check(*cloth.check()._surface), weft.Fabric("silk")]


def names_to_call(thing):
    return [n for n in dir(thing) if n[0] != "_" and n not in SKIPPED and callable(inspect.getattr_static(thing, n))]


def things_to_call(lasting, folder):
    """Each with the names of its functions: objects, classes, the package, and the extension itself."""
    sim, collider, cloth = ball(n=3)
    stage = lasting[0].stage()
    objects = [sim, collider, cloth, cloth.pin([0]), sim.tie(cloth, [1], cloth, [2]), weft.Clip(sim), stage,
               stage.sim, weft.RunWriter(folder / f"{time.monotonic_ns()}.weft", ["a"]), *lasting]
    makers = [(weft.Scene, ["load", "parse"]), (weft.Mesh, ["read", "parse"]),
              (weft.Pattern, ["read", "parse", "draft"])]
    parts = [(o, names_to_call(o)) for o in objects] + makers
    parts += [(weft, [n for n in weft.__all__ if n not in SKIPPED | RESULTS]), (_weft, names_to_call(_weft))] * 4
    capsules = [o._capsule for o in objects if hasattr(o, "_capsule")]
    handles = [sim._handle, cloth._id, collider._id]
    return [(o, names) for o, names in parts if names], [*objects, *capsules, *handles]


# What the package makes, not people; and plain dicts.
RESULTS = {"Adapt", "Solid", "Check", "Detected", "Hit", "Mesh", "Page", "Frame", "WARNINGS"}


def names_no_argument(call, e):
    """A mistake that is told without saying of which argument it is."""
    if not isinstance(e, (TypeError, AttributeError, OverflowError, KeyError)) or isinstance(e, weft.Error):
        return False
    told = re.search(r"positional argument|required keyword|multiple values|unexpected keyword", str(e))
    return not told and not any(re.search(rf"\b{name}\b", str(e)) for name in inspect.signature(call).parameters)


def keywords_of(call):
    try:
        return [p.name for p in inspect.signature(call).parameters.values() if p.kind == p.KEYWORD_ONLY]
    except (TypeError, ValueError):
        return []


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # of numpy, of odd comparisons
def test_random_arguments_raise_and_never_crash(tmp_path, monkeypatch, lasting, capsys):
    """A minute, or WEFT_FUZZ_SECONDS; WEFT_FUZZ_SEED: other calls. What calls write goes into a folder of their own, in
    which `last` is the call that was made last."""
    seconds = float(os.environ.get("WEFT_FUZZ_SECONDS", "60"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda url: None)
    rng = random.Random(int(os.environ.get("WEFT_FUZZ_SEED", "7")))
    end = time.monotonic() + seconds
    calls = good = 0
    with open("last", "w") as last:
        while time.monotonic() < end:
            parts, values = things_to_call(lasting, tmp_path)
            for _ in range(200):
                thing, names = rng.choice(parts)
                call = getattr(thing, rng.choice(names))
                args = [rng.choice(values if rng.random() < 0.3 else ODD) for _ in range(rng.randrange(8))]
                by_name = {name: rng.choice(ODD) for name in keywords_of(call) if rng.random() < 0.1}
                last.seek(0)
                last.write(f"{call} {args} {by_name}\n")
                last.flush()
                calls += 1
                try:
                    call(*args, **by_name)
                    good += 1
                except Exception as e:  # a crash will not do, nor will one that does not tell
                    assert not isinstance(e, SystemError), (call, args, by_name, e)
                    assert thing is _weft or not names_no_argument(call, e), (call, args, by_name, e)
    with capsys.disabled():
        print(f"\n{calls} calls with random arguments, {good} of them fine", end=" ")
    assert calls > 1000 and good > 10
    run(ball(n=3)[0], 2)  # and all goes on
