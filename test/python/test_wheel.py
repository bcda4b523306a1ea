# SPDX-License-Identifier: MIT
"""The wheel goes into a fresh environment of every Python on the machine that it is for, with nothing else."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

STATIC = ("libyaml.a", "libzstd.a", "libz.a")


def pythons():
    """One of each version from 3.11 on: of the system, of PATH, of pyenv."""
    places = [pathlib.Path(p) for p in os.environ.get("PATH", "").split(":")]
    homes = [pathlib.Path.home(), *pathlib.Path("/").glob("root"), *pathlib.Path("/home").glob("*")]
    for home in homes:
        if os.access(home, os.R_OK | os.X_OK):
            places += sorted((home / ".pyenv/versions").glob("*/bin"))
    found = {}
    for place in [pathlib.Path("/usr/bin"), *places]:
        for minor in range(11, 20):
            path = place / f"python3.{minor}"
            if os.access(path, os.X_OK) and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:
                found.setdefault(minor, path)
    return [found[minor] for minor in sorted(found)]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    make = "import sys, wheel_backend; print(wheel_backend.build_wheel(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-B", "-c", make, folder], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / done.stdout.split()[-1]


@pytest.mark.parametrize("python", pythons(), ids=lambda p: p.name)
def test_wheel_runs_the_first_example_in_a_fresh_environment(python, wheel, tmp_path):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP"))}
    subprocess.run([python, "-m", "venv", tmp_path / "v"], check=True, capture_output=True, env=env)
    pip = [tmp_path / "v/bin/python", "-m", "pip", "install", "--no-index", "--quiet"]
    subprocess.run([*pip, wheel], check=True, env=env, cwd=tmp_path)
    done = subprocess.run([tmp_path / "v/bin/python", ROOT / "samples/drape.py"], cwd=tmp_path, env=env,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "1681 nodes" in done.stdout and (tmp_path / "drape.obj").stat().st_size > 10000
    view = "import weft; s = weft.Sim(); s.add_grid(3, 3, 1, 1); print(len(s._repr_html_()), weft.__file__)"
    told = subprocess.run([tmp_path / "v/bin/python", "-c", view], cwd=tmp_path, env=env, check=True,
                          capture_output=True, text=True).stdout.split()
    assert int(told[0]) > 50000 and str(tmp_path) in told[1]


def test_pip_installs_the_clone(wheel, tmp_path):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP"))}
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "v"], check=True, capture_output=True, env=env)
    subprocess.run([tmp_path / "v/bin/python", "-m", "pip", "install", "--no-index", "--quiet", ROOT], check=True,
                   env=env)
    subprocess.run([tmp_path / "v/bin/python", "-c", "import weft; weft.Sim().add_grid(3, 3, 1, 1)"], check=True,
                   env=env, cwd=tmp_path)


def test_wheel_is_small_and_needs_only_the_c_library(wheel):
    shared = ROOT / "build-wheel/_weft.abi3.so"
    assert wheel.stat().st_size < 1.5e6
    assert "abi3" in wheel.name
    needed = subprocess.run(["readelf", "-d", shared], check=True, capture_output=True, text=True).stdout
    libraries = set(re.findall(r"NEEDED.*\[(lib\w+)", needed))
    paths = [subprocess.run(["cc", f"-print-file-name={a}"], capture_output=True, text=True).stdout for a in STATIC]
    if all(os.path.isabs(p) for p in paths):
        assert libraries <= {"libc", "libm", "libpthread"}
    assert shutil.which("strip") and ".symtab" not in subprocess.run(
        ["readelf", "-S", shared], check=True, capture_output=True, text=True).stdout
